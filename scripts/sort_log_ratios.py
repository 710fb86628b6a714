"""Sort the problems of a log-ratio profile: ratios in; the log ratio of the two algorithms on every problem out."""

from benchmill.core import storage
from benchmill.profiles.log_ratio import problem_table
from benchmill.workflow.job import job, origin

with job(snakemake):
    settings = {name: value for name, value in snakemake.params.settings.items() if name not in ("variant", "measures", "bands")}
    settings["weights_table"] = snakemake.input.get("weights_table")
    table = problem_table(storage.read(snakemake.input.ratios, "ratios"), measure=snakemake.wildcards.measure, **settings)
    storage.write(table, "log_ratios", snakemake.output.log_ratios, origin(snakemake))
