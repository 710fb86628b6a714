"""What a log says at the places of its trials: the lines themselves, taken from the files by plain reading."""

import gzip

import pytest

from benchmill.core import schema
from benchmill.readers import ingest, tally
from benchmill.readers.archive import open_view
from benchmill.readers.tally import Places


def placed(*sources):
    n = len(sources)
    fixed = {"problem": ["f"] * n, "algorithm": ["a"] * n, "run": [1] * n, "trial": list(range(n)), "n": [1] * n}
    said = {"value_kind": ["absolute"] * n, "maximise": [False] * n, "status": ["solved"] * n}
    places = Places()
    places.add(schema.table("trials", {**fixed, **said, "source": list(sources)}))
    return places


def found(folder, *sources):
    with open_view(folder) as view:
        return [row for table in placed(*sources).excerpts(view) for row in table.to_pylist()]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("chunk", [7, 64, 2**20])
def test_first_and_last_lines_of_every_trial(tmp_path, monkeypatch, end, chunk):
    """Whatever the pieces in which a file is read."""
    monkeypatch.setattr(tally, "_CHUNK", chunk)
    monkeypatch.setattr(tally, "_LINES_KEPT", ((9, 2, 3),))
    lines = [f"line {i} of it" for i in range(1, 31)]
    (tmp_path / "a.log").write_bytes(end.join(lines).encode() + end.encode())
    begins = [2, 9, 10, 13, 28]
    got = found(tmp_path, *(f"a.log:{line}" for line in begins))
    assert [(row["file"], row["line"]) for row in got] == [("a.log", line) for line in begins]
    for row, after in zip(got, [*begins[1:], 31], strict=True):
        own = lines[row["line"] - 1 : after - 1]
        assert row["last_line"] == after - 1
        assert row["first"] == "\n".join(own[:2])
        assert row["last"] == "\n".join(own[2:][-3:])


def test_trials_on_one_line_have_one_excerpt(tmp_path):
    (tmp_path / "t.csv").write_text("problem,a,b\np1,1,2\np2,3,4")
    got = found(tmp_path, "t.csv:2", "t.csv:2", "t.csv:3")
    assert [(row["line"], row["first"], row["last"]) for row in got] == [(2, "p1,1,2", ""), (3, "p2,3,4", "")]


def test_long_lines_are_cut_and_what_is_no_text_is_left_out(tmp_path):
    (tmp_path / "a.log").write_text("x" * 5000 + "\n")
    (tmp_path / "b.bin").write_bytes(b"PAR1\0\0\n\n\n")
    (tmp_path / "c.log.gz").write_bytes(gzip.compress("früh\nspät\n".encode()))
    got = found(tmp_path, "a.log:1", "b.bin:2", "c.log.gz:2", "gone.log:3", "a.log:77", "no line")
    assert [(row["file"], len(row["first"])) for row in got] == [("a.log", 160), ("c.log.gz", 4)]
    assert got[0]["first"].endswith("x…")
    assert got[1]["first"] == "spät"


def test_of_too_many_places_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(tally, "MOST_PLACES", 1)
    (tmp_path / "a.log").write_text("1\n2\n3\n")
    assert found(tmp_path, "a.log:1", "a.log:2") == []


def test_a_source_is_read_with_its_excerpts(tmp_path):
    """The line of every trial of a table has its problem and its cost."""
    from benchmill.core import storage

    (tmp_path / "times.csv").write_text("algorithm,problem,cost\n" + "".join(f"a{i % 3},p{i},{i + 0.5}\n" for i in range(9)))
    files = [tmp_path / name for name in ("trials", "traces", "report", "excerpts")]
    ingest(tmp_path / "times.csv", files, name="w")
    lines = {f"{row['file']}:{row['line']}": row["first"] for row in storage.read(files[3], "excerpts").to_pylist()}
    trials = storage.read(files[0], "trials").to_pylist()
    assert len(trials) == 9
    for trial in trials:
        assert lines[trial["source"]] == f"{trial['algorithm']},{trial['problem']},{trial['cost']}"
