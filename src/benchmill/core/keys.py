"""The cells that the key columns of a table make: numbered, in the order people expect.

Text goes in natural order (`f2` before `f10`), whole numbers ascend, targets and budgets keep the order in
which they first appear (the order of the study); an empty key goes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as part

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key

Codes = npt.NDArray[np.int64]

#: Keys of problems that make a cluster, of what belongs together, unless a study says otherwise.
CLUSTER_KEYS = ("suite", "problem")

#: Among the keys of clusters: the family of a problem, where the data show that those of a family depend on each other, else the
#: problem (`benchmill.inference.families`). A study says so unless it says otherwise.
FAMILY = "family"
DEFAULT_CLUSTER_KEYS = ("suite", FAMILY)


@dataclass(frozen=True)
class Family:
    """A key of clusters that no table has: the family that a problem belongs to, by its name; else the problem itself."""

    name: str
    of: Mapping[str, str] = part(compare=False, repr=False)


#: A column, or what is read off the problem.
Key = str | Family

#: What no two sources may both have.
_HELD = ("algorithm", "suite", "problem", "dimension", "instance")

#: Cells are numbered with a table of so many places a row at most, else by sorting.
_ROOM = 4


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
        One row per cell, with `columns`, in the order of the cells.
    """
    codes, size = _combined(table, columns)
    first = np.empty(size, np.int64)
    # backwards, so that the first row of a cell is written last
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    distinct = table.select(list(columns)).take(pa.array(first))
    for i, field in enumerate(distinct.schema):
        if pa.types.is_dictionary(field.type):
            # anew, so that the order of the words does not depend on the order of the rows
            words = distinct.column(i).cast(field.type.value_type).combine_chunks().dictionary_encode()
            distinct = distinct.set_column(i, field, words.cast(field.type))
    return codes, distinct


def numbers(table: pa.Table, columns: Sequence[str], within: Codes | None = None) -> Codes:
    """The cell of each row as `cells` numbers them, where nobody asks what the cells are: many cells are slow to list.

    `within`, numbers from 0 of larger cells, goes before the columns: each of these cells is divided by them.
    """
    return _combined(table, columns, within)[0]


def of_clusters(table: pa.Table, cluster_keys: Sequence[Key]) -> Codes:
    """Return the cluster of each row, numbered from 0, by those of the keys that the table has."""
    columns: dict[str, pa.ChunkedArray] = {}
    for key in cluster_keys:
        name = "problem" if isinstance(key, Family) else key
        if name in table.column_names:
            column = table.column(name)
            if isinstance(key, Family):
                words = column.cast(pa.string()).to_pylist()
                column = pa.chunked_array([pa.array([key.of.get(word, word) for word in words], pa.string())])
            columns[str(len(columns))] = column
    return numbers(pa.table(columns), list(columns)) if columns else np.zeros(table.num_rows, np.int64)


def resolved(asked: Sequence[Key], families: pa.Table | None = None) -> tuple[Key, ...]:
    """Return the keys that clusters are made by: those asked for, `family` being what the table `families` has chosen.

    Where nothing was looked for, or found, it is the problem.
    """
    chosen = [] if families is None else families.filter(families.column("chosen")).to_pylist()
    of = {str(row["problem"]): str(row["family"]) for row in chosen}
    family: Key = Family(str(chosen[0]["by"]), of) if chosen else "problem"
    return tuple(dict.fromkeys(family if key == FAMILY else key for key in asked))


def value(row: Mapping[str, object], key: Key) -> object:
    """Return the value of a key in a row of problems, None where it has none."""
    if isinstance(key, str):
        return row.get(key)
    problem = row.get("problem")
    return None if problem is None else key.of.get(str(problem), problem)


def of_measure(table: pa.Table, measure: str) -> pa.Table:
    """The rows of a table that are about one measure."""
    of_it = pc.equal(table.column("measure").cast(pa.string()), measure)
    return table if pc.all(of_it, min_count=0).as_py() else table.filter(of_it)


