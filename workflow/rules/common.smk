"""The studies, what every rule asks about them, and how jobs start. Nothing here starts one.

REQUIRED INPUT: `config`, as Snakemake has read it.
GIVES: `STUDIES`; constraints on the wildcards; `code`, `measure_of`, `result`, `all_results`.
"""

import re
from functools import cache, partial
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError
from snakemake.script import PythonScript

from benchmill.workflow import study as study_config
from benchmill.workflow import fork_server
from benchmill import readers
from benchmill.core.errors import UserError
from benchmill.registry import tables as table_kinds
from benchmill.registry.figures import KINDS
from benchmill.workflow.fingerprint import fingerprint, watch
from benchmill.workflow.tex_files import paper_files
from benchmill.workflow.typesetting import tex_engine_available, tex_version
from benchmill.workflow.watched import digests
from benchmill.workflow import check_folder

# from this file, not from the main Snakefile, which is someone else's where this one is a module of it
HERE = Path(str(workflow.current_basedir)).parents[1]
PACKAGE = Path(readers.__file__).parents[1]
# a job on another machine of a cluster is told by the run that it belongs to
if not workflow.remote_exec:
    watch(HERE / "scripts")
fork_server.start_jobs_of(PythonScript, HERE / "scripts")
CONFIG_FILES = [
    Path(path) for path in workflow.overwrite_configfiles or workflow.configfiles
] or [HERE / "config.yaml"]


def drawn_from(study, kind, measures=(), variants=(), aggregation=None):
    """The tables that a figure of a kind is drawn from."""
    sources = [source.name for source in study.sources]
    tables = [
        table.format(
            measure=measure, variant=variant, source=source, aggregation=aggregation
        )
        for measure in measures or [None]
        for variant in variants or [None]
        if variant is None or variant in study.variants_for(measure)
        for table in KINDS[kind].tables
        for source in (sources if "{source}" in table else [None])
    ]
    files = [f"results/{study.name}/{table}.parquet" for table in tables]
    return list(dict.fromkeys([*files, *floored_of(study, measures)]))


def floored_of(study, measures):
    """What counts the values below the floors of measures, for captions."""
    floors = [study.measures[measure].get("floor") for measure in measures]
    return indicators_of(study) if any(floor is not None for floor in floors) else []


def asked_figures_of(study):
    """The figures that a study asks for by their kind, as `figures_of` lists those that every study has."""
    for name, asked in study.asked_figures.items():
        kind, chosen = asked["kind"], {"asked": asked}
        shows = KINDS[kind].shows
        variants = asked["variants"] if shows == "profiles" else ()
        files = drawn_from(
            study, kind, asked["measures"], variants, asked["aggregation"]
        )
        if kind == "profile" or shows == "indicators":
            chosen["measure"] = asked["measures"][0]
        if kind == "profile":
            chosen["profile"] = asked["variants"][0]
        yield name, (kind, files + reports_of(study), chosen)


def figures_of(study):
    """The figures that a study can have: by name the kind, what it is drawn from, and its settings."""
    reports = reports_of(study)
    figures = {}
    for measure in study.measures_for("profiles"):
        for variant in study.variants_for(measure):
            figures[f"profile_{measure}_{variant}"] = (
                "profile",
                drawn_from(study, "profile", [measure], [variant]) + reports,
                {"measure": measure, "profile": variant},
            )
    for aggregation in study.aggregations:
        if aggregation in ("trial", "problem_per_target"):
            continue  # a panel for each target would be too many
        figures[f"ecdf_{aggregation}"] = (
            "ecdf",
            drawn_from(study, "ecdf", aggregation=aggregation) + reports,
            {"measure": study_config.ECDF_MEASURE},
        )
    for measure in study.measures_for("inference"):
        replicated = study.settings["inference"]["design"] == "replicated"
        for kind in ("ranks", "intervals") if replicated else ("ranks",):
            figures[f"{kind}_{measure}"] = (
                kind,
                drawn_from(study, kind, [measure]),
                {"measure": measure},
            )
    figures.update(asked_figures_of(study))
    return figures


