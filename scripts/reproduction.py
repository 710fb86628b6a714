"""Compare what published papers print with what follows from their data: their tables in; verdicts and their table out."""

from pathlib import Path

from benchmill.core import storage
from benchmill.profiles.reproduction import reproduction
from benchmill.tables import write
from benchmill.tables.reproduction import build
from benchmill.workflow.job import job, origin

with job(snakemake):
    table = reproduction(Path(snakemake.input[0]).parent)
    storage.write(table, "reproduction", snakemake.output.reproduction, origin(snakemake))
    for path in snakemake.output[1:]:
        write(build(table), path)
