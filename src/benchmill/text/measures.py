"""A measure in words."""

from collections.abc import Mapping
from typing import Any

from benchmill.core import beside
from benchmill.registry.measures import MEASURES
from benchmill.text import display

_WORDS = beside.toml(__file__)


def phrase(measure: Mapping[str, Any]) -> str:
    """Return what the cost of a trial is, for the section on methods."""
    kind = MEASURES[measure["kind"]]
    return kind.phrase.format(**_filled(measure)) + kind.citation


def caption(measure: Mapping[str, Any]) -> str:
    """Return the same in few words; of many targets the largest and the smallest."""
    filled, targets = _filled(measure), measure.get("targets") or []
    if len(targets) > 3:
        filled["targets"] = f"{display.target(max(targets))} to {display.target(min(targets))}"
    return MEASURES[measure["kind"]].caption.format(**filled)


def _filled(measure: Mapping[str, Any]) -> dict[str, str]:
    targets = [display.target(target) for target in measure.get("targets") or []]
    stated = measure.get("quantity", "cost")
    return {
        "n_targets": display.plural(len(targets), "target"),
        "targets": display.listed(targets),
        "budgets": display.listed([display.target(budget) for budget in measure.get("budgets") or []]),
        "unit": unit(measure),
        "values": _WORDS["values"][measure.get("scale", "logged")],
        "published": _WORDS["published"][measure.get("published", "printed")],
        "stated": _WORDS["stated"].get(
            stated, f"{stated} of a solved run, infinite for another one, whose limit is where it was stopped"
        ),
        "relative_to": _WORDS["relative_to"][measure.get("relative_to", "value")],
        "gap_is": _WORDS["gap_is"],
        "until": "the time limit" if measure.get("until") is None else f"{display.target(measure['until'])} s",
        "weights": ""
        if measure.get("half_life") is None
        else f" with weights that halve every {display.target(measure['half_life'])} s",
    }


def unit(measure: Mapping[str, Any]) -> str:
    """Return the unit of the budgets of a measure."""
    return "evaluations/dimension" if measure.get("per_dimension", True) else "evaluations"


def called(measure: Mapping[str, Any]) -> str:
    """Return its `label`, or its name in words."""
    return str(measure.get("label") or display.words(measure["name"]))


def cell(measure: Mapping[str, Any]) -> str:
    """Return what counts once: a problem, or of several targets or budgets a pair of a problem and one of them."""
    kind = next((kind for kind in ("target", "budget") if len(measure.get(f"{kind}s") or []) > 1), None)
    return f"(problem, {kind}) pair" if kind else "problem"


def told(measure: Mapping[str, Any]) -> str:
    """Return the same with its meaning and unit: `time (as stated, in s)`."""
    parts = [caption(measure).replace(_WORDS["stated"]["cost"], "as stated")] if measure.get("kind") else []
    parts += [f"in {measure['unit']}"] if measure.get("unit") else []
    return f"{called(measure)} ({', '.join(parts)})" if parts else called(measure)


def with_unit(measure: Mapping[str, Any], of: str = "") -> str:
    """Return the same with its unit, for an axis: `time of SCIP (s)`."""
    return called(measure) + (f" of {of}" if of else "") + (f" ({measure['unit']})" if measure.get("unit") else "")


def better(measure: Mapping[str, Any]) -> str:
    """Return what an algorithm is whose cost is smaller: `faster`, where it is a time."""
    return "faster" if measure.get("unit") in _WORDS["times"] else "better"
