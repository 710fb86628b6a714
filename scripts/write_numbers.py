"""Write the headline numbers of a study as macros: its results in; numbers.tex out."""

from benchmill.tables import numbers
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    name = snakemake.wildcards.study
    study = results.load(snakemake.input)[name]
    numbers.write(numbers.build(name, study, study["ingest"]), snakemake.output.numbers)
