"""The JSON schema of a configuration, made from the options of whatever a study can name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmill.core import keys
from benchmill.core.options import Given, Written, alternatives, option, properties, schema_of
from benchmill.core.traces import SCALE, Scale
from benchmill.readers.interface import CONDITIONS
from benchmill.registry import criteria, extensions, figures, indicator_options, measures, variants
from benchmill.registry.indicators import INDICATORS
from benchmill.registry.inference import USUAL, Options
from benchmill.registry.primary import Primary
from benchmill.text.appearance import Appearance
from benchmill.text.frames import Row
from benchmill.text.settings import Asked

#: Keys of what a trial belongs to, of which some make a problem.
_KEYS = ("suite", "problem", "dimension", "instance")

#: Options that name algorithms, and a file.
_NAMES: Written = {
    "type": ["array", "null"],
    "default": None,
    "minItems": 1,
    "uniqueItems": True,
    "items": {"type": "string", "minLength": 1},
}
_PATH: Written = {"type": ["string", "null"], "default": None, "minLength": 1}


@dataclass(frozen=True, kw_only=True)
class Source:
    """A source of logs, as far as no format has to be known: the reader's options join these."""

    path: str | None = option(
        """A log folder, an archive or a table; `*` and `?` match several, except what another entry names itself. Or the URL
        (`https`, `s3`) of one archive or table, or a name in a public archive (`coco:bbob/2009/*`); these are fetched once and
        kept in `downloads/`. Needed where there are no `parts`.""",
        None,
        type="string",
        minLength=1,
    )
    parts: tuple[str, ...] | None = option(
        """Instead of `path`: the folders, archives or tables of one campaign, all in one format, read one after the other as
        one source. An algorithm belongs to one source of a study. `*` and `?` match several.""",
        None,
        type="array",
        minItems=1,
        items={"type": "string", "minLength": 1},
    )
    name: str | None = option(
        "Name of the source in file names; by default made from the path.", None, type="string", minLength=1
    )
    format: str | None = option(
        """Name of the reader; by default found by looking at the source. Needed for a source by URL, and for one by name whose
        archive does not tell.""",
        None,
        type="string",
    )
    sha256: str | None = option(
        "The SHA-256 that the file must have, as 64 hexadecimal digits.", None, type="string", pattern="^[0-9a-fA-F]{64}$"
    )
    citation: str | None = option(
        "How to cite its data: BibTeX entries or plain text, which go into `references.bib`.",
        None,
        type="string",
        minLength=1,
    )
    size_mb: float | None = option(
        "Size of the file to fetch, from which jobs derive the memory they ask for; 20 if not given.",
        None,
        type="number",
        exclusiveMinimum=0,
    )
    most_mb: float | None = option(
        """Largest size, in megabytes, of a file from a stranger; such a file is not fetched from addresses of this machine or a
        private network either. Entries of a competition take it from its rules.""",
        None,
        type="number",
        exclusiveMinimum=0,
    )


@dataclass(frozen=True, kw_only=True)
class Standings:
    """Settings of the ranking over all measures."""

    rank_sum: tuple[str, ...] = option(
        "Criteria whose ranks in all measures are added up to the rank of a competition.",
        (criteria.DEFAULT,),
        names_of=criteria.CRITERIA,
        minItems=1,
        uniqueItems=True,
    )
    ranks: Given = option(
        """Ranks from elsewhere that are added to these: for each name the rank of every algorithm that competes, such as
        `{f_r: {eDE: 1, SaDE: 6}}`, the ranks by the function values reached in the CEC 2006 competition.""",
        {},
        type="object",
        additionalProperties={"type": "object", "additionalProperties": {"type": "number", "minimum": 1}},
    )


@dataclass(frozen=True, kw_only=True)
class Indicators(indicator_options.Ert):
    """Numbers and curves that describe the costs of every problem; those of a registry have sections beside these options."""

    quantiles: tuple[str, ...] = option(
        "Measures whose best, quartiles and worst costs are printed as a table, one row per algorithm and problem.",
        (),
        uniqueItems=True,
    )
    scale: Scale = option(f"{SCALE} For ECDF and attainment curves; each measure has its own `scale`.", "logged")


def _indicators() -> Written:
    sections = {
        entry.name: {"description": f"{entry.said[0].upper()}{entry.said[1:]}.", **schema_of(entry.options), "default": {}}
        for entry in INDICATORS.values()
        if entry.options is not None
    }
    return properties(Indicators) | sections


