"""Write the HTML report: results, exhibits, evidence, figures and pens of all studies in."""

from benchmill.core.whole_file import write_text
from benchmill.page import explorer, page
from benchmill.study import results
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    read = snakemake.input
    paths = [*read.results, *read.exhibits, *read.explored, *read.evidence, *read.captions, *read.figures]
    data = results.load(paths, explorer.TABLES)
    studies = pages.assembled(snakemake.params.studies, data)
    made = page.pages(pages.on_page(studies, data, results.read_pens(read.pens)))
    write_text(snakemake.output.page, made.report)
    write_text(snakemake.output.page_runs, made.runs)
