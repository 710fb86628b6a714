"""Test one measure: ratios or costs in; designs, tests, average ranks, comparisons, intervals and assumptions out."""

from benchmill.core import storage
from benchmill.inference.analysis import analyse
from benchmill.inference.design import from_costs, from_ratios
from benchmill.workflow.job import job, origin

with job(snakemake):
    measure, settings = snakemake.wildcards.measure, dict(snakemake.params.settings)
    design, strata = settings.pop("design"), settings.pop("stratify")
    rules = {key: settings.pop(key) for key in ("blocks", "replicates", "incomplete", "failure")}
    if design == "replicated":
        paths = zip(snakemake.params.sources, snakemake.input.costs, strict=True)
        costs = [(name, storage.read(path, "costs")) for name, path in paths]
        designs = from_costs(
            costs,
            measure=measure,
            blocks=rules["blocks"] or snakemake.params.problem_keys,
            replicates_rule=rules["replicates"],
            incomplete=rules["incomplete"],
            failure=rules["failure"],
            stratify=strata,
            seed=snakemake.params.seed,
        )
    else:
        designs = from_ratios(storage.read(snakemake.input.ratios, "ratios"), measure=measure, stratify=strata)
    settings["bounds"] = snakemake.input.get("bounds")
    found = analyse(designs, measure=measure, seed=snakemake.params.seed, **settings)
    for name, table in found.items():
        storage.write(table, name, snakemake.output[name], origin(snakemake))
