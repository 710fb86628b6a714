"""Equivalence: two one-sided tests over clusters that two algorithms differ by less than a margin (Schuirmann 1987)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from benchmill.core import keys
from benchmill.core.errors import UserError
from benchmill.core.intervals import quantile
from benchmill.inference import clusters
from benchmill.inference.corrections import adjusted
from benchmill.inference.design import Design
from benchmill.inference.effects import net_wins
from benchmill.registry.corrections import USUAL

Array = npt.NDArray[np.float64]

#: What two algorithms can be compared by.
Effect = Literal["share_of_wins", "cost_ratio"]
#: For the number of pairs: Holm's.
CORRECTION = USUAL[0]

#: Logarithms of the least and the largest frequency of an inversion, and the longest step between two.
_FREQUENCIES, _STEP = (-25.0, 25.0), 0.1
#: Halvings of an interval in which the end of another is looked for.
_HALVINGS = 28
#: Numbers held at once.
_CHUNK = 4_000_000


@dataclass(frozen=True)
class Equivalence:
    """Result of two one-sided tests for a family of pairs.

    Attributes
    ----------
    effect : (m,) array
        Mean over the clusters, above 0 where the first algorithm is better. Infinite or NaN where a log ratio is not known.
    low, high : (m,) arrays
        Interval at 1 - 2 alpha of each pair alone: inside the margin if and only if `p` is at most alpha.
    p, p_adjusted : (m,) arrays
        The larger of the two one-sided p values, and Holm's adjusted ones. 1 where nothing can be said.
    margin : float
        On the scale of `effect`.
    n_clusters : int
    n_one_failed, n_both_failed : (m,) int arrays
        Cells on which one of the two fails, and both, which count as equal.
    """

    effect: Array
    low: Array
    high: Array
    p: Array
    p_adjusted: Array
    margin: float
    n_clusters: int
    n_one_failed: npt.NDArray[np.int64]
    n_both_failed: npt.NDArray[np.int64]


def equivalence(
    designs: Sequence[Design],
    pairs: Sequence[tuple[str, str]],
    margin: float,
    *,
    effect: Effect,
    cluster_keys: Sequence[keys.Key] = keys.CLUSTER_KEYS,
    alpha: float = 0.05,
) -> Equivalence:
    """Test whether the algorithms of each pair are as good as each other, over the clusters of pooled designs.

    Parameters
    ----------
    designs : sequence of Design
        Of one measure, one for each target or budget.
    pairs : sequence of (str, str)
        One family.
    margin : float
        In per cent: 5 allows ratios of costs from 1 / 1.05 to 1.05, or net shares of wins from -0.05 to 0.05.
    effect : {"cost_ratio", "share_of_wins"}
        Log of the cost of the second over that of the first (`of_means`), or net wins (`of_shares`).

    Raises
    ------
    UserError
        The margin is out of its range, there is no such algorithm, or a cost is not positive and has no log ratio.
    """
    most = 100.0 if effect == "share_of_wins" else np.inf
    if not 0 < margin < most:
        raise UserError(f"margin: found {margin:g} %, expected more than 0{' and less than 100' if most == 100 else ''}.")
    names = designs[0].treatments if designs else []
    for name in (name for pair in pairs for name in pair):
        if name not in names:
            raise UserError(f"equivalence: there is no algorithm {name!r}; choose from {', '.join(names)}.")
    of = clusters.of_blocks(designs, cluster_keys)
    number = {name: place for place, name in enumerate(names)}
    first, second = (np.array([number[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    scores = _wins if effect == "share_of_wins" else log_ratios
    parts = [scores(design.values, first, second) for design in designs]
    cells = np.concatenate(parts) if parts else np.empty((0, len(pairs)))
    failed = np.concatenate([np.isinf(d.values).any(axis=2) for d in designs]) if parts else np.empty((0, 0), bool)
    with np.errstate(invalid="ignore"):
        d = clusters.means(cells, of) if of.size else cells
    bound = margin / 100 if effect == "share_of_wins" else float(np.log1p(margin / 100))
    one, both = failed[:, first] != failed[:, second], failed[:, first] & failed[:, second]
    if effect == "share_of_wins":
        found = of_shares(d, bound, alpha)
    else:
        # where both fail everywhere nothing is known of their costs
        found = of_means(np.where(both.all(axis=0), np.nan, d), bound, alpha)
    return Equivalence(*found, adjusted(found[-1], CORRECTION), bound, len(d), one.sum(axis=0), both.sum(axis=0))


def _wins(values: Array, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> Array:
    return np.hstack([np.empty((len(values), 0)), *(net_wins(values[:, [a, b]]) for a, b in zip(first, second, strict=True))])


def log_ratios(values: Array, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> Array:
    """Return the log of the mean cost of the second over that of the first, (n_cells, m).

    0 where both fail, infinite where one does; a `UserError` where a cost is not positive.
    """
    if (values <= 0).any():
        raise UserError(
            f"equivalence: found the cost {values.min():g}, and only costs above 0 have ratios; compare by share_of_wins."
        )
    mean = values.mean(axis=2)
    with np.errstate(invalid="ignore"):
        ratio = np.log(mean[:, second]) - np.log(mean[:, first])
    return np.where(np.isinf(mean[:, first]) & np.isinf(mean[:, second]), 0.0, ratio)


def of_means(d: Array, margin: float, alpha: float = 0.05) -> tuple[Array, Array, Array, Array]:
    """Test by two one-sided t tests that the mean over the clusters lies within the margin (Schuirmann 1987).

    p is at least 2^-G, the least that a sign test of G clusters gives, so that four clusters cannot show anything at 5 %. Returns
    effect, low, high and p as of `Equivalence`.
    """
    from scipy.special import stdtr

    groups, m = d.shape
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = d.mean(axis=0) if groups else np.full(m, np.nan)
        error = d.std(axis=0, ddof=1) / np.sqrt(groups) if groups > 1 else np.full(m, np.nan)
        # inside by so many standard errors; without variation inside or not
        inside = (margin - np.abs(effect)) / error
        p = np.maximum(1 - stdtr(groups - 1, inside), 2.0**-groups)
    known = np.isfinite(effect) & np.isfinite(error)
    p = np.where(known & ~np.isnan(inside), p, 1.0)
    half = quantile(groups - 1, 1 - 2 * alpha) * error if 2.0**-groups <= alpha else np.full(m, np.inf)
    return effect, np.where(known, effect - half, -np.inf), np.where(known, effect + half, np.inf), p


def of_shares(d: Array, margin: float, alpha: float = 0.05) -> tuple[Array, Array, Array, Array]:
    """Test by two one-sided tests that the mean over the clusters of numbers in [-1, 1] lies within the margin, without a model.

    The upper bound is the quantile of sum w_g d_g + w_0 with weights from Dirichlet(1, ..., 1): the data and one more cluster at
    the end of the range (Gaffke 2005; Learned-Miller and Thomas, arXiv:1905.06208, conjecture that it covers for every
    distribution). For d = ±1 it is Clopper and Pearson's. p is the chance that a weighted sum of exponential variables is
    positive (Imhof 1961). A NaN counts 0; the rest as of `of_means`.
    """
    x = np.nan_to_num(d).T
    m, groups = x.shape
    if not groups:
        return np.full(m, np.nan), np.full(m, -1.0), np.full(m, 1.0), np.ones(m)
    effect = x.mean(axis=1)
    low = _end(lambda at: _exceeds(-x, -at), effect, -1.0, alpha)
    high = _end(lambda at: _exceeds(x, at), effect, 1.0, alpha)
    return effect, low, high, p_of_shares(d, margin)


def p_of_shares(d: Array, margin: float) -> Array:
    """Return the p values of `of_shares`, without its intervals; 1 without clusters."""
    x = np.nan_to_num(d).T
    at = np.full(len(x), margin)
    return np.maximum(_exceeds(x, at), _exceeds(-x, at)) if x.shape[1] else np.ones(len(x))


def _exceeds(x: Array, at: Array) -> Array:
    """Return the chance that sum w_g x_g + w_0 exceeds `at`, w from Dirichlet(1, ..., 1)."""
    weights = np.column_stack([x, np.ones(len(x))]) - at[:, None]
    weights /= np.maximum(np.abs(weights).max(axis=1, keepdims=True), np.finfo(float).tiny)
    step = min(_STEP, 0.5 / np.sqrt(weights.shape[1]))
    u = np.exp(np.arange(*_FREQUENCIES, step))
    found = np.empty(len(weights))
    size = max(1, _CHUNK // (u.size * weights.shape[1]))
    for start in range(0, len(weights), size):
        scaled = weights[start : start + size, :, None] * u
        angle, size_of = np.arctan(scaled).sum(axis=1), np.log1p(scaled**2).sum(axis=1) / 2
        # by the logarithm of the frequency the integrand dies out on both sides, where sums of equal steps are exact
        found[start : start + size] = 0.5 + (np.sin(angle) * np.exp(-size_of)).sum(axis=1) * step / np.pi
    return np.clip(found, 0.0, 1.0)


def _end(p: Callable[[Array], Array], inner: Array, limit: float, alpha: float) -> Array:
    """Find the mean that is just not rejected between the effect and the end of the range."""
    inside, outside = inner.copy(), np.full(inner.shape, limit)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        kept = p(middle) > alpha
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
    return outside
