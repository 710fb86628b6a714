"""The studies, the plan of their results, and how jobs start. Nothing here starts one.

REQUIRED INPUT: `config`, as Snakemake has read it; `HERE`, the folder of the workflow.
GIVES: `STUDIES`, `by_size`, `batch`, `together`; for every step of `benchmill.workflow.plan` its `inputs`, `outputs` and `parameters`.
"""

import os
import sys
from functools import cache, partial
from pathlib import Path

from benchmill import archives, readers
from benchmill.core.errors import UserError
from benchmill.workflow import (
    borrowed,
    check_folder,
    fork_server,
    mistake,
    plan,
    results_of,
    views,
    yaml_text,
)
from benchmill.workflow.plan import any_of
from benchmill.workflow.fingerprint import fingerprint, memory, watch
from benchmill.workflow.study import read_studies
from benchmill.workflow.typesetting import tex_engine_available
from benchmill.workflow.up_to_date import UpToDate
from benchmill.workflow.watched import digests_or_why

# a job on another machine of a cluster is told by the run that it belongs to
if borrowed.begins_run(workflow):
    watch(HERE / "scripts")
# what Snakemake does with the rules of a workflow that has this one as a module is left alone
if borrowed.is_main(workflow):
    fork_server.start_jobs_of(workflow, HERE / "scripts")
    borrowed.know_code_by_digest(HERE / "scripts")
CONFIG_FILES = borrowed.config_files(workflow) or [HERE / "config.yaml"]
# the PDF needs a TeX engine, everything else does not
CAN_TYPESET = tex_engine_available()

try:
    check_folder(Path.cwd())
    check_folder(HERE)
    STUDIES = read_studies(
        yaml_text.as_written(config, CONFIG_FILES),
        [*(path.parent for path in CONFIG_FILES), Path()],
        look=partial(readers.sniff, memory=Path(".snakemake/benchmill-looks")),
        figures_of=views.figures_of,
        where=CONFIG_FILES[-1].name,
        broken_sources=True,
    )
except UserError as error:
    raise mistake(str(error)) from None

SOURCES = [source for study in STUDIES.values() for source in study.sources]
# told at once, and by the job that would read it; what does not need it is made
for source in SOURCES if borrowed.begins_run(workflow) else ():
    if source.broken:
        print(f"{CONFIG_FILES[-1].name}: {source.broken}", file=sys.stderr)
#: What is fetched, by where it is kept.
DOWNLOADS = {str(source.paths[0]): source for source in SOURCES if source.url}
RAW_MB = plan.raw_mb(STUDIES)
# results go to remote storage (`--default-storage-provider`)
AWAY = borrowed.stores_results_elsewhere(workflow)
# said in each rule, since for all of them it would be said of the rules of a Snakefile that includes these
NAMES = plan.constraints(STUDIES)
# elsewhere than in `results` where a module has a prefix
RESULTS = results_of(workflow, STUDIES)


def by_size(*amounts):
    """A resource that grows with the logs behind a job: what it needs without any, for each MB of them, and at the most."""
    return plan.by_size(RAW_MB, *amounts)


def here(path):
    """A path on this machine, which neither the prefix of a module nor a remote storage of results (`--default-storage-provider`) moves."""
    return local(str(path))


def kept(path):
    """A download: where there is a remote storage it goes there, so that all jobs see it."""
    return path if AWAY else here(path)


def placed(path):
    """A path of the plan as an input: a result, or something that is here and that no job makes."""
    if isinstance(path, list):
        return [placed(one) for one in path]
    if isinstance(path, str):
        return kept(path) if path in DOWNLOADS else path
    # the time of a folder tells nothing of what is in it, which is among the parameters
    return ancient(here(path)) if path.is_dir() else here(path)


def batch(wildcards):
    """The batch of sources that a job is sent to a cluster with, where a profile asks for batches."""
    return plan.batch(RAW_MB, wildcards) if borrowed.sends_batches(workflow) else None


def together(wildcards):
    """The one submission of all that compares the algorithms of a study, where a profile asks for batches."""
    return borrowed.grouped(workflow, "compare_{study}", study=wildcards.study)


@cache
def code(name, *modules):
    """Digest of the code that a rule's script runs, so that the rule runs again when it changes."""
    return fingerprint(
        HERE / "scripts" / f"{name}.py",
        *modules,
        memory=memory(),
    )


# what is not on this machine cannot be looked at; a job on another one has been judged by the run that it belongs to
LOOKS_AT_RESULTS = borrowed.begins_run(workflow) and not AWAY
UP_TO_DATE = UpToDate(STUDIES, HERE, code, borrowed.moved(workflow))


def job_of(wildcards, **fixed):
    """A job of the plan; some wildcards may be fixed by its rule."""
    return plan.Job(STUDIES, HERE, {**dict(wildcards.items()), **fixed}, RESULTS)


def settled(path):
    """An input of what is up to date: its time has no say, unless it is made again because a file beside it is lost."""
    if isinstance(path, list):
        return [settled(one) for one in path]
    return ancient(path) if UP_TO_DATE.whole(str(path)) else path


def judged(step, job, found):
    """The inputs of a job, after a look whether what it makes is up to date; what is not is made again."""
    if not LOOKS_AT_RESULTS:
        return found
    if UP_TO_DATE.note(step, job) is None:
        made = [UP_TO_DATE.moved(path) for path in plan.STEPS[step].made(job)]
        if not borrowed.make_again(workflow, made) and any(map(os.path.exists, made)):
            raise mistake(
                f"{made[0]}: it was made from something else than what is asked for now, and this version of Snakemake cannot be "
                "told so; delete it, or install a version that environment.yml names."
            )
        return found
    if borrowed.makes_again(workflow):
        return found
    return {name: settled(paths) for name, paths in found.items()}


def inputs(step, **fixed):
    """Input function of a step of the plan, to be unpacked."""

    def of(wildcards):
        job = job_of(wildcards, **fixed)
        made_from = plan.STEPS[step].inputs(job).items()
        return judged(step, job, {name: placed(paths) for name, paths in made_from})

    return of


def outputs(step):
    """By name the outputs of a step of the plan, and the note of what they were made from."""
    return {**plan.STEPS[step].outputs, "origin": plan.origin(step)}


def parameters(step, **fixed):
    """By name what else the outputs of a step depend on: settings, the files that no job makes, the code."""
    declared = plan.STEPS[step]

    def of(parameter):
        return lambda wildcards: parameter(job_of(wildcards, **fixed))

    return {name: of(parameter) for name, parameter in declared.parameters.items()} | {
        "files": of(lambda job: digests_or_why(declared.watched(job))),
        "code": of(lambda job: code(declared.script or step, *declared.modules(job))),
        "asked": of(lambda job: UP_TO_DATE.asked(step, job)),
        **({} if RESULTS == "results" else {"results": RESULTS}),
    }


def no_profile(wildcards):
    """Say which profiles there are, where one is asked for that is none of them."""
    asked = f"results/{wildcards.no_profile}.parquet"
    raise mistake(plan.no_profile(STUDIES, asked))
