"""Rows read in one vectorised pass are those read line by line, whatever the text."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmill.readers import rows
from tests.readers.plain_rows import plainly


def _columns(header, file):
    """What is wanted under a header is what it says: `c 2 1`; every other header heads nothing."""
    words = header.split()
    asked = words[1:] if words[0].endswith(b"c") and all(word.isdigit() for word in words[1:]) else []
    return tuple(int(word) % 7 for word in asked) or None


def same(texts, before=0, most=10**9):
    """What both make of texts, if it is the same."""
    plain = plainly(texts, b"%e", _columns, before, most)
    found = rows.scan(texts, b"%e", _columns, before, most)
    for name in ("file", "line", "row_block", "row_line", "evaluations", "decimals"):
        assert getattr(found, name).tolist() == getattr(plain, name).tolist(), name
    assert [column.tobytes() for column in found.values] == [column.tobytes() for column in plain.values]
    for name in ("heading", "refused", "read", "lines"):
        assert getattr(found, name) == getattr(plain, name), name
    return plain


_number = st.one_of(
    st.integers(-(10**3), 10**22).map(str),
    st.floats().map(repr),
    st.floats().map(lambda number: f"{number:+.9e}"),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.tuples(st.text("0123456789", max_size=45), st.text("0123456789", max_size=45), st.integers(-360, 360)).map(
        lambda parts: f"{parts[0]}.{parts[1]}e{parts[2]}"
    ),
    st.text("0123456789+-.eE", min_size=1, max_size=9),
    st.sampled_from(
        ["inf", "-INF", "+inf", "infinity", "nan", "0x10", "1_0", "+", "-", ".", "e5", "1e", "1e+", "+-5", "1e99999999999"]
    ),
).map(str.encode)
_blank = st.sampled_from([b" ", b"\t", b"  ", b"\0", b" \r", b"\x1f"])
_row = st.lists(st.one_of(_number, st.binary(max_size=3)), max_size=5).flatmap(lambda cells: _blank.map(lambda b: b.join(cells)))
_line = st.one_of(_row, _row, st.sampled_from([b"%c 2", b"%c 1 2", b"ec 2 4 1 3", b"% index", b" %c 1 ", b"e", b"", b" ", b"\r"]))
_text = st.one_of(
    st.lists(_line, max_size=9).map(b"\n".join),
    st.lists(_line, max_size=9).map(b"\r\n".join),
    st.binary(max_size=99),
)


@given(st.lists(_text, max_size=3), st.integers(0, 3), st.integers(0, 2))
@example([b"%c 2\n1 2 3", b"1 2 3\n", b"%c 1\n1 2 3\n1 2", b""], 5, 9)
@example(
    [b"%c 2\n" + b"x" * 99 + b" \n7 " + b"1 " * 9 + b"\n%\n \n% two\nec 1 2 3\n3 4 5 6\n\0 3 \0004\0 5 6 \n-0 1 1 -0.0\n"], 0, 9
)
def test_both_make_the_same_of_any_text(texts, before, most):
    same(texts, before, most)


@given(st.lists(_number, min_size=1, max_size=20))
@example([b"0." + b"0" * 500_001 + b"1e500002", b"9007199254740993", b"1" + b"0" * 400 + b"e-400", b"2.2250738585072011e-308"])
@example([b"5e-324", b"2e-324", b"1.7976931348623158e308", b"1.7976931348623159e308", b"-1e400", b"9007199254740991e22", b"1e23"])
def test_numbers_are_those_of_python_to_the_last_bit(tokens):
    found = same([b"%c 1\n" + b"".join(b"7 " + token + b"\n" for token in tokens)])
    values = dict(zip(found.row_line.tolist(), found.values[0].tolist(), strict=True))
    for line, token in enumerate(tokens, 2):
        text = token.decode()
        if rows.number(text) not in (None, -math.inf):
            assert values[line].hex() == float(text.replace("+-", "-")).hex()
        else:
            assert line not in values


def test_many_rows_of_all_lengths_are_the_same():
    """Windows, shares of lines and long numbers."""
    lines = [f"{i * 10 ** (i % 14)} {i / 7:.{i % 30}f} {'1' * (i % 90)} {-i}e{i % 40 - 20}" for i in range(40_000)]
    same([("%c 1 3 2\n" + "\n".join(lines)).encode()])


def test_a_mistake_of_the_caller_is_not_hidden():
    def fail(header, file):
        raise KeyError(header)

    with pytest.raises(KeyError):
        rows.scan([b"%c 1\n1 2\n"], b"%", fail, 0, 1)
