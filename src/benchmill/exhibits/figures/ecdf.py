"""Empirical cumulative distributions of running time: the share of (problem, target) pairs solved within a budget."""

from matplotlib.lines import Line2D

from benchmill.core.groups import problems_of
from benchmill.exhibits.figures import captions, curves, options
from benchmill.exhibits.figures.panels import band_words
from benchmill.exhibits.figures.sheet import Grid, Sheet
from benchmill.text import display, frames

#: More panels than this do not fit a page: then only one dimension is drawn, and the caption says so.
_MOST_PANELS = 40
#: More panels than this are small, and drawn so.
_SMALL, _SMALLER = 12, {"n_marks": 2, "markersize": 2.4, "linewidth": 0.9}
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
    sheet.order_by(ends.groupby("algorithm", observed=True).sum().round(12).to_dict())
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
    data, settings = sheet.rows, sheet.about.ecdf
    targets, again = sheet.measure.targets, settings.restarts
    targets_words = ""
    if len(targets) > 1:
        targets_words = (
            f" ({display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))})"
        )
    elif targets:
        targets_words = f" (target {display.target(targets[0])})"
    _, left_out = sheet.single.get("dimension", (None, []))
    level = f" ({display.target(100 * settings.level)} %)" if settings.bands else ""
    return [
        "Empirical cumulative distribution (ECDF) of the running time of "
        f"{display.plural(data['algorithm'].nunique(), 'algorithm')}, over {_OVER[data['aggregation'].iloc[0]]}{targets_words}"
        f"{f', in {len(sheet.parts)} panels' if len(sheet.parts) > 1 else ''}: the share of (problem, target) pairs reached "
        f"within a number of {sheet.keywords['unit']}.",
        f"Restarts are simulated ({display.plural(again, 'run')} for each failure)." if again else "",
        f"Cross: median budget of an algorithm; beyond it (lighter) "
        f"{'simulated restarts go on' if again else 'at most half of its trials go on'}."
        f"{' Grey curves end there.' * any(pen.faded for pen in sheet.pens.values())}"
        if sheet.other_entries
        else "",
        left_out_words(sheet, "ecdf/"),
        band_words(sheet.pens, f"pointwise intervals{level} for these problems, from the trials of each.")
        if data["fraction_low"].notna().any()
        else "",
        captions.trial_words(sheet.tables),
        f"Dimensions not drawn: {display.listed([str(d) for d in left_out])}." if left_out else "",
    ]


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