def tables_of(study):
    """The tables of a study: by name the kind, what it is made from, and its settings."""
    folder, sources = f"results/{study.name}", [source.name for source in study.sources]
    found = {}
    for name, (kind, chosen) in table_kinds.tables_of(study).items():
        results = kind.made_of(study, chosen, sources)
        files = [f"{folder}/{table}.parquet" for table in results]
        files += reports_of(study) if kind.ingest else [f"{folder}/config.yaml"]
        files += contradictions_of(study) if kind.contradictions else []
        files += floored_of(study, [chosen["measure"]] if "measure" in chosen else [])
        found[name] = (kind.name, list(dict.fromkeys(files)), chosen)
    return found


#: What makes the tables, each found by the name of its kind.
TABLE_MODULES = [kind.module for kind in table_kinds.KINDS.values()]


def profiled(study):
    """The pairs of profile variant and measure that a study makes, variant by variant."""
    return (
        (variant, measure)
        for variant in study.variants
        for measure in study.measures_for("profiles")
        if variant in study.variants_for(measure)
    )


def rated(study):
    """The measures of which a study makes ratios: for profiles, or as the costs that a paired design is tested on."""
    replicated = study.settings["inference"]["design"] == "replicated"
    return [
        measure
        for measure in study.measures_for("inference")
        if study.variants_for(measure) or not replicated
    ]


def ingest_reports(study):
    """The ingest reports of a study."""
    return [
        f"results/{study.name}/ingest/{source.name}.json" for source in study.sources
    ]


def reports_of(study):
    """The ingest reports of a study, and the table of its algorithms, which says that each is in one source."""
    return [*ingest_reports(study), f"results/{study.name}/algorithms.parquet"]


def contradictions_of(study):
    """What runs of different sources claim that cannot all be true; nothing where runs claim nothing of the kind."""
    claiming = [s for s in study.sources if readers.states_claims(s.format)]
    return [f"results/{study.name}/contradictions.parquet"] if len(claiming) > 1 else []


def indicators_of(study):
    """The indicators of a study."""
    return [
        f"results/{study.name}/indicators/{source.name}.parquet"
        for source in study.sources
    ]


# the PDF needs a TeX engine, everything else does not
CAN_TYPESET = tex_engine_available()
INSTALL_TEX = "apt-get install lmodern texlive-latex-base texlive-latex-recommended texlive-pictures, then the same command again"

try:
    check_folder(Path.cwd())
    check_folder(HERE)
    STUDIES = study_config.read_studies(
        config,
        yaml.load(
            (HERE / "workflow/schemas/config.schema.yaml").read_text("utf-8"),
            # many times as fast, where PyYAML has it
            getattr(yaml, "CSafeLoader", yaml.SafeLoader),
        ),
        [*(path.parent for path in CONFIG_FILES), Path()],
        look=partial(readers.sniff, memory=Path(".snakemake/benchmill-looks")),
        options_of=lambda format: readers.options_schema(format)["properties"],
        figures_of=figures_of,
        where=CONFIG_FILES[-1].name,
    )
except UserError as error:
    raise WorkflowError(str(error)) from None


def here(path):
    """A path on this machine, also where results go to remote storage (`--default-storage-provider`)."""
    away = workflow.storage_settings.default_storage_provider
    return local(str(path)) if away else str(path)


def any_of(words):
    """A wildcard constraint that admits just these words (and something impossible if there are none)."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


@cache
def code(name, *modules):
    """Digest of the code that a rule's script runs, so that the rule runs again when it changes."""
    return fingerprint(HERE / "scripts" / f"{name}.py", *modules)


def source_of(wildcards):
    """The source that the wildcards name."""
    return STUDIES[wildcards.study].source(wildcards.source)


def raw_logs(source):
    """The file or folder of a source, or those of its parts; a download is kept where the results are."""
    # the time of a folder tells nothing of what is in it, which is among the parameters
    return [
        (
            str(path)
            if source.url
            else ancient(here(path)) if path.is_dir() else here(path)
        )
        for path in source.paths
    ]


