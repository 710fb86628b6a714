"""Make the densities of the costs of one source: its costs and ingest report in; densities out."""

from benchmill import schema
from benchmill.indicators.density import densities
from benchmill.job import job, origin
from benchmill.results import read_report

with job(snakemake):
    costs = [schema.read(path, "costs") for path in snakemake.input.costs]
    report = read_report(snakemake.input.report)
    table = densities(costs, problem_keys=snakemake.params.problem_keys, report=report, **snakemake.params.settings)
    schema.write(table, "densities", snakemake.output.densities, origin(snakemake))
