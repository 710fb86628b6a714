"""All pairs of algorithms compared: by ranks, by means, by rearrangement, and by signed ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core import Array, ArrayLike, Generator, Index, Mask, TwoArrays, chunks, quietly
from benchmill.core.ranks import ROUNDING, midranks
from benchmill.inference import anova, corrections, draws, permutation
from benchmill.inference.design import cells
from benchmill.inference.friedman import Friedman, friedman
from benchmill.registry.entry import described
from benchmill.registry.inference import CORRECTIONS, USUAL_CORRECTIONS, Comparison, Correction

#: Up to this many differences that are not 0 the distribution of Wilcoxon's statistic is exact.
EXACT = 50
#: Differences looked at together: what fits into the caches of a processor.
_CHUNK = 1 << 15


@dataclass(frozen=True)
class Pairs:
    """Comparison of all pairs; NaN where a number is not defined.

    Attributes
    ----------
    a, b : (n_pairs,) int arrays
        Columns of the two treatments; a < b.
    difference : (n_pairs,) array
        A difference of what `scale` says, a minus b; negative = a is better.
    statistic, p, p_adjusted, df, msd : (n_pairs,) arrays
        `msd` is the minimum significant difference for the family of all pairs.
    correction : str
        How p became p_adjusted.
    low, high : (n_pairs,) arrays
        Interval at the level of the family (Bonferroni where there is no other), of the pair alone where nothing is corrected.
    p_min : float
        The smallest p value of one pair that any data of this shape could give; NaN where it is not bounded.
    n_resamples : int or None
        Rearrangements behind p.
    p_low : (n_pairs,) array
        Lower end of the interval of an adjusted p that chance decides, which is then the upper end; else NaN.
    differs : (n_pairs,) bool array or None
        What the method decides, where it is not by `p_adjusted`.
    smallest_epsilon : float
        Of the published Algorithm 2.
    """

    a: Index
    b: Index
    difference: Array
    statistic: Array
    p: Array
    p_adjusted: Array
    df: Array
    msd: Array
    scale: str
    correction: str
    low: Array
    high: Array
    p_low: Array
    p_min: float = math.nan
    n_resamples: int | None = None
    differs: Mask | None = None
    smallest_epsilon: float = math.nan

    @classmethod
    def of(cls, k: int, difference: Array, scale: str, correction: str, **known: Any) -> Pairs:
        """Make the comparison of all pairs of k treatments; without `known`, p is corrected here and the interval is ± MSD."""
        a, b = np.triu_indices(k, 1)
        for name in ("statistic", "p", "df", "msd", "p_low"):
            known[name] = np.full(a.shape, known.get(name, math.nan), float)
        if "p_adjusted" not in known:
            asked = CORRECTIONS[correction].asked
            known["p_adjusted"] = corrections.adjusted(known["p"], correction) if asked else np.full(a.shape, math.nan)
        bounded = np.where(np.isfinite(known["msd"]), known["msd"], np.nan)
        known = {"low": difference - bounded, "high": difference + bounded, **known}
        return cls(a=a, b=b, difference=difference, scale=scale, correction=correction, **known)

    def significant(self, alpha: float) -> Mask:
        """Return which pairs differ at the level; NaN never does."""
        return self.p_adjusted <= alpha if self.differs is None else self.differs

    @property
    def common_msd(self) -> float:
        """Return the largest MSD, which holds for all pairs; NaN where one is not defined."""
        return float(self.msd.max()) if self.msd.size and not np.isnan(self.msd).any() else math.nan


def undefined(k: int, correction: str) -> Pairs:
    """Return the pairs of k treatments without any numbers."""
    nan = np.full(k * (k - 1) // 2, math.nan)
    # not corrected: some corrections refuse so many pairs, and there are no p values
    return Pairs.of(k, nan, "mean", correction, p_adjusted=nan)


def differences(values: Array) -> Array:
    """Return the values of the first treatment of each pair less those of the second, treatments along the last axis."""
    a, b = np.triu_indices(values.shape[-1], 1)
    return values[..., a] - values[..., b]


def _family(alpha: float, n: int, correction: str) -> float:
    """Return the level of one comparison in an MSD that holds for the family (Bonferroni), where anything is corrected."""
    return alpha / max(n, 1) if CORRECTIONS[correction].corrects else alpha


def agreeing(effect: Array, low: Array, high: Array, decided: Mask) -> TwoArrays:
    """Return intervals that leave out 0 if and only if that is what was decided.

    Of what stepwise corrections reject beyond simultaneous intervals no more is known than the sign: the interval ends at 0 and
    leaves it out (Strassburger and Bretz, Statistics in Medicine 27, 2008).
    """
    tiny = np.finfo(float).tiny
    return (
        np.where(decided & (effect > 0), np.maximum(low, tiny), np.where(decided, low, np.minimum(low, 0.0))),
        np.where(decided & (effect < 0), np.minimum(high, -tiny), np.where(decided, high, np.maximum(high, 0.0))),
    )


# --- ranks -------------------------------------------------------------------------------------


def _ranked(costs: ArrayLike) -> tuple[Friedman, int, int, Array]:
    """Return Friedman's test, the numbers of algorithms and runs, and the differences of all pairs of average ranks."""
    x = cells(costs)
    result = friedman(x)
    return result, x.shape[1], x.shape[2], differences(result.average_ranks)


