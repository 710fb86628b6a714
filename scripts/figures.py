"""Draw one figure: the tables it shows, and the ingest reports of all studies in; its formats and caption out."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.figures import draw, kept
from benchmill.figures.style import save
from benchmill.text.appearance import family
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    name, kind, settings = snakemake.wildcards.study, snakemake.params.kind, snakemake.params.settings
    reports = results.load(snakemake.input.reports)
    names = family({study: [a for r in read["ingest"] for a in r["algorithms"]] for study, read in reports.items()}, name)
    files = list(dict.fromkeys([*snakemake.input.results, *snakemake.input.own_reports]))
    folder = Path(".snakemake/drawings", snakemake.rule, name, snakemake.wildcards.figure)
    digest = kept.drawn_from(kind, settings, snakemake.params.code, names, files)
    if not kept.put_back(folder, digest, snakemake.output):
        figure, caption = draw(kind, {**results.load(files)[name], "family": names}, settings)
        drawn = [path for path in map(Path, snakemake.output) if path.suffix != ".txt"]
        save(figure, drawn[0].with_suffix(""), [path.suffix[1:] for path in drawn])
        if caption_file := snakemake.output.get("txt"):
            write_text(caption_file, caption + "\n")
        kept.keep(folder, digest, snakemake.output)
