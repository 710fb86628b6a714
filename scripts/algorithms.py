"""Name the algorithms of a study and the source of each: the ingest reports of all sources in; algorithms out."""

from benchmill.core import storage
from benchmill.study import algorithms
from benchmill.study.results import read_report
from benchmill.workflow.job import job, origin

with job(snakemake):
    holdings, in_logs, problems = [], [], {}
    for entry, path in zip(snakemake.params.entries, snakemake.input.reports, strict=True):
        report = read_report(path)
        holdings.append(algorithms.Holding(report["source"], entry, report["format"], report["algorithms"]))
        problems[report["source"]] = report["problems"]
        in_logs += report["algorithms_in_logs"]
    chosen, aside = snakemake.params.chosen, snakemake.params.not_competing
    algorithms.check_named(chosen, aside, in_logs, holdings, f"studies.{snakemake.wildcards.study}")
    algorithms.check_problems(problems, f"studies.{snakemake.wildcards.study}.sources")
    table = algorithms.table(holdings, f"studies.{snakemake.wildcards.study}.sources")
    storage.write(table, "algorithms", snakemake.output.algorithms, origin(snakemake))
