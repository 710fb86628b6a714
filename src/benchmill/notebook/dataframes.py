"""A DataFrame of any library as a source of trials."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Names, UserError, Words, Written, shown
from benchmill.readers import archive, solver_runs, table_cells
from benchmill.text import claims

#: What a DataFrame is called in messages until its rows are named.
NAME = "DataFrame"
#: The words that stand for the outcomes of runs where a column or a number tells them.
_SOLVED, _FAILED = "solved", "failed"
#: What benchmill calls an outcome of which nothing is known but that the run failed.
_UNKNOWN = "unknown"
#: What a column says of runs that failed.
_TRUTHS = {"true": _UNKNOWN, "false": _SOLVED, "1": _UNKNOWN, "0": _SOLVED}
#: The outcomes of runs that failed.
_FAILURES = tuple(name for name, solved in solver_runs.OUTCOMES.items() if solved is False)


def source(
    data: Any,
    names: Words,
    *,
    status: str | None = None,
    solved: Any = None,
    failed: Any = None,
    limit: float | str | None = None,
    wide: str | Sequence[str] | None = None,
    empty: str = "error",
    direction: str | None = None,
    decimal: str | None = None,
) -> tuple[archive.View, Written]:
    """Return a source for the reader of tables, and its options. Raises UserError if columns or failures are unclear.

    `names` are its columns by benchmill's names; the others say how it tells which runs failed, as for `benchmill.costs`.
    """
    table = arrow(data)
    columns = {name: _column(table, name, column) for name, column in names.items()}
    options: Written = {"columns": columns, "empty": empty, "direction": direction, "decimal": decimal}
    needed = {"algorithm", "problem", *_values({*table.column_names, *columns}, columns)}
    if wide is not None:
        options["wide"] = (
            {"key": wide}
            if isinstance(wide, str)
            else {"key": "algorithm", "columns": [_column(table, "wide", name) for name in wide]}
        )
        needed -= {options["wide"]["key"], "cost"}
    for name in sorted(needed - {*columns}):
        if name not in table.column_names:
            there = ", ".join(map(repr, table.column_names)) + (
                "" if wide else "; if the columns are algorithms, say wide='algorithm' or wide=[...]"
            )
            raise UserError(f"no column is called {name!r}; say which one it is ({name}=...) of {there}.")
        columns[name] = _column(table, name, name)
    if isinstance(limit, str):
        columns["time_limit"] = _column(table, "limit", limit)
    elif limit is not None:
        options["time_limit"] = float(limit)
    durations = [column.name for column in table.schema if pa.types.is_duration(column.type)]
    for name in [name for name in durations if wide is not None or name in {*columns.values(), status, *table_cells.NAMES}]:
        # Arrow has them as whole numbers of some unit
        raise UserError(f"the column {name!r} holds durations; give numbers, such as seconds (.dt.total_seconds()).")
    table = _with_failures(table, options, status, solved, failed)
    table = table.drop_columns([*durations, *(column.name for column in table.schema if pa.types.is_nested(column.type))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return archive.view_of_bytes(NAME, sink.getvalue().to_pybytes()), {name: option for name, option in options.items() if option}


def _values(there: set[str], named: Words) -> Names:
    """Return what is compared: what is named, else costs, else improvements where nothing but these is there."""
    improved = {"evaluations", "value"} & {*named} or ("cost" not in there and {"evaluations", "value"} <= there)
    return () if "mean" in named else ("evaluations", "value") if improved else ("cost",)


def arrow(data: Any) -> pa.Table:
    """Return a DataFrame of any library as an Arrow table, with named levels of an index as columns; NaN is empty.

    Of a Series the values are a column `cost`, unless it has another name.
    """
    if isinstance(data, pd.Series) and any(data.index.names):
        data = data.to_frame("cost" if data.name is None else data.name)
    if isinstance(data, pd.DataFrame):
        levels = [name for name in data.index.names if name is not None and name not in data.columns]
        table = _from_pandas(data.reset_index(level=levels) if levels else data)
    elif hasattr(data, "__arrow_c_stream__") and not isinstance(data, pd.Series):
        table = pa.table(data)
    else:
        raise UserError(
            f"found a {type(data).__name__}, expected a DataFrame (of pandas, polars, pyarrow, ...), or a Series whose index has "
            "levels called algorithm and problem."
        )
    if not table.num_columns or not table.num_rows:
        raise UserError(f"the DataFrame has {table.num_rows} rows and {table.num_columns} columns, expected at least one.")
    return pa.table(
        [pc.if_else(pc.is_nan(c), None, c) if pa.types.is_floating(c.type) else _plain_text(c) for c in table.columns],
        names=table.column_names,
    )


def _from_pandas(data: pd.DataFrame) -> pa.Table:
    names = [str(name) for name in data.columns]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"two columns of the DataFrame are called {twice[0]!r}; rename one.")
    arrays = []
    for place in range(data.shape[1]):
        values = data.iloc[:, place]
        if isinstance(getattr(values.dtype, "categories", values).dtype, pd.PeriodDtype | pd.IntervalDtype):
            # which Arrow has as numbers
            values = values.astype(object).astype("string")
        try:
            arrays.append(pa.array(values, from_pandas=True))
        except (pa.ArrowException, OverflowError):
            # numbers and words in one column
            text = [None if lacks else _text(value) for value, lacks in zip(values.tolist(), values.isna(), strict=True)]
            arrays.append(pa.array(text, pa.string()))
    return pa.table(arrays, names=names)


def _plain_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column with text as the reader of tables takes it."""
    if pa.types.is_dictionary(column.type):
        return pa.chunked_array([_plain_text(chunk.dictionary).take(chunk.indices) for chunk in column.chunks])
    return column.cast(pa.string()) if str(column.type) in ("string_view", "large_string") else column


