"""Read one source: raw log in; trials, traces and ingest report out."""

from benchmill.job import job, origin
from benchmill.readers import ingest, source_digest
from benchmill.remote import verify

with job(snakemake):
    log = snakemake.input.log
    sha256 = source_digest(log)
    verify(log, snakemake.params.sha256, snakemake.params.name, sha256)
    ingest(
        log,
        snakemake.output.trials,
        snakemake.output.traces,
        snakemake.output.report,
        name=snakemake.params.name,
        format=snakemake.params.format,
        options=snakemake.params.options,
        origin=origin(snakemake, {str(log): sha256}),
        sha256=sha256,
    )
