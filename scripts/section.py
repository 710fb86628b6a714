"""Write a study as a section of somebody's own article: its results in; section.tex, texts.tex and section.md out."""

from benchmill.core.whole_file import write_text
from benchmill.report import paper
from benchmill.tables import markdown
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    (study,) = pages.assembled(snakemake.params.studies, [*snakemake.input.results, *snakemake.input.captions])
    write_text(snakemake.output.section, paper.section(study, snakemake.input.templates[0]))
    write_text(snakemake.output.texts, paper.texts(study, snakemake.input.templates[1]))
    rows = {table.name: markdown.rows(table) for table in study["tables"]}
    write_text(snakemake.output.markdown, paper.markdown(study, snakemake.input.templates[2], rows))
