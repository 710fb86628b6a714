"""Places and awards: small cases by hand."""

import numpy as np
import pandas as pd
import pytest

from benchmill.competition.standing import contribution, in_part, lead, moved, newcomer, standing
from benchmill.core import UserError


def leaders(ranks):
    """Table `leaders` of one measure, of ranks by criterion and algorithm; the first criterion is the headline."""
    rows = [
        {"measure": "m", "criterion": criterion, "headline": not number, "algorithm": name, "value": 10.0 - rank, "rank": rank}
        for number, (criterion, own) in enumerate(ranks.items())
        for name, rank in own.items()
    ]
    return pd.DataFrame(rows)


RANKS = {
    "auc_log": {"A": 1, "B": 1, "C": 3, "D": 3},
    "wins": {"A": 2, "B": 1, "C": 3, "D": 3},
    "average_rank": dict(A=1, B=2, C=4, D=3),
}


def places(*tie_breaks):
    return [(row["name"], row["place"]) for row in standing(leaders(RANKS), "m", tie_breaks)]


def test_ties_are_broken_one_after_the_other_and_shared_where_nothing_parts_them():
    assert places() == [("A", 1), ("B", 1), ("C", 3), ("D", 3)]
    assert places("wins") == [("B", 1), ("A", 2), ("C", 3), ("D", 3)]
    assert places("wins", "average_rank") == [("B", 1), ("A", 2), ("D", 3), ("C", 4)]


def test_a_tie_break_that_the_measure_does_not_have():
    with pytest.raises(UserError, match=r"competition\.tie_breaks: the measure 'm' has no 'mean_rate'; expected some of auc_log"):
        standing(leaders(RANKS), "m", ["mean_rate"])
    assert standing(leaders(RANKS), "other", []) == []


def test_who_came_and_who_moved():
    before, after = ([{"name": n, "place": p} for n, p in rows] for rows in ([("A", 1), ("B", 2)], [("C", 1), ("A", 2)]))
    assert moved(before, after) == [
        {"name": "C", "before": None, "after": 1},
        {"name": "A", "before": 1, "after": 2},
        {"name": "B", "before": 2, "after": None},
    ]


def contributed(factors):
    return contribution({name: np.array(own, float) for name, own in factors.items()})


def test_pairs_that_nobody_else_solves_count_before_factors():
    found = contributed({"A": [np.inf], "B": [100.0, 100.0]})
    assert (found["names"], found["text"]) == (["A"], "without it 1 pair would be solved by no entry.")
    found = contributed({"A": [2.0, 8.0], "B": [15.0], "C": []})
    assert found["names"] == ["A"]
    assert found["text"].startswith("without it the best cost of 2 pairs would be larger, by a factor of 4.00 (geometric mean)")
    assert "no entry, and the best cost of 1 more pair would be" in contributed({"A": [np.inf, 2.0], "B": []})["text"]
    assert contributed({"A": [2.0, 8.0], "B": [16.0]})["names"] == ["A", "B"]
    assert contributed({"A": []}) is None
    assert contributed({}) is None


def test_the_biggest_lead_is_in_one_division():
    solved = {"2": {"A": 10, "B": 9, "C": 0}, "5": {"A": 1, "B": 5, "C": 0}}
    found = lead(solved, "dimension")
    assert found["names"] == ["B"]  # (1 + 5) / (1 + 1), and (1 + 10) / (1 + 9)
    assert found["text"] == "it solves 5 pairs in dimension 5, and the second there 1."
    assert lead({"all": {"A": 3, "B": 3}}, None) is None
    assert lead({"all": {"A": 3}}, None) is None


def test_the_best_newcomer_may_not_be_alone():
    rows = [{"name": n, "place": p} for n, p in (("A", 1), ("B", 2), ("C", 2), ("D", 4))]
    assert newcomer(rows, {"B", "C", "D"})["names"] == ["B", "C"]
    assert newcomer(rows, set()) is None
    assert np.all([newcomer(rows, {name})["names"] == [name] for name in "ABCD"])


def test_what_some_runs_fail_is_told_beside_the_standing():
    rows = [("A", 3.0, 2), ("A", np.inf, 1), ("A", np.inf, 0), ("B", np.inf, 2), ("B", np.inf, 1), ("C", np.inf, 1)]
    ratios = pd.DataFrame(rows, columns=["algorithm", "cost", "n_successes"])
    places = [{"name": "B"}, {"name": "A"}]
    assert in_part(ratios, places) == ["Counted as failed, because some of the runs on them did: 2 pairs of B and 1 pair of A."]
    assert in_part(ratios[:1], places) == []
