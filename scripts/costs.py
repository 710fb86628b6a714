"""Measure the trials of one source: trials and traces in; costs out."""

from benchmill.core import storage, traces
from benchmill.costs import costs
from benchmill.workflow.job import job, origin

with job(snakemake):
    settings = dict(snakemake.params.settings)
    table = costs(
        settings.pop("kind"),
        storage.read(snakemake.input.trials, "trials"),
        storage.pieces(snakemake.input.traces, "traces", traces.COLUMNS),
        snakemake.wildcards.measure,
        settings,
        snakemake.params.without,
    )
    storage.write(table, "costs", snakemake.output.costs, origin(snakemake))
