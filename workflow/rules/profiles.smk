"""Ratios become profiles and the numbers read off them: one job a measure and variant.

REQUIRED INPUT: the ratios of the measure; for profiles of random costs also the costs of all sources.
OUTPUT: `results/<study>/profiles|profile_measures|profile_pairs|profile_intervals|profile_warnings/<measure>/<variant>.parquet`;
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
    params:
        settings=lambda w: STUDIES[w.study].variants[w.variant],
        seed=lambda w: STUDIES[w.study].settings["seed"],
        code=lambda w: profile_code("nest_ratios", w),
    message:
        "Nesting the profiles {wildcards.variant} of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/nest_ratios.py"
