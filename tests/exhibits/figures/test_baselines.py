"""Every figure of the gallery looks as it did, by its structure and a coarse picture."""

import json
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from benchmill.exhibits.figures import KINDS
from tests.exhibits.figures import baseline, studies
from tests.exhibits.figures.test_kinds import overlaps

AGAIN = "look at it; if it should be so: python -m tests.exhibits.figures.baseline"


@pytest.fixture(scope="module")
def tables():
    return studies.tables()


def kept(name):
    with Image.open(baseline.FOLDER / f"{name}.png") as image:
        return json.loads((baseline.FOLDER / f"{name}.json").read_text("utf-8")), np.asarray(image)


def test_every_kind_has_a_baseline_and_every_baseline_a_figure():
    assert {kind for kind, _ in baseline.FIGURES.values()} == set(KINDS)
    assert {path.name for path in baseline.FOLDER.iterdir()} == {f"{n}.{s}" for n in baseline.FIGURES for s in ("json", "png")}


#: Each version of Matplotlib sets type and lines a little otherwise: pictures are compared by the version that made them.
PINNED = "3.11"
by_the_pinned_version = pytest.mark.skipif(
    not matplotlib.__version__.startswith(f"{PINNED}."), reason=f"baselines were drawn by Matplotlib {PINNED}"
)


def test_the_pinned_version_is_the_one_that_drew_the_baselines():
    assert f"\nmatplotlib=={PINNED}." in (Path(__file__).parents[3] / "requirements.lock").read_text("utf-8")


@by_the_pinned_version
@pytest.mark.parametrize("name", baseline.FIGURES)
def test_it_looks_as_it_did(tables, name, tmp_path):
    figure = baseline.drawn(name, tables)
    assert overlaps(figure) == ([], [])
    structure, grey = kept(name)
    found = baseline.picture(figure)
    assert baseline.difference(baseline.structure(figure), structure) == [], AGAIN
    mean, worst = baseline.off(found, grey)
    if mean > baseline.MEAN or worst > baseline.WORST:
        Image.fromarray(found).save(tmp_path / f"{name}.png")
        pytest.fail(f"grey values are off by {mean:.1f}, at worst {worst:.0f}: {tmp_path / name}.png; {AGAIN}")


def test_type_that_is_set_a_little_otherwise_is_no_difference(tables):
    """As much as another version of the font engine moves: other hinting, and glyphs a hundredth wider."""
    structure, grey = kept("ecdf")
    figure = baseline.drawn("ecdf", tables)
    for text in figure.findobj(matplotlib.text.Text):
        text.set_fontsize(1.01 * text.get_fontsize())
    with matplotlib.rc_context({"text.hinting": "force_autohint"}):
        found = baseline.picture(figure)
    assert baseline.difference(baseline.structure(figure), structure) == []
    mean, worst = baseline.off(found, grey)
    assert mean <= baseline.MEAN
    assert worst <= baseline.WORST


def shift(axes):
    line = next(line for line in axes.get_lines() if str(line.get_gid()).startswith("curve"))
    line.set_ydata(np.asarray(line.get_ydata()) * 0.999)


@pytest.mark.parametrize(
    ("mistake", "where"),
    [
        (shift, "lines"),
        (lambda axes: axes.get_lines()[0].set_color("#123456"), "lines"),
        (lambda axes: axes.get_lines()[0].remove(), "lines"),
        (lambda axes: axes.set_xlabel(""), "x.label"),
        (lambda axes: axes.set_ylim(0, 1.1), "y.limits"),
        (lambda axes: axes.set_title("another", loc="left"), "title"),
        (lambda axes: axes.texts[0].set_text("another"), "texts"),
    ],
)
def test_a_mistake_is_a_difference(tables, mistake, where):
    figure = baseline.drawn("ecdf", tables)
    mistake(figure.axes[0])
    figure.draw_without_rendering()
    assert any(where in line for line in baseline.difference(baseline.structure(figure), kept("ecdf")[0]))


def test_a_bar_that_is_hidden_is_a_difference(tables):
    figure = baseline.drawn("auc_bars", tables)
    figure.axes[0].patches[0].set_visible(False)
    figure.draw_without_rendering()
    assert any("patches" in line for line in baseline.difference(baseline.structure(figure), kept("auc_bars")[0]))


def test_what_covers_a_curve_is_a_difference_of_the_picture(tables):
    figure = baseline.drawn("ecdf", tables)
    figure.axes[0].axvspan(10, 30, color="white", zorder=99)
    _, worst = baseline.off(baseline.picture(figure), kept("ecdf")[1])
    assert worst > baseline.WORST
