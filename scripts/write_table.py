"""Write one LaTeX table: the results it shows in; the table out."""

from benchmill import results
from benchmill.job import job
from benchmill.tables import build, latex

with job(snakemake):
    study = results.load(snakemake.input)[snakemake.wildcards.study]
    latex.write(build(snakemake.params.kind, study, snakemake.params.settings), snakemake.output.tex)
