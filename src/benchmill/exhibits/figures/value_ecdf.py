"""Empirical cumulative distributions of values: the share of (problem, budget) pairs with a value as good or better."""

from dataclasses import dataclass

from benchmill.exhibits.figures import captions, curves, ecdf, options
from benchmill.exhibits.figures.panels import band_words
from benchmill.exhibits.figures.sheet import Sheet
from benchmill.text import display


@dataclass(frozen=True, kw_only=True)
class Options(options.Aggregation, options.OfMeasures):
    """Settings of the figure."""


GRID = ecdf.GRID._replace(share="y", y=curves.SHARE_OF_VALUES)


def select(sheet: Sheet) -> None:
    """Take a panel per suite, dimension or problem."""
    sheet.take(sheet.table(), most=12)
    # who is on the left is first
    sheet.order_by(sheet.rows.groupby("algorithm", observed=True)["fraction"].mean().to_dict())
    unit = sheet.measure.with_unit()
    ends = curves.ends(sheet.rows, "fraction")
    sheet.keywords, sheet.grid = {"unit": unit}, GRID._replace(x=unit, ends=ends)


plot = curves.value_ecdf_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    budgets = [display.target(budget) for budget in sheet.measure.budgets]
    at = f" at {display.plural(len(budgets), 'budget').removeprefix('1 ')} {display.listed(budgets)}" if budgets else ""
    unit = f" {sheet.measure.unit_of_budgets}" if budgets else ""
    return [
        f"Empirical cumulative distribution (ECDF) of the values that {captions.data_words(sheet)} reach{at}{unit}, measure "
        f"{sheet.measure.called}: the share of (problem, budget) pairs with a value as good as that on the axis; "
        "better to the left.",
        ecdf.left_out_words(sheet, "value_ecdf/"),
        band_words(sheet.pens, "pointwise intervals for these problems, from the trials of each.")
        if sheet.rows["fraction_low"].notna().any()
        else "",
        captions.trial_words(sheet.tables),
    ]
