"""Report what each algorithm changes in the comparison: ratios of every measure and verdicts in; changes.md out."""

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.profiles.changes import COLUMNS, text
from benchmill.text import leaders
from benchmill.workflow.job import job

with job(snakemake):
    missing = snakemake.params.missing
    tables = {name: storage.read(path, "ratios", COLUMNS) for name, path in zip(missing, snakemake.input.ratios, strict=True)}
    verdicts = [storage.read(path, "verdicts", leaders.COLUMNS) for path in snakemake.input.verdicts]
    told = text(snakemake.wildcards.study, tables, missing, **snakemake.params.by, verdicts=next(iter(verdicts), None))
    write_text(snakemake.output.changes, told)
