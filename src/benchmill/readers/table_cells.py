"""Names of columns of tables, kinds of their cells, and these as numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Index, Mask, Numbers, UserError, beside, shown
from benchmill.readers.interface import MOST_EXAMPLES, PLACEHOLDER, Incomplete, Proposal, Report, Written, place
from benchmill.readers.solver_runs import OUTCOMES, SECONDS, known
from benchmill.readers.table_files import LINE, File

if TYPE_CHECKING:
    from benchmill.readers.table_options import Options

_DATA = beside.toml(__file__)

#: What tells trials apart.
KEYS = ("suite", "problem", "dimension", "instance", "algorithm", "run")
#: What a row of means may have beside the mean.
OF_MEANS = ("sd", "n", "n_successes", "n_feasible")
#: What belongs to costs of solver runs alone.
OF_SOLVERS = ("outcome", "time_limit", "nodes", "iterations", "dual_bound", "best_value")
#: Benchmill's names of columns.
NAMES = (
    *(*KEYS, "cost", "evaluations", "value", "mean", *OF_MEANS),
    *("budget", "seed", "runtime_s", "violation", "optimum", "value_kind", *OF_SOLVERS),
)

SMALLER = re.compile(r"(?:.*[\W_])?(?:time|seconds|ms|loss|errors?|r?mse|mae|costs?|regret|gap)(?:[\W_].*)?", re.IGNORECASE)
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?|[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
_TIME = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\s*(?:ns|us|µs|ms|s|sec|min|h|d|%)"
_NUMERIC = re.compile(rf"(?:(?:[<>]\s*=?|≥)\s*)?(?:{_NUMBER}|{_TIME})(?:\s*\+)?")
#: Names of what is made of the algorithms and is none.
VIRTUAL = r"(?:.*[\W_])?vbs(?:[\W_].*)?|(?:.*[\W_])?virtual[\W_]*best.*"
#: Cells that stand for none.
_NONE = re.compile(r"|nan|none|null|#?n[./]?a\.?|<na>|[-–—]+", re.IGNORECASE)
#: A longer text is no word and no name.
LONGEST = 100

#: Columns that no file has: the number of the file of a row, and costs as they stand in it where signs have been taken out.
FILE, STATED = "\0file", "\0stated"
#: The keys of a trial that are names.
NAMED = ("suite", "problem", "instance", "algorithm")
_WHOLE = r"[0-9]+(\.0*)?"
NUMBER = rf"^(?:{_NUMBER})$"
#: How numbers are written that are not read so.
_ANY_WRITTEN = re.compile("|".join(one["form"] for one in _DATA["written"]))
#: Signs of print, and those of a keyboard; between thousands blanks that are none of a keyboard stand for nothing.
_PRINTED = str.maketrans({"−": "-", "∞": "inf", "≤": "<=", "μ": "µ", **dict.fromkeys("\u00a0\u2009\u202f", " ")})
_BETWEEN_THOUSANDS = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
#: A time, a time for each operation, operations for each of a time, or a percentage, which stays one.
UNIT = (
    r"^(?P<number>[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?P<of>(?:ops|iter)/)?(?P<unit>ns|us|µs|ms|s|sec|min|h|d|%)(?:/op|/iter)?$"
)
_FACTORS = {**SECONDS, "%": 1.0}
_TIMES = ("cost", "mean", "sd", "runtime_s", "time_limit")
#: No evaluations, seeds or nodes are more.
LARGEST = 2**62
#: Words in place of costs that a message lists.
_MOST_WORDS = 30


# ---- names of columns, and kinds of cells ---------------------------------------------------------------------------


def all_named(columns: Iterable[str], role: str) -> list[str]:
    """Return the columns with a name of a role, the surest first."""
    names = [column for column in columns if len(column) <= LONGEST]
    # solveTime is a solve time, and f_min may be a minimum
    forms = [(name, name) for name in names] + [(re.sub(_DATA["unit_in_name"], "", name), name) for name in names]
    forms = [(re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", text), name) for text, name in forms] + forms
    plain = {re.sub(r"[\W_]+", " ", text).strip().lower(): name for text, name in reversed(forms)}
    return [*dict.fromkeys(plain[name] for name in _DATA["names"][role].split(",") if name in plain)]


def is_named(column: str, *roles: str) -> bool:
    """Return True if a column has a name of one of the roles."""
    return any(all_named([column], role) for role in roles)


def not_numbered(columns: Sequence[str]) -> list[str]:
    """Return the columns without a numbered sibling: f1 beside f2 is a function, not a score."""
    counted = filter(None, (re.fullmatch(r"(\D*)(\d+)", column) for column in columns))
    beside = {f"{match[1]}{int(match[2]) + step}" for match in counted for step in (-1, 1)}
    return [column for column in columns if column not in beside]


def unit_of(column: str) -> str | None:
    """Return the unit in the name of a column."""
    match = re.search(_DATA["unit_in_name"], column)
    unit = (match["a"] or match["b"]).lower() if match else None
    return "s" if unit in ("sec", "seconds") else unit


def larger_is_better(column: str) -> bool:
    """Return True for names such as `accuracy`."""
    return len(column) <= LONGEST and re.fullmatch(_DATA["larger"], column) is not None and not SMALLER.fullmatch(column)


def is_number(cell: str) -> bool:
    """Return True for a number, a time with a unit, and more than such a time."""
    return _NUMERIC.fullmatch(cell.strip()) is not None


def as_typed(cell: str) -> str:
    """Return a number in signs of print, such as a long minus, in those of a keyboard, and any other cell as it is."""
    typed = _BETWEEN_THOUSANDS.sub("", cell).translate(_PRINTED)
    return typed if re.fullmatch(rf"(?:{_NUMERIC.pattern}|[-+0-9.eE()± ]+)", typed.strip()) else cell


def _to_write(cell: str) -> str:
    """Return in parentheses what is to be written for a number in another form."""
    for one in _DATA["written"] if len(cell) <= LONGEST else ():
        if re.fullmatch(one["form"], cell):
            return f" ({one['words'].format(re.sub(one.get('left_out', '^$'), '', cell))})"
    return ""


def is_none(cell: str) -> bool:
    """Return True for a cell such as `NaN`."""
    return _NONE.fullmatch(cell.strip()) is not None


def meaning_in_place(word: str) -> str | None:
    """Return the failure that a word means in place of a number, as in `TO (3600s)`."""
    plain = re.sub(rf"\W*(?:{_TIME}|{_NUMBER})\W*$", "", word.strip().lower()) or word
    meant = known(plain) if len(word) <= LONGEST else None
    return meant if meant is not None and OUTCOMES[meant] is False else None


def matches(cells: pd.Series, pattern: str) -> Mask:
    """Tell which cells have a part that an expression fits."""
    return np.asarray(pc.match_substring_regex(pa.array(cells, pa.string()), pattern), bool)


def are_called(names: pd.Series, pattern: str) -> Mask:
    """Tell which names an expression fits as a whole, in small or capital letters."""
    return matches(names, rf"(?i)^(?:{pattern})$")


def words_in(cells: pd.Series) -> dict[str, int]:
    """Return how often words take the place of numbers, the most frequent first."""
    # a text with a digit is rather a number with a mistake
    return {
        str(cell): int(count)
        for cell, count in cells.value_counts().items()
        if 0 < len(cell) <= LONGEST
        and not is_number(cell)
        and (not any(character.isdigit() for character in cell) or meaning_in_place(cell))
    }


def has_sd(cells: pd.Series) -> bool:
    """Return True if cells are as in `1.5 ± 0.2`."""
    return bool(matches(cells, r"[0-9][^A-Za-z]*(?:±|\+/?-|\\pm)|^\s*[-+0-9.eE]+\s*\([0-9][-+0-9.eE]*\)\s*[-+=≈~−†*]?\s*$").any())


def holds_numbers(cells: pd.Series) -> bool:
    """Return True if at least half of the cells are numbers or failures in their place."""
    counts = cells[cells != ""].value_counts()
    numbers = counts[[is_number(cell) or _ANY_WRITTEN.fullmatch(cell[:LONGEST]) is not None for cell in counts.index]].sum()
    words = counts[[not is_number(cell) and meaning_in_place(cell) is not None for cell in counts.index]].sum()
    total = counts.sum()
    return has_sd(cells) or bool((total > 0 and numbers + words == total) or (numbers > 0 and 2 * (numbers + words) >= total))


def are_statistics(names: pd.Series) -> pd.Series:
    """Tell which names are other names followed by that of a statistic."""
    stem_of = {name: re.sub(_DATA["statistic"], "", name, flags=re.IGNORECASE) for name in names.unique() if len(name) <= LONGEST}
    return names.isin([name for name, other in stem_of.items() if name != other in stem_of])


def keys_named(frame: pd.DataFrame, columns: Iterable[str], role: str) -> list[str]:
    """Return the columns with the name and the cells of a key."""
    named = [c for c in all_named(columns, role) if role in ("suite", "instance") or frame[c].str.fullmatch(_WHOLE).all()]
    # among A, B, C, a D is an algorithm
    return [c for c in named if len(c) > 1 or sum(len(other) == 1 for other in frame) < 3]


# ---- cells as numbers and names -------------------------------------------------------------------------------------


@dataclass
class Cells:
    """The rows of all files by benchmill's names, as text, with what is said of them."""

    kind: str
    files: list[File]
    frame: pd.DataFrame
    called: dict[str, str]
    spread: str | None
    """Key that was spread over the columns of a wide table."""
    options: Options
    report: Report

    @property
    def file(self) -> str:
        """Return the name of the first file."""
        return self.files[0].name

    @property
    def rows(self) -> int:
        """Return their number."""
        return len(self.frame)

    @property
    def seconds(self) -> float:
        """Return how long the unit of times is that have none of their own."""
        return SECONDS[self.options.unit or "s"]

    @property
    def maximise(self) -> bool:
        """Return True if larger values are better."""
        return self.options.direction == "max"

    def __contains__(self, name: str) -> bool:
        return name in self.frame

    def __getitem__(self, name: str) -> pd.Series:
        return self.frame[name]

    def those(self, *names: str) -> list[str]:
        """Return the names that there are columns of."""
        return [name for name in names if name in self.frame]

    def text(self, name: str) -> pa.Array:
        """Return a column as text."""
        column = pa.array(self[name], pa.string())
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column

    def blank(self, name: str) -> Mask:
        """Tell which cells are empty."""
        return np.asarray(self[name] == "", bool)

    def kept(self, which: Mask) -> Cells:
        """Return these with some of their rows."""
        return replace(self, frame=self.frame[which])

    def without(self, which: Mask, rule: str, words: str) -> Cells:
        """Leave out rows, and report each."""
        self.each(which, rule, words)
        return self.kept(~which)

    def at(self, row: int) -> tuple[str, int]:
        """Return file and line of a row."""
        return self.files[self[FILE].iat[row]].name, int(self[LINE].iat[row])

    def sources(self, rows: Index) -> pa.Array:
        """Return file and line of rows, as text."""
        files, lines = (pa.array(self[name].to_numpy(np.int64)[rows]) for name in (FILE, LINE))
        return pc.binary_join_element_wise(pa.array([file.name for file in self.files]).take(files), lines.cast(pa.string()), ":")

    def shown(self, name: str, row: int) -> str:
        """Return a cell, for messages."""
        return shown(self[STATED if name == "cost" and STATED in self else name].iat[row])

    def tell(self, rule: str, detail: str, count: int = 1) -> None:
        """Report what is not of a single row."""
        self.report.add(rule, self.file, 1, detail, count)

    def ask(self, options: Written, *questions: str) -> None:
        """Add options with which the table may have to be read, and what its owner has to answer."""
        self.report.asked.append(Proposal(options, questions))

    def said(self, words: str, row: int, name: str = "problem", **facts: Numbers) -> str:
        """Fill in words: cells of a row by their names, a `cell` and its `column`, and what else is known of rows."""
        cells = {called: self.shown(called, row) for called in self.called if called in words}
        known = {fact: values[row] for fact, values in facts.items()}
        return words.format(**cells, **known, cell=self.shown(name, row), column=self.column(name, row))

    def note(self, which: Mask, rule: str, words: str, name: str = "problem", **facts: Numbers) -> None:
        """Report rows, if there are any, at the place of the first."""
        if (row := first_true(which)) is not None:
            self.report.add(rule, *self.at(row), self.said(words, row, name, **facts), int(which.sum()))

    def each(self, which: Mask, rule: str, words: str, name: str = "problem") -> None:
        """Report each of the rows."""
        rows = np.flatnonzero(which).tolist()
        for row in rows[:MOST_EXAMPLES]:
            self.report.add(rule, *self.at(row), self.said(words, row, name))
        if len(rows) > MOST_EXAMPLES:
            # of more there is the number alone
            self.report.counts[rule] += len(rows) - MOST_EXAMPLES

    def refuse(self, which: Mask, name: str, expected: str, **facts: Numbers) -> None:
        """Raise the error about the first of the rows, if there are any."""
        if (row := first_true(which)) is not None:
            raise self.wrong(row, name, self.said(expected, row, name, **facts))

    def wrong(self, row: int, name: str, expected: str) -> UserError:
        """Return the error about a cell."""
        text = self.shown(name, row)
        state = f"is {text!r}" if text else "is empty"
        expected += _to_write(self[name].iat[row])
        return UserError(f"{place(*self.at(row))}: column {self.column(name, row)!r} {state}; expected {expected}.")

    def spread_columns(self) -> list[str]:
        """Return the columns of a wide table that were spread."""
        return [] if self.spread is None else self[self.spread].unique().tolist()

    def column(self, name: str, row: int) -> str:
        """Return the file's name for the column of a cell, for messages."""
        return shown(self[self.spread].iat[row] if self.spread and name in ("cost", "value", "mean", "sd") else self.called[name])


