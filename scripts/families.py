"""Whether problems of a family depend on each other: ratios or costs of the primary measure in; ways to deal families out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.inference import families
from benchmill.inference.design import of_study
from benchmill.inference.verdicts import Declaration, pooled
from benchmill.registry.inference import Options
from benchmill.registry.primary import Primary
from benchmill.workflow.job import job, origin

with job(snakemake):
    given = snakemake.params
    options = made(Options, given.settings, "inference")
    paths = zip(given.sources, snakemake.input.get("costs", []), strict=False)
    designs = of_study(
        options,
        measure=given.measure,
        problem_keys=given.problem_keys,
        seed=given.seed,
        ratios=storage.read(snakemake.input.ratios[0], "ratios") if snakemake.input.get("ratios") else None,
        costs=[(name, storage.read(path, "costs")) for name, path in paths],
        not_competing=given.not_competing,
    )
    chosen = pooled(designs, Declaration(Primary(targets=given.targets)), given.measure)
    folders = families.log_folders(storage.read(path, "trials", ["problem", "source"]) for path in snakemake.input.trials)
    found = families.of_designs(chosen, given.cluster_keys, {**given.attributes, **folders}, given.seed)
    storage.write(found, "families", snakemake.output.families, origin(snakemake))
