"""Choose the targets of every set and compare the rankings over them: running times and reports of every source in; both out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.indicators.ecdf import COLUMNS, Options, pairs
from benchmill.indicators.targets import target_sensitivity, target_sets
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    options = made(Options, snakemake.params.settings, "indicators.ecdf")
    costs = pairs([storage.read(path, "costs", COLUMNS) for path in snakemake.input.costs])
    sets = target_sets(costs, snakemake.params.sets)
    reports = [read_report(path) for path in snakemake.input.ingest]
    sensitivity = target_sensitivity(costs, sets, options, reports)
    storage.write(sets, "target_sets", snakemake.output.target_sets, origin(snakemake))
    storage.write(sensitivity, "target_sensitivity", snakemake.output.target_sensitivity, origin(snakemake))
