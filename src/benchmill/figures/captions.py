"""What captions and titles say of measures, profiles and trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmill.registry.measures import MEASURES
from benchmill.text import display, measures

_MODELS = {
    "normal": "normal with their mean and standard deviation",
    "lognormal": "lognormal with their mean and standard deviation",
    "gamma": "gamma with their mean and standard deviation",
    "predictive_t": "Student's t for the next run",
    "empirical": "that of the runs themselves",
}


def _probabilistic(profile: Mapping[str, Any]) -> str:
    model = _MODELS[profile.get("model", "normal")]
    if profile.get("sd") is not None:
        model = f"{profile['model']} with an assumed standard deviation"
    base = {"mean_success": "mean of the successes", "truncated_mean": "mean of cost and budget"}.get(
        profile.get("baseline", "ert"), "expected running time"
    )
    return (
        "Probabilistic profiles: ρ(τ) is the expected share of {what} on which one run costs at most τ times the "
        f"smallest {base} of any algorithm there; distribution of the successful costs: {model}; a failed run never counts."
    )


def _nested(profile: Mapping[str, Any]) -> str:
    rule = "most wins" if profile.get("rule", "wins") == "wins" else "smallest sum of ratios"
    return (
        "Nested profiles: ρ(τ) is the mean over the waves of the share of {what} whose cost is at most τ times the smallest "
        f"cost of any algorithm still in the race; before each wave but the first, the best algorithm leaves it ({rule})."
    )


def _accuracy(profile: Mapping[str, Any]) -> str:
    relative = ", divided by that of the worst algorithm there" if profile.get("reference", "worst") == "worst" else ""
    return "Accuracy profiles: ρ(τ) is the share of {what} with an error of at most τ at the budget" + f"{relative}."


@dataclass(frozen=True)
class Words:
    """What the figures of a variant say.

    Attributes
    ----------
    kind : str
        Heads the caption: `<kind> profiles of …`.
    tau : str
        Label of the axis.
    definition : str or callable
        A sentence in which `{what}` stands for problems, or what makes it of the settings of the variant.
    of_ratios : bool
        Whether τ is a ratio to the best, so that the right end is the largest ratio.
    """

    kind: str
    tau: str
    definition: str | Callable[[Mapping[str, Any]], str]
    of_ratios: bool = False


_RATIO = "performance ratio τ"

#: By variant. A variant that is not here is named in its figures, not explained.
VARIANTS: dict[str, Words] = {
    "dolan_more": Words(
        "Performance",
        _RATIO,
        "ρ(τ) is the share of {what} whose cost is at most τ times the smallest cost of any algorithm there.",
        of_ratios=True,
    ),
    "probabilistic": Words("Performance", _RATIO, _probabilistic, of_ratios=True),
    "nested": Words("Performance", _RATIO, _nested, of_ratios=True),
    "log_ratio": Words(
        "Log-ratio",
        "ratio to the cost of the other algorithm τ",
        "Log-ratio profile: ρ(τ) is the share of {what} whose cost is at most τ times that of the other algorithm.",
        of_ratios=True,
    ),
    "data": Words(
        "Data",
        "evaluations/(dimension + 1) τ",
        "Data profiles: ρ(τ) is the share of {what} solved within τ(n + 1) evaluations, n being the dimension.",
    ),
    "accuracy": Words("Accuracy", "error τ", _accuracy),
}


def words_of(profile: Mapping[str, Any]) -> Words:
    """The words of a variant; Dolan and Moré's where the settings name no variant."""
    variant = profile.get("variant") or "dolan_more"
    named = display.words(variant)
    plain = f"ρ(τ) is the share of {{what}} that the variant {named!r} counts at τ."
    return VARIANTS.get(variant) or Words(named[:1].upper() + named[1:], "τ", plain)


def definition(profile: Mapping[str, Any], what: str) -> str:
    """The sentence that defines the curves of a variant; `what` they are shares of."""
    sentence = words_of(profile).definition
    return (sentence if isinstance(sentence, str) else sentence(profile)).replace("{what}", what)