ALL_SOURCES = [source for study in STUDIES.values() for source in study.sources]
SOURCE_NAMES = {source.name for source in ALL_SOURCES}
FOLDER_NAMES = {source.name for source in ALL_SOURCES if source.is_folder}


def raw_files(source):
    """What a source is read from that no job makes: the logs, unless they are fetched, and the tables beside them."""
    beside = [source.options.get(option) for option in study_config.FILES_BESIDE]
    return [*([] if source.url else source.paths), *filter(None, beside)]


#: What is fetched, by where it is kept.
DOWNLOADS = {str(source.paths[0]): source for source in ALL_SOURCES if source.url}


def raw_mb(source):
    """Size of the raw logs of a source, known before anything runs."""
    if source.url and not source.paths[0].exists():
        return source.size_mb or 20
    files = (
        file
        for path in source.paths
        for file in ([path] if path.is_file() else path.rglob("*"))
    )
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


RAW_MB = {
    (study.name, source.name): raw_mb(source)
    for study in STUDIES.values()
    for source in study.sources
}


def by_size(base, per_mb):
    """A resource that grows with the raw logs behind a job, known before anything runs, and doubles with each retry.

    For one source its own logs count, for a job that gathers those of the whole study. docs/scaling.md says how the numbers were
    measured.
    """

    def amount(wildcards, attempt):
        names = (
            [wildcards.source]
            if "source" in wildcards.keys()
            else [source.name for source in STUDIES[wildcards.study].sources]
        )
        size = sum(RAW_MB[wildcards.study, name] for name in names)
        return int((base + per_mb * size) * 2 ** (attempt - 1))

    return amount


def measure_of(wildcards):
    """Settings of the measure that the wildcards name."""
    return STUDIES[wildcards.study].measures[wildcards.measure]


def sources_of(**patterns):
    """Input function, to be unpacked: by name one file for each source of the study, in the order of the configuration.

    And the table of its algorithms: where two sources hold the same one, nothing that takes sources together is made.
    """
    return lambda wildcards: {
        "algorithms": f"results/{wildcards.study}/algorithms.parquet"
    } | {
        name: [
            pattern.format(**{**wildcards, "source": source.name})
            for source in STUDIES[wildcards.study].sources
        ]
        for name, pattern in patterns.items()
    }


def tables_beside(study, variant=None):
    """The tables of weights that a study brings, or that of one variant."""
    tables = study.weights_tables
    return [path for name, path in tables.items() if variant in (None, name)]


def needs_costs(variant):
    """Whether a profile variant reads the costs of single trials beside the ratios."""
    return variant["variant"] == "probabilistic" or bool(variant.get("bands"))


#: What the report is made of beside results.
TEMPLATES = sorted((PACKAGE / "report/templates").iterdir())

#: What is read off every profile variant.
PROFILE_TABLES = (
    "profile_measures",
    "profile_pairs",
    "profile_intervals",
    "profile_warnings",
)


def chosen_figures(study):
    """Names of the figures that the study asks for."""
    wanted, asked = study.settings["figures"], study.asked_figures
    return [
        name
        for name in figures_of(study)
        if "all" in wanted or name in wanted or name in asked
    ]


def gallery_examples():
    """For the gallery: the first figure of every kind and, where a study asks for one, of every layout and axis."""
    examples = {}
    for study in STUDIES.values():
        asked_for = [i for i in study.settings["figures"] if not isinstance(i, str)]
        entries = dict(zip(study.asked_figures, asked_for))
        for name in chosen_figures(study):
            kind, asked = figures_of(study)[name][0], study.asked_figures.get(name, {})
            look = (
                kind,
                asked.get("layout", "beside"),
                asked.get("axis") == "broken" and kind == "profile",
            )
            shown = {
                key: value
                for key, value in entries.get(name, {}).items()
                if (key, value) not in (("layout", "beside"), ("axis", "auto"))
            }
            examples.setdefault(
                look, {"kind": kind, "study": study.name, "name": name, "asked": shown}
            )
    return list(examples.values())


