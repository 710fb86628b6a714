"""Performance profiles: the share of problems an algorithm solves within a factor of the best, over that factor."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill.core.options import option
from benchmill.exhibits.figures import curves, options, scales, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Sheet, lay_out
from benchmill.registry.variants import RESAMPLES
from benchmill.text import display, frames, limits

#: Width of the lines of the variant that lies under the other, in points.
_UNDER = 0.55


@dataclass(frozen=True, kw_only=True)
class Options(options.Axis, options.OfProfiles):
    """Settings of the figure."""

    layout: Literal["beside", "overlaid"] = option(
        "Whether panels stand side by side, or variants lie over each other.", "beside"
    )


def select(sheet: Sheet) -> None:
    """Take a panel per measure, dimension and target, and per variant if these do not lie over each other."""
    variant = [] if _overlaid(sheet) else ["variant"]
    sheet.take(sheet.of_profiles("profiles"), ["measure", *variant, "dimension", "target"])
    sheet.order(curves.order(rows for _, rows in frames.groups(sheet.rows, ["measure", "variant", "dimension", "target"])))
    first = sheet.variants[0]
    sheet.keywords = {"smooth": first.is_smooth, "unit": first.entry.tau}
    if not variant:
        widths = [*[_UNDER] * (len(sheet.variants) - 1), 1.15]
        sheet.other_entries = [
            Line2D([], [], color="0.3", lw=lw, label=style.text(one.called))
            for lw, one in zip(widths, sheet.variants, strict=True)
        ]


def draw(sheet: Sheet) -> Figure:
    """Draw steps up to tau_max, and a marker at rho(tau_max) beyond (Barreto, Bernardino, Barbosa 2010, Figures 1 to 5).

    The axis is logarithmic where tau_max > 10, to base 2 up to 1000, if `axis` does not say otherwise.
    """
    smooth = {one.name: one.is_smooth for one in sheet.variants}
    sheet.parts = [(group, scales.shortened(rows, sheet.own(Options).axis_end, smooth)) for group, rows in sheet.parts]
    data = pd.concat([rows for _, rows in sheet.parts])
    scale = scales.axis_of([rows["tau"] for _, rows in sheet.parts], sheet.own(Options).axis)

    def panel(rows: Frame, *, palette: Any, ax: Axes, **drawn_by: Any) -> None:
        *under, (name, last) = rows.groupby("variant", observed=True)
        # the limits of the last one hold for what lies under it
        plot(last, palette=palette, scale=scale, ax=ax, **drawn_by | {"smooth": smooth[str(name)]})
        for name, own in under:
            plot(own, palette=palette, scale=scale, ax=ax, **drawn_by | {"smooth": smooth[str(name)], "under": _UNDER})

    one = len(sheet.variants) == len(sheet.measures) == 1
    grid = Grid(
        rest=0.35,
        row=lambda _, width: max(1.6, min(0.68 * width, 2.1)),
        wide=one or None,
        share="y",
        legend=True,
        x=sheet.variants[-1].entry.tau + scales.SCALE_WORDS[scale],
        y="share solved ρ(τ)",
        over=f"ρ({display.number(scales.ends_of(data['tau'])[1])}), algorithm",
        ends=curves.ends(data[np.isfinite(data["tau"])], "rho") if one and not _overlaid(sheet) else None,
    )
    return lay_out(sheet, panel, grid)


plot = curves.profile_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    shown, measured = sheet.variants, sheet.of_profiles()
    columns = ["n_problems", "n_unsolved", "tau_max"]
    facts = measured.groupby(["measure", "variant", "dimension", "target"], observed=True, dropna=False)[columns].max()
    problems, unsolved, ends = (frames.only(facts, column) for column in columns)
    return sheet.told(
        limits=limits.of_profiles,
        measured=measured,
        measures=sheet.measures
        if len(sheet.measures) == 1
        else [m for m in sheet.measures if m.name in set(measured["measure"])],
        panels=len(facts),
        problems=problems,
        unsolved=unsolved,
        ends=ends,
        overlaid=_overlaid(sheet),
        definitions=dict.fromkeys(one.definition(f"{sheet.cell.split()[-1]}s") for one in shown),
        share=sheet.own(Options).axis_end,
        bands=sheet.rows["rho_low"].notna().any(),
        resamples=RESAMPLES,
    )


def _overlaid(sheet: Sheet) -> bool:
    return sheet.own(Options).layout == "overlaid"
