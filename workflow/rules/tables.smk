"""Tables in all formats, the numbers an author's text quotes, and the study's configuration with all defaults.

REQUIRED INPUT: the tables of the earlier stages.
OUTPUT: `results/<study>/tables/<table>.{tex,csv,md,txt}`, `results/<study>/numbers.tex`, `results/<study>/config.yaml`.
"""


rule config:
    """Write the study down with every default filled in."""
    output:
        **outputs("config"),
    log:
        plan.joblog("config"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("config"),
    message:
        "Writing the configuration of {wildcards.study}"
    script:
        "../../scripts/config.py"


# a rule has the same outputs for all its wildcards, and every study has tables of its own
for study in STUDIES.values():

    rule:
        name:
            f"tables_{study.name}"
        input:
            unpack(inputs("tables")),
        output:
            tex=[
                report(
                    path,
                    caption="../report/table.rst",
                    category="{study}",
                    subcategory="Tables",
                    labels={"table": Path(path).stem, "format": "LaTeX"},
                )
                for path in plan.table_patterns(study, "tex")
            ],
            csv=[
                report(
                    path,
                    caption="../report/table.rst",
                    category="{study}",
                    subcategory="Tables",
                    labels={"table": Path(path).stem, "format": "CSV"},
                )
                for path in plan.table_patterns(study, "csv")
            ],
            others=plan.table_patterns(study, "md", "txt"),
            numbers=outputs("tables")["numbers"],
        log:
            plan.joblog("tables"),
        wildcard_constraints:
            study=study.name,
        localrule: True
        conda:
            "../../environment.yml"
        params:
            **parameters("tables"),
        message:
            "Writing the tables and numbers of {wildcards.study}"
        script:
            "../../scripts/tables.py"
