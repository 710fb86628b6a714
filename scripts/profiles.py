"""Make one profile variant of one measure: ratios (and costs) in; every table of the variant out."""

from benchmill.core import groups, schema, storage
from benchmill.profiles import all_tables
from benchmill.study.results import read_report
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    reports = [read_report(path) for path in snakemake.input.get("reports", [])]
    groups.check(snakemake.params.listed, reports, f"profile {snakemake.wildcards.variant!r}")
    costs = [storage.read(path, "costs") for path in snakemake.input.get("costs", [])]
    tables = all_tables(
        storage.read(snakemake.input.ratios, "ratios"),
        schema.concatenate(costs) if costs else None,
        measure=snakemake.wildcards.measure,
        seed=snakemake.params.seed,
        cluster_keys=clustered(snakemake),
        not_competing=snakemake.params.not_competing,
        **snakemake.params.aggregation,
        **snakemake.params.settings,
    )
    note = origin(snakemake)
    for name, table in tables.items():
        storage.write(table, name, snakemake.output[name], note)
