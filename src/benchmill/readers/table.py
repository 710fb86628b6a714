"""Tables in CSV, TSV, JSON lines, Parquet or Arrow: one row per trial, per improvement within a trial, or per published mean.

The columns are found by their names, which are the project's own unless the option `columns` says what the file calls them. In a
wide table the columns are algorithms (or runs, problems, ...), and every cell is a cost. Every cell is read as text first, so
that a problem called `007` keeps its name and a wrong cell is shown as it stands.
"""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.core.best_so_far import lowest_ranks
from benchmill.core.errors import UserError
from benchmill.core.names import normal
from benchmill.core.natural_order import natural_key
from benchmill.core.options import option
from benchmill.readers import blocks, interface, same_content, solver_runs, table_files, table_proposal
from benchmill.readers.archive import View
from benchmill.readers.interface import PLACEHOLDER, Found, Incomplete, Proposal, Report, Rule, flow, place, renamed
from benchmill.readers.selection import COLUMNS
from benchmill.readers.solver_runs import OUTCOMES, SECONDS, overrun_limit, short
from benchmill.readers.table_files import LINE, TITLE, File
from benchmill.text.display import plural
from benchmill.text.labels import shown, stem

_KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_SOLVER = ("outcome", "time_limit", "nodes", "iterations", "dual_bound", "best_value")
_OPTIONAL = ("budget", "seed", "runtime_s", "violation", "optimum", "value_kind", *_SOLVER)
#: What the columns of a wide table, the parts of a file's name and the titles of blocks can be.
_SPREAD = ("suite", "problem", "dimension", "instance", "algorithm", "run")
_KINDS = {"cost": ("cost",), "trace": ("evaluations", "value"), "summary": ("mean",)}
#: What a row of means may have beside the mean.
_OF_MEANS = ("sd", "n", "n_successes", "n_feasible")
NAMES = (*_KEYS, "cost", "evaluations", "value", "mean", *_OF_MEANS, *_OPTIONAL)

#: Cells that the tables of a source may have unless its entry says otherwise.
_MOST_CELLS = 40_000_000
#: What `outcomes` calls a solved run that claims the optimum, and words that do so by themselves.
PROVEN = "optimal"
_CLAIM = re.compile(
    r"(?!.*(?:local|sub|near|almost|approx|inaccurate|unproven|(?:non?|not)[\W_]))(?:.*[\W_])?opt(?:imal(?:ity)?|imum)?(?:[\W_].*)?",
    re.IGNORECASE,
)
_COLUMNS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}


