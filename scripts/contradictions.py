"""Compare what the runs of all sources claim: their trials in; contradictions out."""

from benchmill.core import claims, storage
from benchmill.workflow.job import job, origin

with job(snakemake):
    sources = zip(snakemake.params.sources, snakemake.input.trials, strict=True)
    trials = {name: storage.read(path, "trials", list(claims.COLUMNS)) for name, path in sources}
    storage.write(claims.of_sources(trials), "contradictions", snakemake.output.contradictions, origin(snakemake))
