"""The sentences that a study is known by: true, short, and in units that a reader has."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import benchmill as bm
from benchmill.core import UserError, schema
from benchmill.text.sentences import MOST_IN_ALL, MOST_WORDS, in_words, leader, sentences
from tests.text.test_leaders import statement


def stated(names, shown, opened=True, **more):
    """Verdicts on all pairs, of which those in `shown` differ, the better one first."""
    gate = statement(None, None, None, opened) | {"p_adjusted": 0.001 if opened else 0.4}
    effects = {pair: 0.5 for pair in shown} | {pair[::-1]: -0.5 for pair in shown}
    pairs = [statement(*pair, effects.get(pair, 0.1), pair in effects) for pair in combinations(names, 2)]
    return schema.of_rows("verdicts", [{**row, "p_min": 0.01, **more} for row in [gate, *pairs]])


WHERE = "on problems like these (9 problems, 5 % for all statements)."


@pytest.mark.parametrize(
    ("names", "shown", "opened", "said"),
    [
        ("ab", [], False, f"No algorithm is shown to be best: a and b cannot be told apart {WHERE}"),
        ("ab", ["ba"], True, f"b is shown to be better than a {WHERE}"),
        ("abc", ["ab", "ac"], True, f"a is best: each of the 2 others is shown to be worse {WHERE}"),
        ("abc", ["ab", "bc"], True, f"Only a can be best: each of the others is shown to be worse than some algorithm {WHERE}"),
        ("abc", ["ab"], True, f"No algorithm is shown to be best: a and c cannot be told apart {WHERE}"),
        ("abcdef", ["af"], True, f"No algorithm is shown to be best: 5 of the 6 cannot be told apart {WHERE}"),
        ("abc", [], True, f"No algorithm is shown to be best: the 3 algorithms differ, but no pair can be told apart {WHERE}"),
    ],
)
def test_the_headline_says_what_is_shown_and_no_more(names, shown, opened, said):
    found = sentences({"verdicts": stated(names, list(map(tuple, shown)), opened)}, {})
    assert found.headline == said
    assert found.control == ""
    assert found.named["findings"].startswith(said)


def test_too_few_clusters_and_open_decisions_are_said():
    few = sentences({"verdicts": stated("ab", [], False, p_min=0.5)}, {}).headline
    undecided = sentences({"verdicts": stated("ab", [], False, p_low=0.01)}, {}).headline
    assert few.startswith("There are too few problems to decide: a and b cannot be told apart")
    assert undecided.startswith("Which algorithm is best is undecided: a and b cannot be told apart")


def test_with_a_control_the_headline_is_about_it():
    table = stated("abcd", [("b", "a"), ("d", "b")])
    found = sentences({"verdicts": table}, {"control": "b"})
    assert found.headline == found.control == f"b wins against a, loses against d and cannot be told from c {WHERE}"
    many = [f"Solver {i} of a long name" for i in range(12)]
    found = sentences({"verdicts": stated(many, [(many[0], one) for one in many[1:8]])}, {"control": many[0]})
    assert "wins against 7 of the 11 others" in found.headline
    assert in_words(found.headline) <= MOST_WORDS


@pytest.mark.parametrize(
    ("n", "exact", "said"),
    [
        (2, True, "Without f3 and f19, a would not be said to be better than b."),
        (2, False, "Without f3 and f19, or fewer, a would not be said to be better than b."),
        (6, True, "Without 6 of the 9 problems, a would not be said to be better than b."),
        (None, None, ""),
    ],
)
def test_without_what_the_headline_would_fall_is_said(n, exact, said):
    rows = stated("abc", [("a", "b"), ("a", "c")]).to_pylist()
    for row in rows[1:]:
        first = row["algorithm_b"] == "b"
        row |= {"fragility": n and n + (not first), "fragility_exact": exact, "carried_by": n and ("f3, f19" if n == 2 else "…")}
    found = sentences({"verdicts": schema.of_rows("verdicts", rows)}, {})
    assert found.fragility == said
    assert said in found.named["findings"]


def test_families_are_counted_in_their_plural(monkeypatch):
    monkeypatch.setattr("benchmill.text.families.sentence", lambda table: "Problems of one family are more alike than others.")
    rows = [row | {"fragility": 6, "fragility_exact": True, "carried_by": "…"} for row in stated("ab", [("a", "b")]).to_pylist()]
    found = sentences({"verdicts": schema.of_rows("verdicts", rows)}, {})
    assert "(9 families, 5 % for all statements)" in found.headline
    assert found.fragility == "Without 6 of the 9 families, a would not be said to be better than b."


def compared(costs, **more):
    frame = pd.DataFrame({"problem": range(len(next(iter(costs.values())))), **costs})
    return bm.compare(bm.costs(frame, wide=list(costs), unit="s"), **more)


def test_a_lead_is_a_ratio_where_both_succeed_and_the_shares_solved():
    rng = np.random.default_rng(3)
    a, b = rng.exponential(1, 40), rng.exponential(4, 40)
    a[:8] = np.inf
    b[38:] = np.inf
    found = compared({"a": a, "b": b}, control="a")
    both = np.isfinite(a) & np.isfinite(b)
    ratio = math.exp(np.mean([math.log(y / x) for x, y in zip(a[both], b[both], strict=True)]))
    assert f"b takes {ratio:.1f} times as long as a where both succeed, but solves more (95 % against 80 %)" in str(
        found.text.named
    )


def test_shares_that_differ_are_written_to_the_place_where_they_do():
    rng = np.random.default_rng(3)
    a, b = rng.exponential(1, 1000), rng.exponential(4, 1000)
    a[:40], b[997:] = np.inf, np.inf
    assert "but solves more (>99 % against 96 %)" in str(compared({"a": a, "b": b}, control="a").text.named)
    b[:37] = np.inf
    b[997] = 1
    assert "but solves more (96.1 % against 96.0 %)" in str(compared({"a": a, "b": b}, control="a").text.named)


@pytest.mark.parametrize(
    ("aggregate", "said"),
    [
        ("mean", "a solves more problems than b (100 % against 90 % in all runs)"),
        ("median", "b solves more problems than a (100 % against 90 % in most runs)"),
        ("ert", ""),
    ],
)
def test_what_counts_as_a_solved_problem_is_said(aggregate, said):
    failed = {("b", 0, 1), ("a", 1, 1), ("a", 1, 2)} if aggregate == "median" else {("b", 0, 1)}
    rows = [
        {"algorithm": name, "problem": problem, "run": run, "cost": np.inf if (name, problem, run) in failed else 2.0, "limit": 9}
        for name in "ab"
        for problem in range(10)
        for run in range(3)
    ]
    found = bm.compare(bm.costs(pd.DataFrame(rows), aggregate=aggregate, limit="limit"))
    (text, *_) = leader(found.data, {"measure": {"name": "cost", "kind": "given"}}) or [""]
    assert (said in text) if said else "solves" not in text


def test_a_lead_is_on_the_problems_that_those_who_compete_have_runs_on():
    """Who does not compete has no run on two of the problems."""
    rows = [
        {"algorithm": name, "problem": problem, "cost": cost}
        for problem in range(12)
        for name, cost in {"a": 1.0, "b": 3.0, "reference": 9.0}.items()
        if name != "reference" or problem > 1
    ]
    found = bm.compare(bm.costs(pd.DataFrame(rows), unit="s"), not_competing=["reference"]).text
    assert "(12 problems, 5 % for all statements); on these, b takes 3.0 times" in found.headline


@pytest.mark.parametrize(
    ("missing", "said"),
    [("failure", "On all 12 problems, tested or not, b takes 3.0 times"), ("common", "on these, b takes 3.0 times")],
)
def test_a_lead_on_problems_that_the_tests_leave_out_says_so(missing, said):
    costs = {"a": 1.0, "b": 3.0}
    rows = [
        {"algorithm": name, "problem": problem, "run": run, "cost": cost * (problem + run)}
        for problem in range(12)
        for name, cost in costs.items()
        for run in range(1, 4)
        if (name, problem) != ("a", 0)
    ]
    found = bm.compare(bm.costs(pd.DataFrame(rows), unit="s", missing=missing), design="replicated", unbalanced=["drop"]).text
    assert "(11 problems, 5 % for all statements)" in found.headline
    assert said in found.named["findings"]


@pytest.mark.parametrize(
    ("kind", "a", "b", "said"),
    [
        ({"kind": "fixed_budget", "budgets": [10, 100]}, [1, 1], [2, 2], "a is better on 100 % of the (problem, budget) pairs"),
        ({"kind": "fixed_budget", "budgets": [10]}, [1, 1], [2, 2], "a is better on 100 % of the problems"),
        ({"kind": "fixed_target", "targets": [1, 0.1]}, [1, 1], [1, np.inf], "a solves more (problem, target) pairs than b"),
        ({"kind": "gap"}, [1, 1], [1, np.inf], "a is better on 50 % of the problems, b on 0 %"),
        ({"kind": "given", "quantity": "value"}, [1, 1], [1, np.inf], "a is better on 50 % of the problems, b on 0 %"),
        ({"kind": "given"}, [1, 1], [1, np.inf], "a solves more problems than b"),
    ],
)
def test_a_lead_counts_pairs_where_there_are_several_targets_or_budgets(kind, a, b, said):
    keys = {"suite": "s", "problem": "p", "included": True, "n_trials": 1, "n_successes": 1, "n_missing": 0, "ratio": 1.0}
    rows = [
        {**keys, "measure": "m", "at_budget": float(10**i), "algorithm": name, "cost": float(cost), "baseline": 1.0}
        for name, costs in (("a", a), ("b", b))
        for i, cost in enumerate(costs)
    ]
    first = {"headline": True, "measure": "m", "criterion": "auc_log", "larger_is_better": True, "n_problems": 2, "tau_max": 9.0}
    table = [{**first, "algorithm": name, "value": 2.0 - r, "rank": r} for r, name in enumerate("ab", 1)]
    data = {"ratios": schema.of_rows("ratios", rows), "leaders": schema.of_rows("leaders", table)}
    assert said in leader(data, {"measure": {"name": "m", **kind}})[0]


def test_a_lead_is_of_costs_to_which_nothing_is_added():
    rows = pd.DataFrame({"problem": ["p", "q"], "a": [1.0, 2.0], "b": [2.0, 4.0]})
    for shift in (0, 100):
        found = bm.compare(bm.costs(rows, wide=["a", "b"], unit="s", shift=shift), control="a")
        assert "b takes 2.0 times as long as a" in found.text.headline
    zero = bm.costs(rows.assign(a=[0.0, 2.0]), wide=["a", "b"], unit="s", shift=1)
    assert "times" not in bm.compare(zero, control="a").text.headline
    with pytest.raises(UserError, match=r"margin: the measure has a `shift`"):
        bm.compare(zero, margin=5)


@pytest.mark.parametrize("seed", range(12))
def test_every_sentence_is_short(seed):
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 9)), int(rng.integers(3, 30))
    costs = {f"A solver called {i}": np.where(rng.random(n) < 0.2, np.inf, rng.lognormal(i, 2, n)) for i in range(k)}
    text = compared(costs, control=None if seed % 2 else "A solver called 1").text
    for name in ("headline", "control", "caveat", "fragility"):
        assert in_words(getattr(text, name)) <= MOST_WORDS, name
    assert in_words(text.named["findings"]) <= MOST_IN_ALL
    assert bool(text.control) == (seed % 2 == 0)
    assert text.headline in text.named["findings"]


def test_budgets_that_differ_on_many_problems_are_said_first():
    headline = {"headline": True, "measure": "m", "criterion": "auc_log", "larger_is_better": True, "n_late": 0, "tau_max": 9.0}
    rows = [{**headline, "algorithm": a, "value": 1.0 / r, "rank": r, "n_problems": 100} for r, a in enumerate("ab", 1)]
    for stopped, first in ((20, True), (3, False)):
        table = schema.of_rows("leaders", [{**row, "n_stopped": stopped if row["rank"] == 2 else 0} for row in rows])
        found = sentences({"verdicts": stated("ab", []), "leaders": table}, {})
        assert found.caveat.startswith(f"Budgets differ: on {stopped} of 100 problems runs of b were stopped before")
        assert found.named["findings"].startswith("Budgets differ") == first
        assert found.caveat in found.named["findings"]


def test_several_targets_make_no_more_problems():
    row = {"headline": True, "measure": "m", "criterion": "auc_log", "larger_is_better": True, "n_late": 0, "n_problems": 100}
    rows = [
        {**row, "algorithm": a, "value": 1.0 / r, "rank": r, "n_stopped": r - 1, "tau_max": 9.0} for r, a in enumerate("ab", 1)
    ]
    data = {"verdicts": stated("ab", []), "leaders": schema.of_rows("leaders", rows)}
    for kind in ("target", "budget"):
        found = sentences(data, {"measure": {f"{kind}s": [1.0, 0.1]}})
        assert found.caveat.startswith(f"Budgets differ: on 1 of 100 (problem, {kind}) pairs runs of b were stopped before")
        assert "of 100 problems" in sentences(data, {"measure": {f"{kind}s": [1.0]}}).caveat


def test_nothing_tested_is_nothing_said():
    assert sentences({}, {}).named == {}
    assert sentences({}, {}, ["No run fails."]).named == {"findings": "No run fails."}


def test_where_nothing_is_solved_the_headline_says_so():
    rows = pd.DataFrame({"problem": range(6), "a": np.inf, "b": np.inf, "c": np.inf})
    wide = {"wide": ["a", "b", "c"]}
    said = "No algorithm solves any problem: the 3 algorithms cannot be told apart"
    assert bm.compare(bm.costs(rows, **wide)).text.headline.startswith(said)
    one = rows.assign(a=[1.0, *[np.inf] * 5])
    assert "solves any" not in bm.compare(bm.costs(one, **wide)).text.headline


def test_two_algorithms_are_one_pair_which_is_said_once():
    rows = pd.DataFrame({"problem": range(12), "a": 1.0, "b": 2.0, "c": 3.0})
    two, three = (bm.compare(bm.costs(rows, wide=list("abc"[:n]))).text.named["findings"] for n in (2, 3))
    assert "the algorithms are shown to differ (p < 0.001)." in two
    assert "the algorithms are shown to differ (p < 0.001), and so are 3 of 3 pairs." in three


def test_that_limits_differ_is_said_once():
    limit = {"a": 60, "b": 10}
    rows = [(name, i, 2.0 * i + 3 * (name == "a"), limit[name]) for name in "ab" for i in range(1, 6)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "cost", "limit"])
    made = bm.compare(bm.costs(frame, limit="limit"))
    differ = (
        "Limits differ on 5 instances: all are compared at the smallest limit of an instance, at which 2 runs count as failed."
    )
    said = dict(sentences(made.data, {"measure": made.settings["measure"]}, [differ, "b solves most, 4 of 5 runs."]).findings)
    assert said["Which algorithm is best?"].startswith("Limits differ: ")
    assert said["How do the runs end?"] == "b solves most, 4 of 5 runs."
