"""Compute the indicators of one source: its costs and ingest report in; indicators out."""

from benchmill.core import storage
from benchmill.indicators.ert import indicators
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    table = indicators(
        [storage.read(path, "costs") for path in snakemake.input.costs],
        report=read_report(snakemake.input.report),
        trials=storage.read(snakemake.input.trials, "trials"),
        problem_keys=snakemake.params.problem_keys,
        **snakemake.params.settings,
    )
    storage.write(table, "indicators", snakemake.output.indicators, origin(snakemake))
