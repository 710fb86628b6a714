"""Functions of a `Job` that rules name as inputs: results as text, and what no job makes, which is watched, as `pathlib.Path`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmill import readers
from benchmill.registry.indicators import Indicator
from benchmill.registry.variants import VARIANTS
from benchmill.workflow import catalogue, views
from benchmill.workflow.catalogue import RESULTS, Wildcards, files
from benchmill.workflow.sources import FILES_BESIDE, Source
from benchmill.workflow.study import ECDF_MEASURE, Study
from benchmill.workflow.tex_files import paper_files


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
    def measure(self) -> dict[str, Any]:
        """Settings of the measure that the job is of."""
        return self.study.measures[self.wildcards["measure"]]

    @property
    def variant(self) -> dict[str, Any]:
        """Settings of the profile that the job is of."""
        return self.study.variants[self.wildcards["variant"]]

    @property
    def figure(self) -> views.View:
        """The figure that the job is of."""
        return views.figures_of(self.study)[self.wildcards["figure"]]

    @property
    def source(self) -> Source:
        """The source that the job is of."""
        return self.study.source(self.wildcards["source"])

    @property
    def tested_measure(self) -> str:
        """The measure that is tested: that of the job, or the one that decides."""
        return self.wildcards.get("measure") or self.study.primary_measure or ""

    def path(self, name: str, **others: str) -> str:
        """Return the path of a result, with the wildcards of the job and others."""
        return RESULTS[name].path.format(**{**self.wildcards, **others})

    def of_sources(self, name: str, **others: str) -> list[str]:
        """Return the function that gives a result of every source."""
        return [self.path(name, source=source.name, **others) for source in self.study.sources]


#: A function of a job that rules name among their inputs.
Input = Callable[[Job], "str | Path | list[str] | list[Path] | list[str | Path]"]


# --- inputs of many rules ----------------------------------------------------------------------


def result(name: str) -> Input:
    """Return the function that gives a result of the job."""
    return lambda job: job.path(name)


def of_sources(name: str) -> Input:
    """Return the function that gives a result of every source."""
    return lambda job: job.of_sources(name)


def of_measures(name: str, stage: str) -> Input:
    """Return the function that gives a result of every measure of a stage."""
    return lambda job: [job.path(name, measure=measure) for measure in job.study.measures_for(stage)]


def of_study(*names: str) -> Input:
    """Return the function that gives all files of some results of the study."""
    return lambda job: [path for name in names for path in files(job.study, name)]


def of_all(*names: str) -> Input:
    """Return the function that gives all files of some results of all studies."""
    return lambda job: [path for study in job.studies.values() for name in names for path in files(study, name)]


def figures(suffix: str) -> Input:
    """Return the function that gives the figures of the study, or of all, in a format (captions: `txt`)."""
    return lambda job: [path for study in _studies(job) for path in catalogue.figure_files(study, suffix)]


def templates(*names: str) -> Input:
    """Return the function that gives templates of the paper."""
    return lambda job: [job.root / "workflow/paper" / name for name in names]


def _studies(job: Job) -> list[Study]:
    return [job.study] if "study" in job.wildcards else list(job.studies.values())


# --- inputs of one rule, or of a few that look at the same -------------------------------------


def logs(job: Job) -> list[str | Path]:
    """Return the logs of a source; what is fetched is made by a job."""
    source = job.source
    if source.broken:
        return []
    return [str(path) if source.url else path for path in source.paths]


def beside_logs(job: Job) -> list[Path]:
    """Return the files that a source names beside its logs, and the best-known values."""
    source = job.source
    if source.broken:
        return []
    beside = [Path(source.options[name]) for name in FILES_BESIDE if name in source.options]
    return [*beside, *([job.study.best_known] if job.study.best_known else [])]


def best_known(job: Job) -> Path | list[Path]:
    """Return the best-known values of the study."""
    return job.study.best_known or []


def reports_to_exclude_from(job: Job) -> list[str]:
    """Return the ingest reports, which say what problems there are, where some are excluded."""
    return job.of_sources("ingest") if job.measure["exclude"] else []


def costs_of_variant(job: Job) -> list[str]:
    """Return the costs of all trials where the profile needs them."""
    return job.of_sources("costs") if VARIANTS[job.variant["variant"]].reads_costs(job.variant) else []


def weights_table(job: Job) -> Path | list[Path]:
    """Return the table of weights that the profile names."""
    return job.study.weights_tables.get(job.wildcards["variant"], [])


def weights_tables(job: Job) -> list[Path]:
    """Return all tables of weights that profiles name."""
    return list(job.study.weights_tables.values())


def families_for_bands(job: Job) -> list[str]:
    """Return the families of problems where the profile has bands."""
    return files(job.study, "families") if job.variant.get("bands") else []


def measures_of_profiles(job: Job) -> list[str]:
    """Return the measures of all profiles."""
    return [job.path("profile_measures", measure=measure, variant=variant) for variant, measure in job.study.profiled]


def tested_costs(job: Job) -> list[str]:
    """Return the costs of a replicated design."""
    return job.of_sources("costs", measure=job.tested_measure) if job.study.replicated else []


def tested_ratios(job: Job) -> str | list[str]:
    """Return the ratios of a design with one cost a problem."""
    return [] if job.study.replicated else job.path("ratios", measure=job.tested_measure)


def algorithms_if_replicated(job: Job) -> str | list[str]:
    """Return the table of algorithms, which is not made if two sources hold the same one, where costs are taken together."""
    return job.path("algorithms") if job.study.replicated else []


def bounds(job: Job) -> Path | list[Path]:
    """Return the known bounds of the problems."""
    return job.study.bounds_table or []


def all_tested_costs(job: Job) -> list[str]:
    """Return the costs of all tested measures of a replicated design."""
    return _costs_of(job, job.study.measures_for("inference")) if job.study.replicated else []


def all_tested_ratios(job: Job) -> list[str]:
    """Return the ratios of all tested measures of a design with one cost a problem."""
    return [] if job.study.replicated else [job.path("ratios", measure=name) for name in job.study.measures_for("inference")]


def claimed_costs(job: Job) -> list[str]:
    """Return the costs of the measures that claims are about."""
    return _costs_of(job, job.study.claimed_measures)


def claimed_ratios(job: Job) -> list[str]:
    """Return their ratios, where the design has one cost a problem."""
    return [] if job.study.replicated else [job.path("ratios", measure=measure) for measure in job.study.claimed_measures]


def _costs_of(job: Job, measures: Iterable[str]) -> list[str]:
    return [path for measure in measures for path in job.of_sources("costs", measure=measure)]


def drawn(job: Job) -> list[str]:
    """Return the tables that a figure shows."""
    tables = [f"results/{job.study.name}/{table}.parquet" for table in job.figure.tables]
    indicators = job.of_sources("indicators") if views.counts_floored(job.study, job.figure) else []
    return list(dict.fromkeys([*tables, *indicators]))


def shown(job: Job) -> list[str]:
    """Return what tables and numbers are made from."""
    return catalogue.shown(job.study)


def shown_on_page(job: Job) -> list[str]:
    """Return what the page shows as the papers do."""
    return [path for study in job.studies.values() for path in [*catalogue.shown(study), *files(study, "exhibits")]]


def explored(job: Job) -> list[str]:
    """Return what a reader can explore on the page."""
    return [path for study in job.studies.values() for path in catalogue.explored(study)]


def costs_on_page(job: Job) -> list[str]:
    """Return the costs that the page lists run by run: not those of the targets of the ECDF."""
    measured = [(study, measure) for study in job.studies.values() for measure in study.measures if measure != ECDF_MEASURE]
    return [
        RESULTS["costs"].path.format(study=study.name, measure=measure, source=source.name)
        for study, measure in measured
        for source in study.sources
    ]


def page_templates(job: Job) -> list[Path]:
    """Return the templates of the page."""
    return sorted((Path(readers.__file__).parents[1] / "report/templates").rglob("*.*"))


def paper_tables(job: Job) -> list[Path]:
    """Return the tables of published papers that ship with the workflow."""
    return catalogue.paper_tables(job.root)


def reproduction(job: Job) -> list[str]:
    """Return the comparison with published papers, where a study is of one."""
    return [job.path("reproduction")] if catalogue.reproduced(job.studies, job.root) else []


def reproduction_table(job: Job) -> list[str]:
    """Return the LaTeX table of that comparison."""
    return RESULTS["reproduction_table"].paths()[:1]


def own_paper(job: Job) -> Path:
    """Return the paper of the study."""
    assert job.study.paper is not None
    return job.study.paper


def beside_own_paper(job: Job) -> list[Path]:
    """Return the files that it may read, beside the results."""
    return list(paper_files(own_paper(job), job.results))


_OF_SOURCES = ("costs", "trials", "traces", "ingest")


def of_indicator(entry: Indicator) -> dict[str, Input]:
    """Return by name the functions for what an indicator needs."""
    tables = [name for name in entry.needs if name in _OF_SOURCES]
    if "source" in entry.each:
        found: dict[str, Input] = {name: _of_one_source(name) for name in tables if name != "costs"}
        return found | ({"costs": of_measures("costs", "indicators")} if "costs" in tables else {})
    found = {"algorithms": result("algorithms"), **{name: _of_each_source(name) for name in tables}}
    if "target_sets" in entry.needs:
        found["target_sets"] = _target_sets
    return found | ({"families": of_study("families")} if "cluster_keys" in entry.needs else {})


def _of_one_source(name: str) -> Input:
    return lambda job: [job.path(name)]


def _of_each_source(name: str) -> Input:
    return lambda job: job.of_sources(name, measure=job.wildcards.get("measure", ECDF_MEASURE))


def _target_sets(job: Job) -> list[str]:
    return [] if job.study.setting("indicators.ecdf.target_set") is None else [job.path("target_sets")]


# --- what a study brings -----------------------------------------------------------------------


def brought(study: Study, root: Path) -> list[Path]:
    """Return the files and folders of others that the jobs of a study read."""
    found: list[str | Path] = []
    for source in study.sources:
        job = Job({study.name: study}, root, {"study": study.name, "source": source.name})
        found += [*logs(job), *beside_logs(job)]
    job = Job({study.name: study}, root, {"study": study.name})
    found += [*weights_tables(job), *([study.best_known] if study.best_known else [])]
    found += [study.bounds_table] if study.bounds_table else []
    found += [own_paper(job), *beside_own_paper(job)] if study.paper else []
    return list(dict.fromkeys(path for path in found if isinstance(path, Path)))
