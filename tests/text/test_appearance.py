"""Algorithms must be told apart in colour, in grey, and in every figure of a study alike."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.text.appearance import COLOURS, FADED, Appearance, appearance, faded, places
from tests.page.synthetic import ALGORITHMS, HOSTILE


def lightness(colour: str) -> float:
    """CIE L* (0 black to 100 white) of an sRGB colour `#rrggbb`: what is left of it in a grey print."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > (6 / 29) ** 3 else y * (29 / 3) ** 3


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


def test_an_algorithm_has_one_place_in_all_studies_and_places_are_used_anew_where_nothing_is_shared():
    studies = {"a": ["x", "y"], "b": ["y", "z"], "c": ["z"], "d": ["w"], "e": []}
    assert places(studies, {}) == {
        "a": {"x": 0, "y": 1},
        "b": {"y": 1, "z": 0},
        "c": {"z": 0},
        "d": {"w": 0},
    }


def test_whoever_comes_or_goes_changes_no_other_look():
    first = places({"s": ["b", "c", "d"]}, {})
    assert first == {"s": {"b": 0, "c": 1, "d": 2}}
    dropped = places({"s": ["b", "d"]}, first)
    assert dropped == first  # what was there once keeps its place for when it comes back
    added = places({"s": ["a", "b", "d"]}, dropped)
    assert added == {"s": {"b": 0, "c": 1, "d": 2, "a": 3}}
    for names in (["b", "d"], ["a", "b", "c", "d"]):
        looks = appearance(names, added["s"])
        assert {name: looks[name].colour for name in names} == {name: COLOURS[added["s"][name]] for name in names}


def test_a_place_of_another_study_is_taken_where_it_is_free():
    record = {"old": {"x": 4, "y": 5}}
    assert places({"new": ["x", "z"], "old": ["x", "y"]}, record)["new"] == {"x": 4, "z": 0}
    assert places({"new": ["x", "z"], "old": ["x", "y"]}, {**record, "new": {"z": 4}})["new"] == {"z": 4, "x": 0}


_STUDIES = st.dictionaries(st.sampled_from("stuv"), st.lists(st.sampled_from("abcdefgh"), unique=True), min_size=1)


@given(_STUDIES, _STUDIES)
def test_the_record_only_grows_and_no_two_algorithms_of_a_study_share_a_place(before, after):
    record = places(before, {})
    grown = places(after, record)
    assert places(after, grown) == grown
    for study, own in record.items():
        assert own.items() <= grown[study].items()
    for study, names in after.items():
        assert set(names) <= set(grown.get(study, {}))
        assert len(set(grown.get(study, {}).values())) == len(grown.get(study, {}))


def test_what_a_person_chooses_changes_nobody_else():
    names = ["Ours", "b", "c"]
    asked = Appearance(colours={"Ours": "wine"}, styles={"b": "dotted"}, markers={"b": "*"}, labels={"c": "C (2020)"})
    usual, looks = appearance(names), appearance(names, None, asked)
    assert looks["Ours"].colour == "#882255"
    assert (looks["b"].dashes, looks["b"].marker, looks["b"].colour) == ((1.2, 1.4), "*", usual["b"].colour)
    assert looks["c"].label == "C (2020)"
    assert (looks["c"].colour, looks["c"].dashes) == (usual["c"].colour, usual["c"].dashes)
    assert appearance(["Ours"], {"gone": 0, "Ours": 3}, Appearance(colours={"gone": "blue"}))["Ours"].colour == COLOURS[3]


def test_a_choice_for_an_algorithm_that_there_is_not_is_an_error():
    with pytest.raises(UserError, match=r"appearance\.colours: found 'Our', expected algorithms of the study \(b or Ours\)"):
        appearance(["Ours", "b"], None, Appearance(colours={"Our": "blue"}))
    with pytest.raises(UserError, match=r"appearance\.labels: b and Ours are both called 'b'"):
        appearance(["Ours", "b"], None, Appearance(labels={"Ours": "b"}))


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
