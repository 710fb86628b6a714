"""Ratios become profiles and the numbers read off them: one job per measure and variant.

REQUIRED INPUT: the ratios of the measure; for profiles of random costs also the costs of all sources.
OUTPUT: `results/<study>/profiles|profile_measures|profile_pairs|profile_intervals|profile_warnings/<measure>/<variant>.parquet`;
`results/<study>/standings|fronts/profiles.parquet`;
of log-ratio profiles also `results/<study>/log_ratios/<measure>/<variant>.parquet`;
of nested profiles also `results/<study>/waves|wave_profiles|stability/<measure>/<variant>.parquet`.
"""

from benchmill.registry import variants

# one rule for the variants that make the same tables
for more, kinds in variants.extra_tables().items():

    rule:
        """Make the {wildcards.variant} profile of {wildcards.measure}."""
        name:
            "_with_".join(("profiles", *more[:1]))
        input:
            unpack(inputs("profiles")),
        output:
            **plan.profile_patterns((*variants.TABLES, *more)),
            origin=plan.origin("profiles"),
        log:
            plan.joblog("profiles"),
        wildcard_constraints:
            **{**NAMES, "study": plan.studies_with(STUDIES, kinds)},
        group:
            together
        conda:
            "../../environment.yml"
        resources:
            mem_mb=by_size(700, 5),
            runtime=by_size(5, 0.05),
        params:
            **parameters("profiles"),
        message:
            "Making the {wildcards.variant} profile of {wildcards.measure} for {wildcards.study}"
        script:
            "../../scripts/profiles.py"


rule standings:
    """Rank the algorithms by everything that the profiles of all measures say."""
    input:
        unpack(inputs("standings")),
    output:
        **outputs("standings"),
    log:
        plan.joblog("standings"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("standings"),
    message:
        "Ranking by the profiles of {wildcards.study}"
    script:
        "../../scripts/standings.py"


rule leaders:
    """Put the algorithms of {wildcards.study} in order by every criterion, and name the leader of each measure."""
    input:
        unpack(inputs("leaders")),
    output:
        **outputs("leaders"),
    log:
        plan.joblog("leaders"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("leaders"),
    message:
        "Naming the leaders of {wildcards.study}"
    script:
        "../../scripts/leaders.py"


rule no_profile:
    """Say which profiles there are: a study names them by their settings where it gives them no name."""
    input:
        no_profile,
    output:
        "results/{no_profile}.parquet",
    log:
        ".snakemake/joblogs/no_profile/{no_profile}.log",
    wildcard_constraints:
        no_profile=plan.no_profile_pattern(STUDIES),
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Listing the profiles of the studies"
    shell:
        "exit 1"
