"""Analysis of variance of blocks × treatments (× runs): three error terms, and which question each answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.core.ranks import midranks
from benchmill.inference.design import cells
from benchmill.inference.outcome import Outcome
from benchmill.registry.tests import OmnibusTest

Array = npt.NDArray[np.float64]

#: Error term -> what F then speaks of.
ERRORS = {
    "additive": "model without interaction",
    "cells": "model with interaction, these blocks only",
    "interaction": "blocks as a random sample",
}


@dataclass(frozen=True)
class Anova:
    """Result of `anova`; None where a number is not defined. `n_values` are those behind each mean (b r)."""

    means: Array
    f: float | None
    p: float | None
    df1: int
    df2: int
    mse: float | None
    error: str
    n_values: int


@dataclass(frozen=True)
class Squares:
    """Sums of squares and degrees of freedom of the balanced two-way layout."""

    treatments: float
    blocks: float
    interaction: float
    cells: float
    df_interaction: int
    df_cells: int


def squares(values: npt.ArrayLike) -> Squares:
    """Sums of squares of a balanced two-way layout; `cells` is what varies between the runs of a cell.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        Finite.
    """
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


def anova(values: npt.ArrayLike, error: str = "additive") -> Anova:
    """Test by F that the treatments have equal means, blocks as a factor.

    F = MSA / MSE with MSA = b r sum_i (mean_i - mean)^2 / (k - 1) (Chiarandini, Basso, Stützle 2005, equation (1), which prints b
    for b r). The error term is

    * `additive`: what blocks and treatments leave, b k r - b - k + 1 degrees of freedom (their model 2a; Design 1's (1));
    * `cells`: the variance within cells, b k (r - 1) (their model 2b); speaks of these blocks only;
    * `interaction`: the mean square of the interaction, (b - 1)(k - 1): blocks as a random sample.

    F and p are None with fewer than two treatments, without degrees of freedom for the error, or without any error.
    """
    from scipy.special import fdtrc

    if error not in ERRORS:
        raise ValueError(f"error must be one of {', '.join(ERRORS)}")
    x = cells(values)
    if not np.isfinite(x).all():
        raise ValueError("an analysis of variance needs finite values; give failures a value or take ranks")
    b, k, r = x.shape
    found = squares(x)
    ss, df2 = {
        "additive": (found.interaction + found.cells, found.df_interaction + found.df_cells),
        "cells": (found.cells, found.df_cells),
        "interaction": (found.interaction, found.df_interaction),
    }[error]
    means = x.mean(axis=(0, 2)) if x.size else np.full(k, np.nan)
    scale = float(((x - x.mean()) ** 2).sum()) if x.size else 0.0
    if k < 2 or df2 < 1 or ss <= 1e-24 * scale or not scale:
        return Anova(means, None, None, max(k - 1, 0), max(df2, 0), None, error, b * r)
    mse = ss / df2
    f = found.treatments / (k - 1) / mse
    return Anova(means, f, float(fdtrc(k - 1, df2, f)), k - 1, df2, mse, error, b * r)


def interaction_of_ranks(values: npt.ArrayLike) -> float | None:
    """Return p of the F test that the treatments differ alike on all blocks: ranks within blocks, error within cells.

    Ranks take failures. A large difference can look like an interaction on ranks, so this is a test to be careful by, not to
    claim by. None for one run a cell, fewer than two blocks or treatments, or without any variance.
    """
    from scipy.special import fdtrc

    x = cells(values)
    b, k, r = x.shape
    found = squares(midranks(x.reshape(b, k * r)).reshape(x.shape)) if x.size else squares(x)
    df1, df2 = found.df_interaction, found.df_cells
    if df1 < 1 or df2 < 1 or not found.interaction + found.cells:
        return None
    return float(fdtrc(df1, df2, found.interaction / df1 / (found.cells / df2))) if found.cells else 0.0


def additive(values: Array) -> list[Outcome]:
    """Test with the additive error, as a row of `tests`."""
    return _outcomes("anova", anova(values, "additive"))


def within_cells(values: Array) -> list[Outcome]:
    """Test with the variance within cells as error, as a row of `tests`."""
    return _outcomes("anova_cells", anova(values, "cells"))


def random_blocks(values: Array) -> list[Outcome]:
    """Test with the interaction as error, as a row of `tests`."""
    return _outcomes("anova_interaction", anova(values, "interaction"))


def _outcomes(method: str, found: Anova) -> list[Outcome]:
    return [Outcome(method, found.f, found.df1, found.df2, found.p)]


def tukey_msd(result: Anova, alpha: float) -> float:
    """Tukey's honestly significant difference q sqrt(MSE / (b r)); NaN where there is no error term."""
    from benchmill.inference import studentised_range

    if result.mse is None:
        return math.nan
    q = studentised_range.isf(alpha, result.means.size, result.df2)
    return q * math.sqrt(result.mse / result.n_values)


ENTRIES = (
    OmnibusTest(
        name="anova",
        words="analysis of variance (additive)",
        function=additive,
        references=("chiarandini2005",),
        phrase="an analysis of variance without interaction",
        equal_variances=True,
        normal=True,
        no_interaction=True,
    ),
    OmnibusTest(
        name="anova_cells",
        words="analysis of variance (with interaction, these problems only)",
        function=within_cells,
        references=("chiarandini2005",),
        phrase="an analysis of variance with interaction, which speaks of these blocks only",
        equal_variances=True,
        normal=True,
    ),
    OmnibusTest(
        name="anova_interaction",
        words="analysis of variance (problems as a random sample)",
        function=random_blocks,
        phrase="an analysis of variance with the mean square of the interaction as error, blocks being a random sample",
        equal_variances=True,
        normal=True,
        answers_interaction=True,
    ),
)
