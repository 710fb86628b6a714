"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmill.figures import captions, curves, options, panels
from benchmill.figures.pens import band_words
from benchmill.figures.sheet import Page, Sheet, curves_page
from benchmill.text import display, frames
from benchmill.text.frames import at

#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40
#: More panels than this are small.
_SMALL = 12
#: What curves are averaged over.
_OVER = {
    "trial": "trials",
    "target": "targets",
    "problem_per_target": "problems",
    "problem": "problems and targets",
    "group": "problems of a group and targets",
    "dimension": "dimensions, problems and targets",
}
#: What a study can set.
Options = options.joined(options.Aggregation, options.Asked)


def select(sheet: Sheet) -> None:
    """Take a panel per suite, dimension or problem of one aggregation, whatever tells curves apart."""
    rows = _rows(sheet)
    of_all = frames.keys_of(rows, sheet.kind.panel)
    if len(of_all) > _MOST_PANELS and frames.only(rows, "dimension"):
        rows = frames.rows_of(rows, {"dimension": frames.only(rows, "dimension")[-1]})
    sheet.take(rows)
    sheet.order(order_of(sheet))
    sheet.of = {"unit": _unit(sheet)}
    if "ecdf_curves" in sheet.tables:
        ends = frames.rows_of(sheet.tables["ecdf_curves"], {"aggregation": _aggregation(sheet)})
        sheet.of["ends"] = ends = ends[ends["budget_median"].notna()]
        if len(ends):
            sheet.more = [Line2D([], [], color="black", label="median budget", **curves.CROSS)]


def draw(sheet: Sheet) -> Figure:
    """Draw the ECDF of one aggregation."""
    limits = curves.ecdf_range(sheet.rows["x"], sheet.of.get("ends"))
    several_suites = len({group["suite"] for group, _ in sheet.parts}) != 1 or len(sheet.parts) == 1
    small = len(sheet.parts) > _SMALL
    size: dict[str, Any] = {"n_marks": 2, "markersize": 2.4, "linewidth": 0.9} if small else {}

    def panel(axes: Axes, _: Mapping[str, Any], rows: pd.DataFrame) -> None:
        plot(rows, palette=sheet.pens, limits=limits, ax=axes, **sheet.of, **size)

    return curves_page(
        sheet,
        sheet.parts,
        [title_of(group, several_suites, sheet) for group, _ in sheet.parts],
        curves.ends(sheet.rows, "x", "fraction"),
        panel,
        Page(
            x=f"{_unit(sheet)} (log scale)",
            y=curves.SHARE,
            over="share, algorithm",
            rest=0.4,
            tall=1.15,
            once=len(sheet.parts) > 1,
            # one for all: each would tell all others
            begin=lambda axes: curves.ecdf_scale(axes, *limits),
        ),
        sharex=True,
    )


plot = curves.ecdf_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, settings = sheet.rows, _settings(sheet)
    targets = (sheet.settings.get("measure") or {}).get("targets") or []
    again, bands = settings.get("restarts", 0), settings.get("bands")
    of = ""
    if len(targets) > 1:
        chosen = settings.get("target_set")
        some = f", of which the target set {chosen} takes some on each problem" if chosen else ""
        ends = f"{display.target(max(targets))} to {display.target(min(targets))}"
        of = f" ({display.count(len(targets))} targets from {ends}{some})"
    elif targets:
        of = f" (target {display.target(targets[0])})"
    left_out = sorted(set(frames.only(_rows(sheet), "dimension")) - set(data["dimension"]))
    level = f" ({display.target(100 * bands['level'])} %)" if bands else ""
    beyond = "simulated restarts go on" if again else "at most half of its trials go on"
    return [
        f"Empirical cumulative distribution (ECDF) of the running time of "
        f"{display.plural(data['algorithm'].nunique(), 'algorithm')}, over {_OVER[_aggregation(sheet)]}{of}"
        f"{f', in {len(sheet.parts)} panels' if len(sheet.parts) > 1 else ''}: the share of (problem, target) pairs reached "
        f"within so many {_unit(sheet)}.",
        f"Restarts are simulated ({display.plural(again, 'run')} for each failure)." if again else "",
        f"Cross: median budget of an algorithm; beyond it (lighter) {beyond}." if sheet.more else "",
        left_out_words(sheet, "ecdf/"),
        band_words(sheet.pens, f"pointwise intervals{level} for these problems, from the trials of each.")
        if data["fraction_low"].notna().any()
        else "",
        captions.trial_words(sheet.tables),
        f"Dimensions not drawn: {display.listed([str(d) for d in left_out])}." if left_out else "",
    ]


def left_out_words(sheet: Sheet, tables: str) -> str:
    """Say how many problems are left out of curves; empty where none is."""
    lost = sum(of.get("n_left_out", 0) for name, of in sheet.tables.get("origins", {}).items() if name.startswith(tables))
    return f"Left out: {display.plural(lost, 'problem')} on which an algorithm has no trial." if lost else ""


def title_of(group: Mapping[str, Any], with_suite: bool, sheet: Sheet) -> str:
    """Return the name of a panel, with its suite if asked for."""
    name, suite = at(group, sheet.settings, heading=True), at({"suite": group["suite"]}, sheet.settings, heading=True)
    return f"{suite}: {name}" if with_suite and suite and group["suite"] != name else name


def order_of(sheet: Sheet) -> list[str]:
    """Order algorithms by the ends of their curves in all panels."""
    ends = sheet.rows.groupby([*sheet.kind.panel, "algorithm"], observed=True, dropna=False)["fraction"].max()
    # sums of shares that are equal on paper differ in the last bits
    return panels.order_of(ends.groupby("algorithm", observed=True).sum().round(12).to_dict())


def _rows(sheet: Sheet) -> pd.DataFrame:
    wanted = _aggregation(sheet)
    return sheet.some(frames.rows_of(sheet.tables["ecdf"], {"aggregation": wanted}), f"aggregation {wanted!r}")


def _aggregation(sheet: Sheet) -> str:
    found = list(sheet.tables["ecdf"]["aggregation"].unique())
    wanted = sheet.settings.get("aggregation") or (found[0] if len(found) == 1 else None)
    if wanted is None:
        sheet.some(pd.DataFrame(), f"one aggregation (the table has {display.listed(found)})")
    return str(wanted)


def _settings(sheet: Sheet) -> Mapping[str, Any]:
    return (sheet.settings.get("indicators") or {}).get("ecdf") or {}


def _unit(sheet: Sheet) -> str:
    return "evaluations" if _settings(sheet).get("x") == "evaluations" else "evaluations/dimension"
