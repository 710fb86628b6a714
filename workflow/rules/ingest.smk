"""Raw logs become trials, traces and an ingest report: one job per source. Logs that are elsewhere are fetched first."""


rule fetch:
    """Fetch {wildcards.download}, which the configuration names by its URL or by name."""
    output:
        log=FLOW.kept("{download}"),
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
        most_mb=lambda w: DOWNLOADS[w.download].entry.get("most_mb"),
    message:
        "Fetching {params.url}"
    script:
        "../../scripts/fetch.py"


rule ingest:
    input:
        log=reads.logs,
        beside=reads.beside_logs,
    output:
        **outputs("ingest", source=any_of(s.name for s in SOURCES if not s.is_folder)),
    # kept for other studies and users where they share a store (docs/scaling.md)
    cache: True
    resources:
        **FLOW.of_source,
    params:
        name=given.of_job("source.name"),
        file=given.each("source.paths", "name"),
        format=given.of_job("source.format"),
        options=given.reading,
        # a function of outputs is no reason of Snakemake's to run again: what it does to the names in the log is one of ours
        names=lambda w, output=None: given.setting("algorithms")(w),
        sha256=given.of_job("source.sha256"),
        broken=given.of_job("source.broken"),
        code=code("ingest", given.reader),
    message:
        "Reading {wildcards.source} for {wildcards.study}"
    script:
        "../../scripts/ingest.py"


# Snakemake can tell whether a file is in the store, but not whether a folder is.
use rule ingest as ingest_folder with:
    output:
        **outputs("ingest", source=any_of(s.name for s in SOURCES if s.is_folder)),
    log:
        ".snakemake/joblogs/ingest_folder/{study}/{source}.log",
    cache: False


rule algorithms:
    input:
        reports=reads.of_sources("ingest"),
    output:
        **outputs("algorithms"),
    localrule: True
    params:
        entries=given.each("study.sources", "entry"),
        chosen=given.setting("algorithms"),
        not_competing=given.setting("not_competing"),
    message:
        "Listing the algorithms of {wildcards.study}"
    script:
        "../../scripts/algorithms.py"


rule contradictions:
    input:
        algorithms=reads.result("algorithms"),
        trials=reads.of_sources("trials"),
    output:
        **outputs("contradictions"),
    resources:
        **FLOW.of_all_sources,
    params:
        sources=given.each("study.sources", "name"),
    message:
        "Comparing the answers of the sources of {wildcards.study}"
    script:
        "../../scripts/contradictions.py"


rule best_known:
    input:
        algorithms=reads.result("algorithms"),
        trials=reads.of_sources("trials"),
        known=reads.named_file("study.best_known"),
    output:
        **outputs("best_known"),
    resources:
        **FLOW.of_all_sources,
    params:
        sources=given.each("study.sources", "name"),
    message:
        "Comparing {wildcards.study} with best-known values"
    script:
        "../../scripts/best_known.py"
