"""Make the attainment curves of one source and the area over its convergence curves: trials, traces and report in; both out."""

from benchmill import schema
from benchmill.costs.traces import check_scale, larger_is_better, pieces
from benchmill.indicators.attainment import attainment
from benchmill.job import job, origin
from benchmill.results import read_report

with job(snakemake):
    settings = dict(snakemake.params.settings)
    scale = settings.pop("scale")
    trials = schema.read(snakemake.input.trials, "trials")
    check_scale(trials, scale, "attainment")
    curves, areas = attainment(
        trials,
        pieces(schema.pieces(snakemake.input.traces, "traces"), trials, scale, on_target=False),
        larger=larger_is_better(trials, scale),
        problem_keys=snakemake.params.problem_keys,
        report=read_report(snakemake.input.report),
        **settings,
    )
    with schema.Writer("attainment", snakemake.output.attainment, origin(snakemake)) as writer:
        for piece in curves:
            writer.write(piece)
    schema.write(areas, "convergence", snakemake.output.convergence, origin(snakemake))
