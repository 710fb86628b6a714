"""What the figures share: which algorithms stand out."""

import pytest

from benchmill.core.errors import UserError
from benchmill.figures import panels, style
from benchmill.text.appearance import appearance

NAMES = [f"a{i}" for i in range(20)]
LOOKS = appearance(NAMES)


@pytest.mark.parametrize(
    ("n", "highlight", "expected"),
    [(16, None, 16), (17, None, 10), (20, 3, 3), (4, 9, 4), (20, ["a19", "a2"], 2), (20, ["a19", "a2", "a1"], 3)],
)
def test_some_algorithms_stand_out_and_keep_their_look(n, highlight, expected):
    order = NAMES[::-1][:n]
    chosen = panels.highlighted(LOOKS, order, {"highlight": highlight})
    bright = [name for name, look in chosen.items() if not look.faded]
    assert list(chosen) == order
    assert len(bright) == len(
        [name for name in (highlight if isinstance(highlight, list) else order[:expected]) if name in order]
    )
    assert all(chosen[name] == LOOKS[name] for name in bright)
    if not isinstance(highlight, list):
        assert bright == order[:expected]
    words = panels.highlight_words(chosen, {"highlight": highlight})
    assert (words == "") == (len(bright) == n)


def test_a_name_that_is_of_no_algorithm_is_a_clear_error():
    with pytest.raises(UserError, match=r"appearance\.highlight: found 'b', expected algorithms of the study \(a0, a1"):
        panels.highlighted(LOOKS, NAMES, {"highlight": ["b"]})


def test_type_is_that_of_the_paper_only_where_it_is_asked_for():
    for paper in style.PRESETS:
        bundled = style.fonts({"width": paper})
        found = style.fonts({"width": paper, "font": "paper"})
        assert bundled == ["STIXGeneral", "DejaVu Sans"]
        assert found[-2:] == bundled
        assert set(found[:-2]) <= set(style.PAPER_FONTS[paper])
