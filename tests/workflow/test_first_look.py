"""What a first look at a source told is kept, as long as file and code are the same."""

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.workflow import job, up_to_date
from tests.readers.making import SMALL, folder, tar

TABLE = "algorithm,problem,cost\nA,f1,1\n"


@pytest.fixture
def look(tmp_path, monkeypatch):
    """Look as a new run would; returns what was found, and whether the source was opened for it."""
    monkeypatch.chdir(tmp_path)
    opened = []
    monkeypatch.setattr(readers, "open_view", lambda path, ordinary=readers.open_view: opened.append(path) or ordinary(path))

    def looked(path, format=None, code="a"):
        job._once.cache_clear()
        opened.clear()
        found = up_to_date.first_look(path, format, code)
        return found.format, [*found.algorithms], bool(opened)

    return looked


def test_an_archive_is_opened_once(tmp_path, look):
    path = tar(tmp_path / "e.tgz", SMALL)
    first = look(path)
    assert first == ("coco", ["Walker"], True)
    assert look(path) == (*first[:2], False)
    assert look(path, code="b") == first
    assert look(path, "coco") == first


def test_what_was_changed_is_opened_again(tmp_path, look):
    source = folder(tmp_path / "s", SMALL)
    assert look(source) == ("coco", ["Walker"], True)
    assert not look(source)[-1]
    for path in [path for path in source.rglob("*") if path.is_file()]:
        path.unlink()
    (source / "t.csv").write_text(TABLE)
    assert look(source)[::2] == ("table", True)


def test_what_cannot_be_kept_or_was_damaged_is_looked_at_again(tmp_path, look, monkeypatch):
    path = tar(tmp_path / "e.tgz", SMALL)
    look(path)
    (note,) = job.KEPT.glob("*.look")
    for damage in ("", "[]", "{", '{"format": "coco"'):
        note.write_text(damage)
        assert look(path) == ("coco", ["Walker"], True)
    note.unlink()

    def full(*_):
        raise UserError("no space is left")

    monkeypatch.setattr(up_to_date.whole_file, "write_text", full)
    assert [look(path)[-1] for _ in range(2)] == [True, True]


def test_a_mistake_is_told_each_time(tmp_path, look):
    path = tmp_path / "page.html"
    path.write_text("<html><body>no logs</body></html>")
    for _ in range(2):
        with pytest.raises(UserError, match="it is a web page"):
            look(path)
    path.unlink()
    with pytest.raises((UserError, OSError)):
        look(path)
