"""Compare the runs of all sources with best-known values: trials and register in; contradictions and improvements out."""

from benchmill.core import storage
from benchmill.readers import best_known
from benchmill.workflow.job import job, origin

with job(snakemake):
    sources = zip(snakemake.params.sources, snakemake.input.trials, strict=True)
    trials = {name: storage.read(path, "trials") for name, path in sources}
    table = best_known.of_sources(trials, best_known.read(str(snakemake.input.known)))
    storage.write(table, "best_known", snakemake.output.best_known, origin(snakemake))
