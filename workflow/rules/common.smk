"""The studies, and what rules are written with. Nothing here starts a job.

REQUIRED INPUT: `config`, as Snakemake has read it; `HERE`, the folder of the workflow.
GIVES: `reads`, functions for inputs of rules (`benchmill.workflow.jobs`); `outputs`, their results; `given` and `code`, what else
these depend on. Log, environment and group of a rule are those of all, if it says no others.
"""

from benchmill.registry import indicators, variants
from benchmill.registry.conventions import CONVENTIONS
from benchmill.registry.criteria import CRITERIA, SCORES
from benchmill.registry.figures import KINDS as FIGURES
from benchmill.registry.measures import MEASURES
from benchmill.registry.tables import KINDS as TABLES
from benchmill.study import catalogue, views
from benchmill.workflow import jobs
from benchmill.study.catalogue import any_of
from benchmill.workflow.rules import Rules
from benchmill.workflow.typesetting import tex_version

# the PDF needs a TeX engine, everything else does not
TEX = tex_version()
CAN_TYPESET = TEX is not None
FLOW = Rules(workflow, config, HERE)
STUDIES, SOURCES, DOWNLOADS = FLOW.studies, FLOW.sources, FLOW.downloads
reads, given = FLOW.named(jobs, FLOW.input), FLOW.named(jobs, FLOW.parameter)
outputs, code = FLOW.outputs, FLOW.code
TESTED = {
    **{name: given.setting(name) for name in jobs.TESTED},
    "sources": given.each("study.sources", "name"),
}
#: What a paper of all studies may bring in.
TYPESET = {
    "numbers": reads.of_all("numbers"),
    "tables": reads.of_all("table_tex"),
    "figures": reads.figures("pdf"),
}
