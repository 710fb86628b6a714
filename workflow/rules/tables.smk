"""Tables in all formats, the numbers an author's text quotes, and the study's configuration with all defaults.

REQUIRED INPUT: the tables of the earlier stages.
OUTPUT: `results/<study>/tables/<table>.{tex,csv,md,txt}`, `results/<study>/numbers.tex`, `results/<study>/config.yaml`.
"""


rule write_config:
    """Write the study down with every default filled in."""
    output:
        config="results/{study}/config.yaml",
    log:
        ".snakemake/joblogs/write_config/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        settings=lambda w: STUDIES[w.study].settings,
        code=code("write_config"),
    message:
        "Writing the configuration of {wildcards.study}"
    script:
        "../../scripts/write_config.py"


rule write_table:
    """Write the table {wildcards.table} in all formats."""
    input:
        results=lambda w: tables_of(STUDIES[w.study])[w.table][1],
    output:
        tex=report(
            "results/{study}/tables/{table}.tex",
            caption="../report/table.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}", "format": "LaTeX"},
        ),
        csv=report(
            "results/{study}/tables/{table}.csv",
            caption="../report/table.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}", "format": "CSV"},
        ),
        md="results/{study}/tables/{table}.md",
        caption="results/{study}/tables/{table}.txt",
    log:
        ".snakemake/joblogs/write_table/{study}/{table}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        kind=lambda w: tables_of(STUDIES[w.study])[w.table][0],
        settings=lambda w: view_settings(
            STUDIES[w.study], tables_of(STUDIES[w.study])[w.table][2]
        ),
        siunitx=lambda w: STUDIES[w.study].settings["siunitx"],
        code=lambda w: code(
            "write_table",
            table_kinds.KINDS[tables_of(STUDIES[w.study])[w.table][0]].module,
        ),
    message:
        "Writing the table {wildcards.table} for {wildcards.study}"
    script:
        "../../scripts/write_table.py"


rule write_numbers:
    """Write every headline number of {wildcards.study} as a macro."""
    input:
        results=lambda w: list(gathered(STUDIES[w.study])),
    output:
        numbers="results/{study}/numbers.tex",
    log:
        ".snakemake/joblogs/write_numbers/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=code("write_numbers"),
    message:
        "Writing the numbers of {wildcards.study}"
    script:
        "../../scripts/write_numbers.py"
