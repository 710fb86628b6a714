"""Who comes first, in a sentence that has the verdict on it, its criterion and those that disagree."""

from __future__ import annotations

import pytest

from benchmill.core import schema
from benchmill.profiles.standings import leaders
from benchmill.text.leaders import caution, first, headline, of_table
from tests.profiles.test_leaders import COSTS, table


def rows(costs, **options):
    return leaders({"m": table(costs)}, **options).to_pylist()


@pytest.mark.parametrize(
    ("better", "said"),
    [
        ([], "no algorithm is shown to be better than another"),
        ([("b", "c")], "a and b can be the best"),
        ([("a", "b"), ("a", "c")], "a can be the best"),
        ([("a", "b"), ("b", "c"), ("c", "a")], "none can be the best"),
    ],
)
def test_the_primary_analysis_says_who_can_be_the_best(better, said):
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    effects = {pair: 1.0 for pair in better} | {pair[::-1]: -1.0 for pair in better}
    table = schema.of_rows("verdicts", [statement(a, b, effects.get((a, b), 0.25), (a, b) in effects) for a, b in pairs])
    assert of_table(table, "m") == f"{'and' if better else 'but'} {said}"
    assert caution(table) == f"By the primary analysis (measure m) {said}."


def statement(a, b, effect, significant, analysis="primary"):
    row = dict.fromkeys(schema.TABLES["verdicts"].names)
    words = {"family": "all pairs", "population": "problems like these", "criterion": "wins", "method": "net_wins", "text": ""}
    numbers = {"family_size": 3, "alpha": 0.05, "n_clusters": 9, "n_cells": 9}
    return row | words | numbers | {"analysis": analysis, "measure": "m", "algorithm_a": a, "algorithm_b": b} | {
        "effect": effect, "significant": significant
    }  # fmt: skip


@pytest.mark.parametrize(
    ("significant", "said"),
    [
        ([], "and nothing is claimed"),
        ([False, False], "but no algorithm is shown to be better than another"),
        ([True, False], "and 1 of 2 secondary statements about pairs is shown"),
    ],
)
def test_of_a_secondary_measure_the_secondary_statements_are_counted(significant, said):
    table = schema.of_rows("verdicts", [statement("a", "b", 0.9, shown, "secondary") for shown in significant])
    assert (of_table(table, "m"), caution(None)) == (said, "")


def test_pairs_with_a_control_are_named():
    with_control = schema.of_rows("verdicts", [statement("a", "b", 0.9, True), statement("a", "c", 0.1, False)])
    assert caution(with_control) == "By the primary analysis (measure m) a is shown to be better than b."


def test_ties_are_named_together():
    assert first(rows({"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [4.0, 4.0]})) == ["a", "b"]
    same = rows({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    assert first(same) == ["a", "b"]


def test_the_headline_is_what_the_study_names():
    found = rows(COSTS, criterion="rho_1")
    assert (headline(found), first(found), first(found, "auc_log")) == ("rho_1", ["a"], ["b"])
