"""The ECDF curves of a study, with what stands behind each and what was left out."""

from __future__ import annotations

from functools import partial
from typing import Any

import pyarrow as pa

from benchmill.core import storage
from benchmill.indicators.areas import value_ecdf_curves
from benchmill.indicators.by_source import Sources
from benchmill.indicators.ecdf import COLUMNS, OfValues, Options, left_out, pairs, value_ecdf
from benchmill.indicators.job import Given, Made
from benchmill.indicators.job import within as of_measure
from benchmill.indicators.targets import within
from benchmill.registry.indicators import Indicator

__all__ = ["OfValues", "Options", "of_running_times", "of_values"]


def of_running_times(given: Given) -> Made:
    """Make `ecdf` and `ecdf_curves` of running times of all sources."""
    options = given.options(Options)
    sets = given.read("target_sets")[0] if options.target_set is not None else None

    def read(path: str) -> pa.Table:
        costs = storage.read(path, "costs", COLUMNS)
        return costs if sets is None else within(costs, sets, str(options.target_set))

    paths = given.files["costs"]
    of_set = [] if sets is None else [options.target_set, *map(storage.digest, given.files["target_sets"])]
    digests = [repr([storage.digest(path), *of_set]) for path in paths]
    sources = Sources([partial(read, path) for path in paths], options, given.reports, kept=given.kept, digests=digests)
    (found,) = sources.curves(given.aggregation, options, given.needed["seed"])
    return Made({"ecdf": found.curves, "ecdf_curves": found.described}, _lost(found.lost))


def of_values(given: Given) -> Made:
    """Make `value_ecdf` and `value_ecdf_curves` of values reached of all sources."""
    options = given.options(Options)
    of = pairs(given.read("costs", COLUMNS))
    curves = value_ecdf(of, given.aggregation, options)
    (measure,) = given.needed["measures"].values()
    reports = [of_measure(report, measure) for report in given.reports]
    described = value_ecdf_curves(curves, of, given.aggregation, options, reports)
    return Made({"value_ecdf": curves, "value_ecdf_curves": described}, _lost(left_out(of, given.aggregation)))


def _lost(lost: list[dict[str, Any]]) -> dict[str, object]:
    return {"left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}


ENTRIES = (
    Indicator(
        "ecdf",
        "distributions of running times",
        function=of_running_times,
        options=Options,
        references=("hansen2021",),
        each="aggregation",
        keys=("target_set", "x", "weight", "groups", "restarts", "bands", "area"),
        needs=("costs", "ingest", "target_sets", "seed"),
        makes={
            "ecdf": "an algorithm × step of its ECDF",
            "ecdf_curves": "a curve: the trials and targets behind it, the area under it",
        },
        explored=("ecdf",),
    ),
    Indicator(
        "value_ecdf",
        "distributions of the values reached, for every measure of kind `fixed_budget`",
        function=of_values,
        options=OfValues,
        references=("wang2022",),
        each="value aggregation",
        section="indicators.ecdf",
        keys=("weight", "groups", "bands"),
        needs=("costs", "ingest", "measures"),
        makes={
            "value_ecdf": "an algorithm × step of its ECDF of values reached",
            "value_ecdf_curves": "a curve of these: what is behind it",
        },
        explored=("value_ecdf",),
    ),
)
