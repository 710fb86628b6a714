"""benchmill: from raw solver logs to a paper. The table of contents.

Input: the studies of `config.yaml` (or of any file given with `--configfile`).
Output: `results/`: one folder a study, `paper.pdf` and `report.html` for all of them.
Steps, in the order of the flow: ingest, costs, ratios, profiles, indicators, inference, figures,
tables, reproduction, paper. `docs/files.md` describes every file.
"""

from snakemake.utils import min_version

from benchmill.workflow import begin, readable

min_version("9.20")


# a file of someone else's that lacks `studies` is a mistake, not a wish for these
if not workflow.configfiles:

    configfile: readable(str(workflow.current_basedir.join("config.yaml")))


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/costs.smk"
include: "workflow/rules/ratios.smk"
include: "workflow/rules/profiles.smk"
include: "workflow/rules/indicators.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/reproduction.smk"
include: "workflow/rules/paper.smk"


rule all:
    default_target: True
    input:
        plan.all_results(STUDIES, HERE, CAN_TYPESET),
    localrule: True
    message:
        "Everything is made: open results/report.html"


onstart:
    begin(workflow)


onsuccess:
    if not CAN_TYPESET:
        print(
            "No TeX engine found, so there is no results/paper.pdf; to get it: apt-get install lmodern "
            "texlive-latex-base texlive-latex-recommended texlive-pictures, then the same command again"
        )
