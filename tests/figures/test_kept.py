"""Drawings are put back where, and only where, all that they were drawn from is the same."""

import pytest

from benchmill.figures import kept


@pytest.fixture
def drawing(tmp_path):
    """The files of a drawing."""
    files = [tmp_path / "results" / name for name in ("one.pdf", "one.txt")]
    files[0].parent.mkdir()
    for number, file in enumerate(files):
        file.write_bytes(b"%d\0\xff" % number)
    return files


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "table.parquet"
    file.write_bytes(b"rows")
    return file


def test_what_a_drawing_depends_on_is_in_its_digest(table, monkeypatch):
    given = {"kind": "profile", "settings": {"a": 1, "b": 2}, "code": "c", "looks": {"A": 0, "B": 1}, "files": [table]}
    first = kept.drawn_from(**given)
    assert kept.drawn_from(**given) == first
    found = {first}
    for change in (
        {"kind": "ecdf"},
        {"settings": {"a": 1, "b": 3}},
        # legends and panels follow the order of a configuration
        {"settings": {"b": 2, "a": 1}},
        {"code": "d"},
        {"looks": {"A": 0, "B": 2}},
        {"files": []},
        {"files": [table, table]},
    ):
        found.add(kept.drawn_from(**given | change))
    table.write_bytes(b"rowt")
    found.add(kept.drawn_from(**given))
    monkeypatch.setattr("matplotlib.__version__", "0")
    found.add(kept.drawn_from(**given))
    assert len(found) == 10


def test_a_drawing_is_put_back_as_it_was(drawing, tmp_path):
    before = [file.read_bytes() for file in drawing]
    kept.keep(tmp_path / "kept", "x", drawing)
    for file in drawing:
        file.unlink()
    assert not kept.put_back(tmp_path / "kept", "y", drawing)
    assert not any(file.exists() for file in drawing)
    assert kept.put_back(tmp_path / "kept", "x", drawing)
    assert [file.read_bytes() for file in drawing] == before


def test_the_last_drawing_counts(drawing, tmp_path):
    kept.keep(tmp_path / "kept", "x", drawing)
    drawing[0].write_bytes(b"new")
    kept.keep(tmp_path / "kept", "y", drawing)
    drawing[0].unlink()
    assert not kept.put_back(tmp_path / "kept", "x", drawing)
    assert kept.put_back(tmp_path / "kept", "y", drawing)
    assert drawing[0].read_bytes() == b"new"


@pytest.mark.parametrize("damage", ["cut", "gone", "note", "no note"])
def test_a_damaged_drawing_is_not_put_back(drawing, tmp_path, damage):
    folder = tmp_path / "kept"
    assert not kept.put_back(folder, "x", drawing)
    kept.keep(folder, "x", drawing)
    note = next(folder.glob("*.json"))
    if damage == "cut":
        (folder / "one.txt").write_bytes(b"1")
    elif damage == "gone":
        (folder / "one.txt").unlink()
    elif damage == "note":
        note.write_text(note.read_text()[:-5])
    else:
        note.unlink()
    for file in drawing:
        file.unlink()
    assert not kept.put_back(folder, "x", drawing)
    assert not any(file.exists() for file in drawing)


def test_a_file_more_is_not_there(drawing, tmp_path):
    kept.keep(tmp_path / "kept", "x", drawing)
    assert not kept.put_back(tmp_path / "kept", "x", [*drawing, tmp_path / "one.png"])
