"""Bars of the normalised area under performance profiles, one panel per profile."""

from matplotlib.axes import Axes

from benchmill.exhibits.figures import axes_level, options
from benchmill.exhibits.figures.sheet import Frame, Grid, Pens, Sheet, rows_of_names
from benchmill.exhibits.figures.style import Drawn
from benchmill.registry.variants import RATIO
from benchmill.text import frames

_GROUP = ["measure", "variant", "dimension", "target"]
_AREA = "normalised area under the profile"

#: What a study can set.
Options = options.OfProfiles
#: As in Figures 3, 5 and 7 of Barbosa, Bernardino and Barreto (2010).
GRID = Grid(0.45, lambda sheet, _: rows_of_names(sheet, 0.35), across=(3, 1), share="x", x=_AREA)


def select(sheet: Sheet) -> None:
    """Take a panel per profile."""
    sheet.take(sheet.of_profiles(), _GROUP)
    sheet.order_by(sheet.rows.groupby("algorithm", observed=True)["auc_normalised"].mean())
    sheet.cut()
    sheet.keywords = {"intervals": sheet.tables.get("profile_intervals")}


@axes_level.drawing()
def plot(axes: Axes, data: Frame, pens: Pens, intervals: Frame | None = None) -> None:
    """Draw the bars of one profile into axes.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of `profile_measures`: `algorithm`, `auc_normalised`.
    """
    rows = data.sort_values(["auc_normalised", "algorithm"], ascending=[False, True]).set_index("algorithm")
    axes_level.bars(axes, {name: pens[name] for name in rows.index}, rows["auc_normalised"].to_numpy(float), _AREA)
    if intervals is not None:
        bounds = _intervals(intervals, frames.keys_of(data, _GROUP)[0])
        for place, name in enumerate(rows.index):
            if name in bounds.index:
                drawn: Drawn = {"color": "0.15", "lw": 0.9, "solid_capstyle": "butt", "zorder": 3}
                axes.plot(bounds.loc[name, ["low", "high"]], [place, place], **drawn)


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    bounds = sheet.keywords.get("intervals")
    some = [] if bounds is None else [_intervals(bounds, group) for group, _ in sheet.parts]
    return sheet.told(
        starts=dict.fromkeys("[1, τ_max]" if one.entry.tau == RATIO else "[0, τ_max]" for one in sheet.variants),
        measures=[one.told for one in sheet.measures if one.name in set(sheet.rows["measure"])],
        levels=[own["level"].iloc[0] for own in some if len(own)],
    )


def _intervals(intervals: Frame, group: frames.Row) -> Frame:
    return frames.rows_of(intervals, {**group, "quantity": "auc_normalised"}).set_index("algorithm")
