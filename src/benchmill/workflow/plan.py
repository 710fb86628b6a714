"""The plan: every result of a study, declared once.

A `Step` is what one rule of the workflow does: its results, what they are made from, and the settings that they depend on. The
rules ask it for inputs, outputs and parameters, the paper and the page for what they show, `docs/files.md` for what there is.
Nothing here runs anything, and nothing needs Snakemake.

Results are paths below the folder of the run, as text. What no job makes (logs, tables beside them, templates) is a
`pathlib.Path`: a rule watches what such a file holds, whatever its date.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmill import readers
from benchmill.core.keys import FAMILY
from benchmill.core.storage import files_below
from benchmill.registry import formats
from benchmill.registry.conventions import CONVENTIONS
from benchmill.registry.criteria import CRITERIA
from benchmill.registry.figures import KINDS as FIGURES
from benchmill.registry.indicators import INDICATORS, Indicator
from benchmill.registry.inference import chosen
from benchmill.registry.measures import MEASURES
from benchmill.registry.tables import KINDS as TABLES
from benchmill.registry.tables import tables_of
from benchmill.registry.variants import TABLES as VARIANT_TABLES
from benchmill.registry.variants import VARIANTS
from benchmill.workflow import views
from benchmill.workflow.sources import FILES_BESIDE, Source
from benchmill.workflow.study import ECDF_MEASURE, WITHOUT, Study
from benchmill.workflow.tex_files import paper_files
from benchmill.workflow.typesetting import tex_version
from benchmill.workflow.validation import did_you_mean
from benchmill.workflow.watched import digests

#: What a job reads, by name: results as text, what no job makes as `Path`.
Inputs = dict[str, "str | Path | Sequence[str | Path]"]

#: Values of the wildcards of a path, by name.
Wildcards = Mapping[str, str]


@dataclass(frozen=True)
class Job:
    """One job of a step.

    Attributes
    ----------
    studies : mapping
        All studies of the configuration, by name.
    root : Path
        The folder of `workflow/` and `data/`.
    wildcards : mapping
        Values of the wildcards of what it makes.
    results : str
        The folder of the results; paths of the plan begin with `results` all the same, and Snakemake moves them.
    """

    studies: Mapping[str, Study]
    root: Path
    wildcards: Wildcards = field(default_factory=dict)
    results: str = "results"

    @property
    def study(self) -> Study:
        """The study that the job is of."""
        return self.studies[self.wildcards["study"]]

    @property
    def measure(self) -> dict[str, Any]:
        """Settings of the measure that the job is of."""
        return self.study.measures[self.wildcards["measure"]]

    @property
    def source(self) -> Source:
        """The source that the job is of."""
        return self.study.source(self.wildcards["source"])

    def path(self, name: str, **others: str) -> str:
        """The path of a result, with the wildcards of the job and others."""
        return RESULTS[name].path.format(**{**self.wildcards, **others})

    def of_sources(self, name: str, **others: str) -> list[str]:
        """The paths of a result of every source, in the order of the configuration."""
        return [self.path(name, source=source.name, **others) for source in self.study.sources]

    def together(self, *names: str, **others: str) -> Inputs:
        """Results of all sources, and the table of algorithms.

        Where two sources hold the same algorithm that table is not made, and so nothing that takes sources together.
        """
        return {"algorithms": self.path("algorithms"), **{name: self.of_sources(name, **others) for name in names}}

    def everywhere(self, paths_of: Callable[[Study], Iterable[str]]) -> list[str]:
        """Paths of all studies."""
        return [path for study in self.studies.values() for path in paths_of(study)]

    @property
    def ecdf(self) -> dict[str, Any]:
        """How the study takes its ECDF curves."""
        return dict(self.study.settings["indicators"]["ecdf"])


#: Where the results of a study are.
_OF_STUDY = "results/{study}/"

#: The record of looks.
LOOKS = Path("looks.yaml")

#: Of which wildcards, beside the study, there are files in a study.
Each = Callable[[Study], Iterable[Wildcards]]


@dataclass(frozen=True)
class Result:
    """A file, or several in different formats, that a step makes.

    Attributes
    ----------
    path : str
        With wildcards in braces; `{format}` where there are several formats.
    meaning : str
        What a row of it is, or what it is.
    formats : tuple of str
        Its suffixes, where there are several.
    each : callable, optional
        The wildcards of the files that a study has; by default those of the step's jobs.
    shown : bool
        Whether tables, numbers, paper and page are made from it.
    explored : bool
        Whether the page alone is made from it: what a reader can explore there.
    """

    path: str
    meaning: str
    formats: tuple[str, ...] = ()
    each: Each | None = None
    shown: bool = False
    explored: bool = False

    @property
    def table(self) -> str | None:
        """The schema in `benchmill.core.schema.TABLES`, of a Parquet file."""
        if not self.path.endswith(".parquet"):
            return None
        return Path(self.path.removeprefix("results/").removeprefix("{study}/")).parts[0].removesuffix(".parquet")

    def paths(self, **wildcards: str) -> list[str]:
        """Its files."""
        return [self.path.format(format=suffix, **wildcards) for suffix in self.formats or [""]]


@dataclass(frozen=True)
class Step:
    """What one rule does; its script has the same name unless it says otherwise.

    Attributes
    ----------
    stage : str
        The file of the rule below `workflow/rules`.
    results : mapping
        By name what it makes.
    inputs : callable
        What a job of it reads.
    parameters : mapping
        By name what else its results depend on.
    each : callable
        The wildcards of its jobs in a study.
    modules : callable
        The modules that its script asks for by name, which no import statement shows.
    script : str, optional
        The file of its script below `scripts`, without suffix.
    records : callable
        The files beside the configuration that a job of it reads, where they are there, and adds to.
    """

    stage: str
    results: Mapping[str, Result]
    inputs: Callable[[Job], Inputs]
    parameters: Mapping[str, Callable[[Job], Any]] = field(default_factory=dict)
    each: Each = lambda study: [{}]
    modules: Callable[[Job], Sequence[str]] = lambda job: ()
    script: str | None = None
    records: Callable[[Job], Sequence[Path]] = lambda job: ()

    @property
    def outputs(self) -> dict[str, str]:
        """What a job of it makes, by name of the result or by format."""
        return {
            (suffix or name): result.path.replace("{format}", suffix)
            for name, result in self.results.items()
            for suffix in result.formats or [""]
        }

    def watched(self, job: Job) -> list[Path]:
        """The files and folders that a job reads and that no job makes."""
        return [path for path in self.read(job) if isinstance(path, Path)]

    def read(self, job: Job) -> list[str | Path]:
        """Return all that a job reads, in order, but its records."""
        given = self.inputs(job).values()
        return [path for value in given for path in ([value] if isinstance(value, str | Path) else value)]

    def made(self, job: Job) -> list[str]:
        """Return the files that a job makes."""
        found = []
        for result in self.results.values():
            # a job may make several files of a kind, and of some kinds none
            for wildcards in result.each(job.study) if result.each else [{}]:
                if all(job.wildcards.get(name, value) == value for name, value in wildcards.items()):
                    found += result.paths(**{**job.wildcards, **wildcards})
        return found

    def jobs(self, studies: Mapping[str, Study], root: Path) -> Iterator[Job]:
        """Its jobs."""
        if not next(iter(self.results.values())).path.startswith(_OF_STUDY):
            yield Job(studies, root)
            return
        for study in studies.values():
            yield from (Job(studies, root, {"study": study.name, **wildcards}) for wildcards in self.each(study))


# --- what there is of what ---------------------------------------------------------------------


def _of(wildcard: str, names: Callable[[Study], Iterable[str]]) -> Each:
    return lambda study: [{wildcard: name} for name in names(study)]


def _source_names(study: Study) -> list[str]:
    return [source.name for source in study.sources]


def _measures(stage: str) -> Each:
    return _of("measure", lambda study: study.measures_for(stage))


def _costs(study: Study) -> Iterator[Wildcards]:
    return ({"measure": measure, "source": source.name} for measure in study.measures for source in study.sources)


def _profiles(table: str | None = None) -> Each:
    """Measures and variants of all profiles, or of those that make a table which not every variant makes."""
    return lambda study: (
        {"measure": measure, "variant": name}
        for measure in study.measures_for("profiles")
        for name, settings in study.variants_for(measure).items()
        if table is None or table in VARIANTS[settings["variant"]].tables
    )


def _if(holds: Callable[[Study], Any]) -> Each:
    """One job for the study where something holds."""
    return lambda study: [{}] if holds(study) else []


def _claiming(study: Study) -> bool:
    """Whether several sources hold solver runs, which claim something."""
    return sum(formats.named(source.format).claims for source in study.sources if not source.broken) > 1


def _with_targets(study: Study) -> Iterator[Wildcards]:
    return (w for w in _measures("indicators")(study) if MEASURES[study.measures[w["measure"]]["kind"]].running_times)


_SOURCES = _of("source", _source_names)
_FIGURES, _TABLES_OF = _of("figure", views.chosen_figures), _of("table", views.tables_of)


# --- inputs that are more than a line ----------------------------------------------------------


def _logs(job: Job) -> Inputs:
    source = job.source
    if source.broken:
        return {"log": [], "beside": []}
    logs: list[str | Path] = [str(path) for path in source.paths] if source.url else list(source.paths)
    beside = [Path(source.options[name]) for name in FILES_BESIDE if name in source.options]
    return {"log": logs, "beside": [*beside, *([job.study.best_known] if job.study.best_known else [])]}


def _profile_inputs(job: Job) -> Inputs:
    """Ratios, for profiles of random costs and bands those costs too, and a table of weights."""
    settings, name = job.study.variants[job.wildcards["variant"]], job.wildcards["variant"]
    inputs: Inputs = {"ratios": job.path("ratios")}
    if VARIANTS[settings["variant"]].reads_costs(settings):
        inputs["costs"] = job.of_sources("costs")
    if name in job.study.weights_tables:
        inputs["weights_table"] = job.study.weights_tables[name]
    if settings.get("bands"):
        inputs["families"] = files(job.study, "families")
    return inputs


def _profile_modules(job: Job) -> list[str]:
    settings = job.study.variants[job.wildcards["variant"]]
    return [VARIANTS[settings["variant"]].module, *(["benchmill.profiles.bands"] if settings.get("bands") else [])]


def _table_modules(job: Job) -> list[str]:
    """What makes the tables, each found by the name of its kind."""
    return list(dict.fromkeys(kind.module for kind in TABLES.values()))


def _tested(job: Job) -> Inputs:
    """All costs of a replicated design, else one cost a problem; and the known bounds of the problems."""
    inputs: Inputs = job.together("costs") if job.study.replicated else {"ratios": job.path("ratios")}
    if job.study.bounds_table:
        inputs["bounds"] = job.study.bounds_table
    return inputs


def _clustered(inputs: Callable[[Job], Inputs]) -> Callable[[Job], Inputs]:
    """Return what a step reads whose clusters may be families of problems."""
    return lambda job: {**inputs(job), "families": files(job.study, "families")}


def _judged(job: Job) -> Inputs:
    """What all measures are tested on, and who leads by them."""
    measures, leaders = job.study.measures_for("inference"), job.path("leaders")
    if not job.study.replicated:
        return {"leaders": leaders, "ratios": [job.path("ratios", measure=measure) for measure in measures]}
    costs = [path for measure in measures for path in job.of_sources("costs", measure=measure)]
    return {"leaders": leaders, "algorithms": job.path("algorithms"), "costs": costs}


def _one_cost(job: Job) -> dict[str, Any]:
    """How the trials of a problem become one cost in the ratios."""
    study, measure = job.study, job.wildcards["measure"]
    settings = {name: value for name, value in job.measure.items() if name in ("aggregate", "missing", "shift")}
    if study.variants_for(measure) or not study.replicated:
        return settings
    # nothing but the order of the algorithms is made of them, which is no reason to stop
    usual = "mean" if study.settings["inference"]["replicates"] == "mean" else "median"
    return {**settings, "aggregate": usual, "missing": "common"}


def _claimed(job: Job) -> Inputs:
    """The runs behind the measures that claims are about, the costs that were tested, and what was found."""
    measures = job.study.claimed_measures
    costs = [path for measure in measures for path in job.of_sources("costs", measure=measure)]
    ratios = [] if job.study.replicated else [job.path("ratios", measure=measure) for measure in measures]
    found = {name: job.path(name) for name in ("algorithms", "verdicts", "leaders")}
    return {**found, "costs": costs, "ratios": ratios}


def _drawn(job: Job) -> Inputs:
    study = job.study
    figure = views.figures_of(study)[job.wildcards["figure"]]
    tables = [f"results/{study.name}/{table}.parquet" for table in figure.tables]
    indicators = job.of_sources("indicators") if views.counts_floored(study, figure) else []
    return {
        "results": list(dict.fromkeys([*tables, *indicators])),
        "own_reports": list(_reports(study)),
        "looks": RESULTS["looks"].path,
    }


def _reports(study: Study) -> Iterator[str]:
    yield from files(study, "ingest")
    yield from files(study, "algorithms")


def _compiled(studies: Iterable[Study]) -> Inputs:
    """What a paper of some studies may bring in: numbers, tables and figures."""
    chosen = list(studies)
    return {
        "numbers": [path for study in chosen for name in ("numbers", "pairs") for path in files(study, name)],
        "tables": [path for study in chosen for path in files(study, "table_tex")],
        "figures": [path for study in chosen for path in figure_files(study, "pdf")],
    }


def _own_paper(job: Job) -> Inputs:
    paper = job.study.paper
    assert paper is not None
    given = {name: files(job.study, name) for name in ("references", "section", "texts")}
    return {"tex": paper, "beside": list(paper_files(paper, job.results)), **given, **_compiled([job.study])}


def _section_inputs(job: Job) -> Inputs:
    return {
        "results": _told(job.study),
        "captions": figure_files(job.study, "txt"),
        "templates": [
            *_templates(job, "own_section", "texts"),
            job.root / "workflow/paper/own_section.md",
            *_templates(job, "exhibit", "section"),
        ],
    }


def _templates(job: Job, *names: str) -> list[Path]:
    """A template of the paper, and what it includes."""
    return [job.root / f"workflow/paper/{name}.tex" for name in names]


def _costs_of_runs(study: Study) -> list[str]:
    """The costs that the page lists run by run: not those of the many targets of the ECDF."""
    path = RESULTS["costs"].path
    return [path.format(study=study.name, **wildcards) for wildcards in _costs(study) if wildcards["measure"] != ECDF_MEASURE]


def _told(study: Study) -> list[str]:
    """What a study says beside its figures, in its section, the paper and the page."""
    return [path for name in ("exhibits", "config", "ingest") for path in files(study, name)]


def _paper_inputs(job: Job) -> Inputs:
    return {
        "results": job.everywhere(_told),
        "captions": job.everywhere(lambda study: figure_files(study, "txt")),
        "templates": _templates(job, "paper", "supplement", "preamble", "exhibit", "section"),
        "reproduction": [RESULTS["reproduction"].path] if reproduced(job) else [],
    }


def _page_inputs(job: Job) -> Inputs:
    """What the paper shows too, and what the page alone lists and lets a reader explore."""
    return {
        "results": job.everywhere(lambda study: [*shown(study), *files(study, "exhibits")]),
        "explored": job.everywhere(explored),
        "trials": job.everywhere(lambda study: files(study, "trials")),
        "costs": job.everywhere(_costs_of_runs),
        "excerpts": job.everywhere(lambda study: files(study, "excerpts")),
        "traces": job.everywhere(lambda study: files(study, "traces")),
        "captions": job.everywhere(lambda study: figure_files(study, "txt")),
        "figures": job.everywhere(lambda study: figure_files(study, "svg")),
        "templates": sorted((Path(readers.__file__).parents[1] / "report/templates").rglob("*.*")),
        "looks": RESULTS["looks"].path,
    }


def _pairs_settings(job: Job) -> dict[str, Any]:
    """The section `inference` without what names the methods of other tables."""
    return {key: value for key, value in job.study.inference.items() if key not in ("methods", "comparisons", "bayes")}


def _scopes(job: Job) -> dict[str, Any]:
    """Which trials the measures of a job are about."""
    name = job.wildcards.get("measure")
    names = job.study.measures_for("indicators") if name is None else [name]
    # the measures that indicators add are about all dimensions
    return {name: {key: job.study.measures[name].get(key) for key in ("exclude", "dimensions")} for name in names}


def _setting(key: str) -> Callable[[Job], Any]:
    """What the study says of a dotted key."""
    return lambda job: job.study.setting(key)


#: The settings that steps and indicators can need, by name.
_NEEDED: dict[str, Callable[[Job], Any]] = {
    **{name: _setting(name) for name in ("problem_keys", "cluster_keys", "not_competing", "seed")},
    "sources": lambda job: _source_names(job.study),
    # the measures whose costs are 1 / rate
    "rates": lambda job: [name for name, measure in job.study.measures.items() if MEASURES[measure["kind"]].rate],
    "sets": _setting("indicators.target_sets"),
    "measures": _scopes,
    "missing": lambda job: job.measure["missing"],
    "shift": lambda job: job.measure["mean_shift"],
    "as_is": lambda job: job.wildcards["measure"] in job.study.summarised_as_is,
}


def _needed(*names: str) -> dict[str, Callable[[Job], Any]]:
    return {name: _NEEDED[name] for name in names if name in _NEEDED}


_TYPESET: dict[str, Callable[[Job], Any]] = {"tex": lambda job: tex_version()}
_PARTS: dict[str, Callable[[Job], Any]] = {
    "studies": lambda job: {name: views.page_parts(study) for name, study in job.studies.items()}
}

#: What every test depends on.
_TESTED = _needed("not_competing", "problem_keys", "cluster_keys", "sources", "seed")


def _tested_measures(job: Job) -> list[str]:
    return job.study.measures_for("inference")


def _of_measure(*names: str) -> Callable[[Job], dict[str, Any]]:
    return lambda job: {name: value for name, value in job.measure.items() if name in names}


def _figure_kind(job: Job) -> str:
    return views.figures_of(job.study)[job.wildcards["figure"]].kind


_FIGURE_PARAMETERS: dict[str, Callable[[Job], Any]] = {
    "kind": _figure_kind,
    "settings": lambda job: views.figure_settings(job.study, views.figures_of(job.study)[job.wildcards["figure"]]),
    "fonts": lambda job: digests(views.font_files(job.study)),
}

# --- the steps, in the order of the flow -------------------------------------------------------


def _parquet(
    of: str, each: Each | None = None, *, shown: bool = False, explored: bool = False, **meanings: str
) -> dict[str, Result]:
    """Parquet tables of a study by name: of each the wildcards of its files, and what a row is."""
    return {
        name: Result(f"results/{{study}}/{name}{of and '/' + of}.parquet", meaning, (), each, shown, explored)
        for name, meaning in meanings.items()
    }


#: By what there is one job for: the files of an indicator, and its jobs in a study.
_INDICATED: dict[str, tuple[str, Each]] = {
    "source": ("{source}", _SOURCES),
    "traced source": ("{source}", lambda study: _SOURCES(study) if study.aggregations else []),
    "measure": ("{measure}", _measures("indicators")),
    "summary": ("{measure}", _of("measure", lambda study: [*study.summarised, *study.summarised_as_is])),
    "followed": ("{measure}", _of("measure", lambda study: study.setting("indicators.kaplan_meier.measures"))),
    "ecdf": (ECDF_MEASURE, _if(lambda study: study.aggregations)),
    "aggregation": ("{aggregation}", _of("aggregation", lambda study: study.aggregations)),
    "value aggregation": (
        "{measure}/{aggregation}",
        lambda study: [{"measure": measure, "aggregation": aggregation} for measure, aggregation in study.value_ecdfs],
    ),
}


_TABLES_OF_SOURCES = ("costs", "trials", "traces", "ingest")


def indicator(entry: Indicator) -> Step:
    """The step that makes an indicator, from what its entry in the registry says."""
    of, each = _INDICATED[entry.each]
    tables = [name for name in entry.needs if name in _TABLES_OF_SOURCES]

    def inputs(job: Job) -> Inputs:
        if "source" in job.wildcards:
            measures = job.study.measures_for("indicators")
            found: Inputs = {name: [job.path(name)] for name in tables if name != "costs"}
            return found | ({"costs": [job.path("costs", measure=name) for name in measures]} if "costs" in tables else {})
        found = job.together(*tables, **({} if "measure" in job.wildcards else {"measure": ECDF_MEASURE}))
        if "target_sets" in entry.needs:
            found["target_sets"] = [] if job.ecdf["target_set"] is None else [job.path("target_sets")]
        return found

    def settings(job: Job) -> dict[str, Any]:
        given = job.study.setting(entry.settings_in)
        return {name: value for name, value in given.items() if not entry.keys or name in entry.keys}

    return Step(
        "indicators",
        {
            name: Result(f"results/{{study}}/{folder}/{of}.parquet", row, (), None, name in entry.shown, name in entry.explored)
            for name, (folder, row) in entry.results.items()
        },
        _clustered(inputs) if "cluster_keys" in entry.needs else inputs,
        {
            "indicator": lambda job: entry.name,
            "settings": settings,
            "needed": lambda job: {name: value(job) for name, value in _needed(*entry.needs).items()},
        },
        each=each,
        modules=lambda job: [entry.module],
        script="indicators",
    )


#: A file of each source, of each measure, of each profile.
_S, _M, _MV = "{source}", "{measure}", "{measure}/{variant}"

STEPS: dict[str, Step] = {
    "config": Step(
        "tables",
        {"config": Result("results/{study}/config.yaml", "the study with every default filled in", shown=True)},
        lambda job: {},
        {"settings": lambda job: job.study.settings},
    ),
    "ingest": Step(
        "ingest",
        {
            **_parquet(
                _S,
                trials="a run of an algorithm on a problem instance",
                traces="an improvement within a trial",
                excerpts="a place in a log at which trials begin, with its first and last lines, for the page",
            ),
            "ingest": Result(
                "results/{study}/ingest/{source}.json",
                "what the reader found, repaired, refused and missed (`docs/formats.md`)",
                shown=True,
            ),
        },
        _logs,
        {
            # all that the results depend on beside the content of the log: two studies that agree in it can share them
            "name": lambda job: job.source.name,
            "file": lambda job: [path.name for path in job.source.paths],
            "format": lambda job: job.source.format,
            "options": lambda job: {**job.source.options, **job.study.taken},
            "sha256": lambda job: job.source.sha256,
            "broken": lambda job: job.source.broken,
        },
        each=_SOURCES,
        modules=lambda job: [] if job.source.broken else [formats.named(job.source.format).module],
    ),
    "algorithms": Step(
        "ingest",
        _parquet("", shown=True, algorithms="an algorithm, and the one source that holds it"),
        lambda job: {"reports": job.of_sources("ingest")},
        {
            "entries": lambda job: [source.entry for source in job.study.sources],
            "chosen": _setting("algorithms"),
            **_needed("not_competing"),
        },
    ),
    "references": Step(
        "paper",
        {"references": Result("results/{study}/references.bib", "BibTeX of every method and data set that the study uses")},
        lambda job: {"reports": job.of_sources("ingest")},
        {
            "settings": lambda job: {
                **{key: job.study.settings[key] for key in ("profiles", "inference")},
                "measures": job.study.measures,
                "indicators": job.study.settings["indicators"],
            },
            "indicators": lambda job: [name for name in INDICATORS if name in RESULTS and files(job.study, name)],
            "sources": lambda job: {
                source.name: {"citation": source.citation, "url": source.url}
                for source in job.study.sources
                if source.citation or source.url
            },
        },
    ),
    "contradictions": Step(
        "ingest",
        _parquet(
            "",
            shown=True,
            contradictions=(
                "a problem on which runs of different sources claim what cannot all be true "
                "(studies of solver runs from several sources)"
            ),
        ),
        lambda job: job.together("trials"),
        _needed("sources"),
        each=_if(_claiming),
    ),
    "best_known": Step(
        "ingest",
        _parquet(
            "",
            shown=True,
            best_known="a run that contradicts the study's best-known values or is better (studies with the key `best_known`)",
        ),
        lambda job: {**job.together("trials"), "known": job.study.best_known or []},
        _needed("sources"),
        each=_if(lambda study: study.best_known),
    ),
    "costs": Step(
        "costs",
        _parquet("{measure}/{source}", costs="a trial × target or budget"),
        lambda job: {"trials": job.path("trials"), "traces": job.path("traces")},
        {
            # what turns trials into costs; how costs become one ratio is the next stage's matter
            "settings": lambda job: {
                name: value
                for name, value in job.measure.items()
                if name not in ("aggregate", "missing", "shift", "for", "label", "unit", "title", "target_titles")
            },
            "without": lambda job: WITHOUT.get(job.wildcards["measure"]),
        },
        each=_costs,
        modules=lambda job: [MEASURES[job.measure["kind"]].module],
    ),
    "ratios": Step(
        "ratios",
        _parquet(_M, ratios="an algorithm × problem × target or budget"),
        lambda job: {
            **job.together("costs"),
            # what there is to exclude
            "reports": job.of_sources("ingest") if job.measure["exclude"] else [],
        },
        {
            **_needed("problem_keys", "sources"),
            "exclude": lambda job: job.measure["exclude"],
            "settings": _one_cost,
            "profiled": lambda job: bool(job.study.variants_for(job.wildcards["measure"])),
        },
        each=_measures("inference"),
    ),
    "changes": Step(
        "ratios",
        {
            "changes": Result(
                "results/{study}/changes.md",
                "for each algorithm, what its presence changes: baselines, problems left out, places, and why",
            )
        },
        lambda job: {
            "ratios": [job.path("ratios", measure=measure) for measure in job.study.measures_for("profiles")],
            "verdicts": files(job.study, "verdicts"),
        },
        {
            "missing": lambda job: {name: job.study.measures[name]["missing"] for name in job.study.measures_for("profiles")},
            "by": lambda job: {
                "criterion": job.study.settings["primary"]["criterion"],
                **{name: value(job) for name, value in _needed("rates", "not_competing").items()},
            },
        },
    ),
    "profiles": Step(
        "profiles",
        {
            **_parquet(_MV, explored=True, profiles="an algorithm × break point of its profile"),
            **_parquet(
                _MV,
                shown=True,
                profile_measures="an algorithm: area, reliability, wins, ranks",
                profile_pairs="an ordered pair of algorithms: does one profile dominate the other",
                profile_intervals="an algorithm × quantity with its bootstrap interval",
                profile_warnings="an algorithm × problem at which the model of the variant is doubtful",
            ),
            **_parquet(_MV, _profiles("log_ratios"), log_ratios="log-ratio profiles: a problem, in the order of its log ratio"),
            **_parquet(_MV, _profiles("waves"), shown=True, waves="nested profiles: an algorithm × wave, and who is eliminated"),
            **_parquet(_MV, _profiles("wave_profiles"), wave_profiles="nested profiles: an algorithm × wave × break point"),
            **_parquet(
                _MV,
                _profiles("stability"),
                shown=True,
                stability="nested profiles: a pair whose order changes when an algorithm is left out",
            ),
        },
        _profile_inputs,
        {
            "settings": lambda job: {
                name: value for name, value in job.study.variants[job.wildcards["variant"]].items() if name != "title"
            },
            # how the runs of a cell become one cost, and what is drawn together, for bands
            "aggregation": _of_measure("aggregate", "shift"),
            **_needed("cluster_keys", "not_competing", "seed"),
        },
        each=_profiles(),
        modules=_profile_modules,
    ),
    "standings": Step(
        "profiles",
        {
            "standings": Result(
                "results/{study}/standings/profiles.parquet",
                "an algorithm × variant × measure × criterion: its rank, and over all measures",
                shown=True,
            ),
            "fronts": Result(
                "results/{study}/fronts/profiles.parquet",
                "an algorithm × variant × measure × pair of criteria: its Pareto front",
                shown=True,
            ),
        },
        lambda job: {
            "profile_measures": [
                job.path("profile_measures", measure=measure, variant=variant) for variant, measure in job.study.profiled
            ],
            "ratios": [job.path("ratios", measure=measure) for measure in job.study.measures_for("profiles")],
            "weights": list(job.study.weights_tables.values()),
        },
        {
            "variants": lambda job: job.study.variants,
            "profiled": lambda job: job.study.profiled,
            "measures": lambda job: job.study.measures_for("profiles"),
            "weights_of": lambda job: list(job.study.weights_tables),
            "rates": lambda job: [
                measure for measure in job.study.measures_for("profiles") if MEASURES[job.study.measures[measure]["kind"]].rate
            ],
            "rank_sum": _setting("standings.rank_sum"),
            "ranks": _setting("standings.ranks"),
            **_needed("not_competing"),
        },
        each=_if(lambda study: study.profiled),
        modules=lambda job: [entry.module for entry in CRITERIA.values() if entry.function],
    ),
    "leaders": Step(
        "profiles",
        _parquet("", shown=True, leaders="an algorithm × measure × criterion: its rank, of all problems that count"),
        lambda job: {"ratios": [job.path("ratios", measure=measure) for measure in job.study.measures_for("inference")]},
        {
            "measures": _tested_measures,
            "primary": lambda job: {key: job.study.settings["primary"][key] for key in ("criterion", "measure", "targets")},
            **_needed("rates", "not_competing"),
        },
        each=_if(lambda study: study.measures_for("inference")),
        modules=lambda job: [entry.module for entry in CRITERIA.values() if entry.function],
    ),
    **{entry.name: indicator(entry) for entry in INDICATORS.values() if entry.needs},
    "families": Step(
        "inference",
        _parquet("", shown=True, families="a way to deal the problems to families × problem: do those of a family depend?"),
        lambda job: _tested(Job(job.studies, job.root, {**job.wildcards, "measure": job.study.primary_measure or ""})),
        {
            **_TESTED,
            "settings": _pairs_settings,
            "measure": lambda job: job.study.primary_measure,
            "targets": _setting("primary.targets"),
            "attributes": lambda job: job.study.attributes.get("problem", {}),
        },
        each=_if(lambda study: FAMILY in study.settings["cluster_keys"] and study.measures_for("inference")),
    ),
    "tests": Step(
        "inference",
        {
            **_parquet(
                _M,
                shown=True,
                designs="a design that was tested: blocks, runs, and how the costs became it",
                tests="a test",
                ranks="an algorithm: its average rank",
                comparisons="a pair of algorithms",
                posteriors="a pair of algorithms: probabilities that one is practically better",
                intervals="an algorithm × method: its mean with the minimum significant difference",
                assumptions="a check of what parametric methods assume",
            ),
        },
        _clustered(_tested),
        {
            **_TESTED,
            "settings": lambda job: job.study.inference,
        },
        each=_measures("inference"),
        modules=lambda job: [method.module for method in chosen(job.study.settings["inference"])],
    ),
    "verdicts": Step(
        "inference",
        {
            **_parquet(
                "",
                shown=True,
                verdicts="a statement that may be made, or that the data do not carry, as a sentence too",
                rank_sets="an algorithm: the ranks that it can have by the primary analysis, and whether it can be the best",
            ),
        },
        _clustered(_judged),
        {
            **_TESTED,
            "settings": _pairs_settings,
            "primary": _setting("primary"),
            "control": _setting("control"),
            "measures": _tested_measures,
            "record": lambda job: str(tested(job.study)),
        },
        each=_if(lambda study: study.measures_for("inference")),
        records=lambda job: [tested(job.study)],
    ),
    "claims": Step(
        "inference",
        {
            **_parquet("", shown=True, claims="a claim × convention: does it hold there?"),
            "badge": Result("results/{study}/badge.svg", "how far the claims of the study hold, as a badge"),
        },
        _clustered(_claimed),
        {
            **_TESTED,
            "settings": _pairs_settings,
            "targets": _setting("primary.targets"),
            # of the families, that with the control alone has fewer pairs to be corrected for
            "control": lambda job: job.study.settings["control"] if job.study.family == "control" else None,
            "claims": _setting("claims"),
            "measures": lambda job: {
                name: {key: job.study.measures[name].get(key) for key in ("aggregate", "missing", "shift")}
                for name in job.study.claimed_measures
            },
        },
        each=_if(lambda study: study.claimed_measures),
        modules=lambda job: list(dict.fromkeys(convention.module for convention in CONVENTIONS.values())),
    ),
    "rank_sums": Step(
        "inference",
        _parquet(_M, shown=True, rank_sums="an algorithm × problem × target: is the best one there better?"),
        lambda job: job.together("costs", "indicators"),
        {
            "settings": lambda job: {
                **{key: job.study.settings[key] for key in ("problem_keys", "not_competing")},
                "alpha": job.study.settings["inference"]["alpha"],
            }
        },
        each=_with_targets,
    ),
    "looks": Step(
        "figures",
        {"looks": Result("results/looks.yaml", "by study the place of each algorithm, which makes its colour, line and marker")},
        lambda job: {"reports": job.everywhere(_reports)},
        {"record": lambda job: str(LOOKS)},
        records=lambda job: [LOOKS],
    ),
    "figures": Step(
        "figures",
        {
            "figure": Result(
                "results/{study}/figures/{figure}.{format}", "a figure, and its caption", formats=("pdf", "svg", "png", "txt")
            )
        },
        _drawn,
        _FIGURE_PARAMETERS,
        each=_FIGURES,
        modules=lambda job: [FIGURES[_figure_kind(job)].module],
    ),
    "figures_pgf": Step(
        "figures",
        {"pgf": Result("results/{study}/figures/{figure}.pgf", "the figure as PGF (with `pgf: true`)")},
        _drawn,
        _FIGURE_PARAMETERS,
        each=lambda study: _FIGURES(study) if study.settings["appearance"]["pgf"] else [],
        modules=lambda job: [FIGURES[_figure_kind(job)].module],
        script="figures",
    ),
    "tables": Step(
        "tables",
        {
            "table_tex": Result(
                "results/{study}/tables/{table}.tex",
                r"a table to `\input` in a paper (package `booktabs`; `longtable`, `siunitx` where asked for)",
                each=_TABLES_OF,
            ),
            "table": Result(
                "results/{study}/tables/{table}.{format}",
                "the same rows with the same rounding as CSV and Markdown; its caption",
                formats=("csv", "md", "txt"),
                each=_TABLES_OF,
            ),
            "numbers": Result(
                "results/{study}/numbers.tex",
                r"a macro for every headline number, used as `\benchmill{key}`; the file lists the keys",
            ),
            "pairs": Result(
                "results/{study}/pairs.tex",
                r"macros of pairs of algorithms, where they are too many for `numbers.tex` (docs/numbers.md)",
            ),
            "exhibits": Result(
                "results/{study}/exhibits.json",
                "all tables and sentences of the study, as its section, the paper and the page show them",
            ),
        },
        lambda job: {"results": list(shown(job.study))},
        {
            "study": lambda job: job.study.name,
            "tables": lambda job: views.table_settings(job.study),
            "said": lambda job: views.sentence_settings(job.study),
            "layout": lambda job: views.layout_of(job.study),
        },
        modules=_table_modules,
    ),
    "reproduction": Step(
        "reproduction",
        {
            "reproduction": Result(
                "results/reproduction.parquet", "a number printed in a published paper, and the recomputed one"
            ),
            "reproduction_table": Result(
                "results/reproduction.{format}",
                "the same as a table (both with the studies of those papers)",
                formats=("tex", "csv", "md"),
            ),
            "reproduction_paper": Result("results/paper/reproduction.tex", "the LaTeX source of a document with that table"),
        },
        lambda job: {"papers": list(paper_tables(job)), "templates": _templates(job, "reproduction", "preamble", "exhibit")},
    ),
    "paper": Step(
        "paper",
        {
            "paper": Result("results/paper/paper.tex", "the LaTeX source of the paper of all studies"),
            "supplement": Result("results/paper/supplement.tex", "that of its supplement"),
        },
        _paper_inputs,
        _PARTS,
    ),
    "page": Step(
        "paper",
        {
            "page": Result("results/report.html", "the report of all studies, one file that works offline"),
            "page_runs": Result(
                "results/report/runs.html",
                "the runs of studies with more than 200 000 of them, which the report opens from there",
            ),
        },
        _page_inputs,
        _PARTS,
    ),
    "section": Step(
        "paper",
        {
            "section": Result("results/{study}/section.tex", r"the study as a section of your own article, to be `\input` there"),
            "texts": Result(
                "results/{study}/texts.tex", r"its sentences and captions, each under a name, after `\input` of `numbers.tex`"
            ),
            "markdown": Result("results/{study}/section.md", "the study as a chapter in Markdown (`benchmill pack`)"),
        },
        _section_inputs,
        {"studies": lambda job: {job.study.name: views.page_parts(job.study)}},
    ),
    "paper_pdf": Step(
        "paper",
        {"paper_pdf": Result("results/paper.pdf", "the paper of all studies: what was found, and how")},
        lambda job: {"tex": RESULTS["paper"].path, **_compiled(job.studies.values())},
        _TYPESET,
        script="paper_pdf",
    ),
    "supplement_pdf": Step(
        "paper",
        {"supplement_pdf": Result("results/supplement.pdf", "all figures and tables that the paper has no room for")},
        lambda job: {"tex": RESULTS["supplement"].path, **_compiled(job.studies.values())},
        _TYPESET,
        script="paper_pdf",
    ),
    "reproduction_pdf": Step(
        "reproduction",
        {
            "reproduction_pdf": Result(
                "results/reproduction.pdf", "printed and recomputed numbers of published papers as a document"
            )
        },
        lambda job: {"tex": RESULTS["reproduction_paper"].path, "table": RESULTS["reproduction_table"].paths()[:1]},
        _TYPESET,
        script="paper_pdf",
    ),
    "own_paper": Step(
        "paper",
        {"own_paper": Result("results/{study}/paper.pdf", "the paper that the study brings (key `paper`)")},
        _own_paper,
        {
            "reads": lambda job: f"{job.results}/{job.study.name}",
            "date": _setting("date"),
            **_TYPESET,
        },
        each=_if(lambda study: study.paper),
        script="paper_pdf",
    ),
}

#: Every result, by name.
RESULTS: dict[str, Result] = {name: result for step in STEPS.values() for name, result in step.results.items()}

_STEP_OF = {name: step for step in STEPS.values() for name in step.results}


# --- what a study has --------------------------------------------------------------------------


def files(study: Study, name: str) -> list[str]:
    """The files of a result that a study has, in the order of the configuration."""
    result = RESULTS[name]
    each = result.each or _STEP_OF[name].each
    return [path for wildcards in each(study) for path in result.paths(study=study.name, **wildcards)]


def figure_files(study: Study, suffix: str) -> list[str]:
    """The files of the figures that a study asks for, in one format."""
    figure = RESULTS["figure"].path
    return [figure.format(study=study.name, figure=name, format=suffix) for name in views.chosen_figures(study)]


def table_files(study: Study, *suffixes: str) -> list[str]:
    """The files of all tables of a study in some formats."""
    return [path for path in (*files(study, "table_tex"), *files(study, "table")) if path.endswith(suffixes)]


def of_examples(examples: Iterable[Mapping[str, Any]], suffix: str) -> list[str]:
    """The figures that the gallery shows (`benchmill.workflow.views.gallery_examples`), in one format."""
    figure = RESULTS["figure"].path
    return [figure.format(study=example["study"], figure=example["name"], format=suffix) for example in examples]


def shown(study: Study) -> Iterator[str]:
    """The results of a study that its tables and numbers, the paper and the page are made from, each once."""
    found = [path for name, result in RESULTS.items() if result.shown for path in files(study, name)]
    of_tables = tables_of(study).values()
    made_of = (table for kind, chosen in of_tables for table in kind.made_of(study, chosen, _source_names(study)))
    yield from dict.fromkeys([*found, *(f"results/{study.name}/{table}.parquet" for table in made_of)])


def explored(study: Study) -> Iterator[str]:
    """What the page carries beside that: ratios, from which it computes profiles, and curves that it shows as they are."""
    ratios = [RESULTS["ratios"].path.format(study=study.name, measure=name) for name in study.measures_for("profiles")]
    found = [path for name, result in RESULTS.items() if result.explored for path in files(study, name)]
    beside = set(shown(study))
    yield from (path for path in [*ratios, *found] if path not in beside)


def results_of(study: Study, typeset: bool = True) -> Iterator[str]:
    """Every result of a study: one that is lost is made again; without a TeX engine (`typeset`) not its own paper."""
    for name, result in RESULTS.items():
        if result.path.startswith(_OF_STUDY) and (typeset or not result.path.endswith("paper.pdf")):
            yield from files(study, name)


def all_results(studies: Mapping[str, Study], root: Path, typeset: bool) -> list[str]:
    """Everything that `snakemake` makes when asked for nothing in particular; PDF papers only where there is TeX (`typeset`)."""
    found = [path for study in studies.values() for path in results_of(study, typeset)]
    found += [
        RESULTS["looks"].path,
        *(result.path for step in ("paper", "page") for result in STEPS[step].results.values()),
    ]
    documents = ["paper_pdf", "supplement_pdf"]
    if reproduced(Job(studies, root)):
        found += [path for result in STEPS["reproduction"].results.values() for path in result.paths()]
        documents.append("reproduction_pdf")
    return found + [RESULTS[name].path for name in documents if typeset]


# --- published tables --------------------------------------------------------------------------


def paper_tables(job: Job) -> list[Path]:
    """The tables of published papers that ship with the workflow."""
    return sorted((job.root / "data/paper-tables").glob("*.csv"))


def reproduced(job: Job) -> bool:
    """Whether a study is of a published table: then the numbers that the papers print are compared with the recomputed ones."""
    tables = {path.resolve() for path in paper_tables(job)}
    sources = {path.resolve() for study in job.studies.values() for source in study.sources for path in source.paths}
    return not tables.isdisjoint(sources)


# --- what Snakemake needs beside --------------------------------------------------------------


def any_of(words: Iterable[str]) -> str:
    """A wildcard constraint that admits just these words (and something impossible if there are none)."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


