"""The kinds of table, and what each needs of a study: the one place that plan, texts and writing read it from.

Adding a kind is one module with a function `build(data, settings)`, which gives a `benchmill.text.display.Table`, and one entry
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

from benchmill.registry.entry import Entry
from benchmill.registry.measures import MEASURES


class Study(Protocol):
    """The part of a study that decides which tables it has (`benchmill.workflow.study.Study`)."""

    @property
    def measures(self) -> Mapping[str, Mapping[str, Any]]:
        """Settings of the measures by name."""

    @property
    def variants(self) -> Mapping[str, Mapping[str, Any]]:
        """Settings of the profiles by name."""

    def setting(self, key: str) -> Any:
        """The setting of a dotted key, every default filled in."""

    @property
    def summarised(self) -> Sequence[str]:
        """Names of the measures with a summary of solver runs in which a failure counts its limit."""

    @property
    def summarised_as_is(self) -> Sequence[str]:
        """Names of those in which it counts its own cost."""

    def measures_for(self, stage: str) -> Sequence[str]:
        """Names of the measures of a part: `profiles`, `indicators` or `inference`."""

    def variants_for(self, measure: str) -> Mapping[str, Mapping[str, Any]]:
        """The profiles of a measure: settings by name."""


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of table.

    Attributes
    ----------
    file : str
        Name of the table, with `{measure}` and `{variant}`.
    each : str
        There is one for the `study`, for each `measure`, or for each `profile`: a variant of a measure.
    part : str
        The part of a study that has it: `profiles`, `indicators` or `inference`; empty for every study.
    tables : tuple of str
        Below the study's folder, with `{measure}`, `{variant}` or `{source}` for what a table is made from; a table of the whole
        study takes all profiles.
    ingest : bool
        Whether it reads the ingest reports, if only to cut the names of algorithms alike in all tables.
    contradictions : bool
        Whether it reads what runs of different sources claim that cannot all be true, where a study compares that.
    variants : tuple of str
        Variants of profiles of all problems that a measure must have, one of each.
    running_times : bool
        Whether it is of measures with fixed targets only.
    summarised : bool
        Whether it is of measures with a summary of solver runs only.
    as_is : bool
        Whether it is of those too whose failed runs count their own costs.
    listed : str
        Key of the study's settings in which the measure must be named; empty where it needs not.
    needs : str
        Key of the study's settings that must not be empty; empty for none.
    budgets : bool
        Whether rows or columns are budgets, where the measure has some.
    function : str
        What to call in the module.
    """

    room = "benchmill.tables"

    file: str
    each: str = "study"
    part: str = ""
    tables: tuple[str, ...] = ()
    ingest: bool = True
    contradictions: bool = False
    variants: tuple[str, ...] = ()
    running_times: bool = False
    summarised: bool = False
    as_is: bool = False
    listed: str = ""
    needs: str = ""
    budgets: bool = False
    function: str = "build"

    @property
    def build(self) -> Callable[[Mapping[str, Any], Mapping[str, Any]], Any]:
        """Return the function that makes the table."""
        found: Callable[[Mapping[str, Any], Mapping[str, Any]], Any] = getattr(self.load(), self.function)
        return found

    def made_of(self, study: Study, chosen: Mapping[str, Any], sources: Sequence[str]) -> list[str]:
        """The result tables, below the study's folder, that the table is made from.

        Parameters
        ----------
        study : Study
        chosen : mapping
            `measure`, `profile` and `variants`, as `tables_of` gives them.
        sources : sequence of str
            Names of the study's sources.
        """
        if self.variants:
            places = [{"measure": chosen["measure"], "variant": name} for name in chosen["variants"]]
        elif self.each == "study":
            places = [
                {"measure": measure, "variant": name}
                for name in study.variants
                for measure in study.measures_for("profiles")
                if name in study.variants_for(measure)
            ]
        else:
            places = [{"measure": chosen["measure"], "variant": chosen.get("profile", "")}]
        found = [table.format(**place, source=source) for table in self.tables for place in places or [{}] for source in sources]
        return list(dict.fromkeys(found))