def first_true(mask: Mask) -> int | None:
    """Return the first place where a mask is true."""
    return int(np.argmax(mask)) if mask.any() else None


def floats(cells: Cells, name: str, empty: bool = False) -> Array:
    """Return a column as numbers, NaN where a cell is allowed to be empty."""
    text, factor = _units(cells, name) if name in _TIMES else (cells.text(name), 1.0)
    numbers, fine = _parsed(text)
    row = first_true(~fine & ~(cells.blank(name) & empty))
    if row is not None:
        hint = (
            " (or declare `empty: failure` or `empty: missing`)"
            if is_none(text[row].as_py()) and name in ("cost", "mean")
            else ""
        )
        wrong = cells.wrong(row, name, f"a number or inf{hint}")
        raise wrong if name != "cost" or cells.kind != "cost" else _with_words(wrong, cells, row)
    return numbers * factor


def _parsed(text: pa.Array) -> tuple[Numbers, Numbers]:
    """Return numbers, NaN for any other text, and which are."""
    fine = np.asarray(pc.match_substring_regex(text, NUMBER))
    numbers = np.full(len(text), np.nan)
    plain = pc.replace_substring_regex(text.filter(fine), "[dD]", "e")  # as Fortran writes exponents
    numbers[fine] = pc.utf8_ltrim(plain, "+").cast(pa.float64()).to_numpy()
    return numbers, fine


