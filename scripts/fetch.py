"""Fetch one source by its URL or name, complete and verified."""

from benchmill import archives
from benchmill.workflow.job import job
from benchmill.workflow.remote import fetch

with job(snakemake):
    archives.configure(snakemake.params.archives)
    fetch(snakemake.params.url, snakemake.output.log, snakemake.params.sha256, snakemake.params.source)
