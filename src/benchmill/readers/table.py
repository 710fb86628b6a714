"""Long tables in CSV, TSV or Parquet: one row per trial, per improvement within a trial, or per published mean.

The columns are found by their names, which are the project's own unless the option `columns` says what the file calls them.
Every cell is read as text first, so that a problem called `007` keeps its name and a wrong cell is shown as it stands.
"""

from __future__ import annotations

import difflib
import functools
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from benchmill import schema
from benchmill.errors import UserError
from benchmill.labels import natural_key, shown
from benchmill.readers.archive import View
from benchmill.readers.interface import Found, Report, Rule, place, renamed

FULL_GRID = False
HEADERS = ()

_KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_OPTIONAL = ("budget", "seed", "runtime_s", "violation", "optimum", "value_kind")
_KINDS = {"cost": ("cost",), "trace": ("evaluations", "value"), "summary": ("mean",)}
#: What a row of means may have beside the mean.
_OF_MEANS = ("sd", "n", "n_successes", "n_feasible")
_ALL = (*_KEYS, "cost", "evaluations", "value", "mean", *_OF_MEANS, *_OPTIONAL)

OPTIONS: dict[str, dict[str, Any]] = {
    "columns": {
        "description": "a mapping of benchmill's names to the names in the file, such as {algorithm: solver, cost: time}; "
        f"benchmill's names are {', '.join(_ALL)}",
        "type": "object",
        "propertyNames": {"enum": list(_ALL)},
        "additionalProperties": {"type": "string", "minLength": 1},
    },
    "constants": {
        "description": f"values that hold for every row, such as {{suite: bbob}}; the names are {', '.join(_ALL)}",
        "type": "object",
        "propertyNames": {"enum": list(_ALL)},
        "additionalProperties": {"type": ["string", "number"]},
    },
    "direction": {"description": "min: smaller values are better (the default); max: larger are", "enum": ["min", "max"]},
    "empty": {
        "description": "failure: an empty cost is a failed trial; error (the default): it is a mistake",
        "enum": ["error", "failure"],
    },
    "separator": {
        "description": "the one character between two cells; by default told from the header line",
        "type": "string",
        "minLength": 1,
        "maxLength": 1,
    },
}

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
    "direction_assumed": Rule(
        "noted", "The source's entry does not say whether smaller or larger values are better (`direction`); smaller is taken."
    ),
    "runs_not_stated": Rule("noted", "A mean without the number of runs behind it (`n`); it counts as one run."),
    "column_not_used": Rule(
        "noted", "A column that has none of benchmill's names and that `columns` does not mention; it is not read."
    ),
}

