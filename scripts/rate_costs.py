"""Rate the costs of all algorithms: costs of every source in; ratios out."""

import json
from pathlib import Path

from benchmill import schema
from benchmill.job import job, origin
from benchmill.profiles.ratios import COLUMNS, check_excluded, ratios

with job(snakemake):
    reports = [json.loads(Path(path).read_text("utf-8")) for path in snakemake.input.reports]
    check_excluded(snakemake.params.exclude, reports, snakemake.wildcards.measure)
    sources = zip(snakemake.params.sources, snakemake.input.costs, strict=True)
    table = ratios(
        [(name, schema.read(path, "costs", COLUMNS)) for name, path in sources],
        measure=snakemake.wildcards.measure,
        problem_keys=snakemake.params.problem_keys,
        **snakemake.params.settings,
    )
    schema.write(table, "ratios", snakemake.output.ratios, origin(snakemake))
