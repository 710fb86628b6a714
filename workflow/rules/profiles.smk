"""Ratios become profiles and the numbers read off them: one job a measure and variant.

REQUIRED INPUT: the ratios of the measure; for profiles of random costs also the costs of all sources.
OUTPUT: `results/<study>/profiles|profile_measures|profile_pairs|profile_intervals|profile_warnings/<measure>/<variant>.parquet`;
`results/<study>/standings|fronts/profiles.parquet`;
of log-ratio profiles also `results/<study>/log_ratios/<measure>/<variant>.parquet`;
of nested profiles also `results/<study>/waves|wave_profiles|stability/<measure>/<variant>.parquet`.
"""

from benchmill.registry import variants
from benchmill.registry.criteria import CRITERIA

# constraints on the wildcard `study`, by the tables that variants make beside those of all: what follows it is one of their profiles
STUDIES_WITH = {
    more: "(?="
    + "|".join(
        rf"{re.escape(name)}/[a-z_]+/[^/]+/(?:{any_of(own for own, made in study.variants.items() if made['variant'] in kinds)})\.parquet$"
        for name, study in STUDIES.items()
    )
    + ")[^/]+"
    for more, kinds in variants.extra_tables().items()
}


# one rule for the variants that make the same tables
for more, only in STUDIES_WITH.items():

    rule:
        """Make the {wildcards.variant} profile of {wildcards.measure}."""
        name:
            "_with_".join(("profiles", *more[:1]))
        input:
            unpack(profile_inputs),
        output:
            **{
                table: f"results/{{study}}/{table}/{{measure}}/{{variant}}.parquet"
                for table in (*variants.TABLES, *more)
            },
        log:
            ".snakemake/joblogs/profiles/{study}/{measure}/{variant}.log",
        wildcard_constraints:
            study=only,
        conda:
            "../../environment.yml"
        resources:
            mem_mb=by_size(700, 5),
            runtime=by_size(10, 0.05),
        params:
            settings=lambda w: STUDIES[w.study].variants[w.variant],
            # how the runs of a cell become one cost, for bands
            aggregation=lambda w: {
                key: value
                for key, value in measure_of(w).items()
                if key in ("aggregate", "shift")
            },
            seed=lambda w: STUDIES[w.study].settings["seed"],
            files=lambda w: digests(tables_beside(STUDIES[w.study], w.variant)),
            code=lambda w: profile_code("profiles", w),
        message:
            "Making the {wildcards.variant} profile of {wildcards.measure} for {wildcards.study}"
        script:
            "../../scripts/profiles.py"


rule standings:
    """Rank the algorithms by everything that the profiles of all measures say."""
    input:
        profile_measures=lambda w: [
            f"results/{w.study}/profile_measures/{measure}/{variant}.parquet"
            for variant, measure in profiled(STUDIES[w.study])
        ],
        ratios=lambda w: [
            f"results/{w.study}/ratios/{measure}.parquet"
            for measure in STUDIES[w.study].measures_for("profiles")
        ],
        weights=lambda w: [here(path) for path in tables_beside(STUDIES[w.study])],
    output:
        standings="results/{study}/standings/profiles.parquet",
        fronts="results/{study}/fronts/profiles.parquet",
    log:
        ".snakemake/joblogs/standings/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        variants=lambda w: STUDIES[w.study].variants,
        profiled=lambda w: list(profiled(STUDIES[w.study])),
        measures=lambda w: STUDIES[w.study].measures_for("profiles"),
        weights_of=lambda w: list(STUDIES[w.study].weights_tables),
        rates=lambda w: [
            measure
            for measure in STUDIES[w.study].measures_for("profiles")
            if STUDIES[w.study].measures[measure]["kind"]
            in ("feasible_rate", "success_rate")
        ],
        rank_sum=lambda w: STUDIES[w.study].settings["standings"]["rank_sum"],
        files=lambda w: digests(tables_beside(STUDIES[w.study])),
        code=code(
            "standings",
            *(entry.module for entry in CRITERIA.values() if entry.function),
        ),
    message:
        "Ranking by the profiles of {wildcards.study}"
    script:
        "../../scripts/standings.py"


rule no_profile:
    """Say which profiles there are: a study names them by their settings where it gives them no name."""
    input:
        no_profile,
    output:
        "results/{no_profile}.parquet",
    log:
        ".snakemake/joblogs/no_profile/{no_profile}.log",
    wildcard_constraints:
        no_profile=NO_PROFILE,
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Telling which profiles there are"
    shell:
        "exit 1"
