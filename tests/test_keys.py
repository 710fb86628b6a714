import numpy as np
import pyarrow as pa

from benchmill import keys
from benchmill.schema import TEXT


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
