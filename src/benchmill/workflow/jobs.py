"""Functions of a `Job` that rules name: what it reads, and what else its results depend on.

Results are text; what no job makes, and is watched, is a `pathlib.Path`.
"""

# rules tell functions of a job by the words of their annotations
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmill import readers
from benchmill.core import Given
from benchmill.readers.selection import OF_STUDY
from benchmill.registry import formats, inference
from benchmill.registry.entry import Entry
from benchmill.registry.indicators import INDICATORS, Indicator
from benchmill.registry.measures import MEASURES
from benchmill.registry.variants import VARIANTS
from benchmill.study import catalogue, views
from benchmill.study.catalogue import RESULTS, Wildcards, files
from benchmill.study.sources import FILES_BESIDE, Source
from benchmill.study.study import ECDF_MEASURE, WITHOUT, Study
from benchmill.workflow import typesetting
from benchmill.workflow.job import digests

#: What every test depends on.
TESTED = ("not_competing", "problem_keys", "cluster_keys", "seed")
#: What of a measure makes one cost of the trials of a problem, and what is shown of it: no cost of a trial depends on these.
RATED = ("aggregate", "missing", "shift")
SHOWN = ("for", "label", "unit", "target_titles")


@dataclass(frozen=True)
class Job:
    """One job of a rule; `root` is the folder of `workflow/`, `results` that of the results, which Snakemake moves."""

    studies: Mapping[str, Study]
    root: Path
    wildcards: Wildcards = field(default_factory=dict)
    results: str = "results"

    @property
    def study(self) -> Study:
        """The study that the job is of."""
        return self.studies[self.wildcards["study"]]

    @property
    def all_studies(self) -> list[Study]:
        """The study that the job is of, or all studies."""
        return [self.study] if "study" in self.wildcards else list(self.studies.values())

    @property
    def measure(self) -> Given:
        """Settings of the measure that the job is of."""
        return self.study.measures[self.wildcards["measure"]]

    @property
    def variant(self) -> Given:
        """Settings of the profile that the job is of."""
        return self.study.weighted_variants[self.wildcards["variant"]]

    @property
    def figure(self) -> views.View:
        """The figure that the job is of."""
        return views.figures_of(self.study)[self.wildcards["figure"]]

    @property
    def source(self) -> Source:
        """The source that the job is of."""
        return self.study.source(self.wildcards["source"])

    def path(self, name: str, **others: str) -> str:
        """Return the path of a result, with the wildcards of the job and others."""
        return RESULTS[name].path.format(**{**self.wildcards, **others})

    def of_sources(self, name: str, **others: str) -> list[str]:
        """Return the paths of a result of the source that the job is of, or of every source."""
        sources = [self.wildcards["source"]] if "source" in self.wildcards else self.study.source_names
        return [self.path(name, **{**others, "source": source}) for source in sources]


#: A function of a job that rules name among their inputs or parameters.
OfJob = Callable[[Job], Any]


# --- inputs of many rules; `when` is the path of what must be so (see `of_job`), else there is none -----


def result(name: str, when: str = "", **others: str) -> OfJob:
    """Return the function that gives a result of the job."""
    return _if(when, lambda job: job.path(name, **others))


def of_sources(name: str, when: str = "") -> OfJob:
    """Return the function that gives a result of every source."""
    return _if(when, lambda job: job.of_sources(name))


def of_measures(name: str, stage: str, when: str = "") -> OfJob:
    """Return the function that gives a result of every measure of a stage, and where it is of a source, of every source."""
    of_source = "{source}" in RESULTS[name].path

    def found(job: Job) -> list[str]:
        measures = [{"measure": measure} for measure in job.study.measures_for(stage)]
        return [path for one in measures for path in (job.of_sources(name, **one) if of_source else [job.path(name, **one)])]

    return _if(when, found)


def of_study(*names: str, when: str = "") -> OfJob:
    """Return the function that gives all files of some results of the study."""
    return _if(when, lambda job: [path for name in names for path in files(job.study, name)])


def of_all(*names: str) -> OfJob:
    """Return the function that gives all files of some results of all studies."""
    return lambda job: [path for study in job.studies.values() for name in names for path in files(study, name)]


def figures(suffix: str) -> OfJob:
    """Return the function that gives the figures of the study, or of all, in a format (captions: `txt`)."""
    return lambda job: [path for study in job.all_studies for path in files(study, "figure") if path.endswith(f".{suffix}")]


