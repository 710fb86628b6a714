"""A data file that is too large to be held is read in pieces, with the same result."""

import io
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError, schema
from benchmill.readers import blocks, coco, ioh
from benchmill.readers.archive import Member, View
from benchmill.readers.interface import Report
from tests.readers.making import SMALL, Result, folder, header, info, one_sentence, tar, zipped
from tests.readers.test_ioh import RUNS, listing
from tests.readers.test_ioh import blocks as ioh_blocks

SHIPPED = Path(__file__).parents[2] / "data"


@pytest.fixture
def small(monkeypatch):
    """Let any file be a large one."""

    def set_to(size, rows):
        for module in (blocks, coco, ioh):
            monkeypatch.setattr(module, "BYTES_AT_ONCE", size)
        monkeypatch.setattr(readers, "_ROWS_AT_ONCE", rows)
        monkeypatch.setattr(blocks, "ROWS_AT_ONCE", rows)

    return set_to


_line = st.one_of(
    st.tuples(st.integers(0, 999), st.integers(0, 9)).map(lambda row: f"{row[0]} 0 {row[1]}.5"),
    st.sampled_from(["% evaluation 1", "% evaluation 2", "% a comment", "", "  ", "junk", "1 2", " 3\t4 5 6", "é 1 2", "e"]),
)


@given(
    st.lists(st.lists(_line, max_size=25), min_size=1, max_size=3),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.integers(1, 90),
    st.integers(1, 9),
)
@settings(max_examples=60)
@example([["% evaluation 1", "1 0 2.5", "% a comment", "% evaluation 2", "2 0 1.5"]], "\n", False, 4, 1)
def test_pieces_make_up_the_whole(files, end, ended, size, rows):
    texts = [(end.join(lines) + (end if ended else "")).encode() for lines in files]
    names = [str(i) for i in range(len(texts))]
    members = [Member(name, len(text)) for name, text in zip(names, texts, strict=True)]
    view = View("x", "folder", members, [], dict(zip(names, texts, strict=True)), io.BytesIO)
    columns = lambda header, file: (2, 1 - 2 * (b"1" in header)) if b"evaluation" in header else None  # noqa: E731

    whole_report, report = Report(blocks.RULES), Report(blocks.RULES)
    whole = blocks.parse(names, texts, b"%e", columns, whole_report)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BYTES_AT_ONCE", size)
        patch.setattr(blocks, "ROWS_AT_ONCE", rows)
        found = blocks.parse_large(view, names, b"%e", columns, report)
    assert (found.file.tolist(), found.line.tolist(), found.heading) == (whole.file.tolist(), whole.line.tolist(), whole.heading)
    assert (str(found.facts.tolist()), found.read) == (str(whole.facts.tolist()), whole.read)
    for chosen in (np.arange(len(whole.file)), np.flatnonzero(np.arange(len(whole.file)) % 2)):
        kept, expected = found.of(chosen), whole.of(chosen)
        in_file = np.lexsort((kept.row_line, kept.row_block))  # rows are kept in the order of their evaluations
        for name in blocks.ROW_ARRAYS:
            np.testing.assert_array_equal(getattr(kept, name)[in_file], getattr(expected, name), name)
    assert report.counts == whole_report.counts
    by_place = lambda example: (example["file"], example["line"])  # noqa: E731
    for rule, examples in whole_report.examples.items():
        assert sorted(report.examples[rule], key=by_place) == sorted(examples, key=by_place)


IOH = {
    "A/IOHprofiler_f1_Sphere.json": listing(RUNS),
    "A/data_f1/IOHprofiler_f1_DIM2.dat": ioh_blocks(
        [(1, 5.0), (9, 0.0123456789), (100, 7.0)], [(1, 8.0), (7, 3.5), (100, 3.9)], [(2, 4.0), (40, 0.0), (80, 1.0)]
    ),
}


@pytest.mark.parametrize("files", [SMALL, IOH], ids=["coco", "ioh"])
@pytest.mark.parametrize("pack", [folder, tar, zipped])
@pytest.mark.parametrize(("size", "rows"), [(1, 1), (100, 3), (300, 1000)])
def test_the_tables_are_the_same(tmp_path, small, files, pack, size, rows):
    path = pack(tmp_path / "logs", files)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = Result(path, tmp_path / "a")
    small(size, rows)
    pieces = Result(path, tmp_path / "b")
    assert pieces.trials == whole.trials
    assert pieces.traces.to_pylist() == whole.traces.to_pylist()
    assert pieces.report == whole.report


@pytest.mark.parametrize("path", sorted((SHIPPED / "bbob").glob("*.t*"))[:1], ids=lambda path: path.name)
def test_shipped_logs_in_pieces(tmp_path, small, path):
    for out in ("a", "b"):
        (tmp_path / out).mkdir()
    whole = Result(path, tmp_path / "a")
    small(5000, 700)
    pieces = Result(path, tmp_path / "b")
    assert pieces.trials == whole.trials
    assert pieces.traces.to_pylist() == whole.traces.to_pylist()
    assert json.dumps(pieces.report) == json.dumps(whole.report)


