"""Test one measure: ratios or costs in; designs, tests, average ranks, comparisons, intervals and assumptions out."""

from benchmill.core import storage
from benchmill.inference.analysis import analyse, options_of
from benchmill.inference.design import of_study
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    measure, given = snakemake.wildcards.measure, snakemake.params
    paths = zip(given.sources, snakemake.input.get("costs", []), strict=False)
    designs = of_study(
        given.settings,
        measure=measure,
        problem_keys=given.problem_keys,
        seed=given.seed,
        ratios=storage.read(snakemake.input.ratios, "ratios") if snakemake.input.get("ratios") else None,
        costs=[(name, storage.read(path, "costs")) for name, path in paths],
        not_competing=given.not_competing,
    )
    options = options_of(given.settings)
    if snakemake.input.get("bounds"):
        options["normalise"] = dict.fromkeys(options["normalise"], snakemake.input.bounds)
    found = analyse(designs, measure=measure, seed=given.seed, cluster_keys=clustered(snakemake), **options)
    for name, table in found.items():
        storage.write(table, name, snakemake.output[name], origin(snakemake))
