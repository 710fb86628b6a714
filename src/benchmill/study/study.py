"""The studies of a configuration: shorthand written out, defaults filled in, mistakes named."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby, product
from pathlib import Path
from typing import Any

from benchmill import readers
from benchmill.core import AnyPath, Given, UserError, Written, attributes
from benchmill.core.options import made
from benchmill.readers.selection import OfStudy
from benchmill.registry import extensions, formats, indicator_options, tables
from benchmill.registry.figures import KINDS, Kind
from benchmill.registry.inference import WORDS
from benchmill.registry.measures import MEASURES, RUNNING_TIMES, STATED
from benchmill.registry.primary import Primary
from benchmill.registry.variants import VARIANTS
from benchmill.study import checks, validation, yaml_text
from benchmill.study.sources import FILES_BESIDE, Look, Source, sheet, sources_of
from benchmill.study.validation import At, did_you_mean, filled, mistakes_of
from benchmill.text import claims

#: With more different numbers an attribute of problems tells how large they are, not what they belong to.
_MOST_NUMBERS = 12

#: The measure that a study gets without naming it: hitting times for ECDF curves.
ECDF_MEASURE = "ecdf"
#: How it does without that, in words.
WITHOUT = "set `indicators: {ecdf: {aggregate: []}}`, and the study has no ECDF curves"


#: Folders below `results/` that are no study.
RESERVED_NAMES = ("paper", "reproduction")


#: Options of a table, or columns that these name, which say that it holds runs of solvers.
_LIMITED = {"time_limit", "outcomes", "outcome", "penalty"}
#: Options of a table that say that its costs are times, which are read in seconds.
_IN_SECONDS = {"time_limit", "unit"}

#: Settings of several things, by name.
Sections = dict[str, Written]


@dataclass(frozen=True, eq=False)
class Study:
    """A study with every default filled in; two studies are never equal.

    Attributes
    ----------
    settings : dict
        As validated; `sources` lists paths as the configuration gives them.
    measures : dict
        Settings of every measure, those a study gets without naming them included; each has `for`, the
        list of stages that use it (`profiles`, `inference`, `indicators`, `ecdf`).
    bounds_table : Path or None
        The file with the known bounds of the problems, where the study names one.
    paper : Path or None
        The study's own LaTeX paper, where it names one.
    attributes : dict
        `problem` and `algorithm`: by attribute its values, by problem or algorithm (`benchmill.core.attributes`).
    best_known : Path or None
        The file with best-known values, where the study names one.
    """

    name: str
    title: str
    settings: Written
    sources: tuple[Source, ...]
    measures: Sections
    bounds_table: Path | None = None
    paper: Path | None = None
    attributes: dict[str, attributes.Attributes] = field(default_factory=dict)
    best_known: Path | None = None

    @property
    def source_names(self) -> list[str]:
        """Names of the sources."""
        return [source.name for source in self.sources]

    def source(self, name: str) -> Source:
        """Return the source of that name."""
        return next(source for source in self.sources if source.name == name)

    def measures_for(self, stage: str) -> list[str]:
        """Return the measures of a stage, in the order of the configuration; for `profiles` those with a profile.

        Of `claims` they are those that claims are about, of `primary` the one that decides; `all` are all.
        """
        if stage in ("claims", "primary"):
            return self.claimed_measures if stage == "claims" else [self.primary_measure or ""]
        wanted = [name for name, measure in self.measures.items() if stage in (*measure["for"], "all")]
        return [name for name in wanted if self.variants_for(name)] if stage == "profiles" else wanted

    @property
    def variants(self) -> Sections:
        """Settings of the profile variants by name."""
        return {profile["name"]: profile for profile in self.settings["profiles"]}

    @cached_property
    def weighted_variants(self) -> Sections:
        """Settings of the profile variants by name, with the numbers of attributes that problems are weighted by."""
        known, variants = self.attributes.get("problem", {}), copy.deepcopy(self.variants)
        for profile in variants.values():
            weights = profile["weights"]
            if isinstance(weights, str) and weights not in checks.WEIGHTS:
                profile["weights"] = {problem: float(cell) for problem, cell in known[weights].items()}
        return variants

    def variants_for(self, measure: str) -> Sections:
        """Return the profile variants that are made of a measure, by name: those that name it, or that suit it."""
        kind = self.measures[measure]["kind"]
        return {
            name: profile
            for name, profile in self.variants.items()
            if measure in (profile["measures"] or [measure]) and VARIANTS[profile["variant"]].defined_for(kind)
        }

    @property
    def profiled(self) -> list[tuple[str, str]]:
        """Pairs of profile variant and measure, variant by variant."""
        return [
            (variant, measure)
            for variant in self.variants
            for measure in self.measures_for("profiles")
            if variant in self.variants_for(measure)
        ]

    @property
    def taken(self) -> Written:
        """Return what is taken from all sources, besides `algorithms`: fields of `benchmill.readers.selection.OfStudy`."""
        # of an attribute that is no condition, readers look at who has it: where another value stands, no log is read again
        return {
            "where": self.settings["where"],
            "attributes": {
                key: {
                    name: values if name in self.settings["where"] else dict.fromkeys(values, "")
                    for name, values in known.items()
                }
                for key, known in self.attributes.items()
            },
            "best_known": self.best_known and str(self.best_known),
        }

    @property
    def problem_groups(self) -> dict[str, dict[str, list[str]]]:
        """Problems by attribute and value, without attributes of many numbers."""
        known = self.attributes.get("problem", {})
        # a study without any is planned without pandas
        sizes = {
            name
            for name, values in (attributes.numeric(known) if known else {}).items()
            if len(set(values.values())) > _MOST_NUMBERS
        }
        return {name: attributes.groups(values) for name, values in known.items() if name not in sizes}

    @property
    def inference(self) -> Written:
        """The section `inference`, with the values of attributes that strata are made by."""
        known = self.attributes.get("problem", {})
        return {
            **self.settings["inference"],
            "stratify": [{name: known[name]} if name in known else name for name in self.settings["inference"]["stratify"]],
        }

    @property
    def replicated(self) -> bool:
        """True if the tests are of single runs, not of one cost a problem."""
        return bool(self.settings["inference"]["design"] == "replicated")

    @cached_property
    def primary(self) -> Primary:
        """The settings of the primary analysis."""
        return made(Primary, self.settings["primary"], f"studies.{self.name}.primary")

    @property
    def without_appearance(self) -> Written:
        """The settings but those of figures, on which no number depends."""
        return {key: value for key, value in self.settings.items() if key not in ("appearance", "figures")}

    @property
    def primary_measure(self) -> str | None:
        """Return the measure of the primary analysis; None where nothing is tested."""
        tested = self.measures_for("inference")
        return next(iter(tested), None) and (self.primary.measure or tested[0])

    @property
    def claimed_measures(self) -> list[str]:
        """Measures that its claims are about."""
        primary, stated = self.primary_measure, self.settings["claims"]
        named = (
            [primary]
            if stated is None
            else [claims.parsed(text, f"studies.{self.name}.claims").measure or primary for text in stated]
        )
        return [measure for measure in dict.fromkeys(named) if measure and primary]

    @property
    def asked_figures(self) -> Sections:
        """Figures asked for by their kind, by name, with measures and variants filled in as far as the study has them."""
        figures = {}
        for asked in [asked for asked in self.settings["figures"] if not isinstance(asked, str)]:
            kind = KINDS[asked["kind"]]
            named = {key: asked.get(key) or [] for key in ("measures", "variants")}
            measures = named["measures"] or self.measures_shown(kind)[: kind.measures]
            several = named["variants"] or list(self.variants)[: None if kind.all_variants else 1]
            variants = several if kind.of_profiles else []
            words = [asked["kind"], *named["measures"], *named["variants"]]
            figures[asked["name"] or "_".join(words)] = {**asked, "measures": measures, "variants": variants}
        return figures

    def setting(self, key: str) -> Any:
        """Return the setting of a dotted key, such as `inference.comparisons`."""
        return reduce(lambda value, part: value[part], key.split("."), self.settings)

    def measures_shown(self, kind: Kind) -> list[str]:
        """Return the names of the measures that a kind of figure can show."""
        if kind.shows in ("curves", "claims"):
            return []
        if kind.each == "values":
            return list(dict.fromkeys(measure for measure, _ in self.value_ecdfs))
        if kind.shows != "indicators":
            stage = "profiles" if kind.of_profiles else "inference"
            return self.summarised if kind.shows == "runs" else self.measures_for(stage)
        listed = self.setting(kind.listed) if kind.listed else self.measures
        timed = [n for n in self.measures if not kind.running_times or MEASURES[self.measures[n]["kind"]].running_times]
        return [name for name in timed if name in listed and name != ECDF_MEASURE]

    @property
    def labels(self) -> dict[str, str]:
        """Return what measures are called that have a label."""
        return {name: measure["label"] for name, measure in self.measures.items() if measure.get("label")}

    @property
    def summarised(self) -> list[str]:
        """Stated costs with a summary of solver runs."""
        return self._summarised("limit")

    @property
    def summarised_as_is(self) -> list[str]:
        """Gaps and integrals with a summary, in which failed runs count their own."""
        return self._summarised("as_is")

    def _summarised(self, how: str) -> list[str]:
        return [
            name
            for name in self.settings["indicators"]["summary"]["measures"]
            # a name that is none is told by the checks
            if name in self.measures and MEASURES[self.measures[name]["kind"]].summarised == how
        ]

    @property
    def aggregations(self) -> list[str]:
        """Aggregations of the ECDF; none where no measure reads traces."""
        return self.settings["indicators"]["ecdf"]["aggregate"] if ECDF_MEASURE in self.measures else []

    @property
    def value_ecdfs(self) -> list[tuple[str, str]]:
        """Measures and aggregations of the ECDFs of values reached."""
        budgets = [name for name, measure in self.measures.items() if MEASURES[measure["kind"]].values]
        return [
            (measure, name)
            for measure in budgets
            for name in indicator_options.of_budgets(self.settings["indicators"]["ecdf"]["aggregate"])
        ]


#: From a study to names that it has.
Listed = Callable[[Study], Iterable[str]]


# --- tables ------------------------------------------------------------------------------------


def tables_of(study: Study) -> dict[str, tuple[tables.Kind, Written]]:
    """Return the tables of a study in their order, by name: the kind, and the names of `measure` and `profile` that it shows.

    Of a kind that shows several profiles, `variants` has their names: the first of each variant that it needs.
    Neighbouring kinds that there are for each measure take turns.
    """
    tables_by_name = {}
    for (each, part), kinds in groupby(tables.in_order(), key=lambda kind: (kind.each, kind.part)):
        own, measures = list(kinds), study.measures_for(part) if part else []
        places: list[Written] = [{}] if measures or not part else []
        if each != "study":
            places = [{"measure": measure} for measure in measures]
        if each == "profile":
            places = [{**one, "profile": name} for one in places for name in study.variants_for(one["measure"])]
        for chosen in places:
            measure = chosen.get("measure")
            # of the profiles of all problems together the first of each variant
            pooled = {} if measure is None else study.variants_for(measure)
            first = {s["variant"]: name for name, s in reversed(pooled.items()) if not s["by"]}
            for kind in own:
                if kind.file and _has(study, kind, measure) and set(kind.variants) <= set(first):
                    several = {"variants": tuple(first[variant] for variant in kind.variants)} if kind.variants else {}
                    tables_by_name[kind.file.format(measure=measure, variant=chosen.get("profile"))] = (
                        kind,
                        {**chosen, **several},
                    )
    return tables_by_name


def _has(study: Study, kind: tables.Kind, measure: str | None) -> bool:
    of_kind = MEASURES[study.measures[measure]["kind"]] if measure is not None else None
    return (
        (not kind.running_times or (of_kind is not None and of_kind.running_times))
        and (not kind.summarised or measure in (*study.summarised, *(study.summarised_as_is if kind.as_is else ())))
        and (not kind.listed or measure in study.setting(kind.listed))
        and (not kind.needs or bool(study.setting(kind.needs)))
    )


def made_of(study: Study, kind: tables.Kind, chosen: Given) -> list[str]:
    """Return the result tables, below the study's folder, that a table is made from; `chosen` as `tables_of` gives it."""
    named = chosen.get("variants") or [chosen.get("profile", "")]
    profiles = study.profiled if kind.each == "study" and not kind.variants else [(name, chosen["measure"]) for name in named]
    places = [{"measure": measure, "variant": variant} for variant, measure in profiles] or [{}]
    return list(
        dict.fromkeys(table.format(**place, source=one) for table, place, one in product(kind.tables, places, study.source_names))
    )


