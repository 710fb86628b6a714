"""Costs become performance ratios: one job per measure, the first that needs all algorithms."""


rule ratios:
    input:
        # where two sources hold the same algorithm this table is not made, and so nothing that takes sources together
        algorithms=reads.result("algorithms"),
        costs=reads.of_sources("costs"),
        reports=reads.of_sources("ingest", when="measure.exclude"),
    output:
        **outputs("ratios"),
    resources:
        **FLOW.of_all_sources,
    params:
        problem_keys=given.setting("problem_keys"),
        not_competing=given.setting("not_competing"),
        sources=given.each("study.sources", "name"),
        exclude=given.of_job("measure.exclude"),
        settings=given.one_cost,
        profiled=given.profiled,
    message:
        "Computing ratios of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/ratios.py"


rule changes:
    input:
        ratios=reads.of_measures("ratios", "profiles"),
        verdicts=reads.of_study("verdicts"),
    output:
        **outputs("changes"),
    group:
        FLOW.together
    localrule: True
    params:
        missing=given.missing,
        by=given.by,
    message:
        "Reporting what each algorithm changes in {wildcards.study}"
    script:
        "../../scripts/changes.py"
