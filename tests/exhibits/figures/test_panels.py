"""What the figures share: which algorithms stand out."""

from collections import Counter
from dataclasses import replace

import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.lines import Line2D

from benchmill.core import UserError
from benchmill.exhibits.figures import panels, style
from benchmill.text import widths
from benchmill.text.appearance import USUAL, Appearance, appearance


def hue(colour):
    return rgb_to_hsv(to_rgb(colour))[0]


def lightness(colour):
    return max(to_rgb(colour))


NAMES = [f"a{i}" for i in range(20)]
PENS = appearance(NAMES)


@pytest.mark.parametrize(
    ("n", "settings", "stands"),
    [
        (16, {}, {"plain": 16}),
        (17, {}, {"plain": 10, "faded": 7}),
        (17, {"others": "named"}, {"plain": 17}),
        (20, {"highlight": 3}, {"front": 3, "faded": 17}),
        (8, {"highlight": 3}, {"front": 3, "back": 5}),
        (8, {"highlight": ["a1"], "others": "grey"}, {"front": 1, "faded": 7}),
        (20, {"highlight": ["*9"], "others": "named"}, {"front": 2, "back": 18}),
        (20, {"highlight": ["a19", "a2", "a1"], "others": "named"}, {"front": 3, "back": 17}),
        (8, {"others": "grey"}, {"plain": 8}),
    ],
)
def test_some_algorithms_stand_out_and_the_others_keep_their_names_unless_told(n, settings, stands):
    order = NAMES[:n][::-1] if n < 20 else NAMES
    chosen = panels.highlighted(PENS, order, Appearance(**settings))
    assert list(chosen) == order
    assert Counter(pen.stands for pen in chosen.values()) == stands
    for name, pen in chosen.items():
        assert pen.label == PENS[name].label
        if pen.stands != "faded":
            assert (pen.marker, pen.filled) == (PENS[name].marker, PENS[name].filled)
            assert (pen.colour == PENS[name].colour) == (pen.stands != "front" or pen.colour == "#000000")
        if pen.stands == "front":
            assert pen.dashes == ()
            assert hue(pen.colour) == pytest.approx(hue(PENS[name].colour), abs=0.01)
            assert lightness(pen.colour) <= 0.8 * lightness(PENS[name].colour)
    if isinstance(settings.get("highlight"), int):
        assert [name for name, pen in chosen.items() if pen.stands == "front"] == order[: settings["highlight"]]
    assert (panels.highlight_words(chosen, Appearance(**settings)) == "") == (set(stands) <= {"plain", "back"})


def test_mine_is_darker_solid_on_top_and_first_in_the_legend():
    drawn = panels.highlighted(PENS, NAMES[:8], Appearance(highlight=["a5"]))
    with style.rc(USUAL):
        mine, other = style.line_style(drawn["a5"]), style.line_style(drawn["a1"])
        figure = style.new_figure(USUAL, wide=True, height=2)
        panels.legend_below(figure, drawn, {})
    assert other["linewidth"] < mine["linewidth"] < 2 * other["linewidth"]
    assert mine["zorder"] > other["zorder"]
    assert mine["linestyle"] == (0, None)
    texts = figure.legends[0].get_texts()
    assert [(text.get_text(), text.get_fontweight()) for text in texts][:2] == [("a5", "bold"), ("a0", "normal")]
    assert len(texts) == 8


def test_one_long_name_takes_one_column_and_leaves_the_figure_as_high_as_it_was():
    few = dict(list(PENS.items())[:6])
    long = {**few, "a5": replace(few["a5"], label="a name of thirty-two characters!")}
    with style.rc(USUAL):
        assert panels.Legend(long, 3.5).height <= 2 * panels.Legend(few, 3.5).height
        figure = style.new_figure(USUAL, wide=True, height=2)
        panels.legend_below(figure, few, more=[Line2D([], [], label="median budget")])
    assert figure.legends[0]._ncols == 7


def test_a_name_that_is_of_no_algorithm_is_a_clear_error():
    with pytest.raises(UserError, match=r"appearance\.highlight: found 'b', expected algorithms of the study \(a0, a1"):
        panels.highlighted(PENS, NAMES, Appearance(highlight=["b"]))


def test_type_is_that_of_the_paper_only_where_it_is_asked_for():
    for paper in widths.PRESETS:
        bundled = style.fonts(Appearance(paper=paper))
        found = style.fonts(Appearance(paper=paper, font="paper"))
        assert bundled == ["STIXGeneral", "DejaVu Sans"]
        assert found[-2:] == bundled
        assert set(found[:-2]) <= set(widths.PRESETS[paper]["fonts"])


def test_a_leader_by_another_criterion_is_never_grey():
    order = NAMES[:20]
    for settings, words in (({}, "the best 9 and a15"), ({"highlight": 3}, "the best 3"), ({"highlight": ["a1"]}, "a1")):
        look = Appearance(**settings)
        drawn = panels.highlighted(PENS, order, look, order[15])
        assert drawn[order[15]].faded == bool(settings)
        assert panels.highlight_words(drawn, look).startswith(f"Highlighted: {words.replace('a15', order[15])}; thin and grey: ")
    assert "the best 10;" in panels.highlight_words(panels.highlighted(PENS, order, Appearance(), order[3]), Appearance())


@pytest.mark.parametrize("highlight", [None, [], ["a39"], ["a13", "a26"], [f"a{i}" for i in range(0, 40, 3)]])
@pytest.mark.parametrize("others", [None, "named"])
def test_in_grey_every_two_curves_differ_by_dash_or_marker(highlight, others):
    names = [f"a{i}" for i in range(40)]
    drawn = panels.highlighted(appearance(names), names, Appearance(highlight=highlight, others=others))
    # the grey ones are one entry of the legend
    shown = [(pen.dashes, pen.marker, pen.filled) for pen in drawn.values() if not pen.faded]
    assert len(set(shown)) == len(shown) > 0 or highlight == []