def templates(*names: str) -> OfJob:
    """Return the function that gives templates of the paper."""
    return lambda job: [job.root / "workflow/paper" / name for name in names]


def named_file(path: str) -> OfJob:
    """Return the function that gives a file that a study may name, at a path of the job."""
    return lambda job: of_job(path)(job) or []


def _if(when: str, find: OfJob) -> OfJob:
    wanted, holds = not when.startswith("not "), of_job(when.removeprefix("not "))
    return lambda job: find(job) if not when or bool(holds(job)) == wanted else []


# --- inputs of one rule, or of a few that look at the same -------------------------------------


def logs(job: Job) -> list[str | Path]:
    """Return the logs of a source; what is fetched is made by a job."""
    source = job.source
    return [str(path) if source.url else path for path in source.paths if not source.broken]


def beside_logs(job: Job) -> list[Path]:
    """Return the files that a source names besides its logs, and the best-known values."""
    source = job.source
    beside = [Path(source.options[name]) for name in FILES_BESIDE if name in source.options]
    known = [job.study.best_known] if job.study.best_known else []
    return [] if source.broken else [*beside, *known]


def costs_of_variant(job: Job) -> list[str]:
    """Return the costs of all trials where the profile needs them."""
    return job.of_sources("costs") if VARIANTS[job.variant["variant"]].reads_costs(bool(job.variant["bands"])) else []


def measures_of_profiles(job: Job) -> list[str]:
    """Return the measures of all profiles."""
    return [job.path("profile_measures", measure=measure, variant=variant) for variant, measure in job.study.profiled]


def drawn(job: Job) -> list[str]:
    """Return the tables that a figure shows; its caption says how many values count as a floor."""
    tables = [f"results/{job.study.name}/{table}.parquet" for table in job.figure.tables]
    floored = any(job.study.measures[measure].get("floor") is not None for measure in job.figure.measures)
    return list(dict.fromkeys([*tables, *(job.of_sources("indicators") if floored else [])]))


def shown(job: Job) -> list[str]:
    """Return what tables and numbers of the study, or of all, are made from."""
    return [path for study in job.all_studies for path in catalogue.shown(study)]


def explored(job: Job) -> list[str]:
    """Return what a reader can explore on the page."""
    return [path for study in job.studies.values() for path in catalogue.explored(study)]


def costs_on_page(job: Job) -> list[str]:
    """Return the costs that the page lists run by run: not those of the targets of the ECDF."""
    return [path for path in files(job.study, "costs") if Path(path).parent.name != ECDF_MEASURE]


def page_templates(job: Job) -> list[Path]:
    """Return the templates of the page."""
    return sorted((Path(readers.__file__).parents[1] / "page/templates").rglob("*.*"))


def paper_tables(job: Job) -> list[Path]:
    """Return the tables of published papers that ship with the workflow."""
    return catalogue.paper_tables(job.root)


def reproduction(job: Job) -> list[str]:
    """Return the comparison with published papers, where a study is of one."""
    return [job.path("reproduction")] if catalogue.reproduced(job.studies, job.root) else []


def beside_own_paper(job: Job) -> list[Path]:
    """Return the files that the paper of the study may read, beside the results."""
    return list(typesetting.paper_files(job.study.paper, job.results)) if job.study.paper else []


# --- parameters of many rules ------------------------------------------------------------------


def of_job(path: str) -> OfJob:
    """Return the function that gives what the job has at a dotted path, such as `source.name`."""

    def found(job: Job) -> Any:
        value: Any = job
        for part in path.split("."):
            value = value[part] if isinstance(value, Mapping) else getattr(value, part)
        return value

    return found


def setting(key: str) -> OfJob:
    """Return the function that gives the setting of a dotted key."""
    return of_job(f"study.settings.{key}")


def each(path: str, attribute: str) -> OfJob:
    """Return the function that gives an attribute of each thing at a path."""
    return lambda job: [getattr(one, attribute) for one in of_job(path)(job)]


def only(path: str, *names: str) -> OfJob:
    """Return the function that gives the mapping at a path with some names alone."""
    return lambda job: {name: value for name, value in of_job(path)(job).items() if name in names}


def without(path: str, *names: str) -> OfJob:
    """Return the function that gives the mapping at a path without some names."""
    return lambda job: {name: value for name, value in of_job(path)(job).items() if name not in names}


