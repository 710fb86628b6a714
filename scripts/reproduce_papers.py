"""Compare what published papers print with what follows from their data: their tables in; verdicts out."""

from pathlib import Path

from benchmill import schema
from benchmill.job import job, origin
from benchmill.profiles.reproduction import reproduction
from benchmill.tables import latex
from benchmill.tables.reproduction import build

with job(snakemake):
    table = reproduction(Path(snakemake.input[0]).parent)
    schema.write(table, "reproduction", snakemake.output.parquet, origin(snakemake))
    latex.write(build(table), snakemake.output.tex)