@dataclass(frozen=True, kw_only=True)
class Study:
    """The keys of a study."""

    title: str = option("Heading of the study in the paper and the report.", "")
    sources: tuple[Any, ...] = option(
        """Where the raw logs are: a path or glob of log folders, archives or tables, or a list of such paths and of mappings
        with the keys of a source.""",
        type="array",
        minItems=1,
        # the reader of a source checks the keys of its format
        items=lambda: schema_of(Source) | {"additionalProperties": True},
    )
    algorithms: Given = option(
        """Which algorithms of the sources the study takes, and what it calls them. All results know only these, by these names.
        A name that no source has is an error.""",
        {},
        type="object",
        additionalProperties=False,
        properties={
            "only": {
                "description": "The algorithms to take, as the sources name them, or patterns with `*` and `?`; by default all.",
                **_NAMES,
            },
            "except": {"description": "Algorithms to leave out, as the sources name them, or patterns.", **_NAMES},
            "rename": {
                "description": "New names, by the names in the sources or by patterns; a `*` in the new name stands for what the "
                "`*` of the pattern matched (`'scip-*': 'SCIP *'`). No two algorithms may be called the same.",
                "type": ["object", "null"],
                "default": None,
                "additionalProperties": {"type": "string", "minLength": 1},
            },
        },
    )
    attributes: Given = option(
        """What else is known about problems and algorithms (size, class, licence): tables in CSV or Parquet, whose columns are
        attributes. Those of problems can be used in `profiles.groups` and `profiles.weights`, `inference.stratify` and
        `indicators.ecdf.groups`, and filter the page; all of them in `where`.""",
        {},
        type="object",
        additionalProperties=False,
        properties={
            "problems": {
                "description": "A file with a column `problem`, a row for each, and a column for each attribute.",
                **_PATH,
            },
            "algorithms": {
                "description": "A file with a column `algorithm` (names after `algorithms.rename`), a row for each, and a column "
                "for each attribute.",
                **_PATH,
            },
        },
    )
    where: Row = option(
        """Which part of the sources the study takes: for each attribute a value, a list of values, or `{not: ...}`. Whatever a
        table of attributes does not list has an empty value.""",
        {},
        **{key: value for key, value in CONDITIONS.items() if key != "minProperties"},
    )
    best_known: str | None = option(
        """A register of best-known values in CSV (`problem`, `value`, `bound`, `sense`, `holder`, `date`, `evidence`), or a
        `.solu` file. A run that contradicts it has not solved its problem; `best_known.parquet` lists what contradicts it and
        what is better.""",
        None,
        minLength=1,
    )
    problem_keys: tuple[str, ...] = option(
        "The keys that make a problem; the remaining ones (instance, run) tell its trials apart.",
        _KEYS[:-1],
        minItems=1,
        uniqueItems=True,
        items={"enum": list(_KEYS)},
    )
    cluster_keys: tuple[str, ...] = option(
        """What belongs together: problems that agree in these keys are one cluster, at all their targets and budgets. Tests
        permute and bootstraps draw whole clusters, because a function at four dimensions is one thing tried four times.
        `family` is the family of a problem (from its name, its folder or an attribute) if the data show that problems of a
        family depend on each other, otherwise the problem itself; `[suite, problem]` takes every problem by itself.""",
        keys.DEFAULT_CLUSTER_KEYS,
        minItems=1,
        uniqueItems=True,
        items={"enum": [*_KEYS, keys.FAMILY]},
    )
    primary: Primary = option(
        """The primary analysis, declared before anything is tested. Everything else is secondary, and corrected over targets
        and budgets.""",
        Primary(),
    )
    competition: Given | None = option(
        """The rules of a competition, whose entries are sources of the study (docs/organising.md). An entry that does not compete
        is among `not_competing`.""",
        None,
        type=["object", "null"],
        additionalProperties=False,
        properties=lambda: extensions.properties_of("competition"),
    )
    control: str | None = option(
        """The algorithm (or a pattern for it) that all others are compared with: `verdicts.parquet` then has a statement for each
        other algorithm, in a family of their own. By default all pairs are compared.""",
        None,
    )
    claims: tuple[str, ...] | None = option(
        """What the study claims, as plain statements: `Ours better than Powell`, `Ours best on ert`, `Ours as good as SLSQP
        within 5 %`. Each is examined by the primary analysis and under every convention of docs/rules.md. By default those of
        the headline: that the leader of the primary analysis is the best, or is better than those shown to be worse. An empty
        list claims nothing.""",
        None,
        uniqueItems=True,
        items={"type": "string", "minLength": 1},
    )
    not_competing: tuple[str, ...] = option(
        """Algorithms that are shown and never ranked, such as a reference or one out of competition: they take no part in
        tests, comparisons, verdicts, claims, leaders and standings, and have no rank in the summary of solver runs. Ratios are
        to the best of all algorithms shown, so profiles and the numbers read off them, ranks included, cover all of them.""",
        (),
        uniqueItems=True,
    )
    measures: Given = option(
        "What is compared, by name.",
        {"ert": {"kind": measures.RUNNING_TIMES}},
        type="object",
        minProperties=1,
        propertyNames={"pattern": "^[A-Za-z][A-Za-z0-9_]*$"},
        additionalProperties=lambda: alternatives("kind", [(kind, kind.options) for kind in measures.MEASURES.values()]),
    )
    profiles: tuple[Any, ...] = option(
        "Profile variants to make for every measure; an empty list makes none.",
        ({"variant": variants.DEFAULT},),
        type="array",
        items=lambda: alternatives("variant", [(entry, entry.options) for entry in variants.VARIANTS.values()]),
    )
    standings: Standings = option("How algorithms are ranked over all measures.", Standings())
    indicators: Given = option(
        "Numbers and curves that describe the costs of every problem.",
        {},
        type="object",
        additionalProperties=False,
        properties=_indicators,
    )
    inference: Options = option("Tests that all algorithms are equal, and comparisons of all pairs.", USUAL)
    figures: tuple[Any, ...] = option(
        """Names of the figures to draw, and figures asked for by their kind. `all` stands for those that every study has:
        profiles, ECDF curves, ranks and intervals.""",
        ("all",),
        type="array",
        items=lambda: {
            "oneOf": [
                {"type": "string"},
                *alternatives("kind", ((kind, kind.load().Options) for kind in figures.KINDS.values()))["oneOf"],
            ]
        },
    )
    tables: tuple[Any, ...] = option(
        """Additional tables: chosen rows and columns of a table that the study has, each in files of its own. The tables that
        every study has are made anyway.""",
        (),
        type="array",
        items=lambda: schema_of(Asked),
    )
    appearance: Appearance = option("How the figures look.", Appearance())
    paper: str | None = option(
        """A LaTeX file of the study's own, compiled to `results/<study>/paper.pdf`. It reads what the study makes by paths
        within the study's results: `numbers.tex`, `tables/<table>.tex`, `figures/<figure>.pdf`.""",
        None,
        minLength=1,
    )
    seed: int = option("The one seed of the study; every random method derives its own stream from it.", 1, minimum=0)


