"""Write the LaTeX sources of the paper and its supplement: exhibits and captions of all studies in."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import sources
from benchmill.paper import paper
from benchmill.study import results
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    studies = pages.assembled(snakemake.params.studies, results.load([*snakemake.input.results, *snakemake.input.captions]))
    compared = [sources.reproduction(storage.read(path, "reproduction")) for path in snakemake.input.get("reproduction", [])]
    templates = {Path(path).stem: path for path in snakemake.input.templates}
    for name in ("paper", "supplement"):
        text = paper.render(studies, templates[name], reproduction=compared[0] if compared else None)
        write_text(snakemake.output.get(name), text)
