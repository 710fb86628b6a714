"""Student's intervals from influences, longer where these are skewed, and Wilson's of shares whose variance is known."""

import numpy as np

from benchmill.core import Array, ArrayLike, TwoArrays, quietly, reals
from benchmill.core.replicates import totals

#: Clusters of instances that intervals of the means of solver runs take, by what a failure counts: fewer may have none of the
#: failures that decide a mean.
FEWEST = {"limit": 10, "x10": 30}


@quietly()
def skewed(influence: ArrayLike, offsets: ArrayLike, level: float, q: float | None = None) -> TwoArrays:
    r"""Return how far an interval of an estimate reaches below and above it, from the influence of each unit.

    NaN for fewer than two.

    It is Student's t s / sqrt(n), or with q in place of t. On the side of the longer tail it reaches farther by \|g\| (2 t^2 +
    1) / (6 sqrt(n)) + g^2 (5 t^3 + 3 t) / (27 n) standard errors, g the skewness: the first two terms of the inverse of the
    transformation of P. Hall, Journal of the Royal Statistical Society B 54(1), 221-228, 1992.

    Parameters
    ----------
    influence : (n_units,) array_like
        They add up to 0 over each cell: deviations from a mean; x / mean(x) - y / mean(y) for the logarithm of a ratio of
        means.
    offsets : (n_cells + 1,) array_like of int
    """
    values = reals(influence)
    n = np.diff(np.asarray(offsets, np.int64)).astype(float)
    t = quantile(n - 1, level) if q is None else np.full(n.size, q)
    squares = totals(values**2, offsets)
    error = np.where(n > 1, np.sqrt(squares / (n * (n - 1))), np.nan)
    skewness = np.where(squares > 0, totals(values**3, offsets) / n / (squares / n) ** 1.5, 0.0)
    farther = np.abs(skewness) * (2 * t**2 + 1) / (6 * np.sqrt(n)) + skewness**2 * (5 * t**3 + 3 * t) / (27 * n)
    below, above = (error * (t + np.where(side, farther, 0.0)) for side in (skewness < 0, skewness > 0))
    return below, above


def quantile(df: ArrayLike, level: float | Array) -> Array:
    """Return what Student's variable stays below in size with probability `level`; NaN without degrees of freedom."""
    # planning reads entries of indicators, and need not wait for SciPy
    from scipy.special import stdtrit

    return reals(stdtrit(reals(df), (1 + level) / 2))


def wilson(share: ArrayLike, variance: ArrayLike, n: float, df: float, level: float) -> TwoArrays:
    """Return Wilson's interval (1927) of a share f of n units whose variance v is known by other means than f (1 - f) / n.

    (n f + t^2 / 2 ± t sqrt(n^2 v + t^2 / 4)) / (n + t^2), t Student's quantile with the `df` degrees of freedom of v. It keeps
    a width where all units agree.
    """
    f, v = reals(share), reals(variance)
    t2 = float(quantile(df, level)) ** 2
    middle, half = n * f + t2 / 2, np.sqrt(t2 * (n**2 * np.maximum(v, 0.0) + t2 / 4))
    low, high = (middle - half) / (n + t2), (middle + half) / (n + t2)
    # f is inside up to rounding
    return np.maximum(np.minimum(low, f), 0.0), np.minimum(np.maximum(high, f), 1.0)
