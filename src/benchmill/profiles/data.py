"""The data profile: the share of problems solved within a number of simplex gradients.

Moré, Wild 2009, equation (2.2): d_s(alpha) = share of the problems with t_ps/(n_p + 1) <= alpha, for costs t_ps in evaluations
and n_p variables. In the table of profiles alpha is `tau`.
"""

import numpy as np

from benchmill.core import Array, ArrayLike, UserError, reals
from benchmill.profiles import thresholds
from benchmill.profiles.groups import Counted, Group
from benchmill.profiles.thresholds import Options
from benchmill.registry.variants import Variant


def thresholds_of(costs: ArrayLike, dimensions: ArrayLike) -> Array:
    """Return the costs per n + 1 evaluations: t_ps/(n_p + 1)."""
    return reals(reals(costs) / (reals(dimensions) + 1))


class Profile(thresholds.Profile[Options]):
    """Data profiles: the thresholds are `thresholds_of` the costs."""

    variant = "data"

    def thresholds_of_group(self, group: Group) -> Array:
        """Return the costs in simplex gradients."""
        dimensions = group.problems.column("dimension")
        if dimensions.null_count:
            raise UserError(
                f"measure {self.measure!r}: a data profile needs the dimension of every problem; add dimension to problem_keys, "
                "and the column to the source."
            )
        if group.problems.column("at_budget").null_count < group.problems.num_rows:
            raise UserError(f"measure {self.measure!r}: a data profile needs evaluations, but this measure has a fixed budget.")
        return thresholds_of(group.costs, dimensions.to_numpy())

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """Return the costs that were drawn again, in simplex gradients of the problem that was drawn."""
        dimensions = self.groups[number].problems.column("dimension").to_numpy()
        return Counted(lambda costs, weights: thresholds_of(costs, dimensions))


ENTRIES = (
    Variant(
        "data",
        "data profile",
        profile=Profile,
        options=Options,
        references=("more2009",),
        kinds=("fixed_target", "success_performance", "given"),
        heading="Data",
        tau="evaluations/(dimension + 1) τ",
        definition="ρ(τ) is the share of {what} solved within τ(n + 1) evaluations, n being the dimension.",
    ),
)
