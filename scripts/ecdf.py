"""Make the ECDF curves of one aggregation: running times and ingest reports of every source in; curves and their areas out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.indicators.areas import ecdf_curves
from benchmill.indicators.ecdf import COLUMNS, Options, ecdf, left_out, pairs
from benchmill.indicators.targets import within
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    aggregation = snakemake.wildcards.aggregation
    options = made(Options, snakemake.params.settings, "indicators.ecdf")
    costs = [storage.read(path, "costs", COLUMNS) for path in snakemake.input.costs]
    if options.target_set is not None:
        sets = storage.read(snakemake.input.sets[0], "target_sets")
        costs = [within(table, sets, options.target_set) for table in costs]
    costs = pairs(costs)
    reports = [read_report(path) for path in snakemake.input.ingest]
    table = ecdf(costs, aggregation, options, snakemake.params.seed)
    curves = ecdf_curves(table, costs, aggregation, options, reports)
    lost = left_out(costs, aggregation)
    note = {**origin(snakemake), "left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
    storage.write(table, "ecdf", snakemake.output.ecdf, note)
    storage.write(curves, "ecdf_curves", snakemake.output.ecdf_curves, note)