def constraints(studies: Mapping[str, Study]) -> dict[str, str]:
    """The names that each wildcard may stand for, as a regular expression."""
    each: dict[str, Callable[[Study], Iterable[str]]] = {
        "source": _source_names,
        "measure": lambda study: study.measures,
        "variant": lambda study: study.variants,
        "aggregation": lambda study: study.aggregations,
        "figure": views.figures_of,
        "table": views.tables_of,
    }
    found = {name: any_of(word for study in studies.values() for word in words(study)) for name, words in each.items()}
    return {"study": any_of(studies), **found}


def steps_of(stage: str) -> list[str]:
    """Names of the steps of a stage."""
    return [name for name, step in STEPS.items() if step.stage == stage]


def own_constraints(studies: Mapping[str, Study], step: str) -> dict[str, str]:
    """The names that the wildcards of the jobs of one step may stand for."""
    jobs = [wildcards for study in studies.values() for wildcards in STEPS[step].each(study)]
    return {name: any_of(job[name] for job in jobs) for name in (jobs[0] if jobs else ())}


def joblog(step: str) -> str:
    """Where a step keeps the logs of its jobs: one for each combination of its wildcards."""
    return "/".join([".snakemake/joblogs", step, *_wildcards(step)]) + ".log"


def origin(step: str) -> str:
    """Return where the jobs of a step note what their files were made from (`benchmill.workflow.origins`)."""
    of_study = ("{study}",) if (wildcards := _wildcards(step))[:1] == ["{study}"] else ()
    return "/".join(["results", *of_study, "origins", step, *wildcards[len(of_study) :]]) + ".json"