def _text(value: Any) -> str:
    # numbers and truth values as Arrow writes them
    return str(pa.scalar(value).cast(pa.string()).as_py()) if isinstance(value, float | bool) else str(value)


def _column(table: pa.Table, keyword: str, name: Any) -> str:
    column = claims.known(str(name), table.column_names, "column", keyword)
    if pa.types.is_nested(column_type := table[column].type):
        raise UserError(
            f"the column {column!r} of the DataFrame has lists or mappings ({column_type}), expected one value a row; "
            "give numbers or text."
        )
    return column


def _with_failures(table: pa.Table, options: Written, status: str | None, solving: Any, failing: Any) -> pa.Table:
    failed, solved = _listed(failing), _listed(solving)
    if status is not None:
        options["columns"]["outcome"] = _column(table, "status", status)
    if not failed and not solved:
        return table
    if len(failed) == 1 and failed[0] in table.column_names:
        if solved or status is not None:
            raise UserError(
                f"failed={failed[0]!r} is a column, and status or solved is given as well; leave one of them out, or rename the "
                "column if it is a word for a failure."
            )
        _by_truth(table, failed[0], options)
        return table
    if status is None:
        if solved:
            raise UserError("solved is given without status; name the column that says how runs ended (status=...).")
        return _by_word(table, _meaning(failing), options)
    cells = table[status]
    texts = cells.cast(pa.string())
    _there(cells, status)
    words = pc.unique(texts).to_pylist()
    for keyword, wanted in (("failed", failed), ("solved", solved)):
        for value in wanted:
            if _text(value) not in words:
                listed = ", ".join(repr(shown(word)) for word in words[:30])
                raise UserError(f"{keyword}={value!r}: the column {status!r} has no such value; it has {listed}.")
    meaning = {_text(value): outcome for value, outcome in _meaning(failing).items()}
    for value in solved:
        if _text(value) in meaning:
            raise UserError(f"{value!r} is among solved and failed; leave it out of one of them.")
        meaning[_text(value)] = _SOLVED
    others = [word for word in words if word not in meaning]
    if others and failed and solved:
        row = pc.index(texts, others[0]).as_py()
        raise UserError(
            f"{NAME}:{row + 1}: the column {status!r} is {others[0]!r}, which is in neither solved nor failed; name it "
            "in one of them, or give only one, and every other value is the other."
        )
    options["outcomes"] = {**meaning, **dict.fromkeys(others, _SOLVED if failed else _UNKNOWN)}
    return table


def _listed(values: Any) -> list[Any]:
    return [] if values is None else list(values) if isinstance(values, list | tuple | set | frozenset | Mapping) else [values]


def _meaning(failing: Any) -> dict[Any, str]:
    """Return the outcome of each value that means a failure."""
    ended = (
        dict(failing)
        if isinstance(failing, Mapping)
        else {v: table_cells.meaning_in_place(str(v)) or _UNKNOWN for v in _listed(failing)}
    )
    for value, outcome in ended.items():
        if outcome not in _FAILURES:
            raise UserError(f"failed={{{value!r}: {outcome!r}}}: expected one of {', '.join(_FAILURES)}.")
    return ended


def _there(cells: pa.ChunkedArray, column: str) -> None:
    if cells.null_count:
        row = pc.index(cells.is_null(), True).as_py()
        raise UserError(f"{NAME}:{row + 1}: the column {column!r} is empty, so it is not known how the run ended; fill it in.")


def _by_truth(table: pa.Table, column: str, options: Written) -> None:
    cost = options["columns"].get("cost")
    if cost and pc.any(pc.equal(table[cost].cast(pa.string()), column)).as_py():
        raise UserError(f"failed={column!r} is the name of a column and a word in the column {cost!r}; rename the column.")
    cells = table[_column(table, "failed", column)]
    _there(cells, column)
    words = set(pc.unique(cells.cast(pa.string())).to_pylist())
    if not words <= {*_TRUTHS}:
        raise UserError(
            f"failed={column!r}: the column holds {cells.type}, expected True and False, or 1 and 0; if its words say how "
            f"runs ended, give status={column!r}, and in failed those that are failures."
        )
    options["columns"]["outcome"] = column
    options["outcomes"] = {word: _TRUTHS[word] for word in sorted(words)}


def _by_word(table: pa.Table, failed: Mapping[Any, str], options: Written) -> pa.Table:
    places = options["wide"].get("columns") if "wide" in options else [options["columns"].get("cost")]
    if places is None:
        places = [name for name in table.column_names if name not in {*options["columns"].values(), "problem", "algorithm"}]
    values = pa.array(map(_text, failed), pa.string())
    # under words of ours, so that a number that stands for a failure is not taken for a cost
    meant = pa.array([f"{_FAILED} ({outcome})" for outcome in failed.values()])
    numbers = set()
    for name in places:
        text = table[name].cast(pa.string())
        place = pc.index_in(text, values)
        numbers |= set(pc.unique(place).to_pylist())
        table = table.set_column(table.column_names.index(name), name, pc.coalesce(meant.take(place.combine_chunks()), text))
    for number, value in enumerate(failed):
        if number not in numbers:
            raise UserError(
                f"failed={value!r} is neither a column nor a value in {', '.join(map(repr, places))}; where another column says "
                "how runs ended, name it (status=...)."
            )
    options["outcomes"] = {f"{_FAILED} ({outcome})": outcome for outcome in failed.values()}
    return table
