"""Quade's test: ranks within blocks, weighted by the rank of the block's range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.ranks import ROUNDING, midranks
from benchmill.inference.outcome import Outcome

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Quade:
    """Result of `quade`; None where a number is not defined.

    Attributes
    ----------
    f, p : float or None
    df1, df2 : int
        k - 1 and (b - 1)(k - 1).
    scores : (n_treatments,) array
        Sums of the weighted ranks; smaller is better.
    """

    f: float | None
    p: float | None
    df1: int
    df2: int
    scores: Array


def quade(costs: npt.ArrayLike) -> Quade:
    """Test that all treatments are equal, blocks with a wide range counting more.

    S_hi = Q_h (R_hi - (k + 1) / 2) with Q_h the rank of the range of block h; F = (b - 1) B / (A - B), A = sum S_hi^2,
    B = sum_i (sum_h S_hi)^2 / b. Quade 1979; Conover 1999, section 5.8; ties share mean ranks. Costs of different blocks
    must be comparable, as their ranges are compared.

    Parameters
    ----------
    costs : (n_blocks, n_treatments) array_like
        A range with a failure in it (inf) is larger than any finite one; blocks that all fail have range 0. Ranges that differ by
        rounding of the costs alone are tied.

    Returns
    -------
    Quade
        None with fewer than two blocks or treatments, or all blocks tied. Where all blocks rank alike A = B: F is inf and p is
        (1 / k!)^(b - 1), as Conover has it.
    """
    from scipy.special import fdtrc

    x = np.asarray(costs, float)
    b, k = x.shape
    df1, df2 = max(k - 1, 0), max(b - 1, 0) * max(k - 1, 0)
    if b < 2 or k < 2:
        return Quade(None, None, df1, df2, np.full(k, np.nan))
    with np.errstate(invalid="ignore"):
        spread = np.where(np.isinf(x).all(axis=1), 0.0, x.max(axis=1) - x.min(axis=1))
    largest = np.abs(np.where(np.isinf(x), 0.0, x)).max(axis=1)
    weight = midranks(spread[None], ROUNDING * largest[None])[0]
    s = weight[:, None] * (midranks(x) - (k + 1) / 2)
    total, between = float((s**2).sum()), float((s.sum(axis=0) ** 2).sum()) / b
    if total == 0:
        return Quade(None, None, df1, df2, s.sum(axis=0))
    if total - between <= 1e-12 * total:
        return Quade(math.inf, math.exp(-(b - 1) * math.lgamma(k + 1)), df1, df2, s.sum(axis=0))
    f = (b - 1) * between / (total - between)
    return Quade(f, float(fdtrc(df1, df2, f)), df1, df2, s.sum(axis=0))


def outcomes(values: Array) -> list[Outcome]:
    """The test on the medians of the runs as a row of `tests`."""
    found = quade(np.median(values, axis=2) if values.shape[2] else values.reshape(values.shape[:2]))
    return [Outcome("quade", found.f, found.df1, found.df2, found.p)]
