"""Ratios become profiles and the numbers read off them: one job per measure and variant."""

# one rule for the variants that make the same tables
for more, kinds in variants.extra_tables().items():

    rule:
        name:
            "_with_".join(("profiles", *more[:1]))
        input:
            ratios=reads.result("ratios"),
            costs=reads.costs_of_variant,
            families=reads.of_study("families", when="variant.bands"),
            reports=reads.of_sources("ingest", when="variant.groups"),
        output:
            **outputs("profiles", *variants.TABLES, *more, study=""),
        wildcard_constraints:
            study=catalogue.studies_with(STUDIES, kinds),
        resources:
            **FLOW.of_measures,
        params:
            settings=given.without("variant", "title"),
            listed=given.listed_groups,
            aggregation=given.only("measure", "aggregate", "shift"),
            cluster_keys=given.setting("cluster_keys"),
            not_competing=given.setting("not_competing"),
            seed=given.setting("seed"),
            code=code("profiles", given.variant_modules),
        message:
            "Making the {wildcards.variant} profile of {wildcards.measure} for {wildcards.study}"
        script:
            "../../scripts/profiles.py"


rule standings:
    input:
        profile_measures=reads.measures_of_profiles,
        ratios=reads.of_measures("ratios", "profiles"),
    output:
        **outputs("standings"),
    group:
        FLOW.together
    localrule: True
    params:
        variants=given.of_job("study.weighted_variants"),
        profiled=given.of_job("study.profiled"),
        measures=given.measures_for("profiles"),
        rates=given.rates("profiles"),
        rank_sum=given.setting("standings.rank_sum"),
        ranks=given.setting("standings.ranks"),
        not_competing=given.setting("not_competing"),
        code=code("standings", *jobs.modules(CRITERIA, SCORES)),
    message:
        "Ranking the algorithms of {wildcards.study} by their profiles"
    script:
        "../../scripts/standings.py"


rule leaders:
    input:
        ratios=reads.of_measures("ratios", "inference"),
    output:
        **outputs("leaders"),
    group:
        FLOW.together
    localrule: True
    params:
        measures=given.measures_for("inference"),
        primary=given.primary,
        rates=given.rates("all"),
        not_competing=given.setting("not_competing"),
        code=code("leaders", *jobs.modules(CRITERIA, SCORES)),
    message:
        "Naming the leaders of {wildcards.study}"
    script:
        "../../scripts/leaders.py"


rule no_profile:
    """Say which profiles there are: a study names them by their settings where it gives them no name."""
    input:
        FLOW.no_profile,
    output:
        "results/{no_profile}.parquet",
    log:
        ".snakemake/joblogs/no_profile/{no_profile}.log",
    wildcard_constraints:
        no_profile=catalogue.no_profile_pattern(STUDIES),
    localrule: True
    conda:
        "../../environment.yml"
    shell:
        "exit 1"
