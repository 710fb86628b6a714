"""Analysis of variance of blocks × treatments (× runs): three error terms, and checks of what it assumes."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core import Array, ArrayLike, quietly, ranks
from benchmill.inference.design import Outcome, cells
from benchmill.registry.entry import described
from benchmill.registry.inference import OmnibusTest

ERRORS = ("additive", "cells", "interaction")
#: Check -> what its hypothesis says.
CHECKS = {
    "shapiro_wilk": "residuals are normal",
    "brown_forsythe": "algorithms have equal variances",
    "brown_forsythe_blocks": "blocks have equal variances",
    "interaction": "algorithms differ in the same way on all blocks",
    "tukey_additivity": "no product interaction of algorithms and blocks",
}
#: Shapiro and Wilk's test is tabulated up to this many residuals; of more, every n-th in order of size is taken.
_MOST_RESIDUALS = 5000


@dataclass(frozen=True)
class Anova:
    """Result of `anova`; None where a number is not defined. `n_values` are those behind each mean (b r)."""

    means: Array
    f: float | None
    p: float | None
    df1: int
    df2: int
    mse: float | None
    n_values: int


@dataclass(frozen=True)
class Squares:
    """Sums of squares and degrees of freedom of the balanced two-way layout; `cells` varies between the runs of a cell."""

    treatments: float
    blocks: float
    interaction: float
    cells: float
    df_interaction: int
    df_cells: int


def squares(values: ArrayLike) -> Squares:
    """Return the sums of squares of finite values, (n_blocks, n_treatments[, n_runs])."""
    x = cells(values)
    b, k, r = x.shape
    if not x.size:
        return Squares(0.0, 0.0, 0.0, 0.0, 0, 0)
    x = x - x.mean()
    cell = x.mean(axis=2)
    of_block, of_treatment = cell.mean(axis=1), cell.mean(axis=0)
    mixed = cell - of_block[:, None] - of_treatment
    return Squares(
        b * r * float((of_treatment**2).sum()),
        k * r * float((of_block**2).sum()),
        r * float((mixed**2).sum()),
        float(((x - cell[:, :, None]) ** 2).sum()),
        (b - 1) * (k - 1),
        b * k * (r - 1),
    )


def anova(values: ArrayLike, error: str = "additive") -> Anova:
    """Test by F that the treatments have equal means, blocks as a factor.

    F = MSA / MSE with MSA = b r sum_i (mean_i - mean)^2 / (k - 1) (Chiarandini, Basso, Stützle 2005, equation (1), which prints b
    for b r). The error term is

    * `additive`: what blocks and treatments leave, b k r - b - k + 1 degrees of freedom (their model 2a; Design 1's (1));
    * `cells`: the variance within cells, b k (r - 1) (their model 2b); speaks of these blocks only;
    * `interaction`: the mean square of the interaction, (b - 1)(k - 1): blocks as a random sample.

    F and p are None with fewer than two treatments, without degrees of freedom for the error, or without any error.
    """
    if error not in ERRORS:
        raise ValueError(f"error must be one of {', '.join(ERRORS)}")
    x = cells(values)
    if not np.isfinite(x).all():
        raise ValueError("an analysis of variance needs finite values; give failures a value or take ranks")
    b, k, r = x.shape
    sums = squares(x)
    ss, df2 = {
        "additive": (sums.interaction + sums.cells, sums.df_interaction + sums.df_cells),
        "cells": (sums.cells, sums.df_cells),
        "interaction": (sums.interaction, sums.df_interaction),
    }[error]
    means = x.mean(axis=(0, 2)) if x.size else np.full(k, np.nan)
    scale = float(((x - x.mean()) ** 2).sum()) if x.size else 0.0
    if k < 2 or df2 < 1 or ss <= 1e-24 * scale or not scale:
        return Anova(means, None, None, max(k - 1, 0), max(df2, 0), None, b * r)
    mse = ss / df2
    f = sums.treatments / (k - 1) / mse
    return Anova(means, f, float(scipy.special.fdtrc(k - 1, df2, f)), k - 1, df2, mse, b * r)


def interaction_of_ranks(values: ArrayLike) -> float | None:
    """Return p of the F test that the treatments differ in the same way on all blocks: ranks within blocks, error within cells.

    A large difference can look like an interaction on ranks, so this is a test to be careful by, not to claim by. None for one
    run a cell, fewer than two blocks or treatments, or without any variance.
    """
    x = cells(values)
    b, k, r = x.shape
    sums = squares(ranks.midranks(x.reshape(b, k * r)).reshape(x.shape)) if x.size else squares(x)
    df1, df2 = sums.df_interaction, sums.df_cells
    if df1 < 1 or df2 < 1 or not sums.interaction + sums.cells:
        return None
    return float(scipy.special.fdtrc(df1, df2, sums.interaction / df1 / (sums.cells / df2))) if sums.cells else 0.0


def outcomes(method: str, error: str, values: Array) -> list[Outcome]:
    """Return the row of `tests` of an analysis of variance with one of the error terms."""
    analysis = anova(values, error)
    return [Outcome(method, analysis.f, analysis.df1, analysis.df2, analysis.p)]


# --- what is assumed ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """One check; statistic and p are None where it is not defined."""

    name: str
    statistic: float | None
    df1: float | None
    df2: float | None
    p: float | None
    n: int


def residuals(values: ArrayLike) -> Array:
    """Return deviations from the cell means with runs, from the additive fit with one run per cell."""
    x = cells(values)
    if not x.size:
        return x
    if x.shape[2] > 1:
        return np.asarray(x - x.mean(axis=2, keepdims=True), float)
    return np.asarray(x - x.mean(axis=(1, 2), keepdims=True) - x.mean(axis=(0, 2), keepdims=True) + x.mean(), float)


def checks(values: ArrayLike) -> list[Check]:
    """Return all checks that the design allows, on finite values.

    Shapiro–Wilk on the residuals; Brown–Forsythe between algorithms, and between blocks where there are runs; with runs the F
    test of the interaction against the variance within cells, else Tukey's one degree of freedom for additivity.
    """
    x = cells(values)
    if not np.isfinite(x).all():
        raise ValueError("the checks need finite values")
    b, k, r = x.shape
    e = residuals(x)
    flat = np.sort(e.ravel())
    if flat.size > _MOST_RESIDUALS:
        flat = flat[np.linspace(0, flat.size - 1, _MOST_RESIDUALS).round().astype(int)]
    w, p = map(float, scipy.stats.shapiro(flat)) if flat.size >= 3 and np.ptp(flat) > 0 else (None, None)
    of_treatments = np.moveaxis(e, 1, 0).reshape(k, -1)
    first = [Check("shapiro_wilk", w, None, None, p, int(e.size)), _brown_forsythe("brown_forsythe", of_treatments)]
    ss = squares(x)
    if r > 1:
        first.append(_brown_forsythe("brown_forsythe_blocks", e.reshape(b, -1)))
        return [*first, _f_check("interaction", ss.interaction, ss.df_interaction, ss.cells, ss.df_cells, x.size)]
    top = 0.0
    if x.size:
        of_block, of_treatment = x.mean(axis=(1, 2)) - x.mean(), x.mean(axis=(0, 2)) - x.mean()
        scale = (of_block**2).sum() * (of_treatment**2).sum()
        top = float((of_block @ x[:, :, 0] @ of_treatment) ** 2 / scale) if scale > 0 else 0.0
    return [*first, _f_check("tukey_additivity", top, 1, ss.interaction - top, ss.df_interaction - 1, x.size)]


def _f_check(name: str, top: float, df1: int, rest: float, df2: int, n: int) -> Check:
    """Return the check of a sum of squares against the rest, both of finite values; undefined where that is rounding alone."""
    if df1 < 1 or df2 < 1 or not rest > 1e-12 * (top + rest):
        return Check(name, None, float(max(df1, 0)), float(max(df2, 0)), None, n)
    f = top / df1 / (rest / df2)
    return Check(name, f, float(df1), float(df2), float(scipy.special.fdtrc(df1, df2, f)), n)


@quietly()
def _brown_forsythe(name: str, groups: Array) -> Check:
    """Return the one-way F of the absolute deviations from the group medians."""
    g, n = groups.shape
    if g < 2 or n < 3:
        return Check(name, None, None, None, None, groups.size)
    f, p = map(float, scipy.stats.levene(*groups))
    known = np.isfinite(f)
    return Check(name, f if known else None, float(g - 1), float(g * (n - 1)), p if known else None, groups.size)


ENTRIES = described(
    __file__,
    OmnibusTest,
    anova=partial(outcomes, "anova", "additive"),
    anova_cells=partial(outcomes, "anova_cells", "cells"),
    anova_interaction=partial(outcomes, "anova_interaction", "interaction"),
)
