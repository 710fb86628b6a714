"""Write all tables of a study and its headline numbers: its results in; LaTeX, CSV, Markdown, macros and exhibits out."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import numbers, write
from benchmill.study import results
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    name = snakemake.params.study
    # the table of settings is made from all of them
    study = {**results.load(snakemake.input)[name], "config": snakemake.params.tables["settings"][1]["config"]}
    built = {table: pages.table(kind, study, settings) for table, (kind, settings) in snakemake.params.tables.items()}
    for path in map(Path, [*snakemake.output.tex, *snakemake.output.csv, *snakemake.output.others]):
        asked = snakemake.params.tables[path.stem][1].get("asked") or {}
        own = {"width": asked["width"]} if asked.get("width") else {}
        write(built[path.stem], path, snakemake.params.layout | own)
    first = pages.said_first(study, snakemake.params.said)
    found = numbers.build(name, study, study["ingest"], first.named)
    numbers.write(found, snakemake.output.numbers)
    exhibits = pages.exhibits(list(built.values()), found, first, snakemake.params.said, study)
    write_text(snakemake.output.exhibits, results.exhibits_text(exhibits))
