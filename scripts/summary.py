"""Summarise the solver runs of a study by one measure: costs and trials of every source in; the summary out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.costs import given
from benchmill.indicators.summary import TRIAL_COLUMNS, Options, summary
from benchmill.readers import claims
from benchmill.workflow.job import job, origin

with job(snakemake):
    measure = dict(snakemake.params.measure)
    kind = measure.pop("kind")
    shift = made(given.Options, measure, f"the kind {kind!r}").geometric_shift
    costs = [storage.read(path, "costs") for path in snakemake.input.costs]
    columns = sorted({*claims.COLUMNS, *TRIAL_COLUMNS})
    trials = [storage.read(path, "trials", columns) for path in snakemake.input.trials]
    table = summary(
        costs,
        trials,
        made(Options, snakemake.params.settings, "indicators.summary"),
        shift=shift,
        missing=measure["missing"],
        contradictions=claims.of_sources(dict(zip(snakemake.params.sources, trials, strict=True))),
        cluster_keys=snakemake.params.cluster_keys,
    )
    storage.write(table, "summary", snakemake.output.summary, origin(snakemake))
