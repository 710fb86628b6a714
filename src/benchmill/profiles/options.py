"""Settings that every profile variant has; the module of a variant adds its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from benchmill.core.errors import UserError
from benchmill.core.options import GROUPS, Checked, made, option, some
from benchmill.registry.variants import Bands

#: What `tau_min` is, of the variants whose curves can be below 1.
TAU_MIN = "Left end of the curves, from 0 to 1. Areas, and the share solved at 1, do not depend on it."

#: What `tau_max` is, of each variant.
TAU_MAX = (
    "Right end. By default the largest finite ratio; of `data` the largest at which anything is solved; of `log_ratio` (whose "
    "left end is 1 / it) the largest factor between the two costs of any problem."
)


@dataclass(frozen=True, kw_only=True)
class Options(Checked):
    """Settings of every variant."""

    name: str | None = option(
        """Name of the file and the figure. By default the variant and, joined with `_`, what is not as usual: its `model`,
        `by_<rule>`, `weighted_by_<weights>`, `by_<keys>`, as in `probabilistic_empirical` and
        `dolan_more_by_dimension`.""",
        None,
        type="string",
        pattern="^[A-Za-z][A-Za-z0-9_]*$",
    )
    title: str | None = option(
        "What the profile is called above its panel and in captions; by default its variant and what is not as usual.",
        None,
        type=["string", "null"],
        minLength=1,
    )
    measures: tuple[str, ...] | None = some(
        "Names of the measures that the profile is made of; by default all that it is defined for."
    )
    by: tuple[str, ...] = option(
        "One profile for each value of these.", (), uniqueItems=True, items={"enum": ["dimension", "target"]}
    )
    groups: Mapping[str, Any] | str | None = option(
        """One profile for each group of problems, as a variant of its own with a name of its own: the problems of each group by
        its name, as far as the study has them, or the name of an attribute of problems. By default one of all.""",
        None,
        **GROUPS,
    )
    weights: str | Mapping[str, float] | None = option(
        """Weight of a problem: `equal`; a priori `dimension`, the name of an attribute of problems that is a number, or a number
        by problem; a posteriori `baseline` (the cost of its best algorithm) or `median_cost`.""",
        "equal",
        type=["string", "object"],
        minLength=1,
        additionalProperties={"type": "number", "minimum": 0},
    )
    tau_max: float | None = option(TAU_MAX, None, exclusiveMinimum=1)
    unsolved: Literal["keep", "drop"] = option("Whether a problem that no algorithm solved stays in the denominator.", "keep")
    bands: Bands | None = option(
        "Bootstrap bands around the curves, intervals of areas, wins and ranks; by default none.",
        None,
    )

    #: Whether tau is a ratio to the best, which is never below 1.
    of_ratios: ClassVar[bool] = True

    @classmethod
    def of(cls, settings: Mapping[str, Any], variant: str) -> Self:
        """Return the options from the settings of a study, or from keywords."""
        return made(cls, settings, f"profiles: the variant {variant!r}")

    section = "profiles: "

    def __post_init__(self) -> None:
        if not set(self.by) <= {"dimension", "target"}:
            raise UserError(f"profiles: by is {list(self.by)}, expected some of 'dimension', 'target'.")
        end = self.tau_max
        if end is not None and not (1 <= end < np.inf if self.of_ratios else 0 < end < np.inf):
            least = "of at least 1" if self.of_ratios else "above 0"
            raise UserError(f"profiles: tau_max is {end}, expected a finite number {least}.")
        super().__post_init__()
