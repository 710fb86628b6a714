"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from matplotlib.lines import Line2D

from benchmill.core.groups import problems_of
from benchmill.exhibits.figures import curves, options
from benchmill.exhibits.figures.sheet import Grid, Sheet
from benchmill.text import display, frames

#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40
#: More panels than this are small, and drawn so.
_SMALL, _SMALLER = 12, {"n_marks": 2, "markersize": 2.4, "linewidth": 0.9}

#: What a study can set.
Options = options.Aggregation
GRID = Grid(
    rest=0.4,
    row=lambda _, width: max(1.15, min(0.72 * width, 2.2)),
    wide=True,
    share="xy",
    legend=True,
    y=curves.SHARE,
    over="share, algorithm",
)


def select(sheet: Sheet) -> None:
    """Take a panel per suite, dimension or problem of one aggregation, whatever tells curves apart."""
    aggregations = list(sheet.tables["ecdf"]["aggregation"].unique())
    wanted = sheet.about.aggregation or (aggregations[0] if len(aggregations) == 1 else None)
    what = f"aggregation {wanted!r}" if wanted else f"one aggregation (the table has {display.listed(aggregations)})"
    rows = sheet.some(frames.rows_of(sheet.tables["ecdf"], {"aggregation": wanted}), what)
    if len(frames.keys_of(rows, sheet.kind.panel)) > _MOST_PANELS and frames.only(rows, "dimension"):
        rows = sheet.take_one(rows, "dimension")
    sheet.take(rows)
    ends = rows.groupby([*sheet.kind.panel, "algorithm"], observed=True, dropna=False)["fraction"].max()
    # sums of shares that are equal on paper differ in the last bits
    sheet.order_by(ends.groupby("algorithm", observed=True).sum().round(12))
    sheet.keywords = {"unit": "evaluations/dimension" if sheet.about.ecdf.per_dimension else "evaluations"}
    if "ecdf_curves" in sheet.tables:
        budgets = frames.rows_of(sheet.tables["ecdf_curves"], {"aggregation": wanted})
        sheet.keywords["ends"] = budgets = budgets[budgets["budget_median"].notna()]
        if len(budgets):
            sheet.other_entries = [Line2D([], [], color="black", label="median budget", **curves.CROSS)]
    limits = curves.ecdf_range(rows["x"], sheet.keywords.get("ends"))
    sheet.shared = {"limits": limits, **(_SMALLER if len(sheet.parts) > _SMALL else {})}
    # a row for each group of problems
    dimensions = len(frames.only(rows, "dimension"))
    sheet.grid = GRID._replace(
        x=f"{sheet.keywords['unit']} (log scale)",
        across=(dimensions, 2) if 1 < dimensions <= 6 and len(sheet.parts) > dimensions else None,
        ends=curves.ends(rows, "fraction"),
    )


plot = curves.ecdf_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    return sheet.told(
        settings=sheet.about.ecdf,
        aggregation=sheet.rows["aggregation"].iloc[0],
        lost=left_out_words(sheet, "ecdf/"),
        banded=sheet.rows["fraction_low"].notna().any(),
        left_out=sheet.single["dimension"][1] if sheet.single else (),
    )


def left_out_words(sheet: Sheet, tables: str) -> str:
    """Say how many problems are left out of the curves that are drawn; empty where none is."""
    asked, (_, elsewhere) = sheet.options, sheet.single.get("dimension", (None, []))
    origins = [origin for name, origin in sheet.tables.get("origins", {}).items() if name.startswith(tables)]
    panels = [panel for origin in origins for panel in origin.get("left_out", ())]
    places = {(panel["suite"], lost["problem"], lost["dimension"]) for panel in panels for lost in panel["problems"]}
    if sheet.about.ecdf.groups and sheet.rows["group"].notna().any():
        of_groups = problems_of(sheet.about.ecdf.groups, sorted({problem for _, problem, _ in places}))
        drawn = {problem for group in frames.only(sheet.rows, "group") for problem in of_groups.get(group, ())}
        places = {place for place in places if place[1] in drawn}
    lost = sum(size not in elsewhere and size in (asked.dimensions or [size]) for _, _, size in places)
    return f"Left out: {display.plural(lost, 'problem')} on which an algorithm has no trial." if lost else ""
