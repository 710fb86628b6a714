"""Draw one figure: the tables it shows, and the ingest reports of all studies in; its formats and caption out."""

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
    drawn = [path for path in map(Path, snakemake.output) if path.suffix != ".txt"]
    save(figure, drawn[0].with_suffix(""), [path.suffix[1:] for path in drawn])
    if caption_file := snakemake.output.get("caption"):
        Path(caption_file).write_text(caption + "\n", "utf-8")
