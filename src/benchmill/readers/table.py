"""Tables in CSV, TSV, JSON lines, Parquet or Arrow: one row per trial, per improvement within a trial, or per published mean.

The columns are found by their names, which are the project's own unless the option `columns` says what the file calls them. In a
wide table the columns are algorithms (or runs, problems, ...), and every cell is a cost. Every cell is read as text first, so
that a problem called `007` keeps its name and a wrong cell is shown as it stands.
"""

from __future__ import annotations

import difflib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from benchmill.core import schema
from benchmill.core.best_so_far import lowest_ranks
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.core.options import option
from benchmill.readers import blocks, interface
from benchmill.readers.archive import View
from benchmill.readers.interface import PLACEHOLDER, Found, Incomplete, Proposal, Report, Rule, place, renamed
from benchmill.readers.solver_runs import OUTCOMES
from benchmill.readers.text import CUT_LINE, ends_open, is_whole
from benchmill.text.labels import shown

_KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_SOLVER = ("outcome", "time_limit", "nodes", "iterations", "dual_bound", "best_value")
_OPTIONAL = ("budget", "seed", "runtime_s", "violation", "optimum", "value_kind", *_SOLVER)
#: What the columns of a wide table, the parts of a file's name and the titles of blocks can be.
_SPREAD = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_KINDS = {"cost": ("cost",), "trace": ("evaluations", "value"), "summary": ("mean",)}
#: What a row of means may have beside the mean.
_OF_MEANS = ("sd", "n", "n_successes", "n_feasible")
NAMES = (*_KEYS, "cost", "evaluations", "value", "mean", *_OF_MEANS, *_OPTIONAL)

_COLUMNS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}


@dataclass(frozen=True)
class Options(blocks.Counted):
    """The options of a source in this format."""

    columns: Mapping[str, Any] = option(
        "a mapping of benchmill's names to the names in the file, such as {algorithm: solver, cost: time}; benchmill's names are "
        + ", ".join(NAMES),
        {},
        type="object",
        propertyNames={"enum": list(NAMES)},
        additionalProperties={
            "description": "the name of a column, or a list of columns whose cells are joined with a blank",
            **interface.NAMES,
        },
    )
    constants: Mapping[str, Any] = option(
        f"values that hold for every row, such as {{suite: bbob}}; the names are {', '.join(NAMES)}",
        {},
        type="object",
        propertyNames={"enum": list(NAMES)},
        additionalProperties={"type": ["string", "number"]},
    )
    direction: str | None = option("min: smaller values are better (the default); max: larger are", None, enum=["min", "max"])
    empty: str = option(
        "failure: an empty cost is a failed trial; missing: there was no trial; error: a mistake",
        "error",
        enum=["error", "failure", "missing"],
    )
    wide: str | Mapping[str, Any] | None = option(
        "a table with a column for each algorithm (or problem, run, ...), whose cells are costs: what the columns are, such as "
        "algorithm, or a mapping {key: algorithm, columns: [...], except: [...]}; by default all columns not named elsewhere",
        None,
        oneOf=[
            {"enum": list(_SPREAD)},
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["key"],
                "properties": {"key": {"enum": list(_SPREAD)}, "columns": _COLUMNS, "except": _COLUMNS},
            },
        ],
    )
    outcomes: Mapping[str, str] = option(
        "words in place of a cost, or in the column outcome, and what they mean, such as {TIMEOUT: time_limit}; the outcomes are "
        + ", ".join(OUTCOMES),
        {},
        type="object",
        minProperties=1,
        propertyNames={"description": "words are text: write 'True' in quotes", "type": "string"},
        additionalProperties={"enum": list(OUTCOMES)},
    )
    time_limit: float | None = option(
        "time limit of all runs, on the scale of the costs; a cost that reaches it is a failure",
        None,
        type="number",
        exclusiveMinimum=0,
    )
    penalty: float | None = option(
        "the number of time limits that stand for a failure in place of its time, such as 10 for PAR10",
        None,
        type="number",
        exclusiveMinimum=1,
    )
    lookup: str | None = option(
        "path of a second table, relative to the configuration or absolute, that says more about the rows: `columns` can name "
        "its columns too; its rows are found by the one column that both tables have",
        None,
        type="string",
        minLength=1,
    )
    unit: str | None = option(
        "unit of times without a unit of their own: s, ms, us, ns, min, h or d; they are turned into seconds",
        None,
        enum=["s", "ms", "us", "ns", "min", "h", "d"],
    )
    header: Sequence[str] = option(
        "names of the columns of a table without a header line; further columns are called 1, 2, ...",
        (),
        type="array",
        items={"type": "string", "minLength": 1},
        minItems=1,
        uniqueItems=True,
    )
    titles: str | None = option(
        "a line of a single cell is the title of the rows below it: what it names, such as algorithm", None, enum=list(_SPREAD)
    )
    file_pattern: str | None = option(
        "names of the files to read, with parts that hold for all of their rows: runs_{problem}_{algorithm}.txt; {} matches "
        f"anything; the parts are {', '.join(_SPREAD)}",
        None,
        type="string",
        pattern=r"\{",
    )
    separator: str | None = option(
        "the one character between two cells, a blank for any number of blanks; by default told from the header",
        None,
        type="string",
        minLength=1,
        maxLength=1,
    )


RULES: dict[str, Rule] = {
    "budget_from_trace": Rule(
        "repaired",
        "The budget of a trial is not stated, or its rows go beyond it; its largest number of evaluations is its budget.",
    ),
    "running_minimum": Rule(
        "repaired",
        "A later row of a trial is worse than an earlier one; the best value so far (by violation first, where there is "
        "one) is taken.",
    ),
    "empty_is_failure": Rule("noted", "An empty cost is a failure, as the source's entry declares (`empty: failure`)."),
    "empty_is_missing": Rule(
        "noted", "An empty cost stands for a trial that was not made, as the source's entry declares (`empty: missing`)."
    ),
    "duplicate_row": Rule(
        "repaired", "A row with a stated run is the same as an earlier one in every cell that is read; it is left out."
    ),
    "censored": Rule("noted", "A time that reaches the declared limit, of a run whose outcome is not stated; it is a failure."),
    "same_largest": Rule(
        "noted",
        "Many costs are the same and the largest, as where runs that failed have the time limit, or a multiple of it, in place "
        "of their time. They count as solved unless the source's entry says so (`time_limit`, `penalty`).",
    ),
    "penalised": Rule("noted", "A failure has a multiple of the time limit in place of its time, which is not known."),
    "impossible_time": Rule("refused", "A row states a negative time; it is left out, and its trial is missing."),
    "solved_beyond_limit": Rule("noted", "A run is stated as solved with a time beyond its limit; it counts as solved."),
    "file_not_used": Rule("noted", "A file whose name does not fit `file_pattern`; it is not read."),
    "direction_assumed": Rule(
        "noted", "The source's entry does not say whether smaller or larger values are better (`direction`); smaller is taken."
    ),
    "runs_not_stated": Rule("noted", "A mean without the number of runs behind it (`n`); it counts as one run."),
    "cut_line": CUT_LINE,
    "row_before_first": blocks.RULES["row_before_first"],
    "column_not_used": Rule(
        "noted", "A column that has none of benchmill's names and that `columns` does not mention; it is not read."
    ),
}

