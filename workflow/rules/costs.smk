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
        settings=given.measuring,
        without=given.without,
        code=code("costs", given.measure_module),
    message:
        "Measuring {wildcards.measure} of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/costs.py"
