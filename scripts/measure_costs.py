"""Measure the trials of one source: trials and traces in; costs out."""

from benchmill import schema
from benchmill.costs import costs
from benchmill.job import job, origin

with job(snakemake):
    settings = dict(snakemake.params.settings)
    table = costs(
        settings.pop("kind"),
        schema.read(snakemake.input.trials, "trials"),
        schema.pieces(snakemake.input.traces, "traces"),
        snakemake.wildcards.measure,
        settings,
        snakemake.params.without,
    )
    schema.write(table, "costs", snakemake.output.costs, origin(snakemake))