@dataclass(frozen=True)
class Options(blocks.Options):
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
    most_cells: int = option(
        "cells that the tables of the source may have; each takes up to 100 bytes of memory", _MOST_CELLS, minimum=1
    )
    direction: str | None = option("min: smaller values are better (the default); max: larger are", None, enum=["min", "max"])
    empty: str = option(
        "failure: an empty cost is a failed trial; missing: there was no trial; error: a mistake",
        "error",
        enum=["error", "failure", "missing"],
    )
    wide: str | Mapping[str, Any] | None = option(
        "a table with a column for each algorithm (or problem, run, ...), whose cells are costs: what the columns are, such as "
        "algorithm, or a mapping {key: algorithm, columns: [...], except: [...]}; by default all columns not named elsewhere. "
        "With `sd: [...]`, the columns are means, and these their standard deviations in the same order",
        None,
        oneOf=[
            {"enum": list(_SPREAD)},
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["key"],
                "properties": {"key": {"enum": list(_SPREAD)}, "columns": _COLUMNS, "except": _COLUMNS, "sd": _COLUMNS},
            },
        ],
    )
    outcomes: Mapping[str, str] = option(
        "words in place of a cost, or in the column outcome, and what they mean, such as {TIMEOUT: time_limit}; the outcomes are "
        + ", ".join(OUTCOMES)
        + ", and optimal: solved, and beside an objective value (best_value) a claim that it is the optimum",
        {},
        type="object",
        minProperties=1,
        propertyNames={"description": "words are text: write 'True' in quotes", "type": "string"},
        additionalProperties={"enum": [*OUTCOMES, PROVEN]},
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
    decimal: str = option("what stands before the decimals of numbers: a point, or a comma (1,5)", ".", enum=[".", ","])
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
    sheet: str | None = option(
        "the sheet of a workbook (.xlsx) that has several; reading one needs openpyxl", None, type="string", minLength=1
    )
    separator: str | None = option(
        "the one character between two cells, a blank for any number of blanks; by default told from the header",
        None,
        type="string",
        minLength=1,
        maxLength=1,
    )

    @property
    def meanings(self) -> dict[str, str]:
        """Return the outcome that each word stands for."""
        return {word: "solved" if meant == PROVEN else meant for word, meant in self.outcomes.items()}

    def claims_optimum(self, word: str) -> bool:
        """Return True if a word of a solved run claims that its value is the optimum."""
        return self.outcomes.get(word, word) == PROVEN or _CLAIM.fullmatch(word.strip()) is not None


RULES: dict[str, Rule] = {
    "budget_from_trace": Rule(
        "repaired",
        "The budget of a trial is not stated, or its rows go beyond it; its largest number of evaluations is its budget.",
    ),
    "runs_in_a_row": Rule(
        "repaired",
        "No column tells runs apart, and the evaluations of rows that otherwise are of one run begin again. Each time they do, a "
        "new run begins.",
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
        "Many costs are the same and the largest, or lie just above a usual limit, as where runs that failed have the time "
        "limit, a multiple of it, or what it took to stop in place of a time. They count as solved unless the entry says "
        "so (`time_limit`, `penalty`).",
        doubtful=True,
    ),
    "beyond_limit": Rule(
        "noted",
        "A time that is written as more than a number, such as `>7200`: the run had not ended by then. It is a failure, and the "
        "number is its time limit.",
    ),
    "stands_for_none": Rule(
        "noted",
        "A cost is a power of ten from 1e20 on, which solvers write for infinity. It counts as it stands unless the source's "
        "entry says what it means (`outcomes`).",
        doubtful=True,
    ),
    "row_of_totals": Rule(
        "noted",
        "A row whose problem is called total, average, or the like. It counts as a problem unless the source's entry leaves it "
        "out (`where`).",
        doubtful=True,
    ),
    "outcome_not_used": Rule(
        "noted",
        "A column that by its words, or its name and its words, says how runs ended, or by its name and its numbers what their "
        "limit was, is not read. Every run with a cost counts as solved unless the source's entry names it (`columns`, "
        "`outcomes`); in a wide table, where a column can be of one algorithm alone, give every run a row first.",
        doubtful=True,
    ),
    "key_not_used": Rule(
        "noted",
        "A column that by its name is a dimension, an instance, a suite (or, in rows of improvements, a run or a seed) is not "
        "read, and rows differ in it that otherwise are of one run, or repetitions. They count as such unless the source's entry "
        "names it (`columns`).",
        doubtful=True,
    ),
    "several_quantities": Rule(
        "noted",
        "A column that is not read says by its name what was measured (a metric, an indicator), and rows of one algorithm on one "
        "problem differ in it. They count as repetitions; `where` chooses those of one.",
        doubtful=True,
    ),
    "several_budgets": Rule(
        "noted",
        "Rows of one algorithm on one problem have different budgets. They count as repetitions; `where` chooses those of one "
        "budget.",
        doubtful=True,
    ),
    "solved_in_doubt": Rule(
        "noted",
        "A run counts as solved by its outcome, and a column that is not read, which has a word of success for most solved runs, "
        "has another one for it; it stays solved.",
    ),
    "penalised": Rule("noted", "A failure has a multiple of the time limit in place of its time, which is not known."),
    "impossible_time": Rule("refused", "A row states a negative time; it is left out, and its trial is missing."),
    "solved_beyond_limit": Rule("noted", "A run is stated as solved with a time beyond its limit; it counts as solved."),
    "file_not_used": Rule("noted", "A file whose name does not fit `file_pattern`; it is not read."),
    "direction_assumed": Rule(
        "noted", "The source's entry does not say whether smaller or larger values are better (`direction`); smaller is taken."
    ),
    "mean_and_sd": Rule(
        "noted",
        "A cell is a mean with a number behind it, as in `1.5 ± 0.2`, which is taken for the standard deviation of the runs; "
        "marks of tests and of bold type are left out.",
    ),
    "runs_not_stated": Rule("noted", "A mean without the number of runs behind it (`n`); it counts as one run."),
    "solvers_disagree": solver_runs.RULES["solvers_disagree"],
    **same_content.RULES,
    **table_files.RULES,
    "row_before_first": blocks.RULES["row_before_first"],
    "column_not_used": Rule(
        "noted", "A column that has none of benchmill's names and that `columns` does not mention; it is not read."
    ),
}

_INTEGER = r"^[+-]?[0-9]{1,18}(\.0*)?$"
_NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_SUFFIX = re.compile(r"\.(csv|tsv|tab|txt|jsonl|ndjson|parquet|pq|arrow|feather|xlsx|xlsm)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
#: A number with commas between thousands; with one comma alone it may be a decimal one.
_THOUSANDS = r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?"
#: A number with a decimal comma, also in front of a unit or behind a sign.
_WITH_COMMA = r"^([^0-9]*[0-9]+),([0-9]+)"
_UNIT = r"^(?P<number>[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>ns|us|µs|ms|s|sec|min|h|d)$"
#: A time that a run took more than.
_AT_LEAST = r"[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d)?"
_BEYOND = rf"^(?:(?:>\s*=?|≥)\s*{_AT_LEAST}|{_AT_LEAST}\s*\+)$"
_TIMES = ("cost", "runtime_s", "time_limit")
#: A mean with its standard deviation, which may be missing, and a mark that says how it compares; what bold type leaves.
_MEAN_AND_SD = (
    rf"^\s*(?P<mean>{_NUMBER[1:-1]})?\s*(?:±|\+/?-|\\pm)\s*(?:(?P<sd>{_NUMBER[1:-1]})|[-–—]*)\s*(?:\(?[-+=≈~−†*]\)?)?\s*$"
)
_BOLD = r"[$*`{}]|\\(?:text|math)bf"
#: How often the largest number is there, at least, to be asked about, on how many problems, and among how many other numbers.
_OFTEN, _SHARE, _PROBLEMS, _OTHERS = 5, 0.02, 3, 20
#: Powers of ten from here to `PLACEHOLDER` are what solvers write for infinity: 1e20 (CPLEX, SCIP), 1e30 (formats of models).
_INFINITY = 1e20
_POWER_OF_TEN = r"\+?(?:10*(?:\.0*)?|1(?:\.0*)?[eE]\+?[0-9]+)"
#: Names of rows in which tables have what is made of the others.
_TOTAL = (
    r"(?:(?:shifted|geometric|geom\.?|arithmetic|overall|grand)\s*)?"
    r"(?:total|sum|average|avg\.?|mean|geo-?mean|sgm|median|std\.?(?: ?dev\.?)?|overall|all)(?: (?:time|rank))?"
)
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
    if head.startswith(table_files.TYPED):
        # a folder may have a zip of something else
        return Found("table") if not head.startswith(b"PK") or _SUFFIX.search(name) or view.kind == "file" else None
    try:
        head = table_files.plain(name, head[: len(head) // 2 * 2])
    except UserError:
        return None
    if b"\0" in head:
        return None
    if re.match(rb'\s*(?:\[\s*)?\{\s*"[^"\n]+"\s*:', head):
        return Found("table")
    lines = [
        line
        for line in head.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    # the last line of the head may be a part of one
    lines = _unframed(lines[:-1] if len(lines) > 3 else lines)
    if len(lines) < 2:
        return None
    separator = table_files.separator_of(lines[0])
    names = [cell.strip().strip('"') for cell in lines[0].split(separator)]
    if (joined := table_files.joined_names([line.encode() for line in lines[:3]], separator)) is not None:
        names = joined[0]
    # the first column may be an index without a name
    plain = all(re.search(r"[A-Za-z]", n) for n in (names if names[0] else names[1:]))
    if len(names) < 2 or not plain or ("," in separator and lines[1].count(separator) < len(names) - 1):
        return None
    return Found("table")


def read(view: View, options: Options, report: Report) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Read all rows, in natural order of suite, problem and dimension, then in order of appearance.

    A table of costs gives a trial a row (`cost`; `inf` in any case is a failure); repeated keys are numbered as runs. A table of
    improvements (`evaluations`, `value`) gives a trace and a trial for each set of equal keys, `run` and `seed`. A table of
    means (`mean`, and `sd` and `n`) gives one row per mean; with `n_successes`, the mean of the
    successful runs, of which there may be none.

    Raises
    ------
    UserError
        A column that is needed is absent or given twice, a cell is empty or no number, rows are of unequal length, or
        two rows have the same keys and the same run.
    """
    cells = _load(view, options, report)
    maximise = options.direction == "max"
    if cells.kind == "trace":
        if options.direction is None:
            report.add("direction_assumed", cells.files[0].name, 1, "smaller values are taken to be better")
        yield _traces(cells, maximise, options.counted_from, report)
    else:
        yield _costs(cells, maximise, options, report)


# ---- rows -----------------------------------------------------------------------------------------------------------

#: Number of the file of a row; the column that several make together, and those of a wide table and of what it spreads.
_FILE, _JOINED, _COST, _SPREAD_KEY = "\0file", "\0joined ", "\0cost", "\0key"
#: Costs as they stand in the file, where words and signs have been taken out.
_STATED = "\0stated"


@dataclass
class _Cells:
    """The rows of all files as text, by benchmill's names."""

    kind: str
    files: list[File]
    frame: pd.DataFrame
    called: dict[str, str]
    spread: str | None = None
    """Key that was spread over the columns of a wide table."""
    unit: str | None = None
    """Unit of times that have none of their own."""

    @property
    def rows(self) -> int:
        return len(self.frame)

    def __contains__(self, name: str) -> bool:
        return name in self.frame

    def text(self, name: str) -> pa.Array:
        """A column."""
        column = pa.array(self.frame[name], pa.string())
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column

    def only(self, keep: np.ndarray) -> _Cells:
        """Some of the rows: their numbers, or where they are."""
        return replace(self, frame=self.frame[keep] if keep.dtype == bool else self.frame.iloc[keep])

    def at(self, row: int) -> tuple[str, int]:
        """File and line of a row."""
        return self.files[self.frame[_FILE].iat[row]].name, int(self.frame[LINE].iat[row])

    def sources(self, rows: np.ndarray) -> list[str]:
        """File and line of rows, as text."""
        pairs = zip(self.frame[_FILE].to_numpy()[rows].tolist(), self.frame[LINE].to_numpy()[rows].tolist(), strict=True)
        return [f"{self.files[file].name}:{line}" for file, line in pairs]

    def shown(self, name: str, row: int) -> str:
        """A cell, for messages."""
        stated = _STATED if name == "cost" and _STATED in self.frame else name
        return shown(self.frame[stated].iat[row])

    def wrong(self, row: int, name: str, expected: str) -> UserError:
        """What to raise about a cell."""
        text = self.shown(name, row)
        found = f"is {text!r}" if text else "is empty"
        column = self.frame[self.spread].iat[row] if self.spread and name in ("cost", "mean", "sd") else self.called[name]
        return UserError(f"{place(*self.at(row))}: column {shown(column)!r} {found}; expected {expected}.")


def propose(view: View, options: Mapping[str, Any]) -> Iterator[Proposal]:
    """Propose what the entry of a table could say; see `benchmill.readers.table_proposal`."""
    if "columns" in options and not all(c in NAMES for c in options["columns"]):
        return
    layout = _layout(view, options)
    try:
        table, given, _ = _files(view, Options(**{**options, **layout}), Report(RULES))
    except UserError:
        return
    frame = pd.DataFrame({column: table[column].str.strip() for column in _present(table)})
    commas = () if "decimal" in options else _decimal_commas(frame)
    if commas:
        layout["decimal"] = ","
        frame[list(commas)] = frame[list(commas)].replace(_WITH_COMMA, r"\1.\2", regex=True)
    told = {**options, "constants": {**dict.fromkeys(given, ""), **options.get("constants", {})}}
    proposal = table_proposal.propose(frame, told, NAMES, stem(view.name), "header" in layout)
    if proposal is None:
        return
    yield replace(
        proposal, options=layout | (_with_header(list(frame), proposal.options) if "header" in layout else proposal.options)
    )


def _decimal_commas(frame: pd.DataFrame) -> tuple[str, ...]:
    """The columns with numbers that have a comma before their decimals; none where a comma may stand between thousands."""
    cells = {column: pd.Series(frame[column].unique()) for column in frame}
    number = r"[+-]?[0-9]+{}[0-9]+(?:[eE][+-]?[0-9]+)?(?:\s*[a-zµ]+)?"
    commas = {column: of[of.str.fullmatch(number.format(","))] for column, of in cells.items()}
    found = pd.concat([*commas.values()]) if commas else pd.Series(dtype=str)
    pointed = any(of.str.fullmatch(number.format(r"\.")).any() for of in cells.values())
    if pointed or not len(found) or found.str.fullmatch(_THOUSANDS).all():
        return ()
    return tuple(column for column, of in commas.items() if len(of))


def _layout(view: View, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a table without a header line needs to be read at all: a separator, titles, names of columns."""
    name = next((m.name for m in view.members if view.kind == "file" or _SUFFIX.search(m.name)), None)
    data = view.unpacked(name) if name and "header" not in options else b""
    if not table_files.is_text(data):
        return {}
    text = table_files.plain(view.name, data)[:65536].decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    lines = _unframed(lines[:-1] if len(data) > 65536 else lines)
    if len(lines) < 2:
        return {}
    longest = max(lines, key=len)
    layout: dict[str, Any] = {}
    separator = options.get("separator") or table_files.separator_of(longest)
    if separator not in longest:
        separator = layout["separator"] = " "
    split = [line.split() if separator == " " else next(csv.reader([line], delimiter=separator)) for line in lines]
    counts = [len(cells) for cells in split]
    if "titles" not in options and counts[0] == 1 and max(counts) > 2 and set(counts) == {1, max(counts)}:
        layout["titles"] = "algorithm"
    first = split[counts.index(max(counts))]
    if not any(re.match(_NUMBER, cell.strip()) or re.match(_UNIT, cell.strip()) for cell in first):
        # a header, where each line has as many cells and others hold numbers
        rest = [cell for cells in split[1:] for cell in cells]
        numbers = any(re.match(_NUMBER, cell.strip()) or re.match(_UNIT, cell.strip()) for cell in rest)
        return layout if numbers and len({*counts} - {1}) == 1 else {}
    return {**layout, "header": [_unnamed(1)]}


def _unframed(lines: list[str]) -> list[str]:
    return [row for row in table_files.without_frame(lines) if row is not None]


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


def _load(view: View, options: Options, report: Report) -> _Cells:
    table, given, files = _files(view, options, report)
    mapping, constants = dict(options.columns), dict(options.constants)
    constants |= {} if options.time_limit is None else {"time_limit": options.time_limit}
    for name in given:
        if name in mapping or name in constants:
            raise UserError(
                f"{view.name}: both {name!r} in `columns` or `constants` and the file's name or titles give it; leave one out."
            )
    if options.lookup is not None:
        table = _looked_up(files[0], table, mapping, options.lookup, report)
    table = _chosen(files[0].name, table, options.where, report)
    table, mapping = _with_joined(files[0].name, table, mapping)
    spread = None
    if options.wide is not None:
        table, spread = _melted(files[0].name, table, mapping, {*given, *constants}, options.wide)
        given[spread] = _SPREAD_KEY
        mapping["cost"] = _COST
    for name in given:
        mapping.pop(name, None)
    kind, called = _assign(files[0].name, list(table), mapping, constants, given)
    if options.suite:
        called.pop("suite", None)
        given.pop("suite", None)
        constants["suite"] = options.suite
    unused = [c for c in _present(table) if c not in called.values()]
    for column in unused:
        report.add("column_not_used", files[0].name, 1, f"the column {shown(column)!r}")
    frame = table[[_FILE, LINE]].copy()
    for name, column in called.items():
        cells_of = table[column].str.strip()
        if options.decimal == "," and name not in _KEYS:
            pointed = cells_of.str.fullmatch(_NUMBER) & cells_of.str.contains(".", regex=False)
            if pointed.any():
                row = int(np.argmax(pointed))
                where = place(files[table[_FILE].iat[row]].name, int(table[LINE].iat[row]))
                raise UserError(
                    f"{where}: {cells_of.iat[row]!r} has a point, and `decimal` says that a comma stands before decimals; leave "
                    "`decimal` out, and commas between thousands out of the file."
                )
            cells_of = cells_of.str.replace(_WITH_COMMA, r"\1.\2", regex=True)
        frame[name] = cells_of
    for name, column in given.items():
        frame[name] = table[column]
    for name, value in constants.items():
        frame[name] = _plain(value)
    called = {name: column.removeprefix(_JOINED).lstrip("\0") for name, column in called.items()}
    called |= {name: name for name in (*given, *constants)}
    kind = _with_means(kind, files, frame, called, report)
    rename = options.algorithm
    if spread is None:
        others = table[[column for column in unused if column not in frame]]
        _ask_about_keys(files[0].name, pd.concat([frame, others], axis=1), {*frame}, kind == "trace", report)
    if kind == "cost":
        limit = pd.to_numeric(frame["time_limit"], errors="coerce") if "time_limit" in frame else options.time_limit or np.inf
        below = pd.to_numeric(frame["cost"], errors="coerce") < limit
        _ask_about_outcomes(files[0].name, table[unused], {*called}, below if spread is None else None, report)
        if spread is None and "outcome" in frame:
            meanings: Mapping[str, str] = {PROVEN: "solved", **options.meanings}
            solved = frame["outcome"].map(lambda word: OUTCOMES.get(meanings.get(word, word)) is True)
            _doubt(table[solved.to_numpy(bool)], unused, files, report)
    if "algorithm" not in frame:
        if not isinstance(rename, str):
            raise _lacking(files[0].name, "algorithm", _present(table))
        frame["algorithm"] = rename
        called["algorithm"] = "algorithm"
    elif rename is not None:
        frame["algorithm"] = frame["algorithm"].map(renamed(frame["algorithm"].unique().tolist(), rename, files[0].name))
    if kind == "cost":
        _tell_several(files[0].name, frame, frame.get("budget"), "several_budgets", "budgets", report)
    if kind != "trace":
        for column in table_proposal.quantities(unused):
            several = _tell_several(files[0].name, frame, table[column], "several_quantities", f"{shown(column)}s", report)
            if several:
                question = f"Which {shown(column)!r} is compared, and are larger values of it better (`direction: max`)?"
                report.asked.append(Proposal({"where": {column: several[0]}}, (question,)))
    if frame.empty:
        raise UserError(f"{files[0].name}: the table has a header line and no rows; expected at least one row.")
    report.rows_read += len(frame)
    cells = _without_open(_Cells(kind, files, frame, called, spread, options.unit), unused, report)
    return _without_empty(cells, report) if options.empty == "missing" else cells


def _with_means(kind: str, files: Sequence[File], frame: pd.DataFrame, called: dict[str, str], report: Report) -> str:
    """Take cells such as `1.5 ± 0.2` apart; what is compared are then means. The kind of the table."""
    name = {"cost": "cost", "summary": "mean"}.get(kind, "")
    if name not in frame or not frame[name].str.contains(r"±|\+/?-|\\pm").any():
        return kind
    plain = frame[name].str.replace(_BOLD, "", regex=True)
    parts = plain.str.extract(_MEAN_AND_SD)
    apart = plain.str.fullmatch(_MEAN_AND_SD)
    row = _first(apart.to_numpy(bool))
    if row is None or "sd" in frame:
        return kind
    where = files[frame[_FILE].iat[row]].name, int(frame[LINE].iat[row])
    report.add("mean_and_sd", *where, f"the cell is {shown(frame[name].iat[row])!r}", int(apart.sum()))
    frame["mean"] = parts["mean"].fillna("").where(apart, plain.str.replace(r"\s*\([-+=≈~−]\)$", "", regex=True))
    frame["sd"] = parts["sd"].fillna("")
    called["mean"] = called["sd"] = called.pop(name)
    if kind == "cost":
        del frame["cost"]
    return "summary"


def _ask_about_outcomes(file: str, unused: pd.DataFrame, known: set[str], solved: pd.Series | None, report: Report) -> None:
    """Ask about columns that are not read and look as if they said how runs ended, or at what limit.

    `solved` tells which rows count as solved by their costs: where the column says the same, nothing is to be asked. In a wide
    table there are no such rows, and a column may be of one algorithm alone, so that no entry can name it.
    """
    unused = unused.apply(lambda column: column.str.strip())
    columns, words = table_proposal.outcome_columns(unused, known)
    if solved is not None and (status := columns.get("outcome")) is not None:
        meant = unused[status].map(table_proposal.meanings(status, unused[status])).map(OUTCOMES)
        if not (solved & (meant == False)).any():  # noqa: E712, None is neither
            del columns["outcome"]
            words = {}
    for role, column in columns.items():
        report.add("outcome_not_used", file, 1, f"the column {shown(column)!r} looks like `{role}`")
    if columns and solved is not None:
        named = " and ".join(f"{shown(column)!r}" for column in columns.values())
        question = f"Do columns that are not read, {named}, say how runs ended and what their limits were?"
        report.asked.append(Proposal({"columns": columns} | ({"outcomes": words} if words else {}), (question,)))


def _tell_several(file: str, frame: pd.DataFrame, cells: pd.Series | None, rule: str, what: str, report: Report) -> list[str]:
    """Note costs at different budgets, or of different quantities, that count as repetitions. Some that are."""
    if cells is None:
        return []
    keys = [name for name in _KEYS if name in frame and name != "run"]
    several = cells.groupby([frame[name] for name in keys], sort=False).agg(["nunique", "unique"])
    several = several[several["nunique"] > 1]
    found = sorted(several["unique"].iloc[0], key=natural_key) if len(several) else []
    if found:
        listed = ", ".join(map(shown, found[:4])) + (", ..." if len(found) > 4 else "")
        report.add(rule, file, 1, f"{what} such as {listed} of one algorithm on one problem", len(several))
    return found


def _ask_about_keys(file: str, frame: pd.DataFrame, known: set[str], course: bool, report: Report) -> None:
    """Ask about columns that are not read, and by their names tell apart what is taken for one run, or for repetitions."""
    columns = table_proposal.keys_not_used(frame, known, course)
    for role, column in columns.items():
        report.add("key_not_used", file, 1, f"the column {shown(column)!r} looks like `{role}`")
    if columns:
        named = " and ".join(f"{shown(column)!r}" for column in columns.values())
        report.asked.append(Proposal({"columns": columns}, (f"Do columns that are not read, {named}, tell runs apart?",)))


def _doubt(solved: pd.DataFrame, unused: Sequence[str], files: Sequence[File], report: Report) -> None:
    """Note solved runs for which a column that is not read has no word of success, where it has one for most."""
    for column in unused:
        words = solved[column].str.strip()
        said = words[words != ""]
        if not 1 < said.nunique() <= _MOST_WORDS:
            continue
        success = said.map({word: OUTCOMES[table_proposal.meaning(word)] is True for word in said.unique()}).astype(bool)
        if success.mean() <= 0.5:
            continue
        for row in success.index[~success]:
            where = files[solved.at[row, _FILE]].name, int(solved.at[row, LINE])
            report.add("solved_in_doubt", *where, f"the column {shown(column)!r} has {shown(words[row])!r}")


def _present(columns: Iterable[str]) -> list[str]:
    """The columns that a person knows."""
    return [column for column in columns if not column.startswith("\0")]


def _files(view: View, options: Options, report: Report) -> tuple[pd.DataFrame, dict[str, str], list[File]]:
    """The rows of all files one below the other, the columns that names and titles give, and the files."""
    files: list[File] = []
    frames: list[pd.DataFrame] = []
    parts: dict[str, str] = {}
    cells = 0
    pattern = _pattern(options.file_pattern) if options.file_pattern is not None else None
    contents = same_content.Contents(view, report)
    for member in view.members:
        if pattern:
            match = pattern.search(member.name)
            if not match:
                report.add("file_not_used", member.name, None, f"`file_pattern` is {shown(str(options.file_pattern))!r}")
                continue
            parts = match.groupdict()
        elif view.kind != "file" and not _SUFFIX.search(member.name):
            continue
        data = view.unpacked(member.name)
        cells += table_files.cells(data)
        if cells > options.most_cells:
            raise UserError(
                f"{member.name}: the tables of the source have more than {options.most_cells} cells and are held as a whole; "
                "give them without what is not needed, or say in the source's entry how many there may be (`most_cells: ...`)."
            )
        contents.compare(member.name, None)
        file = table_files.read(
            member.name, data, report, options.header, options.separator, options.titles is not None, options.sheet
        )
        if not data.isascii():
            file = replace(file, frame=_composed(file.frame))
        if files and set(file.frame) != set(files[0].frame):
            raise UserError(
                f"{member.name}: its columns are {_present(file.frame)}, those of {files[0].name!r} are "
                f"{_present(files[0].frame)}; give tables of different columns as sources of their own."
            )
        frames.append(file.frame.assign(**{_FILE: len(files)}, **{f"\0{name}": part for name, part in parts.items()}))
        files.append(replace(file, frame=file.frame[-1:]))
    if not files:
        named = (
            f"fits `file_pattern` {shown(str(options.file_pattern))!r}"
            if pattern
            else "is a table (.csv, .tsv, .txt, .jsonl, .parquet or .arrow)"
        )
        raise UserError(f"{view.name}: no file in it {named}; correct the path or the pattern.")
    given = {name: f"\0{name}" for name in parts}
    if options.titles:
        given[options.titles] = TITLE
    return pd.concat(frames, ignore_index=True), given, files


def _composed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the cells and the names of columns in the composed form of Unicode."""
    return frame.apply(lambda cells: cells if cells.name == LINE else cells.map(normal)).rename(columns=normal)


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


def _looked_up(file: File, table: pd.DataFrame, mapping: Mapping[str, Any], path: str, report: Report) -> pd.DataFrame:
    """The table with the columns of the one at `path` that `mapping` names, and without their common column unless it does."""
    name = Path(path).name
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the table cannot be read ({error.strerror}); correct `lookup`.") from None
    blank = not table_files.has_separator(data.partition(b"\n")[0])
    other = table_files.read(name, data, report, (), " " if blank else None, False)
    found = other.frame
    if other.open_column is not None:
        what = f"the cell in column {shown(other.open_column)!r} is the end of the file"
        report.add("cut_line", name, int(found[LINE].iat[-1]), what)
        found = found[:-1]
    common = [column for column in _present(found) if column in table]
    if len(common) != 1:
        raise UserError(
            f"{name}: it has {common or 'none'} of the columns {_present(table)} of {file.name!r}; a lookup needs exactly "
            "one column in common: rename the others."
        )
    key = common[0]
    found = found.assign(**{key: found[key].str.strip()})
    asked = table[key].str.strip()
    again = found[key].duplicated()
    if again.any():
        line, cell = found.loc[again, [LINE, key]].iloc[0]
        raise UserError(f"{place(name, line)}: {shown(cell)!r} occurs again in {key!r}; a lookup has each once.")
    unknown = ~asked.isin(found[key])
    if unknown.any():
        first = table[unknown].iloc[0]
        where = place(file.name, int(first[LINE])) if first[_FILE] == 0 else file.name
        raise UserError(
            f"{where}: {shown(first[key].strip())!r} is not in the column {key!r} of the lookup {name!r}; add it there, "
            "or take the right table."
        )
    named = {c for columns in mapping.values() for c in ([columns] if isinstance(columns, str) else columns)}
    wanted = [column for column in _present(found) if column in named and column != key]
    joined = table.assign(**{key: asked}).merge(found[[key, *wanted]], on=key, how="left", validate="many_to_one")
    return joined if key in named else joined.drop(columns=key)


def _chosen(file: str, table: pd.DataFrame, where: Mapping[str, Any], report: Report) -> pd.DataFrame:
    """The rows that `where` does not leave out by a column of the file."""
    if report.selection is None:
        return table
    kept = np.ones(len(table), bool)
    for column in where:
        if column in table:
            kept &= report.selection.mask(column, table[column])
            report.selection.done.add(column)
        elif column not in COLUMNS:
            raise _no_column(file, "where", column, _present(table))
    report.selection.check(file, report.selection.done)
    if not kept.all():
        report.add("not_chosen", file, None, f"{(~kept).sum()} rows", int((~kept).sum()))
    return table[kept].reset_index(drop=True)


def _with_joined(file: str, table: pd.DataFrame, mapping: dict[str, Any]) -> tuple[pd.DataFrame, dict[str, str]]:
    """The table with columns for the names that several columns of the file make together, their cells joined with a blank."""
    result: dict[str, str] = {}
    made_of: set[str] = set()
    for ours, theirs in mapping.items():
        if isinstance(theirs, str):
            result[ours] = theirs
            continue
        for column in theirs:
            if column not in table:
                raise _no_column(file, ours, column, _present(table))
        result[ours] = _JOINED + " ".join(theirs)
        first, *more = (table[column].str.strip() for column in theirs)
        table = table.assign(**{result[ours]: first.str.cat(more, sep=" ") if more else first})
        made_of |= set(theirs)
    # what a joined column is made of is used, and is none of benchmill's own names any more
    return table.rename(columns={column: f"\0{column}" for column in made_of}), result


def _melted(
    file: str, table: pd.DataFrame, mapping: Mapping[str, str], taken: set[str], wide: str | Mapping[str, Any]
) -> tuple[pd.DataFrame, str]:
    """A wide table as a long one, row by row: with a column of costs and one of what was spread; and the key that this is."""
    wide = {"key": wide} if isinstance(wide, str) else wide
    present = _present(table)
    deviations = wide.get("sd", ())
    for column in [*wide.get("columns", ()), *wide.get("except", ()), *deviations]:
        if column not in present:
            raise _no_column(file, "wide", column, present)
    if deviations and len(deviations) != len(wide.get("columns", ())):
        raise UserError(
            f"{file}: `wide` has {plural(len(deviations), 'column')} of standard deviations (`sd`) for "
            f"{len(wide.get('columns', ()))} of means (`columns`); name one for each."
        )
    for mean, sd in zip(wide.get("columns", ()), deviations, strict=False):
        table = table.assign(**{mean: table[mean].str.cat(table[sd], sep=" ± ")})
    table = table.drop(columns=[*deviations])
    present = [column for column in present if column not in deviations]
    own = {c for c in present if c in NAMES and c not in ("cost", "value", "mean")} - set(wide.get("columns", ()))
    other = {*mapping.values(), *wide.get("except", ())} | own
    spread = wide.get("columns") or [c for c in present if c not in other]
    for ours, theirs in mapping.items():
        if theirs not in present:
            raise _no_column(file, ours, theirs, present)
    if not spread or "cost" in mapping or wide["key"] in mapping or wide["key"] in taken:
        why = "no column is left to spread" if not spread else f"{wide['key']!r} or the cost is given elsewhere"
        raise UserError(f"{file}: the table is `wide`, but {why}; name its columns in `wide`.")
    kept = [c for c in table if c not in spread]
    long = table.melt(kept, spread, var_name=_SPREAD_KEY, value_name=_COST, ignore_index=False)
    return long.sort_index(kind="stable").reset_index(drop=True), wide["key"]


def _without_open(cells: _Cells, unused: list[str], report: Report) -> _Cells:
    """Leave out the last row of a file, or of a wide table its last cell, where what is read of it may be cut."""
    keep = np.ones(cells.rows, bool)
    for number, file in enumerate(cells.files):
        if file.open_column is None or file.open_column in unused:
            continue
        line = int(file.frame[LINE].iat[-1])
        mine = (cells.frame[_FILE].to_numpy() == number) & (cells.frame[LINE].to_numpy() == line)
        if cells.spread is not None:
            of_column = mine & (cells.frame[cells.spread] == file.open_column).to_numpy()
            mine = of_column if of_column.any() else mine
        report.add("cut_line", file.name, line, f"the cell in column {shown(file.open_column)!r} is the end of the file")
        keep &= ~mine
    if not keep.any():
        where = place(*cells.at(cells.rows - 1))
        raise UserError(f"{where}: its only row may be cut; end it with a line break if it is whole.")
    return cells.only(keep)


def _without_empty(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows without a cost."""
    name = "mean" if cells.kind == "summary" else "cost"
    if cells.kind == "trace":
        return cells
    empty = (cells.frame[name] == "").to_numpy()
    for row in np.flatnonzero(empty).tolist():
        report.add("empty_is_missing", *cells.at(row), f"no {name} of {cells.shown('algorithm', row)}")
    return cells.only(~empty)


def _without_duplicates(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows that are equal to an earlier one in every column."""
    again = cells.frame.drop(columns=[_FILE, LINE]).duplicated().to_numpy()
    for row in np.flatnonzero(again).tolist():
        report.add("duplicate_row", *cells.at(row), f"{cells.shown('problem', row)}, run {cells.shown('run', row)}")
    return cells.only(~again)


def _without_negative_times(cells: _Cells, report: Report) -> _Cells:
    """Leave out the rows whose cost, which the source's entry declares to be a time, is negative."""
    negative = pc.match_substring_regex(cells.text("cost"), r"^-[0-9.]*[1-9]").to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(negative).tolist():
        report.add("impossible_time", *cells.at(row), f"a time of {cells.shown('cost', row)}")
        where = [_text(cells, name, False)[row].as_py() for name in ("algorithm", "suite", "problem", "dimension", "instance")]
        where[3] = int(where[3]) if where[3] and where[3].isdigit() else None
        report.expect((str(where[0]), where[1], str(where[2]), where[3], where[4]))
    return cells.only(~negative)


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _no_column(file: str, ours: str, theirs: str, present: list[str]) -> UserError:
    near = difflib.get_close_matches(theirs, present, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(shown(p) for p in _present(present))}."
    option = f"`{ours}` names" if ours in ("wide", "where") else f"`columns` takes {ours!r} from"
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
        names = _present(present)
        if names and all(re.match(_NUMBER, name) for name in names):
            what = f"{file}: the first line has numbers ({', '.join(names[:_MOST_WORDS])}) in place of names"
            raise Incomplete(what, "name the columns in `header`, such as `header: [evaluations, problem, value]`")
        raise Incomplete(
            f"{file}: no column gives values (`cost`, or `evaluations` and `value`, or `mean`); it has "
            f"{', '.join(map(shown, names))}",
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
        f"{file}: no column gives {name!r}; it has {', '.join(shown(p) for p in _present(present))}",
        f"say which in `columns` ({{{name}: ...}}), or give it once in `constants`",
    )


# ---- cells ----------------------------------------------------------------------------------------------------------


def _first(mask: np.ndarray) -> int | None:
    return int(np.argmax(mask)) if mask.any() else None


def _floats(cells: _Cells, name: str, empty: bool = False) -> np.ndarray:
    """A column as numbers; NaN where a cell is empty, which is an error unless allowed."""
    text = cells.text(name)
    factor: np.ndarray | float = 1.0
    if name in _TIMES:
        text, factor = _units(cells, name)
    blank = pc.equal(text, "").to_numpy(zero_copy_only=False)
    fine = pc.match_substring_regex(text, _NUMBER).to_numpy(zero_copy_only=False)
    row = _first(~fine & ~(blank if empty else np.zeros_like(blank)))
    if row is not None:
        hint = " (or declare `empty: failure`)" if blank[row] and name in ("cost", "mean") else ""
        if re.fullmatch(_THOUSANDS, cell := text[row].as_py()):
            hint = f" (between thousands there is no comma: {cell.replace(',', '')}"
            hint += "; or declare `decimal: ','`, if decimals follow it)" if re.fullmatch("[^,]*,[0-9]*", cell) else ")"
        elif re.fullmatch(r"[+-]?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?", cell):
            hint = " (or declare `decimal: ','`)"
        elif match := re.fullmatch(r"(\S+) ?\((\S+)\)", cell):
            hint = f" (if the second is the standard deviation, write `{match[1]} ± {match[2]}`)"
        wrong = cells.wrong(row, name, f"a number or inf{hint}")
        raise wrong if name != "cost" or cells.kind != "cost" else _with_words(wrong, cells, row)
    numbers = np.full(len(text), np.nan)
    if fine.any():
        numbers[fine] = pc.utf8_ltrim(text.filter(pa.array(fine)), "+").cast(pa.float64()).to_numpy()
    return numbers * factor


def _with_words(wrong: UserError, cells: _Cells, row: int) -> UserError:
    """What to raise about a cost that is no number: all words in the place of costs, if it is one of them."""
    words = table_proposal.words_of(cells.frame["cost"])
    if cells.frame["cost"].iat[row] not in words:
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
    what = f"column {shown(cells.called[name])!r} is {cells.shown(name, row)}"
    report.add("placeholder", *cells.at(row), what, int(large.sum()))
    return np.where(large, np.inf, cost)


def _units(cells: _Cells, name: str) -> tuple[pa.Array, np.ndarray | float]:
    """A column of times without their units, and what turns each into seconds."""
    text = cells.text(name)
    own = pc.match_substring_regex(text, _UNIT)
    if not pc.any(own).as_py():
        return text, SECONDS[cells.unit] if cells.unit else 1.0
    marked = own.to_numpy(zero_copy_only=False)
    bare = ~marked & pc.match_substring_regex(text, r"^[+-]?[0-9.]").to_numpy(zero_copy_only=False)
    row = _first(bare)
    if row is not None and cells.unit is None:
        raise cells.wrong(row, name, "a time with its unit, as other cells have it, or `unit` in the source's entry")
    parts = pc.extract_regex(text, _UNIT)
    units = parts.field("unit").to_pylist()
    default = SECONDS[cells.unit] if cells.unit else 1.0
    factor = np.array([SECONDS[u] if m else default for u, m in zip(units, marked.tolist(), strict=True)])
    return pc.if_else(own, parts.field("number"), text), factor


def _whole(cells: _Cells, name: str, least: int, largest: int, empty: bool) -> tuple[np.ndarray, np.ndarray]:
    """A column of whole numbers, and where cells are empty."""
    text = cells.text(name)
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
    if name not in cells:
        return pa.nulls(cells.rows, pa.string())
    text = cells.text(name)
    blank = pc.equal(text, "")
    row = _first(blank.to_numpy(zero_copy_only=False))
    if row is not None and needed:
        raise cells.wrong(row, name, f"the name of the {name}")
    return pc.if_else(blank, pa.scalar(None, pa.string()), text)


@dataclass
class _Keyed:
    """The keys of all rows: Arrow columns, and numbers that are equal where the keys are."""

    columns: dict[str, pa.Array]
    order: np.ndarray
    """Rank of suite, problem and dimension of each row in natural order."""
    code: np.ndarray
    """Number of the keys without the run."""


def _keyed(cells: _Cells) -> _Keyed:
    columns = {
        name: _text(cells, name, name in ("problem", "algorithm")) for name in ("suite", "problem", "instance", "algorithm")
    }
    dimension = pa.nulls(cells.rows, pa.int32())
    if "dimension" in cells:
        numbers, blank = _whole(cells, "dimension", 1, 2**31 - 1, empty=True)
        dimension = pa.array(numbers, pa.int32(), mask=blank)
    columns["dimension"] = dimension
    codes = pd.DataFrame({name: _natural_ranks(column) for name, column in columns.items()})
    return _Keyed(columns, _numbered(codes[["suite", "problem", "dimension"]]), _numbered(codes))


def _numbered(keys: pd.DataFrame) -> np.ndarray:
    """A number for each row, equal where the keys are, in their order."""
    return np.asarray(keys.groupby(list(keys)).ngroup())


def _natural_ranks(column: pa.Array) -> np.ndarray:
    """The rank of each value of a column in natural order."""
    coded = column.dictionary_encode(null_encoding="encode")
    keys = [natural_key(None if value is None else str(value)) for value in coded.dictionary.to_pylist()]
    rank = np.empty(len(keys), np.int64)
    rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return np.asarray(rank[coded.indices.to_numpy()])


def _runs(cells: _Cells, code: np.ndarray, first_row: np.ndarray) -> np.ndarray:
    """Number of the repetition of each trial: as stated, or counted in order of appearance.

    `code` tells which trials have equal keys, `first_row` the row of each trial; trials are in order of appearance.
    """
    if "run" not in cells:
        return np.asarray(pd.Series(code).groupby(code).cumcount() + 1, np.int32)
    if cells.spread == "run":  # the columns are called run_1, run_2, ...
        cells = replace(cells, frame=cells.frame.assign(run=cells.frame["run"].str.replace(r"^\D+(?=\d+$)", "", regex=True)))
    run = _whole(cells, "run", 0, 2**31 - 2, empty=False)[0][first_row]
    if run.size and run.min() == 0:  # numbered from 0
        run = run + 1
    again = pd.DataFrame({"code": code, "run": run}).duplicated().to_numpy()
    if again.any():
        row = int(first_row[again].min())
        raise UserError(
            f"{place(*cells.at(row))}: an earlier row has the same keys and the same run "
            f"{cells.shown('run', row)!r}; number the runs apart, name the column that tells them apart in "
            "`columns`, or leave the column out."
        )
    return np.asarray(run, np.int32)


def _value_kind(cells: _Cells, rows: np.ndarray) -> list[str]:
    if "value_kind" not in cells:
        return ["absolute"] * len(rows)
    kinds: list[str] = cells.frame["value_kind"].iloc[rows].tolist()
    for row, kind in zip(rows.tolist(), kinds, strict=True):
        if kind not in ("absolute", "difference"):
            raise cells.wrong(row, "value_kind", "absolute or difference")
    return kinds


def _extras(cells: _Cells, rows: np.ndarray) -> dict[str, pa.Array]:
    """The optional columns of the trials whose first rows are `rows`."""
    extras: dict[str, pa.Array] = {}
    for name in ("runtime_s", "violation", "optimum"):
        if name in cells:
            numbers = _floats(cells, name, empty=True)[rows]
            numbers[np.isinf(numbers)] = np.nan
            extras[name] = pa.array(numbers, mask=np.isnan(numbers))
    if cells.kind == "cost":
        for name in ("dual_bound", "best_value"):
            if name in cells:
                numbers = _floats(cells, name, empty=True)[rows]
                extras[name] = pa.array(numbers, mask=~np.isfinite(numbers))
    for name, least in (("seed", -(2**62)), ("nodes", 0), ("iterations", 0)):
        if name in cells:
            numbers, blank = _whole(cells, name, least, 2**62, empty=True)
            extras[name] = pa.array(numbers[rows], mask=blank[rows])
    return extras


# ---- tables ---------------------------------------------------------------------------------------------------------


def _costs(cells: _Cells, maximise: bool, options: Options, report: Report) -> tuple[pa.Table, pa.Table]:
    name = "cost" if cells.kind == "cost" else "mean"
    cells = _without_duplicates(cells, report) if "run" in cells else cells
    words = options.meanings
    empty_fails = options.empty == "failure"
    if cells.kind == "cost" and (words or options.unit or {"outcome", "time_limit"} & set(cells.frame)):
        cells = _without_negative_times(cells, report)
    solver = _solver_columns(cells, words, options, report)
    counts = {c: _whole(cells, c, 0, 2**31 - 1, empty=True) for c in ("n_successes", "n_feasible") if c in cells}
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
    if cells.kind == "cost" and not maximise and not {"outcome", "time_limit"} & set(cells.frame):
        _ask_about_infinity(cells, cost, report)
        _ask_about_largest(cells, cost, report)
    _ask_about_totals(cells, report)

    keyed = _keyed(cells)
    order = np.argsort(keyed.order, kind="stable")
    run = _runs(cells, keyed.code, np.arange(cells.rows))
    n = np.ones(cells.rows, np.int64)
    columns: dict[str, Any] = {}
    if cells.kind == "summary":
        if "n" in cells:
            n, _ = _whole(cells, "n", 1, 2**31 - 1, empty=False)
        else:
            report.add("runs_not_stated", *cells.at(0), "no column gives `n`", count=cells.rows)
        if "sd" in cells:
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
    if "budget" in cells:
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


def _ask_about_largest(cells: _Cells, cost: np.ndarray, report: Report) -> None:
    """Ask whether the largest cost, where it is there often, is a time limit or a multiple of one, or many lie just above one."""
    finite = np.isfinite(cost) & (cost > 0)
    numbers, counts = np.unique(cost[finite], return_counts=True)
    if numbers.size <= _OTHERS:
        return
    often = max(_OFTEN, _SHARE * finite.sum())
    largest, second = numbers[-1], numbers[-2]
    if counts[-1] >= max(often, counts[-2] * 2):
        limit = None
        rows = np.flatnonzero(cost == largest)
        what = f"{len(rows)} of {finite.sum()} costs are {largest:g}, the largest"
    elif (limit := overrun_limit(cost[finite])) is not None:
        rows = np.flatnonzero(finite & (cost >= limit))
        what = f"{len(rows)} of {finite.sum()} costs are between {limit:g} and {largest:.10g}, the largest"
        largest = float(limit)
    else:
        return
    if len(rows) < often or cells.frame["problem"].iloc[rows].nunique() < _PROBLEMS:
        return
    # a limit is on the scale of the costs
    scale = SECONDS[cells.unit] if cells.unit else 1.0
    multiple = 1 if limit is not None else next((m for m in (10, 5, 2) if largest / m >= second > largest / m / 2), 1)
    options = {"time_limit": short(largest / multiple / scale)} | ({"penalty": multiple} if multiple > 1 else {})
    if multiple > 1:
        what += f", and no other is above {second:g}"
        remedy = f"if it stands for a failure at a limit of {largest / multiple:g}, say `{flow(options)}`"
    else:
        remedy = f"if {'that' if limit is None else f'{limit:g}'} is the time limit, say `{flow(options)}`"
    report.add("same_largest", *cells.at(int(rows[0])), f"{what}; {remedy}")
    if not report.asked:  # columns that say how runs ended may say this, too
        report.asked.append(Proposal(options, (f"{what}. Did these runs fail at {_limit_in_words(largest, multiple, limit)}?",)))


def _ask_about_infinity(cells: _Cells, cost: np.ndarray, report: Report) -> None:
    """Ask whether costs are failures that are powers of ten so large that solvers write them for infinity."""
    rows = np.flatnonzero(np.isfinite(cost) & (cost >= _INFINITY) & (cost < PLACEHOLDER))
    texts = cells.frame["cost"].iloc[rows]
    rows, texts = (found[texts.str.fullmatch(_POWER_OF_TEN).to_numpy(bool)] for found in (rows, texts))
    if not rows.size:
        return
    options = {"outcomes": dict.fromkeys(texts.unique().tolist(), "unknown")}
    what = f"{rows.size} of {cells.rows} costs are {', '.join(options['outcomes'])}, which solvers write for infinity"
    report.add("stands_for_none", *cells.at(int(rows[0])), f"{what}; if they are failures, say `{flow(options)}`", rows.size)
    report.asked.append(Proposal(options, (f"{what}. Are they failures?",)))


def _ask_about_totals(cells: _Cells, report: Report) -> None:
    """Ask whether rows whose problem is called total, average, or the like are made of the others."""
    problem = cells.frame["problem"]
    rows = np.flatnonzero(problem.str.fullmatch(_TOTAL, flags=re.IGNORECASE))
    if report.selection is not None and "problem" in report.selection.where:
        rows = rows[[report.selection.chosen("problem", name) for name in problem.iloc[rows]]]
    if not 0 < rows.size < cells.rows:
        return
    names = problem.iloc[rows].unique().tolist()
    options = {"where": {"problem": {"not": names}}}
    what = f"the problem {' or '.join(repr(shown(name)) for name in names)} has the name of what is made of the others"
    report.add("row_of_totals", *cells.at(int(rows[0])), f"{what}; if it is, say `{flow(options)}`", rows.size)
    report.asked.append(Proposal(options, (f"{what[0].upper()}{what[1:]}. Is it a sum or a mean of theirs?",)))


def _limit_in_words(largest: float, multiple: int, limit: float | None) -> str:
    if multiple == 1:
        return "that limit" if limit is None else f"a limit of {limit:g}"
    return f"a limit of {largest / multiple:g}, {multiple} times which stands for a failure"


@dataclass
class _SolverColumns:
    """What the rows of a table of solver runs say beside their keys."""

    cost: np.ndarray
    outcome: np.ndarray
    limit: np.ndarray
    time: np.ndarray
    proven: np.ndarray

    def ordered(self, order: np.ndarray) -> dict[str, Any]:
        """Columns of `trials`."""
        outcome = self.outcome[order]
        status = ["ill_finalised" if OUTCOMES[o] is None else "solved" if OUTCOMES[o] else "failed" for o in outcome]
        limit, time = self.limit[order], self.time[order]
        return {
            "status": status,
            "outcome": outcome.tolist(),
            "proven": self.proven[order],
            "sense_open": np.ones(len(order), bool),
            "time_limit_s": pa.array(limit, mask=np.isnan(limit)),
            "cost_budget": pa.array(limit, mask=np.isnan(limit)),
            "runtime_s": pa.array(time, mask=np.isnan(time)),
        }


def _solver_columns(cells: _Cells, words: Mapping[str, str], options: Options, report: Report) -> _SolverColumns | None:
    """Costs and outcomes of a table of solver runs; None if the source's entry declares nothing about outcomes.

    A stated outcome counts. Without one, a number below the limit is solved and one that reaches it is not; a word is what
    `outcomes` says. A failure keeps its time, unless it is a penalty.
    """
    stated = "outcome" in cells
    text = cells.text("cost") if cells.kind == "cost" else pa.array([], pa.string())
    beyond = pc.match_substring_regex(text, _BEYOND).to_numpy(zero_copy_only=False)
    if not (words or stated or beyond.any() or "time_limit" in cells) or cells.kind != "cost":
        if options.penalty is not None or words or (stated and cells.kind == "summary"):
            what = "`penalty` needs `time_limit`" if options.penalty is not None else "outcomes belong to costs of single runs"
            raise UserError(f"{cells.files[0].name}: {what}; correct the source's entry.")
        return None
    if options.direction == "max":
        raise UserError(
            f"{cells.files[0].name}: outcomes and limits belong to times, which are better when smaller; leave out `direction`."
        )
    limit = np.full(cells.rows, np.nan)
    if "time_limit" in cells:
        limit = _floats(cells, "time_limit", empty=True)
        wrong = _first((limit <= 0) | (limit >= _INFINITY))
        if wrong is not None:
            raise cells.wrong(wrong, "time_limit", f"a time above 0 and below {_INFINITY:g}, or an empty cell for none")
    outcome = np.full(cells.rows, "", dtype=object)
    coded = text.dictionary_encode()
    meaning = np.array([words.get(word, "") for word in coded.dictionary.to_pylist()] or [""], dtype=object)
    by_word = meaning[coded.indices.to_numpy(zero_copy_only=False)] if cells.rows else outcome
    worded = by_word != ""
    if stated:  # a number there is a cost, whatever the words for outcomes are
        worded &= ~pc.match_substring_regex(text, _NUMBER).to_numpy(zero_copy_only=False)
    outcome[worded] = by_word[worded]
    # a word stands in place of a number; the number of a failure may be missing too
    plain = cells.frame["cost"].mask(worded, "").mask(beyond, cells.frame["cost"].str.lstrip(">=≥ ").str.rstrip("+ "))
    number = _floats(
        replace(cells, frame=cells.frame.assign(**{"cost": plain, _STATED: cells.frame["cost"]})), "cost", empty=True
    )
    number = _without_placeholders(cells, "cost", number, report)
    limit[beyond] = number[beyond]
    outcome[beyond] = "time_limit"
    proven = np.zeros(cells.rows, bool)
    if stated:
        _state_outcomes(cells, words, outcome)
        coded = cells.text("outcome").dictionary_encode()
        claims = np.array([options.claims_optimum(word) for word in coded.dictionary.to_pylist()] or [False])
        proven = claims[coded.indices.to_numpy(zero_copy_only=False)]
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
        ("beyond_limit", beyond, "the time is beyond the limit"),
        ("censored", censored & ~penalised, "the time reaches the limit"),
        ("penalised", penalised & ~solved, "the time is a multiple of the limit"),
        ("solved_beyond_limit", reached & solved, "the time is beyond the limit"),
    ):
        row = _first(which)
        if row is not None:
            report.add(rule, *cells.at(row), f"{what} of {limit[row]:g}: {shown(text[row].as_py())}", int(which.sum()))
    time = np.where((penalised & ~solved) | np.isinf(number), np.nan, number)
    if "runtime_s" in cells:
        time = _floats(cells, "runtime_s", empty=True)
        time[np.isinf(time)] = np.nan
    failed_number = solved & ~np.isfinite(number)
    row = _first(failed_number)
    if row is not None:
        raise cells.wrong(row, "cost", "a finite time of a run that is solved")
    return _SolverColumns(np.where(solved, number, np.inf), outcome, limit, time, proven & (outcome == "solved"))


def _state_outcomes(cells: _Cells, words: Mapping[str, str], outcome: np.ndarray) -> None:
    """Outcomes from the column `outcome`, where the cost has no word of its own."""
    coded = cells.text("outcome").dictionary_encode()
    index = coded.indices.to_numpy(zero_copy_only=False)
    found: list[str] = coded.dictionary.to_pylist()
    unknown = [word for word in found if word not in words and word not in (*OUTCOMES, PROVEN)]
    if unknown:
        row = int(np.argmax(index == found.index(unknown[0])))
        wrong = cells.wrong(row, "outcome", f"a word of `outcomes`, or one of {', '.join(OUTCOMES)}")
        listed = ", ".join(repr(shown(word)) for word in unknown[:_MOST_WORDS])
        raise Incomplete(f"{str(wrong).removesuffix('.')}; such words are {listed}", "say in `outcomes` what they mean")
    for number, word in enumerate(found):
        meaning = words.get(word, "solved" if word == PROVEN else word)
        outcome[(index == number) & (outcome == "")] = meaning


def _traces(cells: _Cells, maximise: bool, counted_from: int | None, report: Report) -> tuple[pa.Table, pa.Table]:
    evaluations, _ = _whole(cells, "evaluations", 0, 2**62, empty=False)
    evaluations = evaluations + (counted_from == 0)
    early = np.flatnonzero(evaluations == 0)
    if len(early) and counted_from == 1:
        report.add("row_before_first", *cells.at(int(early[0])), "the row is at 0 evaluations", len(early))
        left = np.flatnonzero(evaluations > 0)
        cells, evaluations = cells.only(left), evaluations[left]
    value = _floats(cells, "value")
    # An infinite value that is the worst is none; one that is the best would reach every target.
    reached = _first(value == (np.inf if maximise else -np.inf))
    if reached is not None:
        raise cells.wrong(reached, "value", "a finite number, or the worst infinity for none")
    violation = np.zeros(cells.rows)
    if "violation" in cells:
        violation = _floats(cells, "violation")
        endless = _first(violation == -np.inf)
        if endless is not None:
            raise cells.wrong(endless, "violation", "a number of 0 or more")
    keyed = _keyed(cells)

    if not {"run", "seed"} & set(cells.frame):
        cells = _with_runs(cells, keyed.code, evaluations, value, report)
    # A trial is a set of rows with equal keys, run and seed.
    parts = cells.frame[[name for name in ("run", "seed") if name in cells]].assign(code=keyed.code)
    trial = parts.groupby(list(parts), sort=False).ngroup().to_numpy()
    first_row = np.unique(trial, return_index=True)[1]
    run_of = _runs(cells, keyed.code[first_row], first_row)
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
    if "violation" in cells:
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
    if "violation" in cells:
        columns["violation"] = violation[kept]
    return trials, schema.table("traces", columns)


def _with_runs(cells: _Cells, code: np.ndarray, evaluations: np.ndarray, value: np.ndarray, report: Report) -> _Cells:
    """Number the runs that stand one after the other, where one cannot have had all values of the rows with its keys."""
    rows = pd.DataFrame({"code": code, "evaluations": evaluations, "value": value})
    begins = (rows.groupby("code")["evaluations"].diff() < 0).to_numpy()
    if not begins.any() or not rows.drop_duplicates().duplicated(["code", "evaluations"]).any():
        return cells
    report.add("runs_in_a_row", *cells.at(int(np.argmax(begins))), "the evaluations begin again", int(begins.sum()))
    run = pd.Series(begins).groupby(code).cumsum() + 1
    return replace(cells, frame=cells.frame.assign(run=run.astype(str).to_numpy()), called={**cells.called, "run": "run"})


def _row_of_rank(trial: np.ndarray, rank: np.ndarray, best: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The first row of each trial that has its best rank."""
    hits = np.flatnonzero(rank == best[trial]) if count else np.zeros(0, np.int64)
    first = np.unique(trial[hits], return_index=True)[1]
    return np.asarray(rows[hits[first]])


def _budgets(
    cells: _Cells, first: np.ndarray, largest: np.ndarray, rows: np.ndarray, trial: np.ndarray, report: Report
) -> np.ndarray:
    if "budget" not in cells:
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
