"""The tables that the stages exchange: one Arrow schema per table, with unit and meaning of every column (`schema.csv`).

Tables are long ("tidy"), keys first, and checked whenever they are written or read.
"""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Mask, UserError, delete

#: A row of a table, or some columns of one, by name.
Row = dict[str, Any]
#: What is known of something, by name, to be read: a row, a report, settings.
Facts = Mapping[str, Any]
#: Tables by what they are of.
Tables = Mapping[str, pa.Table]

#: Some of them that are made one by one.
Rows = list[Row]

TEXT = pa.dictionary(pa.int32(), pa.string())
#: Types by their names in `schema.csv`, where `?` behind one says that a value may be null.
_TYPES = {
    "text": TEXT,
    "string": pa.string(),
    "float": pa.float64(),
    "short": pa.int32(),
    "long": pa.int64(),
    "flag": pa.bool_(),
    "numbers": pa.list_(pa.float64()),
}

#: Per cent; the list of IOHprofiler.
QUANTILES = (2, 5, 10, 25, 50, 75, 90, 95, 98)


def _read() -> dict[str, pa.Schema]:
    """Read the schemas; a column that says nothing else is as the first lines, of no table, say."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        lines = [(*line, "", "", "")[:5] for line in csv.reader(file)][1:]
    general = {column: own for table, column, *own in lines if not table}
    fields: dict[str, list[pa.Field]] = {}
    for table, column, *own in lines:
        if table:
            kind, meaning, unit = own if own[0] else general[column]
            fields.setdefault(table, []).append(
                pa.field(column, _TYPES[kind.removesuffix("?")], kind.endswith("?"), {"meaning": meaning, "unit": unit})
            )
    return {name: pa.schema(own) for name, own in fields.items()}


#: By name; `schema.csv` lists them.
TABLES = _read()


def table(name: str, columns: Facts) -> pa.Table:
    """Build a table of the named schema from columns: arrays, lists, or one value for all rows.

    Columns that may be null can be left out; NaN stays NaN, None is null.
    """
    schema = TABLES[name]
    if unknown := set(columns) - set(schema.names):
        raise ValueError(f"table {name!r} has no columns {sorted(unknown)}; it has {schema.names}")
    length = next((len(values) for values in columns.values() if not _is_one(values)), 0)
    arrays, empty = [], {}
    for field in schema:
        if field.name in columns:
            arrays.append(_as_array(columns[field.name], field, length))
        elif field.nullable:
            # columns without a value are one in memory
            if field.type not in empty:
                empty[field.type] = pa.nulls(length, field.type)
            arrays.append(empty[field.type])
        else:
            raise ValueError(f"table {name!r} needs a column {field.name!r}")
    return check(pa.Table.from_arrays(arrays, schema=schema), name)


def of_rows(name: str, rows: Iterable[Facts]) -> pa.Table:
    """Build a table of the named schema from mappings, in which a column that may be null can be left out."""
    given = list(rows)
    return table(name, {column: [row.get(column) for row in given] for column in TABLES[name].names})


def stacked(name: str, parts: Iterable[Facts]) -> pa.Table:
    """Build a table of the named schema from the columns of its parts, one below the other."""
    return concatenate([TABLES[name].empty_table(), *(table(name, columns) for columns in parts)])


def known(value: float) -> float | None:
    """Return a number, None where it is not finite."""
    return float(value) if np.isfinite(value) else None


def or_null(values: ArrayLike, undefined: ArrayLike = False) -> pa.Array:
    """Return a column that is null where a number is not known, or not defined."""
    return pa.array(np.where(undefined, np.nan, values), from_pandas=True)


def floats(data: pa.Table, column: str) -> Array:
    """Return a column as floating-point numbers, NaN where it is null."""
    return np.array(data.column(column).to_numpy(), float)


def flags(data: pa.Table, column: str) -> Mask:
    """Return a column of flags, False where it is null."""
    return np.asarray(data.column(column).fill_null(False), bool)


def says(data: pa.Table, column: str, word: str) -> Mask:
    """Return True where a column of text has a word; null has none."""
    return np.asarray(pc.equal(data.column(column).cast(pa.string()), word).fill_null(False), bool)


def replaced(data: pa.Table, **columns: Any) -> pa.Table:
    """Return the table with other values in some of its columns."""
    for name, values in columns.items():
        at = data.schema.get_field_index(name)
        field = data.schema.field(at)
        data = data.set_column(at, field, _as_array(values, field, data.num_rows))
    return data


def renamed(data: pa.Table, column: str, names: Mapping[str, str]) -> pa.Table:
    """Return the table with other words in a column of text."""
    if all(new == old for old, new in names.items()):
        return data
    old = data[column].unify_dictionaries().combine_chunks()
    return replaced(
        data, **{column: pa.array([names.get(word, word) for word in old.dictionary.to_pylist()], pa.string()).take(old.indices)}
    )


def _is_one(values: Any) -> bool:
    return isinstance(values, str) or not hasattr(values, "__len__")


def _as_array(values: Any, field: pa.Field, length: int) -> pa.Array | pa.ChunkedArray:
    if _is_one(values):
        values = pa.repeat(pa.scalar(values, pa.string() if field.type == TEXT else field.type), length)
    if isinstance(values, pa.Array | pa.ChunkedArray):
        if field.type == TEXT and values.type == pa.string():
            values = values.dictionary_encode()
        return values if values.type == field.type else values.cast(field.type)
    if field.type == TEXT:
        return pa.array(values, pa.string()).dictionary_encode().cast(TEXT)
    return pa.array(values, field.type, from_pandas=False)


def check(data: pa.Table, name: str, where: str = "") -> pa.Table:
    """Return `data`, or raise UserError unless it has exactly the columns, types and nulls of the named schema."""
    schema = TABLES[name]
    at = f"{where}: " if where else ""
    if data.column_names != schema.names:
        raise UserError(f"{at}the table {name!r} has the columns {data.column_names}, expected {schema.names}; {delete(where)}.")
    for field in schema:
        column = data.column(field.name)
        if column.type != field.type:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} is of type {column.type}, expected {field.type}; "
                f"{delete(where)}."
            )
        if not field.nullable and column.null_count:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} has {column.null_count} empty values; none is allowed."
            )
    return data


def concatenate(tables: pa.Table | Iterable[pa.Table]) -> pa.Table:
    """Concatenate tables of one schema, or a single one, with one dictionary per text column."""
    return pa.concat_tables([tables] if isinstance(tables, pa.Table) else list(tables)).unify_dictionaries()