def test_a_line_that_never_ends_is_not_held(small, monkeypatch):
    small(64, 10)
    monkeypatch.setattr(blocks, "_LONGEST_LINE", 128)
    text = b"% evaluation\n1 0 2.5" + b" 7" * 5000 + b"\n2 0 1.5\n" + b"9" * 5000
    largest = 0

    class Watched(View):
        def chunks(self, name, size):
            for at in range(0, len(text), size):
                yield text[at : at + size]

    view = Watched("x", "folder", [Member("x", len(text))], [], {"x": None}, lambda _: io.BytesIO(text))
    for piece in blocks.pieces(view, "x", b"%"):
        largest = max(largest, len(piece))
    assert largest <= 4 * 64
    report = Report(blocks.RULES)
    found = blocks.parse_large(view, ["x"], b"%", lambda header, file: (2, -1), report)
    rows = found.of(np.arange(1))
    assert (rows.evaluations.tolist(), rows.value.tolist(), rows.row_line.tolist()) == ([1, 2], [2.5, 1.5], [2, 3])
    assert dict(report.counts) == {"cut_line": 1}


def test_a_log_that_goes_back_where_a_piece_begins_is_known_for_it():
    """A piece that ends with a header, too, under which nothing stands."""
    store = blocks.Store()
    for continued, text in enumerate([b"% evaluation\n5 0 1\n9 0 1\n", b"% evaluation\n2 0 1\n7 0 1\n% evaluation\n"]):
        found = blocks.parse(["x"], [text], b"%", lambda header, file: (2, -1), Report(blocks.RULES))
        store.append(found, bool(continued))
    assert store.rows(np.array([0]))["evaluations"].tolist() == [5, 9, 2, 7]
    assert store.facts["fall"].tolist() == [2, 0]


_number = st.integers(0, 12)
_row = st.tuples(_number, st.integers(0, 3), st.sampled_from([9.0, 5.0, 2.0, 1e-3, 1e-9, 1e200]))


@given(
    st.lists(st.lists(_row, max_size=14), min_size=1, max_size=2),
    st.lists(st.lists(_row, max_size=6), min_size=1, max_size=2),
    st.booleans(),
    st.sampled_from([{}, {"counted_from": 0}, {"counted_from": 1}, {"switch_off": ["running_minimum"]}]),
    st.integers(1, 120),
    st.integers(1, 9),
)
@settings(max_examples=40, deadline=None)
def test_any_trial_is_the_same_in_pieces(dat, tdat, sort, options, size, rows):
    """Unsorted, rising, counted from 0, with constraints, without a half: in memory and from a file."""
    text = lambda trials: "".join(  # noqa: E731
        header(1) + "".join(f"{e} {g} {v}\n" for e, g, v in (sorted(rows) if sort else rows)) for rows in trials
    )
    listed = info(1, 2, [f"{i + 1}:{max([e for e, *_ in rows], default=1)}|1" for i, rows in enumerate(dat)], data="d.dat")
    files = {
        "a.info": listed.replace("funcId", "suite = 'bbob-constrained', funcId"),
        "d.dat": text(dat),
        "d.tdat": text(tdat),
    }
    view = lambda: View(  # noqa: E731
        "x",
        "folder",
        [Member(n, len(t)) for n, t in files.items()],
        [],
        {n: t.encode() for n, t in files.items()},
        io.BytesIO,
    )
    found = []
    for small_ones in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if small_ones:
                for module in (blocks, coco):
                    patch.setattr(module, "BYTES_AT_ONCE", size)
                patch.setattr(blocks, "ROWS_AT_ONCE", rows)
            try:
                found.append([str(table.to_pylist()) for table in _read_whole(view(), options)])
            except UserError as error:
                found.append([str(error)])
    assert found[0] == found[1]


def _read_whole(view, options):
    report = Report({**readers.interface.RULES, **coco.RULES}, switched_off=frozenset(options.get("switch_off", ())))
    every = coco.read(view, coco.Options(**options), report)
    pairs = list(readers._kept(every, lambda trials, _: np.ones(trials.num_rows, bool), report))
    found = [(rule, report.counts[rule], sorted(map(str, report.examples[rule]))) for rule in sorted(report.counts)]
    return [
        schema.concatenate(trials for trials, _ in pairs),
        schema.concatenate(traces for _, traces in pairs),
        pa.table({"irregularity": list(map(str, found))}),
    ]


def test_memory_does_not_grow_with_the_number_of_trials_of_a_file(tmp_path, small):
    small(2**13, 500)

    def peak(n):
        rows = "".join(f"{i + 1} 0 {400 - i}\n" for i in range(400))
        listed = info(1, 2, [f"{i + 1}:400|1" for i in range(n)], data="d.dat")
        path = folder(tmp_path / str(n), {"W/a.info": listed, "W/d.dat": (header(1) + rows) * n})
        out = [tmp_path / f"{n}.{name}" for name in ("trials", "traces", "report")]
        tracemalloc.start()
        assert readers.ingest(path, out, name="a")["rows"]["kept"] == 400 * n
        largest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return largest

    peak(8)
    assert peak(80) < 1.7 * peak(10)


def test_rows_of_a_trial_are_not_held_without_end(tmp_path, small, monkeypatch):
    small(100, 10)
    monkeypatch.setattr(blocks, "MOST_ROWS", 100)
    data = {"W/a.info": info(1, 2, ["1:7|1"], data="d.dat"), "W/d.dat": header(1) + "7 0 1.5\n" * 200}
    with pytest.raises(
        UserError, match=r"d\.dat:\d+: the trial has 200 rows, and at most 100 of one trial are read; log its improvements"
    ) as error:
        readers.examine(folder(tmp_path / "logs", data))
    one_sentence(error.value)
