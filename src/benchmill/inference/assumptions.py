"""Checks of what the parametric procedures assume. They are reported; nothing is chosen by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.inference.anova import squares
from benchmill.inference.design import cells

Array = npt.NDArray[np.float64]

#: Check -> what its hypothesis says.
CHECKS = {
    "shapiro_wilk": "residuals are normal",
    "brown_forsythe": "algorithms have equal variances",
    "brown_forsythe_blocks": "blocks have equal variances",
    "interaction": "algorithms differ alike on all blocks",
    "tukey_additivity": "no product interaction of algorithms and blocks",
}

#: Shapiro and Wilk's test is tabulated up to this many residuals; of more, every n-th in order of size is taken.
_MOST_RESIDUALS = 5000


@dataclass(frozen=True)
class Check:
    """One check; statistic and p are None where it is not defined."""

    name: str
    statistic: float | None
    df1: float | None
    df2: float | None
    p: float | None
    n: int


def residuals(values: npt.ArrayLike) -> Array:
    """Return deviations from the cell means with runs, from the additive fit with one run per cell."""
    x = cells(values)
    if not x.size:
        return x
    cell = x.mean(axis=2, keepdims=True)
    if x.shape[2] > 1:
        return np.asarray(x - cell, float)
    return np.asarray(x - x.mean(axis=(1, 2), keepdims=True) - x.mean(axis=(0, 2), keepdims=True) + x.mean(), float)


def checks(values: npt.ArrayLike) -> list[Check]:
    """Return all checks that the design allows, on finite values.

    Shapiro–Wilk on the residuals; Brown–Forsythe between algorithms, and between blocks where there are runs; with runs the F
    test of the interaction against the variance within cells, else Tukey's one degree of freedom for additivity.
    """
    from scipy.special import fdtrc
    from scipy.stats import shapiro

    x = cells(values)
    if not np.isfinite(x).all():
        raise ValueError("the checks need finite values")
    b, k, r = x.shape
    e = residuals(x)
    found = []
    flat = np.sort(e.ravel())
    if flat.size >= 3 and np.ptp(flat) > 0:
        if flat.size > _MOST_RESIDUALS:
            flat = flat[np.linspace(0, flat.size - 1, _MOST_RESIDUALS).round().astype(int)]
        w, p = shapiro(flat)
        found.append(Check("shapiro_wilk", float(w), None, None, float(p), int(e.size)))
    else:
        found.append(Check("shapiro_wilk", None, None, None, None, int(e.size)))
    found.append(_brown_forsythe("brown_forsythe", np.moveaxis(e, 1, 0).reshape(k, -1)))
    if r > 1:
        found.append(_brown_forsythe("brown_forsythe_blocks", e.reshape(b, -1)))
    ss = squares(x)
    if r > 1:
        df1, df2 = ss.df_interaction, ss.df_cells
        top, rest = ss.interaction, ss.cells
        name = "interaction"
    else:
        df1, df2 = 1, ss.df_interaction - 1
        name, top, rest = "tukey_additivity", 0.0, ss.interaction
        if x.size:
            of_block = x.mean(axis=(1, 2)) - x.mean()
            of_treatment = x.mean(axis=(0, 2)) - x.mean()
            scale = (of_block**2).sum() * (of_treatment**2).sum()
            top = float((of_block @ x[:, :, 0] @ of_treatment) ** 2 / scale) if scale > 0 else 0.0
            rest = ss.interaction - top
    if df1 > 0 and df2 > 0 and rest > 1e-12 * (top + rest):
        f = top / df1 / (rest / df2)
        found.append(Check(name, f, float(df1), float(df2), float(fdtrc(df1, df2, f)), int(x.size)))
    else:
        found.append(Check(name, None, float(max(df1, 0)), float(max(df2, 0)), None, int(x.size)))
    return found


def _brown_forsythe(name: str, groups: Array) -> Check:
    """One-way F of the absolute deviations from the group medians."""
    from scipy.special import fdtrc

    g, n = groups.shape
    if g < 2 or n < 3:
        return Check(name, None, None, None, None, groups.size)
    d = np.abs(groups - np.median(groups, axis=1, keepdims=True))
    between = n * ((d.mean(axis=1) - d.mean()) ** 2).sum() / (g - 1)
    within = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum() / (g * (n - 1))
    if within <= 0:
        return Check(name, None, float(g - 1), float(g * (n - 1)), None, groups.size)
    f = float(between / within)
    return Check(name, f, float(g - 1), float(g * (n - 1)), float(fdtrc(g - 1, g * (n - 1), f)), groups.size)
