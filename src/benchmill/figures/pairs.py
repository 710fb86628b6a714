"""Two algorithms against each other: which two, their costs, and who is better how often."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmill.core.options import option
from benchmill.figures import frames, options, panels
from benchmill.text import display

_KEYS = ["suite", "problem", "dimension", "instance", "target", "at_budget"]
_MOST_PAIRS = 6


@dataclass(frozen=True, kw_only=True)
class Options(options.OfMeasures):
    """What a study can set."""

    algorithms: tuple[str, ...] | None = option(
        "The algorithms that are paired; by default those to highlight and, of fewer than two, the best on most problems.",
        None,
        minItems=2,
        uniqueItems=True,
    )


def rows_of(tables: Mapping[str, Any], settings: Mapping[str, Any], kind: str) -> tuple[pd.DataFrame, list[tuple[str, str]]]:
    """Return rows of `ratios` of the measure, and the pairs that are drawn."""
    rows = panels.of_measure(tables, settings, kind, "ratios", included=True)
    asked = settings.get("highlight")
    mine = [one for one in asked if one in frames.algorithms(rows)] if isinstance(asked, list | tuple) else []
    chosen = wanted(rows, list(settings.get("algorithms") or mine), kind)
    return rows, list(itertools.combinations(chosen, 2))[:_MOST_PAIRS]


def wanted(rows: pd.DataFrame, asked: Sequence[str], kind: str) -> list[str]:
    """Return the algorithms to pair: those asked for, then the best on most problems; UserError without two."""
    known, found = frames.algorithms(rows), list(asked)
    for algorithm in found:
        if algorithm not in known:
            raise panels.nothing_to_draw(kind, f"algorithm {algorithm!r} (found {display.listed(sorted(known))})")
    if len(found) < 2:
        found += [a for a in best_first(rows) if a not in found][: 2 - len(found)]
    if len(found) < 2:
        raise panels.nothing_to_draw(kind, "a second algorithm")
    return found


def best_first(rows: pd.DataFrame) -> list[str]:
    """Order algorithms by the number of points on which they are best."""
    wins = (rows["ratio"] == 1).groupby(rows["algorithm"], observed=True).sum()
    return list(wins.sort_values(ascending=False, kind="stable").index)


def points(data: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Return the problems and targets of both, with the costs `a` and `b`."""
    columns = [*_KEYS, "cost", *(["ended"] if "ended" in data else [])]
    first, second = (frames.rows_of(data, {"algorithm": name})[columns] for name in (a, b))
    both = first.merge(second, on=_KEYS, suffixes=("_a", "_b"))
    return both.rename(columns={"cost_a": "a", "cost_b": "b"})


def counts(a: np.ndarray, b: np.ndarray) -> dict[str, int]:
    """Count the points on which each is better, both are equal, or nobody solves."""
    solved_a, solved_b = np.isfinite(a), np.isfinite(b)
    return {
        "a": int((a < b).sum()),
        "b": int((b < a).sum()),
        "equal": int(((a == b) & solved_a).sum()),
        "only_a": int((solved_a & ~solved_b).sum()),
        "only_b": int((solved_b & ~solved_a).sum()),
        "neither": int((~solved_a & ~solved_b).sum()),
    }


def verdict(found: Mapping[str, int], first: str, second: str, word: str) -> str:
    """Return `A faster on 12, B on 10, equal 3, neither solves 2`."""
    (most, name), (least, other) = sorted([(found["a"], first), (found["b"], second)], key=lambda item: -item[0])
    rest = [
        f"{words} {display.count(found[key])}" for key, words in (("equal", "equal"), ("neither", "neither solves")) if found[key]
    ]
    return ", ".join([f"{name} {word} on {display.count(most)}", f"{other} on {display.count(least)}", *rest])


def sentence(found: Mapping[str, int], first: str, second: str) -> str:
    """Return a sentence with these counts for a caption."""
    a, b = (display.count(found[key]) for key in "ab")
    if found["only_a"] or found["only_b"]:
        a, b = f"{a} ({display.count(found['only_a'])} that it alone solves)", f"{b} ({display.count(found['only_b'])})"
    text = f"{first} is better on {a}, {second} on {b}"
    text += f", equal on {display.count(found['equal'])}" if found["equal"] else ""
    return f"{text}; neither solves {display.count(found['neither'])}." if found["neither"] else f"{text}."
