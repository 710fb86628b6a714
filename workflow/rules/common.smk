"""The studies, and what rules are written with. Nothing here starts a job.

REQUIRED INPUT: `config`, as Snakemake has read it; `HERE`, the folder of the workflow.
GIVES: `reads`, functions for inputs of rules (`benchmill.workflow.inputs`); `outputs`, their results; `given` and `code`, what else
these depend on (`benchmill.workflow.parameters`). Log, environment and group of a rule are those of all, if it says no others.
"""

from benchmill.registry import indicators, variants
from benchmill.workflow import catalogue, inputs, parameters
from benchmill.workflow.catalogue import any_of
from benchmill.workflow.rules import Rules
from benchmill.workflow.typesetting import tex_engine_available

# the PDF needs a TeX engine, everything else does not
CAN_TYPESET = tex_engine_available()
FLOW = Rules(workflow, config, HERE)
STUDIES, SOURCES, DOWNLOADS = FLOW.studies, FLOW.sources, FLOW.downloads
reads, given = FLOW.named(inputs, FLOW.input), FLOW.named(parameters, FLOW.parameter)
outputs, code = FLOW.outputs, FLOW.code
TESTED = {
    **{name: given.setting(name) for name in parameters.TESTED},
    "sources": given.sources,
}
#: What a paper of all studies may bring in.
TYPESET = {
    "numbers": reads.of_all("numbers", "pairs"),
    "tables": reads.of_all("table_tex"),
    "figures": reads.figures("pdf"),
}
