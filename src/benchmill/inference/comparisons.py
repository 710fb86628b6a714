"""All pairs of algorithms compared: by ranks, by means, by rearrangement, by signed ranks, and without equal variances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmill.inference import anova, corrections, draws, permutation, studentised_range
from benchmill.inference.design import cells, shuffled_runs
from benchmill.inference.friedman import friedman
from benchmill.inference.wilcoxon import wilcoxon
from benchmill.registry.comparisons import Comparison
from benchmill.registry.corrections import CORRECTIONS, USUAL, Correction

Array = npt.NDArray[np.float64]


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
    p_low : (n_pairs,) array or None
        Lower end of the interval of an adjusted p that chance decides, which is then the upper end; else NaN.
    differs : (n_pairs,) bool array or None
        What the method decides, where it is not by `p_adjusted`.
    smallest_epsilon : float
        Of the published Algorithm 2.
    """

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
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
    p_min: float = math.nan
    n_resamples: int | None = None
    p_low: Array | None = None
    differs: npt.NDArray[np.bool_] | None = None
    smallest_epsilon: float = math.nan

    @classmethod
    def of(cls, k: int, difference: Array, scale: str, correction: str, **known: Any) -> Pairs:
        """Make the comparison of all pairs of k treatments; without `known`, p is corrected here and the interval is ± MSD."""
        a, b = np.triu_indices(k, 1)
        for name in ("statistic", "p", "df", "msd"):
            known[name] = np.array(np.broadcast_to(np.asarray(known.get(name, math.nan), float), a.shape))
        if "p_adjusted" not in known:
            asked = CORRECTIONS[correction].asked
            known["p_adjusted"] = corrections.adjusted(known["p"], correction) if asked else np.full(a.shape, math.nan)
        bounded = np.where(np.isfinite(known["msd"]), known["msd"], np.nan)
        interval = {"low": difference - bounded, "high": difference + bounded}
        return cls(a=a, b=b, difference=difference, scale=scale, correction=correction, **{**interval, **known})

    def significant(self, alpha: float) -> npt.NDArray[np.bool_]:
        """Return which pairs differ at the level; NaN never does."""
        return self.p_adjusted <= alpha if self.differs is None else self.differs

    @property
    def common_msd(self) -> float:
        """Return the largest MSD, which holds for all pairs; NaN where one is not defined."""
        return float(self.msd.max()) if self.msd.size and not np.isnan(self.msd).any() else math.nan


def of_rearranged(found: permutation.PermutationPairs, k: int, correction: str, **more: Any) -> Pairs:
    """Make `Pairs` of a permutation test; the statistic is the difference unless it says otherwise."""
    known = {"statistic": found.difference, "p": found.p, "p_min": found.p_min, "n_resamples": found.n_resamples}
    if found.statistic is not None:
        known["statistic"] = found.statistic
    return Pairs.of(k, found.difference, "mean", correction, **{**known, **more})


def _until_clear(
    test: Callable[[int], permutation.PermutationPairs], k: int, correction: str, permutations: int, alpha: float
) -> Pairs:
    """Rearrange, each time ten times as often, until no decision on a pair is left to chance."""
    n = min(draws.BATCH, permutations)
    most = max(n, min(permutations, draws.COUNTED))
    while True:
        found = test(n)
        made = of_rearranged(found, k, correction, msd=found.msd)
        if found.exact or not found.p.size or np.isnan(found.p).any():
            return made
        if draws.fewest(level := _family(alpha, found.p.size, correction)) <= draws.COUNTED:
            draws.refuse_few(permutations, level, f" of one of {found.p.size} pairs")
        ends = [draws.interval(round(p * (n + 1)) - 1, n) for p in found.p.tolist()]
        low, high = (corrections.adjusted(np.array(side), correction) for side in zip(*ends, strict=True))
        undecided = (low <= alpha) & (high > alpha)
        if n >= most or not undecided.any():
            return replace(made, p_low=np.where(undecided, low, np.nan), p_adjusted=np.where(undecided, high, made.p_adjusted))
        n = min(10 * n, most)


def differences(of: Array) -> Array:
    """Return the value of the first treatment of each pair less that of the second."""
    a, b = np.triu_indices(of.size, 1)
    return np.asarray(of[a] - of[b], float)


