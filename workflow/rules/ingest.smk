"""Raw logs become trials, traces and an ingest report: one job a source.

REQUIRED INPUT: a log folder, an archive or a table, as the study lists it (one that is elsewhere is fetched first); its list of
best-known values or its lookup, if it names one.
OUTPUT: `results/<study>/trials|traces/<source>.parquet`, `results/<study>/ingest/<source>.json`; where there are solver runs in
several sources, `results/<study>/contradictions.parquet`. And which source holds which algorithm, `results/<study>/algorithms.parquet`.
"""


rule fetch_source:
    """Fetch {wildcards.download}, which the configuration names by its URL."""
    output:
        log="{download}",
    log:
        ".snakemake/joblogs/fetch_source/{download}.log",
    retries: 2
    # where Snakemake runs: the nodes of a cluster may have no network
    localrule: True
    conda:
        "../../environment.yml"
    params:
        url=lambda w: DOWNLOADS[w.download].url,
        sha256=lambda w: DOWNLOADS[w.download].sha256,
        source=lambda w: DOWNLOADS[w.download].name,
    message:
        "Fetching {params.url}"
    script:
        "../../scripts/fetch_source.py"


rule ingest_source:
    """Read the raw logs of {wildcards.source}."""
    input:
        log=lambda w: raw_logs(source_of(w)),
        beside=lambda w: [
            here(source_of(w).options[option])
            for option in study_config.FILES_BESIDE
            if option in source_of(w).options
        ],
    output:
        trials="results/{study}/trials/{source}.parquet",
        traces="results/{study}/traces/{source}.parquet",
        report="results/{study}/ingest/{source}.json",
    log:
        ".snakemake/joblogs/ingest_source/{study}/{source}.log",
    wildcard_constraints:
        source=any_of(SOURCE_NAMES - FOLDER_NAMES),
    # kept for other studies and users where they share a store (docs/scaling.md)
    cache: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60),
        runtime=by_size(10, 0.1),
    params:
        # all that the results depend on beside the content of the log: two studies that agree in it can share them
        name=lambda w: w.source,
        file=lambda w: [path.name for path in source_of(w).paths],
        format=lambda w: source_of(w).format,
        options=lambda w: source_of(w).options,
        sha256=lambda w: source_of(w).sha256,
        files=lambda w: digests(raw_files(source_of(w))),
        code=lambda w: code("ingest_source", readers.module_name(source_of(w).format)),
    message:
        "Reading {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/ingest_source.py"


# Snakemake can tell whether a file is in the store, but not whether a folder is.
use rule ingest_source as ingest_folder with:
    log:
        ".snakemake/joblogs/ingest_folder/{study}/{source}.log",
    wildcard_constraints:
        source=any_of(FOLDER_NAMES),
    cache: False


rule name_algorithms:
    """See to it that every algorithm of {wildcards.study} is in one source."""
    input:
        reports=lambda w: ingest_reports(STUDIES[w.study]),
    output:
        algorithms="results/{study}/algorithms.parquet",
    log:
        ".snakemake/joblogs/name_algorithms/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        entries=lambda w: [source.entry for source in STUDIES[w.study].sources],
        code=code("name_algorithms"),
    message:
        "Naming the algorithms of {wildcards.study}"
    script:
        "../../scripts/name_algorithms.py"


rule compare_claims:
    """Look for runs of different sources that claim what cannot all be true."""
    input:
        unpack(sources_of(trials="results/{study}/trials/{source}.parquet")),
    output:
        contradictions="results/{study}/contradictions.parquet",
    log:
        ".snakemake/joblogs/compare_claims/{study}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 10),
        runtime=by_size(10, 0.05),
    params:
        sources=lambda w: [source.name for source in STUDIES[w.study].sources],
        code=code("compare_claims"),
    message:
        "Comparing the claims of the sources of {wildcards.study}"
    script:
        "../../scripts/compare_claims.py"
