"""The words that rules of the workflow are written with, and what is the same for all of them."""

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from snakemake.io import ancient, local

from benchmill import readers
from benchmill.core import Given, UserError, Written
from benchmill.core.storage import files_below
from benchmill.registry.formats import FORMATS
from benchmill.study import catalogue, sources, views, yaml_text
from benchmill.study.study import Study, read_studies
from benchmill.workflow import borrowed, check_folder, fork_server, mistake, results_of
from benchmill.workflow.fingerprint import fingerprint, memory, watch
from benchmill.workflow.jobs import Job, modules
from benchmill.workflow.up_to_date import Declared, UpToDate, first_look

#: A function of wildcards, which Snakemake calls.
OfWildcards = Callable[[Any], Any]


#: Megabytes of memory that a job of one source asks for at the most: rows of logs are read piece by piece (0.9 GB for a log of
#: 10 GB), and a table has at most 40 million cells of 100 bytes.
MOST_OF_SOURCE = 8_000

#: From so many megabytes of logs on, a source is a submission of its own: it takes longer than the two starts of Snakemake there.
LARGE_MB = 50


class Rules:
    """Studies and rules of one reading of the Snakefile.

    Attributes
    ----------
    studies : mapping of str to Study
    downloads : mapping of str to Source
        What is fetched, by where it is kept.
    away : bool
        Whether results go to remote storage (`--default-storage-provider`).
    of_source, of_measures, of_all_sources : dict
        Resources of a job of one source, and of one that takes all sources together.
    """

    def __init__(self, workflow: Any, config: Given, root: Path) -> None:
        self._workflow, self._root = workflow, root
        self.away = borrowed.stores_results_elsewhere(workflow)
        begins = borrowed.begins_run(workflow)
        # a job on another machine of a cluster is told by the run that it belongs to
        if begins:
            watch(root / "scripts")
        # what Snakemake does with the rules of a workflow that has this one as a module is left alone
        if borrowed.is_main(workflow):
            fork_server.start_jobs_of(workflow, root / "scripts")
            borrowed.know_code_by_digest(root / "scripts")
        self.studies = _read(borrowed.config_files(workflow) or [root / "config.yaml"], config, root, aloud=begins)
        self.sources = [source for study in self.studies.values() for source in study.sources]
        self.downloads = {str(source.paths[0]): source for source in self.sources if source.url}
        self._mb = raw_mb(self.studies)
        self.of_source = self._resources((700, 60, MOST_OF_SOURCE), (2, 0.1))
        self.of_all_sources, self.of_measures = (self._resources((700, per_mb), (5, 0.05)) for per_mb in (10, 5))
        # elsewhere than in `results` where a module has a prefix
        self.results = results_of(workflow, self.studies)
        # said in each rule, since for all of them it would be said of the rules of a Snakefile that includes these
        self._names = catalogue.constraints(self.studies)
        remote = borrowed.elsewhere(workflow)
        known = borrowed.kept_with(workflow)
        self._up_to_date = UpToDate(self.studies, borrowed.moved(workflow), known, remote)
        # a job on another machine has been judged by the run that it belongs to
        self._looks = begins and (remote is not None or not self.away)

    def _resources(self, memory: tuple[float, ...], minutes: tuple[float, ...]) -> Written:
        return {"mem_mb": by_size(self._mb, *memory), "runtime": by_size(self._mb, *minutes)}

    # --- where jobs run ------------------------------------------------------------------------

    def batch(self, wildcards: Any) -> str | None:
        """Return the batch of sources that a job is sent to a cluster with, where a profile asks for batches."""
        return batch(self._mb, wildcards) if borrowed.sends_batches(self._workflow) else None

    def together(self, wildcards: Any) -> str | None:
        """Return the single submission for everything that compares a study's algorithms, if a profile asks for batches."""
        return borrowed.grouped(self._workflow, "compare_{study}", study=wildcards.study)

    def kept(self, path: Any) -> Any:
        """Return where a download is: in the remote storage if there is one, so that all jobs see it."""
        return path if self.away else local(str(path))

    def _placed(self, path: Any) -> Any:
        if isinstance(path, list):
            return [self._placed(one) for one in path]
        if isinstance(path, str):
            return self.kept(path) if path in self.downloads else path
        # of what moves with the folder of the run Snakemake remembers no place
        path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        # the time of a folder tells nothing of what is in it, which is among the parameters
        return ancient(local(str(path))) if path.is_dir() else local(str(path))

    # --- what a rule says ----------------------------------------------------------------------

    def parameter(self, function: Callable[[Job], Any], **fixed: str) -> OfWildcards:
        """Return a function of a job as one of its wildcards; some may be fixed."""
        return lambda wildcards: function(self._job(wildcards, fixed))

    def input(self, function: Callable[[Job], Any], **fixed: str) -> OfWildcards:
        """Return the same with its paths placed, as an input of a rule."""

        def placed(wildcards: Any) -> Any:
            return self._placed(function(self._job(wildcards, fixed)))

        placed.raw = self.parameter(function, **fixed)  # type: ignore[attr-defined]
        return placed

    def named(self, module: ModuleType, adapt: Callable[..., OfWildcards]) -> SimpleNamespace:
        """Return the functions of a module that are of a job, and those that make such functions, adapted to rules."""
        functions = {}
        for name, function in vars(module).items():
            kind = getattr(function, "__annotations__", {}) if getattr(function, "__module__", "") == module.__name__ else {}
            if kind.get("job") == "Job":
                functions[name] = adapt(function)
            elif kind.get("return") == "OfJob":
                functions[name] = _adapted(function, adapt)
        return SimpleNamespace(**functions)

    def outputs(self, rule: str, *others: str, **constraints: str) -> dict[str, str]:
        """Return by name (or format) the results of a rule, or `others` of them, and the note of what they were made from.

        A wildcard may stand for the names of the studies, or for what `constraints` say; of an empty one the rule says it itself.
        """
        names = {name: pattern for name, pattern in {**self._names, **constraints}.items() if pattern}
        made = catalogue.made_by(rule)
        chosen = {name: made[name] for name in others} if others else made
        patterns = {
            suffix or name: pattern
            for name, result in chosen.items()
            for suffix, pattern in zip(result.formats or [""], result.patterns(), strict=True)
        }
        patterns["origin"] = catalogue.origin(rule)
        for wildcard, pattern in names.items():
            patterns = {name: path.replace(f"{{{wildcard}}}", f"{{{wildcard},{pattern}}}") for name, path in patterns.items()}
        return patterns

    def code(self, script: str, *modules: str | OfWildcards) -> OfWildcards:
        """Return the digest of the code that a script runs, with the modules that it asks for by name."""

        def digest(wildcards: Any) -> str:
            modules_named = [name for one in modules for name in ([one] if isinstance(one, str) else one(wildcards))]
            return _digest_of(self._root / "scripts" / f"{script}.py", *modules_named)

        return digest

    def _job(self, wildcards: Any, fixed: Mapping[str, str]) -> Job:
        return Job(self.studies, self._root, {**dict(wildcards.items()), **fixed}, self.results)

    def no_profile(self, wildcards: Any) -> str:
        """Say which profiles there are, if one is requested that is not among them."""
        raise mistake(catalogue.no_profile(self.studies, f"results/{wildcards.no_profile}.parquet"))

    # --- what is the same for all --------------------------------------------------------------

    def finish(self) -> None:
        """Give each rule that has been read its log, environment and group, and what its results are held against."""
        for rule in list(self._workflow.rules):
            origin = borrowed.named(rule.output).get("origin")
            # rules of others, and what was finished when the workflow was read before
            if origin is None or "asked" in borrowed.named(rule.params):
                continue
            pattern = borrowed.pattern(origin)
            name = pattern.split("/origins/")[1].split("/")[0].removesuffix(".json")
            borrowed.complete(
                self._workflow,
                rule,
                log=catalogue.joblog(name),
                conda=str(self._root / "environment.yml"),
                groups={"source": self.batch, "study": self.together},
            )
            if "code" not in borrowed.named(rule.params):
                rule.set_params(code=self.code(Path(rule.script).stem))
            inputs = list(rule.input)
            declared = Declared(name, inputs, borrowed.named(rule.params))
            rule.set_params(files=declared.files, asked=partial(self._up_to_date.asked, declared))
            if self.results != "results":
                rule.set_params(results=self.results)
            # what a host says instead is not ours to judge
            if all(callable(item) and not isinstance(item, str) for item in inputs):
                self._up_to_date.rules[pattern] = declared
                if not inputs:
                    # what reads nothing is judged all the same
                    rule.set_input(lambda wildcards: [])
                borrowed.replace_input(rule, partial(self._held_against, declared))

    def _held_against(self, declared: Declared, function: OfWildcards) -> OfWildcards:
        return lambda wildcards: self._judged(declared, wildcards, function(wildcards))

    def _judged(self, declared: Declared, wildcards: Any, paths: Any) -> Any:
        """Return inputs of a job after a look whether its results are up to date, which else are made again."""
        if not self._looks:
            return paths
        if self._up_to_date.note(declared, wildcards) is None:
            of_job = self._up_to_date.made(declared, wildcards)
            made = list(map(self._up_to_date.moved, of_job))
            places = [place for path in made for place in (path, os.path.dirname(path)) if os.path.exists(place)]
            locked = [place for place in places if not os.access(place, os.W_OK)]
            if locked and borrowed.may_run_jobs(self._workflow):
                raise mistake(f"{locked[0]}: it cannot be written; make the results writable, or run in a copy of their folder.")
            if not borrowed.make_again(self._workflow, made) and any(map(self._up_to_date.exists, of_job)):
                raise mistake(
                    f"{made[0]}: it was made from something other than what is asked for now, and this version of Snakemake "
                    "cannot be told so; delete it, or install a version that environment.yml names."
                )
            return paths
        return paths if borrowed.makes_again(self._workflow) else self._settled(paths)

    def _settled(self, path: Any) -> Any:
        """Return an input whose time does not count, unless a file beside it is lost."""
        if isinstance(path, list):
            return [self._settled(one) for one in path]
        return ancient(path) if self._up_to_date.whole(str(path)) else path


