"""ERT and successes of public BBOB archives against a plain scan of the text of the logs."""

import pytest

from benchmill.core import storage
from benchmill.costs import costs
from benchmill.indicators.ert import indicators
from benchmill.readers import ingest
from tests.indicators.plain_scan import ARCHIVES, DATA, TARGETS, needs_real_data, scan


def rows_of(algorithm, folder):
    """Indicators of an archive by (function, dimension, target), through all stages."""
    trials_path, traces_path, report_path = folder / "trials", folder / "traces", folder / "report"
    report = ingest(DATA / ARCHIVES[algorithm], [trials_path, traces_path, report_path], name="source")
    trials = storage.read(trials_path, "trials")
    table = costs("fixed_target", trials, storage.pieces(traces_path, "traces"), "ert", {"targets": TARGETS})
    return {
        (int(row["problem"].removeprefix("f")), row["dimension"], row["target"]): row
        for row in indicators([table], report=report, trials=trials).to_pylist()
        if row["n_trials"]
    }


@needs_real_data
@pytest.mark.parametrize("algorithm", ARCHIVES)
def test_every_cell_equals_the_scan(algorithm, tmp_path):
    found = rows_of(algorithm, tmp_path)
    expected = scan(DATA / ARCHIVES[algorithm])
    assert set(found) == set(expected)
    assert len(expected) > 500
    wrong = {
        key: (row["ert"], row["n_successes"], row["n_trials"], expected[key])
        for key, row in found.items()
        if (row["n_successes"], row["n_trials"]) != tuple(expected[key][1:])
        or row["ert"] != (expected[key][0] / expected[key][1] if expected[key][1] else float("inf"))
    }
    assert not wrong
