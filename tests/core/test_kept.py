import pyarrow as pa
import pytest

from benchmill.core.storage import Kept

WORDS = pa.table({"word": pa.array(["b", "a", "b", None]).dictionary_encode(), "x": [0.1, float("inf"), float("nan"), None]})
NUMBERS = pa.table({"n": pa.array([1, 2], pa.int32())})


def never():
    raise AssertionError("made again")


def made(path, key, tables, code="1"):
    kept = Kept(path, code)
    found = kept.tables(key, lambda: tables)
    kept.leave_out()
    return found


def same(found, expected):
    assert [table.schema for table in found] == [table.schema for table in expected]
    assert repr([table.to_pylist() for table in found]) == repr([table.to_pylist() for table in expected])


def test_what_was_made_of_the_same_is_not_made_again(tmp_path):
    path = tmp_path / "study" / "parts"
    first = made(path, ("x", 1), [WORDS, NUMBERS])
    same(first, [WORDS, NUMBERS])
    again = Kept(path, "1").tables(("x", 1), never)
    same(again, [WORDS, NUMBERS])
    # with the same words in the same places, so that the files that are written of it are the same
    assert [t.column("word").chunk(0).dictionary.to_pylist() for t in (first[0], again[0])] == [["b", "a"]] * 2


@pytest.mark.parametrize(("key", "code"), [(("x", 2), "1"), (("x", "1"), "1"), (("x", 1), "2")])
def test_what_was_made_of_something_else_is_made(tmp_path, key, code):
    made(tmp_path / "parts", ("x", 1), [NUMBERS])
    assert Kept(tmp_path / "parts", code).tables(key, lambda: [WORDS])[0].column_names == ["word", "x"]


def test_what_is_not_asked_for_again_is_left_out(tmp_path):
    path = tmp_path / "parts"
    kept = Kept(path)
    for key in "ab":
        kept.tables((key,), lambda: [NUMBERS])
    kept.leave_out()
    made(path, ("b",), [NUMBERS], "")
    assert Kept(path).tables(("b",), never)[0].equals(NUMBERS)
    with pytest.raises(AssertionError, match="made again"):
        Kept(path).tables(("a",), never)


def test_a_damaged_file_is_made_again(tmp_path):
    path = tmp_path / "parts"
    made(path, ("x",), [NUMBERS])
    (file,) = path.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[: len(whole) // 2], b"x" + whole[1:], whole[:40] + b"?" + whole[41:]):
        file.write_bytes(damaged)
        assert Kept(path).tables(("x",), lambda: [WORDS])[0].column_names == ["word", "x"]


def test_nothing_is_kept_without_a_folder():
    kept = Kept()
    assert kept.tables((), lambda: [NUMBERS]) == [NUMBERS]
    kept.leave_out()
