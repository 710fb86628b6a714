"""Budgets that differ, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmill.text import display


def stopped(cells: Mapping[str, int], of: int, word: str) -> str:
    """Say by algorithm on how many cells it was stopped before another one succeeded."""
    by = {name: n for name, n in cells.items() if n}
    if not by:
        return ""
    told = [f"{name} on {display.count(n)}" for name, n in by.items()]
    return (
        f"Budgets differ: of {display.plural(of, word)}, runs were stopped without success at less than another algorithm took "
        f"to succeed ({display.listed(told, limit=8)}); there they count as worse, though what they needed is not known."
    )


def cut(cells: Mapping[str, int], of: int, word: str) -> str:
    """Say by algorithm on how many of some cells runs of it succeeded after the common limit; empty where none did."""
    told = [f"{name} on {display.count(n)}" for name, n in cells.items() if n]
    if not told:
        return ""
    return (
        "Limits differ, and all runs are compared at the smallest one of each instance: those that succeeded later count as "
        f"failed (of {display.plural(of, word)}, {display.listed(told, limit=8)})."
    )


def differing(rows: Iterable[Mapping[str, Any]], of: int, word: str) -> str:
    """Say both, of rows with the numbers `n_stopped` and `n_late` of each `algorithm`, as of `profile_measures`."""
    by = {name: {str(row["algorithm"]): int(row.get(name) or 0) for row in rows} for name in ("n_stopped", "n_late")}
    return " ".join(filter(None, (cut(by["n_late"], of, word), stopped(by["n_stopped"], of, word))))
