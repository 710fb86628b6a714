"""The effects of one algorithm against each other, with simultaneous intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from benchmill.core.options import option
from benchmill.figures import axes_level, captions, frames, options, style
from benchmill.figures.sheet import Grid, Sheet
from benchmill.registry.inference import EQUIVALENCE, MARGINS
from benchmill.text import display, measures
from benchmill.text import leaders as leading
from benchmill.text.appearance import Pen


@dataclass(frozen=True, kw_only=True)
class Options(options.OfMeasures):
    """Settings of the figure."""

    margin: bool = option(
        """Show how far each is from being as good, with the margin of the study (`primary.margin`) shaded, and not who is
        better.""",
        False,
    )


def select(sheet: Sheet) -> None:
    """Take one analysis of a measure: the statements about the control, the best or the leader."""
    sheet.take(_statements(sheet), frames.POINT)
    leader = _leader(sheet)
    every = [_against(rows, leader=leader) for _, rows in sheet.parts]
    sheet.shared = {"against": every[0][0]} if len({name for name, _ in every}) == 1 else {}
    # where panels differ in it, all statements of one are about it
    sheet.parts = [
        (point, rows[(rows["algorithm_a"] == name) | (rows["algorithm_b"] == name)])
        for (point, rows), (name, _) in zip(sheet.parts, every, strict=True)
    ]
    sheet.order(dict.fromkeys([*(name for name, _ in every), *(other for _, rows in every for other in rows["algorithm"])]))


GRID = Grid(0.35, lambda sheet, _: 0.155 * (len(sheet.pens) - 1) + 0.55, across=(3, 2), share="x", bare=False)


def _of_equivalence(data: pd.DataFrame) -> bool:
    return "analysis" in data and len(data) > 0 and bool((data["analysis"] == EQUIVALENCE).all())


def _label(what: str, name: str) -> str:
    return style.text(what) + ("\n" if len(name) > 12 else " ") + style.text(f"of {name}")


def _of_ratios(axes: Axes, values: np.ndarray) -> None:
    low, high = np.nanmin(values), np.nanmax(values)
    room = (high / low) ** 0.05
    axes.set_xscale("log")
    axes.set_xlim(low / room, high * room)
    if high / low < 10:
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


@axes_level.drawing(of_pairs=True, rows=lambda data: data[data["algorithm_a"].notna()])
def plot(axes: Axes, data: pd.DataFrame, pens: dict[str, Pen], against: str | None = None) -> None:
    """Draw the statements of one analysis, target and budget that are about one algorithm.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `verdicts` of one point: `algorithm_a`, `algorithm_b`, `effect`, `effect_low`, `effect_high`, `significant`; of
        equivalence `margin` and `criterion`, too.
    against : str, optional
        Who is compared; by default the one that all statements are about, else the leader by the net share of wins.
    """
    name, rows = _against(data, against)
    rows = axes_level.named(rows).sort_values(["effect", "algorithm"], ascending=[False, True])
    level, of_costs = 0.0, False
    if _of_equivalence(rows):
        of_costs = rows["criterion"].iloc[0] == MARGINS["cost_ratio"]
        margin = float(rows["margin"].iloc[0]) / 100
        shaded = (1 / (1 + margin), 1 + margin) if of_costs else (-margin, margin)
        axes.axvspan(*shaded, color="0.9", lw=0, zorder=-1)
        if of_costs:
            level, columns = 1.0, ["effect", "effect_low", "effect_high"]
            rows = rows.assign(**{name: np.exp(rows[name].to_numpy(float)) for name in columns})
    axes.axvline(level, color="0.6", lw=0.8, zorder=0)
    for place, row in enumerate(rows.to_dict("records")):
        mark: dict[str, Any] = {} if row["significant"] else {"markerfacecolor": "none"}
        ends = (row["effect_low"], row["effect"], row["effect_high"])
        axes_level.interval(axes, pens[row["algorithm"]], place, *ends, gid=axes_level.gid(axes, "effect", place), **mark)
    style.name_rows(axes, [pens[other] for other in rows["algorithm"]])
    shown = display.short_names([name], 24)[name]
    if of_costs:
        _of_ratios(axes, np.concatenate([rows[["effect", "effect_low", "effect_high"]].to_numpy(float).ravel(), shaded]))
        axes.set_xlabel(_label("costs over those", shown))
    else:
        axes.set_xlim(-1.05, 1.05)
        axes.set_xlabel(_label("net share of wins", shown))
    if name in pens and pens[name].stands == "front":
        axes.xaxis.label.set_fontweight("bold")


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    data, first, leader = sheet.rows, sheet.rows.iloc[0], _leader(sheet)
    names = list(dict.fromkeys(_against(rows, leader=leader)[0] for _, rows in sheet.parts))
    clusters = captions.counted(sorted(set(data["n_clusters"])), "cluster")
    if _of_equivalence(data):
        return _of_margin(sheet, first, names[0], clusters)
    return [
        f"{display.listed(list(display.short_names(names).values()))} against each other algorithm, measure "
        f"{measures.told(sheet.measure)}, {first['analysis']} analysis over {clusters} of problems: net share of wins, better to "
        f"the right of 0. The intervals hold jointly for {display.plural(first['family_size'], 'statement')} ({first['family']}, "
        f"α = {display.target(first['alpha'])}); filled: significant."
    ]


def _of_margin(sheet: Sheet, first: pd.Series, name: str, clusters: str) -> list[str]:
    all_rows = frames.rows_of(sheet.tables["verdicts"], {"measure": first["measure"], "analysis": EQUIVALENCE})
    own = all_rows[(all_rows["algorithm_a"] == name) | (all_rows["algorithm_b"] == name)]
    lost = int(own["effect"].isna().sum())
    what = "costs over its own, geometric mean" if first["criterion"] == MARGINS["cost_ratio"] else "its net share of wins"
    why = "one of the two fails where the other does not or both fail everywhere"
    shown = display.short_names([name])[name]
    return [
        f"Whether {shown} and each other algorithm are as good as each other within {display.target(first['margin'])} % of the "
        f"{first['criterion']} (shaded), measure {measures.told(sheet.measure)}, over {clusters} of problems: {what}, with "
        f"intervals of level {display.target(1 - 2 * first['alpha'])}, each of its pair alone. A filled mark: shown by two "
        f"one-sided tests, by Holm for {display.plural(first['family_size'], 'statement')}. To the right of the line {shown} is "
        "better.",
        f"Not drawn, since {why}: {display.plural(lost, 'pair')}." if lost else "",
    ]


def _statements(sheet: Sheet) -> pd.DataFrame:
    """Return statements about pairs: of the primary analysis, or of equivalence."""
    wanted = bool(sheet.settings.get("margin"))
    data = frames.rows_of(sheet.tables["verdicts"], {"measure": sheet.measure["name"]})
    if len(data):
        asked = (data["analysis"] == EQUIVALENCE) == wanted
        data = data[asked & data["algorithm_a"].notna() & data["effect"].notna()]
    more = " within the margin of the study (`primary.margin`)" if wanted else ""
    return _first_said(sheet.some(data, f"measure {sheet.measure['name']!r}{more}"))


def _leader(sheet: Sheet) -> str | None:
    table = sheet.tables.get("leaders")
    if table is None:
        return None
    rows = frames.rows_of(table, {"measure": sheet.measure["name"]})
    return next(iter(leading.first(rows.to_dict("records"))), None)


def _first_said(data: pd.DataFrame) -> pd.DataFrame:
    """Prefer the primary analysis: a target that it names alone has a secondary one too."""
    primary = data[data["analysis"] == "primary"] if "analysis" in data else data
    return primary if len(primary) else data


def _against(data: pd.DataFrame, name: str | None = None, leader: str | None = None) -> tuple[str, pd.DataFrame]:
    """Return an algorithm and its statements about each other one, positive where it is better."""
    data = _first_said(data[data["algorithm_a"].notna() & data["effect"].notna()])
    data = data.astype({"algorithm_a": str, "algorithm_b": str})
    if name is None and len(data):
        totals = pd.concat([data.groupby("algorithm_a")["effect"].sum(), -data.groupby("algorithm_b")["effect"].sum()], axis=1)
        total = totals.sum(axis=1)
        named = pd.concat([data["algorithm_a"], data["algorithm_b"]]).value_counts()
        common = named.index[named == len(data)]
        name = str(common[0] if len(common) == 1 else leader if leader in named.index else total.idxmax())
    first = data["algorithm_a"] == name
    mine = data[first | (data["algorithm_b"] == name)]
    sign = np.where(mine["algorithm_a"] == name, 1.0, -1.0)
    ends = np.sort(mine[["effect_low", "effect_high"]].to_numpy() * sign[:, None], axis=1)
    other = np.where(sign > 0, mine["algorithm_b"], mine["algorithm_a"])
    mine = mine.assign(algorithm=other, effect=sign * mine["effect"], effect_low=ends[:, 0], effect_high=ends[:, 1])
    return str(name), mine
