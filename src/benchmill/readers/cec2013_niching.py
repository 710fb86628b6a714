"""Results of the CEC 2013 niching competition: peak ratios and success rates, 20 problems by 5 accuracies, a file each."""

import math
import re
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmill.core import Array, UserError, beside, natural_key, schema
from benchmill.core.options import option
from benchmill.readers.archive import View
from benchmill.readers.interface import NO_TRACES, Batches, Found, Report, place, renamed, rules
from benchmill.readers.interface import Options as SourceOptions
from benchmill.readers.text import CUT_LINE, decoded, ends_open, is_whole, number

#: Levels of accuracy, by column: the `instance` of a row.
ACCURACIES = ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5")
_DATA = beside.toml(__file__)
#: Number of variables of f1 to f20, and evaluations allowed.
DIMENSIONS: list[int] = _DATA["dimensions"]
BUDGETS: list[int] = _DATA["budgets"]
RUNS = 50


@dataclass(frozen=True)
class Options(SourceOptions):
    """The options of a source in this format."""

    runs: int = option("number of runs behind each number, by the competition's rules", RUNS, minimum=1, maximum=2**31 - 1)


RULES = {**rules("cec2013_niching"), "cut_line": CUT_LINE}

_NAME = re.compile(r"(?:^|/)(?P<algorithm>[^/]+)_(?P<what>PR|SR)\.[A-Za-z]+$")


def sniff(view: View) -> Found | None:
    """Recognise a file `<algorithm>_PR` or `<algorithm>_SR` of five numbers a row."""
    for member in view.members:
        if match := _NAME.search(member.name):
            lines = [line.split() for line in decoded(view.head(member.name)).splitlines()[:20] if line.strip()]
            if lines and all(len(line) == len(ACCURACIES) for line in lines[:-1]) and all(map(_rate, lines[0])):
                return Found("cec2013_niching", (match["algorithm"],))
    return None


def _rate(cell: str) -> bool:
    return 0 <= number(cell) <= 1


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all files; a row is a summary of all runs on a problem at one accuracy (its `instance`).

    `cost` is the mean peak ratio, which is better when larger; `n_successes` the success rate (all peaks found) times the runs.
    """
    tables: dict[str, dict[str, _Table]] = {}
    for member in view.members:
        if (match := _NAME.search(member.name)) is None:
            report.add("file_not_matched", member.name, None)
        elif table := _table(member.name, decoded(view.read(member.name)), report):
            tables.setdefault(match["algorithm"], {})[match["what"]] = table
    names = renamed(tables, options.algorithm, view.name)
    n, suite = options.runs, options.suite or "cec2013-niching"
    trials: list[schema.Row] = []
    for row, algorithm, (level, accuracy) in product(
        range(len(DIMENSIONS)), sorted(tables, key=natural_key), enumerate(ACCURACIES)
    ):
        both, problem, dimension = tables[algorithm], f"f{row + 1}", DIMENSIONS[row]
        peaks, share = (float(both[what].rates[row, level]) if what in both else math.nan for what in ("PR", "SR"))
        if math.isnan(peaks) and math.isnan(share):
            report.expect((names[algorithm], suite, problem, dimension, accuracy))
            continue
        first = both["PR" if "PR" in both else "SR"]
        successes = None if math.isnan(share) else round(share * n)
        if successes is not None and abs(share * n - successes) > 1e-3 * n:
            what = f"the success rate {share:g} is no whole number of {n} runs"
            raise UserError(f"{place(both['SR'].file, both['SR'].lines[row])}: {what}; say with `runs` how many there were.")
        trials.append(
            {
                "suite": suite,
                "problem": problem,
                "dimension": dimension,
                "instance": accuracy,
                "algorithm": names[algorithm],
                "run": 1,
                "trial": len(trials),
                "budget": BUDGETS[row],
                "value_kind": "absolute",
                "maximise": True,
                "cost": None if math.isnan(peaks) else peaks,
                "n": n,
                "n_successes": successes,
                "status": "solved" if (peaks == 1 if successes is None else successes > 0) else "failed",
                "source": place(first.file, first.lines[row]),
            }
        )
    for both in tables.values():
        if len(both) == 1:
            report.add("half_pair", next(iter(both.values())).file, None)
    if tables:
        yield schema.of_rows("trials", trials), NO_TRACES


class _Table(NamedTuple):
    file: str
    rates: Array
    lines: list[int]


def _table(file: str, text: str, report: Report) -> _Table | None:
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    report.rows_read += len(lines)
    widths = {len(cells) for _, cells in lines}
    if len(lines) != len(DIMENSIONS) or widths != {len(ACCURACIES)}:
        shape = f"{len(lines)} rows of {' or '.join(str(w) for w in sorted(widths)) or 'no'} numbers"
        report.add("wrong_shape", file, None, shape=shape)
        return None
    for at, cell in ((at, cell) for at, cells in lines for cell in cells if not _rate(cell)):
        report.add("not_a_rate", file, at, cell=cell)
        return None
    table = np.array([cells for _, cells in lines], float)
    open_end = ends_open(text) and not text[-1].isspace()
    if open_end and not is_whole(lines[-1][1][-1], [cell for _, cells in lines for cell in cells][:-1]):
        report.add("cut_line", file, lines[-1][0], end=lines[-1][1][-1])
        table[-1, -1] = np.nan
    return _Table(file, table, [number for number, _ in lines])