def gathered(study):
    """The results of a study that its numbers, its paper and its report are made from."""
    folder = f"results/{study.name}"
    yield f"{folder}/config.yaml"
    for measure in study.measures_for("profiles"):
        yield from (
            f"{folder}/{table}/{measure}/{variant}.parquet"
            for variant in study.variants_for(measure)
            for table in PROFILE_TABLES
        )
        yield from (
            f"{folder}/{table}/{measure}/{variant}.parquet"
            for variant, settings in study.variants_for(measure).items()
            if settings["variant"] == "nested"
            for table in ("waves", "stability")
        )
    if any(profiled(study)):
        yield from (
            f"{folder}/{table}/profiles.parquet" for table in ("standings", "fronts")
        )
    for measure in study.measures_for("inference"):
        yield from (
            f"{folder}/{table}/{measure}.parquet"
            for table in (
                "designs",
                "tests",
                "ranks",
                "comparisons",
                "posteriors",
                "intervals",
                "assumptions",
            )
        )
    for measure in study.measures_for("indicators"):
        if study.measures[measure]["kind"] == "fixed_target":
            yield f"{folder}/rank_sums/{measure}.parquet"
    for measure in study.settings["indicators"]["quantiles"]:
        yield from (
            f"{folder}/costs/{measure}/{source.name}.parquet"
            for source in study.sources
        )
    yield from indicators_of(study)
    yield from reports_of(study)
    yield from contradictions_of(study)


def explored(study):
    """What the report carries beside that: ratios, from which it computes profiles, and curves that it shows as they are."""
    folder = f"results/{study.name}"
    for measure in study.measures_for("profiles"):
        yield f"{folder}/ratios/{measure}.parquet"
        yield from (
            f"{folder}/profiles/{measure}/{name}.parquet"
            for name in study.variants_for(measure)
        )
    yield from (
        f"{folder}/ecdf/{aggregation}.parquet" for aggregation in study.aggregations
    )
    yield from (
        f"{folder}/value_ecdf/{measure}/{aggregation}.parquet"
        for measure, aggregation in study.value_ecdfs
    )


def results_of(study):
    """Every file of a study that `docs/files.md` describes; one that is lost is made again."""
    folder = f"results/{study.name}"
    yield from gathered(study)
    yield f"{folder}/numbers.tex"
    yield f"{folder}/changes.md"
    yield from (
        f"{folder}/{table}/{source.name}.parquet"
        for table in ("trials", "traces")
        for source in study.sources
    )
    yield from (
        f"{folder}/costs/{measure}/{source.name}.parquet"
        for measure in study.measures
        for source in study.sources
    )
    yield from (f"{folder}/ratios/{measure}.parquet" for measure in rated(study))
    for measure in study.measures_for("profiles"):
        yield from (
            f"{folder}/profiles/{measure}/{variant}.parquet"
            for variant in study.variants_for(measure)
        )
        yield from (
            f"{folder}/wave_profiles/{measure}/{variant}.parquet"
            for variant, settings in study.variants_for(measure).items()
            if settings["variant"] == "nested"
        )
        yield from (
            f"{folder}/log_ratios/{measure}/{variant}.parquet"
            for variant, settings in study.variants_for(measure).items()
            if settings["variant"] == "log_ratio"
        )
    yield from (
        f"{folder}/{table}/{aggregation}.parquet"
        for table in ("ecdf", "ecdf_curves")
        for aggregation in study.aggregations
    )
    yield from (f"{folder}/densities/{source.name}.parquet" for source in study.sources)
    if study.aggregations:
        yield from (
            f"{folder}/{table}/{study_config.ECDF_MEASURE}.parquet"
            for table in ("target_sets", "target_sensitivity")
        )
        yield from (
            f"{folder}/{table}/{source.name}.parquet"
            for table in ("attainment", "convergence")
            for source in study.sources
        )
    yield from (
        f"{folder}/{table}/{measure}/{aggregation}.parquet"
        for table in ("value_ecdf", "value_ecdf_curves")
        for measure, aggregation in study.value_ecdfs
    )
    yield from (
        f"{folder}/figures/{name}.{kind}"
        for name in chosen_figures(study)
        for kind in (
            "pdf",
            "svg",
            "png",
            "txt",
            *(["pgf"] if study.settings["appearance"]["pgf"] else []),
        )
    )
    yield from (
        f"{folder}/tables/{name}.{kind}"
        for name in tables_of(study)
        for kind in ("tex", "csv", "md", "txt")
    )