def _family(alpha: float, n: int, correction: str) -> float:
    """Return the level of one comparison in an MSD that holds for the family (Bonferroni), where anything is corrected."""
    return alpha / max(n, 1) if CORRECTIONS[correction].corrects else alpha


def agreeing(effect: Array, low: Array, high: Array, decided: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return intervals that leave out 0 if and only if that is what was decided.

    Of what stepwise corrections reject beyond simultaneous intervals no more is known than the sign: the interval ends at 0 and
    leaves it out (Strassburger and Bretz, Statistics in Medicine 27, 2008).
    """
    tiny = np.finfo(float).tiny
    low = np.where(decided & (effect > 0), np.maximum(low, tiny), np.where(decided, low, np.minimum(low, 0.0)))
    high = np.where(decided & (effect < 0), np.minimum(high, -tiny), np.where(decided, high, np.maximum(high, 0.0)))
    return low, high


def conover(costs: npt.ArrayLike, alpha: float = 0.05, correction: str = USUAL[0]) -> Pairs:
    """Compare average ranks after Friedman's test (Conover 1999, section 5.8).

    t = difference / sqrt(2 s^2 / (b r)) with b k r - b - k + 1 degrees of freedom and s^2 the residual mean square of the ranks
    (for replicates of the joint ranks). The MSD takes the t quantile at alpha / c for c pairs (Bonferroni), one bound for all
    pairs; Holm's decisions are at least as powerful. `costs` may hold inf, a failure.

    Returns
    -------
    Pairs
        Where all blocks rank alike s^2 is 0: p is then 2^(1 - b), the exact sign test (1 for a pair tied in all), and the MSD
        NaN.
    """
    from scipy.special import stdtr, stdtrit

    x = cells(costs)
    result = friedman(x)
    k, r = x.shape[1:]
    difference = differences(result.average_ranks)
    if result.residual is None:
        return Pairs.of(k, difference, "average rank", correction, df=result.df2)
    error = math.sqrt(2 * result.residual / (result.n_blocks * r))
    if error == 0:
        statistic, msd = np.where(difference == 0, 0.0, np.copysign(np.inf, difference)), math.nan
        p = np.where(difference == 0, 1.0, 2.0 ** (1 - result.n_blocks))
    else:
        statistic = difference / error
        p = np.minimum(2 * stdtr(result.df2, -np.abs(statistic)), 1.0)
        msd = -float(stdtrit(result.df2, _family(alpha, difference.size, correction) / 2)) * error
    return Pairs.of(k, difference, "average rank", correction, statistic=statistic, p=p, df=result.df2, msd=msd)


def nemenyi(costs: npt.ArrayLike, alpha: float = 0.05) -> Pairs:
    """Compare average ranks by Nemenyi's critical difference, q sqrt(k (k r + 1) / (6 b)).

    q is the quantile of the studentised range of k means with infinite degrees of freedom, over sqrt(2) (Demšar 2006, section
    3.2.2). Ties are not corrected for, which is conservative. `costs` may hold inf, a failure; `p` is NaN (there is none for a
    pair alone).
    """
    x = cells(costs)
    result = friedman(x)
    k, r = x.shape[1:]
    difference = differences(result.average_ranks)
    if result.residual is None:
        return Pairs.of(k, difference, "average rank", "studentised_range", df=math.inf)
    error = math.sqrt(k * (k * r + 1) / (12 * result.n_blocks))
    statistic = np.abs(difference) / error
    known = {
        "p_adjusted": studentised_range.sf(statistic, k, math.inf),
        "msd": studentised_range.isf(alpha, k, math.inf) * error,
        "p_min": float(studentised_range.sf((k - 1) * r / error, k, math.inf)),
    }
    return Pairs.of(k, difference, "average rank", "studentised_range", statistic=statistic, df=math.inf, **known)


def tukey(values: npt.ArrayLike, alpha: float = 0.05, error: str = "additive") -> Pairs:
    """Compare means in the model with blocks by Tukey's MSD = q sqrt(MSE / (b r)) (Chiarandini et al. 2005, section 4).

    `values` are finite; `error` as of `anova.anova`. `statistic` is the studentised range, `p` NaN.
    """
    result = anova.anova(values, error)
    k = result.means.size
    difference = differences(result.means)
    if result.mse is None:
        return Pairs.of(k, difference, "mean", "studentised_range", df=result.df2)
    statistic = np.abs(difference) / math.sqrt(result.mse / result.n_values)
    known = {"p_adjusted": studentised_range.sf(statistic, k, result.df2), "msd": anova.tukey_msd(result, alpha)}
    return Pairs.of(k, difference, "mean", "studentised_range", statistic=statistic, df=result.df2, **known)


def rearranged(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    alpha: float = 0.05,
    correction: str = USUAL[0],
    permutations: int = draws.MOST,
) -> Pairs:
    """Test all pairs by rearrangement with their minimum significant differences (`permutation.pairs`), runs shuffled first.

    The MSD is at alpha / c (Bonferroni), with `correction` none at alpha, the published choice; inf where the level cannot be
    reached.
    """
    x = shuffled_runs(values, rng)
    k = x.shape[1]
    level = _family(alpha, k * (k - 1) // 2, correction)
    return _until_clear(lambda n: permutation.pairs(x, rng, alpha_cw=level, permutations=n), k, correction, permutations, alpha)


def undefined(k: int, correction: str) -> Pairs:
    """Return the pairs of k treatments without any numbers."""
    nan = np.full(k * (k - 1) // 2, math.nan)
    # not corrected: some corrections refuse so many pairs, and there are no p values
    return Pairs.of(k, nan, "mean", correction, p_adjusted=nan)


def signed_ranks(values: npt.ArrayLike, correction: str = USUAL[0]) -> Pairs:
    """Test every pair over the blocks by Wilcoxon's signed ranks; of several runs a cell their median is taken.

    `difference` is the rank-biserial correlation (W+ - W-) / (W+ + W-), `statistic` min(W+, W-), `p_min` 2^(1 - b).
    """
    x = cells(values)
    b, k, r = x.shape
    m = np.median(x, axis=2) if r > 1 else x[:, :, 0] if r else np.empty((0, k))
    i, j = np.triu_indices(k, 1)
    if not b:
        return Pairs.of(k, np.full(i.size, np.nan), "rank-biserial", correction)
    rows = np.ascontiguousarray(m.T)
    found = wilcoxon(rows[i].T, rows[j].T)
    total = found.w_plus + found.w_minus
    difference = (found.w_plus - found.w_minus) / np.where(total > 0, total, 1.0)
    known = {"statistic": np.minimum(found.w_plus, found.w_minus), "p": found.p, "p_min": min(2.0 ** (1 - b), 1.0)}
    return Pairs.of(k, difference, "rank-biserial", correction, **known)


ENTRIES = (
    Comparison(
        name="conover",
        words="Conover",
        function=conover,
        references=("conover1999",),
        phrase="Conover’s t statistic on the average ranks",
        failures=True,
        normalised=False,
        equal_variances=True,
        common_msd=True,
        panel="ranks (Conover)",
    ),
    Comparison(
        name="nemenyi",
        words="Nemenyi",
        function=nemenyi,
        references=("demsar2006",),
        phrase="Nemenyi’s test",
        failures=True,
        normalised=False,
        correction="studentised_range",
        common_msd=True,
        panel="ranks (Nemenyi)",
    ),
    Comparison(
        name="wilcoxon",
        words="Wilcoxon",
        function=signed_ranks,
        references=("wilcoxon1945",),
        phrase="Wilcoxon’s signed-rank test over the blocks (medians of the runs), exact with ties up to 50 differences",
        failures=True,
        answers_interaction=True,
    ),
    Comparison(
        name="tukey",
        words="Tukey",
        function=tukey,
        references=("chiarandini2005",),
        phrase="Tukey’s test in the model with blocks",
        equal_variances=True,
        normal=True,
        correction="studentised_range",
        common_msd=True,
        panel="parametric (Tukey)",
    ),
    Comparison(
        name="permutation",
        words="permutation of pairs",
        function=rearranged,
        references=("chiarandini2005",),
        phrase="permutation tests of the pairs, with their minimum significant difference in closed form",
        equal_variances=True,
        common_msd=True,
        panel="permutation",
    ),
    Correction(name="studentised_range", words="studentised range", asked=False),
    Correction(name="scheffe", words="all contrasts", asked=False),
)
