"""Make one profile variant of one measure: ratios in; profiles and profile measures out."""

from benchmill import schema
from benchmill.job import job, origin
from benchmill.profiles import profile, profile_measures

with job(snakemake):
    made_by = {"measure": snakemake.wildcards.measure, **snakemake.params.settings}
    table = schema.read(snakemake.input.ratios, "ratios")
    note = origin(snakemake)
    schema.write(profile(table, **made_by), "profiles", snakemake.output.profiles, note)
    schema.write(profile_measures(table, **made_by), "profile_measures", snakemake.output.profile_measures, note)
