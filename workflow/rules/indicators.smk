"""Costs become indicators, and ECDF and attainment curves: a rule for each entry of `benchmill.registry.indicators` that makes something.

REQUIRED INPUT: what the entry needs of a source: its costs, trials, traces, ingest report; or of all sources.
OUTPUT: what the entry makes, such as `results/<study>/indicators/<source>.parquet`, `ecdf/<aggregation>.parquet`,
`summary/<measure>.parquet` (`docs/files.md` has all).
"""

for step in plan.steps_of("indicators"):
    of_source = "{source}" in plan.joblog(step)

    rule:
        """Make an indicator: numbers of problems, curves, or a summary."""
        name:
            step
        input:
            unpack(inputs(step)),
        output:
            **outputs(step),
        log:
            plan.joblog(step),
        wildcard_constraints:
            **{**NAMES, **plan.own_constraints(STUDIES, step)},
        group:
            batch if of_source else together
        conda:
            "../../environment.yml"
        resources:
            mem_mb=(
                by_size(700, 60, plan.MOST_OF_SOURCE) if of_source else by_size(700, 5)
            ),
            runtime=by_size(2, 0.1) if of_source else by_size(5, 0.05),
        params:
            **parameters(step),
        message:
            "Making {output[0]}"
        script:
            "../../scripts/indicators.py"
