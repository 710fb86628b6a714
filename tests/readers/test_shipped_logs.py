from pathlib import Path

import pytest

from benchmill import readers

SHIPPED = sorted((Path(__file__).parents[2] / "data/bbob").glob("*.t*"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_logs_are_complete_and_need_no_repair(path):
    report = readers.examine(path)
    assert report["trials"]["missing"] == 0
    assert report["trials"]["unexpected"] == 0
    assert report["trials"]["ill_finalised"] == 0
    assert report["irregularities"] == []
