"""Test one measure: ratios or costs in; designs, tests, average ranks, comparisons, intervals and assumptions out."""

from dataclasses import replace

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.inference.analysis import analyse
from benchmill.inference.design import of_study
from benchmill.registry.inference import Options
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    measure, given = snakemake.wildcards.measure, snakemake.params
    options = made(Options, given.settings, "inference")
    paths = zip(given.sources, snakemake.input.get("costs", []), strict=False)
    designs = of_study(
        options,
        measure=measure,
        problem_keys=given.problem_keys,
        seed=given.seed,
        ratios=storage.read(snakemake.input.ratios, "ratios") if snakemake.input.get("ratios") else None,
        costs=[(name, storage.read(path, "costs")) for name, path in paths],
        not_competing=given.not_competing,
    )
    if snakemake.input.get("bounds"):
        options = replace(options, normalise=dict.fromkeys(options.normalise, snakemake.input.bounds))
    found = analyse(designs, measure=measure, seed=given.seed, cluster_keys=clustered(snakemake), options=options)
    for name, table in found.items():
        storage.write(table, name, snakemake.output[name], origin(snakemake))
