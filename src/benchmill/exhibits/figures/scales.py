"""The axis of a ratio: which kind it is, where it ends, and its ticks."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, LogLocator, MaxNLocator, NullFormatter, NullLocator

from benchmill.text import display

#: What the label of the axis says of it.
SCALE_WORDS = {"linear": "", "log2": " (log scale)", "log10": " (log scale)", "broken": " (linear to 10, then log scale)"}

#: Where the broken axis changes from linear to logarithmic.
BREAK = 10.0

#: Logarithms of the smallest and the largest place on an axis, short of what numbers there are: Matplotlib computes with them.
LOGS = (math.log(1e-307), math.log(1e307))

#: No linear axis reaches further.
_LONGEST_LINEAR = 1e300


def ends_of(tau: pd.Series) -> tuple[float, float]:
    """Return the ends of the curves: 1, or the smallest tau of data profiles, and the largest finite ratio."""
    finite = tau[np.isfinite(tau)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (1.0, 1.0)


def shortened(rows: pd.DataFrame, share: float, smooth: Mapping[str, bool]) -> pd.DataFrame:
    """Cut the curves of a panel at a share of its τ_max, by whether each variant is `smooth`; none becomes empty."""
    start, end = ends_of(rows["tau"])
    end = share * end
    if share == 1 or end <= start:
        return rows
    pieces = []
    for (variant, _), curve in rows.groupby(["variant", "algorithm"], observed=True, sort=False):
        shown = curve[curve["tau"] <= end]
        last = shown.tail(1).assign(tau=end)
        if smooth[str(variant)]:
            last["rho"] = np.interp(end, curve["tau"], curve["rho"])
        pieces += [shown, last]
    return pd.concat(pieces, ignore_index=True)


def axis_of(data: Sequence[pd.Series], wanted: str | None) -> str:
    """Return the kind of the axis of tau for all panels: `linear`, `log2`, `log10` or `broken`.

    `data` has the ratios of each panel; `wanted` is `auto`, `linear`, `log` or `broken`. Curves from 0 have a linear axis.
    """
    starts, ends = zip(*map(ends_of, data), strict=True)
    if min(starts) <= 0:
        return "linear"
    reach = max(end / start for start, end in zip(starts, ends, strict=True))
    if (wanted == "linear" and max(ends) < _LONGEST_LINEAR) or (wanted != "log" and reach <= 10):
        return "linear"
    if wanted == "broken" and {*starts} == {1.0}:
        return "broken"
    return "log2" if reach <= 1000 else "log10"


class Scale:
    """The axis of tau in one panel."""

    def __init__(self, kind: str, end: float) -> None:
        self.kind = kind if kind != "broken" or end > BREAK else "linear"
        self.log_end = math.log(max(end, 2 * BREAK) / BREAK)

    def forward(self, tau: Any) -> Any:
        """Map ratios to places."""
        tau = np.asarray(tau, dtype=float)
        if self.kind == "linear":
            return tau
        if self.kind.startswith("log"):
            return np.log(tau)
        return np.where(tau <= BREAK, (tau - 1) / (BREAK - 1), 1 + np.log(np.maximum(tau, BREAK) / BREAK) / self.log_end)

    def inverse(self, place: Any) -> Any:
        """Map places to ratios."""
        place = np.asarray(place, dtype=float)
        if self.kind == "linear":
            return place
        if self.kind.startswith("log"):
            return np.exp(np.clip(place, *LOGS))
        beyond = BREAK * np.exp(np.clip((place - 1) * self.log_end, 0, LOGS[1] - math.log(BREAK)))
        return np.where(place <= 1, 1 + place * (BREAK - 1), beyond)

    def apply(self, axes: Axes) -> None:
        """Give the horizontal axis this scale."""
        if self.kind == "broken":
            axes.set_xscale("function", functions=(self.forward, self.inverse))
        elif self.kind != "linear":
            axes.set_xscale("log", base=int(self.kind[3:]))


def set_ticks(axes: Axes, start: float, end: float, kind: str) -> None:
    """Set the ticks of an axis of a kind."""
    if kind == "linear":
        inner = axes.xaxis.get_major_locator().tick_values(start, end)
        axes.xaxis.set_major_locator(FixedLocator([start, *[t for t in inner if start + 0.1 * (end - start) < t <= end]]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.4g}"))
        return
    if kind == "broken":
        powers = range(2, math.floor(math.log10(end) + 1e-9) + 1)
        ticks = [1, 4, 7, 10, *[10.0**k for k in powers[:: max(1, math.ceil(len(powers) / 3))]]]
        between = [2, 3, 5, 6, 8, 9, *[m * 10.0**k for k in (1, *powers) for m in range(2, 10)]]
        _set(axes.xaxis, ticks, lambda v: _tick(v, powers=v > BREAK and end >= 1e4), FixedLocator(between))
        return
    base = int(kind[3:])
    first, last = math.ceil(math.log(start, base) - 1e-9), math.floor(math.log(end, base) + 1e-9)
    spanned = math.log(end, base) - math.log(start, base)
    stride = max(1, math.ceil(spanned / 6 - 1e-9))
    if last == first:
        # a panel that ends early beside others with a long axis
        apart = start * (end / start) ** 0.15
        inner = [tick for tick in MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(start, end) if apart <= tick <= end]
        _set(axes.xaxis, [start, *inner], display.target)
        return
    far = base == 10 and (end >= 1e4 or start < 1e-3)
    ticks = [float(base) ** k for k in range(first, last + 1, stride)]
    _set(axes.xaxis, ticks, lambda v: _tick(v, powers=far), minor_ticks(axes.xaxis) if base == 10 and spanned < 7 else None)


def log_axis(axes: Axes, which: str, low: float, high: float, most: int = 5) -> None:
    """Make an axis logarithmic."""
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    # minor ticks would take most of the time of a page of panels
    decades(axes.xaxis if which == "x" else axes.yaxis, low, high, most, minor=False)


def decades(axis: Axis, low: float, high: float, most: int, *, minor: bool = True, plain: bool = False) -> None:
    """Set about this many ticks at powers of ten, or at plain numbers if the axis has no two powers."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    ticks = [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / most)))]
    if last <= first:
        ticks = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        ticks = ticks or [math.sqrt(low * high)]
    elif not minor and len(ticks) > 2 and math.log(high / ticks[-1]) < 0.12 * math.log(high / low):
        # it would touch the first one of the panel beside it
        ticks.pop()
    usual = plain and first >= -3 and last <= 5
    form = "{:g}".format if usual else power if last > first else lambda v: display.target(float(f"{v:.3g}"))
    # of more decades they would be a black bar
    _set(axis, ticks, form, minor_ticks(axis) if minor and last - first <= 12 else None)


def _set(axis: Axis, ticks: Sequence[float], form: Callable[[float], str], minor: Locator | None = None) -> None:
    axis.set(major_locator=FixedLocator(ticks), major_formatter=FuncFormatter(lambda value, _: form(value)))
    axis.set(minor_locator=minor or NullLocator(), minor_formatter=NullFormatter())
    # places of labels that say nothing take as long to find as those of others
    axis.set_tick_params(which="minor", labelbottom=False, labelleft=False)


def minor_ticks(axis: Axis) -> FixedLocator:
    """Return ticks between powers of ten, as far as an axis reaches: those beyond would take as long as those that are drawn."""
    low, high = axis.get_view_interval()
    places = LogLocator(base=10, subs=tuple(range(2, 10)), numticks=100).tick_values(low, high)
    # an end that is a tick may differ from it in the last bits
    return FixedLocator([place for place in places if low * (1 - 1e-9) <= place <= high * (1 + 1e-9)])


def power(value: float) -> str:
    """Return a power of ten for an axis."""
    return f"$10^{{{round(math.log10(value))}}}$"


def _tick(value: float, powers: bool) -> str:
    return power(value) if powers else display.target(value)
