"""Student's intervals from influences, longer where these are skewed, and Wilson's of shares whose variance is known.

docs/inference.md has what they cover.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from benchmill.core.replicates import totals

Array = npt.NDArray[np.float64]

#: Clusters of instances that intervals of the means of solver runs take, by what a failure counts: fewer may have none of the
#: failures that decide a mean.
FEWEST = {"limit": 10, "x10": 30}


def skewed(influence: npt.ArrayLike, offsets: npt.ArrayLike, level: float, q: float | None = None) -> tuple[Array, Array]:
    r"""How far an interval of an estimate reaches below and above it, from the influence of each unit on it.

    Student's t s / sqrt(n), t the quantile of Student's distribution with n - 1 degrees of freedom and s the standard deviation
    of the influences. On the side of their longer tail it reaches farther, by what skewness g takes from Student's statistic
    there: \|g\| (2 t^2 + 1) / (6 sqrt(n)) + g^2 (5 t^3 + 3 t) / (27 n) standard errors, the first two terms of the inverse of
    Hall's transformation. The other side stays as long, so that the interval is never shorter than Student's.

    Parameters
    ----------
    influence : (n_units,) array_like
        They add up to 0 over each cell. Of a mean they are the deviations from it; of the logarithm of a ratio of means,
        x / mean(x) - y / mean(y).
    offsets : (n_cells + 1,) array_like of int
        Units `offsets[i]` to `offsets[i + 1]` are cell i.
    level : float
        In (0, 1).
    q : float, optional
        What stands for t: the critical value of a family of intervals.

    Returns
    -------
    below, above : (n_cells,) arrays
        NaN for fewer than two units.

    References
    ----------
    P. Hall. On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54(1), 221-228, 1992.
    """
    values = np.asarray(influence, float)
    n = np.diff(np.asarray(offsets, np.int64)).astype(float)
    t = quantile(n - 1, level) if q is None else np.full(n.size, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = totals(values**2, offsets)
        error = np.where(n > 1, np.sqrt(squares / (n * (n - 1))), np.nan)
        skewness = np.where(squares > 0, totals(values**3, offsets) / n / (squares / n) ** 1.5, 0.0)
        farther = np.abs(skewness) * (2 * t**2 + 1) / (6 * np.sqrt(n)) + skewness**2 * (5 * t**3 + 3 * t) / (27 * n)
    below, above = (error * (t + np.where(side, farther, 0.0)) for side in (skewness < 0, skewness > 0))
    return below, above


def quantile(df: npt.ArrayLike, level: float) -> Array:
    """What Student's variable stays below in size with probability `level`; NaN without degrees of freedom."""
    return np.asarray(special.stdtrit(np.asarray(df, float), (1 + level) / 2), float)


def wilson(share: npt.ArrayLike, variance: npt.ArrayLike, n: float, df: float, level: float) -> tuple[Array, Array]:
    """Wilson's interval of a share whose variance is known by other means than share (1 - share) / n.

    (n f + t^2 / 2 ± t sqrt(n^2 v + t^2 / 4)) / (n + t^2), t Student's quantile with `df` degrees of freedom. With
    v = f (1 - f) / n and the normal quantile it is Wilson's (1927). It keeps a width where all units agree.

    Parameters
    ----------
    share, variance : (m,) array_like
        f, and v of f.
    n : float
        Units.
    df : float
        Degrees of freedom of v, at least 1.
    level : float
        In (0, 1).

    Returns
    -------
    low, high : (m,) arrays
        Within [0, 1], and around the share. NaN where the share or its variance is.

    References
    ----------
    E. B. Wilson. Probable inference, the law of succession, and statistical inference. Journal of the American Statistical
    Association 22(158), 209-212, 1927.
    """
    f, v = np.asarray(share, float), np.asarray(variance, float)
    t2 = float(quantile(df, level)) ** 2
    middle, half = n * f + t2 / 2, np.sqrt(t2 * (n**2 * np.maximum(v, 0.0) + t2 / 4))
    low, high = (middle - half) / (n + t2), (middle + half) / (n + t2)
    # f is inside up to rounding
    return np.maximum(np.minimum(low, f), 0.0), np.minimum(np.maximum(high, f), 1.0)
