"""A profile in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmill.registry.variants import DEFAULT, VARIANTS, Variant
from benchmill.text import display

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


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
    parts = [display.words(profile.get("variant") or profile["name"])]
    sd = profile.get("sd")
    if isinstance(sd, Mapping):
        parts.append(f"σ = {sd['default']:g}" if "default" in sd else "σ")
        parts += [f"{next(iter(display.short_names([name], 12).values()))}: {v:g}" for name, v in sd.items() if name != "default"]
    elif sd is not None:
        parts.append(f"σ = {sd:g}")
    parts.append(entry_of(profile).title.format(**_filled(profile)))
    parts.append(part_of(profile))
    if (profile.get("weights") or "equal") != "equal":
        parts.append(f"weighted by {display.words(str(profile['weights']))}")
    return ", ".join(part for part in parts if part)


def part_of(profile: Mapping[str, Any]) -> str:
    """Return which part of the problems a profile is made of; empty for all."""
    return str(profile.get("of_group") or "named ones alone") if profile.get("problems") else ""


def facts(profile: Mapping[str, Any]) -> list[str]:
    """Return what the section on methods says of a profile beside its name, in order."""
    return [fact.format(**_filled(profile)) for fact in entry_of(profile).facts]


def is_smooth(profile: Mapping[str, Any]) -> bool:
    """Return True if the points of a curve are joined by lines."""
    entry = entry_of(profile)
    return entry.smooth and not any(profile.get(key) == value for key, value in entry.steps)


def _filled(profile: Mapping[str, Any]) -> dict[str, str]:
    model = profile.get("model", "normal")
    assumed = profile.get("sd") is not None
    return {
        "model": f"{model} with an assumed standard deviation" if assumed else _WORDS["model"][model],
        "sd": _deviation(profile.get("sd")),
        "baseline": _WORDS["baseline"][profile.get("baseline", "ert")],
        "rule": _WORDS["rule"][profile.get("rule") or "wins"],
        "best": _WORDS["best"][profile.get("rule") or "wins"],
        "waves": str(profile.get("waves") or "all"),
    }


def _deviation(sd: Any) -> str:
    if sd is None:
        return ""
    values = sd if isinstance(sd, Mapping) else {"default": sd}
    own = [f"{display.target(value)} for {name}" for name, value in values.items() if name != "default"]
    return f", σ = {display.listed([*(display.target(values[name]) for name in values if name == 'default'), *own])}"
