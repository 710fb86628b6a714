"""Make the ECDF of values reached, of one measure and aggregation: costs and ingest reports of every source in; curves out."""

from benchmill.core import storage
from benchmill.indicators.areas import value_ecdf_curves
from benchmill.indicators.ecdf import COLUMNS, left_out, pairs, value_ecdf
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    aggregation, settings = snakemake.wildcards.aggregation, snakemake.params
    costs = pairs([storage.read(path, "costs", COLUMNS) for path in snakemake.input.costs])
    reports = [read_report(path) for path in snakemake.input.ingest]
    common = {"aggregation": aggregation, "weight": settings.weight, "groups": settings.groups}
    table = value_ecdf(costs, **common, bands=settings.bands, seed=settings.seed)
    curves = value_ecdf_curves(table, costs, **common, reports=reports)
    lost = left_out(costs, aggregation=aggregation)
    note = {**origin(snakemake), "left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
    storage.write(table, "value_ecdf", snakemake.output.value_ecdf, note)
    storage.write(curves, "value_ecdf_curves", snakemake.output.value_ecdf_curves, note)
