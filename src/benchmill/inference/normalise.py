"""Costs made comparable between blocks: relative error e1, position between bounds, logarithm, ranks in the block."""

import numpy as np

from benchmill.core import step_functions
from benchmill.core.arrays import Array, ArrayLike, quietly
from benchmill.core.errors import UserError
from benchmill.core.ranks import midranks
from benchmill.inference.design import cells
from benchmill.text import display

KINDS = ("none", "e1", "e2", "log", "ranks")


def e1(values: ArrayLike, lower: ArrayLike | None = None) -> Array:
    """Return relative errors (c - c_min) / c_min (Chiarandini et al. 2005, section 2); inf stays inf.

    `lower` is the best known cost of each block, by default and where NaN the smallest seen; above 0.
    """
    x = cells(values)
    low = _known(lower, x.min(axis=(1, 2), initial=np.inf))
    if (~(low > 0)).any():
        at = int(np.argmax(~(low > 0)))
        raise UserError(
            f"normalise e1: the bound of block {at + 1} is {low[at]:g}, expected a number > 0 (e1 divides by it); set "
            "inference.normalise to e2 or ranks."
        )
    low = low[:, None, None]
    return step_functions.ratios(x - low, low)


@quietly()
def e2(values: ArrayLike, lower: ArrayLike | None = None, upper: ArrayLike | None = None) -> Array:
    """Return positions between bounds, (c - c_min) / (c_max - c_min) (Zemel 1981; Chiarandini et al. 2005, section 2).

    `lower` and `upper` are the best known cost and that of a simple heuristic, by default and where NaN the smallest and largest
    finite cost seen. inf stays inf; 0 where both bounds are equal.
    """
    x = cells(values)
    low = _known(lower, x.min(axis=(1, 2), initial=np.inf))
    high = _known(upper, np.where(np.isinf(x), -np.inf, x).max(axis=(1, 2), initial=-np.inf))
    crossed = (high < low) & np.isfinite(high - low)
    if crossed.any():
        at = int(np.argmax(crossed))
        raise UserError(
            f"normalise e2: of block {at + 1} the upper bound {high[at]:g} is below the lower bound {low[at]:g} "
            "(known, or the largest and smallest cost seen); correct the bounds."
        )
    width = (high - low)[:, None, None]
    return np.where(np.isinf(x), np.inf, np.where(width > 0, (x - low[:, None, None]) / width, 0.0))


def logarithm(values: ArrayLike) -> Array:
    """Return decimal logarithms; a `UserError` where a value is not positive."""
    x = cells(values)
    if (x <= 0).any():
        raise UserError(
            f"normalise log: found the cost {float(x.min()):g}, expected numbers > 0; set inference.normalise to e2 or ranks."
        )
    return np.log10(x)


def ranks(values: ArrayLike) -> Array:
    """Return the joint midranks 1 to k r of all runs in a block; failures are tied at the end."""
    x = cells(values)
    return midranks(x.reshape(x.shape[0], -1)).reshape(x.shape)


def normalise(values: ArrayLike, kind: str, lower: ArrayLike | None = None, upper: ArrayLike | None = None) -> tuple[Array, str]:
    """Normalise by name; return the values and what was done, in words."""
    if kind == "none":
        return cells(values), "costs as they are"
    if kind == "e1":
        return e1(values, lower), f"relative error e1 to the {_said(lower, 'smallest')} cost of the block{_beyond(values, lower)}"
    if kind == "e2":
        bounds = f"the {_said(lower, 'smallest')} and the {_said(upper, 'largest')}"
        return e2(values, lower, upper), f"position between {bounds} cost of the block{_beyond(values, lower)}"
    if kind == "log":
        return logarithm(values), "decimal logarithm of the costs"
    if kind == "ranks":
        return ranks(values), "midranks within the block"
    raise UserError(f"inference.normalise: found {kind!r}, expected one of {', '.join(KINDS)}.")


def _known(bound: ArrayLike | None, seen: Array) -> Array:
    given = np.full(seen.shape, np.nan) if bound is None else np.asarray(bound, float)
    return np.where(np.isnan(given), seen, given)


def _said(bound: ArrayLike | None, seen: str) -> str:
    given = 0 if bound is None else int((~np.isnan(np.asarray(bound, float))).sum())
    if not given:
        return f"{seen} seen"
    size = np.asarray(bound).size
    return "known" if given == size else f"known (of {given} of {size} blocks, else the {seen} seen)"


def _beyond(values: ArrayLike, lower: ArrayLike | None) -> str:
    if lower is None:
        return ""
    better = int((cells(values) < np.asarray(lower, float)[:, None, None]).sum())
    return f"; {display.plural(better, 'value')} {'is' if better == 1 else 'are'} below the known lower bound" if better else ""
