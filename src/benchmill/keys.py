"""The cells that the key columns of a table make: numbered, in the order people expect.

Text goes in natural order (`f2` before `f10`), whole numbers ascend, targets and budgets keep the order in
which they first appear (the order of the study); an empty key goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.labels import natural_key

Codes = npt.NDArray[np.int64]


def cells(table: pa.Table, columns: Sequence[str]) -> tuple[Codes, pa.Table]:
    """Number the distinct combinations of `columns`.

    Parameters
    ----------
    table : pyarrow.Table
    columns : sequence of str
        At least one; slowest varying first.

    Returns
    -------
    codes : (n_rows,) int64
        The cell of each row.
    distinct : pyarrow.Table
        One row a cell, with `columns`, in the order of the cells.
    """
    combined = np.zeros(table.num_rows, np.int64)
    for name in columns:
        position, size = _positions(table.column(name))
        if combined.size and (int(combined.max()) + 1) * size > np.iinfo(np.int64).max:
            combined = np.unique(combined, return_inverse=True)[1].astype(np.int64)
        combined = combined * size + position
    _, first, codes = np.unique(combined, return_index=True, return_inverse=True)
    distinct = table.select(list(columns)).take(pa.array(first))
    for i, field in enumerate(distinct.schema):
        if pa.types.is_dictionary(field.type):
            # anew, so that the order of the words does not depend on the order of the rows
            words = distinct.column(i).cast(field.type.value_type).combine_chunks().dictionary_encode()
            distinct = distinct.set_column(i, field, words.cast(field.type))
    return codes.astype(np.int64), distinct


def _positions(column: pa.ChunkedArray) -> tuple[Codes, int]:
    """Position of each value in the order of its column, and one more than the largest position."""
    if pa.types.is_dictionary(column.type):
        array = column.unify_dictionaries().combine_chunks()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        words = array.dictionary.to_pylist()
        rank = {word: i for i, word in enumerate(sorted(set(words), key=natural_key), start=1)}
        of_index = np.array([rank[word] for word in words] or [0], np.int64)
        index = pc.fill_null(array.indices, -1).to_numpy(zero_copy_only=False)
        return np.where(index < 0, 0, of_index[np.maximum(index, 0)]), len(rank) + 1
    encoded = column.combine_chunks()
    encoded = (encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded).dictionary_encode()
    kinds = encoded.dictionary.to_numpy(zero_copy_only=False)
    of_index = np.arange(1, kinds.size + 1, dtype=np.int64)
    if pa.types.is_integer(column.type):
        of_index[np.argsort(kinds, kind="stable")] = np.arange(1, kinds.size + 1)
    index = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    return np.where(index < 0, 0, np.append(of_index, 0)[index]), int(kinds.size) + 1


def starts(codes: Codes, n_cells: int) -> tuple[Codes, Codes]:
    """Order that puts the rows of each cell side by side (as they stood), and where each cell starts.

    Returns
    -------
    order : (n_rows,) int64
    offsets : (n_cells + 1,) int64
        Rows `order[offsets[i]:offsets[i + 1]]` belong to cell i.
    """
    order = np.argsort(codes, kind="stable")
    return order, np.searchsorted(codes[order], np.arange(n_cells + 1))


def described(cell: dict[str, object]) -> str:
    """One cell in words: `suite bbob, problem f1, dimension 10`; empty keys are left out."""
    return ", ".join(f"{name} {value}" for name, value in cell.items() if value is not None)
