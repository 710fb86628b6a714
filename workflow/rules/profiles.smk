"""Ratios become profiles and the numbers read off them: one job a measure and variant.

REQUIRED INPUT: the ratios of the measure.
OUTPUT: `results/<study>/profiles|profile_measures/<measure>/<variant>.parquet`.
"""


rule profile_ratios:
    """Make the {wildcards.variant} profile of {wildcards.measure}."""
    input:
        ratios="results/{study}/ratios/{measure}.parquet",
    output:
        profiles="results/{study}/profiles/{measure}/{variant}.parquet",
        profile_measures="results/{study}/profile_measures/{measure}/{variant}.parquet",
    log:
        ".snakemake/joblogs/profile_ratios/{study}/{measure}/{variant}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(10, 0.05),
    params:
        settings=lambda w: STUDIES[w.study].variants[w.variant],
        code=lambda w: code(
            "profile_ratios",
            f"benchmill.profiles.{STUDIES[w.study].variants[w.variant]['variant']}",
        ),
    message:
        "Making the {wildcards.variant} profile of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/profile_ratios.py"
