"""Compile a paper: its source, tables and figures in; the PDF out."""

from benchmill.workflow.job import job
from benchmill.workflow.typesetting import compile_pdf

with job(snakemake):
    compile_pdf(snakemake.input.tex, snakemake.output[0], reads=snakemake.params.get("reads"))
