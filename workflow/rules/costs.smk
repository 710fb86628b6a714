"""Trials become costs: one job a source and measure.

REQUIRED INPUT: trials and traces of the source.
OUTPUT: `results/<study>/costs/<measure>/<source>.parquet`.
"""


rule measure_costs:
    """Measure {wildcards.measure} of every trial of {wildcards.source}."""
    input:
        trials="results/{study}/trials/{source}.parquet",
        traces="results/{study}/traces/{source}.parquet",
    output:
        costs="results/{study}/costs/{measure}/{source}.parquet",
    log:
        ".snakemake/joblogs/measure_costs/{study}/{measure}/{source}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        # what turns trials into costs; how costs become one ratio is the next stage's matter
        settings=lambda w: {
            key: value
            for key, value in measure_of(w).items()
            if key not in ("aggregate", "missing", "shift", "for")
        },
        without=lambda w: study_config.WITHOUT.get(w.measure),
        code=lambda w: code("measure_costs", f"benchmill.costs.{measure_of(w)['kind']}"),
    message:
        "Measuring {wildcards.measure} of {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/measure_costs.py"
