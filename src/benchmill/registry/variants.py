"""The profile variants, and what each needs: the one place that configuration, rules, figures and tables read it from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmill.registry.entry import Entry


@dataclass(frozen=True)
class Variant(Entry):
    """A variant of performance profiles.

    Attributes
    ----------
    tables : tuple of str
        What it makes beside the tables that every variant makes.
    costs : bool
        Whether it reads the costs of single trials beside the ratios.
    kinds : tuple of str
        The kinds of measure that it is defined for; empty: all.
    of_shares : bool
        Whether its curves are the shares of ratios alone, so that the page can compute them anew for some of the algorithms.
    of_ratios : bool
        Whether τ is a ratio to the best, so that the right end is the largest ratio.
    steps : tuple of (str, object)
        Settings with which they have steps after all.
    heading : str
        Heads captions, `<heading> profiles of …`; empty for its name.
    definition : str
        A sentence in which `{what}` stands for problems, and the names in `benchmill.text.variants` for settings in words;
        without one, figures name the variant and do not explain it.
    title : str
        What joins its name in the title of a panel, made in the same way.
    facts : tuple of str
        What the section on methods says of its settings, made in the same way.
    """

    room = "benchmill.profiles"

    tables: tuple[str, ...] = ()
    costs: bool = False
    kinds: tuple[str, ...] = ()
    of_shares: bool = False
    of_ratios: bool = False
    smooth: bool = False
    steps: tuple[tuple[str, Any], ...] = ()
    heading: str = ""
    tau: str = "τ"
    definition: str = ""
    title: str = ""
    facts: tuple[str, ...] = ()

    def defined_for(self, kind: str) -> bool:
        """Return True if there is such a profile of measures of a kind."""
        return not self.kinds or kind in self.kinds

    def reads_costs(self, settings: Mapping[str, Any]) -> bool:
        """Return True if it reads the costs of single trials with these settings: bands draw the trials again."""
        return self.costs or settings.get("bands") is not None


#: What every variant makes, in the order of the results.
TABLES = ("profiles", "profile_measures", "profile_pairs", "profile_intervals", "profile_warnings")

_RATIO = "performance ratio τ"

_ALL = (
    Variant(
        "dolan_more",
        "Dolan–Moré profile",
        references=("dolan2002",),
        of_shares=True,
        of_ratios=True,
        heading="Performance",
        tau=_RATIO,
        definition="ρ(τ) is the share of {what} solved at up to τ times the smallest cost.",
    ),
    Variant(
        "probabilistic",
        "probabilistic profile",
        references=("barreto2010",),
        costs=True,
        of_ratios=True,
        smooth=True,
        steps=(("model", "empirical"),),
        heading="Performance",
        tau=_RATIO,
        definition="Probabilistic: ρ(τ) is the expected share of {what} on which one run costs at most τ times the smallest "
        "{baseline}.",
        facts=(
            "expected shares for one run, distribution of the successful costs: {model}{sd}",
            "ratios to the smallest {baseline}",
        ),
    ),
    Variant(
        "nested",
        "nested profile",
        references=("hekmati2018",),
        tables=("waves", "wave_profiles", "stability"),
        of_ratios=True,
        heading="Performance",
        tau=_RATIO,
        definition="Nested: ρ(τ) is the mean over waves of the share of {what} solved at up to τ times the smallest cost in "
        "the race, which the best algorithm ({best}) leaves after each wave.",
        title="by {rule}",
        facts=("mean over {waves} waves, the best by {rule} leaving before each further one",),
    ),
    Variant(
        "log_ratio",
        "log-ratio profile",
        references=("morales2002",),
        tables=("log_ratios",),
        of_ratios=True,
        heading="Log-ratio",
        tau="ratio to the cost of the other algorithm τ",
        definition="Log-ratio: ρ(τ) is the share of {what} whose cost is at most τ times that of the other algorithm.",
    ),
    Variant(
        "data",
        "data profile",
        references=("more2009",),
        kinds=("fixed_target", "success_performance", "given"),
        heading="Data",
        tau="evaluations/(dimension + 1) τ",
        definition="ρ(τ) is the share of {what} solved within τ(n + 1) evaluations, n being the dimension.",
    ),
)

#: In the order in which people should see them.
VARIANTS = {variant.name: variant for variant in _ALL}

#: What a study makes that names none.
DEFAULT = "dolan_more"


def extra_tables() -> dict[tuple[str, ...], list[str]]:
    """Return which variants make which tables beside those that every variant makes: by these tables, names of variants."""
    found: dict[tuple[str, ...], list[str]] = {}
    for variant in VARIANTS.values():
        found.setdefault(variant.tables, []).append(variant.name)
    return found


def usual_name(settings: Mapping[str, Any]) -> str:
    """Return what a profile is called that has no name of its own: the variant, joined with `_` to what is not as usual.

    Parameters
    ----------
    settings : mapping
        `variant`, and its options as far as they are set.
    """
    parts = [settings["variant"]]
    if (model := settings.get("model", "normal")) != "normal":
        parts.append(model)
    if (rule := settings.get("rule", "wins")) != "wins":
        parts.append(f"by_{rule}")
    if (weights := settings.get("weights", "equal")) != "equal":
        parts.append(f"weighted_by_{re.sub('[^A-Za-z0-9]+', '_', weights)}")
    if by := settings.get("by"):
        parts.append("by_" + "_and_".join(by))
    return "_".join(parts)
