"""The numbers that published papers print, beside the ones that follow from their data.

REQUIRED INPUT: the tables of the papers in `data/paper-tables`.
OUTPUT: `results/reproduction.parquet` and the same as a table, `results/reproduction.{tex,csv,md}`.
"""


rule reproduction:
    """Compare every printed number with the recomputed one."""
    input:
        unpack(inputs("reproduction")),
    output:
        **outputs("reproduction"),
    log:
        plan.joblog("reproduction"),
    conda:
        "../../environment.yml"
    params:
        **parameters("reproduction"),
    message:
        "Comparing printed and recomputed numbers"
    script:
        "../../scripts/reproduction.py"
