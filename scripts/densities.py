"""Make the densities of the costs of one source: its costs and ingest report in; densities out."""

from benchmill.core import storage
from benchmill.indicators.density import densities
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    costs = [storage.read(path, "costs") for path in snakemake.input.costs]
    report = read_report(snakemake.input.report)
    table = densities(costs, problem_keys=snakemake.params.problem_keys, report=report, **snakemake.params.settings)
    storage.write(table, "densities", snakemake.output.densities, origin(snakemake))
