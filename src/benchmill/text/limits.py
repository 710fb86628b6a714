"""Budgets that differ, in words."""

from __future__ import annotations

from collections.abc import Mapping

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
