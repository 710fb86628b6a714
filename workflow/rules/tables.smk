"""Tables in all formats, the numbers an author's text quotes, and the study's configuration with all defaults."""


rule config:
    output:
        **outputs("config"),
    localrule: True
    params:
        settings=given.of_job("study.settings"),
    message:
        "Writing the configuration of {wildcards.study}"
    script:
        "../../scripts/config.py"


# a rule has the same outputs for all its wildcards, and every study has tables of its own
for study in STUDIES.values():
    of = {"study": study.name}

    rule:
        name:
            f"tables_{study.name}"
        input:
            results=FLOW.input(inputs.shown, **of),
        output:
            tex=FLOW.tables_in_report(study, "tex", "LaTeX"),
            csv=FLOW.tables_in_report(study, "csv", "CSV"),
            others=catalogue.table_files(study, "md", "txt"),
            numbers=catalogue.RESULTS["numbers"].path.format(**of),
            pairs=catalogue.RESULTS["pairs"].path.format(**of),
            exhibits=catalogue.RESULTS["exhibits"].path.format(**of),
            origin=catalogue.origin("tables").format(**of),
        log:
            catalogue.joblog("tables").format(**of),
        localrule: True
        params:
            study=study.name,
            tables=FLOW.parameter(parameters.tables, **of),
            said=FLOW.parameter(parameters.said, **of),
            layout=FLOW.parameter(parameters.layout, **of),
            code=code("tables", given.table_modules),
        message:
            f"Writing the tables and numbers of {study.name}"
        script:
            "../../scripts/tables.py"
