"""Who comes first, in a sentence that has the verdict on it, its criterion and those that disagree."""

from __future__ import annotations

import pytest

from benchmill.core import schema
from benchmill.profiles.leaders import leaders
from benchmill.text.leaders import caution, first, headline, of_table, verdict
from tests.profiles.test_leaders import COSTS, table


def rows(costs, **options):
    return leaders({"m": table(costs)}, **options).to_pylist()


@pytest.mark.parametrize(
    ("better", "able", "said"),
    [
        ([], "abc", "but no algorithm is shown to be better than another"),
        ([("b", "c")], "ab", "but it is not shown to be better than any other; a and b can be the best"),
        ([("a", "b")], "ac", "and it is shown to be better than b, one of the 2 others; a and c can be the best"),
        ([("a", "b"), ("a", "c")], "a", "and it is shown to be better than each of the others"),
        ([("c", "a")], "bc", "but c is shown to be better than it; b and c can be the best"),
    ],
)
def test_the_verdict_on_the_one_that_comes_first(better, able, said):
    assert verdict(["a"], 2, better, list(able)) == said
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    shown = {pair: 1.0 for pair in better} | {pair[::-1]: -1.0 for pair in better}
    table = schema.of_rows("verdicts", [statement(a, b, shown.get((a, b), 0.25), (a, b) in shown) for a, b in pairs])
    assert of_table(["a"], table, "m") == said
    assert caution(table) == (
        "By the primary analysis (measure m) no algorithm is shown to be better than another."
        if not better
        else f"By the primary analysis (measure m) {' and '.join(able)} can be the best."
    )


def statement(a, b, effect, significant, analysis="primary"):
    row = dict.fromkeys(schema.TABLES["verdicts"].names)
    words = {"family": "all pairs", "population": "problems like these", "criterion": "wins", "method": "net_wins", "text": ""}
    numbers = {"family_size": 3, "alpha": 0.05, "n_clusters": 9, "n_cells": 9}
    return row | words | numbers | {"analysis": analysis, "measure": "m", "algorithm_a": a, "algorithm_b": b} | {
        "effect": effect, "significant": significant
    }  # fmt: skip


def test_of_a_secondary_measure_the_comparisons_with_it_are_counted():
    found = [("a", "b", 0.9, True), ("a", "c", 0.1, False), ("b", "c", 0.2, False), ("a", "b", 0.1, False), ("c", "a", 0.8, True)]
    table = schema.of_rows("verdicts", [statement(*one, "secondary") for one in found])
    assert of_table(["a"], table, "m") == "and the secondary analysis shows it better in 1 and worse in 1 of 4 comparisons"
    assert (caution(table), caution(None)) == ("", "")
    assert of_table(["a"], None, "m") == "and nothing is tested, so nothing is claimed"


def test_ties_are_named_together():
    assert first(rows({"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [4.0, 4.0]})) == ["a", "b"]
    same = rows({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    assert first(same) == ["a", "b"]


def test_the_headline_is_what_the_study_names():
    found = rows(COSTS, criterion="rho_1")
    assert (headline(found), first(found), first(found, "auc_log")) == ("rho_1", ["a"], ["b"])
