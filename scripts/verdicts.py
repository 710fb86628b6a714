"""What the study may claim: ratios or costs of all measures and their leaders in, statements out; looks are read and recorded."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.core.whole_file import write_text
from benchmill.inference import interim
from benchmill.inference.design import of_study
from benchmill.inference.verdicts import Declaration, primary, rank_sets, statements
from benchmill.registry.inference import Options
from benchmill.registry.primary import Primary
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    given, designs = snakemake.params, {}
    options = made(Options, given.settings, "inference")
    for number, measure in enumerate(given.measures):
        first = number * len(given.sources)
        paths = snakemake.input.get("costs", [])[first : first + len(given.sources)]
        designs[measure] = of_study(
            options,
            measure=measure,
            problem_keys=given.problem_keys,
            seed=given.seed,
            ratios=storage.read(snakemake.input.ratios[number], "ratios") if snakemake.input.get("ratios") else None,
            costs=[(name, storage.read(path, "costs")) for name, path in zip(given.sources, paths, strict=False)],
            not_competing=given.not_competing,
        )
    declared = Declaration(
        primary=Primary(**given.primary),
        control=given.control,
        cluster_keys=clustered(snakemake),
        alpha=options.alpha,
        permutations=options.permutations,
        seed=given.seed,
        labels=given.labels,
    )
    record, measure = Path(given.record), given.primary["measure"] or next(iter(designs))
    ratios = snakemake.input.get("ratios") and snakemake.input.ratios[given.measures.index(measure)]
    now = interim.look(designs[measure], declared, measure, storage.read(ratios, "ratios") if ratios else None)
    known = interim.read(record.read_text("utf-8") if record.exists() else "", str(record))
    looks = interim.recorded(known, now)
    declared = interim.planned(declared, looks)
    leaders = storage.read(snakemake.input.leaders, "leaders")
    tested = primary(designs, declared, leaders)
    storage.write(statements(designs, tested), "verdicts", snakemake.output.verdicts, origin(snakemake))
    storage.write(rank_sets(tested), "rank_sets", snakemake.output.rank_sets, origin(snakemake))
    if looks != known:
        write_text(record, interim.written(looks))
