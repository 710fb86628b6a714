"""Draw one figure: its tables, the study's ingest reports and the record of pens in; the figure and its caption out."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.exhibits.figures import columns, draw
from benchmill.exhibits.figures.style import save
from benchmill.study import results
from benchmill.workflow.job import job

with job(snakemake):
    name, kind = snakemake.wildcards.study, snakemake.params.kind
    pens = results.read_pens(snakemake.input.pens).get(name, {})
    files = list(dict.fromkeys([*snakemake.input.results, *snakemake.input.own_reports]))
    only = dict.fromkeys(storage.below_results(path)[1].removesuffix(".parquet") for path in files) | columns(kind)
    figure, caption = draw(kind, {**results.load(files, only)[name], "pens": pens}, snakemake.params.settings)
    drawn = [path for path in map(Path, snakemake.output) if path.suffix not in (".txt", ".json")]
    save(figure, drawn[0].with_suffix(""), [path.suffix[1:] for path in drawn])
    if caption_file := snakemake.output.get("txt"):
        write_text(caption_file, caption + "\n")
