"""What a measure is, in words: the phrases of its kind with the settings of a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.registry.measures import MEASURES
from benchmill.text import display

_SCALES = {
    "logged": "the values as logged",
    "distance": "the distance to the known optimum",
    "relative": "the distance to the known optimum divided by its size",
}
_PUBLISHED = {"printed": "printed", "recomputed": "recomputed from printed means and rates"}


def phrase(measure: Mapping[str, Any]) -> str:
    """What the cost of a trial is: what the section on methods says.

    Parameters
    ----------
    measure : mapping
        Settings of the measure, with its `kind`.

    Returns
    -------
    str
        Without an end; a `[key]` cites an entry of `benchmill.registry.bibliography.REFERENCES`.
    """
    kind = MEASURES[measure["kind"]]
    return kind.phrase.format(**_filled(measure)) + kind.citation


def caption(measure: Mapping[str, Any]) -> str:
    """The same in few words."""
    return MEASURES[measure["kind"]].caption.format(**_filled(measure))


def _filled(measure: Mapping[str, Any]) -> dict[str, str]:
    """What the phrases can name."""
    targets = [display.target(target) for target in measure.get("targets") or []]
    return {
        "n_targets": display.plural(len(targets), "target"),
        "targets": display.listed(targets),
        "budgets": display.listed([display.target(budget) for budget in measure.get("budgets") or []]),
        "unit": unit(measure),
        "values": _SCALES[measure.get("scale", "logged")],
        "published": _PUBLISHED[measure.get("published", "printed")],
        "stated": _stated(measure),
    }


def unit(measure: Mapping[str, Any]) -> str:
    """The unit of the budgets of a measure."""
    return "evaluations/dimension" if measure.get("per_dimension", True) else "evaluations"


def _stated(measure: Mapping[str, Any]) -> str:
    if measure.get("reciprocal"):
        return "reciprocal of the number that the source states, infinite for 0"
    counted = measure.get("quantity", "cost")
    return "cost as the source states it" if counted == "cost" else f"{counted} of a solved run, infinite for another one"
