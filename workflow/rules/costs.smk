"""Trials become costs: one job per source and measure."""


rule costs:
    input:
        trials=reads.result("trials"),
        traces=reads.result("traces"),
    output:
        **outputs("costs"),
    resources:
        **FLOW.of_source,
    params:
        settings=given.without("measure", *jobs.RATED, *jobs.SHOWN),
        without=given.unnamed,
        code=code("costs", given.module(MEASURES, "measure.kind")),
    message:
        "Measuring {wildcards.measure} of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/costs.py"