#: Studies of published tables: with one of them, the numbers that the papers print are compared with the recomputed ones.
PAPER_STUDIES = ("barreto2010", "hekmati2018", "barbosa2010")
PAPER_TABLES = sorted((HERE / "data/paper-tables").glob("*.csv"))


def reproduction():
    """The comparison with published numbers, where the configuration has a study of them."""
    return (
        [f"results/reproduction.{kind}" for kind in ("parquet", "tex", "csv", "md")]
        if PAPER_TABLES and set(PAPER_STUDIES) & set(STUDIES)
        else []
    )


def all_results():
    """Everything that `snakemake` makes when asked for nothing in particular."""
    files = [path for study in STUDIES.values() for path in results_of(study)]
    files += ["results/report.html", "results/paper/paper.tex", *reproduction()]
    if CAN_TYPESET:
        files += ["results/paper.pdf"]
        files += [f"results/{s.name}/paper.pdf" for s in STUDIES.values() if s.paper]
    return files


def view_settings(study, chosen):
    """What a figure or table has to know about the study, beside the results it shows.

    Only that: a change of anything else must not make it again.
    """
    settings = {"study": study.name}
    if "measure" in chosen:
        settings["problem_keys"] = study.settings["problem_keys"]
        settings["measure"] = {
            "name": chosen["measure"],
            **study.measures[chosen["measure"]],
        }
    if "profile" in chosen:
        settings["profile"] = study.variants[chosen["profile"]]
    if "asked" in chosen:
        asked = chosen["asked"]
        settings["measures"] = [
            {"name": name, **study.measures[name]} for name in asked["measures"]
        ]
        settings["profiles"] = [study.variants[name] for name in asked["variants"]]
        settings |= {
            key: asked[key]
            for key in ("algorithms", "main", "method", "layout", "axis")
        }
        tables = KINDS[asked["kind"]].tables
        if any("{source}" in table for table in tables):
            settings |= {key: asked[key] for key in ("target", "dimension", "problems")}
        if "attainment/{source}" in tables:
            settings["attainment"] = study.settings["indicators"]["attainment"]
    return settings


def appearance_of(study):
    """What every figure of a study has to know about its looks."""
    settings = study.settings["appearance"]
    return {
        "width": settings["paper"],
        "font": settings["font"],
        "highlight": settings["highlight"],
    }


def font_files(study):
    """The fonts of figures that are taken from what is installed; the others are of a version of Matplotlib."""
    appearance = appearance_of(study)
    if appearance["font"] == "bundled":
        return []
    # half a second of Matplotlib for those alone who ask for it
    from benchmill.figures import kept

    return kept.font_files(appearance)


def page_parts(study):
    """What the paper and the report show of a study, in their order."""
    return {
        "title": study.title,
        "figures": [
            {
                "name": name,
                "kind": figures_of(study)[name][0],
                "measure": figures_of(study)[name][2].get("measure"),
            }
            for name in chosen_figures(study)
        ],
        "siunitx": study.settings["siunitx"],
        "summaries": {
            measure: view_settings(study, {"measure": measure, "profile": variant})
            for measure in study.measures_for("profiles")
            for variant in list(study.variants_for(measure))[:1]
        },
        "tables": {
            name: (kind, view_settings(study, chosen))
            for name, (kind, _, chosen) in tables_of(study).items()
        },
        "verdicts": {
            name: view_settings(study, {"measure": name})
            for name in study.measures_for("inference")
        },
    }


