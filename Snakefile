"""benchmill: from raw solver logs to a paper.

Input: the studies of `config.yaml` (or of any file given with `--configfile`).
Output: `results/`: one folder a study, `paper.pdf` and `report.html` for all of them.
Steps, in the order of the flow: ingest, costs, ratios, profiles, indicators, inference, figures,
tables, reproduction, paper (`workflow/rules/flow.smk`). `docs/files.md` describes every file.
"""

from benchmill.workflow import flow


include: flow(workflow)


rule all:
    default_target: True
    input:
        catalogue.all_results(STUDIES, HERE, CAN_TYPESET),
    localrule: True
    message:
        "Everything is made: open results/report.html"
