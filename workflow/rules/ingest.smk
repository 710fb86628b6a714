"""Raw logs become trials, traces and an ingest report: one job a source.

REQUIRED INPUT: a log folder, an archive or a table, as the study lists it; its list of best-known values, if it names one.
OUTPUT: `results/<study>/trials|traces/<source>.parquet`, `results/<study>/ingest/<source>.json`.
"""


rule ingest_source:
    """Read the raw logs of {wildcards.source}."""
    input:
        log=lambda w: str(source_of(w).path),
        best_known=lambda w: source_of(w).options.get("best_known", []),
    output:
        trials="results/{study}/trials/{source}.parquet",
        traces="results/{study}/traces/{source}.parquet",
        report="results/{study}/ingest/{source}.json",
    log:
        ".snakemake/joblogs/ingest_source/{study}/{source}.log",
    conda:
        "../../environment.yml"
    params:
        format=lambda w: source_of(w).format,
        options=lambda w: source_of(w).options,
        shown=lambda w: source_of(w).shown,
        files=lambda w: listing(source_of(w).path),
        code=lambda w: code("ingest_source", readers.module_name(source_of(w).format)),
    message:
        "Reading {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/ingest_source.py"
