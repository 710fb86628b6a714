"""Tables as DataFrames: rows are found, taken apart and ordered as their keys say, whatever is missing."""

import pyarrow as pa
import pytest

from benchmill.core import keys
from benchmill.text import frames

ROWS = [
    ("f10", 2, 1e-3, "b", 1.0),
    ("f2", None, 10.0, "a", 2.0),
    ("f2", 10, None, "a", 3.0),
    (None, 2, 10.0, "b", 4.0),
    ("f2", None, 10.0, "b", 5.0),
    ("f10", 2, 10.0, "a", 6.0),
]
COLUMNS = ["problem", "dimension", "target"]


@pytest.fixture
def table():
    text = pa.dictionary(pa.int32(), pa.string())
    types = [text, pa.int32(), pa.float64(), text, pa.float64()]
    names = [*COLUMNS, "algorithm", "cost"]
    return pa.table([pa.array(c, t) for c, t in zip(zip(*ROWS, strict=True), types, strict=True)], names)


def test_groups_are_in_the_order_of_a_figure(table):
    found = frames.keys_of(frames.frame(table), COLUMNS)
    assert [tuple(group.values()) for group in found] == [
        (None, 2, 10.0),
        ("f2", None, 10.0),
        ("f2", 10, None),
        ("f10", 2, 10.0),
        ("f10", 2, 1e-3),
    ]
    assert all(isinstance(group["dimension"], int | None) for group in found)
    # the cells are those that the kernels number
    cells = keys.cells(table, COLUMNS)[1].to_pylist()
    assert sorted(map(str, found)) == sorted(map(str, cells))


@pytest.mark.parametrize("columns", [COLUMNS, ["dimension"], ["target", "problem"]])
def test_parts_hold_every_row_once(table, columns):
    data = frames.frame(table)
    parts = frames.groups(data, columns)
    assert [group for group, _ in parts] == frames.keys_of(data, columns)
    assert sorted(cost for _, rows in parts for cost in rows["cost"]) == [1, 2, 3, 4, 5, 6]
    for group, rows in parts:
        assert list(rows["cost"]) == list(frames.rows_of(data, group)["cost"])


def test_rows_of_a_value_that_is_nowhere_are_none(table):
    data = frames.frame(table)
    assert frames.rows_of(data, {"problem": "f3"}).empty
    assert list(frames.rows_of(data, {"dimension": None})["cost"]) == [2.0, 5.0]


def test_nothing_has_no_parts(table):
    data = frames.frame(table.slice(0, 0))
    assert frames.keys_of(data, COLUMNS) == []
    assert frames.groups(data, COLUMNS) == []


def test_text_sorts_in_natural_order(table):
    assert list(frames.frame(table)["problem"].dropna().sort_values()) == ["f2", "f2", "f2", "f10", "f10"]