def of(function: Callable[[Study], Any]) -> OfJob:
    """Return the function that gives what a function says of the study."""
    return lambda job: function(job.study)


def measures_for(stage: str) -> OfJob:
    """Return the function that gives the measures of a stage."""
    return lambda job: job.study.measures_for(stage)


def rates(stage: str) -> OfJob:
    """Return the function that gives the measures of a stage (`all`: all) whose costs are 1 / rate."""
    return lambda job: [m for m in job.study.measures_for(stage) if MEASURES[job.study.measures[m]["kind"]].rate]


def module(registry: Mapping[str, Entry], path: str) -> OfJob:
    """Return the function that gives the module of the entry of a registry that the job names at a path."""
    return lambda job: [registry[of_job(path)(job)].module]


# --- parameters of one rule --------------------------------------------------------------------


def reading(job: Job) -> Given:
    """Return the options that the source is read with, but what the study calls its algorithms."""
    return {**job.source.options, OF_STUDY: job.study.taken}


def unnamed(job: Job) -> Any:
    """Return what to name where the measure cannot be taken."""
    return WITHOUT if job.wildcards["measure"] == ECDF_MEASURE else None


def one_cost(job: Job) -> Given:
    """Return how the trials of a problem become one cost in the ratios."""
    study, settings = job.study, only("measure", *RATED)(job)
    if study.variants_for(job.wildcards["measure"]) or not study.replicated:
        return dict(settings)
    # nothing but the order of the algorithms is made of them, which is no reason to stop
    return {**settings, "aggregate": "median", "missing": "common"}


def listed_groups(job: Job) -> dict[str, list[str]]:
    """Return the groups of the profile with those of their problems that no attribute identifies, which may belong to others."""
    known = {problem for values in job.study.attributes.get("problem", {}).values() for problem in values}
    groups = (job.variant["groups"] or {}).items()
    return {name: [problem for problem in problems if problem not in known] for name, problems in groups}


def profiled(job: Job) -> bool:
    """Return True if the measure has profiles."""
    return bool(job.study.variants_for(job.wildcards["measure"]))


def missing(job: Job) -> Given:
    """Return how each measure with profiles counts missing costs."""
    return {name: job.study.measures[name]["missing"] for name in job.study.measures_for("profiles")}


def primary(job: Job) -> Given:
    """Return the measure, the targets and the criterion of the primary analysis, and what scores of competitions take."""
    stated = job.study.primary
    measure = job.study.measures.get(job.study.primary_measure or "", {})
    scale = {
        "limit": stated.limit,
        "shift": measure.get("mean_shift", 10.0),
        "added": measure.get("shift", 0.0),
        "beside": stated.beside,
    }
    return {"criterion": stated.criterion, "measure": stated.measure, "targets": stated.targets, "scale": scale}


def by(job: Job) -> Given:
    """Return what makes an algorithm the leader."""
    stated = primary(job)
    return {
        "criterion": stated["criterion"],
        "rates": rates("all")(job),
        "not_competing": job.study.settings["not_competing"],
        "scale": {
            **stated["scale"],
            "measure": stated["measure"],
            "shifts": {name: measure.get("shift", 0.0) for name, measure in job.study.measures.items()},
        },
    }


def claimed_measures(job: Job) -> Given:
    """Return how costs become one a problem, by claimed measure."""
    return {
        name: {key: job.study.measures[name].get(key) for key in (*RATED, "quantity", "label")}
        for name in job.study.measures_for("claims")
    }


def rank_sums(job: Job) -> Given:
    """Return the settings of tests on single problems."""
    return {**only("study.settings", "problem_keys", "not_competing")(job), **only("study.settings.inference", "alpha")(job)}


def figure(job: Job) -> Given:
    """Return the settings of the figure."""
    return views.figure_settings(job.study, job.figure)


def fonts(job: Job) -> list[str]:
    """Return the digests of the fonts that are installed and used."""
    return digests(views.font_files(job.study))


def cited(job: Job) -> Given:
    """Return the settings that name methods to cite."""
    return {**only("study.settings", "profiles", "inference", "indicators")(job), "measures": job.study.measures}


def indicators_made(job: Job) -> list[str]:
    """Return the names of the indicators that the study has."""
    return [name for name in INDICATORS if name in RESULTS and files(job.study, name)]


