"""Profiles and ECDFs as axes-level functions: what seaborn's grids, palettes and rcParams do with them."""

import numpy as np
import pandas as pd
import pytest
import seaborn
from matplotlib.figure import Figure

from benchmill.core import UserError
from benchmill.exhibits.figures import curves
from benchmill.text.appearance import appearance

PROFILE = pd.DataFrame(
    [
        (dimension, name, tau, rho)
        for dimension, end in ((2, 4.0), (10, 64.0))
        for name, high in (("a2", 0.5), ("a10", 1.0))
        for tau, rho in ((1.0, high / 4), (2.0, high / 2), (end, high))
    ],
    columns=["dimension", "solver", "tau", "rho"],
)
ECDF = PROFILE.rename(columns={"tau": "x", "rho": "fraction"})


def lines(axes):
    return {line.get_label(): line for line in axes.get_lines() if str(line.get_gid()).startswith("curve")}


def axes_of():
    return Figure().add_subplot()


@pytest.fixture
def pyplot():
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize(
    ("function", "data", "x", "y"),
    [(curves.profile_plot, PROFILE, "tau", "rho"), (curves.ecdf_plot, ECDF, "x", "fraction")],
)
class TestBoth:
    def test_a_facet_grid_has_the_steps_of_each_panel(self, function, data, x, y, pyplot):
        grid = seaborn.FacetGrid(data, col="dimension", sharex=False)
        grid.map_dataframe(function, x=x, y=y, hue="solver", palette="colorblind")
        for dimension, axes in grid.axes_dict.items():
            drawn = lines(axes)
            assert list(drawn) == ["a2", "a10"]
            for name, line in drawn.items():
                mine = data[(data["dimension"] == dimension) & (data["solver"] == name)]
                at = np.searchsorted(line.get_xdata(), mine[x])
                np.testing.assert_array_equal(line.get_xdata()[at], mine[x])
                np.testing.assert_array_equal(line.get_ydata()[at], mine[y])
                assert line.get_drawstyle() == "steps-post"
            assert [line.get_color() for line in drawn.values()] == [
                c.lower() for c in seaborn.color_palette("colorblind", 2).as_hex()
            ]

    def test_a_grid_with_a_hue_gives_the_colours(self, function, data, x, y, pyplot):
        grid = seaborn.FacetGrid(data, col="dimension", hue="solver", sharex=False, palette={"a2": "#112233", "a10": "#445566"})
        grid.map_dataframe(function, x=x, y=y, hue="solver")
        for axes in grid.axes.flat:
            assert {name: line.get_color() for name, line in lines(axes).items()} == {"a2": "#112233", "a10": "#445566"}

    def test_looks_are_those_of_all_figures_unless_told(self, function, data, x, y):
        one = data[data["dimension"] == 2]
        axes = axes_of()
        assert function(one, x=x, y=y, hue="solver", ax=axes) is axes
        known = appearance(["a2", "a10"])
        assert {name: line.get_color() for name, line in lines(axes).items()} == {n: look.colour for n, look in known.items()}
        named = function(one, x=x, y=y, hue="solver", palette={"a2": "red", "a10": "blue"}, ax=axes_of())
        assert {name: line.get_color() for name, line in lines(named).items()} == {"a2": "#ff0000", "a10": "#0000ff"}

    def test_lines_and_marks_are_as_wide_as_the_context_says(self, function, data, x, y):
        found = []
        for context in ("paper", "poster"):
            with seaborn.plotting_context(context):
                axes = function(data[data["dimension"] == 2], x=x, y=y, hue="solver", ax=axes_of())
            marks = [line for line in axes.get_lines() if line.get_linestyle() == "None"]
            found.append((lines(axes)["a2"].get_linewidth(), marks[0].get_markersize()))
        ratios = np.divide(*found[::-1])
        paper, poster = (seaborn.plotting_context(context) for context in ("paper", "poster"))
        assert ratios == pytest.approx([poster[key] / paper[key] for key in ("lines.linewidth", "lines.markersize")])

    def test_nothing_and_a_misspelt_keyword_are_errors(self, function, data, x, y):
        with pytest.raises(UserError, match="no row"):
            function(data.iloc[:0], x=x, y=y, hue="solver", ax=axes_of())
        with pytest.raises(UserError, match="colour"):
            function(data, x=x, y=y, hue="solver", colour="red", ax=axes_of())


def test_a_band_is_drawn_where_the_columns_have_one():
    data = PROFILE[PROFILE["dimension"] == 2]
    banded = data.assign(rho_low=data["rho"] - 0.1, rho_high=np.where(data["solver"] == "a2", data["rho"] + 0.1, np.nan))
    banded["rho_low"] = banded["rho_low"].where(banded["solver"] == "a2")
    assert len(curves.profile_plot(banded, hue="solver", ax=axes_of()).collections) == 1
    assert not curves.profile_plot(data, hue="solver", ax=axes_of()).collections


def test_other_columns_and_kinds_of_axis():
    data = PROFILE[PROFILE["dimension"] == 10].rename(columns={"tau": "factor", "rho": "share", "solver": "model"})
    names = {"x": "factor", "y": "share", "hue": "model"}
    assert curves.profile_plot(data, **names, ax=axes_of()).get_xscale() == "log"
    assert curves.profile_plot(data, **names, scale="linear", ax=axes_of()).get_xscale() == "linear"
    assert curves.profile_plot(data, **names, scale="broken", ax=axes_of()).get_xscale() == "function"


@pytest.mark.parametrize(
    ("function", "data", "share"),
    [
        (curves.profile_plot, PROFILE, "share solved ρ(τ)"),
        (curves.ecdf_plot, ECDF, "share of (problem, target) pairs"),
        (curves.value_ecdf_plot, ECDF, "share of (problem, budget) pairs"),
    ],
)
def test_axes_say_what_the_share_is_of_and_in_what_unit(function, data, share):
    """As the definitions have it: a profile counts problems, an ECDF pairs of a problem and a target, or a budget."""
    axes = function(data[data["dimension"] == 2], hue="solver", unit="seconds", ax=axes_of())
    assert (axes.get_xlabel().partition(" (")[0], axes.get_ylabel()) == ("seconds", share)