_INTEGER = r"^[+-]?[0-9]{1,18}(\.0*)?$"
_NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_SUFFIX = re.compile(r"\.(csv|tsv|tab|txt|jsonl|ndjson|parquet|pq|arrow|feather)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
_PARQUET, _ARROW = b"PAR1", b"ARROW1"
_SEPARATORS = "\t;,"
_UNIT = r"^(?P<number>[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>ns|us|µs|ms|s|sec|min|h|d)$"
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_TIMES = ("cost", "runtime_s", "time_limit")
#: How often the largest number is there, at least, to be asked about, on how many problems, and among how many other numbers.
_OFTEN, _SHARE, _PROBLEMS, _OTHERS = 5, 0.02, 3, 20
#: Words in place of costs that a message lists.
_MOST_WORDS = 30


def sniff(view: View) -> Found | None:
    """Recognise Parquet and Arrow, and text whose first line has at least two names and whose second has as many cells.

    A folder or an archive is recognised if all of its files have the suffix of a table and the first is one.
    """
    if not view.members or (view.kind != "file" and not all(_SUFFIX.search(m.name) for m in view.members)):
        return None
    name = view.members[0].name
    head = view.head(name, 65536)
    if head.startswith((_PARQUET, _ARROW)):
        return Found("table")
    if b"\0" in head:
        return None
    if re.match(rb'\s*\{\s*"[^"\n]+"\s*:', head):
        return Found("table")
    lines = [
        line
        for line in head.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    if len(lines) < 2:
        return None
    separator = _separator(lines[0])
    names = [cell.strip().strip('"') for cell in lines[0].split(separator)]
    plain = all(re.search(r"[A-Za-z]", n) for n in names)
    if len(names) < 2 or not plain or ("," in separator and lines[1].count(separator) < len(names) - 1):
        return None
    return Found("table")


def _separator(header: str) -> str:
    return max(_SEPARATORS, key=lambda c: (header.count(c), -_SEPARATORS.index(c)))


def read(view: View, options: Options, report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read all rows, in natural order of suite, problem and dimension, then in order of appearance.

    A table of costs gives a trial a row (`cost`; `inf` in any case is a failure); repeated keys are numbered as runs. A table of
    improvements (`evaluations`, `value`) gives a trace and a trial for each set of equal keys, `run` and `seed`. A table of
    means (`mean`, and `sd` and `n`) gives a row a mean; with `n_successes`, the mean of the
    successful runs, of which there may be none.

    Raises
    ------
    UserError
        A column that is needed is absent or given twice, a cell is empty or no number, rows are of unequal length, or
        two rows have the same keys and the same run.
    """
    cells = _load(view, dict(options.columns), dict(options.constants), options, report)
    maximise = options.direction == "max"
    if cells.kind == "trace":
        if options.direction is None:
            report.add("direction_assumed", cells.files[0].name, 1, "smaller values are taken to be better")
        yield _traces(cells, maximise, options.counted_from, report)
    else:
        yield _costs(cells, maximise, options, report)


# ---- files ----------------------------------------------------------------------------------------------------------


@dataclass
class _File:
    name: str
    lines: Sequence[int]
    """Line of each row; the number of the row for Parquet and Arrow."""

    open_column: str | None = None
    """The last column, where its cell in the last row may be cut."""

    @property
    def rows(self) -> int:
        return len(self.lines)


@dataclass
class _Cells:
    """The columns of all files as text, by benchmill's names."""

    kind: str
    files: list[_File]
    columns: dict[str, pa.Array]
    rows: int
    called: dict[str, str]
    origin: np.ndarray | None = None
    """Row of the files that each row comes from, where a table was wide or rows were left out."""
    spread: str | None = None
    """Key that was spread over the columns of a wide table."""
    unit: str | None = None
    """Unit of times that have none of their own."""

    def at(self, row: int) -> tuple[str, int]:
        """File and line of a row."""
        row = row if self.origin is None else int(self.origin[row])
        for file in self.files:
            if row < file.rows:
                return file.name, file.lines[row]
            row -= file.rows
        raise IndexError(row)

    def sources(self, rows: np.ndarray) -> list[str]:
        """File and line of rows, as text."""
        rows = rows if self.origin is None else self.origin[rows]
        starts = np.cumsum([0, *(file.rows for file in self.files)])
        number = np.searchsorted(starts, rows, "right") - 1
        pairs = zip(number.tolist(), (rows - starts[number]).tolist(), strict=True)
        return [f"{self.files[i].name}:{self.files[i].lines[row]}" for i, row in pairs]

    def wrong(self, row: int, name: str, expected: str) -> UserError:
        """What to raise about a cell."""
        text = shown(self.columns[name][row].as_py())
        found = f"is {text!r}" if text else "is empty"
        column = self.columns[self.spread][row].as_py() if self.spread and name == "cost" else self.called[name]
        return UserError(f"{place(*self.at(row))}: column {shown(column)!r} {found}; expected {expected}.")


def propose(view: View, options: Mapping[str, Any]) -> Iterator[Proposal]:
    """Propose what the entry of a table could say; see `benchmill.readers.table_proposal`."""
    import pandas as pd

    from benchmill.readers import table_proposal

    if "columns" in options and not all(c in NAMES for c in options["columns"]):
        return
    layout = _layout(view, options)
    try:
        table, given, _ = _files(view, Options(**{**options, **layout}), Report(RULES))
    except UserError:
        return
    frame = pd.DataFrame({c: pc.utf8_trim_whitespace(table[c]).to_pylist() for c in table.column_names if not c.startswith("\0")})
    told = {**options, "constants": {**dict.fromkeys(given, ""), **options.get("constants", {})}}
    proposal = table_proposal.propose(frame, told, NAMES, _SUFFIX.sub("", view.name), "header" in layout)
    if proposal is None:
        return
    yield replace(
        proposal, options=layout | (_with_header(list(frame), proposal.options) if "header" in layout else proposal.options)
    )


def _layout(view: View, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a table without a header line needs to be read at all: a separator, titles, names of columns."""
    name = next((m.name for m in view.members if view.kind == "file" or _SUFFIX.search(m.name)), None)
    data = view.unpacked(name) if name and "header" not in options else b""
    if data.startswith((_PARQUET, _ARROW)) or re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', data):
        return {}
    text = data[:65536].decode("utf-8", "replace").lstrip("\ufeff")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lines = lines[:-1] if len(data) > 65536 else lines
    if len(lines) < 2:
        return {}
    longest = max(lines, key=len)
    layout: dict[str, Any] = {}
    separator = options.get("separator") or _separator(longest)
    if separator not in longest:
        separator = layout["separator"] = " "
    counts = [len(line.split(None if separator == " " else separator)) for line in lines]
    if "titles" not in options and counts[0] == 1 and max(counts) > 2 and set(counts) == {1, max(counts)}:
        layout["titles"] = "algorithm"
    first = lines[counts.index(max(counts))].split(None if separator == " " else separator)
    if not any(re.match(_NUMBER, cell.strip()) or re.match(_UNIT, cell.strip()) for cell in first):
        return {}
    return {**layout, "header": [_unnamed(1)]}


def _unnamed(number: int) -> str:
    return f"column {number}"


def _with_header(names: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that name the columns by a header in place of `columns`."""
    roles = {column: role for role, column in options.get("columns", {}).items() if isinstance(column, str)}
    wide = options.get("wide")
    left: list[str] = wide["except"] if isinstance(wide, dict) else []
    last = max((i for i, name in enumerate(names, 1) if wide is None or name in roles or name in left), default=1)
    header = [roles.get(name, _unnamed(i)) for i, name in enumerate(names[:last], 1)]
    more = {key: value for key, value in options.items() if key != "columns"}
    if left:
        more["wide"] = {**options["wide"], "except": [header[names.index(name)] for name in left]}
    return {"header": header, **more}


def _load(view: View, mapping: dict[str, Any], constants: dict[str, Any], options: Options, report: Report) -> _Cells:
    table, given, files = _files(view, options, report)
    constants |= {} if options.time_limit is None else {"time_limit": options.time_limit}
    for name in given:
        if name in mapping or name in constants:
            raise UserError(
                f"{view.name}: both {name!r} in `columns` or `constants` and the file's name or titles give it; leave one out."
            )
    if options.lookup is not None:
        table = _looked_up(files[0], table, mapping, options.lookup, report)
    table, mapping = _joined_columns(files[0].name, table, mapping)
    origin = None
    spread = None
    if options.wide is not None:
        table, spread, origin, names = _melted(files[0].name, table, mapping, {*given, *constants}, options.wide)
        given = {name: column.take(pa.array(origin)) for name, column in given.items()}
        given[spread] = names
        mapping["cost"] = "\0cost"
    for name in given:
        mapping.pop(name, None)
    kind, called = _assign(files[0].name, table.column_names, mapping, constants, given)
    if options.suite:
        called.pop("suite", None)
        given.pop("suite", None)
        constants["suite"] = options.suite
    unused = [c for c in table.column_names if c not in called.values() and not c.startswith("\0")]
    for column in unused:
        report.add("column_not_used", files[0].name, 1, f"the column {shown(column)!r}")
    rows = table.num_rows
    columns = {name: pc.utf8_trim_whitespace(table[column].combine_chunks()) for name, column in called.items()}
    columns = {name: c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c for name, c in columns.items()}
    called = {name: column.lstrip("\0") for name, column in called.items()}
    for name, given_column in given.items():
        columns[name] = given_column
        called[name] = name
    for name, value in constants.items():
        columns[name] = pa.array([_plain(value)] * rows, pa.string())
        called[name] = name
    rename = options.algorithm
    if "algorithm" not in columns:
        if not isinstance(rename, str):
            raise _lacking(files[0].name, "algorithm", table.column_names)
        columns["algorithm"] = pa.array([rename] * rows, pa.string())
        called["algorithm"] = "algorithm"
    elif rename is not None:
        names_of = renamed(columns["algorithm"].unique().to_pylist(), rename, files[0].name)
        coded = columns["algorithm"].dictionary_encode()
        columns["algorithm"] = pa.array([names_of[n] for n in coded.dictionary.to_pylist()], pa.string()).take(coded.indices)
    if not rows:
        raise UserError(f"{files[0].name}: the table has a header line and no rows; expected at least one row.")
    report.rows_read += rows
    cells = _without_open(_Cells(kind, files, columns, rows, called, origin, spread, options.unit), unused, report)
    return _without_empty(cells, report) if options.empty == "missing" else cells


def _files(view: View, options: Options, report: Report) -> tuple[pa.Table, dict[str, pa.Array], list[_File]]:
    """The rows of all files one below the other, the columns that names and titles give, and the files."""
    tables: list[pa.Table] = []
    files: list[_File] = []
    parts: list[dict[str, str]] = []
    pattern = _pattern(options.file_pattern) if options.file_pattern is not None else None
    for member in view.members:
        if pattern:
            match = pattern.search(member.name)
            if not match:
                report.add("file_not_used", member.name, None, f"`file_pattern` is {shown(str(options.file_pattern))!r}")
                continue
            parts.append(match.groupdict())
        elif view.kind != "file" and not _SUFFIX.search(member.name):
            continue
        data = view.unpacked(member.name)
        if data.startswith((_PARQUET, _ARROW)):
            table, file = _typed(member.name, data)
        elif re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', data):
            table, file = _json_lines(member.name, data, report)
        else:
            table, file = _csv(member.name, data, options, report)
        if tables and set(table.column_names) != set(tables[0].column_names):
            raise UserError(
                f"{member.name}: its columns are {table.column_names}, those of {files[0].name!r} are {tables[0].column_names}; "
                "give tables of different columns as sources of their own."
            )
        tables.append(table.select(tables[0].column_names) if tables else table)
        files.append(file)
    if not tables:
        named = (
            f"fits `file_pattern` {shown(str(options.file_pattern))!r}"
            if pattern
            else "is a table (.csv, .tsv, .txt, .jsonl, .parquet or .arrow)"
        )
        raise UserError(f"{view.name}: no file in it {named}; correct the path or the pattern.")
    table = pa.concat_tables(tables)
    given = _given(files, parts)
    if options.titles:
        given[options.titles] = table["\0title"].combine_chunks()
        table = table.drop_columns(["\0title"])
    return table, given, files


def _pattern(text: str) -> re.Pattern[str]:
    """`file_pattern` as a regular expression for the end of a file's name; a part matches no `/`, and as little as it can."""
    pieces = re.split(r"(\{[^{}]*\})", text)
    seen: list[str] = []
    for i in range(1, len(pieces), 2):
        name = pieces[i][1:-1]
        if name and (name not in _SPREAD or name in seen):
            why = "occurs twice" if name in seen else f"is none of {', '.join(_SPREAD)}"
            raise UserError(f"`file_pattern` {shown(text)!r}: the part {shown(name)!r} {why}; correct it.")
        seen.append(name)
        pieces[i] = f"(?P<{name}>[^/]+?)" if name else "[^/]*?"
    for i in range(0, len(pieces), 2):
        pieces[i] = re.escape(pieces[i])
    return re.compile(f"(?:^|/){''.join(pieces)}$")


def _given(files: list[_File], parts: list[dict[str, str]]) -> dict[str, pa.Array]:
    """The columns that the names of the files make."""
    if not parts:
        return {}
    counts = [file.rows for file in files]
    where = pa.array(np.repeat(np.arange(len(files)), counts))
    return {name: pa.array([part[name] for part in parts], pa.string()).take(where) for name in parts[0]}


def _looked_up(file: _File, table: pa.Table, mapping: Mapping[str, Any], path: str, report: Report) -> pa.Table:
    """The table with the columns of the one at `path` that `mapping` names, and without their common column unless it does."""
    other = Path(path).name
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the table cannot be read ({error.strerror}); correct `lookup`.") from None
    header = data.partition(b"\n")[0]
    blank = not any(c.encode() in header for c in _SEPARATORS if c != " ")
    found, its = _csv(other, data, Options(separator=" " if blank else None), report)
    if its.open_column is not None:
        what = f"the cell in column {shown(its.open_column)!r} is the end of the file"
        report.add("cut_line", other, its.lines[-1], what)
        found = found.slice(0, its.rows - 1)
    common = [name for name in found.column_names if name in table.column_names]
    if len(common) != 1:
        raise UserError(
            f"{other}: it has {common or 'none'} of the columns {table.column_names} of {file.name!r}; a lookup needs exactly "
            "one column in common: rename the others."
        )
    keys, asked = (pc.utf8_trim_whitespace(t[common[0]].combine_chunks()) for t in (found, table))
    coded = keys.dictionary_encode()
    code = coded.indices.to_numpy()
    if len(coded.dictionary) < len(keys):
        again = int(np.setdiff1d(np.arange(len(code)), np.unique(code, return_index=True)[1])[0])
        what = f"{shown(keys[again].as_py())!r} occurs again in {common[0]!r}; a lookup has each once."
        raise UserError(f"{place(other, its.lines[again])}: {what}")
    row = pc.index_in(asked, value_set=keys)
    if row.null_count:
        first = row.is_null().index(True).as_py()
        where = place(file.name, file.lines[first]) if first < file.rows else file.name
        raise UserError(
            f"{where}: {shown(asked[first].as_py())!r} is not in the column {common[0]!r} of the lookup {other!r}; add it there, "
            "or take the right table."
        )
    named = {c for columns in mapping.values() for c in ([columns] if isinstance(columns, str) else columns)}
    for column in found.column_names:
        if column in named and column != common[0]:
            table = table.append_column(column, found[column].combine_chunks().take(row))
    return table if common[0] in named else table.drop_columns(common)


def _joined_columns(file: str, table: pa.Table, mapping: dict[str, Any]) -> tuple[pa.Table, dict[str, str]]:
    """Columns for the names that several columns of the file make together, their cells joined with a blank."""
    result: dict[str, str] = {}
    for ours, theirs in mapping.items():
        if isinstance(theirs, str):
            result[ours] = theirs
            continue
        for column in theirs:
            if column not in table.column_names:
                raise _no_column(file, ours, column, table.column_names)
        cells = [pc.utf8_trim_whitespace(table[column]) for column in theirs]
        result[ours] = "\0" + " ".join(theirs)
        table = table.append_column(result[ours], pc.binary_join_element_wise(*cells, " "))
        # what a joined column is made of is used, and is none of benchmill's own names any more
        table = table.rename_columns([f"\0{c}" if c in theirs else c for c in table.column_names])
    return table, result


def _melted(
    file: str, table: pa.Table, mapping: Mapping[str, str], taken: set[str], wide: Any
) -> tuple[pa.Table, str, np.ndarray, pa.Array]:
    """A wide table as a long one: the table with a column of costs, the key, the row each row comes from, the key's column."""
    wide = {"key": wide} if isinstance(wide, str) else wide
    present = [c for c in table.column_names if not c.startswith("\0")]
    for column in [*wide.get("columns", ()), *wide.get("except", ())]:
        if column not in present:
            raise _no_column(file, "wide", column, present)
    own = {c for c in present if c in NAMES and c not in ("cost", "value", "mean")} - set(wide.get("columns", ()))
    other = {*mapping.values(), *wide.get("except", ())} | own
    spread = wide.get("columns") or [c for c in present if c not in other]
    if not spread or "cost" in mapping or wide["key"] in mapping or wide["key"] in taken:
        why = "no column is left to spread" if not spread else f"{wide['key']!r} or the cost is given elsewhere"
        raise UserError(f"{file}: the table is `wide`, but {why}; name its columns in `wide`.")
    rows, count = table.num_rows, len(spread)
    origin = np.repeat(np.arange(rows), count)
    column = np.tile(np.arange(count), rows)
    values = pa.concat_arrays([chunk for c in spread for chunk in table[c].chunks] or [pa.array([], pa.string())])
    costs = values.take(pa.array(column * rows + origin))
    columns = {c: table[c].take(pa.array(origin)) for c in table.column_names if c not in spread}
    names = pa.array(spread, pa.string()).take(pa.array(column))
    return pa.table({**columns, "\0cost": costs}), wide["key"], origin, names


def _without_open(cells: _Cells, unused: list[str], report: Report) -> _Cells:
    """Leave out the last row of a file, or of a wide table its last cell, where what is read of it may be cut."""
    keep = np.ones(cells.rows, bool)
    end = 0
    for file in cells.files:
        end += file.rows
        if file.open_column is None or file.open_column in unused:
            continue
        mine = np.arange(cells.rows) == end - 1 if cells.origin is None else cells.origin == end - 1
        if cells.spread is not None:
            of_column = pc.equal(cells.columns[cells.spread], file.open_column).to_numpy(zero_copy_only=False)
            mine = mine & of_column if (mine & of_column).any() else mine
        report.add(
            "cut_line", file.name, file.lines[-1], f"the cell in column {shown(file.open_column)!r} is the end of the file"
        )
        keep &= ~mine
    if not keep.any():
        file = cells.files[0]
        raise UserError(f"{place(file.name, file.lines[-1])}: its only row may be cut; end it with a line break if it is whole.")
    return cells if keep.all() else _only(cells, np.flatnonzero(keep))


def _without_empty(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows without a cost."""
    name = "mean" if cells.kind == "summary" else "cost"
    if cells.kind == "trace":
        return cells
    empty = pc.equal(cells.columns[name], "").to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(empty).tolist():
        report.add("empty_is_missing", *cells.at(row), f"no {name} of {shown(cells.columns['algorithm'][row].as_py())}")
    return _only(cells, np.flatnonzero(~empty))


def _without_duplicates(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows that are equal to an earlier one in every column."""
    code = np.zeros(cells.rows, np.int64)
    for column in cells.columns.values():
        numbers, values = _codes(column)
        code = np.unique(code * max(len(values), 1) + numbers, return_inverse=True)[1]
    _, first = np.unique(code, return_index=True)
    if len(first) == cells.rows:
        return cells
    again = np.ones(cells.rows, bool)
    again[first] = False
    for row in np.flatnonzero(again).tolist():
        problem = cells.columns["problem"][row].as_py()
        report.add("duplicate_row", *cells.at(row), f"{shown(problem)}, run {shown(cells.columns['run'][row].as_py())}")
    return _only(cells, np.flatnonzero(~again))


def _without_negative_times(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows whose cost, which the source's entry declares to be a time, is negative."""
    negative = pc.match_substring_regex(cells.columns["cost"], r"^-[0-9.]*[1-9]").to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(negative).tolist():
        report.add("impossible_time", *cells.at(row), f"a time of {shown(cells.columns['cost'][row].as_py())}")
        where = [_text(cells, name, False)[row].as_py() for name in ("algorithm", "suite", "problem", "dimension", "instance")]
        where[3] = int(where[3]) if where[3] and where[3].isdigit() else None
        report.expect((str(where[0]), where[1], str(where[2]), where[3], where[4]))
    return _only(cells, np.flatnonzero(~negative)) if negative.any() else cells


def _only(cells: _Cells, keep: np.ndarray) -> _Cells:
    """Some of the rows."""
    origin = keep if cells.origin is None else cells.origin[keep]
    columns = {key: column.take(pa.array(keep)) for key, column in cells.columns.items()}
    return replace(cells, columns=columns, rows=len(keep), origin=origin)


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _csv(name: str, data: bytes, options: Options, report: Report) -> tuple[pa.Table, _File]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    before, _, last = data.rpartition(b"\n")
    if b"\0" in data:
        raise UserError(f"{name}: it holds binary data; expected a table in CSV, TSV, JSON lines, Parquet or Arrow.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{name}:{line}: the text is not in UTF-8; save the table in UTF-8.") from None
    skipped = 0
    while data.startswith(b"#") or (data[:1] in (b"\n", b"\r") and data):
        _, _, data = data.partition(b"\n")
        skipped += 1
    lines = [skipped + i for i, line in enumerate(data.split(b"\n"), 1) if line.strip(b"\r")]
    header = list(options.header)
    separator = options.separator
    titles = None
    blanks = separator == " "
    if blanks or options.titles:
        rows = [line.strip() for line in data.split(b"\n") if line.strip(b"\r")]
        if blanks:
            rows = [re.sub(rb"[ \t]+", b"\t", row) for row in rows]
            separator = "\t"
        if options.titles:
            rows, lines, titles = _titled(name, rows, lines, separator, bool(header))
        data = b"\n".join(rows) + b"\n" if rows else b""
    first = data.lstrip(b"\r\n").partition(b"\n")[0]
    if not first.strip():
        raise UserError(f"{name}: the table has no header line; expected a first line with the names of the columns.")
    bad: list[pa_csv.InvalidRow] = []

    def remember(row: pa_csv.InvalidRow) -> str:
        bad.append(row)
        return "error"

    try:
        separator = separator or _separator(first.decode())
        found = pa_csv.read_csv(
            io.BytesIO(first + b"\n"), pa_csv.ReadOptions(use_threads=False), pa_csv.ParseOptions(delimiter=separator)
        ).column_names
        if header:
            if len(header) > len(found):
                raise UserError(
                    f"{name}:{lines[0]}: the row has {len(found)} cells, `header` {len(header)} names; correct one of them."
                )
            found = header + [str(i) for i in range(1, len(found) - len(header) + 1)]
        names = [n.strip() for n in found]
        double = sorted(name for name, count in Counter(names).items() if count > 1)
        if double:
            raise Incomplete(f"{name}:{lines[0]}: the column {double[0]!r} occurs more than once", "rename one of them")
        table = pa_csv.read_csv(
            io.BytesIO(data),
            pa_csv.ReadOptions(
                use_threads=False,
                block_size=max(1 << 20, min(len(data) + 1, 1 << 30)),
                column_names=names if header else None,
            ),
            pa_csv.ParseOptions(delimiter=separator, invalid_row_handler=remember),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names if header else found, pa.string()),
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, ValueError) as error:
        if bad:
            row = bad[0]
            line = lines[min(row.number, len(lines)) - 1] if row.number else lines[0] + 1
            if last.strip() and line == lines[-1] and row.actual_columns < row.expected_columns:
                report.add("cut_line", name, line, f"the row has {row.actual_columns} cells, the header {row.expected_columns}")
                return _csv(name, before + b"\n", options, report)
            raise UserError(
                f"{name}:{line}: the row has {row.actual_columns} cells, the header {row.expected_columns}; "
                "correct the row or `separator`."
            ) from None
        raise UserError(f"{name}: it cannot be read as a table ({shown(str(error))}); check `separator` and quotes.") from None
    table = table.rename_columns(names)
    file = _File(name, lines if header else lines[1:])
    if file.rows != table.num_rows:
        raise UserError(f"{name}: a quoted cell holds a line break; remove it.")
    text = last.decode()
    if file.rows and text.strip() and ends_open(text) and not (blanks and text[-1].isspace()):
        cell = text.split()[-1] if blanks else text.rsplit(separator, 1)[-1]
        if not is_whole(cell, (c.strip() for c in table[names[-1]][:-1].to_pylist())):
            file = replace(file, open_column=names[-1])
    if titles is not None:
        table = table.append_column("\0title", pa.array(titles if header else titles[1:], pa.string()))
    return table, file


def _titled(
    name: str, rows: list[bytes], lines: list[int], separator: str | None, no_header: bool
) -> tuple[list[bytes], list[int], list[str]]:
    """Take the lines of a single cell out of a table, and give every other one the title above it."""
    character = (separator or _separator(max(rows, key=len).decode() if rows else "")).encode()
    kept: list[bytes] = []
    where: list[int] = []
    titles: list[str] = []
    title = None
    for row, line in zip(rows, lines, strict=True):
        if character not in row:
            title = row.decode().strip().strip('"')
            continue
        if title is None and (no_header or kept):
            raise UserError(
                f"{name}:{line}: the row has no title above it, a line of a single cell; correct it or leave out `titles`."
            )
        kept.append(row)
        where.append(line)
        titles.append(title or "")
    return kept, where, titles


def _json_lines(name: str, data: bytes, report: Report) -> tuple[pa.Table, _File]:
    """One object a line; a key that a line lacks is an empty cell."""
    columns: dict[str, list[str]] = {}
    lines: list[int] = []
    texts = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, raw in enumerate(texts, 1):
        if not raw.strip():
            continue
        if number == len(texts) > 1 and not raw.rstrip().endswith(b"}"):
            report.add("cut_line", name, number, f"{shown(raw[-60:].decode('utf-8', 'replace'))!r} is the end of the file")
            continue
        try:
            # numbers stay as they are written
            row = json.loads(raw, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError):
            raise UserError(f"{name}:{number}: the line is no JSON object; correct it, one object a line.") from None
        if not isinstance(row, dict) or any(isinstance(value, list | dict) for value in row.values()):
            raise UserError(f"{name}:{number}: the line is no object of plain values; give numbers and text only.")
        for key, value in row.items():
            text = {True: "true", False: "false", None: ""}[value] if value is None or isinstance(value, bool) else value
            column = columns.setdefault(key.strip(), [])
            if len(column) > len(lines):
                raise UserError(f"{name}:{number}: the key {shown(key)!r} occurs twice; correct the line.")
            column += [""] * (len(lines) - len(column))
            column.append(text)
        lines.append(number)
    for column in columns.values():
        column += [""] * (len(lines) - len(column))
    return pa.table({key: pa.array(column, pa.string()) for key, column in columns.items()}), _File(name, lines)


def _typed(name: str, data: bytes) -> tuple[pa.Table, _File]:
    """A table whose columns have types, Parquet or Arrow, as text."""
    try:
        if data.startswith(_ARROW):
            table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
        else:
            table = pq.read_table(pa.BufferReader(data))
        columns = [pc.fill_null(c.cast(pa.string()), "") for c in table.columns]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise UserError(
            f"{name}: it cannot be read as a table in Parquet or Arrow ({shown(str(error))}); get it again."
        ) from None
    return pa.table(columns, names=table.column_names), _File(name, range(1, table.num_rows + 1))


def _no_column(file: str, ours: str, theirs: str, present: list[str]) -> UserError:
    near = difflib.get_close_matches(theirs, present, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(shown(p) for p in present)}."
    option = "`wide` names" if ours == "wide" else f"`columns` takes {ours!r} from"
    return UserError(f"{file}: {option} {theirs!r}, which is no column of the table; {hint}")


def _assign(
    file: str, present: list[str], mapping: dict[str, str], constants: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[str, dict[str, str]]:
    """The kind of the table, and the file's column for each of benchmill's names."""
    for ours, theirs in sorted(mapping.items()):
        if theirs not in present:
            raise _no_column(file, ours, theirs, present)
        if ours in constants:
            raise UserError(f"{file}: both `columns` and `constants` give {ours!r}; leave one out.")
    called = dict(mapping)
    for name in present:
        if name in NAMES and name not in called and name not in called.values() and name not in constants and name not in given:
            called[name] = name
    stated = [kind for kind, needed in _KINDS.items() if all(n in mapping for n in needed)]
    possible = stated or [kind for kind, needed in _KINDS.items() if all(n in called for n in needed)]
    if len(possible) > 1:
        choices = " or ".join("+".join(_KINDS[kind]) for kind in possible)
        raise UserError(f"{file}: the table gives {choices}; name the one to read in `columns`.")
    if not possible:
        raise Incomplete(
            f"{file}: no column gives values (`cost`, or `evaluations` and `value`, or `mean`); it has "
            f"{', '.join(shown(p) for p in present)}",
            "say in `columns` which one holds them, or `wide: algorithm` if each holds the costs of an algorithm",
        )
    kind = possible[0]
    others = {n for k, needed in _KINDS.items() if k != kind for n in needed} | (set() if kind == "summary" else set(_OF_MEANS))
    others |= set() if kind == "cost" else set(_SOLVER)
    called = {ours: theirs for ours, theirs in called.items() if ours not in others}
    if "problem" not in called and "problem" not in constants and "problem" not in given:
        raise _lacking(file, "problem", present)
    return kind, called


def _lacking(file: str, name: str, present: list[str]) -> UserError:
    return Incomplete(
        f"{file}: no column gives {name!r}; it has {', '.join(shown(p) for p in present)}",
        f"say which in `columns` ({{{name}: ...}}), or give it once in `constants`",
    )


# ---- cells ----------------------------------------------------------------------------------------------------------


def _first(mask: np.ndarray) -> int | None:
    return int(np.argmax(mask)) if mask.any() else None


def _floats(cells: _Cells, name: str, empty: bool = False) -> np.ndarray:
    """A column as numbers; NaN where a cell is empty, which is an error unless allowed."""
    text = cells.columns[name]
    factor: np.ndarray | float = 1.0
    if name in _TIMES:
        text, factor = _units(cells, name)
    blank = pc.equal(text, "").to_numpy(zero_copy_only=False)
    fine = pc.match_substring_regex(text, _NUMBER).to_numpy(zero_copy_only=False)
    row = _first(~fine & ~(blank if empty else np.zeros_like(blank)))
    if row is not None:
        hint = " (or declare `empty: failure`)" if blank[row] and name in ("cost", "mean") else ""
        wrong = cells.wrong(row, name, f"a number or inf{hint}")
        raise wrong if name != "cost" or cells.kind != "cost" else _with_words(wrong, cells, row)
    numbers = np.full(len(text), np.nan)
    if fine.any():
        numbers[fine] = pc.utf8_ltrim(text.filter(pa.array(fine)), "+").cast(pa.float64()).to_numpy()
    return numbers * factor


def _with_words(wrong: UserError, cells: _Cells, row: int) -> UserError:
    """What to raise about a cost that is no number: all words in the place of costs, if it is one of them."""
    import pandas as pd

    from benchmill.readers import table_proposal

    words = table_proposal.words_of(pd.Series(cells.columns["cost"].to_pylist(), dtype=str))
    if cells.columns["cost"][row].as_py() not in words:
        return wrong
    counts = [f"{shown(word)!r} ({count})" for word, count in words.items()]
    more = [f"and {len(counts) - _MOST_WORDS} others"] if len(counts) > _MOST_WORDS else []
    what = f"{str(wrong).removesuffix('.')}; all words in place of costs are {', '.join(counts[:_MOST_WORDS] + more)}"
    return Incomplete(what, "correct them, or say in `outcomes` what they mean")


def _without_placeholders(cells: _Cells, name: str, cost: np.ndarray, report: Report) -> np.ndarray:
    """Costs with inf, a failure, for numbers too large to be one."""
    large = np.isfinite(cost) & (cost >= PLACEHOLDER)
    row = _first(large)
    if row is None:
        return cost
    what = f"column {shown(cells.called[name])!r} is {shown(cells.columns[name][row].as_py())}"
    report.add("placeholder", *cells.at(row), what, int(large.sum()))
    return np.where(large, np.inf, cost)


def _units(cells: _Cells, name: str) -> tuple[pa.Array, np.ndarray | float]:
    """A column of times without their units, and what turns each into seconds."""
    text = cells.columns[name]
    own = pc.match_substring_regex(text, _UNIT)
    if not pc.any(own).as_py():
        return text, _SECONDS[cells.unit] if cells.unit else 1.0
    marked = own.to_numpy(zero_copy_only=False)
    bare = ~marked & pc.match_substring_regex(text, r"^[+-]?[0-9.]").to_numpy(zero_copy_only=False)
    row = _first(bare)
    if row is not None and cells.unit is None:
        raise cells.wrong(row, name, "a time with its unit, as other cells have it, or `unit` in the source's entry")
    parts = pc.extract_regex(text, _UNIT)
    units = parts.field("unit").to_pylist()
    default = _SECONDS[cells.unit] if cells.unit else 1.0
    factor = np.array([_SECONDS[u] if m else default for u, m in zip(units, marked.tolist(), strict=True)])
    return pc.if_else(own, parts.field("number"), text), factor


def _whole(cells: _Cells, name: str, least: int, largest: int, empty: bool) -> tuple[np.ndarray, np.ndarray]:
    """A column of whole numbers, and where cells are empty."""
    text = cells.columns[name]
    blank = pc.equal(text, "").to_numpy(zero_copy_only=False)
    fine = pc.match_substring_regex(text, _INTEGER).to_numpy(zero_copy_only=False)
    numbers = np.zeros(len(text), np.int64)
    if fine.any():
        digits = pc.replace_substring_regex(pc.utf8_ltrim(text.filter(pa.array(fine)), "+"), r"\.0*$", "")
        numbers[fine] = digits.cast(pa.int64()).to_numpy()
    wrong = ~fine | (numbers < least) | (numbers > largest)
    # 1e5 is whole as well.
    for odd in np.flatnonzero(wrong & ~blank).tolist():
        cell = text[odd].as_py()
        value = float(cell) if re.match(_NUMBER, cell) else 0.5
        if not (value.is_integer() and least <= value <= min(largest, 2**53)):
            raise cells.wrong(odd, name, f"a whole number from {least}")
        numbers[odd] = int(value)
    row = _first(blank)
    if row is not None and not empty:
        raise cells.wrong(row, name, f"a whole number from {least}")
    return numbers, blank


def _text(cells: _Cells, name: str, needed: bool) -> pa.Array:
    """A key column as text, null where empty."""
    if name not in cells.columns:
        return pa.nulls(cells.rows, pa.string())
    text = cells.columns[name]
    blank = pc.equal(text, "")
    row = _first(blank.to_numpy(zero_copy_only=False))
    if row is not None and needed:
        raise cells.wrong(row, name, f"the name of the {name}")
    return pc.if_else(blank, pa.scalar(None, pa.string()), text)


@dataclass
class _Keyed:
    """The keys of all rows: Arrow columns, and codes that are equal where the keys are."""

    columns: dict[str, pa.Array]
    order: np.ndarray
    """Rank of suite, problem and dimension of each row in natural order."""
    code: np.ndarray
    """Number of the keys without the run."""


def _codes(column: pa.Array) -> tuple[np.ndarray, list[Any]]:
    coded = column.dictionary_encode(null_encoding="encode")
    return coded.indices.to_numpy().astype(np.int64), coded.dictionary.to_pylist()


def _keyed(cells: _Cells) -> _Keyed:
    columns = {
        name: _text(cells, name, name in ("problem", "algorithm")) for name in ("suite", "problem", "instance", "algorithm")
    }
    dimension = pa.nulls(cells.rows, pa.int32())
    if "dimension" in cells.columns:
        numbers, blank = _whole(cells, "dimension", 1, 2**31 - 1, empty=True)
        dimension = pa.array(numbers, pa.int32(), mask=blank)
    columns["dimension"] = dimension
    code = order = np.zeros(cells.rows, np.int64)
    for name in ("suite", "problem", "dimension", "instance", "algorithm"):
        numbers, values = _codes(columns[name])
        keys = [natural_key(None if v is None else str(v)) for v in values]
        rank = np.empty(len(values), np.int64)
        rank[sorted(range(len(values)), key=keys.__getitem__)] = np.arange(len(values))
        code = np.unique(code * max(len(values), 1) + numbers, return_inverse=True)[1]
        if name in ("suite", "problem", "dimension"):
            order = np.unique(order * max(len(values), 1) + rank[numbers], return_inverse=True)[1]
    return _Keyed(columns, order, code)


def _runs(cells: _Cells, code: np.ndarray, first_row: np.ndarray) -> np.ndarray:
    """Number of the repetition of each trial: as stated, or counted in order of appearance.

    `code` tells which trials have equal keys, `first_row` the row of each trial; trials are in order of appearance.
    """
    if "run" in cells.columns:
        run = _whole(cells, "run", 0, 2**31 - 2, empty=False)[0][first_row]
        if run.size and run.min() == 0:  # numbered from 0
            run = run + 1
        order = np.lexsort((np.arange(len(code)), run, code))
        again = np.flatnonzero((code[order][1:] == code[order][:-1]) & (run[order][1:] == run[order][:-1])) + 1
        if len(again):
            row = int(first_row[order[again]].min())
            raise UserError(
                f"{place(*cells.at(row))}: an earlier row has the same keys and the same run "
                f"{shown(cells.columns['run'][row].as_py())!r}; number the runs apart, or leave the column out."
            )
        return np.asarray(run, np.int32)
    order = np.argsort(code, kind="stable")
    sorted_code = code[order]
    begins = np.flatnonzero(np.r_[True, sorted_code[1:] != sorted_code[:-1]]) if len(code) else np.empty(0, np.int64)
    run = np.empty(len(code), np.int32)
    run[order] = np.arange(len(code)) - np.repeat(begins, np.diff(np.r_[begins, len(code)])) + 1
    return run


def _value_kind(cells: _Cells, rows: np.ndarray) -> list[str]:
    if "value_kind" not in cells.columns:
        return ["absolute"] * len(rows)
    kinds: list[str] = cells.columns["value_kind"].take(pa.array(rows)).to_pylist()
    for row, kind in zip(rows.tolist(), kinds, strict=True):
        if kind not in ("absolute", "difference"):
            raise cells.wrong(row, "value_kind", "absolute or difference")
    return kinds


def _extras(cells: _Cells, rows: np.ndarray) -> dict[str, pa.Array]:
    """The optional columns of the trials whose first rows are `rows`."""
    extras: dict[str, pa.Array] = {}
    for name in ("runtime_s", "violation", "optimum"):
        if name in cells.columns:
            numbers = _floats(cells, name, empty=True)[rows]
            numbers[np.isinf(numbers)] = np.nan
            extras[name] = pa.array(numbers, mask=np.isnan(numbers))
    if cells.kind == "cost":
        for name in ("dual_bound", "best_value"):
            if name in cells.columns:
                numbers = _floats(cells, name, empty=True)[rows]
                extras[name] = pa.array(numbers, mask=~np.isfinite(numbers))
    for name, least in (("seed", -(2**62)), ("nodes", 0), ("iterations", 0)):
        if name in cells.columns:
            numbers, blank = _whole(cells, name, least, 2**62, empty=True)
            extras[name] = pa.array(numbers[rows], mask=blank[rows])
    return extras


# ---- tables ---------------------------------------------------------------------------------------------------------


def _costs(cells: _Cells, maximise: bool, options: Options, report: Report) -> tuple[pa.Table, pa.Table]:
    name = "cost" if cells.kind == "cost" else "mean"
    cells = _without_duplicates(cells, report) if "run" in cells.columns else cells
    words = options.outcomes
    empty_fails = options.empty == "failure"
    if cells.kind == "cost" and (words or options.unit or {"outcome", "time_limit"} & set(cells.columns)):
        cells = _without_negative_times(cells, report)
    solver = _solver_columns(cells, words, options, report)
    counts = {c: _whole(cells, c, 0, 2**31 - 1, empty=True) for c in ("n_successes", "n_feasible") if c in cells.columns}
    if solver is None:
        successes, unknown = counts.get("n_successes", (np.ones(cells.rows, np.int64), np.ones(cells.rows, bool)))
        none = ~unknown & (successes == 0)  # no run succeeded, so there is no mean
        cost = _floats(cells, name, empty=empty_fails or bool(none.any()))
        if not maximise:
            cost = _without_placeholders(cells, name, cost, report)
        lacking = _first(np.isnan(cost) & ~none)
        if lacking is not None and not empty_fails:
            raise cells.wrong(lacking, name, "a number or inf (or declare `empty: failure`)")
        cost[none] = np.inf
        empty = np.isnan(cost)
        for row in np.flatnonzero(empty).tolist():
            report.add("empty_is_failure", *cells.at(int(row)), f"column {shown(cells.called[name])!r} is empty")
        cost[empty] = np.inf
        endless = _first(cost == -np.inf)
        if endless is not None:
            raise cells.wrong(endless, name, "a number, or inf for a failure")
    else:
        cost = solver.cost
    if cells.kind == "cost" and not maximise and not {"outcome", "time_limit"} & set(cells.columns):
        often = _largest_often(cost, cells.columns["problem"].to_pylist())
        if often:
            row = int(np.argmax(np.where(np.isfinite(cost), cost, -np.inf)))
            report.add("same_largest", *cells.at(row), often)

    keyed = _keyed(cells)
    order = np.argsort(keyed.order, kind="stable")
    run = _runs(cells, keyed.code, np.arange(cells.rows))
    n = np.ones(cells.rows, np.int64)
    columns: dict[str, Any] = {}
    if cells.kind == "summary":
        if "n" in cells.columns:
            n, _ = _whole(cells, "n", 1, 2**31 - 1, empty=False)
        else:
            report.add("runs_not_stated", *cells.at(0), "no column gives `n`", count=cells.rows)
        if "sd" in cells.columns:
            sd = _floats(cells, "sd", empty=True)
            negative = _first((sd < 0) | np.isinf(sd))
            if negative is not None:
                raise cells.wrong(negative, "sd", "a standard deviation of 0 or more")
            columns["cost_sd"] = pa.array(sd[order], mask=np.isnan(sd[order]))
        for count, (numbers, blank) in counts.items():
            beyond = _first(~blank & (numbers > n))
            if beyond is not None:
                raise cells.wrong(beyond, count, f"a whole number up to the {n[beyond]} runs of the row")
            columns[count] = pa.array(numbers[order].astype(np.int32), mask=blank[order])
        endless = _first(np.isinf(cost) & ~none & ~unknown)
        if endless is not None:
            raise cells.wrong(endless, name, f"the mean of the {successes[endless]} successful runs, a finite number")
    if "budget" in cells.columns:
        budget, blank = _whole(cells, "budget", 0, 2**62, empty=True)
        columns["budget"] = pa.array(budget[order], mask=blank[order])
    trials = schema.table(
        "trials",
        {key: column.take(pa.array(order)) for key, column in keyed.columns.items()}
        | columns
        | _extras(cells, order)
        | {
            "run": run[order],
            "trial": np.arange(cells.rows),
            "cost": cost[order],
            "n": n[order].astype(np.int32),
            "value_kind": _value_kind(cells, order),
            "maximise": [maximise] * cells.rows,
            "status": np.where(np.isfinite(cost[order]), "solved", "failed").tolist(),
            "source": cells.sources(order),
        }
        | ({} if solver is None else solver.ordered(order)),
    )
    return trials, schema.TABLES["traces"].empty_table()


def _largest_often(cost: np.ndarray, problem: Sequence[Any]) -> str | None:
    """Say that the largest cost is there so often that it may be a time limit, or a multiple of one; else None."""
    finite = np.isfinite(cost) & (cost > 0)
    numbers, counts = np.unique(cost[finite], return_counts=True)
    if numbers.size <= _OTHERS or counts[-1] < max(_OFTEN, _SHARE * finite.sum()) or counts[-1] < counts[-2] * 2:
        return None
    largest, second = float(numbers[-1]), float(numbers[-2])
    if len(set(np.asarray(problem, object)[cost == largest])) < _PROBLEMS:
        return None
    what = f"{counts[-1]} of {finite.sum()} costs are {largest:g}, the largest"
    for multiple in (10, 5, 2):
        if largest / multiple >= second > largest / multiple / 2:
            limit = f"{largest / multiple:g}"
            return (
                f"{what}, and no other is above {second:g}; if it stands for a failure at a limit of {limit}, say "
                f"`time_limit: {limit}, penalty: {multiple}`"
            )
    return f"{what}; if that is the time limit, say `time_limit: {largest:g}`"


@dataclass
class _SolverColumns:
    """What the rows of a table of solver runs say beside their keys."""

    cost: np.ndarray
    outcome: np.ndarray
    limit: np.ndarray
    time: np.ndarray

    def ordered(self, order: np.ndarray) -> dict[str, Any]:
        """Columns of `trials`."""
        outcome = self.outcome[order]
        status = ["ill_finalised" if OUTCOMES[o] is None else "solved" if OUTCOMES[o] else "failed" for o in outcome]
        limit, time = self.limit[order], self.time[order]
        return {
            "status": status,
            "outcome": outcome.tolist(),
            "time_limit_s": pa.array(limit, mask=np.isnan(limit)),
            "cost_budget": pa.array(limit, mask=np.isnan(limit)),
            "runtime_s": pa.array(time, mask=np.isnan(time)),
        }


def _solver_columns(cells: _Cells, words: Mapping[str, str], options: Options, report: Report) -> _SolverColumns | None:
    """Costs and outcomes of a table of solver runs; None if the source's entry declares nothing about outcomes.

    A stated outcome counts. Without one, a number below the limit is solved and one that reaches it is not; a word is what
    `outcomes` says. A failure keeps its time, unless it is a penalty.
    """
    stated = "outcome" in cells.columns
    if not (words or stated or "time_limit" in cells.columns) or cells.kind != "cost":
        if options.penalty is not None or words or (stated and cells.kind == "summary"):
            what = "`penalty` needs `time_limit`" if options.penalty is not None else "outcomes belong to costs of single runs"
            raise UserError(f"{cells.files[0].name}: {what}; correct the source's entry.")
        return None
    if options.direction == "max":
        raise UserError(
            f"{cells.files[0].name}: outcomes and limits belong to times, which are better when smaller; leave out `direction`."
        )
    limit = np.full(cells.rows, np.nan)
    if "time_limit" in cells.columns:
        limit = _floats(cells, "time_limit", empty=True)
        wrong = _first((limit <= 0) | np.isinf(limit))
        if wrong is not None:
            raise cells.wrong(wrong, "time_limit", "a time above 0, or an empty cell for none")
    text = cells.columns["cost"]
    outcome = np.full(cells.rows, "", dtype=object)
    coded = text.dictionary_encode()
    meaning = np.array([words.get(word, "") for word in coded.dictionary.to_pylist()] or [""], dtype=object)
    by_word = meaning[coded.indices.to_numpy(zero_copy_only=False)] if cells.rows else outcome
    worded = by_word != ""
    if stated:  # a number there is a cost, whatever the words for outcomes are
        worded &= ~pc.match_substring_regex(text, _NUMBER).to_numpy(zero_copy_only=False)
    outcome[worded] = by_word[worded]
    # a word stands in place of a number; the number of a failure may be missing too
    number = _floats(
        replace(cells, columns={**cells.columns, "cost": pc.if_else(pa.array(worded), "", text)}), "cost", empty=True
    )
    number = _without_placeholders(cells, "cost", number, report)
    if stated:
        _state_outcomes(cells, words, outcome)
    solved = np.array([o == "" or OUTCOMES[o] is True for o in outcome], bool)
    blank = solved & np.isnan(number)
    row = _first(blank & ~worded)
    if row is not None and options.empty != "failure":
        raise cells.wrong(row, "cost", "a number, inf, a word of `outcomes`, or `empty: failure`")
    for row in np.flatnonzero(blank).tolist():
        report.add("empty_is_failure", *cells.at(row), "the cost of a run is empty")
    outcome[blank] = "unknown"
    outcome[(outcome == "") & np.isinf(number)] = "unknown"
    multiples = np.array([2.0, 5.0, 10.0] if options.penalty is None else [options.penalty])
    penalised = (number[:, None] == multiples * limit[:, None]).any(axis=1)
    reached = (number >= limit) & np.isfinite(number)
    censored = reached & (outcome == "")
    outcome[censored] = "time_limit"
    outcome[outcome == ""] = "solved"
    solved = np.array([OUTCOMES[o] is True for o in outcome], bool)
    for rule, which, what in (
        ("censored", censored & ~penalised, "the time reaches the limit"),
        ("penalised", penalised & ~solved, "the time is a multiple of the limit"),
        ("solved_beyond_limit", reached & solved, "the time is beyond the limit"),
    ):
        row = _first(which)
        if row is not None:
            report.add(rule, *cells.at(row), f"{what} of {limit[row]:g}: {shown(text[row].as_py())}", int(which.sum()))
    time = np.where((penalised & ~solved) | np.isinf(number), np.nan, number)
    if "runtime_s" in cells.columns:
        time = _floats(cells, "runtime_s", empty=True)
        time[np.isinf(time)] = np.nan
    failed_number = solved & ~np.isfinite(number)
    row = _first(failed_number)
    if row is not None:
        raise cells.wrong(row, "cost", "a finite time of a run that is solved")
    return _SolverColumns(np.where(solved, number, np.inf), outcome, limit, time)


def _state_outcomes(cells: _Cells, words: Mapping[str, str], outcome: np.ndarray) -> None:
    """Outcomes from the column `outcome`, where the cost has no word of its own."""
    coded = cells.columns["outcome"].dictionary_encode()
    index = coded.indices.to_numpy(zero_copy_only=False)
    found: list[str] = coded.dictionary.to_pylist()
    unknown = [word for word in found if word not in words and word not in OUTCOMES]
    if unknown:
        row = int(np.argmax(index == found.index(unknown[0])))
        wrong = cells.wrong(row, "outcome", f"a word of `outcomes`, or one of {', '.join(OUTCOMES)}")
        listed = ", ".join(repr(shown(word)) for word in unknown[:_MOST_WORDS])
        raise Incomplete(f"{str(wrong).removesuffix('.')}; such words are {listed}", "say in `outcomes` what they mean")
    for number, word in enumerate(found):
        meaning = words.get(word, word)
        outcome[(index == number) & (outcome == "")] = meaning


def _traces(cells: _Cells, maximise: bool, counted_from: int | None, report: Report) -> tuple[pa.Table, pa.Table]:
    evaluations, _ = _whole(cells, "evaluations", 0, 2**62, empty=False)
    evaluations = evaluations + (counted_from == 0)
    early = np.flatnonzero(evaluations == 0)
    if len(early) and counted_from == 1:
        report.add("row_before_first", *cells.at(int(early[0])), "the row is at 0 evaluations", len(early))
        left = np.flatnonzero(evaluations > 0)
        cells, evaluations = _only(cells, left), evaluations[left]
    value = _floats(cells, "value")
    # An infinite value that is the worst is none; one that is the best would reach every target.
    reached = _first(value == (np.inf if maximise else -np.inf))
    if reached is not None:
        raise cells.wrong(reached, "value", "a finite number, or the worst infinity for none")
    violation = np.zeros(cells.rows)
    if "violation" in cells.columns:
        violation = _floats(cells, "violation")
        endless = _first(violation == -np.inf)
        if endless is not None:
            raise cells.wrong(endless, "violation", "a number of 0 or more")
    keyed = _keyed(cells)

    # A trial is a set of rows with equal keys, run and seed.
    parts = keyed.code
    for name in ("run", "seed"):
        if name in cells.columns:
            numbers, values = _codes(cells.columns[name])
            parts = np.unique(parts * max(len(values), 1) + numbers, return_inverse=True)[1]
    _, first_row, trial = np.unique(parts, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first_row, kind="stable")
    run_of = np.empty(len(first_row), np.int32)
    run_of[by_appearance] = _runs(cells, keyed.code[first_row[by_appearance]], first_row[by_appearance])
    position = np.empty(len(first_row), np.int64)
    listed = np.lexsort((first_row, keyed.order[first_row]))
    position[listed] = np.arange(len(listed))
    trial = position[trial]
    rows = first_row[listed]
    count = len(rows)

    # Rank of each row among all: by violation, then by value in the direction of the study.
    signed = -value if maximise else value
    by_quality = np.lexsort((signed, violation))
    step = np.zeros(cells.rows, np.int64)
    for column in (violation[by_quality], signed[by_quality]):
        step[1:] |= column[1:] != column[:-1]
    rank = np.empty(cells.rows, np.int64)
    rank[by_quality] = np.cumsum(step)

    order = np.lexsort((rank, evaluations, trial))
    trial, rank, sorted_rows = trial[order], rank[order], order
    begins = np.r_[True, trial[1:] != trial[:-1]] if cells.rows else np.zeros(0, bool)
    best = lowest_ranks(trial, rank)
    worse = np.flatnonzero(rank > best)
    off = report.is_off("running_minimum")
    if len(worse) and not off:
        for i in worse[np.unique(trial[worse], return_index=True)[1]].tolist():
            row = int(sorted_rows[i])
            what = f"{value[row]:.10g} at {evaluations[row]} evaluations is worse than an earlier value"
            report.add("running_minimum", *cells.at(row), what)
    keep = begins.copy()
    followed = rank if off else best
    keep[1:] |= followed[1:] != followed[:-1]
    kept = sorted_rows[keep]
    ends = np.flatnonzero(np.r_[trial[1:] != trial[:-1], True]) if cells.rows else np.zeros(0, np.int64)
    best_row = _row_of_rank(trial, rank, best[ends], sorted_rows, count)

    largest = evaluations[sorted_rows[ends]]
    budget = _budgets(cells, rows, largest, sorted_rows, trial, report)
    final = value[best_row]
    difference = _value_kind(cells, rows)
    solved = np.array([k == "difference" for k in difference], bool) & (final <= 0) & (violation[best_row] <= 0)
    extras = _extras(cells, rows)
    if "optimum" in extras:
        optimum = extras["optimum"].to_numpy(zero_copy_only=False)
        solved |= (final >= optimum if maximise else final <= optimum) & (violation[best_row] <= 0)
    if "violation" in cells.columns:
        extras["violation"] = pa.array(violation[best_row])
    take = pa.array(rows)
    trials = schema.table(
        "trials",
        {key: column.take(take) for key, column in keyed.columns.items()}
        | extras
        | {
            "run": run_of[listed],
            "trial": np.arange(count),
            "budget": budget,
            "best_value": final,
            "n": np.ones(count, np.int32),
            "value_kind": difference,
            "maximise": [maximise] * count,
            "status": np.where(solved, "solved", "failed").tolist(),
            "source": cells.sources(rows),
        },
    )
    keys = trials.select([*_KEYS, "trial"]).take(pa.array(trial[keep]))
    columns: dict[str, Any] = {n: keys[n] for n in keys.column_names}
    columns |= {"evaluations": evaluations[kept], "value": value[kept], "on_target": np.ones(len(kept), bool)}
    if "violation" in cells.columns:
        columns["violation"] = violation[kept]
    return trials, schema.table("traces", columns)


def _row_of_rank(trial: np.ndarray, rank: np.ndarray, best: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The first row of each trial that has its best rank."""
    hits = np.flatnonzero(rank == best[trial]) if count else np.zeros(0, np.int64)
    first = np.unique(trial[hits], return_index=True)[1]
    return np.asarray(rows[hits[first]])


def _budgets(
    cells: _Cells, first: np.ndarray, largest: np.ndarray, rows: np.ndarray, trial: np.ndarray, report: Report
) -> np.ndarray:
    if "budget" not in cells.columns:
        report.add("budget_from_trace", *cells.at(0), "no column gives `budget`", count=len(first))
        return largest
    stated, _ = _whole(cells, "budget", 0, 2**62, empty=False)
    row = _first(stated[rows] != stated[first][trial])
    if row is not None:
        raise cells.wrong(int(rows[row]), "budget", f"the same budget in all rows of a trial, {stated[first[trial[row]]]}")
    budget = stated[first]
    for i in np.flatnonzero(largest > budget).tolist():
        what = f"the trial has {largest[i]} evaluations, more than its budget of {budget[i]}"
        report.add("budget_from_trace", *cells.at(int(first[i])), what)
    return np.asarray(np.maximum(budget, largest))
