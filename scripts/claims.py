"""What a study claims, under every convention: costs and verdicts in; a row for each claim and convention, and a badge out."""

from benchmill.core import keys, limits, storage
from benchmill.core.options import made
from benchmill.core.whole_file import write_text
from benchmill.exhibits.badge import badge
from benchmill.inference import claims, conventions
from benchmill.inference.design import of_study
from benchmill.registry.inference import Options
from benchmill.text.claims import parsed
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    given, where = snakemake.params, f"studies.{snakemake.wildcards.study}.claims"
    options = made(Options, given.settings, "inference")
    verdicts = storage.read(snakemake.input.verdicts, "verdicts", claims.COLUMNS)
    leaders = storage.read(snakemake.input.leaders, "leaders")
    stated, analyses = None, {}
    if given.claims is not None:
        stated = [parsed(text, f"{where}[{number}]") for number, text in enumerate(given.claims, 1)]
    # where nothing is claimed nothing is analysed
    wanted = given.measures if claims.chosen(stated, verdicts, leaders) else {}
    for number, (measure, of_measure) in enumerate(wanted.items()):
        first = number * len(given.sources)
        paths = snakemake.input.costs[first : first + len(given.sources)]
        read = [(name, storage.read(path, "costs")) for name, path in zip(given.sources, paths, strict=True)]
        costs = [(name, keys.without(table, given.not_competing)) for name, table in read]
        ratios = snakemake.input.get("ratios")
        designs = of_study(
            options,
            measure=measure,
            problem_keys=given.problem_keys,
            seed=given.seed,
            ratios=storage.read(ratios[number], "ratios") if ratios else None,
            costs=costs,
            not_competing=given.not_competing,
        )
        analyses[measure] = conventions.analysis(
            measure,
            designs,
            limits.costs_of(costs, measure)[0],
            given.problem_keys,
            conventions.Settings(
                **{key: value for key, value in of_measure.items() if value is not None},
                cluster_keys=clustered(snakemake),
                control=given.control,
                alpha=claims.level(verdicts, options.alpha),
                permutations=options.permutations,
                seed=given.seed,
            ),
            given.targets if claims.primary_measure(verdicts) == measure else None,
        )
    found = claims.evaluated(stated, analyses, verdicts, leaders, where)
    storage.write(found, "claims", snakemake.output.claims, origin(snakemake))
    write_text(snakemake.output.badge, badge(found))
