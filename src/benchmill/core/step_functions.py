"""Right-continuous step functions: the one form of performance profiles and running-time ECDFs.

A step function is a pair `(x, y)` of equally long arrays: `x` strictly increasing and finite, `y[i]` the value on
`[x[i], x[i + 1])` (the last one to infinity) and 0 before `x[0]`. Everything is exact up to rounding.
"""

from collections.abc import Sequence

import numpy as np

from benchmill.core import Array, ArrayLike, Mask, MaybeArray, reals

Steps = tuple[Array, Array]
Curves = list[Steps]

#: A jump at r counts as reached at tau if r <= tau * (1 + TOLERANCE): 2.1 / 0.7 > 3 in floating point.
TOLERANCE = 1e-12

#: The largest ratio: what is beyond it counts as it, so that no run that was solved is infinite, which is a failure.
LARGEST_RATIO = 1e150


@np.errstate(invalid="ignore", over="ignore", divide="ignore")
def ratios(costs: ArrayLike, base: ArrayLike) -> Array:
    """Return costs divided by base (broadcast), at most `LARGEST_RATIO`; an infinite cost stays infinite."""
    c = reals(costs)
    return np.where(np.isinf(c), np.inf, np.minimum(c / reals(base), LARGEST_RATIO))


def reached(jumps: ArrayLike, tau: ArrayLike) -> Mask:
    """Return True where `jumps <= tau` up to `TOLERANCE` (broadcast); an infinite jump is reached at no tau."""
    r, t = reals(jumps), reals(tau)
    return np.asarray(np.isfinite(r) & (r <= t + TOLERANCE * np.abs(t)), bool)


def ecdf(jumps: ArrayLike, weights: MaybeArray = None) -> Steps:
    """Return the empirical distribution function with a jump at each point, in any order.

    `inf` adds to the denominator and has no jump. Weights are finite, not negative, not all 0, and divided by their sum; points
    of weight 0 have no jump. `y[-1]` is exactly 1 when every jump is finite. NaN and -inf raise ValueError.
    """
    r = reals(jumps).ravel()
    w = np.ones(r.size) if weights is None else reals(weights).ravel()
    if w.shape != r.shape or not np.isfinite(w).all() or (w < 0).any() or (w.size and not w.any()):
        raise ValueError("weights must be one per jump, finite, not negative and not all 0")
    if not (w > 0).all():
        r, w = r[w > 0], w[w > 0]
    # the weights of equal jumps are added in the order of the input, on every machine alike
    order = np.argsort(r, kind="stable")
    r, total = r[order], w[order]
    # NaN sorts last, -inf first
    if r.size and (np.isnan(r[-1]) or np.isneginf(r[0])):
        raise ValueError("the jumps of a step function must be numbers or inf")
    np.cumsum(total, out=total)
    n_finite = int(np.searchsorted(r, np.inf))
    last = np.append(np.flatnonzero(r[1:n_finite] != r[: n_finite - 1]), n_finite - 1) if n_finite else np.empty(0, np.int64)
    return r[last], total[last] / total[-1] if r.size else total


def value(steps: Steps, at: ArrayLike) -> Array:
    """Return values at the points `at` (any shape), up to rounding as `reached`."""
    x, y = steps
    t = reals(at)
    return reals(np.append(0.0, y)[np.searchsorted(x, t + TOLERANCE * np.abs(t), side="right")])


def values(functions: Sequence[Steps], at: ArrayLike) -> Array:
    """Return values of several functions at the points `at` (m,), as an array (len(functions), m)."""
    t = reals(at)
    return np.stack([value(f, t) for f in functions]) if functions else np.empty((0, *t.shape))


def area(steps: Steps, a: float, b: float) -> float:
    """Return the exact integral over `[a, b]`; 0 if `b <= a`. Raise ValueError for an infinite bound."""
    if not (np.isfinite(a) and np.isfinite(b)):
        raise ValueError("the area of a step function is taken between finite bounds")
    x, y = steps
    if b <= a or not x.size:
        return 0.0
    return float(np.diff(np.clip(np.append(x, b), a, b)) @ y)


def log_area(steps: Steps, b: float) -> float:
    """Return the exact integral over log x from x = 1 to x = b; 0 if `b <= 1`. Raise ValueError for an infinite bound."""
    x, y = steps
    keep = x > 0
    before = y[~keep][-1:]
    return area((np.append([-1.0] * before.size, np.log(x[keep])), np.append(before, y[keep])), 0.0, float(np.log(max(b, 1.0))))


def first_at(steps: Steps, level: float) -> float:
    """Return the smallest x at which the function is at least `level` (up to 1e-12); inf if there is none."""
    x, y = steps
    index = int(np.searchsorted(np.maximum.accumulate(y), level - TOLERANCE, side="left")) if y.size else 0
    return float(x[index]) if index < x.size else float("inf")


def within(steps: Steps, a: float, b: float) -> Steps:
    """Return the function on `[a, b]`: a point at a, one at every jump inside at which it rises, and one at b."""
    x = np.unique(np.concatenate([[a], steps[0][(steps[0] > a) & (steps[0] <= b)], [b]]))
    y = value(steps, x)
    rises = np.append(True, y[1:] > y[:-1])
    rises[-1] = True
    return x[rises], y[rises]
