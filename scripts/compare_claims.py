"""Compare what the runs of all sources claim: their trials in; contradictions out."""

from benchmill import schema
from benchmill.job import job, origin
from benchmill.readers import claims

with job(snakemake):
    sources = zip(snakemake.params.sources, snakemake.input.trials, strict=True)
    trials = {name: schema.read(path, "trials", list(claims.COLUMNS)) for name, path in sources}
    schema.write(claims.of_sources(trials), "contradictions", snakemake.output.contradictions, origin(snakemake))
