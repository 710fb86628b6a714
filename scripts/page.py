"""Write the HTML report: results, figures and explorable tables of all studies, and the record of looks in; report.html out."""

from benchmill.core.whole_file import write_text
from benchmill.report import page
from benchmill.workflow import pages, results
from benchmill.workflow.job import job

with job(snakemake):
    read = snakemake.input
    paths = [*read.results, *read.explored, *read.captions, *read.figures]
    studies = pages.assembled(snakemake.params.studies, paths, page=True, looks=results.read_looks(read.looks))
    write_text(snakemake.output.page, page.render(studies))
