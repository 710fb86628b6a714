"""Costs become designs, tests, average ranks and comparisons of all pairs: one job a measure.

And for measures with targets, whether the best algorithm of a problem is better than each of the others there.

REQUIRED INPUT: the ratios of the measure (one aggregated cost a problem), or the costs of all sources for a replicated design.
OUTPUT: `results/<study>/designs|tests|ranks|comparisons|posteriors|intervals|assumptions/<measure>.parquet`,
`results/<study>/rank_sums/<measure>.parquet`.
"""

from benchmill.registry.inference import chosen


rule test_costs:
    """Test whether all algorithms are equal by {wildcards.measure}, and which pairs differ."""
    input:
        unpack(tested_inputs),
    output:
        designs="results/{study}/designs/{measure}.parquet",
        tests="results/{study}/tests/{measure}.parquet",
        ranks="results/{study}/ranks/{measure}.parquet",
        comparisons="results/{study}/comparisons/{measure}.parquet",
        posteriors="results/{study}/posteriors/{measure}.parquet",
        intervals="results/{study}/intervals/{measure}.parquet",
        assumptions="results/{study}/assumptions/{measure}.parquet",
    log:
        ".snakemake/joblogs/test_costs/{study}/{measure}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(10, 0.05),
    params:
        settings=lambda w: STUDIES[w.study].settings["inference"],
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        sources=lambda w: [source.name for source in STUDIES[w.study].sources],
        seed=lambda w: STUDIES[w.study].settings["seed"],
        files=lambda w: digests(filter(None, [STUDIES[w.study].bounds_table])),
        code=lambda w: code(
            "test_costs",
            *(m.module for m in chosen(STUDIES[w.study].settings["inference"])),
        ),
    message:
        "Testing {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/test_costs.py"


rule compare_trials:
    """Test on every problem whether the best algorithm by {wildcards.measure} is better than the others."""
    input:
        unpack(
            sources_of(
                costs="results/{study}/costs/{measure}/{source}.parquet",
                indicators="results/{study}/indicators/{source}.parquet",
            )
        ),
    output:
        "results/{study}/rank_sums/{measure}.parquet",
    log:
        ".snakemake/joblogs/compare_trials/{study}/{measure}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(10, 0.05),
    params:
        settings=lambda w: {
            "problem_keys": STUDIES[w.study].settings["problem_keys"],
            "alpha": STUDIES[w.study].settings["inference"]["alpha"],
        },
        code=code("compare_trials"),
    message:
        "Comparing trials by {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/compare_trials.py"
