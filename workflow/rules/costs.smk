"""Trials become costs: one job per source and measure.

REQUIRED INPUT: trials and traces of the source.
OUTPUT: `results/<study>/costs/<measure>/<source>.parquet`.
"""


rule costs:
    """Measure {wildcards.measure} of every trial of {wildcards.source}."""
    input:
        unpack(inputs("costs")),
    output:
        **outputs("costs"),
    log:
        plan.joblog("costs"),
    wildcard_constraints:
        **NAMES,
    group:
        batch
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60, plan.MOST_OF_SOURCE),
        runtime=by_size(2, 0.1),
    params:
        **parameters("costs"),
    message:
        "Measuring {wildcards.measure} of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/costs.py"