# --- reading -----------------------------------------------------------------------------------


def read_studies(
    config: Given,
    folders: Iterable[AnyPath],
    *,
    figures_of: Listed,
    look: Look = readers.sniff,
    options_of: Callable[[str], Given] = lambda format: readers.options_schema(format)["properties"],
    where: str = "config.yaml",
    broken_sources: bool = False,
) -> dict[str, Study]:
    """Turn a configuration into studies, or say everything that is wrong with it.

    Parameters
    ----------
    folders : iterable of paths
        Where relative paths are looked up, in this order; the last is the working directory, which sheets may not name.
    figures_of : callable
        From a study to the names of all its figures.
    look : callable
        From a path and a format to what a first look tells.
    broken_sources : bool
        Whether sources that cannot be read are told by `Source.broken` alone.

    Raises
    ------
    UserError
        All mistakes, each with its key, what was found and what is allowed.
    """
    mistakes: list[str] = []
    at = At("studies", [Path(folder) for folder in folders], mistakes)
    written_out = yaml_text.checked(config, where)
    extensions.enter(_mapping(written_out.get("studies")), at.folders, mistakes)
    for name, study in _mapping(written_out.get("studies")).items():
        if isinstance(study, dict):
            _write_out(study, at[name]["sources"])
    schema = validation.schema()
    written_out = filled(written_out, schema)
    listed, studies = _mapping(written_out.get("studies")), {}
    empty = [name for name, one in listed.items() if isinstance(one, dict) and one.get("competition") and not one.get("sources")]
    # a competition without entries has been told so
    known = tuple(f"studies.{name}.sources:" for name in empty)
    mistakes += [mistake for mistake in mistakes_of(written_out, schema) if not (known and mistake.startswith(known))]
    checks.alike(at, listed)
    for name, settings in listed.items():
        key, own = f"studies.{name}", at[name]
        at_fault = {mistake.split(":")[0] for mistake in mistakes if mistake.startswith((f"{key}.", f"{key}:"))}
        # sources are looked at even where the rest of the study is wrong, so that one message tells everything
        looked_at = key not in at_fault and not any(one.startswith(f"{key}.sources") for one in at_fault)
        if looked_at and isinstance(settings, dict) and settings.get("sources"):
            sources = sources_of(
                settings["sources"], own["sources"], look, options_of, OfStudy(_mapping(settings.get("algorithms")))
            )
            mistakes += [source.broken for source in sources if source.broken and not broken_sources]
            if not at_fault:
                studies[name] = _study(name, settings, sources, own)
                _check_figures(studies[name], figures_of, own["figures"])
                _check_tables(studies[name], own["tables"])
                _check_paths(studies[name], own)
    if mistakes:
        count = "one mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        raise UserError("\n".join([f"{where} has {count}:", *(f"  - {mistake}" for mistake in mistakes)]))
    return studies


