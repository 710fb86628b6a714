"""Write the HTML report: results, exhibits, figures, runs and looks of all studies in."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.notebook.results import load
from benchmill.report import explorer, page
from benchmill.why import answers
from benchmill.workflow import pages, results
from benchmill.workflow.job import job

with job(snakemake):
    read = snakemake.input
    data = results.load([*read.results, *read.exhibits, *read.explored, *read.captions, *read.figures], explorer.TABLES)
    studies = pages.assembled(snakemake.params.studies, data)
    looks, listed = results.read_looks(read.looks), pages.listed(read.trials, read.costs, read.excerpts, read.traces)
    why = {folder.name: answers.on_page(load(folder)) for folder in (Path(path).parent for path in read.exhibits)}
    made = page.pages(pages.on_page(studies, data, looks, listed, why))
    write_text(snakemake.output.page, made.report)
    write_text(snakemake.output.page_runs, made.runs)
