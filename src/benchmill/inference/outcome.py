"""Result of a test that all algorithms are equal."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """A row of the table `tests`; None where a number is not defined.

    Attributes
    ----------
    method : str
        Key of `benchmill.registry.tests.TESTS`.
    df1, df2 : float or None
        Degrees of freedom of the statistic's distribution.
    p, p_low : float or None
        Where chance decides after all rearrangements that may be drawn, the two ends of the interval of p.
    p_min : float or None
        The smallest p value that any data of this shape could give.
    n_resamples : int or None
        Rearrangements behind p; None where p comes from a distribution.
    """

    method: str
    statistic: float | None = None
    df1: float = math.nan
    df2: float | None = None
    p: float | None = None
    p_min: float | None = None
    n_resamples: int | None = None
    p_low: float | None = None
