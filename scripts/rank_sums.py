"""Compare the best algorithm of every problem with each other one: costs and indicators in; rank-sum tests out."""

from benchmill.core import schema, storage
from benchmill.inference.rank_sum import COLUMNS, rank_sums
from benchmill.workflow.job import job, origin

with job(snakemake):
    costs, indicators = (
        schema.concatenate([storage.read(path, name, COLUMNS[name]) for path in snakemake.input[name]])
        for name in ("costs", "indicators")
    )
    found = rank_sums(costs, indicators, measure=snakemake.wildcards.measure, **snakemake.params.settings)
    storage.write(found, "rank_sums", snakemake.output.rank_sums, origin(snakemake))
