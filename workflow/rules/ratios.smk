"""Costs become performance ratios: one job a measure, the first that needs all algorithms.

REQUIRED INPUT: the costs of all sources.
OUTPUT: `results/<study>/ratios/<measure>.parquet`, `results/<study>/changes.md`.
"""


rule rate_costs:
    """Compare the {wildcards.measure} of all algorithms with the best one on each problem."""
    input:
        unpack(sources_of(costs="results/{study}/costs/{measure}/{source}.parquet")),
        # what there is to exclude
        reports=lambda w: (
            ingest_reports(STUDIES[w.study]) if measure_of(w)["exclude"] else []
        ),
    output:
        ratios="results/{study}/ratios/{measure}.parquet",
    log:
        ".snakemake/joblogs/rate_costs/{study}/{measure}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 10),
        runtime=by_size(10, 0.05),
    params:
        problem_keys=lambda w: STUDIES[w.study].settings["problem_keys"],
        exclude=lambda w: measure_of(w)["exclude"],
        settings=lambda w: {
            key: value
            for key, value in measure_of(w).items()
            if key in ("aggregate", "missing", "shift")
        },
        profiled=lambda w: bool(STUDIES[w.study].variants_for(w.measure)),
        sources=lambda w: [source.name for source in STUDIES[w.study].sources],
        code=code("rate_costs"),
    message:
        "Rating {wildcards.measure} for {wildcards.study}"
    script:
        "../../scripts/rate_costs.py"


rule tell_changes:
    """Tell what each algorithm changes in the comparison of the others."""
    input:
        ratios=lambda w: [
            f"results/{w.study}/ratios/{measure}.parquet"
            for measure in STUDIES[w.study].measures_for("profiles")
        ],
    output:
        changes="results/{study}/changes.md",
    log:
        ".snakemake/joblogs/tell_changes/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        missing=lambda w: {
            measure: STUDIES[w.study].measures[measure]["missing"]
            for measure in STUDIES[w.study].measures_for("profiles")
        },
        code=code("tell_changes"),
    message:
        "Telling what each algorithm changes in {wildcards.study}"
    script:
        "../../scripts/tell_changes.py"