def conover(costs: ArrayLike, alpha: float = 0.05, correction: str = USUAL_CORRECTIONS[0]) -> Pairs:
    """Compare average ranks after Friedman's test (Conover 1999, section 5.8); `costs` may hold inf, a failure.

    t = difference / sqrt(2 s^2 / (b r)) with b k r - b - k + 1 degrees of freedom and s^2 the residual mean square of the ranks
    (for replicates of the joint ranks). The MSD takes the t quantile at alpha / c for c pairs (Bonferroni). Where all blocks rank
    alike s^2 is 0: p is then 2^(1 - b), the exact sign test (1 for a pair tied in all), and the MSD NaN.
    """
    result, k, r, difference = _ranked(costs)
    if result.residual is None:
        return Pairs.of(k, difference, "average rank", correction, df=result.df2)
    error = math.sqrt(2 * result.residual / (result.n_blocks * r))
    if error == 0:
        statistic, msd = np.where(difference == 0, 0.0, np.copysign(np.inf, difference)), math.nan
        p = np.where(difference == 0, 1.0, 2.0 ** (1 - result.n_blocks))
    else:
        statistic = difference / error
        p = np.minimum(2 * scipy.special.stdtr(result.df2, -np.abs(statistic)), 1.0)
        msd = -float(scipy.special.stdtrit(result.df2, _family(alpha, difference.size, correction) / 2)) * error
    return Pairs.of(k, difference, "average rank", correction, statistic=statistic, p=p, df=result.df2, msd=msd)


def nemenyi(costs: ArrayLike, alpha: float = 0.05) -> Pairs:
    """Compare average ranks by Nemenyi's critical difference, q sqrt(k (k r + 1) / (6 b)).

    q is the quantile of the studentised range of k means with infinite degrees of freedom, over sqrt(2) (Demšar 2006, section
    3.2.2). Ties are not corrected for, which is conservative. `costs` may hold inf, a failure; `p` is NaN (there is none for a
    pair alone).
    """
    result, k, r, difference = _ranked(costs)
    if result.residual is None:
        return Pairs.of(k, difference, "average rank", "studentised_range", df=math.inf)
    error = math.sqrt(k * (k * r + 1) / (12 * result.n_blocks))
    return _by_range(
        k, difference, "average rank", error, math.inf, alpha, p_min=float(range_sf((k - 1) * r / error, k, math.inf))
    )


# --- means -------------------------------------------------------------------------------------


def tukey(values: ArrayLike, alpha: float = 0.05, error: str = "additive") -> Pairs:
    """Compare means in the model with blocks by Tukey's MSD = q sqrt(MSE / (b r)) (Chiarandini et al. 2005, section 4).

    `values` are finite; `error` as of `anova.anova`. `statistic` is the studentised range, `p` NaN.
    """
    result = anova.anova(values, error)
    k, difference = result.means.size, differences(result.means)
    if result.mse is None:
        return Pairs.of(k, difference, "mean", "studentised_range", df=result.df2)
    return _by_range(k, difference, "mean", math.sqrt(result.mse / result.n_values), result.df2, alpha)


def _by_range(k: int, difference: Array, scale: str, error: float, df: float, alpha: float, **known: float) -> Pairs:
    """Compare by the studentised range of k means with this standard error."""
    statistic = np.abs(difference) / error
    adjusted, msd = range_sf(statistic, k, df), range_isf(alpha, k, df) * error
    return Pairs.of(k, difference, scale, "studentised_range", statistic=statistic, df=df, p_adjusted=adjusted, msd=msd, **known)