# --- shorthand ---------------------------------------------------------------------------------


def _mapping(value: Any) -> Written:
    return value if isinstance(value, dict) else {}


def _said_once(study: Given) -> list[tuple[Written, str]]:
    """Return sections, and for each an option that the section `indicators` says for it."""
    indicators, profiles = _mapping(study.get("indicators")), study.get("profiles")
    banded = [_mapping(one) for one in (indicators.get("ecdf"), *(profiles if isinstance(profiles, list) else []))]
    sections_of = {
        "level": [*(indicators.get(name) for name in ("summary", "kaplan_meier")), *(one for one in banded if one.get("bands"))],
        "scale": [indicators.get(name) for name in ("ecdf", "attainment")],
    }
    return [(section, key) for key, sections in sections_of.items() for section in sections if isinstance(section, dict)]


def _write_out(study: Written, at: At) -> None:
    for name, alone in (("sources", str | dict), ("figures", str)):
        study |= {name: [study[name]]} if isinstance(study.get(name), alone) else {}
    # the study with every default filled in says it in each section
    for section, option in _said_once(study):
        if section.get(option) == _mapping(study.get("indicators")).get(option):
            section.pop(option, None)
    listed = {name: study[name] for name in ("sources", "profiles") if isinstance(study.get(name), list)}
    items = [{"path": item} if isinstance(item, str) else item for item in listed.get("sources", [])]
    profiles = [{"variant": item} if isinstance(item, str) else item for item in listed.get("profiles", [])]
    written = {
        "sources": [entry for item in items for entry in sheet(item, at)],
        "profiles": [p | {"by": [p["by"]]} if isinstance(_mapping(p).get("by"), str) else p for p in profiles],
    }
    study |= {name: written[name] for name in listed}


