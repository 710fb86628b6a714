"""Compute the indicators of one source: its costs and ingest report in; indicators out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.indicators.ert import Options, indicators
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    table = indicators(
        [storage.read(path, "costs") for path in snakemake.input.costs],
        made(Options, snakemake.params.settings, "indicators"),
        report=read_report(snakemake.input.report),
        trials=storage.read(snakemake.input.trials, "trials"),
        problem_keys=snakemake.params.problem_keys,
    )
    storage.write(table, "indicators", snakemake.output.indicators, origin(snakemake))
