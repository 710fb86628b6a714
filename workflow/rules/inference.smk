"""Ratios become tests, average ranks and comparisons of all pairs: one job a measure.

REQUIRED INPUT: the ratios of the measure (their costs are what is ranked).
OUTPUT: `results/<study>/tests|ranks|comparisons/<measure>.parquet`.
"""


rule test_costs:
    """Test whether all algorithms are equal by {wildcards.measure}, and which pairs differ."""
    input:
        ratios="results/{study}/ratios/{measure}.parquet",
    output:
        tests="results/{study}/tests/{measure}.parquet",
        ranks="results/{study}/ranks/{measure}.parquet",
        comparisons="results/{study}/comparisons/{measure}.parquet",
    log:
        ".snakemake/joblogs/test_costs/{study}/{measure}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(10, 0.05),
    params:
        settings=lambda w: STUDIES[w.study].settings["inference"],
        code=code("test_costs"),
    message:
        "Testing {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/test_costs.py"
