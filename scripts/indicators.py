"""Make one indicator: what its entry in the registry needs in; the tables that it makes out."""

from pathlib import Path

from benchmill.core import storage
from benchmill.core.storage import Kept
from benchmill.indicators.job import Given
from benchmill.registry.indicators import INDICATORS
from benchmill.study.results import read_report
from benchmill.workflow.job import clustered, job, origin

with job(snakemake):
    entry = INDICATORS[snakemake.params.indicator]
    kept = Kept(Path(".snakemake/kept", snakemake.rule, *snakemake.wildcards), snakemake.params.code)
    needed = dict(snakemake.params.needed)
    if "cluster_keys" in needed:
        needed["cluster_keys"] = clustered(snakemake, needed["cluster_keys"])
    made = entry.function(
        Given(
            files=dict(snakemake.input.items()),
            settings=snakemake.params.settings,
            section=entry.settings_in,
            reports=[read_report(path) for path in snakemake.input.get("ingest", [])],
            aggregation=snakemake.wildcards.get("aggregation", ""),
            needed=needed,
            kept=kept,
        )
    )
    note = {**origin(snakemake), **made.note}
    for name, tables in made.tables.items():
        storage.write(tables, entry.table(name), snakemake.output[name], note)
    kept.leave_out()
