"""The paper and the report of all studies, and the papers that studies bring.

REQUIRED INPUT: figures, captions, tables and the results they show.
OUTPUT: `results/paper/paper.tex`, `results/paper.pdf` and `results/<study>/paper.pdf` (need a TeX engine), `results/report.html`.
"""


rule write_paper:
    """Write the LaTeX source of the paper."""
    input:
        results=[path for study in STUDIES.values() for path in gathered(study)],
        captions=[
            f"results/{study.name}/figures/{name}.txt"
            for study in STUDIES.values()
            for name in chosen_figures(study)
        ],
        template=here(HERE / "workflow/paper/paper.tex"),
        reproduction=reproduction()[:1],
    output:
        tex="results/paper/paper.tex",
    log:
        ".snakemake/joblogs/write_paper.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        studies={name: page_parts(study) for name, study in STUDIES.items()},
        files=digests([HERE / "workflow/paper/paper.tex"]),
        code=code("write_paper", *TABLE_MODULES),
    message:
        "Writing the paper"
    script:
        "../../scripts/write_paper.py"


rule compile_paper:
    """Compile the paper."""
    input:
        tex="results/paper/paper.tex",
        reproduction=reproduction()[1:2],
        numbers=[f"results/{study.name}/numbers.tex" for study in STUDIES.values()],
        tables=[
            f"results/{study.name}/tables/{name}.tex"
            for study in STUDIES.values()
            for name in tables_of(study)
        ],
        figures=[
            f"results/{study.name}/figures/{name}.pdf"
            for study in STUDIES.values()
            for name in chosen_figures(study)
        ],
    output:
        pdf=report(
            "results/paper.pdf",
            caption="../report/paper.rst",
            category="Paper",
            labels={"paper": "all studies"},
        ),
    log:
        ".snakemake/joblogs/compile_paper.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        tex=tex_version(),
        code=code("compile_paper"),
    message:
        "Compiling the paper"
    script:
        "../../scripts/compile_paper.py"


rule compile_own_paper:
    """Compile the paper that {wildcards.study} brings, with its tables, figures and numbers."""
    input:
        tex=lambda w: here(STUDIES[w.study].paper),
        beside=lambda w: [here(path) for path in paper_files(STUDIES[w.study].paper)],
        numbers="results/{study}/numbers.tex",
        tables=lambda w: [
            f"results/{w.study}/tables/{name}.tex"
            for name in tables_of(STUDIES[w.study])
        ],
        figures=lambda w: [
            f"results/{w.study}/figures/{name}.pdf"
            for name in chosen_figures(STUDIES[w.study])
        ],
    output:
        pdf=report(
            "results/{study}/paper.pdf",
            caption="../report/own_paper.rst",
            category="Paper",
            labels={"paper": "{study}"},
        ),
    log:
        ".snakemake/joblogs/compile_own_paper/{study}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        reads=lambda w: f"results/{w.study}",
        tex=tex_version(),
        files=lambda w: digests(
            [STUDIES[w.study].paper, *paper_files(STUDIES[w.study].paper)]
        ),
        code=code("compile_paper"),
    message:
        "Compiling the paper of {wildcards.study}"
    script:
        "../../scripts/compile_paper.py"


rule write_report:
    """Write the HTML report."""
    input:
        results=[path for study in STUDIES.values() for path in gathered(study)],
        explored=[path for study in STUDIES.values() for path in explored(study)],
        captions=[
            f"results/{study.name}/figures/{name}.txt"
            for study in STUDIES.values()
            for name in chosen_figures(study)
        ],
        figures=[
            f"results/{study.name}/figures/{name}.svg"
            for study in STUDIES.values()
            for name in chosen_figures(study)
        ],
        template=[here(path) for path in TEMPLATES],
    output:
        html="results/report.html",
    log:
        ".snakemake/joblogs/write_report.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        studies={name: page_parts(study) for name, study in STUDIES.items()},
        files=digests(TEMPLATES),
        code=code("write_report", *TABLE_MODULES),
    message:
        "Writing the report"
    script:
        "../../scripts/write_report.py"
