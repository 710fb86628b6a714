"""Functions of a `Job` that rules name as `params`: what else their results depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmill.registry import formats
from benchmill.registry.conventions import CONVENTIONS
from benchmill.registry.criteria import CRITERIA, SCORES
from benchmill.registry.figures import KINDS as FIGURES
from benchmill.registry.indicators import INDICATORS, Indicator
from benchmill.registry.inference import chosen
from benchmill.registry.measures import MEASURES
from benchmill.registry.tables import KINDS as TABLES
from benchmill.registry.variants import VARIANTS
from benchmill.workflow import catalogue, views
from benchmill.workflow.inputs import Job
from benchmill.workflow.study import WITHOUT
from benchmill.workflow.typesetting import tex_version
from benchmill.workflow.watched import digests

Parameter = Callable[[Job], Any]


def setting(key: str) -> Parameter:
    """Return the function that gives the setting of a dotted key."""
    return lambda job: job.study.setting(key)


def of_job(path: str) -> Parameter:
    """Return the function that gives what the job has at a dotted path, such as `source.name`."""

    def found(job: Job) -> Any:
        value: Any = job
        for part in path.split("."):
            value = value[part] if isinstance(value, Mapping) else getattr(value, part)
        return value

    return found


def measures_for(stage: str) -> Parameter:
    """Return the function that gives the measures of a stage."""
    return lambda job: job.study.measures_for(stage)


#: What every test depends on.
TESTED = ("not_competing", "problem_keys", "cluster_keys", "seed")


def sources(job: Job) -> list[str]:
    """Return the names of the sources."""
    return catalogue.source_names(job.study)


def rates(job: Job) -> list[str]:
    """Return the measures whose costs are 1 / rate."""
    return [name for name, measure in job.study.measures.items() if MEASURES[measure["kind"]].rate]


# --- by stage ----------------------------------------------------------------------------------


def source_files(job: Job) -> list[str]:
    """Return the names of the logs of the source."""
    return [path.name for path in job.source.paths]


def reading(job: Job) -> dict[str, Any]:
    """Return the options that the source is read with."""
    return {**job.source.options, **job.study.taken}


def entries(job: Job) -> list[Any]:
    """Return the sources as the configuration names them."""
    return [source.entry for source in job.study.sources]


def measuring(job: Job) -> dict[str, Any]:
    """Return what turns trials into costs."""
    later = ("aggregate", "missing", "shift", "for", "label", "unit", "title", "target_titles")
    return {name: value for name, value in job.measure.items() if name not in later}


def without(job: Job) -> Any:
    """Return what to name where the measure cannot be taken."""
    return WITHOUT.get(job.wildcards["measure"])


def one_cost(job: Job) -> dict[str, Any]:
    """Return how the trials of a problem become one cost in the ratios."""
    study = job.study
    settings = {name: value for name, value in job.measure.items() if name in ("aggregate", "missing", "shift")}
    if study.variants_for(job.wildcards["measure"]) or not study.replicated:
        return settings
    # nothing but the order of the algorithms is made of them, which is no reason to stop
    usual = "mean" if study.settings["inference"]["replicates"] == "mean" else "median"
    return {**settings, "aggregate": usual, "missing": "common"}


def profiled(job: Job) -> bool:
    """Return True if the measure has profiles."""
    return bool(job.study.variants_for(job.wildcards["measure"]))


def missing(job: Job) -> dict[str, Any]:
    """Return how each measure with profiles counts missing costs."""
    return {name: job.study.measures[name]["missing"] for name in job.study.measures_for("profiles")}


def by(job: Job) -> dict[str, Any]:
    """Return what makes an algorithm the leader."""
    stated = primary(job)
    return {
        "criterion": stated["criterion"],
        "rates": rates(job),
        "not_competing": job.study.setting("not_competing"),
        "scale": {**stated["scale"], "measure": stated["measure"]},
    }


def variant(job: Job) -> dict[str, Any]:
    """Return the settings of the profile."""
    return {name: value for name, value in job.variant.items() if name != "title"}


def aggregation(job: Job) -> dict[str, Any]:
    """Return how the runs of a cell become one cost, for bands."""
    return {name: value for name, value in job.measure.items() if name in ("aggregate", "shift")}


def weights_of(job: Job) -> list[str]:
    """Return the profiles that have a table of weights."""
    return list(job.study.weights_tables)


def rates_of_profiles(job: Job) -> list[str]:
    """Return the measures with profiles whose costs are 1 / rate."""
    names = job.study.measures_for("profiles")
    return [measure for measure in names if MEASURES[job.study.measures[measure]["kind"]].rate]


def primary(job: Job) -> dict[str, Any]:
    """Return the measure, the targets and the criterion of the primary analysis, and what scores of competitions take."""
    stated = job.study.primary
    scale = {"limit": stated.limit, "shift": stated.shift, "beside": stated.beside}
    return {"criterion": stated.criterion, "measure": stated.measure, "targets": stated.targets, "scale": scale}


def pairs(job: Job) -> dict[str, Any]:
    """Return the section `inference` without what names methods of other tables."""
    return {key: value for key, value in job.study.inference.items() if key not in ("methods", "comparisons", "bayes")}


def attributes(job: Job) -> Any:
    """Return the attributes of problems."""
    return job.study.attributes.get("problem", {})


def record(job: Job) -> str:
    """Return the record of the looks at the study."""
    return str(catalogue.tested(job.study))


def only_control(job: Job) -> Any:
    """Return the control where pairs with it alone are corrected for."""
    return job.study.settings["control"] if job.study.family == "control" else None


def claimed_measures(job: Job) -> dict[str, Any]:
    """Return how costs become one a problem, by claimed measure."""
    keys = ("aggregate", "missing", "shift")
    return {name: {key: job.study.measures[name].get(key) for key in keys} for name in job.study.claimed_measures}


def rank_sums(job: Job) -> dict[str, Any]:
    """Return the settings of tests on single problems."""
    keys = {key: job.study.settings[key] for key in ("problem_keys", "not_competing")}
    return {**keys, "alpha": job.study.settings["inference"]["alpha"]}


def figure(job: Job) -> dict[str, Any]:
    """Return the settings of the figure."""
    return views.figure_settings(job.study, job.figure)


def fonts(job: Job) -> list[str]:
    """Return the digests of the fonts that are installed and used."""
    return digests(views.font_files(job.study))


def tables(job: Job) -> Any:
    """Return the settings of all tables."""
    return views.table_settings(job.study)


def said(job: Job) -> Any:
    """Return the settings of all sentences."""
    return views.sentence_settings(job.study)


def layout(job: Job) -> Any:
    """Return the layout of the tables."""
    return views.layout_of(job.study)


def cited(job: Job) -> dict[str, Any]:
    """Return the settings that name methods to cite."""
    of_study = {key: job.study.settings[key] for key in ("profiles", "inference")}
    return {**of_study, "measures": job.study.measures, "indicators": job.study.settings["indicators"]}


def indicators_made(job: Job) -> list[str]:
    """Return the names of the indicators that the study has."""
    return [name for name in INDICATORS if name in catalogue.RESULTS and catalogue.files(job.study, name)]


def cited_sources(job: Job) -> dict[str, dict[str, Any]]:
    """Return what to cite of each source."""
    cited = [source for source in job.study.sources if source.citation or source.url]
    return {source.name: {"citation": source.citation, "url": source.url} for source in cited}


def page_parts(job: Job) -> dict[str, Any]:
    """Return what the papers and the page say of the study, or of all."""
    studies = [job.study] if "study" in job.wildcards else job.studies.values()
    return {study.name: views.page_parts(study) for study in studies}


def tex(job: Job) -> str | None:
    """Return the version of the TeX engine."""
    return tex_version()


def results_of_study(job: Job) -> str:
    """Return the folder of the results of the study."""
    return f"{job.results}/{job.study.name}"


# --- indicators --------------------------------------------------------------------------------


def _scopes(job: Job) -> dict[str, Any]:
    name = job.wildcards.get("measure")
    names = job.study.measures_for("indicators") if name is None else [name]
    # the measures that indicators add are about all dimensions
    return {name: {key: job.study.measures[name].get(key) for key in ("exclude", "dimensions")} for name in names}


#: The settings that indicators can need, by name.
_NEEDED: dict[str, Parameter] = {
    **{name: setting(name) for name in ("problem_keys", "cluster_keys", "not_competing", "seed")},
    "rates": rates,
    "sets": setting("indicators.target_sets"),
    "measures": _scopes,
    "missing": lambda job: job.measure["missing"],
    "shift": lambda job: job.measure["mean_shift"],
    "as_is": lambda job: job.wildcards["measure"] in job.study.summarised_as_is,
}


def of_indicator(entry: Indicator) -> dict[str, Parameter]:
    """Return by name the functions for what else an indicator depends on."""

    def settings(job: Job) -> dict[str, Any]:
        given = job.study.setting(entry.settings_in)
        return {name: value for name, value in given.items() if not entry.keys or name in entry.keys}

    needed = {name: _NEEDED[name] for name in entry.needs if name in _NEEDED}
    return {"settings": settings, "needed": lambda job: {name: value(job) for name, value in needed.items()}}


# --- modules that scripts ask for by name, which no import statement shows -----------------------


def reader(job: Job) -> Sequence[str]:
    """Return the module that reads the source."""
    return [] if job.source.broken else [formats.named(job.source.format).module]


def measure_module(job: Job) -> Sequence[str]:
    """Return the module that measures."""
    return [MEASURES[job.measure["kind"]].module]


def variant_modules(job: Job) -> Sequence[str]:
    """Return the modules that make the profile."""
    return [VARIANTS[job.variant["variant"]].module, *(["benchmill.profiles.bands"] if job.variant.get("bands") else [])]


def criteria_modules(job: Job) -> Sequence[str]:
    """Return the modules of criteria."""
    return list(dict.fromkeys(entry.module for entry in (*CRITERIA.values(), *SCORES.values()) if entry.function))


def method_modules(job: Job) -> Sequence[str]:
    """Return the modules of the methods of the tests."""
    return [method.module for method in chosen(job.study.settings["inference"])]


def convention_modules(job: Job) -> Sequence[str]:
    """Return the modules of conventions."""
    return list(dict.fromkeys(convention.module for convention in CONVENTIONS.values()))


def figure_module(job: Job) -> Sequence[str]:
    """Return the module that draws the figure."""
    return [FIGURES[job.figure.kind].module]


def table_modules(job: Job) -> Sequence[str]:
    """Return the modules that make tables."""
    return list(dict.fromkeys(kind.module for kind in TABLES.values()))
