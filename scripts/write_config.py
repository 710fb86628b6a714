"""Write a study down with every default filled in, ready to be a configuration of its own."""

from pathlib import Path

import yaml

from benchmill.job import job

with job(snakemake):
    studies = {"studies": {snakemake.wildcards.study: snakemake.params.settings}}
    Path(snakemake.output.config).write_text(yaml.safe_dump(studies, sort_keys=False, allow_unicode=True), "utf-8")
