"""Draw one figure in all formats: the tables it shows in; figures and caption out."""

from pathlib import Path

from benchmill import results
from benchmill.figures import draw, save
from benchmill.job import job

with job(snakemake):
    study = results.load(snakemake.input)[snakemake.wildcards.study]
    figure, caption = draw(snakemake.params.kind, study, snakemake.params.settings)
    save(figure, Path(snakemake.output.pdf).with_suffix(""))
    Path(snakemake.output.caption).write_text(caption + "\n", "utf-8")
