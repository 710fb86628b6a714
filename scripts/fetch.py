"""Fetch one source by its URL or name, complete and verified."""

from benchmill.workflow.job import job
from benchmill.workflow.remote import fetch

with job(snakemake):
    given = snakemake.params
    fetch(given.url, snakemake.output.log, given.sha256, given.source, given.most_mb)
