"""Compare what published papers print with what follows from their data: tables in; comparison and a document of it out."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import sources, write
from benchmill.paper import paper
from benchmill.reproduction.published import reproduction
from benchmill.workflow.job import job, origin

with job(snakemake):
    table = reproduction(Path(snakemake.input.papers[0]).parent)
    storage.write(table, "reproduction", snakemake.output.reproduction, origin(snakemake))
    shown = sources.reproduction(table)
    for suffix in ("tex", "csv", "md"):
        write(shown, snakemake.output.get(suffix))
    text = paper.render([], snakemake.input.templates[0], shown.title, shown)
    write_text(snakemake.output.reproduction_paper, text)
