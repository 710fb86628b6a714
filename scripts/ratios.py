"""Compute performance ratios: the costs of every source in; ratios out."""

from benchmill.core import storage
from benchmill.core.groups import check_listed
from benchmill.profiles.ratios import COLUMNS, ratios
from benchmill.study.results import read_report
from benchmill.workflow.job import job, origin

with job(snakemake):
    reports = [read_report(path) for path in snakemake.input.reports]
    check_listed(snakemake.params.exclude, reports, f"measure {snakemake.wildcards.measure!r}: exclude")
    sources = zip(snakemake.params.sources, snakemake.input.costs, strict=True)
    table = ratios(
        [(name, storage.read(path, "costs", COLUMNS)) for name, path in sources],
        measure=snakemake.wildcards.measure,
        problem_keys=snakemake.params.problem_keys,
        profiled=snakemake.params.profiled,
        not_competing=snakemake.params.not_competing,
        **snakemake.params.settings,
    )
    storage.write(table, "ratios", snakemake.output.ratios, origin(snakemake))
