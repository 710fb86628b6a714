"""Make the ECDF of values reached, of one measure and aggregation: costs and ingest reports of every source in; curves out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.indicators.areas import value_ecdf_curves
from benchmill.indicators.ecdf import COLUMNS, Options, left_out, pairs, value_ecdf
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    aggregation = snakemake.wildcards.aggregation
    options = made(Options, snakemake.params.settings, "indicators.ecdf")
    costs = pairs([storage.read(path, "costs", COLUMNS) for path in snakemake.input.costs])
    reports = [read_report(path) for path in snakemake.input.ingest]
    table = value_ecdf(costs, aggregation, options)
    curves = value_ecdf_curves(table, costs, aggregation, options, reports)
    lost = left_out(costs, aggregation)
    note = {**origin(snakemake), "left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
    storage.write(table, "value_ecdf", snakemake.output.value_ecdf, note)
    storage.write(curves, "value_ecdf_curves", snakemake.output.value_ecdf_curves, note)
