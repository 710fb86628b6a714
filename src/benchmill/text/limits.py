"""Budgets that differ, in words."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchmill.text import display, frames

#: What is said of the problems that a column of `profile_measures` counts.
_SAID = {
    "n_late": "Limits differ: {} succeeded after the smallest limit of an instance, and count as failed.",
    "n_stopped": "Budgets differ: {} were stopped before another algorithm succeeded, and count as worse there, perhaps wrongly.",
}


def differing(rows: Iterable[Mapping[str, Any]], total: int, word: str) -> str:
    """Say on how many problems runs of an `algorithm` succeeded too late, or were stopped before others succeeded; or nothing."""
    by = {name: {str(row["algorithm"]): int(row.get(name) or 0) for row in rows} for name in _SAID}
    return " ".join(_SAID[name].format(_on(cells, total, word)) for name, cells in by.items() if any(cells.values()))


def caveats(caption: str) -> str:
    """Return what a caption says first, where that is that limits or budgets differ."""
    return re.match(r"(?:(?:Limits|Budgets) differ.*?\.(?: (?=[A-Z])|$))*", caption)[0]  # type: ignore[index]


def _on(cells: Mapping[str, int], total: int, word: str) -> str:
    """Return the algorithms, those with the most cells first, and on how many that is."""
    names = sorted((name for name, n in cells.items() if n), key=lambda name: -cells[name])
    return (
        f"on {'up to ' if len(names) > 1 else ''}{display.count(cells[names[0]])} of {display.plural(total, word)} runs of "
        f"{display.listed(names, limit=len(names) if len(names) < 4 else 3)}"
    )


def of_profiles(measures: frames.Frame, word: str) -> str:
    """Say it of all profiles in rows of `profile_measures`."""
    rows = (
        measures.drop_duplicates(["measure", "dimension", "target", "algorithm"])
        .groupby("algorithm", observed=True)[["n_stopped", "n_late", "n_problems"]]
        .sum()
        .reset_index()
        .to_dict("records")
    )
    return differing(rows, int(max((row["n_problems"] for row in rows), default=0)), word)
