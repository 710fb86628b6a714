"""Make the densities of the costs of one source: its costs and ingest report in; densities out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.indicators.density import Options, densities
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    costs = [storage.read(path, "costs") for path in snakemake.input.costs]
    report = read_report(snakemake.input.report)
    options = made(Options, snakemake.params.settings, "indicators.densities")
    table = densities(costs, options, problem_keys=snakemake.params.problem_keys, report=report)
    storage.write(table, "densities", snakemake.output.densities, origin(snakemake))
