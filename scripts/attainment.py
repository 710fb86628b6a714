"""Make the attainment curves of one source and the area over its convergence curves: trials, traces and report in; both out."""

from benchmill.core import storage
from benchmill.core.options import made
from benchmill.core.traces import check_scale, larger_is_better, pieces
from benchmill.indicators.attainment import Options, attainment
from benchmill.workflow.job import job, origin
from benchmill.workflow.results import read_report

with job(snakemake):
    options = made(Options, snakemake.params.settings, "indicators.attainment")
    trials = storage.read(snakemake.input.trials, "trials")
    check_scale(trials, options.scale, "attainment")
    curves, areas = attainment(
        trials,
        pieces(storage.pieces(snakemake.input.traces, "traces"), trials, options.scale, on_target=False),
        options,
        larger=larger_is_better(trials, options.scale),
        problem_keys=snakemake.params.problem_keys,
        report=read_report(snakemake.input.report),
    )
    with storage.Writer("attainment", snakemake.output.attainment, origin(snakemake)) as writer:
        for piece in curves:
            writer.write(piece)
    storage.write(areas, "convergence", snakemake.output.convergence, origin(snakemake))
