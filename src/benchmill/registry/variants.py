"""The profile variants, and what there is to know about each."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from benchmill.core import Amounts, Given, Names, frozen, record
from benchmill.core.options import GROUPS, LEVEL, option, some
from benchmill.registry.entry import Entry, Registry

#: What `tau_max` is, of each variant.
TAU_MAX = (
    "Right end. By default the largest finite ratio; of `data` the largest at which anything is solved; of `log_ratio` (whose "
    "left end is 1 / it) the largest factor between the two costs of any problem."
)

#: τ as most variants have it.
RATIO = "performance ratio τ"

#: How often is drawn again for bands.
RESAMPLES = 2000


@record
class Described:
    """Options of a profile of any variant that texts speak of."""

    name: str | None = option(
        """Name of the file and the figure. By default the variant and, joined with `_`, whatever differs from the default: its
        `model`, `by_<rule>`, `weighted_by_<weights>`, `by_<keys>`, as in `probabilistic_empirical` and
        `dolan_more_by_dimension`.""",
        None,
        type="string",
        pattern="^[A-Za-z][A-Za-z0-9_]*$",
    )
    title: str | None = option(
        """What the profile is called above its panel and in captions; by default its variant and whatever differs from the
        default.""",
        None,
        type=["string", "null"],
        minLength=1,
    )
    measures: Names | None = some("Names of the measures that the profile is made for; by default all that it is defined for.")
    by: Names = option("One profile for each value of these.", (), uniqueItems=True, items={"enum": ["dimension", "target"]})
    groups: Given | str | None = option(
        """One profile for each group of problems, each a variant with its own name: the problems of each group by its name
        (those that the study has), or the name of an attribute of problems. By default one profile of all problems.""",
        None,
        **GROUPS,
    )
    weights: str | Amounts | None = option(
        """Weight of a problem: `equal`; a priori `dimension`, the name of an attribute of problems that is a number, or a number
        by problem; a posteriori `baseline` (the cost of its best algorithm) or `median_cost`.""",
        "equal",
        type=["string", "object"],
        minLength=1,
        additionalProperties={"type": "number", "minimum": 0},
    )
    tau_max: float | None = option(TAU_MAX, None, exclusiveMinimum=1)
    unsolved: Literal["keep", "drop"] = option("Whether a problem that no algorithm solved stays in the denominator.", "keep")
    bands: Literal["runs", "problems", "both"] | None = option(
        """Bootstrap bands around the curves, intervals of areas, wins and ranks, by what is resampled: the `runs` of each
        problem, whole clusters of `problems` (`cluster_keys`), or `both`. Bands by runs speak of these problems only. By
        default there are none.""",
        None,
    )
    level: float = option("Probability that a band covers its curve at any one tau.", 0.95, **LEVEL)


@frozen
class Variant(Entry):
    """A variant of performance profiles.

    Attributes
    ----------
    profile : class
        What is fitted: a `benchmill.profiles.variant.Profile`.
    options : class
        Its settings: `benchmill.profiles.options.Options`, or a class that adds to these.
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

    profile: Any = None
    options: Any = None
    tables: Names = ()
    costs: bool = False
    kinds: Names = ()
    of_shares: bool = False
    of_ratios: bool = False
    smooth: bool = False
    steps: tuple[tuple[str, Any], ...] = ()
    heading: str = ""
    tau: str = "τ"
    definition: str = ""
    title: str = ""
    facts: Names = ()

    def defined_for(self, kind: str) -> bool:
        """Return True if there is such a profile of measures of a kind."""
        return not self.kinds or kind in self.kinds

    def reads_costs(self, banded: bool) -> bool:
        """Return True if it reads the costs of single trials: bands draw the trials again."""
        return self.costs or banded


#: What every variant makes, in the order of the results.
TABLES = ("profiles", "profile_measures", "profile_pairs", "profile_intervals", "profile_warnings")

VARIANTS = Registry(
    Variant,
    "benchmill.variants",
    "benchmill.profiles.dolan_more",
    "benchmill.profiles.probabilistic",
    "benchmill.profiles.nested",
    "benchmill.profiles.log_ratio",
    "benchmill.profiles.data",
)

#: What a study makes that names none.
DEFAULT = "dolan_more"


def extra_tables() -> dict[Names, list[str]]:
    """Return which variants make which tables beside those that every variant makes: by these tables, names of variants."""
    variants_of: dict[Names, list[str]] = {}
    for variant in VARIANTS.values():
        variants_of.setdefault(variant.tables, []).append(variant.name)
    return variants_of


def usual_name(
    *, variant: str, model: str = "normal", rule: str = "wins", weights: Any = "equal", by: Sequence[str] = (), **others: Any
) -> str:
    """Return the name of a profile without a given one: the variant, joined with `_` to whatever differs from the default."""
    parts = {
        variant: True,
        model: model != "normal",
        f"by_{rule}": rule != "wins",
        f"weighted_by_{re.sub('[^A-Za-z0-9]+', '_', weights if isinstance(weights, str) else 'numbers')}": weights != "equal",
        f"by_{'_and_'.join(by)}": bool(by),
    }
    return "_".join(part for part, is_unusual in parts.items() if is_unusual)
