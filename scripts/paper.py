"""Write the paper, its supplement and the HTML report: results, figures, runs and looks of all studies in."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.report import explorer, page, paper
from benchmill.tables.reproduction import build
from benchmill.workflow import pages, results
from benchmill.workflow.job import job

with job(snakemake):
    read = snakemake.input
    paths = [*read.results, *read.explored, *read.captions, *read.figures]
    data = results.load(paths, explorer.TABLES)
    studies = pages.assembled(snakemake.params.studies, data)
    compared = [build(storage.read(path, "reproduction")) for path in read.get("reproduction", [])]
    templates = {Path(path).stem: path for path in read.templates}
    for name in ("paper", "supplement"):
        text = paper.render(studies, templates[name], reproduction=compared[0] if compared else None)
        write_text(snakemake.output.get(name), text)
    looks, listed = results.read_looks(read.looks), pages.listed(read.trials, read.costs, read.excerpts, read.traces)
    made = page.pages(pages.on_page(studies, data, looks, listed))
    write_text(snakemake.output.page, made.report)
    write_text(snakemake.output.page_runs, made.runs)
