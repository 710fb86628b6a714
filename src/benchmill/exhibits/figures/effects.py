"""The effects of one algorithm against each other, with simultaneous intervals."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmill.exhibits.figures import axes_level, options, style
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet
from benchmill.registry.inference import EQUIVALENCE
from benchmill.text import display, frames
from benchmill.text import leaders as leading

#: What a study can set.
Options = options.OfMeasures


def select(sheet: Sheet) -> None:
    """Take one analysis of a measure: the statements about the control, the best or the leader."""
    sheet.take(sheet.some(_better(sheet.table()), f"measure {sheet.measure.name!r}"), frames.POINT)
    first = next(iter(leading.first(frames.records(sheet.found("leaders")))), None)
    every = [_against(rows, leader=first) for _, rows in sheet.parts]
    names = list(dict.fromkeys(name for name, _ in every))
    sheet.shared = {"against": names[0]} if len(names) == 1 else {}
    # where panels differ in it, all statements of one are about it
    sheet.parts = [
        (point, rows.loc[mine.index].assign(algorithm=mine["algorithm"]))
        for (point, rows), (_, mine) in zip(sheet.parts, every, strict=True)
    ]
    ahead = pd.concat([mine.set_index("algorithm")["effect"] for _, mine in every]).groupby(level=0).mean()
    sheet.order_by((-ahead).combine_first(pd.Series(0.0, names)))
    sheet.cut(names)
    sheet.sample_words = display.listed([sheet.pens[name].label for name in names])


def _better(data: Frame) -> Frame:
    """Return the statements about who of a pair is better; of a target that the primary analysis names alone not those twice."""
    data = data[data["algorithm_a"].notna() & data["effect"].notna()].astype({"algorithm_a": str, "algorithm_b": str})
    if "analysis" not in data:
        return data
    primary = data[data["analysis"] == "primary"]
    return primary if len(primary) else data[data["analysis"] != EQUIVALENCE]


GRID = Grid(0.35, lambda sheet, _: 0.155 * (len(sheet.pens) - 1) + 0.55, across=(3, 2), share="x", bare=False)


@axes_level.drawing(of_pairs=True, rows=_better)
def plot(axes: Axes, data: Frame, pens: Pens, against: str | None = None) -> None:
    """Draw the statements of one analysis, target and budget that are about one algorithm.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `verdicts` of one point: `algorithm_a`, `algorithm_b`, `effect`, `effect_low`, `effect_high`, `significant`.
    against : str, optional
        Who is compared; by default the one that all statements are about, else the leader by the net share of wins.
    """
    name, rows = _against(data, against)
    rows = axes_level.named(rows).sort_values(["effect", "algorithm"], ascending=[False, True])
    axes.axvline(0, color="0.6", lw=0.8, zorder=0)
    for place, row in enumerate(rows.to_dict("records")):
        mark: style.Drawn = {} if row["significant"] else {"markerfacecolor": "none"}
        ends = (row["effect_low"], row["effect"], row["effect_high"])
        axes_level.interval(axes, pens[row["algorithm"]], place, *ends, gid=axes_level.gid(axes, "effect", place), **mark)
    style.name_rows(axes, [pens[other] for other in rows["algorithm"]])
    shown = display.short(pens[name].label, 24)
    axes.set(xlim=(-1.05, 1.05), xlabel="net share of wins" + ("\n" if len(shown) > 12 else " ") + style.text(f"of {shown}"))
    axes.xaxis.label.set_fontweight(style.weight(pens[name]))


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    return sheet.told(first=sheet.rows.iloc[0])


def _against(data: Frame, name: str | None = None, leader: str | None = None) -> tuple[str, pd.DataFrame]:
    """Return an algorithm and its statements about each other one, positive where it is better."""
    if name is None and len(data):
        total = data.groupby("algorithm_a")["effect"].sum().sub(data.groupby("algorithm_b")["effect"].sum(), fill_value=0.0)
        named = pd.concat([data["algorithm_a"], data["algorithm_b"]]).value_counts()
        common = named.index[named == len(data)]
        name = str(common[0] if len(common) == 1 else leader if leader in named.index else total.idxmax())
    mine = data[(data["algorithm_a"] == name) | (data["algorithm_b"] == name)]
    sign = np.where(mine["algorithm_a"] == name, 1.0, -1.0)
    ends = np.sort(mine[["effect_low", "effect_high"]].to_numpy() * sign[:, None], axis=1)
    mine = mine.assign(
        algorithm=np.where(sign > 0, mine["algorithm_b"], mine["algorithm_a"]),
        effect=sign * mine["effect"],
        effect_low=ends[:, 0],
        effect_high=ends[:, 1],
    )
    return str(name), mine
