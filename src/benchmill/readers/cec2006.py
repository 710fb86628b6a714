"""Tables of the CEC 2006 competition: evaluations to success, feasible rate, success rate, success performance."""

import csv
import math
import re
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa

from benchmill.core import UserError, beside, natural_key, schema, shown
from benchmill.core.options import option
from benchmill.readers.archive import View
from benchmill.readers.interface import NO_TRACES, Batches, Found, Report, Texts, place, renamed, rules
from benchmill.readers.interface import Options as SourceOptions
from benchmill.readers.text import CUT_LINE, decoded, ends_open, is_binary, is_missing, is_whole
from benchmill.text.labels import stem

#: Runs on each problem, and evaluations allowed in each, by the rules of the competition.
RUNS, BUDGET = 25, 500_000
_DATA = beside.toml(__file__)
#: Number of variables of g01 to g24.
DIMENSIONS: list[int] = _DATA["dimensions"]


@dataclass(frozen=True)
class Options(SourceOptions):
    """The options of a source in this format."""

    runs: int | None = option(
        f"number of runs behind each row, if the table does not state it; {RUNS} by the competition's rules",
        None,
        type="integer",
        minimum=1,
        maximum=2**31 - 1,
    )
    budget: int | None = option(
        f"evaluations allowed in a run, if the table does not state them; {BUDGET} by the competition's rules",
        None,
        type="integer",
        minimum=1,
        maximum=2**62,
    )
    rates: str | None = option(
        "percent or fraction: what rates without % are, if the numbers do not show it (all of them 0 or 1)",
        None,
        enum=["percent", "fraction"],
    )


RULES = {**rules("cec2006"), "cut_line": CUT_LINE}

_CALLED = {name: ours for ours, names in _DATA["names"].items() for name in names.split()}
_MEASURES = {"feasible", "success", "performance"}
#: The columns of a paper's table, after the problem.
_PRINTED: list[str] = _DATA["printed"]
_ROW = re.compile(r"^\s*([gG][0-9]{1,2})(?:\s+(.*\S))?\s*$")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass
class _Row:
    file: str
    line: int
    cells: Texts

    @property
    def algorithm(self) -> str:
        return self.cells.get("algorithm") or stem(self.file.rsplit("/", 1)[-1])

    @property
    def problem(self) -> str:
        if not (name := self.cells["problem"].strip()):
            raise self.wrong("problem", "the name of the problem")
        match = re.fullmatch(r"[gG]0*(\d{1,2})", name)
        return f"g{int(match[1]):02d}" if match else name

    def wrong(self, column: str, expected: str) -> UserError:
        cell = shown(self.cells[column].strip())
        return UserError(f"{place(self.file, self.line)}: {column} is {cell!r}; expected {expected}; correct the cell.")


def sniff(view: View) -> Found | None:
    """Recognise a header that names a problem and two of the three measures, or three rows of a paper's table."""
    for member in view.members[:5]:
        head = view.head(member.name, 65536)
        if head.startswith(b"PAR1") or is_binary(head):
            continue
        text = decoded(head)
        if _header(text):
            return Found("cec2006")
        if sum(_cells(m[2] or "") is not None for m in map(_ROW.match, text.splitlines()) if m) >= 3:
            return Found("cec2006", (stem(member.name.rsplit("/", 1)[-1]),) if view.kind == "file" else ())
    return None


def _header(text: str) -> tuple[int, str, list[str | None], list[str]] | None:
    lines = ((number, line) for number, line in enumerate(text.splitlines()[:50]) if line.strip() and not line.startswith("#"))
    number, line = next(lines, (0, ""))
    separator = max("\t;,", key=line.count)
    theirs = next(csv.reader([line], delimiter=separator), [])
    ours = [_CALLED.get(re.sub(r"(percent|pct)$", "", re.sub(r"[^a-z]", "", name.lower()))) for name in theirs]
    return (number, separator, ours, theirs) if "problem" in ours and len(_MEASURES & set(ours)) >= 2 else None


