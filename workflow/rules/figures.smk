"""Figures: one job per figure, PDF, SVG and the caption at once; and the record of pens.

The record `pens.yaml` stands beside the configuration, is read and added to.
"""


rule pens:
    input:
        # not `algorithms`: a mistake in the names of one study stops the figures of that study alone
        reports=reads.of_all("ingest"),
    output:
        **outputs("pens"),
    localrule: True
    params:
        record=str(catalogue.PENS),
    message:
        "Assigning pens"
    script:
        "../../scripts/pens.py"


rule figures:
    input:
        results=reads.drawn,
        own_reports=reads.of_study("ingest", "algorithms"),
        pens=reads.result("pens"),
    output:
        **outputs("figures"),
    localrule: True
    params:
        kind=given.of_job("figure.kind"),
        settings=given.figure,
        fonts=given.fonts,
        code=code("figures", given.module(FIGURES, "figure.kind")),
    message:
        "Drawing {wildcards.figure} for {wildcards.study}"
    script:
        "../../scripts/figures.py"


use rule figures as figures_png with:
    output:
        **outputs("figures_png"),
    message:
        "Drawing {wildcards.figure} for {wildcards.study} as PNG"
