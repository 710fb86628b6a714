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
_RELATIVE = {
    "value": "the size of the value",
    "larger": "the larger size of the two",
    "smaller": "the smaller size of the two (infinite where their signs differ)",
}
_GAP_IS = (
    "a gap is the difference divided by the larger size of the two, at most 1, 1 as long as one of them is not there, and 0 from "
    "the end of a solved run on"
)
_AS_STATED = "cost as the source states it"
_PUBLISHED = {"printed": "printed", "recomputed": "recomputed from printed means and rates"}


def phrase(measure: Mapping[str, Any]) -> str:
    """Return what the cost of a trial is, for the section on methods, without an end; a `[key]` is a citation."""
    kind = MEASURES[measure["kind"]]
    return kind.phrase.format(**_filled(measure)) + kind.citation


def caption(measure: Mapping[str, Any]) -> str:
    """Return the same in few words: its `title`, or those of its kind; of many targets the largest and the smallest."""
    if measure.get("title"):
        return str(measure["title"])
    filled, targets = _filled(measure), measure.get("targets") or []
    if len(targets) > 3:
        filled["targets"] = f"{display.target(max(targets))} to {display.target(min(targets))}"
    return MEASURES[measure["kind"]].caption.format(**filled)


def _filled(measure: Mapping[str, Any]) -> dict[str, str]:
    targets = [display.target(target) for target in measure.get("targets") or []]
    return {
        "n_targets": display.plural(len(targets), "target"),
        "targets": display.listed(targets),
        "budgets": display.listed([display.target(budget) for budget in measure.get("budgets") or []]),
        "unit": unit(measure),
        "values": _SCALES[measure.get("scale", "logged")],
        "published": _PUBLISHED[measure.get("published", "printed")],
        "stated": _stated(measure),
        "relative_to": _RELATIVE[measure.get("relative_to", "value")],
        "gap_is": _GAP_IS,
        **_integrated(measure),
    }


def unit(measure: Mapping[str, Any]) -> str:
    """Return the unit of the budgets of a measure."""
    return "evaluations/dimension" if measure.get("per_dimension", True) else "evaluations"


def _stated(measure: Mapping[str, Any]) -> str:
    if measure.get("reciprocal"):
        return "reciprocal of the number that the source states, infinite for 0"
    counted = measure.get("quantity", "cost")
    return _AS_STATED if counted == "cost" else f"{counted} of a solved run, infinite for another one"


def _integrated(measure: Mapping[str, Any]) -> dict[str, str]:
    until, half_life = measure.get("until"), measure.get("half_life")
    weights = "" if half_life is None else f" with weights that halve every {display.target(half_life)} s"
    return {"until": "the time limit" if until is None else f"{display.target(until)} s", "weights": weights}


def called(measure: Mapping[str, Any]) -> str:
    """Return what a measure is called in texts and on axes: its `label`, or its name in words."""
    return str(measure.get("label") or display.words(measure["name"]))


def told(measure: Mapping[str, Any]) -> str:
    """Return the same with its meaning and unit, for a caption: `time (as stated, in s)`."""
    parts = [caption(measure).replace(_AS_STATED, "as stated")] if measure.get("kind") else []
    parts += [f"in {measure['unit']}"] if measure.get("unit") else []
    return f"{called(measure)} ({', '.join(parts)})" if parts else called(measure)


def with_unit(measure: Mapping[str, Any], of: str = "") -> str:
    """Return the same with the unit of its costs, for an axis: `time (s)`, `time of SCIP (s)`."""
    owner = f" of {of}" if of else ""
    return f"{called(measure)}{owner}" + (f" ({measure['unit']})" if measure.get("unit") else "")


#: Units of which less is faster.
_TIMES = ("ns", "us", "µs", "ms", "s", "sec", "min", "h", "d", "seconds", "minutes", "hours")


def better(measure: Mapping[str, Any]) -> str:
    """Return what an algorithm is whose cost is smaller: `faster`, where it is a time."""
    return "faster" if measure.get("unit") in _TIMES else "better"
