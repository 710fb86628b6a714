import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import keys
from benchmill.core.schema import TEXT


def test_order_of_text_numbers_targets_and_nulls():
    data = pa.table(
        {
            "problem": pa.array(["f10", "f2", "f2", None, "f2"]).dictionary_encode().cast(TEXT),
            "dimension": pa.array([5, 40, 3, 1, 3], pa.int32()),
            "target": pa.array([1e-8, 10.0, 10.0, 1.0, 1e-8]),
        }
    )
    codes, cells = keys.cells(data, ["problem", "dimension", "target"])
    assert [tuple(row.values()) for row in cells.to_pylist()] == [
        (None, 1, 1.0),
        ("f2", 3, 1e-8),
        ("f2", 3, 10.0),
        ("f2", 40, 10.0),
        ("f10", 5, 1e-8),
    ]
    assert codes.tolist() == [4, 3, 2, 0, 1]


def test_chunks_with_different_dictionaries_are_one_column():
    one = pa.table({"problem": pa.array(["b", "a"]).dictionary_encode().cast(TEXT)})
    two = pa.table({"problem": pa.array(["a", "c"]).dictionary_encode().cast(TEXT)})
    codes, cells = keys.cells(pa.concat_tables([one, two]), ["problem"])
    assert cells.column("problem").to_pylist() == ["a", "b", "c"]
    assert codes.tolist() == [1, 0, 0, 2]


def test_targets_keep_the_order_of_the_study():
    codes, cells = keys.cells(pa.table({"target": pa.array([10.0, 1e-3, 1.0, 10.0])}), ["target"])
    assert cells.column("target").to_pylist() == [10.0, 1e-3, 1.0]
    assert codes.tolist() == [0, 1, 2, 0]


def test_empty_table():
    codes, cells = keys.cells(pa.table({"target": pa.array([], pa.float64())}), ["target"])
    assert codes.size == 0
    assert cells.num_rows == 0


def test_rows_of_a_cell_side_by_side_in_their_order():
    order, offsets = keys.starts(np.array([1, 0, 1, 3]), 4)
    assert order.tolist() == [1, 0, 2, 3]
    assert offsets.tolist() == [0, 1, 3, 3, 4]


def by_sorting(rows):
    """The cells of rows of whole numbers as a person would number them."""
    distinct = sorted(set(rows))
    return [distinct.index(row) for row in rows], distinct


@pytest.mark.parametrize("n", [1, 5, 30])
def test_many_kinds_in_few_rows(n):
    """Rows that all differ in every column, so that most combinations do not occur."""
    rng = np.random.default_rng(n)
    rows = list(zip(*(rng.permutation(n).tolist() for _ in range(3)), strict=True))
    data = pa.table({name: pa.array(column, pa.int32()) for name, column in zip("abc", zip(*rows, strict=True), strict=True)})
    codes, distinct = by_sorting(rows)
    found, cells = keys.cells(data, ["a", "b", "c"])
    assert found.tolist() == codes
    assert [tuple(row.values()) for row in cells.to_pylist()] == distinct
    assert keys.numbers(data, ["b", "c"]).tolist() == by_sorting([row[1:] for row in rows])[0]


def test_numbers_within_larger_cells():
    data = pa.table({"a": pa.array([7, 7, 3, 3, 7], pa.int32())})
    within = np.array([1, 0, 1, 1, 1])
    assert keys.numbers(data, ["a"], within).tolist() == by_sorting([(1, 7), (0, 7), (1, 3), (1, 3), (1, 7)])[0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=30))
def test_different_numbers_of_each_cell(pairs):
    codes, of = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    expected = [len({second for first, second in pairs if first == cell}) for cell in range(4)]
    assert keys.count_distinct(codes, of, 4).tolist() == expected


def test_described():
    assert keys.described({"suite": None, "problem": "f1", "dimension": 10}) == "problem f1, dimension 10"


def test_order_within_a_long_cell_is_that_of_the_rows():
    codes = np.tile([1, 0, 1], 100)
    order, _ = keys.starts(codes, 2)
    assert order.tolist() == [*np.flatnonzero(codes == 0), *np.flatnonzero(codes == 1)]


def test_an_empty_number_is_a_kind_of_its_own_and_goes_first():
    codes, cells = keys.cells(pa.table({"dimension": pa.array([1, None, 3, None, 1], pa.int32())}), ["dimension"])
    assert codes.tolist() == [1, 0, 2, 0, 1]
    assert cells.column("dimension").to_pylist() == [None, 1, 3]


def test_words_of_the_cells_do_not_depend_on_the_order_of_the_rows():
    words = ["b", "c", "a"]
    found = [
        keys.cells(pa.table({"problem": pa.array(rows).dictionary_encode().cast(TEXT)}), ["problem"])[1]
        for rows in (words, words[::-1], [*words, "b"])
    ]
    assert [table.column("problem").chunk(0).dictionary.to_pylist() for table in found] == [["a", "b", "c"]] * 3
