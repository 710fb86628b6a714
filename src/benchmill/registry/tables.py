"""The kinds of table, and what each needs of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

from benchmill.registry.entry import Entry, Registry
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


#: Sections of the page in their order, and the part of a study that has the tables of each; empty for every study.
SECTIONS = {
    "sources": "",
    "solver runs": "indicators",
    "profiles": "profiles",
    "verdicts": "inference",
    "tests": "inference",
    "indicators": "indicators",
    "notes": "",
}


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of table.

    Attributes
    ----------
    build : callable
        Makes the table, a `benchmill.text.display.Table`, of data and settings.
    section : str
        Where it stands on the page, one of `SECTIONS`.
    file : str
        Name of the table, with `{measure}` and `{variant}`.
    each : str
        There is one for the `study`, for each `measure`, or for each `profile`: a variant of a measure.
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
    """

    build: Callable[[Mapping[str, Any], Mapping[str, Any]], Any]
    section: str
    file: str
    each: str = "study"
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

    @property
    def part(self) -> str:
        """Return the part of a study that has it: `profiles`, `indicators` or `inference`; empty for every study."""
        return SECTIONS[self.section]

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
    for (each, part), kinds in groupby(in_order(), key=lambda kind: (kind.each, kind.part)):
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


KINDS = Registry(
    Kind,
    "benchmill.tables",
    "benchmill.tables.sources",
    "benchmill.tables.solver_runs",
    "benchmill.tables.solver_times",
    "benchmill.tables.profiles",
    "benchmill.tables.statistics",
    "benchmill.tables.verdicts",
    "benchmill.tables.posteriors",
    "benchmill.tables.ert",
    "benchmill.tables.indicators",
)


def in_order() -> list[Kind]:
    """Return the kinds in the order of the page."""
    return sorted(KINDS.values(), key=lambda kind: list(SECTIONS).index(kind.section))


#: The table with a row for each source.
SOURCES = "inventory"
