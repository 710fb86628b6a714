"""Draw one figure in all formats: the tables it shows, and the ingest reports of all studies in; figures and caption out."""

from pathlib import Path

from benchmill import results
from benchmill.appearance import family
from benchmill.figures import draw, save
from benchmill.job import job

with job(snakemake):
    read = results.load(dict.fromkeys([*snakemake.input.results, *snakemake.input.reports]))
    study = read[snakemake.wildcards.study]
    names = {name: [a for report in found["ingest"] for a in report["algorithms"]] for name, found in read.items()}
    study["family"] = family(names, snakemake.wildcards.study)
    figure, caption = draw(snakemake.params.kind, study, snakemake.params.settings)
    save(figure, Path(snakemake.output.pdf).with_suffix(""))
    Path(snakemake.output.caption).write_text(caption + "\n", "utf-8")
