"""Friedman's rank test for blocks and treatments, with correction for ties, and its F form (Iman and Davenport)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill import schema
from benchmill.inference.blocks import blocks, columns
from benchmill.step_functions import TOLERANCE

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Friedman:
    """Result of `friedman`; None where a number is not defined.

    Attributes
    ----------
    average_ranks : (n_treatments,) array
        1 = best; NaN without blocks.
    chi2, p_chi2, f, p_f : float or None
    df1, df2 : int
        k - 1 and (b - 1)(k - 1); chi2 has `df1`, F both.
    residual : float or None
        s^2, the mean square of the ranks within blocks that the treatments leave unexplained.
    n_blocks, n_treatments : int
    n_all_tied : int
        Blocks in which every treatment has the same cost.
    """

    average_ranks: Array
    chi2: float | None
    p_chi2: float | None
    f: float | None
    p_f: float | None
    df1: int
    df2: int
    residual: float | None
    n_blocks: int
    n_treatments: int
    n_all_tied: int


def midranks(costs: npt.ArrayLike) -> Array:
    """Ranks within each block, from 1 for the smallest cost; ties share the mean of their ranks.

    Parameters
    ----------
    costs : (n_blocks, n_treatments) array_like
        inf allowed: failures are tied at the end. Costs that differ by rounding alone (relative 1e-12) are tied.

    Returns
    -------
    (n_blocks, n_treatments) array
    """
    c = np.asarray(costs, float)
    order = np.argsort(c, axis=1, kind="stable")
    ordered = np.take_along_axis(c, order, axis=1)
    position = np.broadcast_to(np.arange(c.shape[1]), c.shape)
    with np.errstate(invalid="ignore"):
        step = ordered[:, 1:] - ordered[:, :-1] > TOLERANCE * np.abs(ordered[:, :-1])
    step |= np.isinf(ordered[:, 1:]) & ~np.isinf(ordered[:, :-1])
    edge = np.ones((c.shape[0], 1), bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, step]), position, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack([step, edge]), position, c.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(c.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return ranks


def friedman(costs: npt.ArrayLike) -> Friedman:
    """Test that all treatments have the same distribution of costs in every block.

    With rank sums R_i, A the sum of all squared ranks and C = b k (k + 1)^2 / 4: SS = sum_i (R_i - b (k + 1) / 2)^2 / b,
    chi2 = b (k - 1) SS / (A - C) and F = [SS / (k - 1)] / s^2 with s^2 = (A - C - SS) / ((b - 1)(k - 1)). Conover,
    Practical Nonparametric Statistics, 1999, section 5.8; Iman and Davenport 1980. Both correct for ties.

    Parameters
    ----------
    costs : (n_blocks, n_treatments) array_like
        inf = failure; failures in a block are tied.

    Returns
    -------
    Friedman
        Statistics are None with fewer than two blocks or treatments and where every block is tied throughout. Where all
        blocks rank alike F is inf, and its p value is the exact probability of that, which is not 0.
    """
    from scipy.special import chdtrc, fdtrc

    c = np.asarray(costs, float)
    b, k = c.shape
    ranks = midranks(c)
    n_all_tied = int((np.ptp(ranks, axis=1) == 0).sum()) if k else 0
    average = ranks.mean(axis=0) if b else np.full(k, np.nan)
    df1, df2 = max(k - 1, 0), max(b - 1, 0) * max(k - 1, 0)
    # Ranks are multiples of 1/2, so these two sums have no rounding error.
    within = float((ranks**2).sum() - b * k * (k + 1) ** 2 / 4)
    between = float(((ranks.sum(axis=0) - b * (k + 1) / 2) ** 2).sum())
    if b < 2 or k < 2 or within == 0:
        return Friedman(average, None, None, None, None, df1, df2, None, b, k, n_all_tied)
    chi2 = (k - 1) * between / within
    rest = b * within - between
    if rest > 0:
        f = (b - 1) * between / rest
        p_f = float(fdtrc(df1, df2, f))
    else:
        f, p_f = math.inf, _all_alike(ranks[0], b)
    return Friedman(average, chi2, float(chdtrc(df1, chi2)), f, p_f, df1, df2, rest / b / df2, b, k, n_all_tied)


def _all_alike(ranks: Array, b: int) -> float:
    """Probability that b blocks with the ties of `ranks` rank the treatments alike if all orders are equally likely."""
    ties = np.unique(ranks, return_counts=True)[1]
    orders = math.lgamma(ranks.size + 1) - sum(math.lgamma(int(t) + 1) for t in ties)
    return math.exp(-(b - 1) * orders)


def omnibus(ratios: pa.Table, *, measure: str, alpha: float = 0.05) -> tuple[pa.Table, pa.Table]:
    """Friedman's test and its F form for every target or budget of a measure.

    Parameters
    ----------
    ratios : pyarrow.Table
        Table `ratios`; the column `cost` of the included problems is ranked, each problem of a target being a block.
    measure : str
    alpha : float
        Level.

    Returns
    -------
    tests : pyarrow.Table
        Table `tests`: rows `friedman` and `iman_davenport` per target or budget; statistic and p are null, and
        `significant` is false, where they are not defined.
    ranks : pyarrow.Table
        Table `ranks`; a target without blocks has no rows.
    """
    parts = blocks(ratios, measure)
    results = [friedman(part.costs) for part in parts]
    rows = [row for r in results for row in (("friedman", r.chi2, None, r.p_chi2, r), ("iman_davenport", r.f, r.df2, r.p_f, r))]
    tests = schema.table(
        "tests",
        {
            "measure": [measure] * len(rows),
            **columns(parts, [2] * len(parts)),
            "method": [method for method, *_ in rows],
            "statistic": [statistic for _, statistic, *_ in rows],
            "df1": [float(r.df1) for *_, r in rows],
            "df2": [None if df2 is None else float(df2) for _, _, df2, _, _ in rows],
            "p": [p for *_, p, _ in rows],
            "alpha": [float(alpha)] * len(rows),
            "significant": [p is not None and p <= alpha for *_, p, _ in rows],
            "n_blocks": [r.n_blocks for *_, r in rows],
            "n_treatments": [r.n_treatments for *_, r in rows],
            "n_left_out": [part.n_left_out for part in parts for _ in range(2)],
            "n_all_tied": [r.n_all_tied for *_, r in rows],
        },
    )
    ranked = [(part, r) for part, r in zip(parts, results, strict=True) if r.n_blocks]
    sizes = [r.n_treatments for _, r in ranked]
    ranks = schema.table(
        "ranks",
        {
            "measure": [measure] * sum(sizes),
            **columns([part for part, _ in ranked], sizes),
            "algorithm": [name for part, _ in ranked for name in part.algorithms],
            "average_rank": np.concatenate([*(r.average_ranks for _, r in ranked), np.empty(0)]),
            "n_blocks": np.repeat([r.n_blocks for _, r in ranked], sizes) if ranked else [],
        },
    )
    return tests, ranks
