"""Rank the algorithms of a study: measures of all its profiles and ratios in; standings out."""

from benchmill.core import schema, storage
from benchmill.core.options import known
from benchmill.profiles.options import Options
from benchmill.profiles.standings import standings
from benchmill.workflow.job import job, origin

with job(snakemake):
    ratios = {
        measure: storage.read(path, "ratios")
        for measure, path in zip(snakemake.params.measures, snakemake.input.ratios, strict=True)
    }
    found = {}
    for (variant, measure), path in zip(snakemake.params.profiled, snakemake.input.profile_measures, strict=True):
        found.setdefault(variant, {})[measure] = storage.read(path, "profile_measures")
    ranked = [
        standings(
            schema.concatenate(of_measure.values()),
            {measure: ratios[measure] for measure in of_measure},
            options=known(Options, snakemake.params.variants[variant]),
            rates=snakemake.params.rates,
            rank_sum=snakemake.params.rank_sum,
            elsewhere=snakemake.params.ranks,
            not_competing=snakemake.params.not_competing,
        )
        for variant, of_measure in found.items()
    ]
    storage.write(schema.concatenate(ranked), "standings", snakemake.output.standings, origin(snakemake))
