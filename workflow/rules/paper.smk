"""The paper and the report of all studies, and the papers that studies bring; PDF where there is a TeX engine.

And the numbers that published papers print, beside the ones that follow from their data.
"""

PARTS = ("exhibit.tex", "section.tex")
OWN = ("own_section.tex", "texts.tex", "own_section.md")


rule paper:
    input:
        results=reads.of_all("exhibits", "config", "ingest"),
        captions=reads.figures("txt"),
        templates=reads.templates("paper.tex", "supplement.tex", "preamble.tex", *PARTS),
        reproduction=reads.reproduction,
    output:
        **outputs("paper"),
    localrule: True
    params:
        studies=given.page_parts,
    message:
        "Writing the paper"
    script:
        "../../scripts/paper.py"


rule evidence:
    input:
        results=reads.shown,
        reports=reads.of_study("ingest"),
        trials=reads.of_study("trials"),
        costs=reads.costs_on_page,
        excerpts=reads.of_study("excerpts"),
        traces=reads.of_study("traces"),
    output:
        **outputs("evidence"),
    localrule: True
    params:
        settings=given.of_job("study.without_appearance"),
        groups=given.of_job("study.problem_groups"),
    message:
        "Packing the runs of {wildcards.study} and the evidence for its statements"
    script:
        "../../scripts/evidence.py"


rule page:
    input:
        results=reads.shown,
        exhibits=reads.of_all("exhibits", "config"),
        explored=reads.explored,
        evidence=reads.of_all("evidence"),
        captions=reads.figures("txt"),
        figures=reads.figures("svg"),
        templates=reads.page_templates,
        pens=reads.result("pens"),
    output:
        **outputs("page"),
    localrule: True
    params:
        studies=given.page_parts,
    message:
        "Writing the report"
    script:
        "../../scripts/page.py"


rule paper_pdf:
    input:
        **TYPESET,
        tex=reads.result("paper"),
    output:
        **outputs("paper_pdf"),
    localrule: True
    params:
        tex=TEX,
    message:
        "Compiling the paper"
    script:
        "../../scripts/paper_pdf.py"


use rule paper_pdf as supplement_pdf with:
    input:
        **TYPESET,
        tex=reads.result("supplement"),
    output:
        **outputs("supplement_pdf"),
    message:
        "Compiling the supplement"


rule reproduction:
    input:
        papers=reads.paper_tables,
        templates=reads.templates("reproduction.tex", "preamble.tex", "exhibit.tex"),
    output:
        **outputs("reproduction"),
    message:
        "Comparing printed and recomputed numbers"
    script:
        "../../scripts/reproduction.py"


use rule paper_pdf as reproduction_pdf with:
    input:
        tex=reads.result("reproduction_paper"),
        table=reads.result("reproduction_table", format="tex"),
    output:
        **outputs("reproduction_pdf"),
    message:
        "Compiling the reproduction"


rule section:
    input:
        results=reads.of_study("exhibits", "config", "ingest"),
        captions=reads.figures("txt"),
        templates=reads.templates(*OWN, *PARTS),
    output:
        **outputs("section"),
    localrule: True
    params:
        studies=given.page_parts,
    message:
        "Writing {wildcards.study} as a section"
    script:
        "../../scripts/section.py"


rule own_paper:
    input:
        tex=reads.named_file("study.paper"),
        beside=reads.beside_own_paper,
        results=reads.of_study("references", "section", "texts", "numbers", "table_tex"),
        figures=reads.figures("pdf"),
    output:
        **outputs("own_paper"),
    localrule: True
    params:
        reads=given.results_of_study,
        tex=TEX,
    message:
        "Compiling the paper of {wildcards.study}"
    script:
        "../../scripts/paper_pdf.py"


rule references:
    input:
        reports=reads.of_sources("ingest"),
    output:
        **outputs("references"),
    localrule: True
    params:
        settings=given.cited,
        indicators=given.indicators_made,
        sources=given.cited_sources,
    message:
        "Writing the references of {wildcards.study}"
    script:
        "../../scripts/references.py"
