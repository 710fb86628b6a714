"""Test one measure: ratios in; tests, average ranks and comparisons out."""

from benchmill import schema
from benchmill.inference.comparisons import pairwise
from benchmill.inference.friedman import omnibus
from benchmill.job import job, origin

with job(snakemake):
    table = schema.read(snakemake.input.ratios, "ratios")
    measure, settings = snakemake.wildcards.measure, snakemake.params.settings
    tests, ranks = omnibus(table, measure=measure, alpha=settings["alpha"])
    comparisons = pairwise(table, measure=measure, alpha=settings["alpha"], methods=settings["comparisons"])
    note = origin(snakemake)
    schema.write(tests, "tests", snakemake.output.tests, note)
    schema.write(ranks, "ranks", snakemake.output.ranks, note)
    schema.write(comparisons, "comparisons", snakemake.output.comparisons, note)
