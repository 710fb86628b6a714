"""Drawings go into the axes of the caller, in the style that is in force."""

import matplotlib
import pandas as pd
import pytest
import seaborn
from matplotlib import pyplot
from matplotlib.colors import to_hex

import benchmill as bm

TIMES = bm.costs(
    pd.DataFrame({"problem": ["p1", "p2", "p3"], "A": [1.0, 2.0, 4.0], "B": [2.0, 2.0, 1.0], "C": [3.0, 9.0, None]}),
    wide="algorithm",
    empty="failure",
)


@pytest.fixture(autouse=True)
def _closed():
    with matplotlib.rc_context():
        matplotlib.use("agg")
        yield
    pyplot.close("all")


def colours(axes):
    """The colours of the curves, by label."""
    return {line.get_label(): to_hex(line.get_color()) for line in axes.lines if not line.get_label().startswith("_")}


def test_a_profile_is_drawn_into_the_axes_of_the_caller():
    figure, (left, right) = pyplot.subplots(1, 2)
    assert bm.profile(TIMES).plot(left) is left
    assert set(colours(left)) == {"A", "B", "C"}
    assert not right.lines
    assert left.get_xlabel() == "performance ratio τ"
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["A", "B", "C"]
    assert figure.get_size_inches().tolist() == matplotlib.rcParams["figure.figsize"]


def test_without_axes_a_figure_is_made():
    before = pyplot.get_fignums()
    axes = bm.profile(TIMES).plot(legend=False)
    assert pyplot.get_fignums() != before
    assert axes.get_legend() is None


def test_style_and_palette_of_the_caller_hold():
    seaborn.set_theme(style="dark", rc={"lines.linewidth": 3.25, "font.size": 17})
    axes = bm.profile(TIMES).plot(palette="deep")
    assert {line.get_linewidth() for line in axes.lines if line.get_label() in "ABC"} == {3.25}
    assert axes.get_facecolor() == matplotlib.colors.to_rgba("#EAEAF2")
    assert list(colours(axes).values()) == [to_hex(c) for c in seaborn.color_palette("deep", 3)]
    given = {"A": "red", "B": "#00ff00", "C": (0, 0, 1)}
    assert colours(bm.profile(TIMES).plot(palette=given)) == {"A": "#ff0000", "B": "#00ff00", "C": "#0000ff"}
    assert matplotlib.rcParams["lines.linewidth"] == 3.25


def test_figures_of_papers_leave_the_style_of_the_caller_alone():
    seaborn.set_theme(style="dark", rc={"lines.linewidth": 3.25})
    before = dict(matplotlib.rcParams)
    bm.profile(TIMES).figure(paper="acm", width="column")
    assert dict(matplotlib.rcParams) == before


def test_several_profiles_have_to_be_told_apart():
    frame = pd.DataFrame({"problem": ["p", "q"] * 2, "dimension": [2, 2, 5, 5], "A": [1, 2, 3, 4.0], "B": [2.0, 1, 1, 1]})
    both = bm.profile(bm.costs(frame, wide=["A", "B"]), by="dimension")
    with pytest.raises(
        bm.UserError, match=r"2 panels are like \{\}, expected one of \{'dimension': 2\} and \{'dimension': 5\}; say which"
    ):
        both.plot()
    assert colours(both.plot(dimension=5))
    assert len(both.figure().axes) == 2


def test_a_grid_of_seaborn():
    frames = [bm.profile(TIMES, variant).frame for variant in ("dolan_more", "nested")]
    grid = seaborn.FacetGrid(pd.concat(frames).astype({"variant": str}), col="variant")
    grid.map_dataframe(bm.plot.profile, palette={"A": "red", "B": "green", "C": "blue"})
    for axes in grid.axes.flat:
        assert colours(axes) == {"A": "#ff0000", "B": "#008000", "C": "#0000ff"}


