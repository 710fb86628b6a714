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
