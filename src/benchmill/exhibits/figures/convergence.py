"""Fixed-budget convergence: the value that half of the trials have reached by any evaluation, with quantile bands."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.exhibits.figures import axes_level, options, panels, scales, style
from benchmill.exhibits.figures.curves import curve
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet
from benchmill.text import display, frames
from benchmill.text.appearance import Pen

#: What a study can set.
Options = options.Paged


#: A page of small panels; values of different problems have no scale in common.
GRID = Grid(0.4, lambda _, width: max(1.0, 0.72 * width), wide=True, share="x", legend=True)


def select(sheet: Sheet) -> None:
    """Take a panel per problem in one dimension."""
    data = sheet.take_one(sheet.table(what="trials with a trace"), "dimension")
    sheet.take(data, panels.PROBLEM, most=30)
    sheet.order_by(best_first(data))
    sheet.keywords = {"floor": bottom(sheet)}
    sheet.shared = {"limits": span(data), "linewidth": 0.9, "markersize": 2.6}
    sheet.grid = GRID._replace(x=f"{unit(data)} (log scale)", y=value_label(sheet))


@axes_level.drawing(one_by_one=True)
def plot(
    axes: Axes,
    data: Frame,
    pens: Pens,
    floor: float | None = 1e-8,
    limits: tuple[float, float] | None = None,
    linewidth: float | None = None,
    markersize: float = 4.2,
) -> None:
    """Draw the median trial of each algorithm on one problem, with quantile bands.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `attainment` of one problem and dimension.
    """
    shares = frames.only(data, "share")
    line, bands = middle(shares), _bands(shares)
    start, right = limits or span(data)
    levels, wide = curves(data, right, floor), panels.banded(pens)
    for place, (name, pen) in enumerate(reversed(pens.items())):
        own = levels.get(name, {})
        if name in wide:
            _band(axes, own, bands, pen)
        x, y = own.get(line, NONE)
        above = style.line_style(pen)["zorder"] + place / 100
        at = np.exp((place + 0.5) / len(pens) * np.log(right))
        curve(axes, pen, place, x, y, marks=[at] if x.size and at >= x[0] else [], size=markersize, width=linewidth, zorder=above)
    scales.log_axis(axes, "x", 0.9 * start, right, most=4)
    if floor is not None:
        value = np.maximum(data["value"].to_numpy(), floor)
        high = float(value.max(initial=floor))
        low = min(float(value.min(initial=np.inf)), high)
        margin = (high / low) ** 0.05 * 1.05
        scales.log_axis(axes, "y", low / margin, high * margin, most=3)
    axes.set(xlabel=f"{unit(data)} (log scale)", ylabel="best value so far")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    shares = frames.only(sheet.rows, "share")
    bands = [f"{display.target(100 * a)} % and {display.target(100 * b)} %" for a, b in _bands(shares)]
    return sheet.told(middle=middle(shares), unit=unit(sheet.rows), bands=bands, floor=bottom(sheet))


#: By share the steps of a level curve.
Levels = dict[float, tuple[np.ndarray, np.ndarray]]
#: The curve of a share that no trials reach.
NONE = (np.zeros(0), np.zeros(0))


def curves(rows: Frame, right: float, floor: float | None) -> dict[str, Levels]:
    """Return the steps of each algorithm's level curves on one problem, up to the right edge."""
    levels: dict[str, Levels] = {}
    for name, (x, share, value) in frames.steps(rows.assign(x=per_dimension(rows)), "x", ["share", "value"]).items():
        best = value if floor is None else np.maximum(value, floor)
        for level in np.unique(share):
            at = share == level
            end = max(right, float(x[at][-1]))
            levels.setdefault(name, {})[float(level)] = (np.append(x[at], end), np.append(best[at], best[at][-1]))
    return levels


def middle(shares: list[float]) -> float:
    """Return the share nearest to one half."""
    return min(shares, key=lambda share: (abs(share - 0.5), share))


def bottom(sheet: Sheet) -> float | None:
    """Return where a logarithmic axis of values ends; None for a linear one."""
    values = sheet.about.attainment
    return float(values.between[0]) if values.value_log else None


def per_dimension(data: Frame) -> np.ndarray:
    """Return evaluations in the unit of the horizontal axis."""
    values: np.ndarray = data["evaluations"].to_numpy(float) / data["dimension"].fillna(1).to_numpy(float)
    return values


def unit(data: Frame) -> str:
    """Return the unit of the horizontal axis."""
    return "evaluations" if data["dimension"].isna().any() else "evaluations/dimension"


def _bands(shares: list[float]) -> list[tuple[float, float]]:
    return [(a, b) for a in reversed(shares) for b in shares if a < 0.5 and abs(a + b - 1) < 1e-9]


def _band(axes: Axes, own: Levels, bands: list[tuple[float, float]], pen: Pen) -> None:
    for few, many in bands:
        (x, better), (late, worse) = (own.get(share, NONE) for share in (few, many))
        if not late.size:
            continue
        at = np.unique(np.concatenate([x, late]))
        at = at[at >= late[0]]
        low, high = (y[np.searchsorted(steps, at, side="right") - 1] for steps, y in ((x, better), (late, worse)))
        axes.fill_between(at, low, high, step="post", color=pen.colour, alpha=0.13, lw=0, zorder=2)


def best_first(data: Frame) -> pd.Series:
    """Return the mean over the problems of the log of the last median value of each algorithm, the more the better."""
    mine = data[data["share"] == middle(frames.only(data, "share"))]
    last = mine.groupby(["algorithm", *panels.PROBLEM], observed=True, dropna=False)["value"]
    ends = -np.log10(last.min().clip(lower=1e-300)) if falls(data) else last.max()
    return ends.groupby("algorithm", observed=True).mean().reindex(frames.names(data), fill_value=-np.inf)


def falls(data: Frame) -> bool:
    """Return True if values are minimised, by the first curve that moves."""
    curves = frames.numbered(data, [*panels.PROBLEM, "algorithm", "share"])[0]
    by = data.iloc[np.lexsort((data["evaluations"], curves))].groupby(np.sort(curves))["value"]
    rise = (by.last() - by.first()).to_numpy()
    moves = rise[rise != 0]
    return bool(moves[0] < 0) if moves.size else True


def span(data: Frame) -> tuple[float, float]:
    """Return the first evaluation, and a little beyond the last improvement."""
    x = per_dimension(data)
    return float(x.min()), max(1.1 * float(x.max()), 10 * float(x.min()))


def value_label(sheet: Sheet) -> str:
    """Return the label of the axis of values."""
    words = {"logged": "best value so far", "distance": "distance to the optimum", "relative": "relative distance to the optimum"}
    return f"{words[sheet.about.attainment.scale]}{' (log scale)' if bottom(sheet) is not None else ''}"