def x_label(profile: Mapping[str, Any], scale: str) -> str:
    """What tau is in a variant, and the scale of its axis."""
    words = {"log2": " (log₂ scale)", "log10": " (log₁₀ scale)", "broken": " (linear to 10, then log₁₀ scale)"}
    return words_of(profile).tau + words.get(scale, "")


def title(profile: Mapping[str, Any]) -> str:
    """A variant in a few words, as the title of its panel: `probabilistic, σ = 0.1, a1: 5`."""
    variant = profile.get("variant") or profile["name"]
    parts = [display.words(variant)]
    sd = profile.get("sd")
    if isinstance(sd, Mapping):
        parts.append(f"σ = {sd['default']:g}" if "default" in sd else "σ")
        parts += [f"{next(iter(display.short_names([name], 12).values()))}: {v:g}" for name, v in sd.items() if name != "default"]
    elif sd is not None:
        parts.append(f"σ = {sd:g}")
    if variant == "nested":
        parts.append({"wins": "by wins", "sum": "by sum of ratios"}.get(profile.get("rule") or "wins", str(profile.get("rule"))))
    if (profile.get("weights") or "equal") != "equal":
        parts.append(f"weighted by {display.words(str(profile['weights']))}")
    return ", ".join(parts)


_RESAMPLED = {"runs": "the runs of each problem", "problems": "the problems", "both": "the problems and their runs"}


def band_words(bands: Mapping[str, Any] | None) -> str:
    """What a band is, by the settings that made it."""
    chosen = bands or {}
    if not chosen:
        return "Bands are as stated in the settings of the variant."
    covers = "whole curves" if chosen.get("kind") == "simultaneous" else "the curve at each τ"
    return (
        f"Bands cover {covers} with a probability of {display.target(100 * chosen.get('level', 0.95))} %, by "
        f"{display.count(chosen.get('replicates', 2000))} bootstrap resamples of {_RESAMPLED[chosen.get('resample', 'runs')]}."
    )


def span(values: list[Any], form: Any = display.count) -> str:
    """`3`, or `3 to 7`, of sorted values."""
    if not values:
        return "no"
    return form(values[0]) if len(values) == 1 else f"{form(values[0])} to {form(values[-1])}"


def named(measure: Mapping[str, Any]) -> str:
    """The name of a measure, and what it is: `quality (best value at 100 evaluations/dimension; …)`."""
    return f"{display.words(measure['name'])}{measure_words(measure)}"


def measure_words(measure: Mapping[str, Any]) -> str:
    """What a measure is, in brackets after a blank; empty where there is nothing to say."""
    aggregate = measure.get("aggregate")
    words = [measures.caption(measure)] if measure.get("kind") else []
    if words and MEASURES[measure["kind"]].fixed_aggregate:
        return f" ({words[0]})"
    if aggregate == "ert":
        words.append("trials of a problem joined by their expected running time, each failure with its own budget")
    elif aggregate == "success_performance":
        words.append("trials of a problem joined by success performance, the mean of the successes over the success rate")
    elif aggregate in ("mean", "median"):
        words.append(f"{aggregate} over the trials of a problem, a failure counting as infinite")
    elif aggregate == "single":
        words.append("one trial a problem")
    return f" ({'; '.join(words)})" if words else ""


def trial_words(tables: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    """The sentence about trials found and missing; empty without ingest reports."""
    counted = trials(tables)
    if counted is None:
        return ""
    found, missing = counted
    rule = {"failure": "counts as a failure", "error": "stops the study"}.get(
        measure.get("missing", "common"), "is left out for all"
    )
    gap = (
        f", {display.count(missing)} missing (a problem on which an algorithm has no trial {rule})"
        if missing
        else ", none missing"
    )
    return f"Trials found: {display.count(found)}{gap}."


def trials(tables: Mapping[str, Any]) -> tuple[int, int] | None:
    """Trials found and missing, by the ingest reports; None without them."""
    reports = tables.get("ingest")
    if not reports:
        return None
    return sum(r["trials"]["found"] for r in reports), sum(r["trials"].get("missing") or 0 for r in reports)
