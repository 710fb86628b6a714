"""Best-known values of problems: the lists that state them, and what they say about runs."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import UserError, keys, quietly, schema, shown
from benchmill.core.contradictions import TOLERANCE
from benchmill.readers.interface import Report, Texts, file_and_line, rules
from benchmill.readers.text import CUT_LINE, decoded, is_whole, lines_of, number

RULES = rules("best_known")

#: What a line of a `.solu` list can say.
_KINDS = ("opt", "best", "inf", "unkn", "unbd", "feas", "bestdual")
#: Columns of a register beside `problem`.
_COLUMNS = ("suite", "value", "bound", "sense", "holder", "date", "evidence")


class Known(NamedTuple):
    """Knowledge of a problem: its best value, a bound, or that it has no solution.

    Attributes
    ----------
    value, bound : float
        NaN where not known.
    maximise : bool or None
        None where the list does not say it.
    holder, date, evidence : str or None
        Who or what has found the value, when, and how it is known.
    """

    kind: str
    value: float
    bound: float = np.nan
    maximise: bool | None = None
    holder: str | None = None
    date: str | None = None
    evidence: str | None = None


NOTHING = Known("unkn", np.nan)

#: By suite (None: any) and problem.
Register = dict[tuple[str | None, str], Known]


# ---- lists ----------------------------------------------------------------------------------------------------------


def read_solu(lines: Sequence[str], file: str, report: Report) -> Iterator[tuple[str, Known, int]]:
    """Return problem, what is known of it, and line of the entries of a `.solu` list; `=unkn=` says nothing and is left out."""
    for at, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        above = (text.split()[-1] for text in lines[: at - 1] if text.split())
        if at == len(lines) and not line[-1].isspace() and not is_whole(words[-1], above):
            report.add("cut_line", file, at, f"{shown(line)!r}")
            continue
        kind = words[0].strip("=").lower()
        if not words[0].startswith("=") or kind not in _KINDS or len(words) < 2:
            report.add("best_known_unreadable", file, at, "the line is no `=kind= problem value`")
            continue
        if kind in ("unkn", "unbd", "feas", "bestdual"):
            continue  # what MINLPLib adds, the best bound known, says nothing of a solution
        value = np.nan if kind == "inf" else number(" ".join(words[2:3]))
        if kind != "inf" and not np.isfinite(value):
            report.add("best_known_unreadable", file, at, "the line states no number")
            continue
        yield words[1], Known(kind, value), at


def read_register(text: str, path: str) -> Register:
    """Return a register as a CSV file has it: `problem`, and `value` (or `infeasible`) or `bound` or both.

    A value that agrees with the bound is the proven optimum.
    """
    reader = csv.reader(io.StringIO(text))
    (_, header), *rows = [(reader.line_num, row) for row in reader if row] or [(1, list[str]())]
    names = [cell.strip() for cell in header]
    if not {"problem"} < {*names} <= {"problem", *_COLUMNS} or not {"value", "bound"} & {*names} or len(set(names)) < len(names):
        raise UserError(
            f"{path}: a register of best-known values has the columns problem, value or bound (or both), and as needed suite, "
            f"sense, holder, date, evidence, each once; found {', '.join(names)}. A list of lines `=opt= problem value` needs "
            "the suffix .solu."
        )
    register: Register = {}
    lines: dict[Any, int] = {}
    for at, row in rows:
        if len(row) != len(names):
            raise UserError(f"{path}:{at}: found {len(row)} cells, expected {len(names)} as in the header; correct the row.")
        cells = {name: cell.strip() for name, cell in zip(names, row, strict=True)}
        key = cells.get("suite") or None, cells["problem"]
        if (first := lines.setdefault(key, at)) != at or not cells["problem"]:
            what = (
                f"a second row for {cells['problem']!r}, after {path}:{first}" if cells["problem"] else "a row without a problem"
            )
            raise UserError(f"{path}:{at}: {what}; keep one row for each problem.")
        register[key] = _of_row(cells, f"{path}:{at}")
    return register


def _of_row(cells: Texts, where: str) -> Known:
    def stated(name: str) -> float:
        text = cells.get(name, "")
        value = number(text)
        if np.isinf(value) or (np.isnan(value) and text.lower() not in ("", "nan")):
            raise UserError(f"{where}: {name} is {shown(text)!r}, expected a finite number or nothing; correct the cell.")
        return value

    senses = {"": None, "min": False, "max": True}
    if cells.get("sense", "").lower() not in senses:
        raise UserError(f"{where}: sense is {shown(cells['sense'])!r}, expected min, max or nothing; correct the cell.")
    maximise = senses[cells.get("sense", "").lower()]
    infeasible = cells.get("value", "").lower() in ("inf", "infeasible")
    value, bound = (np.nan, np.nan) if infeasible else (stated("value"), stated("bound"))
    proven = close(value, bound, TOLERANCE)
    if not proven and maximise is not None and (bound < value if maximise else bound > value):
        raise UserError(
            f"{where}: value {value:.10g} and bound {bound:.10g} cannot both be true; correct one of them, or the sense."
        )
    kind = "inf" if infeasible else "unkn" if np.isnan(value) else "opt" if proven else "best"
    return Known(kind, value, bound, maximise, *(cells.get(name) or None for name in ("holder", "date", "evidence")))


def read(path: str, report: Report | None = None) -> Register:
    """Return the list of a path: a register, or a `.solu` file, which holds for all suites.

    What of it cannot be read goes to `report`, if there is one.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the best-known values cannot be read ({error.strerror}); correct `best_known`.") from None
    if path.lower().endswith(".csv"):
        return read_register(decoded(data), path)
    name, report = Path(path).name, report or Report({**RULES, "cut_line": CUT_LINE})
    register: Register = {}
    merge(register, None, read_solu(lines_of(data), name, report), name, report, set())
    return register