def _cells(text: str) -> Texts | None:
    cells = re.sub(r"\([^()]*\)\s*$", "", text).split()
    if not all(is_missing(c) or _NUMBER.fullmatch(c.removesuffix("%")) for c in cells):
        return None
    if len(cells) == 2 and all(c.endswith("%") for c in cells):
        return dict.fromkeys(_PRINTED, "") | {"feasible": cells[0], "success": cells[1]}
    if len(cells) < len(_PRINTED):
        return None
    return dict(zip(_PRINTED, cells, strict=False)) | {"more": " ".join(cells[len(_PRINTED) :])}


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all rows, in natural order of the problems, then in order of appearance.

    `cost` is the printed mean of evaluations to success, `n_feasible` and `n_successes` are the rates times the runs, and
    `success_performance` is as printed. Rows without success have cost inf.
    """
    rows: list[_Row] = []
    for member in view.members:
        text = decoded(view.read(member.name))
        header = _header(text)
        rows_of_file = _table(member.name, text, *header, report) if header else _printed(member.name, text, report)
        if not rows_of_file:
            report.add("no_table", member.name, None)
        rows += rows_of_file
    if rows:
        yield _trials(rows, options, report), NO_TRACES


def _table(
    file: str, text: str, start: int, separator: str, ours: list[str | None], theirs: list[str], report: Report
) -> list[_Row]:
    for name, own in zip(theirs, ours, strict=True):
        if own is None:
            report.add("column_not_used", file, start + 1, name=name)
        elif ours.count(own) > 1:
            twice = [shown(t) for t, o in zip(theirs, ours, strict=True) if o == own]
            raise UserError(f"{place(file, start + 1)}: the columns {' and '.join(twice)} mean the same; rename one of them.")
    rows = []
    reader = csv.reader(text.splitlines()[start + 1 :], delimiter=separator)
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            line = start + 1 + reader.line_num
            if len(cells) < len(ours) and ends_open(text) and line == len(text.splitlines()):
                report.add("cut_line", file, line, f"the row has {len(cells)} cells, but the header {len(ours)}")
                continue
            if len(cells) != len(ours):
                raise UserError(
                    f"{place(file, line)}: the row has {len(cells)} cells, but the header {len(ours)}; correct the row."
                )
            rows.append(_Row(file, line, {own: cell for own, cell in zip(ours, cells, strict=True) if own is not None}))
    except csv.Error as error:
        raise UserError(f"{place(file, start + 1 + reader.line_num)}: the row cannot be read ({error}); correct it.") from None
    report.rows_read += len(rows)
    if rows and ours[-1] is not None and rows[-1].line == len(text.splitlines()):
        cells = [row.cells[ours[-1]] for row in rows]
        _without_cut(rows, cells, ends_open(text) and not text.endswith(('"', "'")) and not cells[-1].endswith(" "), report)
    return rows


def _without_cut(rows: list[_Row], cells: list[str], is_open: bool, report: Report) -> None:
    if is_open and not is_whole(cells[-1].strip(), (cell.strip() for cell in cells[:-1])):
        report.add("cut_line", rows[-1].file, rows[-1].line, end=cells[-1])
        rows.pop()


def _printed(file: str, text: str, report: Report) -> list[_Row]:
    rows: list[_Row] = []
    extra = 0
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not (match := _ROW.match(line)):
            continue
        report.rows_read += 1
        if (cells := _cells(match[2] or "")) is None:
            report.add("row_unreadable", file, number, line=line.strip(), cells=len(_PRINTED))
            continue
        more = cells.pop("more", "")
        extra = extra or (number if more else 0)
        rows.append(_Row(file, number, cells | {"problem": match[1]}))
        if number == len(lines) and not more:
            _without_cut(
                rows,
                [row.cells["performance"] or row.cells["success"] for row in rows],
                ends_open(text) and not line[-1].isspace(),
                report,
            )
    if extra:
        report.add("column_not_used", file, extra, "numbers after the success performance")
    return rows


def _percent(rows: list[_Row], options: Options) -> bool:
    if options.rates is not None:
        return options.rates == "percent"
    plain = [
        (row, column, float(row.cells[column]))
        for row in rows
        for column in ("feasible", "success")
        if _NUMBER.fullmatch(row.cells.get(column, "").strip())
    ]
    if any(value not in (0, 1) for *_, value in plain):
        return any(value > 1 for *_, value in plain)
    for row, column, value in plain:
        if value == 1:
            raise row.wrong(column, "a rate that tells percent from fractions: set `rates: percent` or `rates: fraction`")
    return True


def _hits(row: _Row, column: str, n: int, percent: bool, report: Report, whose: str) -> int | None:
    if (text := row.cells.get(column)) is None:
        return None
    if is_missing(text):
        if report.is_off("rate_not_given"):
            return None
        report.add("rate_not_given", row.file, row.line, rate=column, whose=whose, text=text.strip())
        return 0
    digits = text.strip().removesuffix("%").strip()
    if not _NUMBER.fullmatch(digits):
        raise row.wrong(column, "a rate such as 84, 84%, or a dash where there is none")
    denominator = 100 if percent or text.strip().endswith("%") else 1
    rate = float(digits) / denominator
    if not 0 <= rate <= 1:
        raise row.wrong(column, "a rate from 0 to 1 or from 0 to 100 %")
    hits = round(rate * n)
    half = _half_unit(digits) / denominator
    if half * n >= 0.5 and 0 < rate < 1 and abs(rate * n - hits) > 1e-9:
        raise row.wrong(column, f"more digits: it could be several numbers of {n} runs")
    if abs(rate * n - hits) > half * n + 1e-9:
        raise row.wrong(column, f"a whole number of the {n} runs ({rate * n:g}); say with `runs` how many there were")
    return hits


def _number(row: _Row, column: str) -> float | None:
    text = row.cells.get(column, "").strip()
    if is_missing(text):
        return None
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)) or float(text) < 0:
        raise row.wrong(column, "a number of evaluations, or a dash where there is none")
    return float(text)


def _whole(row: _Row, column: str, default: int) -> int:
    if (value := _number(row, column)) is None:
        return default
    if not value.is_integer() or not 1 <= value < 2**31:
        raise row.wrong(column, "a whole number from 1")
    return int(value)


def _half_unit(text: str) -> float:
    """Return half a unit of the last digit of a number, within which what it was rounded from lies."""
    return 0.5 * 10.0 ** int(Decimal(text.strip()).as_tuple().exponent)


def _trials(rows: list[_Row], options: Options, report: Report) -> pa.Table:
    first = rows[0]
    lacking = [
        name
        for name, column in (("runs", "n"), ("budget", "budget"))
        if getattr(options, name) is None and column not in first.cells
    ]
    if lacking:
        taken = {"runs": f"{RUNS} runs", "budget": f"{BUDGET} evaluations"}
        report.add("rules_of_competition", first.file, first.line, " and ".join(taken[name] for name in lacking) + " are taken")
    shown_as = renamed([row.algorithm for row in rows], options.algorithm, first.file)
    percent, suite = _percent(rows, options), options.suite or "cec2006"

    trials: list[schema.Row] = []
    seen: dict[tuple[str, str], _Row] = {}
    for row in sorted(rows, key=lambda row: natural_key(row.problem)):
        algorithm, problem = shown_as[row.algorithm], row.problem
        before = seen.setdefault((algorithm, problem), row)
        if before is not row:
            raise UserError(
                f"{place(row.file, row.line)}: {shown(algorithm)} on {shown(problem)} is already in "
                f"{place(before.file, before.line)}; give each once, or name the algorithms apart."
            )
        n = _whole(row, "n", options.runs or RUNS)
        budget = _whole(row, "budget", options.budget or BUDGET)
        whose = f"{shown(algorithm)} on {shown(problem)}"
        feasible = _hits(row, "feasible", n, percent, report, whose)
        successes = _hits(row, "success", n, percent, report, whose)
        if feasible is not None and successes is not None and successes > feasible:
            raise row.wrong("success", f"no more than the feasible rate, {feasible} of {n} runs")
        mean, sd, performance = (_number(row, column) for column in ("mean", "sd", "performance"))
        if successes == 0:
            if mean is not None or performance is not None:
                report.add("value_of_a_failure", row.file, row.line, whose=whose)
            mean, sd, performance = math.inf, None, None
        if successes and mean is not None and performance is not None:
            recomputed = mean * n / successes
            within = _half_unit(row.cells["performance"]) + _half_unit(row.cells["mean"]) * n / successes
            if abs(recomputed - performance) > within * (1 + 1e-9):
                report.add(
                    "success_performance_disagrees",
                    row.file,
                    row.line,
                    whose=whose,
                    performance=performance,
                    mean=mean,
                    successes=successes,
                    n=n,
                    recomputed=recomputed,
                )
        number = int(problem[1:]) if re.fullmatch(r"g\d\d", problem) and suite == "cec2006" else 0
        trials.append(
            {
                "suite": suite,
                "problem": problem,
                "dimension": DIMENSIONS[number - 1] if 1 <= number <= len(DIMENSIONS) else None,
                "algorithm": algorithm,
                "run": 1,
                "trial": len(trials),
                "budget": budget,
                "value_kind": "absolute",
                "maximise": False,
                "cost": mean,
                "cost_sd": sd,
                "n": n,
                "n_feasible": feasible,
                "n_successes": successes,
                "success_performance": performance,
                "status": "failed" if successes == 0 else "solved",
                "source": place(row.file, row.line),
            }
        )
    return schema.of_rows("trials", trials)
