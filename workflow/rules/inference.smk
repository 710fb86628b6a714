"""Costs become designs, tests, average ranks and comparisons of all pairs: one job per measure.

A replicated design is made of the costs of all sources, any other of ratios, one aggregated cost a problem. Trials are compared
at targets where a problem has a best algorithm. `tested/<study>.json` beside the configuration is read and added to.
"""


rule families:
    input:
        algorithms=reads.result("algorithms", when="study.replicated"),
        costs=reads.of_measures("costs", "primary", when="study.replicated"),
        ratios=reads.of_measures("ratios", "primary", when="not study.replicated"),
        bounds=reads.named_file("study.bounds_table"),
        trials=reads.of_sources("trials"),
    output:
        **outputs("families"),
    resources:
        **FLOW.of_measures,
    params:
        **TESTED,
        settings=given.without("study.inference", "methods", "comparisons", "bayes"),
        measure=given.of_job("study.primary_measure"),
        targets=given.setting("primary.targets"),
        attributes=given.of(lambda study: study.attributes.get("problem", {})),
    message:
        "Looking for families of problems in {wildcards.study}"
    script:
        "../../scripts/families.py"


rule tests:
    input:
        algorithms=reads.result("algorithms", when="study.replicated"),
        costs=reads.of_sources("costs", when="study.replicated"),
        ratios=reads.result("ratios", when="not study.replicated"),
        bounds=reads.named_file("study.bounds_table"),
        families=reads.of_study("families"),
    output:
        **outputs("tests"),
    resources:
        **FLOW.of_measures,
    params:
        **TESTED,
        settings=given.of_job("study.inference"),
        code=code("tests", given.method_modules),
    message:
        "Testing {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/tests.py"


rule rank_sums:
    input:
        algorithms=reads.result("algorithms"),
        costs=reads.of_sources("costs"),
        indicators=reads.of_sources("indicators"),
    output:
        **outputs("rank_sums"),
    resources:
        **FLOW.of_measures,
    params:
        settings=given.rank_sums,
    message:
        "Comparing trials by {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/rank_sums.py"


rule verdicts:
    input:
        leaders=reads.result("leaders"),
        ratios=reads.of_measures("ratios", "inference", when="not study.replicated"),
        algorithms=reads.result("algorithms", when="study.replicated"),
        costs=reads.of_measures("costs", "inference", when="study.replicated"),
        families=reads.of_study("families"),
    output:
        **outputs("verdicts"),
    # its record is on this machine; without the group, jobs sent together would hang on one that is not sent
    group:
        FLOW.together
    localrule: FLOW.away
    resources:
        **FLOW.of_measures,
    params:
        **TESTED,
        settings=given.without("study.inference", "methods", "comparisons", "bayes"),
        primary=given.setting("primary"),
        control=given.setting("control"),
        measures=given.measures_for("inference"),
        labels=given.of_job("study.labels"),
        record=given.of(lambda study: str(catalogue.tested(study))),
    message:
        "Stating what {wildcards.study} may claim"
    script:
        "../../scripts/verdicts.py"


rule claims:
    input:
        algorithms=reads.result("algorithms"),
        verdicts=reads.result("verdicts"),
        leaders=reads.result("leaders"),
        costs=reads.of_measures("costs", "claims"),
        ratios=reads.of_measures("ratios", "claims", when="not study.replicated"),
        families=reads.of_study("families"),
    output:
        **outputs("claims"),
    resources:
        **FLOW.of_measures,
    params:
        **TESTED,
        settings=given.without("study.inference", "methods", "comparisons", "bayes"),
        targets=given.setting("primary.targets"),
        control=given.setting("control"),
        claims=given.setting("claims"),
        measures=given.claimed_measures,
        code=code("claims", *jobs.modules(CONVENTIONS)),
    message:
        "Checking the claims of {wildcards.study}"
    script:
        "../../scripts/claims.py"
