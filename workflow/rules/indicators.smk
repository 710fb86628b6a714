"""Costs become indicators (one job a source) and ECDF curves (one job an aggregation).

REQUIRED INPUT: the costs of a source and its ingest report; for the curves those of all sources.
OUTPUT: `results/<study>/indicators/<source>.parquet`; the curves `results/<study>/ecdf/<aggregation>.parquet` and
`value_ecdf/<measure>/<aggregation>.parquet`, and what each stands on and comes to, in `ecdf_curves` and `value_ecdf_curves`;
`summary/<measure>.parquet`; `target_sets/ecdf.parquet`, `target_sensitivity/ecdf.parquet`; `attainment/<source>.parquet`, `convergence/<source>.parquet`; `densities/<source>.parquet`.
"""


rule indicators:
    """Compute ERT, success rate and statistics of {wildcards.source}."""
    input:
        unpack(inputs("indicators")),
    output:
        **outputs("indicators"),
    log:
        plan.joblog("indicators"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        **parameters("indicators"),
    message:
        "Computing indicators of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/indicators.py"


rule target_sets:
    """Choose the targets of every set, and compare how the algorithms rank over each."""
    input:
        unpack(inputs("target_sets")),
    output:
        **outputs("target_sets"),
    log:
        plan.joblog("target_sets"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        **parameters("target_sets"),
    message:
        "Comparing sets of targets for {wildcards.study}"
    script:
        "../../scripts/target_sets.py"


rule ecdf:
    """Make the ECDF curves aggregated by {wildcards.aggregation}, and the areas under them."""
    input:
        unpack(inputs("ecdf")),
    output:
        **outputs("ecdf"),
    log:
        plan.joblog("ecdf"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        **parameters("ecdf"),
    message:
        "Making the ECDF by {wildcards.aggregation} for {wildcards.study}"
    script:
        "../../scripts/ecdf.py"


rule attainment:
    """Make the attainment curves of {wildcards.source}, and the area over its convergence curves."""
    input:
        unpack(inputs("attainment")),
    output:
        **outputs("attainment"),
    log:
        plan.joblog("attainment"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        **parameters("attainment"),
    message:
        "Making attainment curves of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/attainment.py"


rule densities:
    """Make the densities of the costs of {wildcards.source}."""
    input:
        unpack(inputs("densities")),
    output:
        **outputs("densities"),
    log:
        plan.joblog("densities"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        **parameters("densities"),
    message:
        "Making densities of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/densities.py"


rule value_ecdf:
    """Make the ECDF of the values that {wildcards.measure} reads, aggregated by {wildcards.aggregation}."""
    input:
        unpack(inputs("value_ecdf")),
    output:
        **outputs("value_ecdf"),
    log:
        plan.joblog("value_ecdf"),
    wildcard_constraints:
        aggregation=any_of(
            aggregation
            for study in STUDIES.values()
            for _, aggregation in study.value_ecdfs
        ),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        **parameters("value_ecdf"),
    message:
        "Making the ECDF of {wildcards.measure} by {wildcards.aggregation} for {wildcards.study}"
    script:
        "../../scripts/value_ecdf.py"


rule summary:
    """Summarise the solver runs of {wildcards.study} by {wildcards.measure}."""
    input:
        unpack(inputs("summary")),
    output:
        **outputs("summary"),
    log:
        plan.joblog("summary"),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 20),
        runtime=by_size(10, 0.05),
    params:
        **parameters("summary"),
    message:
        "Summarising the solver runs of {wildcards.study} by {wildcards.measure}"
    script:
        "../../scripts/summary.py"
