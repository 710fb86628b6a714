"""Targets and budgets as the page names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.text import display, labels
from benchmill.text.frames import target_title


def point_of(row: Mapping[str, Any], settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the target or the budget of a row with its words (the measure's `settings` may title targets).

    `all` where it has neither.
    """
    if row["target"] is not None:
        return {"target": row["target"], "label": labels.shown(title_of(row["target"], settings or {}))}
    if row["at_budget"] is not None:
        return {"at_budget": row["at_budget"], "label": f"budget {display.target(row['at_budget'])}"}
    return {"label": "all"}


def title_of(target: float, settings: Mapping[str, Any]) -> str:
    """Return what a measure calls a target."""
    return target_title({"target": target}, {"measure": {"name": "", **settings}})
