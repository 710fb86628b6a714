"""The registry of results: where each is, what a row of it means, which rule makes it, and which of them a study has."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmill.core.keys import FAMILY
from benchmill.registry import formats
from benchmill.registry.indicators import INDICATORS
from benchmill.registry.measures import MEASURES
from benchmill.registry.variants import TABLES as VARIANT_TABLES
from benchmill.registry.variants import VARIANTS
from benchmill.study import validation, views
from benchmill.study.sources import Source
from benchmill.study.study import ECDF_MEASURE, Study, made_of, tables_of

#: Values of the wildcards of a path, by name.
Wildcards = Mapping[str, str]

#: Of which wildcards, beside the study, there are files in a study.
Each = Callable[[Study], Iterable[Wildcards]]

_OF_STUDY = "results/{study}/"

#: The record of pens, which stands beside the configuration.
PENS = Path("pens.yaml")


def _once(study: Study) -> list[Wildcards]:
    return [{}]


@dataclass(frozen=True)
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
    of: Each = _once
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


def _of(wildcard: str, names: Callable[[Study], Iterable[str]]) -> Each:
    return lambda study: [{wildcard: name} for name in names(study)]


def _if(holds: Callable[[Study], Any]) -> Each:
    return lambda study: [{}] if holds(study) else []


def _measures(stage: str) -> Each:
    return _of("measure", lambda study: study.measures_for(stage))


def _answers(source: Source) -> bool:
    """Return True if runs of a source may state what those of others contradict; those of tables state it by two columns."""
    return formats.named(source.format).answers or source.says >= {"outcome", "best_value"}


def _costs(study: Study) -> Iterator[Wildcards]:
    return ({"measure": measure, "source": source} for measure in study.measures for source in study.source_names)


def _profiles(table: str | None = None) -> Each:
    """Return measures and variants of all profiles, or of those that make a table."""
    return lambda study: (
        {"measure": measure, "variant": name}
        for measure in study.measures_for("profiles")
        for name, settings in study.variants_for(measure).items()
        if table is None or table in VARIANTS[settings["variant"]].tables
    )


_SOURCES, _PROFILES = _of("source", lambda study: study.source_names), _profiles()
_FIGURES, _TABLES = _of("figure", views.chosen_figures), _of("table", views.tables_of)


_INFERENCE = _if(lambda study: study.measures_for("inference"))

#: By what there is one job for: the files of an indicator, and which of them a study has.
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


# --- the results, in the order of the flow -----------------------------------------------------


def _tables(
    rule: str, files: str, each: Each, *, shown: bool = False, explored: bool = False, **meanings: str
) -> dict[str, Result]:
    """Declare tables of a study, by name what a row is; `files` are those in the folder of each."""
    return {
        name: Result(f"{_OF_STUDY}{name}{files and '/' + files}.parquet", meaning, rule, each, (), shown, explored)
        for name, meaning in meanings.items()
    }


_MV = "{measure}/{variant}"


def indicated() -> dict[str, Result]:
    """Return what the entries of `benchmill.registry.indicators` make, each by a rule of its name."""
    return {
        name: Result(
            f"{_OF_STUDY}{folder}/{_INDICATED[entry.each][0]}.parquet",
            row,
            entry.name,
            _INDICATED[entry.each][1],
            shown=name in entry.shown,
            explored=name in entry.explored,
            on_request=entry.on_request,
        )
        for entry in INDICATORS.values()
        if entry.needs
        for name, (folder, row) in entry.results.items()
    }


RESULTS: dict[str, Result] = {
    "config": Result(_OF_STUDY + "config.yaml", "the study with every default filled in", "config"),
    **_tables(
        "ingest",
        "{source}",
        _SOURCES,
        trials="a run of an algorithm on a problem instance",
        traces="an improvement within a trial",
        excerpts="a place in a log at which trials begin, with its first and last lines, for the page",
    ),
    "ingest": Result(
        _OF_STUDY + "ingest/{source}.json",
        "what the reader found, repaired, refused and missed (`docs/rules.md`)",
        "ingest",
        _SOURCES,
        shown=True,
    ),
    **_tables("algorithms", "", _once, shown=True, algorithms="an algorithm, and the one source that holds it"),
    "references": Result(_OF_STUDY + "references.bib", "BibTeX of every method and data set that the study uses", "references"),
    **_tables(
        "contradictions",
        "",
        _if(lambda study: sum(_answers(source) for source in study.sources if not source.broken) > 1),
        shown=True,
        contradictions=(
            "a problem on which runs of different sources state what cannot all be true "
            "(studies of solver runs from several sources)"
        ),
    ),
    **_tables(
        "best_known",
        "",
        _if(lambda study: study.best_known),
        shown=True,
        best_known="a run that contradicts the study's best-known values or is better (studies with the key `best_known`)",
    ),
    **_tables("costs", "{measure}/{source}", _costs, costs="a trial × target or budget"),
    **_tables("ratios", "{measure}", _measures("inference"), ratios="an algorithm × problem × target or budget"),
    "changes": Result(
        _OF_STUDY + "changes.md",
        "for each algorithm, what its presence changes: baselines, problems left out, places, and why",
        "changes",
    ),
    **_tables("profiles", _MV, _PROFILES, explored=True, profiles="an algorithm × break point of its profile"),
    **_tables(
        "profiles",
        _MV,
        _PROFILES,
        shown=True,
        profile_measures="an algorithm: area, reliability, wins, ranks",
        profile_pairs="an ordered pair of algorithms: does one profile dominate the other",
        profile_intervals="an algorithm × quantity with its bootstrap interval",
        profile_warnings="an algorithm × problem at which the model of the variant is doubtful",
    ),
    **_tables(
        "profiles",
        _MV,
        _profiles("log_ratios"),
        log_ratios="log-ratio profiles: a problem, in the order of its log ratio",
    ),
    **_tables(
        "profiles",
        _MV,
        _profiles("waves"),
        shown=True,
        waves="nested profiles: an algorithm × wave, and who is eliminated",
    ),
    **_tables("profiles", _MV, _profiles("wave_profiles"), wave_profiles="nested profiles: an algorithm × wave × break point"),
    **_tables(
        "standings",
        "profiles",
        _if(lambda study: study.profiled),
        shown=True,
        standings="an algorithm × variant × measure × criterion: its rank, and over all measures",
    ),
    **_tables(
        "leaders",
        "",
        _INFERENCE,
        shown=True,
        leaders="an algorithm × measure × criterion: its rank, of all problems that count",
    ),
    **indicated(),
    **_tables(
        "families",
        "",
        _if(lambda study: FAMILY in study.settings["cluster_keys"] and study.measures_for("inference")),
        shown=True,
        families="a way to deal the problems to families × problem: do those of a family depend?",
    ),
    **_tables(
        "tests",
        "{measure}",
        _measures("inference"),
        shown=True,
        designs="a design that was tested: blocks, runs, and how the costs became it",
        tests="a test",
        ranks="an algorithm: its average rank",
        comparisons="a pair of algorithms",
        posteriors="a pair of algorithms: probabilities that one is practically better",
        intervals="an algorithm × method: its mean with the minimum significant difference",
        assumptions="a check of what parametric methods assume",
    ),
    **_tables(
        "verdicts",
        "",
        _INFERENCE,
        shown=True,
        verdicts="a statement that may be made, or that the data do not carry, as a sentence too",
        rank_sets="an algorithm: the ranks that it can have by the primary analysis, and whether it can be the best",
    ),
    **_tables(
        "claims",
        "",
        _if(lambda study: study.claimed_measures),
        shown=True,
        claims="a claim × convention: does it hold there?",
    ),
    "badge": Result(
        _OF_STUDY + "badge.svg",
        "how far the claims of the study hold, as a badge",
        "claims",
        _if(lambda study: study.claimed_measures),
    ),
    **_tables(
        "rank_sums",
        "{measure}",
        lambda study: [
            one for one in _measures("indicators")(study) if MEASURES[study.measures[one["measure"]]["kind"]].running_times
        ],
        shown=True,
        rank_sums="an algorithm × problem × target: is the best one there better?",
    ),
    "pens": Result("results/pens.yaml", "by study the place of each algorithm, which makes its colour, line and marker", "pens"),
    "figure": Result(
        _OF_STUDY + "figures/{figure}.{format}",
        "a figure, and its caption",
        "figures",
        _FIGURES,
        formats=("pdf", "svg", "txt"),
    ),
    "png": Result(
        _OF_STUDY + "figures/{figure}.png",
        "the figure as PNG (with `formats: [png]`)",
        "figures_png",
        lambda study: _FIGURES(study) if "png" in study.settings["appearance"]["formats"] else [],
    ),
    "table_tex": Result(
        _OF_STUDY + "tables/{table}.tex",
        r"a table to `\input` in a paper (package `booktabs`)",
        "tables",
        _TABLES,
    ),
    "table": Result(
        _OF_STUDY + "tables/{table}.{format}",
        "the same rows with the same rounding as CSV and Markdown; its caption",
        "tables",
        _TABLES,
        formats=("csv", "md", "txt"),
    ),
    "numbers": Result(
        _OF_STUDY + "numbers.tex",
        r"a macro for every headline number, used as `\benchmill{key}`; the file lists the keys",
        "tables",
    ),
    "exhibits": Result(
        _OF_STUDY + "exhibits.json",
        "all tables and sentences of the study, as its section, the paper and the page show them",
        "tables",
    ),
    "reproduction": Result(
        "results/reproduction.parquet", "a number printed in a published paper, and the recomputed one", "reproduction"
    ),
    "reproduction_table": Result(
        "results/reproduction.{format}",
        "the same as a table (both with the studies of those papers)",
        "reproduction",
        formats=("tex", "csv", "md"),
    ),
    "reproduction_paper": Result(
        "results/paper/reproduction.tex", "the LaTeX source of a document with that table", "reproduction"
    ),
    "evidence": Result(
        _OF_STUDY + "evidence.json",
        "every run, and the evidence for the statements about pairs, packed for the report",
        "evidence",
    ),
    "paper": Result("results/paper/paper.tex", "the LaTeX source of the paper of all studies", "paper"),
    "supplement": Result("results/paper/supplement.tex", "that of its supplement", "paper"),
    "page": Result("results/report.html", "the report of all studies, one file that works offline", "page"),
    "page_runs": Result(
        "results/report/runs.html",
        "the runs of studies with more than 200 000 of them, which the report opens from there",
        "page",
    ),
    "section": Result(_OF_STUDY + "section.tex", r"the study as a section of your own article, to be `\input` there", "section"),
    "texts": Result(
        _OF_STUDY + "texts.tex",
        r"its sentences and captions, each under a name, after `\input` of `numbers.tex`",
        "section",
    ),
    "markdown": Result(_OF_STUDY + "section.md", "the study as a chapter in Markdown (`benchmill pack`)", "section"),
    "paper_pdf": Result("results/paper.pdf", "the paper of all studies: what was found, and how", "paper_pdf"),
    "supplement_pdf": Result("results/supplement.pdf", "all figures and tables that the paper has no room for", "supplement_pdf"),
    "reproduction_pdf": Result(
        "results/reproduction.pdf",
        "printed and recomputed numbers of published papers as a document",
        "reproduction_pdf",
    ),
    "own_paper": Result(
        _OF_STUDY + "paper.pdf", "the paper that the study brings (key `paper`)", "own_paper", _if(lambda study: study.paper)
    ),
}


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
    pattern = next(iter(made_by(rule).values())).path
    return [f"{{{name}}}" for name in re.findall(r"\{(\w+)\}", pattern) if name not in ("format", "table")]


def jobs(rule: str, studies: Mapping[str, Study]) -> Iterator[Wildcards]:
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


def makers(studies: Mapping[str, Study]) -> dict[str, tuple[str, Wildcards]]:
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


def all_results(studies: Mapping[str, Study], root: Path, typeset: bool) -> list[str]:
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


def reproduced(studies: Mapping[str, Study], root: Path) -> bool:
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


def constraints(studies: Mapping[str, Study]) -> dict[str, str]:
    """Return by wildcard the names that it may stand for, as a regular expression."""
    each: dict[str, Callable[[Study], Iterable[str]]] = {
        "source": lambda study: study.source_names,
        "measure": lambda study: study.measures,
        "variant": lambda study: study.variants,
        "aggregation": lambda study: study.aggregations,
        "figure": views.figures_of,
        "table": views.tables_of,
    }
    patterns = {name: any_of(word for study in studies.values() for word in words(study)) for name, words in each.items()}
    return {"study": any_of(studies), **patterns}


def own_constraints(studies: Mapping[str, Study], rule: str) -> dict[str, str]:
    """Return the names that the wildcards of one rule may stand for."""
    all_jobs = list(jobs(rule, studies))
    return {name: any_of(job[name] for job in all_jobs) for name in (all_jobs[0] if all_jobs else ()) if name != "study"}


def studies_with(studies: Mapping[str, Study], kinds: Iterable[str]) -> str:
    """Return a constraint on the wildcard `study`: what follows it is a result of a profile of some variants."""
    return rf"(?={_profile_results(studies, kinds)})[^/]+"


def _profile_results(studies: Mapping[str, Study], kinds: Iterable[str]) -> str:
    paths = []
    for kind in kinds:
        tables = any_of((*VARIANT_TABLES, *VARIANTS[kind].tables))
        for name, study in studies.items():
            profiles = any_of(f"{measure}/{one}" for one, measure in study.profiled if study.variants[one]["variant"] == kind)
            paths.append(rf"{re.escape(name)}/(?:{tables})/(?:{profiles})\.parquet$")
    return f"(?:{'|'.join(paths)})" if paths else any_of(())


def no_profile_pattern(studies: Mapping[str, Study]) -> str:
    """Return a pattern for the paths of results of a profile that does not exist."""
    return rf"(?!{_profile_results(studies, VARIANTS)})[^/]+/(?:{any_of(made_by('profiles'))})/[^/]+/[^/]+"


def no_profile(studies: Mapping[str, Study], asked: str) -> str:
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
