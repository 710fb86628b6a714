"""Number the cells that the key columns of a table make.

Text goes in natural order (`f2` before `f10`), whole numbers ascend, targets and budgets keep the order in which they first
appear; an empty key goes first. Planning takes this module and no pandas, which is imported where it is used.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field as part
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Index, UserError, frozen, natural_key, schema

#: Columns that can tell problems, and targets and budgets on them, apart.
OF_PROBLEMS = ("suite", "problem", "dimension", "instance", "target", "at_budget")

#: Keys of problems that make a cluster, of what belongs together, unless a study says otherwise.
CLUSTER_KEYS = ("suite", "problem")

#: Among the keys of clusters: the family of a problem, where the data show that those of a family depend on each other, else the
#: problem (`benchmill.inference.families`). A study says so unless it says otherwise.
FAMILY = "family"
DEFAULT_CLUSTER_KEYS = ("suite", FAMILY)


@frozen
class Family:
    """A key of clusters that no table has: the family of a problem by its name, else the problem itself."""

    name: str
    of: Mapping[str, str] = part(compare=False, repr=False)


#: A column, or what is read off the problem.
Key = str | Family
Keys = Sequence[Key]

#: Costs as one table, or as those of several sources with their names.
Costs: TypeAlias = pa.Table | Sequence[tuple[str, pa.Table]]

#: What no two sources may both have.
_HELD = ("algorithm", "suite", "problem", "dimension", "instance")


def cells(table: pa.Table, columns: Sequence[str]) -> tuple[Index, pa.Table]:
    """Number the distinct combinations of columns, the first varying slowest.

    Return the cell of each row, and a row for each cell.
    """
    codes = numbers(table, columns)
    first = np.zeros(codes.max(initial=-1) + 1, np.int64)
    # the last of several assignments stays
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    distinct = table.select(list(columns)).take(pa.array(first))
    for i, field in enumerate(distinct.schema):
        if pa.types.is_dictionary(field.type):
            # anew, so that the order of the words does not depend on the order of the rows
            words = distinct.column(i).cast(field.type.value_type).combine_chunks().dictionary_encode()
            distinct = distinct.set_column(i, field, words.cast(field.type))
    return codes, distinct


def algorithms(table: pa.Table) -> tuple[Index, list[str]]:
    """Return the algorithm of each row as a number, and the names of all in natural order."""
    number, names = cells(table, ["algorithm"])
    return number, [str(name) for name in names.column("algorithm").to_pylist()]


def grouped(table: pa.Table, columns: Sequence[str]) -> Iterator[tuple[schema.Row, Index]]:
    """Yield the values of columns that rows agree in, as `cells` numbers them, with these rows in their order."""
    codes, distinct = cells(table, columns)
    order, offsets = starts(codes, distinct.num_rows)
    yield from zip(distinct.to_pylist(), np.split(order, offsets[1:-1]), strict=True)


def together(tables: Sequence[pa.Table], columns: Sequence[str]) -> tuple[list[Index], pa.Table]:
    """Number the cells of several tables as `cells` does, equal keys alike; return the cells of the rows of each."""
    code, distinct = cells(
        pa.concat_tables([table.select(list(columns)) for table in tables], promote_options="permissive").unify_dictionaries(),
        columns,
    )
    return np.split(code, np.cumsum([table.num_rows for table in tables[:-1]])), distinct


def numbers(table: pa.Table, columns: Sequence[str], within: Index | None = None) -> Index:
    """Return the cell of each row as `cells` numbers them; the columns divide each of the larger cells `within`, if given."""
    import pandas as pd

    codes = np.zeros(table.num_rows, np.int64) if within is None else within
    # an empty column tells nothing apart
    for name in columns if within is not None else [name for name in columns if table.column(name).null_count < len(codes)]:
        places = _places(table.column(name)) + 1
        codes = codes * (places.max(initial=0) + 1) + places
        few = codes.max(initial=0) < 8 * codes.size
        codes = (np.cumsum(np.bincount(codes) > 0) - 1)[codes] if few else pd.factorize(codes, sort=True)[0]
    return np.asarray(codes, np.int64)


def of_clusters(table: pa.Table, cluster_keys: Sequence[Key]) -> Index:
    """Return the cluster of each row, numbered from 0, by those of the keys that the table has."""
    columns: dict[str, pa.ChunkedArray] = {}
    for key in cluster_keys:
        name = "problem" if isinstance(key, Family) else key
        if name in table.column_names:
            column = table.column(name)
            if isinstance(key, Family):
                column = pa.chunked_array(
                    [pa.array([key.of.get(word, word) for word in column.cast(pa.string()).to_pylist()], pa.string())]
                )
            columns[str(len(columns))] = column
    return numbers(pa.table(columns), list(columns)) if columns else np.zeros(table.num_rows, np.int64)


def resolved(asked: Sequence[Key], families: pa.Table | None = None) -> tuple[Key, ...]:
    """Return the keys that clusters are made by, `family` being what the table `families` has chosen, else the problem."""
    chosen = [] if families is None else families.filter(families.column("chosen")).to_pylist()
    family = Family(str(chosen[0]["by"]), {str(row["problem"]): str(row["family"]) for row in chosen}) if chosen else "problem"
    return tuple(dict.fromkeys(family if key == FAMILY else key for key in asked))


def value(row: Mapping[str, object], key: Key) -> object:
    """Return the value of a key in a row of problems, None where it has none."""
    if isinstance(key, str):
        return row.get(key)
    problem = row.get("problem")
    return None if problem is None else key.of.get(str(problem), problem)


def of_measure(table: pa.Table, measure: str) -> pa.Table:
    """Return the rows of a table that are about one measure."""
    of_it = pc.equal(table.column("measure").cast(pa.string()), measure)
    return table if pc.all(of_it, min_count=0).as_py() else table.filter(of_it)


def costs_of(costs: Costs, measure: str) -> pa.Table:
    """Return the costs of one measure, of one table or of those of several sources with their names.

    Raises
    ------
    UserError
        Two sources hold the same trials, or there are no costs of the measure.
    """
    import pandas as pd

    sources = [("", costs)] if isinstance(costs, pa.Table) else list(costs)
    tables = [of_measure(table, measure) for _, table in sources]
    data = schema.concatenate(tables) if tables else schema.TABLES["costs"].empty_table()
    if len(tables) > 1:
        source = pd.Series(np.repeat(np.arange(len(tables)), [t.num_rows for t in tables]))
        holder = source.groupby(numbers(data, _HELD)).transform("first")
        if (other := holder != source).any():
            row = int(np.argmax(other))
            (cell,) = data.slice(row, 1).select(_HELD).to_pylist()
            raise UserError(
                f"sources {sources[holder[row]][0]!r} and {sources[source[row]][0]!r} both hold {described(cell)}; each trial "
                "counts once, so leave one of them out or rename its algorithm."
            )
    if not data.num_rows:
        raise UserError(f"measure {measure!r}: there are no costs of it; check its name and that the sources hold trials.")
    return data


def without(table: pa.Table, not_competing: Collection[str]) -> pa.Table:
    """Return the rows of a table without those of algorithms that do not compete."""
    if not not_competing:
        return table
    return table.filter(pc.invert(pc.is_in(table.column("algorithm").cast(pa.string()), pa.array(not_competing, pa.string()))))


def ratios_without(ratios: pa.Table, not_competing: Collection[str]) -> pa.Table:
    """Return the ratios of one measure for the algorithms that compete, with `included` counted for these alone.

    The ratios stay those to the best of all. A problem on which only the others have trials is none, and one on which only the
    others lack them is included.
    """
    if not not_competing:
        return ratios
    left = without(ratios, not_competing)
    cell, distinct = cells(left, OF_PROBLEMS)
    tried = np.bincount(cell, left.column("n_trials").to_numpy() > 0, distinct.num_rows) > 0
    # where a missing trial is a failure there is a row for it
    everywhere = np.bincount(cell, minlength=distinct.num_rows) == cells(left, ["algorithm"])[1].num_rows
    return schema.replaced(left, included=everywhere[cell]).filter(pa.array(tried[cell]))


def count_distinct(codes: Index, counted: Index, n_cells: int) -> Index:
    """Count the different numbers `counted` (from 0) in the rows of each cell, as an array (n_cells,)."""
    import pandas as pd

    return np.bincount(pd.unique(counted * n_cells + codes) % max(n_cells, 1), minlength=n_cells)


def _places(column: pa.ChunkedArray) -> Index:
    """Return the place of each value in the order of its column; -1 for an empty one."""
    import pandas as pd

    if pa.types.is_dictionary(column.type):
        coded = column.unify_dictionaries().combine_chunks()
        rank = {word: place for place, word in enumerate(sorted(coded.dictionary.to_pylist(), key=natural_key))}
        order = np.array([*(rank[word] for word in coded.dictionary.to_pylist()), -1], np.int64)
        return np.asarray(order.take(coded.indices.fill_null(order.size - 1).to_numpy(zero_copy_only=False)))
    return np.asarray(pd.factorize(column.to_pandas(), sort=pa.types.is_integer(column.type))[0], np.int64)


def of_rows(offsets: Index) -> Index:
    """Return the cell of each row: rows `offsets[c]` to `offsets[c + 1]` are of cell c."""
    return np.repeat(np.arange(offsets.size - 1), np.diff(offsets))


def starts(codes: Index, n_cells: int) -> tuple[Index, Index]:
    """Return the order that puts the rows of each cell side by side, as they stood, and where each cell starts.

    Rows `order[offsets[i]:offsets[i + 1]]` are cell i.
    """
    order = np.argsort(codes, kind="stable")
    return order, np.searchsorted(codes[order], np.arange(n_cells + 1))


def described(cell: dict[str, object]) -> str:
    """Tell one cell in words, `suite bbob, problem f1, dimension 10`; empty keys are left out."""
    return ", ".join(f"{name} {value}" for name, value in cell.items() if value is not None)
