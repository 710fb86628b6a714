"""Logs of solvers that are read by expressions alone, which a file beside this one has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmill.readers.solver_logs.dialect import Dialect, Log, Run, lines, number

_NUMBERS = ("value", "bound", "nodes", "iterations", "limit")


def parse(said: Mapping[str, Any], log: Log) -> Run:
    """Return what the log of a run says, by the expressions of its solver."""
    run = Run(proves=said.get("proves", True))
    if "version" in said:
        run.version = _group(log, said["version"])
    if "problem" in said:
        files = [re.split(r"[/\\]", found[1])[-1] for found in re.finditer(said["problem"], log, re.MULTILINE)]
        run.problem = " ".join(dict.fromkeys(files)) or None
    for name in _NUMBERS:
        if name in said:
            setattr(run, name, number(_group(log, said[name])))
    times = [said["time"]] if isinstance(said["time"], str) else said["time"]
    stated = [number(text) for pattern in times if (text := _group(log, pattern))]
    run.time = sum(stated) * said.get("unit", 1.0) if stated else np.nan
    if "sense" in said and (sense := _group(log, said["sense"])):
        run.maximise = sense.lower().startswith(("max", "<="))
    if said.get("timeless") or not np.isnan(run.time):
        run.verdict = log.first_of(said["verdicts"])
    return run


def _group(log: Log, pattern: str) -> str | None:
    found = log.last(pattern)
    return next((group.strip() for group in found.groups() if group), None) if found else None


def _again(said: Mapping[str, Any]) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    return (lines(said["again"][0]), lines(said["again"][1])) if "again" in said else None


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DIALECTS = tuple(
    Dialect(name, lines(said["known"]), lines(said["begins"]), None, partial(parse, said), _again(said))
    for name, said in _DATA.items()
)
