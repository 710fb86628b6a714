"""Empirical cumulative distributions of values: the share of (problem, budget) pairs with a value as good or better."""

from dataclasses import dataclass

from benchmill.exhibits.figures import curves, ecdf, options
from benchmill.exhibits.figures.sheet import Sheet


@dataclass(frozen=True, kw_only=True)
class Options(options.Aggregation, options.OfMeasures):
    """Settings of the figure."""


GRID = ecdf.GRID._replace(share="y", y=curves.SHARE_OF_VALUES)


def select(sheet: Sheet) -> None:
    """Take a panel per suite, dimension or problem."""
    sheet.take(sheet.table(), most=12)
    # who is on the left is first
    sheet.order_by(sheet.rows.groupby("algorithm", observed=True)["fraction"].mean())
    unit = sheet.measure.with_unit()
    ends = curves.ends(sheet.rows, "fraction")
    sheet.keywords, sheet.grid = {"unit": unit}, GRID._replace(x=unit, ends=ends)


plot = curves.value_ecdf_plot


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    return sheet.told(lost=ecdf.left_out_words(sheet, "value_ecdf/"), banded=sheet.rows["fraction_low"].notna().any())
