"""The gallery shows every kind of figure that there is."""

import re
import runpy
from pathlib import Path

import numpy as np
import yaml
from PIL import Image

from benchmill.exhibits.figures import KINDS

DOCS = Path(__file__).parents[3] / "docs"
BESIDE = yaml.safe_load((DOCS / "gallery.yml").read_text("utf-8"))


def test_a_kind_without_example_says_so_and_captions_are_no_markup():
    example = {
        "kind": "scatter",
        "study": "s",
        "name": "scatter_x",
        "caption": "a *b* <img> τ_max",
        "asked": {"kind": "scatter", "measures": ["x"], "name": None},
    }
    text = runpy.run_path(str(DOCS / "gallery.py"))["page"]([example], "images", BESIDE)
    assert "![scatter_x](images/s_scatter_x.png)" in text
    assert "      - {kind: scatter, measures: [x]}" in text
    assert r"*a \*b\* \<img\> τ\_max*" in text
    assert text.count("No shipped study uses it.") == len(KINDS) - 1


def test_a_curve_of_few_points_keeps_its_colour(tmp_path):
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 256, (400, 400, 1)).repeat(3, 2).astype(np.uint8)  # the greys of letters and lines
    picture[:200, :200], picture[300:304, 300:304] = (230, 159, 0), (213, 94, 0)
    Image.fromarray(picture).save(tmp_path / "drawn.png")
    runpy.run_path(str(DOCS / "gallery.py"))["shrink"](tmp_path / "drawn.png", tmp_path / "copy.png")
    with Image.open(tmp_path / "copy.png") as copy:
        assert np.abs(np.array(copy.convert("RGB"))[302, 302].astype(int) - (213, 94, 0)).max() <= 8


def test_every_kind_was_laid_beside_another_picture_or_says_why_not():
    assert list(BESIDE) == list(KINDS)
    assert all(text.startswith(("Beside ", "Not compared with another picture: ")) for text in BESIDE.values())


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
