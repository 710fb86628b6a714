"""Algorithms must be told apart in colour, in grey, and in every figure of a study alike."""

import itertools
import random

from benchmill.text.appearance import COLOURS, FADED, appearance, faded, family, lightness
from tests.report.synthetic import ALGORITHMS, HOSTILE


def test_depends_on_the_set_of_names_only():
    names = [f"solver {i}" for i in range(12)]
    mixed = [*names, *names[:3]]
    random.Random(3).shuffle(mixed)
    assert appearance(mixed) == appearance(names)
    assert list(appearance(mixed)) == names  # 2 before 10


def test_forty_different_pairs_of_colour_and_line_and_more_with_markers():
    looks = list(appearance(f"a{i}" for i in range(520)).values())
    assert len({(look.colour, look.dashes) for look in looks[:40]}) == 40
    assert len({(look.colour, look.dashes, look.marker) for look in looks}) == 520


def test_eight_algorithms_are_told_apart_in_grey():
    looks = list(appearance(ALGORITHMS).values())
    assert len({look.marker for look in looks}) == 8
    for a, b in itertools.combinations(looks, 2):
        apart = abs(lightness(a.colour) - lightness(b.colour))
        assert a.dashes != b.dashes or apart >= 12, (a, b)


def test_a_family_is_all_studies_that_share_algorithms_however_far():
    studies = {"a": ["x", "y"], "b": ["y", "z"], "c": ["z"], "d": ["w"], "e": []}
    assert family(studies, "a") == family(studies, "c") == ["x", "y", "z"]
    assert family(studies, "d") == ["w"]
    assert family(studies, "e") == []
    looks = appearance(family(studies, "c"))
    assert looks["z"] == appearance(family(studies, "a"))["z"]


def test_what_stands_back_is_grey_and_lighter_than_any_algorithm():
    look = faded(appearance(["a"])["a"])
    assert (look.faded, look.dashes, look.label) == (True, (), "a")
    assert lightness(FADED) > max(lightness(colour) for colour in COLOURS)


def test_all_colours_show_on_white_paper():
    assert lightness("#ffffff") == 100
    assert lightness("#000000") == 0
    assert abs(lightness("#777777") - 50) < 0.5  # CIE L* of mid grey
    assert all(lightness(colour) <= 72 for colour in COLOURS)


def test_labels_are_short_and_different():
    labels = [look.label for look in appearance(HOSTILE).values()]
    assert len(set(labels)) == len(HOSTILE)
    assert max(map(len, labels)) <= 32
