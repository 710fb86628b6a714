"""Who leads by what: the ratios of all measures in; the order of the algorithms by every criterion out."""

from benchmill.core import storage
from benchmill.profiles.standings import COLUMNS, leaders
from benchmill.workflow.job import job, origin

with job(snakemake):
    given = snakemake.params
    ratios = zip(given.measures, snakemake.input.ratios, strict=True)
    found = leaders(
        {measure: storage.read(path, "ratios", COLUMNS) for measure, path in ratios},
        rates=given.rates,
        not_competing=given.not_competing,
        **given.primary,
    )
    storage.write(found, "leaders", snakemake.output.leaders, origin(snakemake))