def merge(
    register: Register,
    suite: str | None,
    entries: Iterable[tuple[str, Known, int]],
    file: str,
    report: Report,
    dropped: set[tuple[str | None, str]],
    tolerance: float = TOLERANCE,
) -> None:
    """Add the entries of a list for a suite, in place; where lists contradict each other, none counts (`dropped`)."""
    for problem, entry, line in entries:
        there, key = register.get((suite, problem)), (suite, problem)
        if key in dropped:
            continue
        if there and there.kind == entry.kind == "opt" and not close(there.value, entry.value, tolerance):
            report.add("best_known_disagree", file, line, problem=problem, here=entry.value, before=there.value)
        elif there and "inf" in (there.kind, entry.kind) and there.kind != entry.kind:
            report.add("best_known_disagree", file, line, f"{shown(problem)}: infeasible in one list only")
        else:
            if not there or (there.kind == "best" and entry.kind == "opt"):
                register[key] = entry
            continue
        dropped.add(key)
        del register[key]


def entries(register: Register, suites: Iterable[str | None], problems: Iterable[str]) -> list[Known]:
    """Return what is known of each problem: of its suite, else of any; of its name, else of it in lower case."""
    folded = {(suite, problem.lower()): entry for (suite, problem), entry in register.items()}
    return [
        next(
            (
                named[key]
                for named, name in ((register, problem), (folded, problem.lower()))
                for key in ((suite, name), (None, name))
                if key in named
            ),
            NOTHING,
        )
        for suite, problem in zip(suites, problems, strict=True)
    ]


def close(a: float, b: float, tolerance: float) -> bool:
    """Tell whether two values agree: relative to the larger one, absolute below 1; NaN agrees with nothing."""
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


# ---- what they say of runs ------------------------------------------------------------------------------------------


def told(what: str, known: Known, value: float, bound: float) -> str:
    """Return what a run states and what is known instead, in words."""
    number = f": {(bound if what.startswith('a bound') else value):.10g}"
    words = {"opt": f", the optimum is {known.value:.10g}", "best": f", the best value known is {known.value:.10g}"}
    instead = f", the bound is {known.bound:.10g}" if what.endswith("bound") else words.get(known.kind, "")
    return f"{what}{number if what.startswith(('a value', 'an optimum', 'a bound')) else ''}{instead}"


