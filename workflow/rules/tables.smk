"""Tables in all formats, the numbers an author's text quotes, and the study's configuration with all defaults.

REQUIRED INPUT: the tables of the earlier stages.
OUTPUT: `results/<study>/tables/<table>.{tex,csv,md,txt}`, `results/<study>/numbers.tex`, `results/<study>/pairs.tex`,
`results/<study>/exhibits.json`, `results/<study>/config.yaml`.
"""


rule config:
    """Write the study down with every default filled in."""
    input:
        unpack(inputs("config")),
    output:
        **outputs("config"),
    log:
        plan.joblog("config"),
    wildcard_constraints:
        **NAMES,
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
            unpack(inputs("tables", study=study.name)),
        output:
            tex=[
                report(
                    path,
                    caption="../report/table.rst",
                    category=study.name,
                    subcategory="Tables",
                    labels={"table": Path(path).stem, "format": "LaTeX"},
                )
                for path in plan.table_files(study, "tex")
            ],
            csv=[
                report(
                    path,
                    caption="../report/table.rst",
                    category=study.name,
                    subcategory="Tables",
                    labels={"table": Path(path).stem, "format": "CSV"},
                )
                for path in plan.table_files(study, "csv")
            ],
            others=plan.table_files(study, "md", "txt"),
            numbers=outputs("tables")["numbers"].format(study=study.name),
            pairs=outputs("tables")["pairs"].format(study=study.name),
            exhibits=outputs("tables")["exhibits"].format(study=study.name),
            origin=outputs("tables")["origin"].format(study=study.name),
        log:
            plan.joblog("tables").format(study=study.name),
        localrule: True
        conda:
            "../../environment.yml"
        params:
            **parameters("tables", study=study.name),
        message:
            f"Writing the tables and numbers of {study.name}"
        script:
            "../../scripts/tables.py"
