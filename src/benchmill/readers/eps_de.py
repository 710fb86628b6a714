"""Free logs of εDEa (Takahama and Sakai), the winner of the CEC 2010 constrained competition: one file per problem."""

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from benchmill.core import natural_key, schema
from benchmill.readers.archive import View
from benchmill.readers.interface import Batch, Batches, Found, Options, Report, place, renamed, rules
from benchmill.readers.text import CUT_LINE, decoded

RULES = {**rules("eps_de"), "cut_line": CUT_LINE}

_N = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FES = re.compile(rf"FES([0-9]+) ({_N}) [0-9]+ = [0-9]+ [0-9]+ [0-9]+ ({_N})(?:\s.*)?")
_END = re.compile(rf"Gen [0-9]+ Eval [0-9]+ [0-9]+ Const ([0-9]+) ([0-9]+) .*=> ({_N}) ({_N}) ({_N})\s*")
_ALGORITHM = re.compile(r"^-o (\S+?):", re.MULTILINE)
_LOOK = re.compile(r"^eOPT: |^FES[0-9]+ \S+ [0-9]+ = ", re.MULTILINE)


@dataclass
class _Run:
    line: int
    rows: list[tuple[int, float, float]] = field(default_factory=list)
    """Evaluations, value, violation."""
    budget: int | None = None
    finished: bool = False


@dataclass
class _Log:
    file: str
    problem: str
    dimension: int
    algorithm: str
    expected: int
    runs: list[_Run]


def sniff(view: View) -> Found | None:
    """Recognise the options that such a log begins with."""
    for member in view.members:
        if member.name.lower().endswith((".log", ".txt")) or view.kind == "file":
            text = decoded(view.head(member.name, 8192))
            return Found("eps_de", tuple(_ALGORITHM.findall(text)[:1])) if _LOOK.search(text) else None
    return None


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all logs, by natural order of the problems, then by dimension.

    Evaluations are those of the constraints, which the log's checkpoints and its budget count. The end of a run tells when
    its best point was found.
    """
    logs = []
    for member in view.members:
        text = decoded(view.read(member.name))
        if not _LOOK.search(text):
            report.add("file_not_read", member.name, None)
        elif log := _log(member.name, text, report):
            logs.append(log)
    names = renamed((log.algorithm for log in logs), options.algorithm, view.name)
    numbers = Counter[tuple[str, str, int]]()
    for log in sorted(logs, key=lambda log: (natural_key(log.problem), log.dimension, natural_key(log.file))):
        log.algorithm = names[log.algorithm]
        key = (log.algorithm, log.problem, log.dimension)
        yield _tables(log, numbers[key], options.suite or "cec2010-constrained", report)
        numbers[key] += len(log.runs)


def _setting(text: str, name: str) -> int | None:
    match = re.search(rf"(?:^|\s)-{name} ([0-9]{{1,15}})(?=\s)", text)
    return int(match[1]) if match else None


def _log(file: str, text: str, report: Report) -> _Log | None:
    head = text[:8192]
    problem, dimension, delta = _setting(head, "p"), _setting(head, "len"), re.search(rf"-delta ({_N})(?=\s)", head)
    if problem is None or not dimension or dimension >= 2**31:
        report.add("header_missing", file, None)
        return None
    name = _ALGORITHM.search(head)
    tolerance = float(delta[1]) if delta else 0.0
    runs: list[_Run] = []
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if not line.startswith(("FES", "Gen ", "e(0)=")):
            continue
        report.rows_read += 1
        if number == len(lines) and not line.endswith(("\n", "\r")):
            report.add("cut_line", file, number, end=line[:60])
            continue
        if line.startswith("e(0)="):
            runs.append(_Run(number))
            continue
        match = (_FES if line.startswith("FES") else _END).fullmatch(line.strip())
        values = [float(cell) for cell in match.groups()] if match else []
        if not match or not all(math.isfinite(v) for v in values) or max(values[0], 1) > 2**53:
            report.add("malformed_line", file, number, line=line.strip()[:60])
            continue
        if not runs or runs[-1].finished:  # a run that does not say `e(0)=`
            runs.append(_Run(number))
        run = runs[-1]
        if line.startswith("FES"):
            run.rows.append((int(match[1]), values[1], max(values[2], 0.0)))
        else:
            found, spent, value, inequalities, equalities = values
            violation = max(inequalities, 0.0) + max(equalities - tolerance, 0.0)
            same = [row for row in run.rows if row[1] == value]
            run.rows.append((int(found), value, same[-1][2] if same else violation))
            run.budget, run.finished = int(min(max(spent, 1), 2**53)), True
    if not runs:
        report.add("file_not_read", file, None)
        return None
    return _Log(file, f"C{problem}", dimension, name[1] if name else "eps-DE", _setting(head, "exp") or 0, runs)


def _tables(log: _Log, numbered: int, suite: str, report: Report) -> Batch:
    trials: list[schema.Row] = []
    traces: list[schema.Row] = []
    for _ in range(min(log.expected, 10_000) - len(log.runs)):
        report.expect((log.algorithm, suite, log.problem, log.dimension, None))
    for number, run in enumerate(log.runs):
        keys = {
            "suite": suite,
            "problem": log.problem,
            "dimension": log.dimension,
            "algorithm": log.algorithm,
            "run": numbered + number + 1,
            "trial": number,
        }
        if not run.finished:
            report.add("unfinished_trial", log.file, run.line, run=number + 1, checkpoints=len(run.rows))
            if run.rows:
                run.budget = max(row[0] for row in run.rows)
                report.add("budget_from_trace", log.file, run.line, budget=run.budget)
        elif len(run.rows) == 1:
            report.add("checkpoints_missing", log.file, run.line, run=number + 1)
        rows = sorted(run.rows)
        best = list(accumulate(((violation, value) for _, value, violation in rows), min))
        traces += [
            keys | {"evaluations": evaluations, "value": value, "violation": violation, "on_target": True}
            for (evaluations, value, violation), before in zip(rows, [None, *best], strict=False)
            if before is None or (violation, value) < before
        ]
        if any((violation, value) > so_far for (_, value, violation), so_far in zip(rows, best, strict=True)):
            report.add("running_minimum", log.file, run.line, run=number + 1)
        final = best[-1] if best else None
        trials.append(
            keys
            | {
                "budget": None if run.budget is None else max(run.budget, *(row[0] for row in run.rows)),
                "best_value": final[1] if final else None,
                "violation": final[0] if final else None,
                "value_kind": "absolute",
                "maximise": False,
                "n": 1,
                "status": "failed" if run.finished else "ill_finalised",
                "source": place(log.file, run.line),
            }
        )
    return schema.of_rows("trials", trials), schema.of_rows("traces", traces)
