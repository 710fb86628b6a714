"""Write down the waves of a nested profile: ratios in; waves, their profiles and the stability of the order out."""

from benchmill.core import storage
from benchmill.profiles.nested import wave_tables
from benchmill.workflow.job import job, origin

with job(snakemake):
    settings = {name: value for name, value in snakemake.params.settings.items() if name not in ("variant", "measures", "bands")}
    settings["weights_table"] = snakemake.input.get("weights_table")
    waves, wave_profiles, stability = wave_tables(
        storage.read(snakemake.input.ratios, "ratios"),
        measure=snakemake.wildcards.measure,
        seed=snakemake.params.seed,
        **settings,
    )
    note = origin(snakemake)
    storage.write(waves, "waves", snakemake.output.waves, note)
    storage.write(wave_profiles, "wave_profiles", snakemake.output.wave_profiles, note)
    storage.write(stability, "stability", snakemake.output.stability, note)
