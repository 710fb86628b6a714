"""Costs become performance ratios: one job a measure, the first that needs all algorithms.

REQUIRED INPUT: the costs of all sources.
OUTPUT: `results/<study>/ratios/<measure>.parquet`.
"""


rule rate_costs:
    """Compare the {wildcards.measure} of all algorithms with the best one on each problem."""
    input:
        costs=sources_of("results/{study}/costs/{measure}/{source}.parquet"),
        # what there is to exclude
        reports=lambda w: (
            reports_of(STUDIES[w.study]) if measure_of(w)["exclude"] else []
        ),
    output:
        ratios="results/{study}/ratios/{measure}.parquet",
    log:
        ".snakemake/joblogs/rate_costs/{study}/{measure}.log",
    conda:
        "../../environment.yml"
    params:
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        exclude=lambda w: measure_of(w)["exclude"],
        settings=lambda w: {
            key: value
            for key, value in measure_of(w).items()
            if key in ("aggregate", "missing", "shift")
        },
        sources=lambda w: [source.name for source in STUDIES[w.study].sources],
        code=code("rate_costs"),
    message:
        "Rating {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/rate_costs.py"
