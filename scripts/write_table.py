"""Write one table in all formats: the results it shows in; LaTeX, CSV, Markdown and the caption out."""

from benchmill.tables import build, write
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    study = results.load(snakemake.input)[snakemake.wildcards.study]
    table = build(snakemake.params.kind, study, snakemake.params.settings)
    for path in snakemake.output:
        write(table, path, snakemake.params.siunitx)
