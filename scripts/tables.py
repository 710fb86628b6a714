"""Write all tables of a study and its headline numbers as macros: its results in; LaTeX, CSV, Markdown and captions out."""

from pathlib import Path

from benchmill.tables import numbers, write
from benchmill.workflow import pages, results
from benchmill.workflow.job import job

with job(snakemake):
    name = snakemake.params.study
    study = results.load(snakemake.input)[name]
    files = {}
    for path in map(Path, snakemake.output):
        files.setdefault(path.stem, []).append(path)
    for table, (kind, settings) in snakemake.params.tables.items():
        built = pages.table(kind, study, settings)
        long = (settings.get("asked") or {}).get("longtable")
        layout = snakemake.params.layout if long is None else snakemake.params.layout | {"long": long}
        for path in files[table]:
            write(built, path, layout)
    numbers.write(numbers.build(name, study, study["ingest"]), snakemake.output.numbers, snakemake.output.pairs)
