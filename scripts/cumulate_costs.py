"""Make the ECDF curves of one aggregation: running times of every source in; curves out."""

from benchmill import schema
from benchmill.indicators.ecdf import COLUMNS, ecdf, left_out
from benchmill.job import job, origin

with job(snakemake):
    costs = schema.concatenate(schema.read(path, "costs", COLUMNS) for path in snakemake.input.costs)
    table = ecdf(costs, aggregation=snakemake.wildcards.aggregation, x=snakemake.params.x)
    lost = left_out(costs, aggregation=snakemake.wildcards.aggregation)
    note = {**origin(snakemake), "left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
    schema.write(table, "ecdf", snakemake.output.ecdf, note)
