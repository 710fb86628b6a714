"""Who comes first, in a sentence that names its criterion and those that disagree."""

from __future__ import annotations

from benchmill.profiles.leaders import leaders
from benchmill.text.leaders import first, headline, sentence
from tests.profiles.test_leaders import COSTS, table


def rows(costs, **options):
    return leaders({"m": table(costs)}, **options).to_pylist()


def test_the_sentence_names_the_criterion_and_those_that_disagree():
    text = sentence(rows(COSTS), {"b": "Bee"})
    assert text.startswith("By the area under the profile over log τ, Bee comes first with 4.09 (95 % interval ")
    assert ", before a with 3.45 (" in text
    assert "; but the criteria disagree: a comes first by the value of the profile at τ = 1 and the mean rank" in text


def test_where_all_agree_that_is_said():
    text = sentence(rows({"a": [1.0, 1.0, 1.0], "b": [2.0, 3.0, 4.0]}))
    assert text.endswith("; no criterion puts another algorithm first.")


def test_ties_are_named_together():
    text = sentence(rows({"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [4.0, 4.0]}))
    assert "a and b come first with " in text
    same = rows({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    assert sentence(same) == "By the area under the profile over log τ, no algorithm is ahead of another."
    assert first(same) == ["a", "b"]


def test_the_headline_is_what_the_study_names():
    found = rows(COSTS, criterion="rho_1")
    assert (headline(found), first(found), first(found, "auc_log")) == ("rho_1", ["a"], ["b"])
    assert sentence(found).startswith("By the value of the profile at τ = 1, a comes first with 0.750 (95 % interval ")
