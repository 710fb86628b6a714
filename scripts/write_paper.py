"""Write the LaTeX source of the paper: the results of all studies in; paper.tex out."""

from pathlib import Path

from benchmill import results, tables
from benchmill.job import job
from benchmill.report import paper

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
                "config": study["config"],
                "tables": built,
                "long": [table.name for table in built if tables.latex.is_long(table)],
                "figures": [
                    {**figure, "caption": study["captions"][figure["name"]], "file": f"figures/{figure['name']}.pdf"}
                    for figure in parts["figures"]
                ],
                "verdicts": {measure: tables.verdict(study, settings) for measure, settings in parts["verdicts"].items()},
            }
        )
    Path(snakemake.output.tex).write_text(paper.render(studies, snakemake.input.template), "utf-8")
