"""The accuracy profile: the share of problems on which a fixed budget leaves at most an error tau.

Beiranvand, Hare, Lucet 2017, section 4.3, draw the share of problems with at least gamma correct digits; with tau = 10^-gamma
this is the same curve, mirrored. Their error is (f - f*)/(f_0 - f*) with the starting value f_0; costs do not hold f_0, so the
worst algorithm on the problem takes its place (`reference: worst`), or nothing (`absolute`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.profiles import thresholds
from benchmill.profiles.groups import Group
from benchmill.profiles.variant import Counted

Array = npt.NDArray[np.float64]


def thresholds_of(costs: npt.ArrayLike, reference: str = "worst", digits: float = 16.0) -> Array:
    """Errors relative to the reference, none below 10^-digits.

    Parameters
    ----------
    costs : (n_algorithms, n_problems) array_like
        Errors f - f* > 0; inf = failure (no value).
    reference : {"worst", "absolute"}
        Divide by the largest finite error of any algorithm on the problem, or not at all.
    digits : float
        More correct digits than these count as these.

    Returns
    -------
    (n_algorithms, n_problems) array
    """
    c = np.asarray(costs, float)
    worst = np.max(np.where(np.isfinite(c), c, 0.0), axis=0, initial=0.0) if reference == "worst" else np.ones(c.shape[1])
    return np.asarray(np.maximum(c / np.where(worst > 0, worst, 1.0), 10.0**-digits), float)


@dataclass(frozen=True, kw_only=True)
class Options(thresholds.Options):
    """What can be set of an accuracy profile."""

    reference: Literal["worst", "absolute"] = option(
        "Errors are divided by that of the worst algorithm on the problem, or not (`absolute`).", "worst"
    )
    digits: float = option("More correct digits than these count as these.", 16.0, exclusiveMinimum=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reference not in ("worst", "absolute") or not self.digits > 0:
            raise UserError(
                f"profiles: reference is {self.reference!r}, digits {self.digits}; expected worst or absolute, and a number > 0."
            )


class Profile(thresholds.Profile[Options]):
    """Accuracy profiles: the thresholds are `thresholds_of` the costs."""

    variant = "accuracy"

    def thresholds_of_group(self, group: Group) -> Array:
        """Errors relative to the reference."""
        if group.problems.column("at_budget").null_count:
            raise UserError(f"measure {self.measure!r}: an accuracy profile needs values at a budget; use the kind fixed_budget.")
        return thresholds_of(group.costs, self.options.reference, self.options.digits)

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """The reference is that of each resample."""

        def errors(costs: Array, weights: Array) -> Array:
            b, k, p = costs.shape
            flat = costs.transpose(1, 0, 2).reshape(k, b * p)
            of_flat = thresholds_of(flat, self.options.reference, self.options.digits)
            return of_flat.reshape(k, b, p).transpose(1, 0, 2)

        return Counted(errors)
