import unicodedata

import pytest

from benchmill.core import names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CMA-ES", "\u0421MA-ES"),  # Cyrillic Es
        ("apex", "\u0430\u0440\u0435\u0445"),
        ("AOB", "\u0391\u039f\u0392"),  # Greek
        ("Ours", "Our\u200bs"),  # a blank of no width
        ("Ours", "\u2067Ours\u2069"),
        ("Ours", "O\ufe0eurs"),
        ("Ours", "Ours\u115f"),
        ("Our s", "Our\u00a0s"),
        ("Ours", "\uff2f\uff55\uff52\uff53"),  # wide
        ("Ours", "\U0001d40e\U0001d42e\U0001d42b\U0001d42c"),  # bold, as in formulas
        ("final", "\ufb01nal"),
        ("NM-2", "NM\u20132"),
        ("Müller", "Mu\u0308ller"),
        ("M\u00fcller", "\u041c\u00fcller"),
        ("\u0451", "e\u0308"),
    ],
)
def test_names_that_look_the_same(one, other):
    assert names.skeleton(one) == names.skeleton(other)
    assert names.lookalikes(["x", one, "y", other]) == [(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("CMA-ES", "CMA_ES"), ("GA1", "GAl"), ("DE", "de"), ("Müller", "Muller"), ("x²", "x2"), ("算法", "算术"), ("Жук", "Шук")],
)
def test_names_that_do_not(one, other):
    assert names.skeleton(one) != names.skeleton(other)
    assert names.lookalikes([one, other]) == []


def test_every_letter_of_the_table_is_one_of_another_script_and_its_like_is_plain():
    for letter, plain in names._ALIKE.items():
        assert not chr(letter).isascii()
        assert plain.isascii()
        assert len(plain) == 1
        kind = unicodedata.name(chr(letter))
        if kind.startswith(("CYRILLIC CAPITAL", "GREEK CAPITAL")):
            assert plain.isupper() or plain in "3b", kind


def test_composed_names():
    assert names.normal("Mu\u0308ller") == "M\u00fcller"


def test_what_several_sources_hold():
    held = [["A", "CMA-ES", "B"], ["C"], ["B", "\u0421MA-ES", "C"]]
    assert names.held_twice(held) == [(0, 2, "B", "B"), (0, 2, "CMA-ES", "\u0421MA-ES"), (1, 2, "C", "C")]


def test_a_name_stands_for_itself_before_it_is_a_pattern():
    there = ["A*", "AB", "A[1]", "b"]
    assert names.meant("A*", there) == ["A*"]
    assert names.meant("A?", there) == ["A*", "AB"]
    assert names.meant("A[1]", there) == names.meant("A[*", there) == ["A[1]"]
    assert names.meant("c*", there) == []
