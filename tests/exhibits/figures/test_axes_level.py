"""Every kind of figure that fits one set of axes is drawn into those of the caller, by the function that the workflow calls."""

import inspect

import matplotlib
import pandas as pd
import pytest
import seaborn
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

import benchmill as bm
from benchmill.core import UserError
from benchmill.exhibits.figures import KINDS, draw, selected
from benchmill.text import frames
from tests.exhibits.figures import studies
from tests.page import synthetic

KINDS_OF_PANELS = [name for name, kind in KINDS.items() if kind.drawn]
#: Their colours are not those of algorithms.
NO_PALETTE = ("scatter", "outcomes")
#: Panels of these are told apart by what the synthetic study has only one of, or of which one has no target.
ONE_PANEL = ("scatter", "effects")


@pytest.fixture(scope="module")
def tables():
    return studies.tables(n_problems=3)


@pytest.fixture(autouse=True)
def _closed():
    with matplotlib.rc_context():
        matplotlib.use("agg")
        yield
    pyplot.close("all")


def rows_of(kind, tables):
    """The rows of all panels of one measure and variant, and what else `plot` takes."""
    settings = studies.SETTINGS[kind]
    every = {name: frames.frame(table) for name, table in tables.items() if hasattr(table, "schema")}
    data = every[KINDS[kind].drawn]
    if "aggregation" in settings:
        data = data[data["aggregation"] == settings["aggregation"]]
    if "variant" in data:
        data = data[data["variant"] == data["variant"].iloc[0]]
    return data, selected(kind, tables, settings).keywords


def panel_of(kind, tables):
    """The rows of one panel, and what else `plot` takes."""
    data, beside = rows_of(kind, tables)
    keys = KINDS[kind].panel
    return (frames.groups(data, keys)[-1][1] if keys else data), beside


def drawn(axes):
    """Artists with data, as text."""
    lines = [(line.get_gid(), line.get_xydata().tolist()) for line in axes.lines if line.get_gid()]
    bars = [(bar.get_gid(), bar.get_bbox().bounds) for bar in axes.patches if isinstance(bar, Rectangle)]
    return lines, bars, [text.get_text() for text in axes.texts], len(axes.collections)


def test_the_namespace_is_that_of_the_registry():
    assert sorted(bm.plot.__all__) == sorted(KINDS_OF_PANELS)
    assert [name for name in KINDS if name not in KINDS_OF_PANELS] == ["profiles", "specification_curve"]
    for kind in KINDS_OF_PANELS:
        assert getattr(bm.plot, kind) is KINDS[kind].load().plot
        assert KINDS[kind].drawn in {table.split("/")[0] for table in KINDS[kind].tables}


@pytest.mark.parametrize("kind", KINDS_OF_PANELS)
def test_every_keyword_is_documented_where_an_editor_shows_it(kind):
    function = getattr(bm.plot, kind)
    documented = [line for line in inspect.getdoc(function).split("\n") if " : " in line or line.startswith("**")]
    names = {name.strip("* ") for line in documented for name in line.partition(" : ")[0].split(",")}
    assert set(inspect.signature(function).parameters) <= names
    assert "Returns\n-------\nmatplotlib.axes.Axes" in inspect.getdoc(function)


@pytest.mark.parametrize("kind", KINDS_OF_PANELS)
def test_a_panel_is_drawn_into_the_axes_of_the_caller(kind, tables):
    rows, beside = panel_of(kind, tables)
    seaborn.set_theme(style="dark", rc={"font.size": 17, "xtick.labelsize": 17})
    before = dict(matplotlib.rcParams)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4))
    copy = rows.copy()
    assert getattr(bm.plot, kind)(rows, ax=left, **beside) is left
    assert dict(matplotlib.rcParams) == before
    pd.testing.assert_frame_equal(rows, copy)
    assert left.get_facecolor() == matplotlib.colors.to_rgba("#EAEAF2")
    assert not right.has_data()
    assert not right.texts
    assert figure.get_size_inches().tolist() == [9, 4]
    # titles are the caller's, and so is the legend
    assert not any(left.get_title(loc=place) for place in ("left", "center", "right"))
    assert left.get_legend() is None
    assert sum(map(bool, drawn(left))) >= 1
    # without axes the current ones, as in pyplot
    pyplot.sca(right)
    assert getattr(bm.plot, kind)(rows, **beside) is right
    assert left.get_xlabel() or left.get_ylabel() or left.get_xticklabels()


