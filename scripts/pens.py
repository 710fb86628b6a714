"""Give out pens: the ingest reports of all studies and the record in; the pens out, which the record has from then on too."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.study import results
from benchmill.text.appearance import places
from benchmill.workflow.job import job

with job(snakemake):
    record = Path(snakemake.params.record)
    studies = results.load(snakemake.input.reports)
    algorithms = {name: [one for report in read["ingest"] for one in report["algorithms"]] for name, read in studies.items()}
    known = results.read_pens(record)
    pens = places(algorithms, known)
    write_text(snakemake.output.pens, results.pens_text(pens))
    if pens != known:
        write_text(record, results.pens_text(pens))
