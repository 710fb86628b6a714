"""Write the LaTeX source of the paper: the results of all studies and the reproduction in; paper.tex out."""

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.report import paper
from benchmill.tables.reproduction import build
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    studies = pages.assembled(snakemake.params.studies, [*snakemake.input.results, *snakemake.input.captions])
    compared = [build(storage.read(path, "reproduction")) for path in snakemake.input.get("reproduction", [])]
    text = paper.render(studies, snakemake.input.template, reproduction=compared[0] if compared else None)
    write_text(snakemake.output.paper, text)
