"""The page that shows every kind of figure, made from the results of the shipped studies (`make gallery`)."""


include: "../Snakefile"


def examples_of(studies):
    """Return the first figure of every kind and, where asked for, of every layout and axis."""
    examples = {}
    for study in studies:
        asked_for = [
            item for item in study.settings["figures"] if not isinstance(item, str)
        ]
        entries = dict(zip(study.asked_figures, asked_for, strict=True))
        for name in views.chosen_figures(study):
            kind, asked = views.figures_of(study)[name].kind, study.asked_figures.get(
                name, {}
            )
            look = (
                kind,
                asked.get("layout", "beside"),
                asked.get("axis") == "broken" and FIGURES[kind].each == "profile",
            )
            usual = (("layout", "beside"), ("axis", "auto"), ("axis_end", 1.0))
            shown = {
                key: value
                for key, value in entries.get(name, {}).items()
                if (key, value) not in usual
            }
            examples.setdefault(
                look, {"kind": kind, "study": study.name, "name": name, "asked": shown}
            )
    return list(examples.values())


def files_of(examples, suffix):
    """Return the figures of the examples in one format."""
    figure = catalogue.RESULTS["figure"].path
    return [
        figure.format(study=one["study"], figure=one["name"], format=suffix)
        for one in examples
    ]


EXAMPLES = examples_of(STUDIES.values())


rule gallery:
    """Write the page that shows every kind of figure."""
    input:
        images=files_of(EXAMPLES, "png"),
        captions=files_of(EXAMPLES, "txt"),
        beside="docs/gallery.yml",
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
