"""Draw one figure: its tables, the study's ingest reports and the record of looks in; the figure and its caption out."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.figures import columns, draw, kept
from benchmill.figures.style import save
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    name, kind, settings = snakemake.wildcards.study, snakemake.params.kind, snakemake.params.settings
    looks = results.read_looks(snakemake.input.looks).get(name, {})
    files = list(dict.fromkeys([*snakemake.input.results, *snakemake.input.own_reports]))
    folder = Path(".snakemake/drawings", snakemake.rule, name, snakemake.wildcards.figure)
    digest = kept.drawn_from(kind, settings, snakemake.params.code, looks, files)
    files_of = [path for path in snakemake.output if path != snakemake.output.origin]
    if not kept.put_back(folder, digest, files_of):
        only = dict.fromkeys(storage.below_results(path)[1].removesuffix(".parquet") for path in files) | columns(kind)
        figure, caption = draw(kind, {**results.load(files, only)[name], "looks": looks}, settings)
        drawn = [path for path in map(Path, files_of) if path.suffix != ".txt"]
        save(figure, drawn[0].with_suffix(""), [path.suffix[1:] for path in drawn])
        if caption_file := snakemake.output.get("txt"):
            write_text(caption_file, caption + "\n")
        kept.keep(folder, digest, files_of)
