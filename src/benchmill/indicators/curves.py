"""The ECDF curves of a study, with what stands behind each and what was left out."""

from __future__ import annotations

from benchmill.indicators.areas import ecdf_curves, value_ecdf_curves
from benchmill.indicators.ecdf import COLUMNS, OfValues, Options, Pairs, ecdf, left_out, pairs, value_ecdf
from benchmill.indicators.job import Given, Made
from benchmill.indicators.missing import within as of_measure
from benchmill.indicators.targets import within

__all__ = ["OfValues", "Options", "of_running_times", "of_values"]


def of_running_times(given: Given) -> Made:
    """Running times of all sources become `ecdf` and `ecdf_curves`."""
    options = given.options(Options)
    costs = given.read("costs", COLUMNS)
    if options.target_set is not None:
        (sets,) = given.read("target_sets")
        costs = [within(table, sets, options.target_set) for table in costs]
    of = pairs(costs)
    curves = ecdf(of, given.aggregation, options, given.needed["seed"])
    described = ecdf_curves(curves, of, given.aggregation, options, given.reports)
    return Made({"ecdf": curves, "ecdf_curves": described}, _lost(of, given.aggregation))


def of_values(given: Given) -> Made:
    """Values reached of all sources become `value_ecdf` and `value_ecdf_curves`."""
    options = given.options(Options)
    of = pairs(given.read("costs", COLUMNS))
    curves = value_ecdf(of, given.aggregation, options)
    (measure,) = given.needed["measures"].values()
    reports = [of_measure(report, measure) for report in given.reports]
    described = value_ecdf_curves(curves, of, given.aggregation, options, reports)
    return Made({"value_ecdf": curves, "value_ecdf_curves": described}, _lost(of, given.aggregation))


def _lost(of: Pairs, aggregation: str) -> dict[str, object]:
    lost = left_out(of, aggregation)
    return {"left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