# --- what no schema can say --------------------------------------------------------------------


def _check_paths(study: Study, at: At) -> None:
    """Refuse braces in paths, which Snakemake takes for wildcards."""
    beside = [source.options[option] for source in study.sources for option in FILES_BESIDE if option in source.options]
    named = {
        "sources": [*(path for source in study.sources for path in source.paths), *beside],
        "inference.normalise": [study.bounds_table],
        "paper": [study.paper],
        "best_known": [study.best_known],
    }
    at.add(
        f".{key}: {path!r} has a brace in its path, which Snakemake takes for a wildcard; rename it."
        for key, path in dict.fromkeys((key, str(path)) for key, paths in named.items() for path in paths)
        if "{" in path or "}" in path
    )


def _study(name: str, settings: Written, sources: tuple[Source, ...], at: At) -> Study:
    at.tell((name in RESERVED_NAMES, ": this name is kept for a folder of its own below `results/`; choose another one."))
    settings = copy.deepcopy(settings)
    settings["title"] = settings["title"] or name
    checks.alike(at["measures"], settings["measures"])
    checks.alike(at["sources"], [source.name for source in sources])
    attribute_tables = checks.tables_of_attributes(settings, at)
    of_problems = attribute_tables.get("problem", {})
    checks.group(settings, of_problems, at)
    checks.name_profiles(settings["profiles"], at["profiles"])
    checks.alike(at["profiles"], [profile["name"] for profile in settings["profiles"]])
    checks.indicators(settings["indicators"], at["indicators"])
    for section, option in _said_once(settings):
        section[option] = settings["indicators"][option]
    readable = [source for source in sources if not source.broken]
    _solver_runs(settings, readable, at["measures"])
    measures = _measures(settings, at["measures"])
    bounds = checks.inference(settings, of_problems, at)
    of_solvers = bool(readable) and all(formats.named(source.format).answers for source in readable)
    checks.without_effect(settings, at)
    checks.profiles(settings, of_problems, "dimension" in settings["problem_keys"] and not of_solvers, at)
    paper = checks.file_at(at["paper"], settings["paper"], "a LaTeX file")
    known = checks.file_at(at["best_known"], settings["best_known"], "a CSV or .solu file")
    return Study(name, settings["title"], settings, sources, measures, bounds, paper, attribute_tables, known)


