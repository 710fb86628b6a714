"""Results that are read back by path."""

import pytest

from benchmill.core.errors import UserError
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