def tables_of(study: Study) -> dict[str, tuple[Kind, dict[str, Any]]]:
    """The tables of a study, in their order: by name the kind, and the names of the `measure` and the `profile` that it shows.

    Of a kind that shows several profiles, `variants` has their names: the first of each variant that it needs.
    Neighbouring kinds that there are for each measure take turns.
    """
    found = {}
    for (each, part), kinds in groupby(KINDS.values(), key=lambda kind: (kind.each, kind.part)):
        own = list(kinds)
        for chosen in _places(study, each, part):
            for kind in own:
                if kind.file and _has(study, kind, chosen.get("measure")):
                    name = kind.file.format(measure=chosen.get("measure"), variant=chosen.get("profile"))
                    found[name] = (kind, {**chosen, **_first_profiles(study, kind, chosen)})
    return found


def _first_profiles(study: Study, kind: Kind, chosen: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    if not kind.variants:
        return {}
    first = {s["variant"]: name for name, s in reversed(_pooled(study, chosen["measure"]).items())}
    return {"variants": tuple(first[variant] for variant in kind.variants)}


def _places(study: Study, each: str, part: str) -> Iterator[dict[str, str]]:
    measures = study.measures_for(part) if part else []
    if each == "measure":
        yield from ({"measure": measure} for measure in measures)
    elif each == "profile":
        yield from ({"measure": measure, "profile": name} for measure in measures for name in study.variants_for(measure))
    elif not part or measures:
        yield {}


def _has(study: Study, kind: Kind, measure: str | None) -> bool:
    if kind.running_times and (measure is None or not MEASURES[study.measures[measure]["kind"]].running_times):
        return False
    if kind.summarised and measure not in (*study.summarised, *(study.summarised_as_is if kind.as_is else ())):
        return False
    if kind.variants and not set(kind.variants) <= {s["variant"] for s in _pooled(study, measure or "").values()}:
        return False
    if kind.listed and measure not in study.setting(kind.listed):
        return False
    return not kind.needs or bool(study.setting(kind.needs))


def _pooled(study: Study, measure: str) -> dict[str, Mapping[str, Any]]:
    """The profiles of a measure that are of all problems together."""
    return {name: settings for name, settings in study.variants_for(measure).items() if not settings["by"]}


_ALL = (
    Kind(
        name="inventory",
        module="benchmill.tables.sources",
        function="inventory",
        words="what each source holds",
        file="inventory",
    ),
    Kind(
        name="outcomes",
        module="benchmill.tables.solver_runs",
        function="outcomes",
        words="outcomes of solver runs",
        file="outcomes_{measure}",
        each="measure",
        part="indicators",
        tables=("summary/{measure}",),
        summarised=True,
    ),
    Kind(
        name="summary",
        module="benchmill.tables.solver_runs",
        function="means",
        words="means of solver runs",
        file="summary_{measure}",
        each="measure",
        part="indicators",
        tables=("summary/{measure}",),
        summarised=True,
        as_is=True,
    ),
    Kind(
        name="contributions",
        module="benchmill.tables.solver_runs",
        function="contributions",
        words="what each solver adds to the others",
        file="contributions_{measure}",
        each="measure",
        part="indicators",
        tables=("summary/{measure}",),
        summarised=True,
    ),
    Kind(
        name="solver_times",
        words="every instance of solver runs",
        file="times_{measure}",
        each="measure",
        part="indicators",
        tables=("solver_runs/{measure}", "summary/{measure}"),
        summarised=True,
    ),
    Kind(
        name="profile_measures",
        module="benchmill.tables.profiles",
        function="measures",
        words="measures of the profiles",
        file="profile_{measure}_{variant}",
        each="profile",
        part="profiles",
        tables=("profile_measures/{measure}/{variant}", "profile_intervals/{measure}/{variant}"),
    ),
    Kind(
        name="values_at_one",
        module="benchmill.tables.profiles",
        function="values_at_one",
        words="profiles at τ = 1, plain and probabilistic",
        references=("barreto2010",),
        file="values_at_one_{measure}",
        each="measure",
        part="profiles",
        tables=("profile_measures/{measure}/{variant}",),
        variants=("dolan_more", "probabilistic"),
    ),
    Kind(
        name="standings",
        module="benchmill.tables.profiles",
        function="standings",
        words="ranks by all criteria",
        file="standings",
        part="profiles",
        tables=("standings/profiles",),
    ),
    Kind(
        name="dominance",
        module="benchmill.tables.profiles",
        function="dominance",
        words="dominance and Pareto fronts",
        file="dominance",
        part="profiles",
        tables=("profile_pairs/{measure}/{variant}", "fronts/profiles"),
    ),
    Kind(
        name="leaders",
        module="benchmill.tables.statistics",
        function="leaders",
        words="who leads by what",
        file="leaders",
        part="inference",
        tables=("leaders",),
    ),
    Kind(
        name="rank_sets",
        module="benchmill.tables.statistics",
        function="rank_sets",
        words="ranks with their uncertainty",
        file="rank_sets",
        part="inference",
        tables=("rank_sets",),
    ),
    Kind(
        name="verdicts",
        function="statements",
        words="what may be claimed",
        file="verdicts",
        part="inference",
        tables=("verdicts",),
        budgets=True,
    ),
    Kind(
        name="equivalence",
        module="benchmill.tables.verdicts",
        function="as_good",
        words="which algorithms are as good as each other",
        file="equivalence",
        part="inference",
        tables=("verdicts",),
        needs="primary.margin",
    ),
    Kind(
        name="tests",
        module="benchmill.tables.statistics",
        function="tests",
        words="tests that all algorithms are equal",
        file="tests_{measure}",
        each="measure",
        part="inference",
        tables=("tests/{measure}",),
        budgets=True,
    ),
    Kind(
        name="ranks",
        module="benchmill.tables.statistics",
        function="ranks",
        words="average ranks",
        file="ranks_{measure}",
        each="measure",
        part="inference",
        tables=("ranks/{measure}",),
        budgets=True,
    ),
    Kind(
        name="comparisons",
        module="benchmill.tables.statistics",
        function="comparisons",
        words="comparisons of all pairs",
        file="comparisons_{measure}",
        each="measure",
        part="inference",
        tables=("comparisons/{measure}",),
        budgets=True,
    ),
    Kind(
        name="posteriors",
        function="posteriors",
        words="Bayesian comparisons",
        file="posteriors_{measure}",
        each="measure",
        part="inference",
        tables=("posteriors/{measure}",),
        needs="inference.bayes",
        budgets=True,
    ),
    Kind(
        name="ert",
        words="expected running times",
        file="ert_{measure}",
        each="measure",
        part="indicators",
        tables=("indicators/{source}", "rank_sums/{measure}"),
        running_times=True,
    ),
    Kind(
        name="restricted_means",
        module="benchmill.tables.indicators",
        function="restricted_means",
        words="restricted mean running times",
        file="restricted_means_{measure}",
        each="measure",
        part="indicators",
        tables=("restricted_means/{measure}",),
        listed="indicators.kaplan_meier.measures",
    ),
    Kind(
        name="quantiles",
        module="benchmill.tables.indicators",
        function="quantiles",
        words="quantiles of the costs",
        file="quantiles_{measure}",
        each="measure",
        part="indicators",
        tables=("costs/{measure}/{source}",),
        listed="indicators.quantiles",
        budgets=True,
    ),
    Kind(
        name="irregularities",
        module="benchmill.tables.sources",
        function="irregularities",
        words="irregularities of the logs",
        file="irregularities",
        contradictions=True,
    ),
    Kind(name="missing", module="benchmill.tables.sources", function="missing", words="missing trials", file="missing"),
    Kind(
        name="settings",
        module="benchmill.tables.sources",
        function="settings_of_study",
        words="settings",
        file="settings",
        ingest=False,
    ),
    # of the page alone: no file of a study
    Kind(
        name="origins",
        module="benchmill.tables.sources",
        function="origins",
        words="versions and digests",
        file="",
        ingest=False,
    ),
)

#: By name, in the order of the page.
KINDS = {kind.name: kind for kind in _ALL}

#: The table with a row for each source.
SOURCES = "inventory"
