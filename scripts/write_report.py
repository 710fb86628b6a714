"""Write the HTML report: the results, figures and explorable tables of all studies in; report.html out."""

from benchmill import tables
from benchmill.core.whole_file import write_text
from benchmill.report import page
from benchmill.workflow import results
from benchmill.workflow.job import job

with job(snakemake):
    read = results.load(
        [*snakemake.input.results, *snakemake.input.explored, *snakemake.input.captions, *snakemake.input.figures]
    )
    studies = []
    for name, parts in snakemake.params.studies.items():
        study = read[name]
        kinds = [*parts["tables"].values(), ("origins", {})]
        studies.append(
            {
                "name": name,
                "title": parts["title"],
                "config": study["config"],
                "data": study,
                "tables": [tables.build(kind, study, settings) for kind, settings in kinds],
                "figures": [
                    {**figure, "caption": study["captions"][figure["name"]], "svg": study["svg"][figure["name"]]}
                    for figure in parts["figures"]
                ],
                "summaries": {measure: tables.summary(study, settings) for measure, settings in parts["summaries"].items()},
                "verdicts": {measure: tables.verdict(study, settings) for measure, settings in parts["verdicts"].items()},
                "reports": study["ingest"],
                "numbers": tables.numbers.build(name, study, study["ingest"]),
            }
        )
    write_text(snakemake.output.html, page.render(studies))