@cache
def _digest_of(script: Path, *modules: str) -> str:
    return fingerprint(script, *modules, memory=memory())


def _read(files: Sequence[Path], config: Given, root: Path, *, aloud: bool) -> dict[str, Study]:
    """Return the studies of a configuration; an unreadable source is reported immediately, and by the job that would read it."""
    try:
        check_folder(Path.cwd())
        check_folder(root)
        studies = read_studies(
            yaml_text.as_written(config, files),
            [*(path.parent for path in files), Path()],
            look=partial(first_look, code=_digest_of(Path(readers.__file__), *modules(FORMATS))),
            figures_of=views.figures_of,
            where=files[-1].name,
            broken_sources=True,
        )
    except UserError as error:
        raise mistake(str(error)) from None
    for source in [source for study in studies.values() for source in study.sources if aloud and source.broken]:
        print(f"{files[-1].name}: {source.broken}", file=sys.stderr)
    return studies


def _adapted(factory: Callable[..., Any], adapt: Callable[..., OfWildcards]) -> Callable[..., OfWildcards]:
    return lambda *arguments, **keywords: adapt(factory(*arguments, **keywords))


# --- resources that jobs ask for, from the sizes of the logs behind them (docs/scaling.md says how they were measured) ---


def raw_mb(studies: Mapping[str, Study]) -> dict[tuple[str, str | None], float]:
    """Return the size of the raw logs by study and source, known before anything runs; that of the whole study by None."""
    sizes = {study.name: {source.name: _mb(source) for source in study.sources} for study in studies.values()}
    return {
        (study, name): mb for study, by_name in sizes.items() for name, mb in [*by_name.items(), (None, sum(by_name.values()))]
    }


def by_size(
    raw: Mapping[tuple[str, str | None], float], base: float, per_mb: float, most: float = math.inf
) -> Callable[[Any, int], int]:
    """Return a resource that grows with the raw logs behind a job, and doubles with each retry.

    For one source its own logs count, for a job that gathers those of the whole study.
    """
    return lambda wildcards, attempt: int(
        min(base + per_mb * raw.get((wildcards.study, wildcards.get("source")), 0), most) * 2 ** (attempt - 1)
    )


def batch(raw: Mapping[tuple[str, str | None], float], wildcards: Any) -> str:
    """Return the submission to a cluster that a job of a source is part of: that of many sources, or a large source's own."""
    large = raw.get((wildcards.study, wildcards.source), 0) >= LARGE_MB
    return f"source_{wildcards.study}_{wildcards.source}" if large else "sources"


def _mb(source: sources.Source) -> float:
    if source.url and not source.paths[0].exists():
        return source.size_mb or 20
    try:
        files = [Path(file) for path in source.paths for file in ([path] if path.is_file() else files_below(path))]
        return sum(file.stat().st_size for file in files if file.is_file()) / 1e6
    except OSError:
        # what cannot be read its job says
        return 0
