"""The section of docs/rules.md about the log of each solver, from its dialect; `.ci/config_page.py` writes the page."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from benchmill.readers import solver_logs
from benchmill.readers.interface import listed
from benchmill.readers.solver_logs import PARSERS

HEAD = """The log of each solver, by the lines that say something of a run; … is any text, and the last such line counts.

"""
#: What a line is called, by the key of a dialect.
VALUES = {"value": "value", "bound": "bound", "nodes": "nodes", "iterations": "iterations", "sense": "direction"}
#: What the attribute of a run is called that no expression of a dialect gives.
LACKING = {
    "problem": "the problem (the name of the file, or a question)",
    "version": "the version",
    "time": "the time",
    "limit": "the time limit (`time_limit`)",
    "value": "the value",
    "bound": "the bound",
    "maximise": "the direction (told by the course of values and bounds, or smaller is better)",
}
_CALLED = {"maximise": "sense"}
_MOST = 3


def spoken(pattern: str) -> str:
    """Return a line that an expression fits, with … for what may be any text."""
    return re.sub(r"…[…\s]*…|…", "…", _text(_parser.parse(pattern, re.MULTILINE))).strip()


def _text(parsed: Iterable[tuple[Any, Any]]) -> str:
    words = []
    for kind, said in parsed:
        if kind is ops.LITERAL:
            words.append(" " if chr(said) == "\n" else chr(said))
        elif kind is ops.SUBPATTERN:
            words.append(_text(said[3]))
        elif kind is ops.BRANCH:
            words.append(_text(said[1][0]))
        elif kind in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            least, most, inner = said
            plain = len(inner) == 1 and inner[0][0] is ops.LITERAL
            once = _text(inner) if plain or most == 1 else "…"
            words.append("" if least == 0 and (most == 1 or plain) else once * least if least == most else once)
        elif kind is ops.IN and said[0][0] is ops.LITERAL:
            words.append(chr(said[0][1]))
        elif kind in (ops.IN, ops.ANY, ops.NOT_LITERAL):
            words.append("…")
    return "".join(words)


def lines(patterns: Any) -> str:
    """Return the lines that expressions fit, as code."""
    found = dict.fromkeys(one for pattern in _flat(patterns) for one in map(spoken, _branches(pattern)) if one.strip("… "))
    return ", ".join(f"`{one}`" for one in list(found)[:_MOST]) + (", …" if len(found) > _MOST else "")


def _branches(pattern: str) -> list[str]:
    """Return the alternatives of an expression that is nothing but such."""
    inner = re.fullmatch(r"\^?\(\?:(.*)\)\$?", pattern, re.DOTALL)
    if inner is None:
        return [pattern]
    parts, depth, start = [], 0, 0
    for at, character in enumerate(inner[1]):
        depth += (character in "([") - (character in ")]") if inner[1][at - 1 : at] != "\\" else 0
        if character == "|" and not depth and inner[1][at - 1 : at] != "\\":
            parts, start = [*parts, inner[1][start:at]], at + 1
    parts.append(inner[1][start:])
    try:
        for part in parts:
            re.compile(part)
    except re.error:
        return [pattern]
    return parts


def _flat(patterns: Any) -> list[str]:
    return [one for part in ([patterns] if isinstance(patterns, str) else patterns) for one in listed(part)]


def added(name: str) -> set[str]:
    """Return the attributes of a run that the function of a dialect sets."""
    if name not in PARSERS:
        return set()
    module = inspect.getmodule(PARSERS[name])
    assert module is not None
    names, found = [PARSERS[name].__name__], set()
    for called in names:
        tree = ast.parse(textwrap.dedent(inspect.getsource(getattr(module, called))))
        names += [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id.startswith(called) and n.id not in names]
        attributes = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
        found |= {n.attr for n in attributes if isinstance(n.ctx, ast.Store)}
        found |= {"limit" for n in attributes if n.attr == "take"}
    return found


def of(name: str, said: Mapping[str, Any]) -> str:
    """Return the lines about the log of a solver."""
    own, stated = added(name), {*said} | ({"time"} if {"times", "seconds"} & {*said} else set())
    if "settings" in said:
        stated |= {"limit"} if said["settings"][2] else set()
    begins = lines(said["begins"]) or "the first line"
    again = f", or with {lines(said['again'])} after {lines(said['closes'])}" if "again" in said else ""
    rows = [f"* A run begins with {begins}{again}"]
    whose = [f"{key} {lines(said[key])}" for key in ("problem", "version") if key in said]
    rows.append(f"* Names: {'; '.join(whose) or 'none'}")
    verdicts: dict[str, list[str]] = {}
    for pattern, outcome in said.get("verdicts", {}).items():
        verdicts.setdefault(outcome, []).append(pattern)
    told = [f"{outcome} {text}" for outcome, patterns in verdicts.items() if (text := lines(patterns))]
    told += [f"the words of {lines(said[key])}" for key in ("status", "words") if key in said]
    rows.append(f"* Outcome: {'; '.join([*told, *['see below'] * ('verdict' in own)])}")
    times = [lines(said[key]) for key in ("time", "times", "seconds") if key in said]
    limit = f"; limit {lines(said['limit'])}" if "limit" in said else ""
    rows.append(f"* Time: {' or '.join([*times, *['see below'] * ('time' in own)])}{limit}")
    values = [f"{called} {lines(said[key])}" for key, called in VALUES.items() if key in said]
    rows.append(f"* Numbers: {'; '.join(values)}")
    if "beside" in said:
        rows.append(f"* Beside these: {said['beside']}")
    lacking = [text for key, text in LACKING.items() if _CALLED.get(key, key) not in stated and key not in own]
    if not said.get("proves", True):
        lacking.append("a proof: it solves locally")
    if lacking:
        rows.append(f"* Not in the log: {'; '.join(lacking)}")
    return f"### {name}\n\n" + ".\n".join(rows) + ".\n"


def section() -> str:
    """Return the section."""
    path = Path(solver_logs.__file__).with_suffix(".toml")
    return HEAD + "\n".join(of(name, said) for name, said in tomllib.loads(path.read_text("utf-8")).items())
