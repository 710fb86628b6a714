"""All pairs of algorithms compared by their average ranks: Conover's t with Holm's correction, and Nemenyi."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill import schema
from benchmill.errors import UserError
from benchmill.inference.blocks import blocks, columns
from benchmill.inference.friedman import friedman

Array = npt.NDArray[np.float64]

#: Method -> how its p values are corrected for the number of pairs.
METHODS = {"conover": "holm", "nemenyi": "studentised_range"}


@dataclass(frozen=True)
class Pairs:
    """Comparison of all pairs; NaN where a number is not defined.

    Attributes
    ----------
    a, b : (n_pairs,) int arrays
        Columns of the two treatments; a < b.
    difference : (n_pairs,) array
        Average rank of a minus average rank of b.
    statistic, p, p_adjusted : (n_pairs,) arrays
    df : float
    msd : float
        Minimum significant difference of average ranks for the family of all pairs.
    """

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    difference: Array
    statistic: Array
    p: Array
    p_adjusted: Array
    df: float
    msd: float


def holm(p: npt.ArrayLike) -> Array:
    """Holm's step-down adjusted p values: max over the smaller ones of (number not smaller) times p, at most 1.

    NaN (no test) stays NaN and does not count as a test.
    """
    values = np.asarray(p, float)
    adjusted = np.full(values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    factor = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(factor * values[order]), 1.0)
    return adjusted


def conover(costs: npt.ArrayLike, alpha: float = 0.05) -> Pairs:
    """Conover's comparison of average ranks after Friedman's test, p corrected by Holm.

    t = difference / sqrt(2 s^2 / b) with (b - 1)(k - 1) degrees of freedom and s^2 the residual mean square of the ranks
    (Conover 1999, section 5.8, on average ranks; ties included). The minimum significant difference takes the
    t quantile at alpha / c for c pairs (Bonferroni), one bound for all pairs as an interval plot needs it; Holm's decisions
    are at least as powerful.

    Parameters
    ----------
    costs : (n_blocks, n_treatments) array_like
        inf = failure.
    alpha : float
        Family-wise level.

    Returns
    -------
    Pairs
        Where all blocks rank alike s^2 is 0 and t is not defined: p is then 2^(1 - b), the exact sign test of a pair that
        points the same way in all blocks (1 for a pair tied in all), and the difference of significance NaN.
    """
    from scipy.special import stdtr, stdtrit

    result = friedman(costs)
    a, b = np.triu_indices(result.n_treatments, 1)
    difference = result.average_ranks[a] - result.average_ranks[b]
    if result.residual is None:
        undefined = np.full(difference.shape, np.nan)
        return Pairs(a, b, difference, undefined, undefined, undefined, float(result.df2), math.nan)
    error = math.sqrt(2 * result.residual / result.n_blocks)
    if error == 0:
        statistic, msd = np.where(difference == 0, 0.0, np.copysign(np.inf, difference)), math.nan
        p = np.where(difference == 0, 1.0, 2.0 ** (1 - result.n_blocks))
    else:
        statistic = difference / error
        p = np.minimum(2 * stdtr(result.df2, -np.abs(statistic)), 1.0)
        msd = -float(stdtrit(result.df2, alpha / difference.size / 2)) * error
    return Pairs(a, b, difference, statistic, p, holm(p), float(result.df2), msd)


def nemenyi(costs: npt.ArrayLike, alpha: float = 0.05) -> Pairs:
    """Nemenyi's comparison of average ranks: critical difference q sqrt(k (k + 1) / (6 b)).

    q is the quantile of the studentised range of k means with infinite degrees of freedom, divided by sqrt(2) (Demšar
    2006, section 3.2.2). The p values hold for the family as they are; ties are not corrected for, which is conservative.

    Parameters
    ----------
    costs : (n_blocks, n_treatments) array_like
        inf = failure.
    alpha : float
        Family-wise level.

    Returns
    -------
    Pairs
        `statistic` is the studentised range sqrt(2) |difference| / sqrt(k (k + 1) / (6 b)), `p` NaN (there is none for a pair
        alone).
    """
    from scipy.stats import studentized_range

    result = friedman(costs)
    a, b = np.triu_indices(result.n_treatments, 1)
    difference = result.average_ranks[a] - result.average_ranks[b]
    undefined = np.full(difference.shape, np.nan)
    if result.residual is None:
        return Pairs(a, b, difference, undefined, undefined, undefined, math.inf, math.nan)
    k = result.n_treatments
    error = math.sqrt(k * (k + 1) / (6 * result.n_blocks) / 2)
    distance, of_pair = np.unique(np.abs(difference), return_inverse=True)
    adjusted = np.clip(studentized_range.sf(distance / error, k, np.inf), 0.0, 1.0)[of_pair]
    msd = float(studentized_range.isf(alpha, k, np.inf)) * error
    return Pairs(a, b, difference, np.abs(difference) / error, undefined, adjusted, math.inf, msd)


def pairwise(ratios: pa.Table, *, measure: str, alpha: float = 0.05, methods: Sequence[str] = ("conover", "nemenyi")) -> pa.Table:
    """Compare all pairs of algorithms at every target or budget of a measure.

    Parameters
    ----------
    ratios : pyarrow.Table
        Table `ratios`; the column `cost` of the included problems is ranked, each problem of a target being a block.
    measure : str
    alpha : float
        Family-wise level.
    methods : sequence of {"conover", "nemenyi"}

    Returns
    -------
    pyarrow.Table
        Table `comparisons`, by target or budget, method, pair. With one algorithm or no block there are no rows; where ranks
        cannot be tested (one block, or all tied) statistic, p and msd are null and nothing is significant.

    Raises
    ------
    UserError
        A method is unknown.
    """
    unknown = [method for method in methods if method not in METHODS]
    if unknown:
        raise UserError(f"inference: there is no comparison {unknown[0]!r}; choose from {', '.join(METHODS)}.")
    compare = {"conover": conover, "nemenyi": nemenyi}
    parts = [part for part in blocks(ratios, measure) if len(part.costs)]
    found = [(part, method, compare[method](part.costs, alpha)) for part in parts for method in methods]
    sizes = [pairs.a.size for _, _, pairs in found]
    names = np.array(found[0][0].algorithms if found else [], object)

    def of_pair(values: list[Array]) -> pa.Array:
        joined = np.concatenate([*values, np.empty(0)])
        return pa.array(joined, mask=np.isnan(joined))

    adjusted = np.concatenate([*(pairs.p_adjusted for *_, pairs in found), np.empty(0)])
    return schema.table(
        "comparisons",
        {
            "measure": [measure] * sum(sizes),
            **columns([part for part, *_ in found], sizes),
            "method": [method for (_, method, _), n in zip(found, sizes, strict=True) for _ in range(n)],
            "correction": [METHODS[method] for (_, method, _), n in zip(found, sizes, strict=True) for _ in range(n)],
            "algorithm_a": [name for *_, pairs in found for name in names[pairs.a]],
            "algorithm_b": [name for *_, pairs in found for name in names[pairs.b]],
            "difference": np.concatenate([*(pairs.difference for *_, pairs in found), np.empty(0)]),
            "statistic": of_pair([pairs.statistic for *_, pairs in found]),
            "df": np.repeat([pairs.df for *_, pairs in found], sizes) if found else [],
            "p": of_pair([pairs.p for *_, pairs in found]),
            "p_adjusted": pa.array(adjusted, mask=np.isnan(adjusted)),
            "msd": of_pair([np.full(n, pairs.msd) for (*_, pairs), n in zip(found, sizes, strict=True)]),
            "alpha": [float(alpha)] * sum(sizes),
            "significant": adjusted <= alpha,
        },
    )
