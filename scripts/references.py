"""Write what somebody who publishes a study cites: the ingest reports of its sources in; references.bib out."""

from benchmill.core.whole_file import write_text
from benchmill.paper.references import bibliography
from benchmill.study import results
from benchmill.workflow.job import job

with job(snakemake):
    reports = [results.read_report(path) for path in snakemake.input.reports]
    asked = snakemake.params
    text = bibliography(snakemake.wildcards.study, asked.settings, reports, asked.indicators, asked.sources)
    write_text(snakemake.output.references, text)