def costs_of(costs: pa.Table | Sequence[tuple[str, pa.Table]], measure: str) -> pa.Table:
    """The costs of one measure, of one table or of those of several sources with their names.

    Raises
    ------
    UserError
        Two sources hold the same trials, or there are no costs of the measure.
    """
    sources = [("", costs)] if isinstance(costs, pa.Table) else list(costs)
    tables = [(name, of_measure(table, measure)) for name, table in sources]
    data = schema.concatenate(t for _, t in tables) if tables else schema.TABLES["costs"].empty_table()
    if len(tables) > 1:
        cell, source = numbers(data, _HELD), np.repeat(np.arange(len(tables)), [t.num_rows for _, t in tables])
        one = np.empty(int(cell.max(initial=-1)) + 1, np.int64)
        one[cell] = source
        if (one[cell] != source).any():
            _tell_both(tables)
    if not data.num_rows:
        raise UserError(f"measure {measure!r}: there are no costs of it; check its name and that the sources hold trials.")
    return data


def _tell_both(tables: Sequence[tuple[str, pa.Table]]) -> None:
    """Raise for the first cell that a source holds after another one."""
    holder: dict[tuple[object, ...], str] = {}
    for name, table in tables:
        for cell in cells(table, _HELD)[1].to_pylist():
            other = holder.setdefault(tuple(cell.values()), name)
            if other != name:
                raise UserError(
                    f"sources {other!r} and {name!r} both hold {described(cell)}; each trial counts once, so leave one of "
                    "them out or rename its algorithm."
                )


def count_distinct(codes: Codes, of: Codes, n_cells: int) -> Codes:
    """How many different numbers `of` (from 0) the rows of each cell have, as an array (n_cells,)."""
    # neighbours that agree in both count once anyway, and a trial has all its targets side by side
    new = np.append(True, (codes[1:] != codes[:-1]) | (of[1:] != of[:-1]))[: codes.size]
    codes, of = codes[new], of[new]
    size = int(of.max(initial=-1)) + 1
    pair, n_pairs = _dense(codes * size + of, n_cells * size)
    cell = np.empty(n_pairs, np.int64)
    cell[pair] = codes
    return np.bincount(cell, minlength=n_cells)


def _combined(table: pa.Table, columns: Sequence[str], within: Codes | None = None) -> tuple[Codes, int]:
    """The cell of each row, and the number of cells."""
    combined = np.zeros(table.num_rows, np.int64) if within is None else within
    size = int(combined.max(initial=-1)) + 1
    for name in columns:
        position, kinds = _positions(table.column(name))
        if size * kinds > _ROOM * max(table.num_rows, 1):
            combined, size = _dense(combined, size)
        combined = combined * kinds + position
        size *= kinds
    return _dense(combined, size)


def _dense(codes: Codes, size: int) -> tuple[Codes, int]:
    """The same numbers without gaps, and how many there are; `size` is more than the largest."""
    if size > _ROOM * max(codes.size, 1):
        distinct, dense = np.unique(codes, return_inverse=True)
        return dense.astype(np.int64, copy=False), int(distinct.size)
    # a table of what occurs is many times faster than a sort
    occurs = np.zeros(size, bool)
    occurs[codes] = True
    number = np.cumsum(occurs)
    return number[codes] - 1, int(number[-1]) if size else 0


def _positions(column: pa.ChunkedArray) -> tuple[Codes, int]:
    """Position of each value in the order of its column (an empty one first), and one more than the largest position."""
    if pa.types.is_dictionary(column.type):
        array = column.unify_dictionaries().combine_chunks()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        words = array.dictionary.to_pylist()
        rank = {word: i for i, word in enumerate(sorted(set(words), key=natural_key), start=1)}
        of_index, n_kinds = np.array([rank[word] for word in words], np.int64), len(rank)
    else:
        array = column.combine_chunks()
        array = (array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array).dictionary_encode()
        kinds = array.dictionary.to_numpy(zero_copy_only=False)
        of_index, n_kinds = np.arange(1, kinds.size + 1, dtype=np.int64), int(kinds.size)
        if pa.types.is_integer(column.type):
            of_index[np.argsort(kinds, kind="stable")] = np.arange(1, kinds.size + 1)
    if not array.indices.null_count:
        return of_index[array.indices.to_numpy()] - 1, n_kinds
    index = pc.fill_null(array.indices, of_index.size).to_numpy(zero_copy_only=False)
    return np.append(of_index, 0)[index], n_kinds + 1


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
