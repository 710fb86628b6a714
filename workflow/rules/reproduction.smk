"""The numbers that published papers print, beside the ones that follow from their data.

REQUIRED INPUT: the tables of the papers in `data/paper-tables`.
OUTPUT: `results/reproduction.parquet`, the same as a table, `results/reproduction.{tex,csv,md}`, and as a document,
`results/paper/reproduction.tex` and `results/reproduction.pdf` (needs a TeX engine).
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


rule reproduction_pdf:
    """Compile the document of printed and recomputed numbers."""
    input:
        unpack(inputs("reproduction_pdf")),
    output:
        **outputs("reproduction_pdf"),
    log:
        plan.joblog("reproduction_pdf"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("reproduction_pdf"),
    message:
        "Compiling the reproduction"
    script:
        "../../scripts/paper_pdf.py"
