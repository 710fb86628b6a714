"""Write the HTML report: results, figures, tables to explore, runs, and the record of looks in; report.html out."""

from benchmill.core.whole_file import write_text
from benchmill.report import page
from benchmill.workflow import pages, results
from benchmill.workflow.job import job

with job(snakemake):
    read = snakemake.input
    paths = [*read.results, *read.explored, *read.captions, *read.figures]
    looks, listed = results.read_looks(read.looks), pages.listed(read.trials, read.costs, read.excerpts, read.traces)
    studies = pages.assembled(snakemake.params.studies, paths, page=True, looks=looks, listed=listed)
    write_text(snakemake.output.page, page.render(studies))
