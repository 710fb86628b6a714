"""Compare what the runs of all sources state: their trials in; contradictions out."""

from benchmill.core import contradictions, storage
from benchmill.workflow.job import job, origin

with job(snakemake):
    sources = zip(snakemake.params.sources, snakemake.input.trials, strict=True)
    trials = {name: storage.read(path, "trials", list(contradictions.COLUMNS)) for name, path in sources}
    storage.write(contradictions.of_sources(trials), "contradictions", snakemake.output.contradictions, origin(snakemake))
