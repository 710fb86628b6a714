"""Make the densities of the costs of one source: its costs and ingest report in; densities out."""

import json
from pathlib import Path

from benchmill import schema
from benchmill.indicators.density import densities
from benchmill.job import job, origin

with job(snakemake):
    costs = [schema.read(path, "costs") for path in snakemake.input.costs]
    report = json.loads(Path(snakemake.input.report).read_text("utf-8"))
    table = densities(costs, problem_keys=snakemake.params.problem_keys, report=report, **snakemake.params.settings)
    schema.write(table, "densities", snakemake.output.densities, origin(snakemake))
