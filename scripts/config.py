"""Write the study with every default filled in, as a configuration of its own."""

import yaml

from benchmill.core.whole_file import write_text
from benchmill.workflow.job import job

with job(snakemake):
    studies = {"studies": {snakemake.wildcards.study: snakemake.params.settings}}
    write_text(snakemake.output.config, yaml.safe_dump(studies, sort_keys=False, allow_unicode=True))