def _with_words(wrong: UserError, cells: Cells, row: int) -> UserError:
    """Return the error about a cost that is not a number, with all words in place of costs."""
    words = words_in(cells["cost"])
    if cells["cost"].iat[row] not in words:
        return wrong
    counts = [f"{shown(word)!r} ({count})" for word, count in words.items()]
    counts[_MOST_WORDS:] = [f"and {len(counts) - _MOST_WORDS} others"] if len(counts) > _MOST_WORDS else []
    what = f"{str(wrong).removesuffix('.')}; all words in place of costs are {', '.join(counts)}"
    return Incomplete(what, "correct them, or say in `outcomes` what they mean")


def without_placeholders(cells: Cells, name: str, cost: Numbers) -> Numbers:
    """Return costs with inf for numbers too large to be one."""
    large = np.isfinite(cost) & (cost >= PLACEHOLDER)
    cells.note(large, "placeholder", "column {column!r} is {cell}", name)
    return np.where(large, np.inf, cost)


def _units(cells: Cells, name: str) -> tuple[pa.Array, Numbers | float]:
    """Return times without their units, and what turns each into seconds."""
    text, default = cells.text(name), cells.seconds
    own = pc.match_substring_regex(text, UNIT)
    if not pc.any(own).as_py():
        return text, default
    marked = own.to_numpy(zero_copy_only=False)
    bare = ~marked & pc.match_substring_regex(text, r"^[+-]?[0-9.]+[^,]*$").to_numpy(zero_copy_only=False)
    if cells.options.unit is None:
        cells.refuse(bare, name, "a number with its unit, as other cells have it, or `unit` in the source's entry")
    parts = pc.extract_regex(text, UNIT)
    seconds = parts.field("unit").to_pandas().map(_FACTORS)
    # of operations for each of a time there are more the shorter it is
    factor = seconds.where(parts.field("of").to_pandas() == "", 1 / seconds).where(marked, default)
    return pc.if_else(own, parts.field("number"), text), factor.to_numpy()