_INTEGER = r"^[+-]?[0-9]{1,18}(\.0*)?$"
_NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_SUFFIX = re.compile(r"\.(csv|tsv|tab|txt|parquet|pq)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
_SEPARATORS = "\t;,"


def sniff(view: View) -> Found | None:
    """Recognise Parquet files, and text files whose first line has at least two names and whose second has as many cells.

    A folder or an archive is recognised if all of its files have the suffix of a table and the first is one.
    """
    if not view.members or (view.kind != "file" and not all(_SUFFIX.search(m.name) for m in view.members)):
        return None
    name = view.members[0].name
    head = view.head(name, 65536)
    if head.startswith(b"PAR1"):
        return Found("table")
    if b"\0" in head:
        return None
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


def read(view: View, options: Mapping[str, Any], report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
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
    cells = _load(view, dict(options.get("columns", {})), dict(options.get("constants", {})), options, report)
    maximise = options.get("direction", "min") == "max"
    if cells.kind == "trace":
        if "direction" not in options:
            report.add("direction_assumed", cells.files[0].name, 1, "smaller values are taken to be better")
        yield _traces(cells, maximise, report)
    else:
        yield _costs(cells, maximise, options.get("empty") == "failure", report)


# ---- files ----------------------------------------------------------------------------------------------------------


@dataclass
class _File:
    name: str
    rows: int
    data: bytes | None
    """Content of a text file, for line numbers; None for Parquet, whose rows are numbered."""
    skipped: int = 0
    """Lines before the header."""

    def line(self, row: int) -> int:
        """Line of a row (from 0) in the file; blank lines count."""
        return row + 1 if self.data is None else self.lines[row]

    @functools.cached_property
    def lines(self) -> list[int]:
        """Lines of all rows."""
        if self.data is None:
            return list(range(1, self.rows + 1))
        return [self.skipped + i for i, line in enumerate(self.data.split(b"\n"), 1) if line.strip(b"\r")][1:]


@dataclass
class _Cells:
    """The columns of all files as text, by benchmill's names."""

    kind: str
    files: list[_File]
    columns: dict[str, pa.Array]
    rows: int
    called: dict[str, str]

    def at(self, row: int) -> tuple[str, int]:
        """File and line of a row."""
        for file in self.files:
            if row < file.rows:
                return file.name, file.line(row)
            row -= file.rows
        raise IndexError(row)

    def sources(self, rows: np.ndarray) -> list[str]:
        """File and line of rows, as text."""
        starts = np.cumsum([0, *(file.rows for file in self.files)])
        number = np.searchsorted(starts, rows, "right") - 1
        pairs = zip(number.tolist(), (rows - starts[number]).tolist(), strict=True)
        return [f"{self.files[i].name}:{self.files[i].line(row)}" for i, row in pairs]

    def wrong(self, row: int, name: str, expected: str) -> UserError:
        """What to raise about a cell."""
        text = shown(self.columns[name][row].as_py())
        found = f"is {text!r}" if text else "is empty"
        return UserError(f"{place(*self.at(row))}: column {self.called[name]!r} {found}; expected {expected}.")


def _load(view: View, mapping: dict[str, str], constants: dict[str, Any], options: Mapping[str, Any], report: Report) -> _Cells:
    tables: list[pa.Table] = []
    files: list[_File] = []
    for member in view.members:
        if view.kind != "file" and not _SUFFIX.search(member.name):
            continue
        data = view.read(member.name)
        if data.startswith(b"PAR1"):
            table, file = _parquet(member.name, data)
        else:
            table, file = _csv(member.name, data, options.get("separator"))
        if tables and set(table.column_names) != set(tables[0].column_names):
            raise UserError(
                f"{member.name}: its columns are {table.column_names}, those of {files[0].name!r} are {tables[0].column_names}; "
                "give tables of different columns as sources of their own."
            )
        tables.append(table.select(tables[0].column_names) if tables else table)
        files.append(file)
    if not tables:
        raise UserError(f"{view.name}: there is no table in it (.csv, .tsv, .txt or .parquet); correct the path.")
    table = pa.concat_tables(tables)
    kind, called = _assign(files[0].name, table.column_names, mapping, constants)
    if options.get("suite"):
        called.pop("suite", None)
        constants["suite"] = options["suite"]
    unused = [c for c in table.column_names if c not in called.values()]
    for column in unused:
        report.add("column_not_used", files[0].name, 1, f"the column {shown(column)!r}")
    rows = table.num_rows
    columns = {name: pc.utf8_trim_whitespace(table[column].combine_chunks()) for name, column in called.items()}
    columns = {name: c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c for name, c in columns.items()}
    for name, value in constants.items():
        columns[name] = pa.array([_plain(value)] * rows, pa.string())
        called[name] = name
    rename = options.get("algorithm")
    if "algorithm" not in columns:
        if not isinstance(rename, str):
            raise _lacking(files[0].name, "algorithm", table.column_names)
        columns["algorithm"] = pa.array([rename] * rows, pa.string())
        called["algorithm"] = "algorithm"
    elif rename is not None:
        names = renamed(columns["algorithm"].unique().to_pylist(), rename, files[0].name)
        coded = columns["algorithm"].dictionary_encode()
        columns["algorithm"] = pa.array([names[n] for n in coded.dictionary.to_pylist()], pa.string()).take(coded.indices)
    if not rows:
        raise UserError(f"{files[0].name}: the table has a header line and no rows; expected at least one row.")
    report.rows_read += rows
    return _Cells(kind, files, columns, rows, called)


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _csv(name: str, data: bytes, separator: str | None) -> tuple[pa.Table, _File]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    skipped = 0
    while data.startswith(b"#") or (data[:1] in (b"\n", b"\r") and data):
        _, _, data = data.partition(b"\n")
        skipped += 1
    file = _File(name, 0, data, skipped)
    header = data.partition(b"\n")[0]
    if not header.strip():
        raise UserError(f"{name}: the table has no header line; expected a first line with the names of the columns.")
    if b"\0" in data:
        raise UserError(f"{name}: it holds binary data; expected a table in CSV, TSV or Parquet.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 + skipped
        raise UserError(f"{name}:{line}: the text is not in UTF-8; save the table in UTF-8.") from None
    bad: list[pa_csv.InvalidRow] = []

    def remember(row: pa_csv.InvalidRow) -> str:
        bad.append(row)
        return "error"

    try:
        separator = separator or _separator(header.decode())
        first = pa_csv.open_csv(io.BytesIO(header + b"\n"), parse_options=pa_csv.ParseOptions(delimiter=separator)).schema.names
        names = [n.strip() for n in first]
        double = sorted({n for n in names if names.count(n) > 1})
        if double:
            raise UserError(f"{name}:{skipped + 1}: the column {double[0]!r} occurs more than once; rename one of them.")
        table = pa_csv.read_csv(
            io.BytesIO(data),
            pa_csv.ReadOptions(use_threads=False, block_size=max(1 << 20, min(len(data) + 1, 1 << 30))),
            pa_csv.ParseOptions(delimiter=separator, invalid_row_handler=remember),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(first, pa.string()), strings_can_be_null=False, quoted_strings_can_be_null=False
            ),
        )
    except (pa.ArrowInvalid, ValueError) as error:
        if bad:
            row = bad[0]
            line = file.line(row.number - 2) if row.number else skipped + 2
            raise UserError(
                f"{name}:{line}: the row has {row.actual_columns} cells, the header {row.expected_columns}; "
                "correct the row or `separator`."
            ) from None
        raise UserError(f"{name}: it cannot be read as a table ({shown(str(error))}); check `separator` and quotes.") from None
    table = table.rename_columns(names)
    file.rows = table.num_rows
    if len(file.lines) != file.rows:
        raise UserError(f"{name}: a quoted cell holds a line break; remove it.")
    return table, file


def _parquet(name: str, data: bytes) -> tuple[pa.Table, _File]:
    try:
        table = pq.read_table(pa.BufferReader(data))
        columns = [pc.fill_null(c.cast(pa.string()), "") for c in table.columns]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise UserError(f"{name}: it cannot be read as a Parquet table ({shown(str(error))}); get it again.") from None
    return pa.table(columns, names=table.column_names), _File(name, table.num_rows, None)


def _assign(file: str, present: list[str], mapping: dict[str, str], constants: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The kind of the table, and the file's column for each of benchmill's names."""
    for ours, theirs in sorted(mapping.items()):
        if theirs not in present:
            near = difflib.get_close_matches(theirs, present, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(shown(p) for p in present)}."
            raise UserError(f"{file}: `columns` takes {ours!r} from {theirs!r}, which is no column of the table; {hint}")
        if ours in constants:
            raise UserError(f"{file}: both `columns` and `constants` give {ours!r}; leave one out.")
    called = dict(mapping)
    for name in present:
        if name in _ALL and name not in called and name not in called.values() and name not in constants:
            called[name] = name
    stated = [kind for kind, needed in _KINDS.items() if all(n in mapping for n in needed)]
    possible = stated or [kind for kind, needed in _KINDS.items() if all(n in called for n in needed)]
    if len(possible) > 1:
        choices = " or ".join("+".join(_KINDS[kind]) for kind in possible)
        raise UserError(f"{file}: the table gives {choices}; name the one to read in `columns`.")
    if not possible:
        raise UserError(
            f"{file}: no column gives values (`cost`, or `evaluations` and `value`, or `mean`); it has "
            f"{', '.join(shown(p) for p in present)}: say which in `columns`, such as {{cost: {shown(present[-1])}}}."
        )
    kind = possible[0]
    others = {n for k, needed in _KINDS.items() if k != kind for n in needed} | (set() if kind == "summary" else set(_OF_MEANS))
    called = {ours: theirs for ours, theirs in called.items() if ours not in others}
    if "problem" not in called and "problem" not in constants:
        raise _lacking(file, "problem", present)
    return kind, called


def _lacking(file: str, name: str, present: list[str]) -> UserError:
    return UserError(
        f"{file}: no column gives {name!r}; it has {', '.join(shown(p) for p in present)}: "
        f"say which in `columns` ({{{name}: ...}}), or give it once in `constants`."
    )


# ---- cells ----------------------------------------------------------------------------------------------------------


def _first(mask: np.ndarray) -> int | None:
    return int(np.argmax(mask)) if mask.any() else None


def _floats(cells: _Cells, name: str, empty: bool = False) -> np.ndarray:
    """A column as numbers; NaN where a cell is empty, which is an error unless allowed."""
    text = cells.columns[name]
    blank = pc.equal(text, "").to_numpy(zero_copy_only=False)
    fine = pc.match_substring_regex(text, _NUMBER).to_numpy(zero_copy_only=False)
    row = _first(~fine & ~(blank if empty else np.zeros_like(blank)))
    if row is not None:
        hint = " (or declare `empty: failure`)" if blank[row] and name in ("cost", "mean") else ""
        raise cells.wrong(row, name, f"a number or inf{hint}")
    numbers = np.full(len(text), np.nan)
    if fine.any():
        numbers[fine] = pc.utf8_ltrim(text.filter(pa.array(fine)), "+").cast(pa.float64()).to_numpy()
    return numbers


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
            extras[name] = pa.array(numbers, mask=np.isnan(numbers))
    if "seed" in cells.columns:
        numbers, blank = _whole(cells, "seed", -(2**62), 2**62, empty=True)
        extras["seed"] = pa.array(numbers[rows], mask=blank[rows])
    return extras


# ---- tables ---------------------------------------------------------------------------------------------------------


def _costs(cells: _Cells, maximise: bool, empty_fails: bool, report: Report) -> tuple[pa.Table, pa.Table]:
    name = "cost" if cells.kind == "cost" else "mean"
    counts = {c: _whole(cells, c, 0, 2**31 - 1, empty=True) for c in ("n_successes", "n_feasible") if c in cells.columns}
    successes, unknown = counts.get("n_successes", (np.ones(cells.rows, np.int64), np.ones(cells.rows, bool)))
    none = ~unknown & (successes == 0)  # no run succeeded, so there is no mean
    cost = _floats(cells, name, empty=empty_fails or bool(none.any()))
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
        },
    )
    return trials, schema.TABLES["traces"].empty_table()


def _traces(cells: _Cells, maximise: bool, report: Report) -> tuple[pa.Table, pa.Table]:
    evaluations, _ = _whole(cells, "evaluations", 0, 2**62, empty=False)
    value = _floats(cells, "value")
    violation = np.zeros(cells.rows)
    if "violation" in cells.columns:
        violation = _floats(cells, "violation")
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
    shift = (count - 1 - trial) * (int(rank.max(initial=0)) + 1)
    best = np.minimum.accumulate(rank + shift) - shift
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
