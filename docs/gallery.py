"""The page with an example of every kind of figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmill.registry.figures import KINDS

_HEAD = """# Gallery

Every kind of figure, drawn by the workflow from the shipped data (`make gallery` remakes this page). Each figure is
written as PDF and SVG into `results/<study>/figures/`, with the caption below as text: captions are made from the
settings used. Figures that every study has need no line in the configuration; the others are requested in the list `figures`
of a study, where `all` stands for the former. [config/README.md](../config/README.md) describes the keys. "Beside …" names the
picture that a kind was compared with, drawn from shipped data, and says how they differ.
"""


def shrink(image: str | Path, copy: str | Path) -> None:
    """Copy a PNG with a palette of 256 colours, which takes a third of the bytes.

    The octree keeps rare colours, where the median cut gives a curve of few points the colour of another.
    """
    from PIL import Image

    with Image.open(image) as picture:
        picture.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(copy, optimize=True)


def page(examples: Sequence[Mapping[str, Any]], images: str, beside: Mapping[str, str]) -> str:
    """Return the page as Markdown, with a section for each kind.

    An example has `kind`, `study`, `name`, `caption` and `asked`, the entry of the configuration; its image is
    `<study>_<name>.png` in the folder `images`. `beside` says of each kind how it differs from the picture that others draw.
    """
    sections = [_HEAD]
    for kind, entry in KINDS.items():
        sections.append(f"## {kind}\n\n{entry.words[:1].upper()}{entry.words[1:]}. {beside[kind]}\n")
        mine = [example for example in examples if example["kind"] == kind]
        for example in mine:
            sections.append(_example(example, images))
        if not mine:
            sections.append("No shipped study uses it.\n")
    return "\n".join(sections)


def _example(example: Mapping[str, Any], images: str) -> str:
    name, study = example["name"], example["study"]
    asked = {key: value for key, value in example["asked"].items() if value is not None}
    if asked:
        line = yaml.safe_dump(asked, default_flow_style=True, sort_keys=False, allow_unicode=True, width=1000).strip()
        lines = f"```yaml\nstudies:\n  {study}:\n    figures:\n      - {line}\n```"
    else:
        lines = f"In every study (`figures: all`); here `{name}` of `{study}`."
    return f"![{name}]({images}/{study}_{name}.png)\n\n{lines}\n\n*{_plain(example['caption'])}*\n"


def _plain(text: str) -> str:
    """Escape what Markdown would mark up."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)


if "snakemake" in globals():
    from benchmill.core.whole_file import write_text
    from benchmill.workflow.job import job

    with job(snakemake):
        folder, made = Path(snakemake.output.images), Path(snakemake.output.page)
        folder.mkdir(parents=True)
        beside = yaml.safe_load(Path(snakemake.input.beside).read_text("utf-8"))
        shown = []
        files = zip(snakemake.params.examples, snakemake.input.images, snakemake.input.captions, strict=True)
        for example, image, caption in files:
            shrink(image, folder / f"{example['study']}_{example['name']}.png")
            shown.append({**example, "caption": Path(caption).read_text("utf-8").strip()})
        write_text(made, page(shown, folder.relative_to(made.parent).as_posix(), beside))