def profile_inputs(wildcards):
    """What a variant reads beside the ratios: the costs of single trials, a table of weights."""
    study, measure, variant = (
        STUDIES[wildcards.study],
        wildcards.measure,
        wildcards.variant,
    )
    inputs = {"ratios": f"results/{study.name}/ratios/{measure}.parquet"}
    if needs_costs(study.variants[variant]):
        inputs["costs"] = [
            f"results/{study.name}/costs/{measure}/{source.name}.parquet"
            for source in study.sources
        ]
    if variant in study.weights_tables:
        inputs["weights_table"] = here(study.weights_tables[variant])
    return inputs


#: Paths like those of profiles, of a study, measure or variant that there is not.
NO_PROFILE = (
    rf"(?!(?:{any_of(STUDIES)})/[a-z_]+/(?:{any_of(m for s in STUDIES.values() for m in s.measures)})/"
    rf"(?:{any_of(name for s in STUDIES.values() for name in s.variants)})\.parquet$)"
    rf"[^/]+/(?:{any_of(PROFILE_TABLES)}|profiles|waves|wave_profiles|stability|log_ratios)/[^/]+/[^/]+"
)


def no_profile(wildcards):
    """Say which profiles there are, where one is asked for that is none of them."""
    made = [
        f"results/{study.name}/profiles/{measure}/{variant}.parquet"
        for study in STUDIES.values()
        for variant, measure in profiled(study)
    ]
    asked = f"results/{wildcards.no_profile}.parquet"
    near = study_config.did_you_mean(asked, made)
    raise WorkflowError(f"There is no profile {asked}{near}")


def profile_code(script, wildcards):
    """Digest of the code of a variant."""
    settings = STUDIES[wildcards.study].variants[wildcards.variant]
    modules = [f"benchmill.profiles.{settings['variant']}"]
    return code(
        script,
        *modules,
        *(["benchmill.profiles.bands"] if settings.get("bands") else []),
    )


def ecdf_settings(wildcards):
    """Settings of the ECDF of a study, and its seed."""
    settings = STUDIES[wildcards.study].settings
    return {**settings["indicators"]["ecdf"], "seed": settings["seed"]}


def target_sets_for(wildcards):
    """The target sets of a study, where its curves are taken over one of them."""
    if ecdf_settings(wildcards)["target_set"] is None:
        return []
    return [
        f"results/{wildcards.study}/target_sets/{study_config.ECDF_MEASURE}.parquet"
    ]


def tested_inputs(wildcards):
    """What the tests of a measure are made from: its ratios or all its costs, and the known bounds of the problems."""
    if STUDIES[wildcards.study].settings["inference"]["design"] == "replicated":
        costs = sources_of(values="results/{study}/costs/{measure}/{source}.parquet")
        inputs = costs(wildcards)
    else:
        ratios = f"results/{wildcards.study}/ratios/{wildcards.measure}.parquet"
        inputs = {"values": [ratios]}
    if STUDIES[wildcards.study].bounds_table:
        inputs["bounds"] = here(STUDIES[wildcards.study].bounds_table)
    return inputs


wildcard_constraints:
    study=any_of(STUDIES),
    source=any_of(SOURCE_NAMES),
    # what is there is not fetched again, whatever its entry says by now
    download=any_of(path for path in DOWNLOADS if not Path(path).exists()),
    measure=any_of(name for study in STUDIES.values() for name in study.measures),
    variant=any_of(name for study in STUDIES.values() for name in study.variants),
    aggregation=any_of(
        name for study in STUDIES.values() for name in study.aggregations
    ),
    value_aggregation=any_of(
        aggregation
        for study in STUDIES.values()
        for _, aggregation in study.value_ecdfs
    ),
    figure=any_of(name for study in STUDIES.values() for name in figures_of(study)),
    table=any_of(name for study in STUDIES.values() for name in tables_of(study)),
