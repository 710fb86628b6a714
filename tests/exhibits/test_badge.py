"""The badge of a study: what it says to whom, whatever claims are called."""

from xml.etree import ElementTree

import pytest

from benchmill.core import schema
from benchmill.exhibits.badge import badge
from benchmill.exhibits.tables import verdict
from benchmill.page.page import _card
from benchmill.text.claims import held
from tests.page.synthetic import NOTHING

SVG = "{http://www.w3.org/2000/svg}"


def claims(*of):
    """A table: by claim whether it holds by the primary analysis and in two other conventions."""
    rows = [
        {
            **dict.fromkeys(schema.TABLES["claims"].names),
            "claim": claim,
            "stated": True,
            "kind": "best",
            "algorithm": "A",
            "measure": "ert",
            "convention": f"c{number}",
            "rule": "",
            "group": "",
            "holds": holds,
            "outcome": {True: "holds", False: "not shown", None: "undecidable"}[holds],
            "criterion": "net share of wins",
            "test": "",
            "alpha": 0.05,
            "n_clusters": 9,
            "n_cells": 9,
            "n_algorithms": 3,
            "text": f"{claim}: sentence {number}.",
        }
        for claim, outcomes in of
        for number, holds in enumerate(outcomes)
    ]
    return schema.of_rows("claims", rows)


def shown(table):
    root = ElementTree.fromstring(badge(table))
    texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    return texts, root.find(f"{SVG}title").text, root.find(f"{SVG}desc").text, [e.get("fill") for e in root.iter(f"{SVG}rect")][1]


def test_one_claim_is_named_and_several_are_counted():
    texts, title, told, _ = shown(claims(("A best", [True, True, False])))
    assert texts == ["A best", "holds, in 1 of 2 conventions"]
    assert title == "A best: holds, in 1 of 2 conventions"
    assert told == "A best: sentence 0."
    texts, _, told, _ = shown(claims(("A best", [True, True, None]), ("B best", [False, False, False])))
    # counts of several claims are not put together
    assert texts == ["claims", "1 of 2 hold"]
    assert told == "A best: sentence 0. B best: sentence 0."
    assert shown(claims())[0] == ["claims", "nothing is claimed"]


def test_the_colour_repeats_the_words():
    colours = [shown(claims(("A best", outcomes)))[-1] for outcomes in ([True, True], [True, False], [False, True])]
    assert len(set(colours)) == 3
    for colour in colours:
        linear = [
            v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
            for v in (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        ]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        # WCAG: white letters of this size
        assert 1.05 / (luminance + 0.05) >= 4.5


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script> best", 'a"onload="x best', "]]> best", "A\u202e\x07B best", "&amp; best", "解法 best"]
)
def test_names_are_shown_and_do_nothing(name):
    text = badge(claims((name, [True, True])))
    root = ElementTree.fromstring(text)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {"svg", "title", "desc", "rect", "g", "text"}
    assert root.get("role") == "img"
    assert not any(attribute.startswith("on") for element in root.iter() for attribute in element.attrib)
    assert "\u202e" not in text
    assert "\x07" not in text


def test_the_same_claims_give_the_same_bytes():
    table = claims(("A best", [True, True]))
    assert badge(table) == badge(table)


def test_the_card_and_the_statistics_of_the_page_have_the_sentences_of_the_claims():
    table = claims(("A best", [True, True]), ("B best", [False, True]))
    assert verdict({"claims": table}, {"measure": {"name": "ert"}}) == ["A best: sentence 0.", "B best: sentence 0."]
    assert verdict({"claims": table}, {"measure": {"name": "other"}}) == []
    study = {
        **NOTHING,
        "held": [one.text for one in held(table)],
        "verdicts": {"ert": ["Primary.", "A best: sentence 0.", "B best: sentence 0."]},
    }
    card = _card(study, "s1")
    assert card["held"] == ["A best: sentence 0.", "B best: sentence 0."]
    assert (card["claim"][:1], card["more"]) == (["Primary."], 0)
