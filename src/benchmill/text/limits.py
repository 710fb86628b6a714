"""Budgets that differ, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmill.text import display
from benchmill.text.frames import Frame


def stopped(cells: Mapping[str, int], of: int, word: str) -> str:
    """Say, by algorithm, on how many cells it was stopped before another one succeeded."""
    return (
        f"Budgets differ: {_on(cells, of, word)} were stopped before another algorithm succeeded, and count as worse there, "
        "perhaps wrongly."
        if any(cells.values())
        else ""
    )


def cut(cells: Mapping[str, int], of: int, word: str) -> str:
    """Say by algorithm on how many of some cells runs of it succeeded after the common limit; empty where none did."""
    return (
        f"Limits differ: {_on(cells, of, word)} succeeded after the smallest limit of an instance, and count as failed."
        if any(cells.values())
        else ""
    )


def _on(cells: Mapping[str, int], of: int, word: str) -> str:
    """Return the algorithms, those with the most cells first, and on how many that is."""
    names = sorted((name for name, n in cells.items() if n), key=lambda name: -cells[name])
    most = f"{'up to ' if len(names) > 1 else ''}{display.count(cells[names[0]])} of {display.plural(of, word)}"
    return f"on {most} runs of {display.listed(names, limit=len(names) if len(names) < 4 else 3)}"


def differing(rows: Iterable[Mapping[str, Any]], of: int, word: str) -> str:
    """Say both, of rows with the numbers `n_stopped` and `n_late` of each `algorithm`, as of `profile_measures`."""
    by = {name: {str(row["algorithm"]): int(row.get(name) or 0) for row in rows} for name in ("n_stopped", "n_late")}
    return " ".join(filter(None, (cut(by["n_late"], of, word), stopped(by["n_stopped"], of, word))))


def of_profiles(measures: Frame, word: str) -> str:
    """Say both, of all profiles in rows of `profile_measures`; empty where nothing differs."""
    of = measures.drop_duplicates(["measure", "dimension", "target", "algorithm"]).groupby("algorithm", observed=True)
    rows = of[["n_stopped", "n_late"]].sum().reset_index().to_dict("records")
    return differing(rows, int(of["n_problems"].sum().max()), word) if rows else ""