def whole(cells: Cells, name: str, least: int = 0, largest: int = 2**31 - 1, empty: bool = False) -> tuple[Numbers, Numbers]:
    """Return a column of whole numbers, and where cells are empty, if they may be."""
    text, blank = cells.text(name), cells.blank(name)
    if name == cells.spread:  # the columns are called run_1, run_2, ..., or 10D, 30D
        bare = pc.replace_substring_regex(text, r"^[^0-9]*([0-9]+)[^0-9]*$", r"\1")
        text = bare if pc.count_distinct(bare) == pc.count_distinct(text) else text
    numbers, _ = _parsed(text)
    wrong = ~((numbers >= least) & (numbers <= largest) & (numbers == np.floor(numbers)))
    cells.refuse(wrong & ~(blank & empty), name, f"a whole number from {least}")
    large, integers = ~wrong & (abs(numbers) >= 2**53), np.where(wrong, least, numbers).astype(np.int64)
    integers[large] = [int(Decimal(cell)) for cell in text.filter(large).to_pylist()]  # as seeds of 64 bits are
    return integers, blank


def keys_of(cells: Cells) -> pa.Table:
    """Return suite, problem, dimension, instance and algorithm of all rows, null where they are empty."""
    columns = dict.fromkeys(NAMED, pa.nulls(cells.rows, pa.string()).dictionary_encode())
    for name in cells.those(*NAMED):
        blank = cells.blank(name)
        if name in ("problem", "algorithm"):
            cells.refuse(
                blank, name, f"the name of the {name} (or say `fill: [{{column}}]` if an empty cell repeats the one above)"
            )
        columns[name] = pc.if_else(blank, None, cells.text(name)).dictionary_encode()
    numbers, blank = (np.zeros(cells.rows), np.ones(cells.rows, bool))
    if "dimension" in cells:
        numbers, blank = whole(cells, "dimension", 1, empty=True)
    return pa.table(columns | {"dimension": pa.array(numbers, pa.int32(), mask=blank)})


