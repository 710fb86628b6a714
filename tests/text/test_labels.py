"""Names from strangers come out as labels and nothing else."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import natural_key, shown
from benchmill.text import labels

HOSTILE = [
    r"\input{/etc/passwd}",
    "a_b%c&d#e",
    "$x^2$",
    "<img src=x onerror=alert(1)>",
    "‮olleh",
    "x" * 200,
    "😀 solver",
    "",
    "..",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_tex_leaves_no_active_character(name):
    written = labels.tex(name)
    without_escapes = re.sub(r"\\[a-z]+\{\}|\\[{}$&#%_]|\{-\}", "", written)
    assert not re.search(r"[\\{}$&#%_^~<>|\"`]", without_escapes)


def test_tex_keeps_what_pdflatex_can_print():
    assert labels.tex("CMA-ES (λ=4) naïve") == "CMA{-}ES ([U+03BB]=4) naïve"


@pytest.mark.parametrize("name", HOSTILE)
def test_html_leaves_no_markup(name):
    assert not re.search(r"[<>\"']", labels.html(name))


def test_direction_marks_are_dropped():
    assert shown("a‮b​c\x00d") == "abcd"


@given(st.text(st.one_of(st.characters(), st.sampled_from(" \t\n\x1c\x85\xa0\u200b\u2028\u202f\xad")), max_size=12))
def test_what_is_shown_is_visible_and_keeps_the_rest(text):
    blanks = re.sub(r"\s+", " ", text)
    assert shown(text) == "".join(c for c in blanks if unicodedata.category(c)[0] != "C").strip()


@given(st.text(max_size=300))
def test_file_name_is_safe(text):
    name = labels.file_name(text)
    assert re.fullmatch(r"[A-Za-z0-9_+][A-Za-z0-9._+-]*", name)
    assert len(name) <= 100


@given(st.text(max_size=40), st.text(max_size=40))
def test_file_names_of_different_texts_differ(one, other):
    assert (labels.file_name(one) == labels.file_name(other)) == (one == other)


@pytest.mark.parametrize("name", ["CMA-ES", "R-SHADE-10e2_Tanabe", "a.b+c"])
def test_file_name_keeps_a_safe_name(name):
    assert labels.file_name(name) == name


def test_natural_order():
    names = ["f10", "f2", "F1", None, "10", "9", "f2b"]
    assert sorted(names, key=natural_key) == [None, "9", "10", "F1", "f2", "f2b", "f10"]


def test_tex_keeps_accents():
    assert labels.tex("Demšar, Tušar, Řehoř, Erdős") == r"Dem\v{s}ar, Tu\v{s}ar, \v{R}eho\v{r}, Erd\H{o}s"
    assert labels.tex("ệ") == "e"  # two marks on one letter


@pytest.mark.parametrize(
    ("name", "written"),
    [("HiGHS ½ s", "HiGHS 1/2 s"), ("x⁻²", "x{-}2"), ("‰", "[U+2030]"), ("㎡ ㏀", "m2 [U+33C0]"), ("ﬁt", "fit")],
)
def test_no_part_of_a_character_is_dropped(name, written):
    """A solver called ½ is not one called 12."""
    assert labels.tex(name) == written
