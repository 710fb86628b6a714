"""A profile in words."""

from collections.abc import Mapping
from typing import Any

from benchmill.core import beside
from benchmill.registry.variants import DEFAULT, VARIANTS, Variant
from benchmill.text import display

_WORDS = beside.toml(__file__)


def entry_of(profile: Mapping[str, Any]) -> Variant:
    """Return the variant of a profile, one without words where it is not registered."""
    variant = profile.get("variant") or DEFAULT
    return VARIANTS.get(variant) or Variant(variant, display.words(variant), "")


def heading(profile: Mapping[str, Any]) -> str:
    """Return the head of a caption: `<heading> profiles of …`."""
    entry = entry_of(profile)
    named = display.words(entry.name)
    return entry.heading or named[:1].upper() + named[1:]


def definition(profile: Mapping[str, Any], what: str) -> str:
    """Return the sentence that defines the curves of a profile; `what` they are shares of."""
    entry = entry_of(profile)
    plain = "ρ(τ) is the share of {what} that the variant {name!r} counts at τ."
    return (entry.definition or plain).format(what=what, name=display.words(entry.name), **_filled(profile))


def title(profile: Mapping[str, Any]) -> str:
    """Return a profile in a few words: its own `title`, or `probabilistic, σ = 0.1, a1: 5`."""
    if profile.get("title"):
        return str(profile["title"])
    sd, weights = _by_name(profile.get("sd")), weighting(profile)
    parts = [
        display.words(profile.get("variant") or profile["name"]),
        "" if sd is None else f"σ = {sd['default']:g}" if "default" in sd else "σ",
        *(f"{display.short(name, 12)}: {value:g}" for name, value in (sd or {}).items() if name != "default"),
        entry_of(profile).title.format(**_filled(profile)),
        *(profile.get("groups") or ()),
        f"weighted by {weights}" if weights else "",
    ]
    return ", ".join(part for part in parts if part)


def weighting(profile: Mapping[str, Any]) -> str:
    """Return what the problems of a profile are weighted by; empty where all count the same."""
    weights = profile.get("weights") or "equal"
    named = display.words(weights) if isinstance(weights, str) else "numbers of their own"
    return "" if weights == "equal" else named


def facts(profile: Mapping[str, Any]) -> list[str]:
    """Return what the section on methods says of a profile beside its name, in order."""
    return [fact.format(**_filled(profile)) for fact in entry_of(profile).facts]


def is_smooth(profile: Mapping[str, Any]) -> bool:
    """Return True if the points of a curve are joined by lines."""
    entry = entry_of(profile)
    return entry.smooth and not any(profile.get(key) == value for key, value in entry.steps)


def _filled(profile: Mapping[str, Any]) -> dict[str, str]:
    model = profile.get("model", "normal")
    return {
        "model": _WORDS["model"][model] if profile.get("sd") is None else f"{model} with an assumed standard deviation",
        "sd": "" if profile.get("sd") is None else _deviation(profile["sd"]),
        "baseline": _WORDS["baseline"][profile.get("baseline", "ert")],
        "rule": _WORDS["rule"][profile.get("rule") or "wins"],
        "best": _WORDS["best"][profile.get("rule") or "wins"],
        "waves": str(profile.get("waves") or "all"),
    }


def _by_name(sd: Any) -> Mapping[str, float] | None:
    """Return standard deviations by algorithm, that of all others as `default`; None without any."""
    return sd if sd is None or isinstance(sd, Mapping) else {"default": sd}


def _deviation(sd: Any) -> str:
    values = _by_name(sd) or {}
    own = [f"{display.target(value)} for {name}" for name, value in values.items() if name != "default"]
    return f", σ = {display.listed([*(display.target(values[name]) for name in values if name == 'default'), *own])}"