def runs_of(cells: Cells, code: Index, first_row: Index) -> Numbers:
    """Return the number of each trial's repetition: as stated, or counted in order of appearance."""
    if "run" not in cells:
        return np.asarray(pd.Series(code).groupby(code).cumcount() + 1)
    run = whole(cells, "run", largest=2**31 - 2)[0][first_row]
    run = run + (run.min(initial=1) == 0)  # numbered from 0
    again = pd.DataFrame({"code": code, "run": run}).duplicated().to_numpy()
    if again.any():
        row = int(first_row[again].min())
        raise UserError(
            f"{place(*cells.at(row))}: an earlier row has the same keys and the same run "
            f"{cells.shown('run', row)!r}; number the runs apart, name the column that tells them apart in `columns` "
            "(`evaluations`, with `value` in place of `cost`, if rows are the course of a run), or leave the column out."
        )
    return np.asarray(run)


def are_differences(cells: Cells, rows: Index) -> Numbers:
    """Return True where the values of rows are differences, and no absolute ones."""
    if "value_kind" not in cells:
        return np.zeros(len(rows), bool)
    kinds = cells["value_kind"].iloc[rows]
    if (row := first_true(~kinds.isin(["absolute", "difference"]).to_numpy())) is not None:
        raise cells.wrong(int(rows[row]), "value_kind", "absolute or difference")
    return np.asarray(kinds == "difference", bool)


def _refuse_two_optima(cells: Cells) -> None:
    """Refuse two optima of one problem."""
    keys = [cells[name].to_numpy() for name in cells.those(*KEYS[:4])]
    stated = pd.DataFrame({"optimum": floats(cells, "optimum", empty=True), "row": np.arange(cells.rows)}).dropna()
    first = stated.groupby([key[stated["row"]] for key in keys], sort=False).transform("first")
    if (other := stated[stated["optimum"] != first["optimum"]]).empty:
        return
    row, before = int(other["row"].iat[0]), int(first.loc[other.index[0], "row"])
    raise UserError(
        f"{place(*cells.at(before))} and {place(*cells.at(row))}: {cells.shown('problem', row)} has the optimum "
        f"{cells.shown('optimum', before)} and {cells.shown('optimum', row)}; correct one, or say which column tells its "
        "instances apart (`columns: {instance: ...}`)."
    )


def extras_of(cells: Cells, rows: Index) -> dict[str, pa.Array]:
    """Return the optional columns of trials."""
    extras = {}
    if "optimum" in cells:
        _refuse_two_optima(cells)
    of_costs = ("dual_bound", "best_value") if cells.kind == "cost" else ()
    for name in cells.those("runtime_s", "violation", "optimum", *of_costs):
        numbers = floats(cells, name, empty=True)
        cells.refuse((numbers < 0) & (name == "runtime_s"), name, "a time of 0 or more")
        extras[name] = pa.array(numbers[rows], mask=~np.isfinite(numbers[rows]))
    for name in cells.those("seed", "nodes", "iterations"):
        numbers, blank = whole(cells, name, -LARGEST if name == "seed" else 0, LARGEST, empty=True)
        extras[name] = pa.array(numbers[rows], mask=blank[rows])
    return extras
