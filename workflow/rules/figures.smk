"""Figures: one job per figure, all three formats at once; and the record of looks.

REQUIRED INPUT: the tables that the figure shows.
OUTPUT: `results/looks.yaml`; the record `looks.yaml` stands beside the configuration, is read and added to.
OUTPUT: `results/<study>/figures/<figure>.{pdf,svg,png}` and its caption `<figure>.txt`; on request `<figure>.pgf`.
"""


rule looks:
    """Give each algorithm its look: that of the record, where it has one."""
    input:
        unpack(inputs("looks")),
    output:
        **outputs("looks"),
    log:
        plan.joblog("looks"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("looks"),
    message:
        "Giving out looks"
    script:
        "../../scripts/looks.py"


rule figures:
    """Draw {wildcards.figure}."""
    input:
        unpack(inputs("figures")),
    output:
        pdf=report(
            outputs("figures")["pdf"],
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}", "format": "PDF"},
        ),
        svg=report(
            outputs("figures")["svg"],
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}", "format": "SVG"},
        ),
        png=outputs("figures")["png"],
        txt=outputs("figures")["txt"],
        origin=outputs("figures")["origin"],
    log:
        plan.joblog("figures"),
    wildcard_constraints:
        **NAMES,
    localrule: True
    conda:
        "../../environment.yml"
    params:
        **parameters("figures"),
    message:
        "Drawing {wildcards.figure} for {wildcards.study}"
    script:
        "../../scripts/figures.py"


use rule figures as figures_pgf with:
    output:
        **outputs("figures_pgf"),
    log:
        plan.joblog("figures_pgf"),
    message:
        "Drawing {wildcards.figure} for {wildcards.study} as PGF"


EXAMPLES = views.gallery_examples(STUDIES.values())


rule gallery:
    """Write the page that shows every kind of figure; not part of `all`."""
    input:
        images=plan.of_examples(EXAMPLES, "png"),
        captions=plan.of_examples(EXAMPLES, "txt"),
    output:
        page="docs/gallery.md",
        images=directory("docs/images/gallery"),
    log:
        ".snakemake/joblogs/gallery.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        examples=EXAMPLES,
        code=code("gallery"),
    message:
        "Writing the gallery"
    script:
        "../../scripts/gallery.py"
