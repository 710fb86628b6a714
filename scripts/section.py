"""Write a study as a section of your own article: its exhibits and captions in; section.tex, texts.tex and section.md out."""

from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import forms
from benchmill.paper import paper
from benchmill.study import results
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    (study,) = pages.assembled(snakemake.params.studies, results.load([*snakemake.input.results, *snakemake.input.captions]))
    write_text(snakemake.output.section, paper.section(study, snakemake.input.templates[0]))
    write_text(snakemake.output.texts, paper.texts(study, snakemake.input.templates[1]))
    rows = {table.name: forms.markdown_rows(table) for table in study["tables"]}
    write_text(snakemake.output.markdown, paper.markdown(study, snakemake.input.templates[2], rows))
