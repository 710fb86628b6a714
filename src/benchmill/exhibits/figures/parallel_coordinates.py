"""Parallel coordinates: several qualities of each algorithm on axes side by side, larger is better on all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmill.core.options import option
from benchmill.exhibits.figures import axes_level, options, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, lay_out
from benchmill.text import display, frames

#: What is read off the profile of the main measure, beside the area.
_OF_MAIN = (
    ("rho_tau_max", r"$\rho(\tau_{\mathrm{max}})$"),
    ("tau_min_over_tau_star", r"$\tau_{\mathrm{min}}/\tau^*$"),
    ("rho_1", r"$\rho(1)$"),
)


@dataclass(frozen=True, kw_only=True)
class Options(options.OfProfiles):
    """Settings of the figure."""

    main: str | None = option("The measure whose profile gives the last three axes; by default the first.", None)


def select(sheet: Sheet) -> None:
    """Take a panel per variant, dimension and target."""
    sheet.take(sheet.of_profiles(), ["variant", "dimension", "target"])
    names = [measure.name for measure in sheet.measures]
    sheet.keywords = {"measures": names, "main": sheet.own(Options).main or names[0]}
    sheet.order(dict.fromkeys(name for _, rows in sheet.parts for name in _values(rows, _axes(**sheet.keywords))))


def draw(sheet: Sheet) -> Figure:
    """Draw one line per algorithm over several qualities (Barbosa, Bernardino, Barreto 2010, Figure 9)."""
    axes_of = _axes(**sheet.keywords)
    ends = {name: values[-1] for name, values in _values(sheet.parts[0][1], axes_of).items()}
    longest = max(len(line) for label, _, _ in axes_of for line in label.split("\n") if "$" not in line)
    points = 0.5 * longest * style.TYPE
    upright = 1.1 * points > style.width_of(sheet.look) * 72 * 0.6 / (len(axes_of) - 1)
    grid = Grid(0.1, lambda *_: 2.4 + points / 72 * upright, across=(1, 1), wide=True, legend=True, bare=False, ends=ends)
    figure = lay_out(sheet, plot, grid)
    for tick in (one for axes in figure.axes for one in axes.get_xticklabels()):
        tick.set(rotation=90 * upright, linespacing=1.0)
    return figure


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, measures: Sequence[str] = (), main: str | None = None) -> None:
    """Draw one line per algorithm over the axes.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures` of one variant, dimension and target, and of one measure or several.
    measures : sequence of str, optional
        The measures whose areas are shown; by default all, in the order of the rows.
    main : str, optional
        The measure whose profile gives the last three axes; by default the first.
    """
    shown = measures or list(data["measure"].unique())
    axes_of = _axes(shown, main or shown[0])
    x = np.arange(len(axes_of))
    for i, (algorithm, y) in enumerate(reversed(_values(data, axes_of).items())):
        pen = pens[algorithm]
        axes_level.step(axes, x, y, pen, i, drawstyle="default")
        axes.plot(x, y, linestyle="none", **axes_level.marker(pen, 4.2), clip_on=False)
    axes.set(xlim=(0, len(axes_of) - 1), ylim=(-0.02, 1.02), xticks=x, xticklabels=[label for label, _, _ in axes_of])
    axes.grid(axis="x", color="0.45", lw=0.7)
    axes.grid(axis="y", visible=False)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    called = {measure.name: measure.called for measure in sheet.measures}
    lost = [name for name in frames.names(sheet.rows) if name not in sheet.pens]
    return sheet.told(main=called[sheet.keywords["main"]], lost=lost)


def _axes(measures: Sequence[str], main: str) -> list[tuple[str, str, str]]:
    """Return label, measure and column of every axis."""
    several = len(measures) > 1
    areas = [(f"AUC\n{style.text(_short(name))}" if several else "AUC", name, "auc_normalised") for name in measures]
    if not several:
        areas.append(("AUC over ln τ", main, "auc_log_normalised"))
    of_main = f"\n{style.text(_short(main))}" if several else ""
    return areas + [(label + of_main, main, column) for column, label in _OF_MAIN]


def _short(name: str) -> str:
    return display.short(display.words(name), 20)


def _values(rows: Frame, axes_of: Sequence[tuple[str, str, str]]) -> dict[str, list[float]]:
    """Return the values of every algorithm that has all of them, the largest mean first."""
    wide = rows.pivot(index="algorithm", columns="measure")
    whole = pd.concat([wide[column][measure] for _, measure, column in axes_of], axis=1).dropna()
    values = {str(algorithm): [float(v) for v in row] for algorithm, *row in whole.itertuples()}
    return dict(sorted(values.items(), key=lambda item: -sum(item[1])))
