"""Costs become performance ratios: one job per measure, the first that needs all algorithms.

REQUIRED INPUT: the costs of all sources.
OUTPUT: `results/<study>/ratios/<measure>.parquet`, `results/<study>/changes.md`.
"""


rule ratios:
    """Compare the {wildcards.measure} of all algorithms with the best one on each problem."""
    input:
        unpack(inputs("ratios")),
    output:
        **outputs("ratios"),
    log:
        plan.joblog("ratios"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 10),
        runtime=by_size(5, 0.05),
    params:
        **parameters("ratios"),
    message:
        "Computing ratios of {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/ratios.py"


rule changes:
    """Tell what each algorithm changes in the comparison of the others."""
    input:
        unpack(inputs("changes")),
    output:
        **outputs("changes"),
    log:
        plan.joblog("changes"),
    wildcard_constraints:
        **NAMES,
    group:
        together
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("changes"),
    message:
        "Reporting what each algorithm changes in {wildcards.study}"
    script:
        "../../scripts/changes.py"
