"""Results that are read back by path."""

import pytest

from benchmill.core import UserError, schema, storage
from benchmill.study import results


@pytest.mark.parametrize("text", ["", '{"trials": ', "[]"])
def test_a_damaged_ingest_report_is_named(tmp_path, text):
    path = tmp_path / "results" / "s" / "ingest" / "a.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    for read in (results.read_report, lambda path: results.load([path])):
        with pytest.raises(UserError, match=r"a\.json: found no ingest report.*delete the file"):
            read(path)


def test_a_record_of_pens_under_its_former_name_is_not_passed_over(tmp_path):
    (tmp_path / "looks.yaml").write_text("s: {B: 0, A: 1}\n", "utf-8")
    with pytest.raises(UserError, match=r"looks\.yaml: the record of pens is called pens\.yaml now; rename this file to it\."):
        results.read_pens(tmp_path / "pens.yaml")
    (tmp_path / "looks.yaml").rename(tmp_path / "pens.yaml")
    assert results.read_pens(tmp_path / "pens.yaml") == {"s": {"B": 0, "A": 1}}


def test_a_table_that_many_files_hold_is_read_as_one_piece(tmp_path):
    paths = [tmp_path / f"results/s/designs/{measure}.parquet" for measure in ("a", "b")]
    for path in paths:
        row = {"measure": path.stem, "n_blocks": 1, "n_treatments": 1, "n_runs": 1, "n_clusters": 1, "n_left_out": 0}
        storage.write(
            schema.of_rows("designs", [row | {"n_runs_unused": 0, "n_failures": 0, "rule": "", "normalisation": "", "seed": 1}]),
            "designs",
            path,
            {},
        )
    table = results.load(paths)["s"]["designs"]
    assert (table["measure"].to_pylist(), table["measure"].num_chunks) == (["a", "b"], 1)