def _solver_runs(settings: Written, sources: Sequence[Source], at: At) -> None:
    for name, measure in settings["measures"].items():
        with at[name].told():
            options = made(MEASURES[measure["kind"]].options, {k: v for k, v in measure.items() if k != "kind"}, "it")
            measure |= {"mean_shift": options.geometric_shift} if MEASURES[measure["kind"]].summarised else {}
    stated = {name: one for name, one in settings["measures"].items() if one["kind"] == STATED and one["quantity"] != "rate"}
    if all(formats.named(source.format).seconds or _IN_SECONDS & source.says for source in sources):
        for measure in stated.values():
            measure["unit"] = measure["unit"] or ("s" if measure["quantity"] == "cost" else None)
    if settings["indicators"]["summary"]["measures"] is None:
        runs = any(formats.named(source.format).answers or _LIMITED & source.says for source in sources)
        settings["indicators"]["summary"]["measures"] = list(stated) if runs else []


def _measures(settings: Given, at: At) -> Sections:
    measures = {
        name: {
            "aggregate": MEASURES[measure["kind"]].aggregate,
            **measure,
            "for": ["indicators"] if measure["described"] else ["profiles", "inference", "indicators"],
        }
        for name, measure in settings["measures"].items()
    }
    ecdf = settings["indicators"]["ecdf"]
    if not ecdf["aggregate"] or not any(MEASURES[measure["kind"]].traced for measure in measures.values()):
        return measures
    kept = f".{ECDF_MEASURE}: this name is kept for the indicators; choose another one."
    at.tell((ECDF_MEASURE in measures, kept))
    return {
        **measures,
        ECDF_MEASURE: {
            **{"kind": RUNNING_TIMES, "aggregate": "ert", "missing": "common", "exclude": []},
            **{"targets": ecdf["targets"], "scale": ecdf["scale"], "for": ["ecdf"]},
        },
    }