def _findings(trials: pa.Table, register: Register, tolerance: float, before: bool) -> Iterator[tuple[Any, ...]]:
    """Yield for each trial that can be compared what a register says of it; `before`: as it was before it was found `wrong`.

    Its row, what is known, what cannot be true, whether it is better, whether it cannot be compared, as nobody says which values
    are better; its value and bound.
    """
    known = entries(register, trials["suite"].to_pylist(), trials["problem"].to_pylist())
    absolute = schema.says(trials, "value_kind", "absolute")
    rows = [row for row, one in enumerate(known) if absolute[row] and one is not NOTHING]
    if not rows:
        return
    known, trials = [known[row] for row in rows], trials.take(pa.array(rows))
    kind, has_sense = np.array([one.kind for one in known]), np.array([one.maximise is not None for one in known])
    proves = schema.flags(trials, "proven")
    stating = np.asarray(pc.is_valid(trials["proven"]), bool) & ~schema.flags(trials, "sense_open")
    maximise = np.where(has_sense, [bool(one.maximise) for one in known], schema.flags(trials, "maximise"))
    stated = [schema.floats(trials, name) for name in ("best_value", "dual_bound")]
    sign = np.where(maximise, -1.0, 1.0)
    value, bound = np.where(np.isinf(stated[0]), np.nan, sign * stated[0]), sign * stated[1]
    outcome = np.array(trials["outcome"].to_pylist(), dtype=object)
    wrong = (outcome == "wrong") & before
    # what was set to `wrong` where it was read had stated a solution, or of a solver that proves that there is none
    outcome = np.where(wrong & np.isfinite(stated[0]), "solved", np.where(wrong & stating, "infeasible", outcome))
    sensed = stating | has_sense
    best, limit = (sign * np.array([getattr(one, name) for one in known]) for name in ("value", "bound"))
    slack, slack_of_limit = (tolerance * np.maximum(1.0, np.abs(one)) for one in (best, limit))
    there, none = np.isin(kind, ("opt", "best")), np.isin(outcome, ("infeasible", "unbounded"))
    valued = np.isfinite(value) & ~none
    proven = proves & (outcome == "solved") & valued
    with quietly():
        refuted = {
            "a solution of a problem that is infeasible": (kind == "inf")
            & ((outcome == "solved") | (valued & (outcome != "wrong"))),
            "no finite optimum, though a solution is known": there & none,
            "an optimum other than the proven one": (kind == "opt") & proven & ~sensed & (np.abs(value - best) > slack),
            "a value better than the proven optimum": sensed & (kind == "opt") & valued & (value < best - slack),
            "a value better than the proven bound": sensed & valued & (value < limit - slack_of_limit),
            "an optimum worse than the best value known": sensed & there & proven & (value > best + slack),
            "a bound beyond the best value known": sensed & there & ~none & np.isfinite(bound) & (bound > best + slack),
        }
        better = sensed & (kind == "best") & valued & (value < best - slack)
    what = np.full(len(known), "", dtype=object)
    for words, where in refuted.items():
        what[where & (what == "")] = words
    untold = ~sensed & ~(proven & (kind == "opt")) & (kind != "inf")
    numbers = (column.tolist() for column in (what, better & (what == ""), untold, *stated))
    yield from zip(rows, known, *numbers, strict=True)


def compared(trials: pa.Table, register: Register, report: Report, tolerance: float = TOLERANCE) -> pa.Table:
    """Return trials as they count in view of a register: a solved one that contradicts it has failed, with the outcome `wrong`.

    Runs that cannot be compared, as nobody says which values are better, are told about, and stay as they are.
    """
    findings = list(_findings(trials, register, tolerance, before=False))
    if not findings:
        return trials
    changed: dict[str, list[Any]] = {name: trials[name].to_pylist() for name in ("outcome", "status", "cost", "optimum")}
    named = trials.select(["algorithm", "problem", "source"]).take(pa.array([row for row, *_ in findings])).to_pylist()
    for (row, known, what, better, untold, value, bound), names in zip(findings, named, strict=True):
        told_of = f"{shown(names['algorithm'])} on {shown(names['problem'])}"
        file, line = file_and_line(names["source"])
        if untold:
            report.add("sense_not_stated", file, line, told_of)
            continue
        if changed["optimum"][row] is None and np.isfinite(known.value):
            changed["optimum"][row] = known.value
        if what:
            solved = changed["outcome"][row] in ("solved", "infeasible", "unbounded")
            rule = "contradicts_best_known" if solved and not report.is_off("contradicts_best_known") else "contradiction"
            report.add(rule, file, line, told_of=told_of, what=told(what, known, value, bound))
            if rule == "contradicts_best_known":
                changed["outcome"][row], changed["status"][row], changed["cost"][row] = "wrong", "failed", np.inf
        elif better:
            report.add("better_than_best_known", file, line, told_of=told_of, value=value, known=known)
    return schema.replaced(trials, **changed)


def of_sources(trials: Mapping[str, pa.Table], register: Register, tolerance: float = TOLERANCE) -> pa.Table:
    """Return the runs of a study that contradict its register, or improve on it.

    Raises
    ------
    UserError
        The register knows none of the problems of the study.
    """
    listed = [
        one
        for _, problems in (keys.cells(table, ["suite", "problem"]) for table in trials.values())
        for one in entries(register, problems["suite"].to_pylist(), problems["problem"].to_pylist())
    ]
    if listed and all(one is NOTHING for one in listed):
        raise UserError(
            f"best_known: none of the {len(register)} problems that are listed is one of the study's; write suite and problem as "
            "its runs have them, or leave `best_known` out."
        )
    rows: list[schema.Row] = []
    for source, table in trials.items():
        for at, known, what, better, untold, value, bound in _findings(table, register, tolerance, before=True):
            if not untold and (what or better):
                row = table.slice(at, 1).to_pylist()[0]
                rows.append(
                    {
                        **{
                            key: row[key]
                            for key in ("suite", "problem", "instance", "algorithm", "run", "best_value", "dual_bound")
                        },
                        "kind": "contradiction" if what else "improvement",
                        "claim": told(what or "a value better than the best known", known, value, bound),
                        "counts_as": row["outcome"] or row["status"],
                        **{f"known_{key}": schema.known(getattr(known, key)) for key in ("value", "bound")},
                        **{key: getattr(known, key) for key in ("holder", "date", "evidence")},
                        "in_source": source,
                        "place": row["source"],
                    }
                )
    return schema.of_rows("best_known", rows)
