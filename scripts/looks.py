"""Add the algorithms that are new to the record of looks: the ingest reports of all studies in; the record in and out."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.text.appearance import places
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    record = Path(snakemake.output.looks)
    algorithms = results.algorithms(results.load(snakemake.input.reports))
    write_text(record, results.looks_text(places(algorithms, results.read_looks(record))))
