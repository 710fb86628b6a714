"""Read one source: raw log in; trials, traces and ingest report out."""

from benchmill.job import job, origin
from benchmill.readers import ingest
from benchmill.remote import verify

with job(snakemake):
    verify(snakemake.input.log, snakemake.params.sha256, snakemake.params.name)
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
