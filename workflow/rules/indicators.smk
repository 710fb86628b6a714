"""Costs become indicators (one job a source) and ECDF curves (one job an aggregation).

REQUIRED INPUT: the costs of a source and its ingest report; for the curves those of all sources.
OUTPUT: `results/<study>/indicators/<source>.parquet`; the curves `results/<study>/ecdf/<aggregation>.parquet` and
`value_ecdf/<measure>/<aggregation>.parquet`, and what each stands on and comes to, in `ecdf_curves` and `value_ecdf_curves`;
`target_sets/ecdf.parquet`, `target_sensitivity/ecdf.parquet`; `attainment/<source>.parquet`, `convergence/<source>.parquet`; `densities/<source>.parquet`.
"""


rule indicate_costs:
    """Compute ERT, success rate and statistics of {wildcards.source}."""
    input:
        costs=lambda w: expand(
            "results/{study}/costs/{measure}/{source}.parquet",
            study=w.study,
            source=w.source,
            measure=STUDIES[w.study].measures_for("indicators"),
        ),
        trials="results/{study}/trials/{source}.parquet",
        report="results/{study}/ingest/{source}.json",
    output:
        indicators="results/{study}/indicators/{source}.parquet",
    log:
        ".snakemake/joblogs/indicate_costs/{study}/{source}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        settings=lambda w: {
            **{
                key: STUDIES[w.study].settings["indicators"][key]
                for key in (
                    "budget_rule",
                    "common_budget",
                    "quantile_type",
                    "par_factor",
                )
            },
            **STUDIES[w.study].settings["indicators"]["intervals"],
            "seed": STUDIES[w.study].settings["seed"],
        },
        code=code("indicate_costs"),
    message:
        "Computing indicators of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/indicate_costs.py"


rule compare_target_sets:
    """Choose the targets of every set, and compare how the algorithms rank over each."""
    input:
        unpack(
            sources_of(
                costs=f"results/{{study}}/costs/{study_config.ECDF_MEASURE}/{{source}}.parquet",
                reports="results/{study}/ingest/{source}.json",
            )
        ),
    output:
        sets=f"results/{{study}}/target_sets/{study_config.ECDF_MEASURE}.parquet",
        sensitivity=f"results/{{study}}/target_sensitivity/{study_config.ECDF_MEASURE}.parquet",
    log:
        ".snakemake/joblogs/compare_target_sets/{study}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        sets=lambda w: STUDIES[w.study].settings["indicators"]["target_sets"],
        x=lambda w: ecdf_settings(w)["x"],
        weight=lambda w: ecdf_settings(w)["weight"],
        area=lambda w: ecdf_settings(w)["area"],
        code=code("compare_target_sets"),
    message:
        "Comparing sets of targets for {wildcards.study}"
    script:
        "../../scripts/compare_target_sets.py"


rule cumulate_costs:
    """Make the ECDF curves aggregated by {wildcards.aggregation}, and the areas under them."""
    input:
        unpack(
            sources_of(
                costs=f"results/{{study}}/costs/{study_config.ECDF_MEASURE}/{{source}}.parquet",
                reports="results/{study}/ingest/{source}.json",
            )
        ),
        sets=lambda w: target_sets_for(w),
    output:
        ecdf="results/{study}/ecdf/{aggregation}.parquet",
        curves="results/{study}/ecdf_curves/{aggregation}.parquet",
    log:
        ".snakemake/joblogs/cumulate_costs/{study}/{aggregation}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        target_set=lambda w: ecdf_settings(w)["target_set"],
        x=lambda w: ecdf_settings(w)["x"],
        weight=lambda w: ecdf_settings(w)["weight"],
        groups=lambda w: ecdf_settings(w)["groups"],
        restarts=lambda w: ecdf_settings(w)["restarts"],
        bands=lambda w: ecdf_settings(w)["bands"],
        area=lambda w: ecdf_settings(w)["area"],
        seed=lambda w: ecdf_settings(w)["seed"],
        code=code("cumulate_costs"),
    message:
        "Making the ECDF by {wildcards.aggregation} for {wildcards.study}"
    script:
        "../../scripts/cumulate_costs.py"


rule attain_values:
    """Make the attainment curves of {wildcards.source}, and the area over its convergence curves."""
    input:
        trials="results/{study}/trials/{source}.parquet",
        traces="results/{study}/traces/{source}.parquet",
        report="results/{study}/ingest/{source}.json",
    output:
        attainment="results/{study}/attainment/{source}.parquet",
        convergence="results/{study}/convergence/{source}.parquet",
    log:
        ".snakemake/joblogs/attain_values/{study}/{source}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        settings=lambda w: STUDIES[w.study].settings["indicators"]["attainment"],
        code=code("attain_values"),
    message:
        "Making attainment curves of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/attain_values.py"


rule spread_costs:
    """Make the densities of the costs of {wildcards.source}."""
    input:
        costs=lambda w: expand(
            "results/{study}/costs/{measure}/{source}.parquet",
            study=w.study,
            source=w.source,
            measure=STUDIES[w.study].measures_for("indicators"),
        ),
        report="results/{study}/ingest/{source}.json",
    output:
        densities="results/{study}/densities/{source}.parquet",
    log:
        ".snakemake/joblogs/spread_costs/{study}/{source}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        settings=lambda w: STUDIES[w.study].settings["indicators"]["densities"],
        code=code("spread_costs"),
    message:
        "Making densities of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/spread_costs.py"


rule cumulate_values:
    """Make the ECDF of the values that {wildcards.measure} reads, aggregated by {wildcards.value_aggregation}."""
    input:
        unpack(
            sources_of(
                costs="results/{study}/costs/{measure}/{source}.parquet",
                reports="results/{study}/ingest/{source}.json",
            )
        ),
    output:
        ecdf="results/{study}/value_ecdf/{measure}/{value_aggregation}.parquet",
        curves="results/{study}/value_ecdf_curves/{measure}/{value_aggregation}.parquet",
    log:
        ".snakemake/joblogs/cumulate_values/{study}/{measure}/{value_aggregation}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        weight=lambda w: ecdf_settings(w)["weight"],
        groups=lambda w: ecdf_settings(w)["groups"],
        bands=lambda w: ecdf_settings(w)["bands"],
        seed=lambda w: ecdf_settings(w)["seed"],
        code=code("cumulate_values"),
    message:
        "Making the ECDF of {wildcards.measure} by {wildcards.value_aggregation} for {wildcards.study}"
    script:
        "../../scripts/cumulate_values.py"
