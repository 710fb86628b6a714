"""Write the LaTeX source of the paper: the results of all studies and the reproduction in; paper.tex out."""

from benchmill import tables
from benchmill.core import storage
from benchmill.core.whole_file import write_text
from benchmill.report import paper
from benchmill.tables.reproduction import build
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    read = results.load([*snakemake.input.results, *snakemake.input.captions])
    studies = []
    for name, parts in snakemake.params.studies.items():
        study = read[name]
        built = [tables.build(kind, study, settings) for kind, settings in parts["tables"].values()]
        studies.append(
            {
                "name": name,
                "title": parts["title"],
                "siunitx": parts["siunitx"],
                "config": study["config"],
                "tables": built,
                "long": [table.name for table in built if tables.latex.is_long(table)],
                "figures": [
                    {**figure, "caption": study["captions"][figure["name"]], "file": f"figures/{figure['name']}.pdf"}
                    for figure in parts["figures"]
                ],
                "summaries": {measure: tables.summary(study, settings) for measure, settings in parts["summaries"].items()},
                "verdicts": {measure: tables.verdict(study, settings) for measure, settings in parts["verdicts"].items()},
            }
        )
    compared = [build(storage.read(path, "reproduction")) for path in snakemake.input.get("reproduction", [])]
    text = paper.render(studies, snakemake.input.template, reproduction=compared[0] if compared else None)
    write_text(snakemake.output.tex, text)
