"""What the figures share: which algorithms stand out."""

from collections import Counter

import pytest

from benchmill.core.errors import UserError
from benchmill.figures import panels, style
from benchmill.text import widths
from benchmill.text.appearance import appearance

NAMES = [f"a{i}" for i in range(20)]
LOOKS = appearance(NAMES)


@pytest.mark.parametrize(
    ("n", "settings", "stands"),
    [
        (16, {}, {"plain": 16}),
        (17, {}, {"plain": 10, "faded": 7}),
        (17, {"others": "named"}, {"plain": 17}),
        (20, {"highlight": 3}, {"front": 3, "faded": 17}),
        (8, {"highlight": 3}, {"front": 3, "back": 5}),
        (8, {"highlight": ["a1"], "others": "grey"}, {"front": 1, "faded": 7}),
        (20, {"highlight": ["a19", "a2", "a1"], "others": "named"}, {"front": 3, "back": 17}),
        (8, {"others": "grey"}, {"plain": 8}),
    ],
)
def test_some_algorithms_stand_out_and_the_others_keep_their_names_unless_told(n, settings, stands):
    order = NAMES[:n][::-1] if n < 20 else NAMES
    chosen = panels.highlighted(LOOKS, order, settings)
    assert list(chosen) == order
    assert Counter(look.stands for look in chosen.values()) == stands
    for name, look in chosen.items():
        assert look.label == LOOKS[name].label
        if look.stands != "faded":
            assert (look.colour, look.marker) == (LOOKS[name].colour, LOOKS[name].marker)
        if look.stands == "front":
            assert look.dashes == ()
    if isinstance(settings.get("highlight"), int):
        assert [name for name, look in chosen.items() if look.stands == "front"] == order[: settings["highlight"]]
    assert (panels.highlight_words(chosen, settings) == "") == (set(stands) <= {"plain", "back"})


def test_mine_is_thick_solid_on_top_and_first_in_the_legend():
    looks = panels.highlighted(LOOKS, NAMES[:8], {"highlight": ["a5"]})
    with style.rc({}):
        mine, other = style.line_style(looks["a5"]), style.line_style(looks["a1"])
        figure = style.new_figure({}, wide=True, height=2)
        panels.legend_below(figure, looks, {})
    assert mine["linewidth"] > 2 * other["linewidth"]
    assert mine["zorder"] > other["zorder"]
    assert mine["linestyle"] == (0, None)
    texts = figure.legends[0].get_texts()
    assert [(text.get_text(), text.get_fontweight()) for text in texts][:2] == [("a5", "bold"), ("a0", "normal")]
    assert len(texts) == 8


def test_a_name_that_is_of_no_algorithm_is_a_clear_error():
    with pytest.raises(UserError, match=r"appearance\.highlight: found 'b', expected algorithms of the study \(a0, a1"):
        panels.highlighted(LOOKS, NAMES, {"highlight": ["b"]})


def test_type_is_that_of_the_paper_only_where_it_is_asked_for():
    for paper in widths.PRESETS:
        bundled = style.fonts({"paper": paper})
        found = style.fonts({"paper": paper, "font": "paper"})
        assert bundled == ["STIXGeneral", "DejaVu Sans"]
        assert found[-2:] == bundled
        assert set(found[:-2]) <= set(style.PAPER_FONTS[paper])
