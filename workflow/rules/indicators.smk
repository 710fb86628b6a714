"""Costs become indicators (one job a source) and ECDF curves (one job an aggregation).

REQUIRED INPUT: the costs of a source and its ingest report; for the curves the costs of all sources.
OUTPUT: `results/<study>/indicators/<source>.parquet`, `results/<study>/ecdf/<aggregation>.parquet`.
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
        code=code("indicate_costs"),
    message:
        "Computing indicators of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/indicate_costs.py"


rule cumulate_costs:
    """Make the ECDF curves aggregated by {wildcards.aggregation}."""
    input:
        costs=sources_of(
            f"results/{{study}}/costs/{study_config.ECDF_MEASURE}/{{source}}.parquet"
        ),
    output:
        ecdf="results/{study}/ecdf/{aggregation}.parquet",
    log:
        ".snakemake/joblogs/cumulate_costs/{study}/{aggregation}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        x=lambda w: STUDIES[w.study].settings["indicators"]["ecdf"]["x"],
        code=code("cumulate_costs"),
    message:
        "Making the ECDF by {wildcards.aggregation} for {wildcards.study}"
    script:
        "../../scripts/cumulate_costs.py"