@np.errstate(divide="ignore")
def range_sf(q: ArrayLike, k: int, df: float) -> Array:
    """Return the probability that the studentised range of k means exceeds q, with `df` degrees of freedom (inf allowed).

    P = k int phi(z) {Phi(z)^(k-1) - [Phi(z) - Phi(z - q s)]^(k-1)} dz, averaged over s = chi_df / sqrt(df), by quadrature for
    many values at once, which SciPy integrates one by one (Copenhaver and Holland 1988); absolute error below 1e-9 (df >= 2).
    """
    values = np.asarray(q, float)
    flat = values.ravel()
    s, weight = _scales(df)
    x, w = np.polynomial.legendre.leggauss(128 if k <= 30 else 192)
    z, wz = 8.5 * x, 8.5 * w * np.exp(-0.5 * (8.5 * x) ** 2) / math.sqrt(2 * math.pi)
    cumulative = scipy.special.ndtr(z)
    result = np.empty(flat.size)
    for some in chunks(flat.size, (1 << 21) // (s.size * z.size)):
        reach = flat[some, None] * s
        below = scipy.special.ndtr(z - reach[..., None])
        inner = -np.expm1((k - 1) * np.log1p(-np.minimum(below / cumulative, 1.0)))
        result[some] = (k * (inner * (wz * cumulative ** (k - 1))).sum(axis=-1)) @ weight
    return np.where(np.isnan(values), np.nan, np.clip(result, 0.0, 1.0).reshape(values.shape))


def _scales(df: float) -> TwoArrays:
    """Return nodes and weights for s = chi_df / sqrt(df), with steps that shrink doubly exponentially at both ends."""
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    t = np.linspace(-3, 3, 65)
    below, above = scipy.special.expit(math.pi * np.sinh(t)), scipy.special.expit(-math.pi * np.sinh(t))
    squares = np.where(t < 0, scipy.special.gammaincinv(df / 2, below), scipy.special.gammainccinv(df / 2, above)) * 2 / df
    weight = np.cosh(t) * below * above
    return np.sqrt(squares), weight / weight.sum()


def range_isf(alpha: float, k: int, df: float) -> float:
    """Return the value that the studentised range exceeds with probability alpha."""

    def over(q: float) -> float:
        return float(range_sf(q, k, df)) - alpha

    high = 4.0
    while over(high) > 0:
        high *= 2
    return float(scipy.optimize.brentq(over, 0.0, high, xtol=1e-10, rtol=1e-12))


# --- rearrangement -----------------------------------------------------------------------------


def of_rearranged(result: permutation.PermutationPairs, k: int, correction: str, **more: Any) -> Pairs:
    """Make `Pairs` of a permutation test; the statistic is the difference."""
    d = result.difference
    return Pairs.of(k, d, "mean", correction, statistic=d, p=result.p, p_min=result.p_min, n_resamples=result.n_resamples, **more)


def rearranged(
    values: ArrayLike,
    rng: Generator,
    alpha: float = 0.05,
    correction: str = USUAL_CORRECTIONS[0],
    permutations: int = draws.MOST,
) -> Pairs:
    """Test all pairs by rearrangement with their minimum significant differences (`permutation.pairs`), runs shuffled first.

    The MSD is at alpha / c (Bonferroni), with `correction` none at alpha, the published choice; inf where the level cannot be
    reached.
    """
    # the order of a file should not pair run t of one block with that of another
    x = rng.permuted(cells(values), axis=2)
    k = x.shape[1]
    level = _family(alpha, k * (k - 1) // 2, correction)
    n = min(draws.BATCH, permutations)
    most = max(n, min(permutations, draws.COUNTED))
    while True:
        result = permutation.pairs(x, rng, alpha_cw=level, permutations=n)
        made = of_rearranged(result, k, correction, msd=result.msd)
        if result.exact or not result.p.size or np.isnan(result.p).any():
            return made
        if draws.fewest(level) <= draws.COUNTED:
            draws.refuse_few(permutations, level, f" of one of {result.p.size} pairs")
        ends = [draws.interval(round(p * (n + 1)) - 1, n) for p in result.p.tolist()]
        low, high = (corrections.adjusted(np.array(side), correction) for side in zip(*ends, strict=True))
        # again, ten times as often, until no decision on a pair is left to chance
        undecided = (low <= alpha) & (high > alpha)
        if n >= most or not undecided.any():
            return replace(made, p_low=np.where(undecided, low, np.nan), p_adjusted=np.where(undecided, high, made.p_adjusted))
        n = min(10 * n, most)


# --- signed ranks ------------------------------------------------------------------------------


def signed_ranks(values: ArrayLike, correction: str = USUAL_CORRECTIONS[0]) -> Pairs:
    """Test every pair over the blocks by Wilcoxon's signed ranks; of several runs a cell their median is taken.

    `difference` is the rank-biserial correlation (W+ - W-) / (W+ + W-), `statistic` min(W+, W-), `p_min` 2^(1 - b).
    """
    x = cells(values)
    b, k, r = x.shape
    i, j = np.triu_indices(k, 1)
    if not b:
        return Pairs.of(k, np.full(i.size, np.nan), "rank-biserial", correction)
    rows = np.ascontiguousarray((np.median(x, axis=2) if r > 1 else x[:, :, 0]).T)
    tested = wilcoxon(rows[i].T, rows[j].T)
    total = tested.w_plus + tested.w_minus
    difference = (tested.w_plus - tested.w_minus) / np.where(total > 0, total, 1.0)
    statistic, p_min = np.minimum(tested.w_plus, tested.w_minus), min(2.0 ** (1 - b), 1.0)
    return Pairs.of(k, difference, "rank-biserial", correction, statistic=statistic, p=tested.p, p_min=p_min)


@dataclass(frozen=True)
class Wilcoxon:
    """Result of `wilcoxon`, one entry per pair: rank sums, `n` differences but 0, two-sided p (1 without differences)."""

    w_plus: Array
    w_minus: Array
    n: Index
    p: Array


def wilcoxon(a: ArrayLike, b: ArrayLike, *, exact_limit: int = EXACT) -> Wilcoxon:
    """Test the columns of `a` against those of `b` by their signed ranks.

    Zeros are dropped before the ranks. Equal absolute differences share the mean of their ranks. Up to `exact_limit` of them p
    is exact by convolution, ties included: P(W+ <= min(W+, W-)) doubled over all 2^n signs. Above it is the normal approximation
    with the variance sum(rank^2) / 4, without continuity correction (SciPy's default; R corrects).

    Parameters
    ----------
    a, b : (n_blocks, n_pairs) array_like
        Matched values. inf is a failure: two failures differ by 0, a failure is worse than any value by more than any other
        difference.
    """
    x, y = np.asarray(a, float).T, np.asarray(b, float).T
    pairs, blocks = x.shape
    parts = [_tested(x[some], y[some], exact_limit) for some in chunks(max(pairs, 1), _CHUNK // max(blocks, 1))]
    return Wilcoxon(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@quietly()
def _tested(x: Array, y: Array, exact_limit: int) -> tuple[Array, Array, Index, Array]:
    """Return W+, W-, number of differences and p of some pairs, (n_pairs, n_blocks) each."""
    d = np.where(x == y, 0.0, x - y)
    size = np.maximum(np.abs(x), np.abs(y))
    error = ROUNDING * np.where(np.isinf(size), 0.0, size)
    distance = np.abs(d)
    distance[distance <= error] = 0.0
    zero = distance == 0
    n = distance.shape[1] - zero.sum(axis=1)
    # zeros rank first and are then taken off: the others' ranks begin at 1
    ranks = midranks(distance, np.where(zero, 0.0, error)) - (distance.shape[1] - n)[:, None]
    ranks[zero] = 0.0
    plus = (ranks * (d > 0)).sum(axis=1)
    minus = ranks.sum(axis=1) - plus
    variance = np.einsum("ij,ij->i", ranks, ranks) / 4
    p = np.where(variance > 0, 2 * scipy.special.ndtr(-np.abs(plus - minus) / 2 / np.sqrt(variance)), 1.0)
    some = np.flatnonzero(n <= exact_limit)
    if some.size:
        p[some] = _exact(ranks[some].T, np.minimum(plus, minus)[some])
    return plus, minus, n, np.minimum(p, 1.0)


def _exact(ranks: Array, smaller: Array) -> Array:
    """Return 2 P(sum of the ranks with random signs <= smaller), by convolution over the ranks in halves."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    width = int(doubled.sum(axis=0).max(initial=0)) + 1
    mass = np.zeros((doubled.shape[1], width))
    mass[:, 0] = 1.0
    step = np.arange(width)
    for row in doubled[doubled.any(axis=1)]:
        source = step - row[:, None]
        moved = np.where(source >= 0, np.take_along_axis(mass, np.maximum(source, 0), axis=1), 0.0)
        # a dropped zero (rank 0) moves nothing and changes nothing
        mass = (mass + moved) / 2
    within = step <= np.rint(2 * smaller)[:, None]
    return np.asarray(2 * (mass * within).sum(axis=1), float)


ENTRIES = (
    *described(
        __file__,
        Comparison,
        conover=conover,
        nemenyi=nemenyi,
        wilcoxon=signed_ranks,
        tukey=tukey,
        tukey_cells=partial(tukey, error="cells"),
        tukey_interaction=partial(tukey, error="interaction"),
        permutation=rearranged,
    ),
    *described(__file__, Correction, studentised_range=None, scheffe=None),
)