def _wildcards(step: str) -> list[str]:
    """Return the wildcards of the jobs of a step, in braces."""
    pattern = next(iter(STEPS[step].results.values())).path
    return [f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", pattern) if name not in ("format", "table")]


def made_by(studies: Mapping[str, Study], root: Path) -> dict[str, tuple[str, Job]]:
    """Return the step and the job that make each result."""
    return {path: (name, job) for name, step in STEPS.items() for job in step.jobs(studies, root) for path in step.made(job)}


def tested(study: Study) -> Path:
    """Return the record of the looks at a study: each time that it had grown when it was tested, its clusters and runs."""
    return Path("tested", f"{study.name}.json")


def raw_mb(studies: Mapping[str, Study]) -> dict[tuple[str, str], float]:
    """Size of the raw logs by study and source, known before anything runs."""
    return {(study.name, source.name): _mb(source) for study in studies.values() for source in study.sources}


#: Megabytes of memory that a job of one source asks for at the most: rows of logs are read piece by piece (0.9 GB for a log of
#: 10 GB), and a table has at most 40 million cells of 100 bytes.
MOST_OF_SOURCE = 8_000


def by_size(
    raw: Mapping[tuple[str, str], float], base: float, per_mb: float, most: float = math.inf
) -> Callable[[Any, int], int]:
    """A resource that grows with the raw logs behind a job, known before anything runs, and doubles with each retry.

    For one source its own logs count, for a job that gathers those of the whole study. docs/scaling.md says how the numbers were
    measured.

    Parameters
    ----------
    raw : mapping
        What `raw_mb` says.
    base : float
        What a job needs without any logs.
    per_mb : float
        What it needs for every megabyte of them.
    most : float
        What it needs at the most, before any retry.
    """
    whole: defaultdict[str, float] = defaultdict(float)
    for (study, _), size in raw.items():
        whole[study] += size

    def amount(wildcards: Any, attempt: int) -> int:
        source = wildcards.get("source")
        size = whole[wildcards.study] if source is None else raw.get((wildcards.study, source), 0)
        return int(min(base + per_mb * size, most) * 2 ** (attempt - 1))

    return amount


#: From so many megabytes of logs on, a source is a submission of its own: it takes longer than the two starts of Snakemake there.
LARGE_MB = 50


def batch(raw: Mapping[tuple[str, str], float], wildcards: Any) -> str:
    """The submissions to a cluster that a job of a source may be part of: those of many sources, or a large source's own.

    Parameters
    ----------
    raw : mapping
        What `raw_mb` says.
    wildcards : snakemake.io.Wildcards
        Those of the job.
    """
    large = raw.get((wildcards.study, wildcards.source), 0) >= LARGE_MB
    return f"source_{wildcards.study}_{wildcards.source}" if large else "sources"


def _mb(source: Source) -> float:
    if source.url and not source.paths[0].exists():
        return source.size_mb or 20
    try:
        found = [Path(file) for path in source.paths for file in ([path] if path.is_file() else files_below(path))]
        return sum(file.stat().st_size for file in found if file.is_file()) / 1e6
    except OSError:
        # what cannot be read its job says
        return 0


def profile_patterns(tables: Iterable[str]) -> dict[str, str]:
    """The paths of some tables of profiles, by name."""
    return {table: RESULTS[table].path for table in tables}


def studies_with(studies: Mapping[str, Study], kinds: Iterable[str]) -> str:
    """A constraint on the wildcard `study`: what follows it is a result of a profile of the study, of one of some variants."""
    return rf"(?={_profile_results(studies, kinds)})[^/]+"


def _profile_results(studies: Mapping[str, Study], kinds: Iterable[str]) -> str:
    """The results of the profiles of some variants, below `results`."""
    paths = []
    for kind in kinds:
        tables = any_of((*VARIANT_TABLES, *VARIANTS[kind].tables))
        for name, study in studies.items():
            made = any_of(f"{measure}/{one}" for one, measure in study.profiled if study.variants[one]["variant"] == kind)
            paths.append(rf"{re.escape(name)}/(?:{tables})/(?:{made})\.parquet$")
    return f"(?:{'|'.join(paths) or '(?!)'})"


def no_profile_pattern(studies: Mapping[str, Study]) -> str:
    """Paths like those of the results of profiles, of one that there is not."""
    tables = any_of(name for name, result in RESULTS.items() if result.path.endswith("/{measure}/{variant}.parquet"))
    return rf"(?!{_profile_results(studies, VARIANTS)})[^/]+/(?:{tables})/[^/]+/[^/]+"


def no_profile(studies: Mapping[str, Study], asked: str) -> str:
    """Say which profiles there are, where a result is asked for of one that is none of them."""
    name, table, measure, variant = asked.removeprefix("results/").removesuffix(".parquet").split("/")
    study = studies.get(name)
    if study is None or measure not in study.measures or variant not in study.variants:
        made = [path for study in studies.values() for path in files(study, "profiles")]
        return f"There is no profile {asked}{did_you_mean(asked, made)}"
    kind = study.variants[variant]["variant"]
    if table in (*VARIANT_TABLES, *VARIANTS[kind].tables):
        return (
            f"There is no {asked}: studies.{name}.profiles makes {variant!r} of other measures than {measure!r} "
            f"(it is a {VARIANTS[kind].words})."
        )
    fitting = [entry.name for entry in VARIANTS.values() if table in entry.tables]
    made = files(study, table)
    return (
        f"There is no {asked}: {variant!r} of studies.{name}.profiles is a {VARIANTS[kind].words}, and {table} are made of the "
        f"variant {' or '.join(fitting)}; add it there{', or ask for what there is' + did_you_mean(asked, made) if made else '.'}"
    )
