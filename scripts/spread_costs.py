"""Make the densities of the costs of one source: its costs in; densities out."""

from benchmill import schema
from benchmill.indicators.density import densities
from benchmill.job import job, origin

with job(snakemake):
    costs = [schema.read(path, "costs") for path in snakemake.input.costs]
    table = densities(costs, problem_keys=snakemake.params.problem_keys, **snakemake.params.settings)
    schema.write(table, "densities", snakemake.output.densities, origin(snakemake))