def test_distributions_of_running_times():
    rows = [(a, "f1", d, t, 10.0 / (t * s)) for a, s in (("A", 2), ("B", 1)) for d in (2, 5) for t in (1, 4, 9)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"])
    found = bm.ecdf(bm.read(frame, evaluations="evaluations", value="value"), targets=[5, 2])
    with pytest.raises(bm.UserError, match="2 panels are like"):
        found.plot()
    _, axes = pyplot.subplots()
    assert found.plot(axes, dimension=2, palette={"A": "red", "B": "blue"}) is axes
    assert colours(axes) == {"A": "#ff0000", "B": "#0000ff"}
    assert axes.get_xlabel() == "evaluations/dimension"
    # of A, 10/2t <= 5 and 2 at t = 1 and 4; of B, 10/t at 4 and 9
    ends = found.measures.set_index(["dimension", "algorithm"])["solved"]
    assert ends.loc[(2, "A")] == ends.loc[(2, "B")] == 1.0
    assert "dimension 5" in found.to_markdown()
    assert found.figure().axes


def of_pairs():
    """Costs of three algorithms on 12 problems: A is better than B on all, C is anywhere."""
    b = [2.0 + i for i in range(12)]
    frame = pd.DataFrame({"problem": range(12), "A": [x - 1 for x in b], "B": b, "C": [1.5, 20.0] * 6})
    return bm.costs(frame, wide=["A", "B", "C"])


def test_critical_differences_are_drawn_into_the_axes_of_the_caller():
    found = bm.compare(of_pairs(), comparisons="wilcoxon", corrections="holm")
    _, axes = pyplot.subplots()
    assert found.plot(axes, palette={"A": "red", "B": "green", "C": "blue"}) is axes
    assert {text.get_text(): text.get_color() for text in axes.texts}.keys() == {"A", "B", "C"}
    assert {to_hex(line.get_color()) for line in axes.lines if line.get_gid() == "rank"} == {"#ff0000", "#008000", "#0000ff"}
    # Wilcoxon: A and B differ (p = 2/2^12, times 3), C from neither
    assert found.p_values().loc["A", "B"] == pytest.approx(3 * 2 / 2**12)
    assert found.p_values().loc["B", "A"] == found.p_values().loc["A", "B"]
    bars = [sorted(line.get_xdata()) for line in axes.lines if line.get_gid() == "group"]
    ranks = found.ranks.set_index("algorithm")["average_rank"]
    assert bars == [pytest.approx(sorted(ranks[["A", "C"]])), pytest.approx(sorted(ranks[["B", "C"]]))]
    assert found.figure("critical_differences").axes
    with pytest.raises(
        bm.UserError,
        match="there is no kind of figure 'bars'; choose from scatter, critical_differences, effects",
    ):
        found.plot(kind="bars")
    assert "<p>" in found._repr_html_()


def test_several_targets_have_to_be_told_apart():
    rows = [(a, f"f{p}", t, 10.0 / (t * s)) for a, s in (("A", 2), ("B", 1)) for p in range(6) for t in (1, 4, 9)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "evaluations", "value"])
    found = bm.compare(bm.costs(bm.read(frame, evaluations="evaluations", value="value"), targets=[5, 2]))
    with pytest.raises(bm.UserError, match=r"2 panels are like {}, expected one of {'target': 5.0} and {'target': 2.0}"):
        found.plot()
    assert found.plot(target=5)
    assert found.p_values(target=2).shape == (2, 2)


def test_problems_without_a_dimension_are_drawn_beside_those_with_one():
    rows = [(a, f"p{p}", 2 if p < 5 else 3 if p < 9 else None, 1.0 + p) for a in "AB" for p in range(12)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "cost"])

    def points(frame):
        lines = bm.costs(frame).plot().lines
        return {line.get_label(): len(line.get_xdata()) for line in lines if line.get_linestyle() == "None"}

    assert points(frame) == {"no dimension": 3, "2-D": 5, "3-D": 4}
    assert points(frame[frame["dimension"] != 3]) == {"no dimension": 3, "2-D": 5}
    # of one dimension, or none, nothing has to be told apart
    assert list(points(frame.assign(dimension=None)).values()) == [12]


def test_costs_without_targets_have_no_figure_over_targets():
    """Twenty empty panels are no figure."""
    with pytest.raises(bm.UserError, match=r"running_time: .* over the target, and the measure 'cost' has none with a target"):
        bm.ert(TIMES).figure("running_time")


def test_names_of_many_algorithms_stand_beside_what_is_drawn():
    many = pd.DataFrame({"problem": "p", **{f"A{i}": [1.0 + i] for i in range(30)}})
    axes = bm.profile(bm.costs(many, wide="algorithm")).plot()
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1


@pytest.mark.parametrize(
    ("kind", "rows", "message"),
    [
        ("profile", TIMES.frame, "plot: the rows have no column 'tau'; give those"),
        ("scatter", pd.DataFrame({"algorithm": ["A", "B"]}), "plot: the rows have no column "),
        ("effects", bm.profile(TIMES).frame, "plot: the rows have no column 'algorithm_a'"),
    ],
)
def test_rows_of_another_table_are_told_in_a_sentence(kind, rows, message):
    with pytest.raises(bm.UserError) as error:
        getattr(bm.plot, kind)(rows)
    assert message in str(error.value)


def test_a_square_of_a_point_that_is_not_there():
    with pytest.raises(bm.UserError, match="found 0 designs, expected one; say which: the only one has no name"):
        bm.compare(of_pairs(), comparisons="wilcoxon", corrections="holm").p_values(target=5)