def cited_sources(job: Job) -> dict[str, Given]:
    """Return what to cite of each source."""
    return {
        source.name: {"citation": source.citation, "url": source.url}
        for source in job.study.sources
        if source.citation or source.url
    }


def page_parts(job: Job) -> Given:
    """Return what the papers and the page say of the study, or of all."""
    return {study.name: views.page_parts(study) for study in job.all_studies}


def results_of_study(job: Job) -> str:
    """Return the folder of the results of the study."""
    return f"{job.results}/{job.study.name}"


# --- modules that scripts ask for by name, which no import statement shows -----------------------


def modules(*registries: Mapping[str, Entry]) -> list[str]:
    """Return the modules of registries, each once."""
    return list(dict.fromkeys(entry.module for registry in registries for entry in registry.values()))


def reader(job: Job) -> list[str]:
    """Return the module that reads the source."""
    return [] if job.source.broken else [formats.named(job.source.format).module]


def variant_modules(job: Job) -> list[str]:
    """Return the modules that make the profile."""
    return [VARIANTS[job.variant["variant"]].module, *(["benchmill.profiles.bootstrap"] if job.variant["bands"] else [])]


def method_modules(job: Job) -> list[str]:
    """Return the modules of the methods of the tests."""
    return [method.module for method in inference.chosen(job.study.settings["inference"])]


# --- indicators --------------------------------------------------------------------------------


def read_by(entry: Indicator) -> dict[str, OfJob]:
    """Return by name the functions for what an indicator reads."""
    tables = [name for name in ("ingest", "trials", "traces", "costs") if name in entry.needs]
    if "source" in entry.each:
        return {name: of_measures(name, "indicators") if name == "costs" else of_sources(name) for name in tables}
    functions: dict[str, OfJob] = {"algorithms": result("algorithms"), **{name: _of_measure(name) for name in tables}}
    return functions | ({"families": of_study("families")} if "cluster_keys" in entry.needs else {})


def _of_measure(name: str) -> OfJob:
    return lambda job: job.of_sources(name, measure=job.wildcards.get("measure", ECDF_MEASURE))


def given_to(entry: Indicator) -> dict[str, OfJob]:
    """Return by name the functions for what else an indicator depends on."""

    def settings(job: Job) -> Given:
        given = job.study.setting(entry.settings_in)
        return {name: value for name, value in given.items() if not entry.keys or name in entry.keys}

    needed = {name: _NEEDED[name] for name in entry.needs if name in _NEEDED}
    return {"settings": settings, "needed": lambda job: {name: value(job) for name, value in needed.items()}}


def _scopes(job: Job) -> Given:
    name = job.wildcards.get("measure")
    names = job.study.measures_for("indicators") if name is None else [name]
    # the measure of curves is about all dimensions
    return {name: {key: job.study.measures[name].get(key) for key in ("exclude", "dimensions")} for name in names}


#: The settings that indicators can need, by name.
_NEEDED: dict[str, OfJob] = {
    **{name: setting(name) for name in ("problem_keys", "cluster_keys", "not_competing", "seed")},
    "rates": rates("all"),
    "measures": _scopes,
    "quantities": lambda job: {
        name: of["quantity"]
        for name, of in job.study.measures.items()
        if of.get("quantity", "cost") != "cost" and name in job.study.measures_for("indicators")
    },
    "missing": of_job("measure.missing"),
    "shift": of_job("measure.mean_shift"),
    "reckoned": lambda job: {
        "as_is": job.wildcards["measure"] in job.study.summarised_as_is,
        "quantity": job.study.measures[job.wildcards["measure"]].get("quantity", "cost"),
    },
    "classes": of(lambda study: (by := study.setting("indicators.summary.by"), study.attributes.get("problem", {}).get(by))),
}


# --- what a study brings -----------------------------------------------------------------------


def brought(study: Study, root: Path) -> list[Path]:
    """Return the files and folders of others that the jobs of a study read."""
    job = Job({study.name: study}, root, {"study": study.name})
    paths: list[str | Path | None] = []
    for name in study.source_names:
        of_source = Job(job.studies, root, {"study": study.name, "source": name})
        paths += [*logs(of_source), *beside_logs(of_source)]
    paths += [study.best_known, study.bounds_table, study.paper, *beside_own_paper(job)]
    return list(dict.fromkeys(path for path in paths if isinstance(path, Path)))