@pytest.mark.parametrize("kind", KINDS_OF_PANELS)
def test_figures_of_the_workflow_are_drawn_by_the_same_function(kind, tables, monkeypatch):
    module = KINDS[kind].load()
    plot, called = module.plot, []

    def spy(data, **options):
        axes = plot(data, **options)
        called.append(axes)
        return axes

    monkeypatch.setattr(module, "plot", spy)
    figure, _ = draw(kind, tables, studies.SETTINGS[kind])
    shown = [axes for axes in figure.axes if axes.axison and (axes.lines or axes.patches or axes.collections)]
    assert {id(axes) for axes in shown} - {id(axes) for axes in called} <= {id(axes) for axes in figure.axes if is_beside(axes)}
    assert called


def is_beside(axes):
    """Colour bars, and the axes with the names on the right."""
    return axes.get_label() == "<colorbar>" or not (axes.lines or axes.texts or axes.patches)


@pytest.mark.parametrize("kind", [kind for kind in KINDS_OF_PANELS if kind not in NO_PALETTE])
def test_a_palette_is_what_seaborn_takes(kind, tables):
    rows, beside = panel_of(kind, tables)
    names = sorted(rows["algorithm"].unique()) if "algorithm" in rows else sorted(synthetic.ALGORITHMS)
    given = {name: to_hex((0.1, i / len(names), 0.9)) for i, name in enumerate(names)}
    wanted = {to_hex(colour) for colour in given.values()}
    for palette in (given, list(given.values())):
        axes = getattr(bm.plot, kind)(rows, ax=pyplot.figure().add_subplot(), palette=palette, **beside)
        patches = {to_hex(patch.get_facecolor()) for patch in axes.patches}
        found = {to_hex(colour) for line in axes.lines for colour in (line.get_color(), line.get_markeredgecolor())} | patches
        found |= {to_hex(colour) for part in axes.collections for colour in part.get_facecolor()}
        assert wanted & found, kind
    assert getattr(bm.plot, kind)(rows, ax=pyplot.figure().add_subplot(), palette="husl", **beside)
    with pytest.raises(UserError, match="palette: there is no colour for"):
        getattr(bm.plot, kind)(rows, ax=pyplot.figure().add_subplot(), palette={"nobody": "red"}, **beside)


@pytest.mark.parametrize("kind", KINDS_OF_PANELS)
def test_a_grid_of_seaborn_has_the_same_panels(kind, tables):
    data, beside = rows_of(kind, tables)
    if kind in ONE_PANEL:
        facets = [None]
        grid = seaborn.FacetGrid(data)
    else:
        # of what tells panels apart, the last key with several values makes the columns; of the others one value is kept
        varied = [key for key in KINDS[kind].panel if data[key].nunique() > 1]
        for key in varied[:-1]:
            data = data[data[key] == data[key].iloc[0]]
        column = varied[-1] if varied else None
        facets = [group[column] for group in frames.keys_of(data, [column])] if varied else [None]
        grid = seaborn.FacetGrid(data, col=column)
    grid.map_dataframe(getattr(bm.plot, kind), **beside)
    assert len(grid.axes.flat) == len(facets)
    for axes in grid.axes.flat:
        assert sum(map(bool, drawn(axes))) >= 1


def test_what_needs_all_algorithms_says_so_to_a_grid_with_a_hue(tables):
    rows, beside = panel_of("auc_bars", tables)
    with pytest.raises(UserError, match="leave hue out of the grid"):
        seaborn.FacetGrid(rows, hue="algorithm").map_dataframe(bm.plot.auc_bars, **beside)
    with pytest.raises(UserError, match="there is no keyword 'colours'"):
        bm.plot.auc_bars(rows, colours="red")


@pytest.mark.parametrize("kind", KINDS_OF_PANELS)
def test_without_a_row_there_is_nothing_to_draw(kind, tables):
    rows, beside = panel_of(kind, tables)
    with pytest.raises(UserError, match="no row"):
        getattr(bm.plot, kind)(rows.iloc[:0], **beside)
