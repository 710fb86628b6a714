"""Costs become designs, tests, average ranks and comparisons of all pairs: one job per measure.

And for measures with targets, whether the best algorithm of a problem is better than each of the others there.

REQUIRED INPUT: the ratios of the measure (one aggregated cost a problem), or the costs of all sources for a replicated design.
OUTPUT: `results/<study>/families.parquet`,
`results/<study>/designs|tests|ranks|comparisons|posteriors|intervals|assumptions/<measure>.parquet`,
`results/<study>/rank_sums/<measure>.parquet`, `results/<study>/verdicts.parquet`; the record `tested/<study>.json` beside
the configuration is read and added to,
`results/<study>/claims.parquet`, `results/<study>/badge.svg`.
"""


rule families:
    """See whether problems of {wildcards.study} that belong to a family depend on each other."""
    input:
        unpack(inputs("families")),
    output:
        **outputs("families"),
    log:
        plan.joblog("families"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(5, 0.05),
    params:
        **parameters("families"),
    message:
        "Looking for families of problems in {wildcards.study}"
    script:
        "../../scripts/families.py"


rule tests:
    """Test whether all algorithms are equal by {wildcards.measure}, and which pairs differ."""
    input:
        unpack(inputs("tests")),
    output:
        **outputs("tests"),
    log:
        plan.joblog("tests"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(5, 0.05),
    params:
        **parameters("tests"),
    message:
        "Testing {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/tests.py"


rule rank_sums:
    """Test on every problem whether the best algorithm by {wildcards.measure} is better than the others."""
    input:
        unpack(inputs("rank_sums")),
    output:
        **outputs("rank_sums"),
    log:
        plan.joblog("rank_sums"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(5, 0.05),
    params:
        **parameters("rank_sums"),
    message:
        "Comparing trials by {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/rank_sums.py"


rule verdicts:
    """Say what {wildcards.study} may claim: one primary analysis, and all the rest."""
    input:
        unpack(inputs("verdicts")),
    output:
        **outputs("verdicts"),
    log:
        plan.joblog("verdicts"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    # its record is on this machine
    localrule: AWAY
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(5, 0.05),
    params:
        **parameters("verdicts"),
    message:
        "Stating what {wildcards.study} may claim"
    script:
        "../../scripts/verdicts.py"


rule claims:
    """Look at what {wildcards.study} claims under every convention that its author could have chosen."""
    input:
        unpack(inputs("claims")),
    output:
        **outputs("claims"),
    log:
        plan.joblog("claims"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 5),
        runtime=by_size(5, 0.05),
    params:
        **parameters("claims"),
    message:
        "Looking at what {wildcards.study} claims"
    script:
        "../../scripts/claims.py"
