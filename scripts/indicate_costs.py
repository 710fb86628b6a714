"""Compute the indicators of one source: its costs and ingest report in; indicators out."""

from benchmill import schema
from benchmill.indicators.ert import indicators
from benchmill.job import job, origin
from benchmill.results import read_report

with job(snakemake):
    table = indicators(
        [schema.read(path, "costs") for path in snakemake.input.costs],
        report=read_report(snakemake.input.report),
        trials=schema.read(snakemake.input.trials, "trials"),
        problem_keys=snakemake.params.problem_keys,
        **snakemake.params.settings,
    )
    schema.write(table, "indicators", snakemake.output.indicators, origin(snakemake))
