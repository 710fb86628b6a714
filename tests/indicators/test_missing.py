"""Missing trials are counted where the keys of a cell name them, and every table of the room says what it stands on."""

import pyarrow as pa

from benchmill.indicators.curves import ecdf_curves
from benchmill.indicators.density import Options, densities
from benchmill.indicators.ecdf import ecdf
from benchmill.indicators.job import missing
from tests.costs.making import cost_rows

ENTRIES = [
    {"suite": "s", "problem": "f1", "dimension": 2, "instance": 7, "algorithm": "A", "count": 3},
    {"suite": "s", "problem": "f2", "dimension": 2, "instance": None, "count": 2},
    {"suite": "s", "problem": "f2", "dimension": 5, "algorithm": "B"},
]


def test_entries_count_for_the_cells_they_name():
    source = pa.table({"algorithm": ["A", "B", "A"]})
    cells = pa.table({"problem": ["f1", "f1", "f2", "f2", "f3"], "algorithm": ["A", "B", "A", "B", "B"]})
    count = missing(cells, ["problem", "algorithm"], [source], [{"missing": ENTRIES}])
    assert count.tolist() == [3, 0, 2, 3, 0]
    assert missing(cells, ["problem", "algorithm"], [source], []).tolist() == [0] * 5
    by_instance = pa.table({"problem": ["f1", "f1"], "instance": ["7", "8"], "algorithm": ["A", "A"]})
    assert missing(by_instance, ["problem", "instance", "algorithm"], [source], [{"missing": ENTRIES}]).tolist() == [3, 0]
    grouped = pa.table({"group": ["easy", "all", "all"], "algorithm": ["A", "A", "B"]})
    groups = {"easy": ["f1"], "all": ["f1", "f2"]}
    assert missing(grouped, ["group", "algorithm"], [source], [{"missing": ENTRIES}], groups).tolist() == [3, 5, 3]


def test_every_table_says_how_many_trials_instances_and_missing_by_which_rule():
    costs = cost_rows(
        [
            {"algorithm": "A", "problem": problem, "instance": str(i), "run": 1, "trial": 2 * p + i, "target": t, "cost": 3.0 + i}
            for p, problem in enumerate(("f1", "f2"))
            for i in range(2)
            for t in (10.0, 1.0)
        ]
    )
    entries = [{"suite": "s", "problem": "f1", "dimension": 2, "instance": 9, "algorithm": "A", "count": 4}]
    reports = [{"missing": [{**entries[0], **{name: costs[name][0].as_py() for name in ("suite", "dimension")}}]}]
    curves = ecdf(costs, aggregation="problem")
    (row,) = ecdf_curves(curves, [costs], aggregation="problem", reports=reports).to_pylist()
    assert (row["n_trials"], row["n_instances"], row["n_missing"], row["budget_rule"]) == (4, 4, 4, "own")
    assert row["n_targets"] == 2
    bars = densities(costs, report=reports[0], options=Options(kind="mass")).to_pylist()
    assert {(r["problem"], r["n_trials"], r["n_instances"], r["n_missing"], r["budget_rule"]) for r in bars} == {
        ("f1", 2, 2, 4, "own"),
        ("f2", 2, 2, 0, "own"),
    }
