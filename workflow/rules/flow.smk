"""The steps in the order of the flow, and what is done before and after them.

REQUIRED INPUT: the studies of `config.yaml`, or of any file given with `--configfile`.
GIVES: all rules but the one that is made by default, which Snakemake takes from no included file.
"""

from pathlib import Path

from snakemake.utils import min_version

from benchmill.workflow import begin, readable
from benchmill.workflow.up_to_date import since_before

min_version("9.20")

# from this file, not from the main Snakefile, which is someone else's where this one is a module of it
HERE = Path(str(workflow.current_basedir)).parents[1]

# a file of someone else's that lacks `studies` is a mistake, not a wish for these
if not workflow.configfiles:

    configfile: readable(str(HERE / "config.yaml"))


include: "common.smk"
include: "ingest.smk"
include: "costs.smk"
include: "ratios.smk"
include: "profiles.smk"
include: "indicators.smk"
include: "inference.smk"
include: "figures.smk"
include: "tables.smk"
include: "paper.smk"


FLOW.finish()


onstart:
    begin(workflow)


onsuccess:
    for paragraph in since_before(STUDIES.values()):
        print(paragraph)
    if not CAN_TYPESET:
        print(
            "No TeX engine found, so there is no results/paper.pdf; to get it: apt-get install lmodern "
            "texlive-latex-base texlive-latex-recommended texlive-pictures, then the same command again"
        )
