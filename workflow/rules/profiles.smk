"""Ratios become profiles and the numbers read off them: one job a measure and variant.

REQUIRED INPUT: the ratios of the measure; for profiles of random costs also the costs of all sources.
OUTPUT: `results/<study>/profiles|profile_measures|profile_pairs|profile_intervals|profile_warnings/<measure>/<variant>.parquet`;
`results/<study>/standings|fronts/profiles.parquet`;
of log-ratio profiles also `results/<study>/log_ratios/<measure>/<variant>.parquet`;
of nested profiles also `results/<study>/waves|wave_profiles|stability/<measure>/<variant>.parquet`.
"""


rule profile_ratios:
    """Make the {wildcards.variant} profile of {wildcards.measure}."""
    input:
        unpack(profile_inputs),
    output:
        profiles="results/{study}/profiles/{measure}/{variant}.parquet",
        profile_measures="results/{study}/profile_measures/{measure}/{variant}.parquet",
        profile_pairs="results/{study}/profile_pairs/{measure}/{variant}.parquet",
        profile_intervals="results/{study}/profile_intervals/{measure}/{variant}.parquet",
        profile_warnings="results/{study}/profile_warnings/{measure}/{variant}.parquet",
    log:
        ".snakemake/joblogs/profile_ratios/{study}/{measure}/{variant}.log",
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
        code=lambda w: profile_code("profile_ratios", w),
    message:
        "Making the {wildcards.variant} profile of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/profile_ratios.py"


rule nest_ratios:
    """Write down every wave of the nested profile {wildcards.variant} of {wildcards.measure}."""
    input:
        unpack(profile_inputs),
    output:
        waves="results/{study}/waves/{measure}/{variant}.parquet",
        wave_profiles="results/{study}/wave_profiles/{measure}/{variant}.parquet",
        stability="results/{study}/stability/{measure}/{variant}.parquet",
    log:
        ".snakemake/joblogs/nest_ratios/{study}/{measure}/{variant}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(10, 0.05),
    params:
        settings=lambda w: STUDIES[w.study].variants[w.variant],
        seed=lambda w: STUDIES[w.study].settings["seed"],
        files=lambda w: digests(tables_beside(STUDIES[w.study], w.variant)),
        code=lambda w: profile_code("nest_ratios", w),
    message:
        "Nesting the profiles {wildcards.variant} of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/nest_ratios.py"


rule rank_profiles:
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
        ".snakemake/joblogs/rank_profiles/{study}.log",
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
        code=code("rank_profiles"),
    message:
        "Ranking by the profiles of {wildcards.study}"
    script:
        "../../scripts/rank_profiles.py"


rule sort_log_ratios:
    """Sort the problems of the log-ratio profile {wildcards.variant} of {wildcards.measure}."""
    input:
        unpack(profile_inputs),
    output:
        log_ratios="results/{study}/log_ratios/{measure}/{variant}.parquet",
    log:
        ".snakemake/joblogs/sort_log_ratios/{study}/{measure}/{variant}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        settings=lambda w: STUDIES[w.study].variants[w.variant],
        files=lambda w: digests(tables_beside(STUDIES[w.study], w.variant)),
        code=lambda w: profile_code("sort_log_ratios", w),
    message:
        "Sorting the log ratios {wildcards.variant} of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/sort_log_ratios.py"


rule tell_profiles:
    """Say which profiles there are: a study names them by their settings where it gives them no name."""
    input:
        no_profile,
    output:
        "results/{no_profile}.parquet",
    log:
        ".snakemake/joblogs/tell_profiles/{no_profile}.log",
    wildcard_constraints:
        no_profile=NO_PROFILE,
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Telling which profiles there are"
    shell:
        "exit 1"
