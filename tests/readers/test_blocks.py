"""The parser that the formats with blocks of rows share."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchmill.readers import blocks
from benchmill.readers.interface import MOST_EXAMPLES, Report


def _columns(header, file):
    return (2, -1) if b"evaluation" in header else None


_blank = st.sampled_from([" ", "\t", "  ", " \t"])
_cell = st.one_of(
    st.integers(0, 10**12).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda v: f"{v:+.9e}"),
    st.sampled_from(["%", "x", "-", "+", "1e", "nan", "inf", "1.5e+003", ".5", "5.", "--1", "1_0", "é"]),
)
_line = st.one_of(
    st.lists(_cell, max_size=6).flatmap(lambda cells: _blank.map(lambda b: b.join(cells))),
    st.tuples(_blank, st.lists(_cell, min_size=3, max_size=3).map(" ".join), _blank).map("".join),
    st.just("% function evaluation | Fopt (1.5)"),
    st.just("% a comment"),
    st.just(""),
)


@given(st.lists(st.lists(_line, max_size=12), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n"]))
def test_the_vectorised_parser_reads_what_a_plain_loop_reads(files, end):
    texts = [end.join([*lines, ""]).encode() for lines in files]
    report = Report(blocks.RULES)
    found = blocks.parse([str(i) for i in range(len(files))], texts, b"%", _columns, report)

    expected, heads, malformed, orphans = [], [], 0, 0
    for number, lines in enumerate(files):
        current = None
        for line_number, line in enumerate(lines, 1):
            cells = line.split()
            if not cells:
                continue
            if cells[0].startswith("%"):
                if "evaluation" in line:
                    current = len(heads)
                    heads.append((number, line_number))
                continue
            row = _plain(cells)
            if current is None:
                orphans += 1
            elif row is None:
                malformed += 1
            else:
                expected.append((current, line_number, *row))
    assert list(zip(found.file.tolist(), found.line.tolist(), strict=True)) == heads
    rows = zip(found.row_block.tolist(), found.row_line.tolist(), found.evaluations.tolist(), found.value.tolist(), strict=True)
    assert list(rows) == expected
    assert report.counts["malformed_line"] == malformed
    assert report.counts["rows_without_header"] == orphans


def _plain(cells):
    if len(cells) < 3 or "_" in cells[0] + cells[2]:
        return None
    try:
        evaluations, value = float(cells[0].removeprefix("+")), float(cells[2].removeprefix("+"))
    except ValueError:
        return None
    if cells[0].startswith("++") or cells[2].startswith("++") or value != value or value == -math.inf:
        return None
    if not (0 <= evaluations < 2**53 and evaluations == int(evaluations)):
        return None
    return int(evaluations), value


@given(
    st.lists(
        st.one_of(
            st.integers(0, 10**20).map(str),
            st.text("0123456789+-.eE", min_size=1, max_size=12),
            st.floats(allow_nan=False).map(repr),
            st.decimals(-(10**9), 10**9, places=10).map(str),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_numbers_are_those_of_python(cells):
    text = b"% evaluation\n" + "".join(f"7 {cell} {cell}\n{cell} 0 1.5\n" for cell in cells).encode()
    found = blocks.parse(["x"], [text], b"%", _columns, Report(blocks.RULES))
    rows = {line: (e, v, d) for line, e, v, d in zip(found.row_line, found.evaluations, found.value, found.decimals, strict=True)}
    for i, cell in enumerate(cells):
        expected = _plain(["7", "0", cell])
        assert (2 * i + 2 in rows) == (expected is not None)
        if expected is not None:
            assert rows[2 * i + 2][:2] == expected
            printed = -1 if "e" in cell.lower() else len(cell.partition(".")[2])
            assert rows[2 * i + 2][2] == printed or not math.isfinite(expected[1])
        expected = _plain([cell, "0", "1.5"])
        if expected is not None and expected[0] < 2**53:
            assert rows[2 * i + 3][0] == expected[0]


def test_columns_are_those_of_the_header_above():
    text = b'"evaluations" "a" "b"\n1 2.5 3.25\n"evaluations" "b" "a"\n4 7.125 8\n'
    chosen = lambda header, file: (1, 2) if header.index(b'"a"') < header.index(b'"b"') else (2, -1)  # noqa: E731
    found = blocks.parse(["x"], [text], b'"', chosen, Report(blocks.RULES))
    assert found.value.tolist() == [2.5, 8.0]
    assert found.second[0] == 3.25
    assert np.isnan(found.second[1])
    assert found.decimals.tolist() == [1, 0]


def test_lines_of_a_header_stand_together():
    text = b"%\n% index = 1\n% instance = 7\n% evaluation\n1 0 5\n% a stray comment\n2 0 4\n% evaluation\n3 0 2\n"
    found = blocks.parse(["x"], [text], b"%", _columns, Report(blocks.RULES))
    assert found.heading == [b"%\n% index = 1\n% instance = 7\n% evaluation", b"% evaluation"]
    assert found.row_block.tolist() == [0, 0, 1]


def test_a_last_number_that_may_be_cut_is_not_read():
    report = Report(blocks.RULES)
    found = blocks.parse(["x", "y", "z"], [b"% evaluation\n1 0 2\n2 0 1", b"", b"% evaluation\n1 0 2 9"], b"%", _columns, report)
    assert found.evaluations.tolist() == [1, 1]
    assert [(e["file"], e["line"]) for e in report.examples["cut_line"]] == [("x", 3)]


def test_millions_of_bad_lines_are_counted_and_not_listed():
    report = Report(blocks.RULES)
    blocks.parse(["x"], [b"% evaluation\n" + b"junk\n" * (MOST_EXAMPLES + 500)], b"%", _columns, report)
    assert report.counts["malformed_line"] == MOST_EXAMPLES + 500
    assert len(report.examples["malformed_line"]) == MOST_EXAMPLES
