"""The gallery shows every kind of figure that there is."""

import re
import runpy
from pathlib import Path

from benchmill.figures import KINDS

DOCS = Path(__file__).parents[2] / "docs"


def test_a_kind_without_example_says_so_and_captions_are_no_markup():
    example = {
        "kind": "scatter",
        "study": "s",
        "name": "scatter_x",
        "caption": "a *b* <img> τ_max",
        "asked": {"kind": "scatter", "measures": ["x"], "name": None},
    }
    text = runpy.run_path(str(DOCS / "gallery.py"))["page"]([example], "images")
    assert "![scatter_x](images/s_scatter_x.png)" in text
    assert "      - {kind: scatter, measures: [x]}" in text
    assert r"*a \*b\* \<img\> τ\_max*" in text
    assert text.count("No study that ships asks for it.") == len(KINDS) - 1


def test_every_kind_is_in_the_gallery_with_a_picture():
    text = (DOCS / "gallery.md").read_text("utf-8")
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S))
    assert list(sections) == list(KINDS), "make gallery"
    for kind, section in sections.items():
        images = re.findall(r"!\[.*?\]\((.*?)\)", section)
        assert images, f"ask for a figure of kind {kind} in a study of config.yaml, then make gallery"
        for image in images:
            assert (DOCS / image).stat().st_size > 1000


def test_the_gallery_is_small():
    found = list((DOCS / "images/gallery").glob("*.png"))
    assert sum(path.stat().st_size for path in found) < 3e6


def test_every_image_is_of_the_page():
    text = (DOCS / "gallery.md").read_text("utf-8")
    assert all(path.name in text for path in (DOCS / "images/gallery").glob("*.png"))