def _check_figures(study: Study, figures_of: Listed, at: At) -> None:
    # names are told where there is nothing wrong with the figures that are asked for by their kind
    asked_for, settings = replace(at, mistakes=[]), study.settings
    for name, asked in study.asked_figures.items():
        kind, own = KINDS[asked["kind"]], replace(asked_for, key=f"{at.key}: {name}")
        measures, chosen, variants = study.measures_shown(kind), asked["measures"], asked["variants"]
        method, compared = asked.get("method"), settings["inference"]["comparisons"]
        made = {variant for measure in chosen if measure in measures for variant in study.variants_for(measure)}
        levels = {level: [study.measures.get(one, {}).get(level) for one in chosen] for level in ("targets", "budgets")}
        own.tell(
            *_cannot_show(study, asked)
            or (
                *own.unknown("", "measure", chosen, measures),
                *own.unknown("", "variant", variants, list(study.variants)),
                (
                    method is not None and method not in compared,
                    f": the study makes no comparison {method!r}{did_you_mean(str(method), compared)}",
                ),
                (
                    kind.needs and not study.setting(kind.needs),
                    f": the study makes no {WORDS.get(kind.needs.rpartition('.')[2], '')}; name some in {kind.needs}.",
                ),
                (
                    kind.of_profiles and not made & set(variants),
                    ": found no profile of these measures and variants, expected one; see the key profiles.",
                ),
                *(
                    (
                        asked.get(level) and of_measures and not any(of_measures),
                        f": {level}: no measure that it shows ({', '.join(chosen)}) has {level}; leave them out, or name a "
                        "measure that has some (measures: [...]).",
                    )
                    for level, of_measures in levels.items()
                ),
                (
                    kind.measures == 1 and len(chosen) != 1,
                    f": found {len(chosen)} measures, expected one; name it (measures: [...]).",
                ),
            )
        )
    by_name = [figure for figure in settings["figures"] if isinstance(figure, str)]
    asked_for.tell(
        (
            len(settings["figures"]) - len(by_name) != len(study.asked_figures),
            ": found two figures of the same name, expected different ones; give each a name (name: ...).",
        )
    )
    at.mistakes.extend(asked_for.mistakes)
    at.tell(*(() if asked_for.mistakes else at.unknown("", "figure", by_name, [*figures_of(study), "all"])))


def _check_tables(study: Study, at: At) -> None:
    tables_there = tables_of(study)
    taken = list(tables_there)
    for asked in study.settings["tables"]:
        name, table = asked["name"], asked["table"]
        kind, chosen = tables_there.get(table, (None, {}))
        blocks = kind is not None and kind.name == "ert" and study.measures[chosen["measure"]].get("targets")
        at.tell(
            *at.unknown(f": {name}", "table", [table], list(tables_there)),
            (
                kind and asked["layout"] and not blocks,
                f": {name}: layout: {table} has one layout alone; leave it out, or name a table of ERTs.",
            ),
            (name in taken, f": {name}: the study has a table of that name; give this one another name."),
        )
        taken.append(name)


def _cannot_show(study: Study, asked: Given) -> list[tuple[Any, str]]:
    """Return why a study has nothing that a kind of figure shows."""
    kind, named = KINDS[asked["kind"]], asked.get("aggregation")
    expected = (
        f"one in {kind.listed}"
        if kind.listed
        else "one of solver runs in indicators.summary.measures"
        if kind.shows == "runs"
        else "one of values at budgets, and indicators.ecdf.aggregate"
        if kind.each == "values"
        else "one of evaluations to targets"
    )
    known = [name for _, name in study.value_ecdfs] if kind.each == "values" else study.aggregations
    reasons = (
        (
            kind.shows == "claims" and not study.claimed_measures,
            ": the study claims nothing, expected claims or a tested measure; see the key claims.",
        ),
        (
            kind.shows == "curves" and not study.aggregations,
            ": the study has no ECDF curves to draw, expected indicators.ecdf.aggregate and a measure that reads traces.",
        ),
        (
            kind.shows not in ("claims", "curves") and not study.measures_shown(kind),
            f": the study has no measure that it can show, expected {expected}; see the key measures.",
        ),
        (
            "aggregation" in asked and named not in known,
            f": there is no aggregation {named!r}{did_you_mean(str(named), known)}",
        ),
    )
    return [reason for reason in reasons if reason[0]][:1]
