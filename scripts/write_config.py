"""Write a study down with every default filled in, ready to be a configuration of its own."""

import yaml

from benchmill.job import job
from benchmill.whole_file import write_text

with job(snakemake):
    studies = {"studies": {snakemake.wildcards.study: snakemake.params.settings}}
    write_text(snakemake.output.config, yaml.safe_dump(studies, sort_keys=False, allow_unicode=True))
