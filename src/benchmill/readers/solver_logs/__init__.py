"""How solvers write their logs: by expressions in a file beside this one, and what takes more than these in `solvers`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmill.readers.interface import listed
from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, course, lines, number
from benchmill.readers.solver_logs.solvers import PARSERS
from benchmill.readers.statuses import outcome


def _dialect(name: str, said: Mapping[str, Any]) -> Dialect:
    patterns = {
        key: lines("|".join(listed(said[key])))
        for key in ("begins", "solves", "unread", "session", "ends", "version")
        if key in said
    }
    # a search is quick for what begins with a letter, and with `^` it is not
    first = [pattern[1:] for pattern in listed(said["known"]) if pattern.startswith("^")]
    known = [lines(rf"\n(?:{'|'.join(first)})"), *(lines(pattern) for pattern in listed(said["known"]) if pattern[0] != "^")]
    again = (lines(said["again"][0]), lines(said["again"][1])) if "again" in said else None
    return Dialect(
        name, partial(_parse, said, PARSERS.get(name)), again=again, calls=tuple(said.get("calls", ())), known=known, **patterns
    )


def _parse(said: Mapping[str, Any], add: Callable[[Log, Run], None] | None, log: Log) -> Run:
    """Return what the log of a run says, by the expressions of its solver and what adds to these."""
    log = Log(log.partition(said["until"])[0]) if "until" in said else log
    run = Run(proves=said.get("proves", True))
    run.version, sense = _first(log, said.get("version", ())), _first(log, said.get("sense", ()))
    found = (re.finditer(pattern, log, re.MULTILINE) for pattern in listed(said.get("problem", ())))
    files = next(filter(None, ([*dict.fromkeys(match[1] for match in matches)] for matches in found)), [])
    run.problem = files[0] if len(files) == 1 else " ".join(dict.fromkeys(re.split(r"[/\\]", f)[-1] for f in files)) or None
    for name in ("value", "bound", "nodes", "iterations", "limit"):
        setattr(run, name, number(_first(log, said.get(name, ()))))
    times = _first_of_each(log, said.get("times", [said.get("time", ())])) * said.get("unit", 1.0)
    run.time = times if not np.isnan(times) else _first_of_each(log, said.get("seconds", ()))
    run.maximise = sense.lower().startswith(("max", "<")) if sense else None
    if "settings" in said:
        pattern, own, limit, seed = said["settings"]
        run.take(log.pairs(pattern), own, limit, seed)
    if said.get("timeless") or not np.isnan(run.time) or log.first_of({said.get("ends", "(?!)"): "ended"}):
        run.verdict = _verdict(said, log)
    if run.verdict == said.get("late_says", "unknown") and run.time >= said.get("late", np.inf) * run.limit:
        run.verdict = "time_limit"
    if "course" in said:
        (least, most), cells = said["course"]["count"], said["course"]["cells"]
        rows = (row for row in log.rows(said["course"]["row"]) if least <= len(row) <= most)
        run.course = course(tuple(number(row[at].rstrip("s")) for at in cells) for row in rows)  # type: ignore[misc]
    if add is not None:
        add(log, run)
    return run


def _first_of_each(log: Log, patterns: Sequence[str | Sequence[str]]) -> float:
    """Return the sum of the numbers that are found; NaN where none is."""
    texts = [_first(log, pattern) for pattern in patterns]
    return sum(number(text) for text in texts if text) if any(texts) else np.nan


def _verdict(said: Mapping[str, Any], log: Log) -> str | None:
    if "words" in said:
        log = Log("\n".join(filter(None, (_first(log, pattern) for pattern in said["words"]))))
        if not log:
            return None
    status = _first(log, said.get("status", ()))
    return log.first_of(said.get("verdicts", {})) or (outcome(status) if status else None)


def _first(log: Log, patterns: str | Sequence[str]) -> str | None:
    """Return the first group of the last match of the first pattern that is found."""
    found = next(filter(None, map(log.last, listed(patterns))), None)
    return next((group.strip() for group in found.groups() if group), None) if found else None


_ALL = [_dialect(*item) for item in tomllib.loads(Path(__file__).with_name("dialect.toml").read_text("utf-8")).items()]


def dialects_in(text: str) -> list[Dialect]:
    """Return the dialects of which a text has lines, those first whose line comes first; none that another one calls."""
    text = f"\n{text}"
    found = sorted((m.start(), i) for i, dialect in enumerate(_ALL) for known in dialect.known if (m := known.search(text)))
    called = {name for _, i in found for name in _ALL[i].calls}
    return [_ALL[i] for i in dict.fromkeys(i for _, i in found) if _ALL[i].name not in called]


def dialect_of(text: str) -> Dialect | None:
    """Return the dialect whose line comes first."""
    return next(iter(dialects_in(text)), None)
