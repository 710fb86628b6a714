"""Targets have a name of their own where a study gives them one."""

from pathlib import Path

import matplotlib
import pytest
from matplotlib import pyplot

import benchmill as bm
from benchmill.core import UserError
from benchmill.text import frames
from benchmill.text.measures import Measure

HERE = Path(__file__).parents[2]
TITLES = ("rough", "50 % & more")


@pytest.fixture(scope="module")
def runs():
    return bm.read([HERE / f"data/bbob/{name}.tar.xz" for name in ("Nelder-Mead", "CMA-ES")])


@pytest.fixture(scope="module")
def times(runs):
    return {titles: bm.costs(runs, targets=[10, 0.1], target_titles=titles) for titles in ((), TITLES)}


def test_a_title_stands_in_the_headings_of_tables_and_figures(times):
    for titles, wanted in (((), ["target 10", "target 0.1"]), (TITLES, list(TITLES))):
        profile = bm.profile(times[titles], by="target")
        assert [section.heading.partition(" (")[0] for section in profile.table.sections] == wanted
        matplotlib.use("agg")
        drawn = [axes.get_title("left").replace("\\", "") for axes in profile.figure().axes]
        assert [title for title in drawn if title] == wanted
        pyplot.close("all")
    # the numbers do not change
    assert times[()].frame.equals(times[TITLES].frame)


def test_a_title_is_that_of_its_measure_and_target():
    measures = [Measure(name="a", targets=[1, 0.1], target_titles=["x", "y"]), Measure(name="b", targets=[1])]
    assert frames.at({"measure": "a", "target": 0.1, "dimension": 5}, *measures) == "dimension 5, y"
    assert frames.at({"measure": "b", "target": 1.0}, *measures) == "target 1"
    assert frames.at({"measure": "a", "target": 2.0}, *measures) == "target 2"
    assert frames.at({"target": 2.0}) == "target 2"


def test_titles_are_as_many_as_targets(runs):
    with pytest.raises(UserError, match="target_titles has 1 titles for 2 targets; give one for each, or none"):
        bm.costs(runs, targets=[10, 0.1], target_titles=("rough",))
