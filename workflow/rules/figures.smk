"""Figures: one job a figure, all three formats at once.

REQUIRED INPUT: the tables that the figure shows.
OUTPUT: `results/<study>/figures/<figure>.{pdf,svg,png}` and its caption `<figure>.txt`; on request `<figure>.pgf`.
"""


rule draw_figure:
    """Draw {wildcards.figure}."""
    input:
        results=lambda w: figures_of(STUDIES[w.study])[w.figure][1],
        own_reports=lambda w: reports_of(STUDIES[w.study]),
        # of all studies: an algorithm keeps its look from study to study
        reports=[path for study in STUDIES.values() for path in reports_of(study)],
    output:
        pdf=report(
            "results/{study}/figures/{figure}.pdf",
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}", "format": "PDF"},
        ),
        svg=report(
            "results/{study}/figures/{figure}.svg",
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}", "format": "SVG"},
        ),
        png="results/{study}/figures/{figure}.png",
        caption="results/{study}/figures/{figure}.txt",
    log:
        ".snakemake/joblogs/draw_figure/{study}/{figure}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        kind=lambda w: figures_of(STUDIES[w.study])[w.figure][0],
        settings=lambda w: {
            **view_settings(
                STUDIES[w.study], figures_of(STUDIES[w.study])[w.figure][2]
            ),
            **appearance_of(STUDIES[w.study]),
            "indicators": {
                "ecdf": {
                    key: STUDIES[w.study].settings["indicators"]["ecdf"][key]
                    for key in ("x", "weight", "restarts", "target_set", "bands")
                }
            },
        },
        fonts=lambda w: digests(font_files(STUDIES[w.study])),
        code=lambda w: code(
            "draw_figure",
            f"benchmill.figures.{figures_of(STUDIES[w.study])[w.figure][0]}",
        ),
    message:
        "Drawing {wildcards.figure} for {wildcards.study}"
    script:
        "../../scripts/draw_figure.py"


use rule draw_figure as draw_pgf with:
    output:
        pgf="results/{study}/figures/{figure}.pgf",
    log:
        ".snakemake/joblogs/draw_pgf/{study}/{figure}.log",
    message:
        "Drawing {wildcards.figure} for {wildcards.study} as PGF"


rule gallery:
    """Write the page that shows every kind of figure; not part of `all`."""
    input:
        images=[
            f"results/{e['study']}/figures/{e['name']}.png" for e in gallery_examples()
        ],
        captions=[
            f"results/{e['study']}/figures/{e['name']}.txt" for e in gallery_examples()
        ],
    output:
        page="docs/gallery.md",
        images=directory("docs/images/gallery"),
    log:
        ".snakemake/joblogs/gallery.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        examples=gallery_examples(),
        code=code("write_gallery"),
    message:
        "Writing the gallery"
    script:
        "../../scripts/write_gallery.py"