@dataclass(frozen=True, kw_only=True)
class Author:
    """An author of a deposit."""

    name: str = option("Name of a person.", minLength=1)
    orcid: str | None = option("ORCID iD.", None, pattern="^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$")
    affiliation: str | None = option("Where the person works.", None, minLength=1)


@dataclass(frozen=True, kw_only=True)
class Deposit:
    """Description of a deposit."""

    title: str | None = option("Its title; by default the titles of the studies.", None, minLength=1)
    licence: str | None = option(
        "The licence of its contents: an SPDX identifier, such as `CC-BY-4.0`, or an address. A deposit needs one.",
        None,
        pattern=r"^([A-Za-z0-9.+-]+|https?://[^\s]+)$",
    )
    authors: tuple[Author, ...] = option("Who made it. A deposit needs one.", (), type="array", items=lambda: schema_of(Author))


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The keys of a configuration."""

    studies: Mapping[str, Study] = option(
        "The studies, by name. A name becomes a folder below `results/`.",
        minProperties=1,
        propertyNames={"pattern": "^[A-Za-z][A-Za-z0-9_-]*$"},
    )
    deposit: Deposit = option(
        "What a deposit of the data and the results says of itself (`benchmill pack --archive`); no result depends on it.",
        Deposit(),
    )


def schema() -> Written:
    """Return the JSON schema of a configuration whose shorthand is written out."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "benchmill configuration",
        **schema_of(Configuration),
    }
