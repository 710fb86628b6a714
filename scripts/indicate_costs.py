"""Compute the indicators of one source: its costs and ingest report in; indicators out."""

import json
from pathlib import Path

from benchmill import schema
from benchmill.indicators.ert import indicators
from benchmill.job import job, origin

with job(snakemake):
    table = indicators(
        [schema.read(path, "costs") for path in snakemake.input.costs],
        report=json.loads(Path(snakemake.input.report).read_text("utf-8")),
        trials=schema.read(snakemake.input.trials, "trials"),
        problem_keys=snakemake.params.problem_keys,
        **snakemake.params.settings,
    )
    schema.write(table, "indicators", snakemake.output.indicators, origin(snakemake))
