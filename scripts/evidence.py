"""Pack the runs of a study, and what stands behind its statements about pairs, for the page: results in, JSON out."""

import json
from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.notebook.results import Results
from benchmill.page import runs
from benchmill.study import results
from benchmill.why import answers
from benchmill.workflow import pages
from benchmill.workflow.job import job

with job(snakemake):
    read, settings = snakemake.input, snakemake.params.settings
    study = {
        "config": settings,
        "groups": snakemake.params.groups,
        "reports": [results.read_report(path) for path in read.reports],
        "listed": pages.listed(read.trials, read.costs, read.excerpts, read.traces),
    }
    folder = Path(snakemake.output.evidence).parent
    why = answers.on_page(Results(str(folder), snakemake.wildcards.study, settings))
    write_text(snakemake.output.evidence, json.dumps(runs.evidence(study, why)) + "\n")
