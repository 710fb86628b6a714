"""The performance profile of Dolan and Moré: the share of problems solved within a factor of the best."""

import numpy as np

from benchmill.core import Array, ArrayLike, MaybeArray, Named, reals, step_functions
from benchmill.profiles import measures, variant
from benchmill.profiles.groups import Counted
from benchmill.profiles.options import Options
from benchmill.registry.variants import RATIO, Variant


def profile_functions(ratios: ArrayLike, weights: MaybeArray = None) -> step_functions.Curves:
    """Return the profiles rho_i(tau) = sum_j w_j [r_ij <= tau] / sum_j w_j as exact step functions, one an algorithm.

    Barreto, Bernardino, Barbosa 2010, section 2; Barbosa, Bernardino, Barreto 2010, section II (weights).
    """
    return [step_functions.ecdf(row, weights) for row in reals(ratios)]


def ratio_thresholds(costs: Array) -> Array:
    """Return the performance ratios of a batch of costs (b, n_algorithms, n_problems)."""
    return step_functions.ratios(costs, costs.min(axis=1, keepdims=True))


class Profile(variant.Profile[Options]):
    """Dolan-Moré profiles, from tau = 1 to `tau_max`."""

    variant = "dolan_more"

    def curves_of(self, number: int) -> step_functions.Curves:
        """Return the share of problems with a ratio of at most tau."""
        group = self.groups[number]
        return [step_functions.within(f, 1.0, group.tau_max) for f in profile_functions(group.ratios, group.weights)]

    def measures_of(self, number: int) -> Named:
        """Read them off the ratios themselves."""
        group = self.groups[number]
        return measures.measures(group.ratios, group.tau_max, group.weights)

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """Return the ratios of each resample, to its own best."""
        return Counted(lambda costs, weights: ratio_thresholds(costs))


ENTRIES = (
    Variant(
        "dolan_more",
        "Dolan–Moré profile",
        profile=Profile,
        options=Options,
        references=("dolan2002",),
        of_shares=True,
        of_ratios=True,
        heading="Performance",
        tau=RATIO,
        definition="ρ(τ) is the share of {what} solved at up to τ times the smallest cost.",
    ),
)
