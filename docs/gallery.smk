"""The page that shows every kind of figure, made from the results of the shipped studies (`make gallery`)."""

from benchmill.workflow import views


include: "../Snakefile"


EXAMPLES = views.gallery_examples(STUDIES.values())


rule gallery:
    """Write the page that shows every kind of figure."""
    input:
        images=catalogue.of_examples(EXAMPLES, "png"),
        captions=catalogue.of_examples(EXAMPLES, "txt"),
    output:
        page="docs/gallery.md",
        images=directory("docs/images/gallery"),
    log:
        ".snakemake/joblogs/gallery.log",
    localrule: True
    conda:
        "../environment.yml"
    params:
        examples=EXAMPLES,
    message:
        "Writing the gallery"
    script:
        "gallery.py"
