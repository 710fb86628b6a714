"""Tell what each algorithm changes in the comparison: ratios of every measure in; changes.md out."""

from pathlib import Path

from benchmill import schema
from benchmill.job import job
from benchmill.profiles.changes import COLUMNS, text

with job(snakemake):
    missing = snakemake.params.missing
    tables = {name: schema.read(path, "ratios", COLUMNS) for name, path in zip(missing, snakemake.input.ratios, strict=True)}
    Path(snakemake.output.changes).write_text(text(snakemake.wildcards.study, tables, missing), "utf-8")
