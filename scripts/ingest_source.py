"""Read one source: raw log in; trials, traces and ingest report out."""

from benchmill.job import job, origin
from benchmill.readers import ingest

with job(snakemake):
    ingest(
        snakemake.input.log,
        snakemake.output.trials,
        snakemake.output.traces,
        snakemake.output.report,
        name=snakemake.params.name,
        format=snakemake.params.format,
        options=snakemake.params.options,
        origin=origin(snakemake),
    )
