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
            results=FLOW.input(jobs.shown, **of),
        output:
            tex=catalogue.table_files(study, "tex"),
            csv=catalogue.table_files(study, "csv"),
            others=catalogue.table_files(study, "md", "txt"),
            numbers=catalogue.RESULTS["numbers"].path.format(**of),
            exhibits=catalogue.RESULTS["exhibits"].path.format(**of),
            origin=catalogue.origin("tables").format(**of),
        log:
            catalogue.joblog("tables").format(**of),
        localrule: True
        params:
            study=study.name,
            tables=views.table_settings(study),
            said=views.sentence_settings(study),
            layout=views.layout_of(study),
            code=code("tables", *jobs.modules(TABLES)),
        message:
            f"Writing the tables and numbers of {study.name}"
        script:
            "../../scripts/tables.py"
