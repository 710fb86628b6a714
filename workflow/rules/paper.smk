"""The paper and the report of all studies, and the papers that studies bring.

REQUIRED INPUT: figures, captions, tables and the results they show.
OUTPUT: `results/<study>/references.bib`, `results/<study>/{section.tex,texts.tex,section.md}`, `results/paper/{paper,supplement}.tex`, `results/report.html`;
with a TeX engine `results/paper.pdf`, `results/supplement.pdf` and `results/<study>/paper.pdf`.
"""


rule paper:
    """Write the LaTeX sources of the paper and its supplement."""
    input:
        unpack(inputs("paper")),
    output:
        **outputs("paper"),
    log:
        plan.joblog("paper"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("paper"),
    message:
        "Writing the paper"
    script:
        "../../scripts/paper.py"


rule page:
    """Write the HTML report."""
    input:
        unpack(inputs("page")),
    output:
        **outputs("page"),
    log:
        plan.joblog("page"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("page"),
    message:
        "Writing the report"
    script:
        "../../scripts/page.py"


rule paper_pdf:
    """Compile the paper."""
    input:
        unpack(inputs("paper_pdf")),
    output:
        pdf=report(
            outputs("paper_pdf")["paper_pdf"],
            caption="../report/paper.rst",
            category="Paper",
            labels={"paper": "all studies"},
        ),
        origin=outputs("paper_pdf")["origin"],
    log:
        plan.joblog("paper_pdf"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("paper_pdf"),
    message:
        "Compiling the paper"
    script:
        "../../scripts/paper_pdf.py"


rule supplement_pdf:
    """Compile the supplement of the paper."""
    input:
        unpack(inputs("supplement_pdf")),
    output:
        **outputs("supplement_pdf"),
    log:
        plan.joblog("supplement_pdf"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("supplement_pdf"),
    message:
        "Compiling the supplement"
    script:
        "../../scripts/paper_pdf.py"


rule section:
    """Write {wildcards.study} as a section of an article, and its texts one by one."""
    input:
        unpack(inputs("section")),
    output:
        **outputs("section"),
    log:
        plan.joblog("section"),
    wildcard_constraints:
        **NAMES,
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("section"),
    message:
        "Writing {wildcards.study} as a section"
    script:
        "../../scripts/section.py"


rule own_paper:
    """Compile the paper that {wildcards.study} brings, with its tables, figures and numbers."""
    input:
        unpack(inputs("own_paper")),
    output:
        pdf=report(
            outputs("own_paper")["own_paper"],
            caption="../report/own_paper.rst",
            category="Paper",
            labels={"paper": "{study}"},
        ),
        origin=outputs("own_paper")["origin"],
    log:
        plan.joblog("own_paper"),
    wildcard_constraints:
        **NAMES,
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("own_paper"),
    message:
        "Compiling the paper of {wildcards.study}"
    script:
        "../../scripts/paper_pdf.py"


rule references:
    """Write what {wildcards.study} has to cite."""
    input:
        unpack(inputs("references")),
    output:
        **outputs("references"),
    log:
        plan.joblog("references"),
    wildcard_constraints:
        **NAMES,
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("references"),
    message:
        "Writing the references of {wildcards.study}"
    script:
        "../../scripts/references.py"
