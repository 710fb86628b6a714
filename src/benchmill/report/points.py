"""Targets and budgets as the page names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.text import display


def point_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The target or the budget of a row with its words, `all` where it has neither."""
    for key, word in (("target", "target"), ("at_budget", "budget")):
        if row[key] is not None:
            return {key: row[key], "label": f"{word} {display.target(row[key])}"}
    return {"label": "all"}
