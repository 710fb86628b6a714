"""The numbers that published papers print, beside the ones that follow from their data.

REQUIRED INPUT: the tables of the papers in `data/paper-tables`.
OUTPUT: `results/reproduction.parquet` and the same as a table, `results/reproduction.{tex,csv,md}`.
"""


rule reproduce_papers:
    """Compare every printed number with the recomputed one."""
    input:
        [here(path) for path in PAPER_TABLES],
    output:
        parquet="results/reproduction.parquet",
        tex="results/reproduction.tex",
        csv="results/reproduction.csv",
        md="results/reproduction.md",
    log:
        ".snakemake/joblogs/reproduce_papers.log",
    conda:
        "../../environment.yml"
    params:
        files=digests(PAPER_TABLES),
        code=code("reproduce_papers"),
    message:
        "Comparing printed and recomputed numbers"
    script:
        "../../scripts/reproduce_papers.py"
