"""Fetch one source by its URL or name, complete and verified."""

from benchmill.workflow.job import job
from benchmill.workflow.remote import fetch

with job(snakemake):
    fetch(snakemake.params.url, snakemake.output.log, snakemake.params.sha256, snakemake.params.source)
