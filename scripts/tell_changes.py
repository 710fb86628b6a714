"""Tell what each algorithm changes in the comparison: ratios of every measure in; changes.md out."""

from benchmill import schema
from benchmill.job import job
from benchmill.profiles.changes import COLUMNS, text
from benchmill.whole_file import write_text

with job(snakemake):
    missing = snakemake.params.missing
    tables = {name: schema.read(path, "ratios", COLUMNS) for name, path in zip(missing, snakemake.input.ratios, strict=True)}
    write_text(snakemake.output.changes, text(snakemake.wildcards.study, tables, missing))
