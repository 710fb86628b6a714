"""Budgets that differ, in words."""

import re
from collections.abc import Iterable

from benchmill.text import frames, prose


def differing(rows: Iterable[frames.Row], total: int, word: str) -> str:
    """Say on how many problems runs of an `algorithm` succeeded too late, or were stopped before others succeeded; or nothing."""
    late, stopped = (
        sorted(((str(row["algorithm"]), int(row[name])) for row in rows if row.get(name)), key=lambda cell: -cell[1])
        for name in ("n_late", "n_stopped")
    )
    return prose.said(__file__, late=late, stopped=stopped, total=total, word=word)


def caveats(caption: str) -> str:
    """Return what a caption says first, where that is that limits or budgets differ."""
    return re.match(r"(?:(?:Limits|Budgets) differ.*?\.(?: (?=[A-Z])|$))*", caption)[0]  # type: ignore[index]


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
