"""Costs become indicators, and ECDF and attainment curves: a rule for each entry of `benchmill.registry.indicators` that makes something.

An entry says what it needs of a source (its costs, trials, traces, ingest report), or of all of them (`docs/files.md` has what
each makes).
"""

for entry in indicators.INDICATORS.values():
    if not entry.needs:
        continue

    rule:
        name:
            entry.name
        input:
            **{key: FLOW.input(of) for key, of in jobs.read_by(entry).items()},
        output:
            **outputs(entry.name, **catalogue.own_constraints(STUDIES, entry.name)),
        resources:
            **(FLOW.of_source if "source" in entry.each else FLOW.of_measures),
        params:
            **{key: FLOW.parameter(of) for key, of in jobs.given_to(entry).items()},
            indicator=entry.name,
            code=code("indicators", entry.module),
        message:
            "Making {output[0]}"
        script:
            "../../scripts/indicators.py"
