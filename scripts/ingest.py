"""Read one source: raw log in; trials, traces, excerpts and ingest report out."""

from benchmill.core import UserError
from benchmill.readers import ingest, source_digest
from benchmill.readers.selection import OF_STUDY
from benchmill.workflow.job import job, origin
from benchmill.workflow.remote import verify

with job(snakemake):
    if snakemake.params.broken:
        raise UserError(snakemake.params.broken)
    logs = [str(log) for log in snakemake.input.log]
    digests = {log: source_digest(log) for log in logs}
    for log, sha256 in digests.items():
        verify(log, snakemake.params.sha256, snakemake.params.name, sha256)
    of_study = {**snakemake.params.options[OF_STUDY], "algorithms": snakemake.params.names}
    ingest(
        logs,
        [snakemake.output.trials, snakemake.output.traces, snakemake.output.ingest, snakemake.output.excerpts],
        name=snakemake.params.name,
        format=snakemake.params.format,
        options={**snakemake.params.options, OF_STUDY: of_study},
        origin=origin(snakemake, digests),
        digests=digests,
    )
