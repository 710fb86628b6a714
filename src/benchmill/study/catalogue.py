"""The registry of results: where each is, what a row of it means, which rule makes it, and which of them a study has."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmill.core import beside, frozen, keys
from benchmill.registry import formats, indicators, measures
from benchmill.registry.variants import TABLES as VARIANT_TABLES
from benchmill.registry.variants import VARIANTS
from benchmill.study import sources, validation, views
from benchmill.study.study import ECDF_MEASURE, Listed, Study, made_of, tables_of

#: Values of the wildcards of a path, by name.
Wildcards = Mapping[str, str]

Studies = Mapping[str, Study]

#: Of which wildcards, beside the study, there are files in a study.
Each = Callable[[Study], Iterable[Wildcards]]

_OF_STUDY = "results/{study}/"

#: The record of pens, which stands beside the configuration.
PENS = Path("pens.yaml")


@frozen
class Result:
    """A file, or several in different formats, that a rule makes.

    Attributes
    ----------
    path : str
        With wildcards in braces; `{format}` where there are several formats.
    meaning : str
        What a row of it is, or what it is.
    rule : str
        The rule that makes it. The path of its first result has the wildcards of its jobs.
    of : callable
        The wildcards of the files that a study has.
    formats : tuple of str
        Its suffixes, where there are several.
    shown : bool
        Whether tables, numbers, paper and page are made from it.
    explored : bool
        Whether the page alone is made from it: what a reader can explore there.
    on_request : bool
        Whether it is made only for a figure that shows it, or where it is asked for by name.
    """

    path: str
    meaning: str
    rule: str
    of: Each
    formats: tuple[str, ...] = ()
    shown: bool = False
    explored: bool = False
    on_request: bool = False

    @property
    def table(self) -> str | None:
        """The schema in `benchmill.core.schema.TABLES`, of a Parquet file."""
        if not self.path.endswith(".parquet"):
            return None
        return Path(self.path.removeprefix("results/").removeprefix("{study}/")).parts[0].removesuffix(".parquet")

    @property
    def of_study(self) -> bool:
        """True for a result of one study, False for one of all studies."""
        return self.path.startswith(_OF_STUDY)

    def patterns(self) -> list[str]:
        """Return its paths with wildcards, one for each format."""
        return [self.path.replace("{format}", suffix) for suffix in self.formats or [""]]

    def paths(self, **wildcards: str) -> list[str]:
        """Return its files."""
        return [pattern.format(**wildcards) for pattern in self.patterns()]


# --- which of them a study has -----------------------------------------------------------------


def _of(wildcard: str, names: Listed) -> Each:
    return lambda study: [{wildcard: name} for name in names(study)]


def _if(holds: Callable[[Study], Any]) -> Each:
    return lambda study: [{}] if holds(study) else []


def _measures(stage: str) -> Each:
    return _of("measure", lambda study: study.measures_for(stage))


def _answers(source: sources.Source) -> bool:
    """Return True if runs of a source may state what those of others contradict; those of tables state it by two columns."""
    return formats.named(source.format).answers or source.says >= {"outcome", "best_value"}


def _profiles(table: str | None = None) -> Each:
    """Return measures and variants of all profiles, or of those that make a table."""
    return lambda study: (
        {"measure": measure, "variant": name}
        for measure in study.measures_for("profiles")
        for name, settings in study.variants_for(measure).items()
        if table is None or table in VARIANTS[settings["variant"]].tables
    )


#: By what there is a file for: the wildcards of its path below the folder of a table, and which of these a study has.
EACH: dict[str, tuple[str, Each]] = {
    "study": ("", lambda study: [{}]),
    "tested study": ("", _if(lambda study: study.measures_for("inference"))),
    "study with profiles": ("profiles", _if(lambda study: study.profiled)),
    "study with claims": ("", _if(lambda study: study.claimed_measures)),
    "study with a paper": ("", _if(lambda study: study.paper)),
    "study with best-known values": ("", _if(lambda study: study.best_known)),
    "study with families": (
        "",
        _if(lambda study: keys.FAMILY in study.settings["cluster_keys"] and study.measures_for("inference")),
    ),
    "study with answers": (
        "",
        _if(lambda study: sum(_answers(source) for source in study.sources if not source.broken) > 1),
    ),
    "source": ("{source}", _of("source", lambda study: study.source_names)),
    "traced source": ("{source}", _of("source", lambda study: study.source_names if study.aggregations else [])),
    "measure": ("{measure}", _measures("indicators")),
    "tested measure": ("{measure}", _measures("inference")),
    "measure of running times": (
        "{measure}",
        lambda study: [
            one
            for one in _measures("indicators")(study)
            if measures.MEASURES[study.measures[one["measure"]]["kind"]].running_times
        ],
    ),
    "measure and source": (
        "{measure}/{source}",
        lambda study: ({"measure": measure, "source": source} for measure in study.measures for source in study.source_names),
    ),
    "summary": ("{measure}", _of("measure", lambda study: [*study.summarised, *study.summarised_as_is])),
    "followed": ("{measure}", _of("measure", lambda study: study.setting("indicators.kaplan_meier.measures"))),
    "profile": ("{measure}/{variant}", _profiles()),
    **{f"profile with {table}": ("{measure}/{variant}", _profiles(table)) for table in ("log_ratios", "waves", "wave_profiles")},
    "ecdf": (ECDF_MEASURE, _if(lambda study: study.aggregations)),
    "aggregation": ("{aggregation}", _of("aggregation", lambda study: study.aggregations)),
    "value aggregation": (
        "{measure}/{aggregation}",
        lambda study: [{"measure": measure, "aggregation": aggregation} for measure, aggregation in study.value_ecdfs],
    ),
    "figure": ("{figure}", _of("figure", views.chosen_figures)),
    "figure as PNG": (
        "{figure}",
        _of("figure", lambda study: views.chosen_figures(study) if "png" in study.settings["appearance"]["formats"] else []),
    ),
    "table": ("{table}", _of("table", views.tables_of)),
}
_TABLES = EACH["table"][1]


# --- the results, in the order of the flow -----------------------------------------------------


def _result(folder: str, each: str = "study", path: str | None = None, **facts: Any) -> Result:
    """Return a result, by default the table in a folder of the study."""
    below, of = EACH[each]
    return Result(path or f"{_OF_STUDY}{folder}{below and '/' + below}.parquet", of=of, **beside.fixed(facts))


def indicated() -> dict[str, Result]:
    """Return what the entries of `benchmill.registry.indicators` make, each by a rule of its name."""
    return {
        name: _result(
            folder,
            entry.each,
            meaning=row,
            rule=entry.name,
            shown=name in entry.shown,
            explored=name in entry.explored,
            on_request=entry.on_request,
        )
        for entry in indicators.INDICATORS.values()
        if entry.needs
        for name, (folder, row) in entry.results.items()
    }


_BEFORE, _AFTER = ({name: _result(name, **facts) for name, facts in half.items()} for half in beside.toml(__file__).values())

RESULTS = _BEFORE | indicated() | _AFTER


def made_by(rule: str) -> dict[str, Result]:
    """Return the results of a rule, by name."""
    return {name: result for name, result in RESULTS.items() if result.rule == rule}


def origin(rule: str) -> str:
    """Return where the jobs of a rule note what their files were made from (`benchmill.workflow.job`)."""
    of_study = ("{study}",) if (wildcards := _wildcards(rule))[:1] == ["{study}"] else ()
    return "/".join(["results", *of_study, "origins", rule, *wildcards[len(of_study) :]]) + ".json"


def joblog(rule: str) -> str:
    """Return where a rule keeps the logs of its jobs: one for each combination of its wildcards."""
    return "/".join([".snakemake/joblogs", rule, *_wildcards(rule)]) + ".log"


def _wildcards(rule: str) -> list[str]:
    return [
        f"{{{name}}}"
        for name in re.findall(r"\{(\w+)\}", next(iter(made_by(rule).values())).path)
        if name not in ("format", "table")
    ]


def jobs(rule: str, studies: Studies) -> Iterator[Wildcards]:
    """Yield the wildcards of each job of a rule."""
    first = next(iter(made_by(rule).values()))
    if not first.of_study:
        yield {}
        return
    for study in studies.values():
        # one job makes all tables
        yield from ({"study": study.name, **wildcards} for wildcards in ([{}] if first.of is _TABLES else first.of(study)))


def made(rule: str, study: Study | None, wildcards: Wildcards) -> list[str]:
    """Return the files that one job of a rule makes: of some kinds several, of others none."""
    results = made_by(rule).values()
    of_jobs = next(iter(results)).of
    return [
        path
        for result in results
        # a job has each of the files that there is one of for each job
        for one in ([{}] if study is None or result.of is of_jobs is not _TABLES else result.of(study))
        if all(wildcards.get(name, value) == value for name, value in one.items())
        for path in result.paths(**{**wildcards, **one})
    ]


def makers(studies: Studies) -> dict[str, tuple[str, Wildcards]]:
    """Return the rule and the wildcards of the job that make each result."""
    return {
        path: (rule, wildcards)
        for rule in dict.fromkeys(result.rule for result in RESULTS.values())
        for wildcards in jobs(rule, studies)
        for path in made(rule, studies.get(wildcards.get("study", "")), wildcards)
    }


# --- files of studies --------------------------------------------------------------------------


def files(study: Study, name: str) -> list[str]:
    """Return the files of a result that a study has, in the order of the configuration."""
    result = RESULTS[name]
    return [path for wildcards in result.of(study) for path in result.paths(study=study.name, **wildcards)]


def table_files(study: Study, *suffixes: str) -> list[str]:
    """Return the files of all tables of a study in some formats."""
    return [path for path in (*files(study, "table_tex"), *files(study, "table")) if path.endswith(suffixes)]


def shown(study: Study) -> list[str]:
    """Return the results that tables and numbers, the paper and the page are made from, each once."""
    paths = [path for name, result in RESULTS.items() if result.shown for path in files(study, name)]
    of_tables = [table for kind, chosen in tables_of(study).values() for table in made_of(study, kind, chosen)]
    # sentences say how many times the costs of another one an algorithm needs, and the page computes profiles
    ratios = [path for name in study.measures_for("profiles") for path in RESULTS["ratios"].paths(study=study.name, measure=name)]
    return list(dict.fromkeys([*paths, *ratios, *(f"results/{study.name}/{table}.parquet" for table in of_tables)]))


def explored(study: Study) -> list[str]:
    """Return what the page carries beside that: curves."""
    beside = set(shown(study))
    return [path for name, result in RESULTS.items() if result.explored for path in files(study, name) if path not in beside]


def results_of(study: Study, typeset: bool = True) -> Iterator[str]:
    """Yield every result of a study that is made unasked; without a TeX engine (`typeset`) not its own paper."""
    drawn = {table.split("/")[0] for name in views.chosen_figures(study) for table in views.figures_of(study)[name].tables}
    for name, result in RESULTS.items():
        if result.of_study and (typeset or name != "own_paper") and (name in drawn or not result.on_request):
            yield from files(study, name)


def all_results(studies: Studies, root: Path, typeset: bool) -> list[str]:
    """Return what `snakemake` makes by default; PDF papers only where there is TeX (`typeset`)."""
    paths = [path for study in studies.values() for path in results_of(study, typeset)]
    rules, documents = ["pens", "paper", "page"], ["paper_pdf", "supplement_pdf"]
    if reproduced(studies, root):
        rules.append("reproduction")
        documents.append("reproduction_pdf")
    return paths + [path for rule in [*rules, *(documents if typeset else [])] for path in made(rule, None, {})]


def paper_tables(root: Path) -> list[Path]:
    """Return the tables of published papers that ship with the workflow."""
    return sorted((root / "data/paper-tables").glob("*.csv"))


def reproduced(studies: Studies, root: Path) -> bool:
    """Return True if a study is of a published table, whose printed numbers are then compared."""
    tables = {path.resolve() for path in paper_tables(root)}
    return not tables.isdisjoint(
        path.resolve() for study in studies.values() for source in study.sources for path in source.paths
    )


def tested(study: Study) -> Path:
    """Return the record of the looks at a study: its clusters and runs each time that it had grown when it was tested."""
    return Path("tested", f"{study.name}.json")


# --- patterns ----------------------------------------------------------------------------------


def any_of(words: Iterable[str]) -> str:
    """Return a wildcard constraint that admits just these words."""
    pattern = "|".join(re.escape(word) for word in sorted(set(words)))
    # nowhere is a boundary of a word and none; these two would end the path where results go to remote storage
    return pattern.replace(r"\?", r"\x3f").replace(r"\#", r"\x23") if pattern else r"\b\B"


def constraints(studies: Studies) -> dict[str, str]:
    """Return by wildcard the names that it may stand for, as a regular expression."""
    each: dict[str, Listed] = {
        "source": lambda study: study.source_names,
        "measure": lambda study: study.measures,
        "variant": lambda study: study.variants,
        "aggregation": lambda study: study.aggregations,
        "figure": views.figures_of,
        "table": views.tables_of,
    }
    return {
        "study": any_of(studies),
        **{name: any_of(word for study in studies.values() for word in words(study)) for name, words in each.items()},
    }


def own_constraints(studies: Studies, rule: str) -> dict[str, str]:
    """Return the names that the wildcards of one rule may stand for."""
    all_jobs = list(jobs(rule, studies))
    return {name: any_of(job[name] for job in all_jobs) for name in (all_jobs[0] if all_jobs else ()) if name != "study"}


def studies_with(studies: Studies, kinds: Iterable[str]) -> str:
    """Return a constraint on the wildcard `study`: what follows it is a result of a profile of some variants."""
    return rf"(?={_profile_results(studies, kinds)})[^/]+"


def _profile_results(studies: Studies, kinds: Iterable[str]) -> str:
    paths = []
    for kind in kinds:
        tables = any_of((*VARIANT_TABLES, *VARIANTS[kind].tables))
        for name, study in studies.items():
            profiles = any_of(f"{measure}/{one}" for one, measure in study.profiled if study.variants[one]["variant"] == kind)
            paths.append(rf"{re.escape(name)}/(?:{tables})/(?:{profiles})\.parquet$")
    return f"(?:{'|'.join(paths)})" if paths else any_of(())


def no_profile_pattern(studies: Studies) -> str:
    """Return a pattern for the paths of results of a profile that does not exist."""
    return rf"(?!{_profile_results(studies, VARIANTS)})[^/]+/(?:{any_of(made_by('profiles'))})/[^/]+/[^/]+"


def no_profile(studies: Studies, asked: str) -> str:
    """Return a sentence that says which profiles there are instead of the requested one."""
    name, table, measure, variant = asked.removeprefix("results/").removesuffix(".parquet").split("/")
    study = studies.get(name)
    if study is None or measure not in study.measures or variant not in study.variants:
        profiles = [path for study in studies.values() for path in files(study, "profiles")]
        return f"There is no profile {asked}{validation.did_you_mean(asked, profiles)}"
    kind = study.variants[variant]["variant"]
    if table in (*VARIANT_TABLES, *VARIANTS[kind].tables):
        return (
            f"There is no {asked}: studies.{name}.profiles makes {variant!r} of other measures than {measure!r} "
            f"(it is a {VARIANTS[kind].words})."
        )
    fitting = " or ".join(entry.name for entry in VARIANTS.values() if table in entry.tables)
    there = files(study, table)
    return (
        f"There is no {asked}: {variant!r} of studies.{name}.profiles is a {VARIANTS[kind].words}, and {table} are made of the "
        f"variant {fitting}; add it there{', or ask for what there is' + validation.did_you_mean(asked, there) if there else '.'}"
    )
