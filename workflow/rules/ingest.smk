"""Raw logs become trials, traces and an ingest report: one job per source.

REQUIRED INPUT: a log folder, an archive or a table, as the study lists it (one that is elsewhere is fetched first); its list of
best-known values or its lookup, if it names one.
OUTPUT: `results/<study>/trials|traces|excerpts/<source>.parquet`, `results/<study>/ingest/<source>.json`; where there are solver runs in
several sources, `results/<study>/contradictions.parquet`; with `best_known`, `results/<study>/best_known.parquet`. And which source holds which algorithm, `results/<study>/algorithms.parquet`.
"""


rule fetch:
    """Fetch {wildcards.download}, which the configuration names by its URL or by name."""
    output:
        log=kept("{download}"),
    log:
        ".snakemake/joblogs/fetch/{download}.log",
    wildcard_constraints:
        # what is there is not fetched again, whatever its entry says by now
        download=any_of(path for path in DOWNLOADS if not Path(path).exists()),
    retries: 2
    # where Snakemake runs: the nodes of a cluster may have no network
    localrule: True
    conda:
        "../../environment.yml"
    params:
        url=lambda w: DOWNLOADS[w.download].entry["path"],
        sha256=lambda w: DOWNLOADS[w.download].sha256,
        source=lambda w: DOWNLOADS[w.download].name,
        archives=archives.configured(),
    message:
        "Fetching {params.url}"
    script:
        "../../scripts/fetch.py"


rule ingest:
    """Read the raw logs of {wildcards.source}."""
    input:
        unpack(inputs("ingest")),
    output:
        **outputs("ingest"),
    log:
        plan.joblog("ingest"),
    wildcard_constraints:
        study=NAMES["study"],
        source=any_of(source.name for source in SOURCES if not source.is_folder),
    # kept for other studies and users where they share a store (docs/scaling.md)
    cache: True
    group:
        batch
    conda:
        "../../environment.yml"
    resources:
        mem_mb=by_size(700, 60, plan.MOST_OF_SOURCE),
        runtime=by_size(2, 0.1),
    params:
        **parameters("ingest"),
    message:
        "Reading {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/ingest.py"


# Snakemake can tell whether a file is in the store, but not whether a folder is.
use rule ingest as ingest_folder with:
    log:
        ".snakemake/joblogs/ingest_folder/{study}/{source}.log",
    wildcard_constraints:
        study=NAMES["study"],
        source=any_of(source.name for source in SOURCES if source.is_folder),
    cache: False


rule algorithms:
    """See to it that every algorithm of {wildcards.study} is in one source."""
    input:
        unpack(inputs("algorithms")),
    output:
        **outputs("algorithms"),
    log:
        plan.joblog("algorithms"),
    wildcard_constraints:
        **NAMES,
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("algorithms"),
    message:
        "Listing the algorithms of {wildcards.study}"
    script:
        "../../scripts/algorithms.py"


rule contradictions:
    """Look for runs of different sources that claim what cannot all be true."""
    input:
        unpack(inputs("contradictions")),
    output:
        **outputs("contradictions"),
    log:
        plan.joblog("contradictions"),
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
        **parameters("contradictions"),
    message:
        "Comparing the claims of the sources of {wildcards.study}"
    script:
        "../../scripts/contradictions.py"


rule best_known:
    """List the runs that contradict the study's best-known values, or are better."""
    input:
        unpack(inputs("best_known")),
    output:
        **outputs("best_known"),
    log:
        plan.joblog("best_known"),
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
        **parameters("best_known"),
    message:
        "Comparing {wildcards.study} with best-known values"
    script:
        "../../scripts/best_known.py"
