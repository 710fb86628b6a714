"""Claims: what holds under each convention, in studies in which that is known by construction."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.inference import claims, conventions
from benchmill.inference.claims import PRIMARY, evaluated
from benchmill.inference.conventions import Settings, Specification
from benchmill.inference.design import from_costs, from_ratios
from benchmill.inference.equivalence import equivalence
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.profiles.ratios import ratios
from benchmill.registry.conventions import CONVENTIONS
from benchmill.registry.primary import Primary
from benchmill.text.claims import parsed
from tests.costs.making import cost_rows

KEYS = ("suite", "problem", "dimension")


def rows(cost, *, problems=24, dimensions=(2, 5, 10), targets=(1.0, 0.1), runs=1, names="ABC", budget=1000, suite="s"):
    """A table of costs: `cost(name, problem, dimension, target, run)`, None where there is no run."""
    made = []
    keys = product(range(1, problems + 1), dimensions, targets, names, range(runs))
    for trial, (problem, dimension, target, name, run) in enumerate(keys):
        value = cost(name, problem, dimension, target, run)
        if value is not None:
            made.append(
                {
                    "suite": suite,
                    "problem": f"f{problem}",
                    "dimension": dimension,
                    "instance": None,
                    "algorithm": name,
                    "run": run + 1,
                    "trial": trial,
                    "measure": "ert",
                    "target": target,
                    "at_budget": None,
                    "cost": float(value),
                    "budget": budget,
                    "n": 1,
                    "success": bool(np.isfinite(value)),
                    "feasible": None,
                }
            )
    known = schema.TABLES["costs"].names
    return schema.of_rows("costs", [{key: row[key] for key in known if key in row} for row in made])


def looked_at(costs, *claims, aggregate="ert", missing="common", control=None, targets=None, keys=KEYS, replicated=False):
    """The rows of claims of a study with these costs, by claim and convention."""
    if replicated:
        designs = from_costs(costs, measure="ert")
    else:
        designs = from_ratios(ratios(costs, measure="ert", aggregate=aggregate, missing=missing), measure="ert")
    declared = Declaration(primary=Primary(targets=targets), control=control, permutations=999)
    settings = Settings(aggregate=aggregate, missing=missing, control=control, permutations=999)
    analysis = conventions.analysis("ert", designs, costs, keys, settings, targets)
    stated = [parsed(text, "claims") for text in claims] or None
    return evaluated(stated, {"ert": analysis}, verdicts({"ert": designs}, declared)).to_pylist()


def by_convention(found):
    return {row["convention"]: row for row in found}


def steady(name, problem, dimension, target, run):
    """A is best, then B, then C, by factors that differ from problem to problem."""
    return {"A": 1.0, "B": 2.0, "C": 4.0}[name] * (1 + problem / 100) * (1 + 0.1 * run)


def test_a_claim_that_holds_on_every_cell_holds_under_every_convention():
    found = looked_at(rows(steady, runs=3), "A better than B")
    assert {row["outcome"] for row in found} == {"holds"}
    assert found[0]["convention"] == PRIMARY
    assert found[0]["effect"] == 1.0
    assert "it holds in" in found[0]["text"]


def test_an_algorithm_that_wins_in_one_dimension_only_is_better_under_that_convention_only():
    def cost(name, problem, dimension, target, run):
        if name == "C":
            return 50.0
        # in dimension 2 A always wins, elsewhere on every other problem
        wins = dimension == 2 or problem % 2
        return 1.0 if (name == "A") == bool(wins) else 2.0

    found = by_convention(looked_at(rows(cost), "A better than B"))
    assert found["dimension 2"]["outcome"] == "holds"
    assert found["dimension 2"]["effect"] == 1.0
    assert found["dimension 5"]["outcome"] == found["dimension 10"]["outcome"] == "not shown"
    assert found["dimension 5"]["effect"] == 0.0
    assert found[PRIMARY]["effect"] == pytest.approx(1 / 3)


def test_who_is_better_can_hang_on_the_penalty():
    # of two runs A fails one, and needs 100 where it succeeds; B always needs 700: (100 + 1000 f) / 2 against 700
    def cost(name, problem, dimension, target, run):
        if name == "A":
            return np.inf if run else 100.0
        return 700.0 if name == "B" else 999.0

    found = by_convention(looked_at(rows(cost, runs=2), "A better than B"))
    assert found["a failure counts its budget"]["outcome"] == "holds"
    assert found["a failure counts 2 times its budget"]["outcome"] == "opposite"
    assert found["a failure counts 10 times its budget"]["effect"] == -1.0
    assert found["mean of the runs (failures last)"]["outcome"] == "opposite"
    # ERT is 1100, the median is infinite, and of the pairs of runs each wins half
    assert found[PRIMARY]["outcome"] == "opposite"
    assert found["median of the runs"]["outcome"] == "opposite"
    assert found["every run against every run"]["effect"] == 0.0
    text = found[PRIMARY]["text"]
    assert "by the primary analysis it does not hold, and the opposite is shown" in text
    assert "under “a failure counts its budget”" in text


def test_each_target_and_each_half_is_a_convention():
    def cost(name, problem, dimension, target, run):
        # the harder the target, the better for A
        return {"A": 10.0, "B": 10.0 / target, "C": 20.0 / target}[name] if target < 1 else {"A": 9.0, "B": 4.0, "C": 20.0}[name]

    found = by_convention(looked_at(rows(cost, targets=(10.0, 1.0, 0.1, 0.01)), "A better than B"))
    assert [found[f"target {word}"]["effect"] for word in ("10", "1", "0.1", "0.01")] == [-1, -1, 0.0 + 1, 1]
    assert found["easier half of the targets"]["effect"] == -1
    assert found["harder half of the targets"]["effect"] == 1


def test_primary_targets_are_what_the_other_conventions_pool_too():
    def cost(name, problem, dimension, target, run):
        better = (name == "A") == (target == 1.0)
        return 99.0 if name == "C" else 1.0 if better else 2.0

    found = by_convention(looked_at(rows(cost), "A better than B", targets=[1.0]))
    assert found[PRIMARY]["effect"] == found["dimension 5"]["effect"] == 1
    assert found["target 0.1"]["effect"] == -1
    assert found["target 1"]["same_as"] == PRIMARY


def test_a_missing_cell_is_left_out_or_a_failure():
    def cost(name, problem, dimension, target, run):
        # B has not been run on half of the problems, and wins on the others
        if name == "B" and problem % 2:
            return None
        return {"A": 2.0, "B": 1.0, "C": 9.0}[name]

    found = by_convention(looked_at(rows(cost), "B better than A"))
    assert (found[PRIMARY]["effect"], found[PRIMARY]["n_clusters"]) == (1, 12)
    other = found["a missing cell is a failure"]
    assert (other["effect"], other["n_clusters"], other["outcome"]) == (0, 24, "not shown")
    # the other way round
    found = by_convention(looked_at(rows(cost), "B better than A", missing="failure"))
    assert found[PRIMARY]["effect"] == 0
    assert found["cells that miss an algorithm left out"]["effect"] == 1


def test_a_claim_that_hangs_on_one_cluster_fails_without_it():
    # A wins six of eight clusters and ties two: p = 2 / 2^6; without one 2 / 2^5 = 0.0625
    def cost(name, problem, dimension, target, run):
        return {"A": 1.0, "B": 2.0 if problem <= 6 else 1.0}[name]

    found = by_convention(looked_at(rows(cost, problems=8, names="AB"), "A better than B"))
    assert (found[PRIMARY]["outcome"], found[PRIMARY]["p"]) == ("holds", 2 / 2**6)
    for number in range(1, 9):
        row = found[f"without f{number}"]
        assert row["outcome"] == ("not shown" if number <= 6 else "holds")
        assert row["p"] == pytest.approx(2 / 2**5 if number <= 6 else 2 / 2**6)


def test_the_sign_test_and_wilcoxon_are_those_of_the_books():
    # nine clusters, A wins eight: the sign test gives 2 (1 + 9) / 2^9
    def cost(name, problem, dimension, target, run):
        return 1.0 if (name == "A") == (problem > 1) else 2.0

    found = by_convention(looked_at(rows(cost, problems=9, names="AB"), "A better than B"))
    assert found["sign test with Holm's correction"]["p"] == pytest.approx(2 * 10 / 2**9)
    # all differences tie: the rank of each is 5, W- = 5, the same number of signs
    assert found["Wilcoxon's test with Holm's correction"]["p"] == pytest.approx(2 * 10 / 2**9)


def test_too_few_clusters_decide_nothing_and_that_is_counted():
    found = looked_at(rows(steady, problems=5), "A better than C")
    own = [row for row in found if row["group"] != "clusters"]
    assert {row["outcome"] for row in own if row["test"].startswith("flips")} == {"undecidable"}
    assert found[0]["holds"] is None
    # Nemenyi's comparison can: the mean ranks differ by 2, the critical difference is 2.343 √(3 · 4 / (6 · 5)) = 1.48
    assert by_convention(found)["Nemenyi's comparison"]["holds"] is True
    n = sum(row["outcome"] == "undecidable" and row["same_as"] is None for row in found[1:])
    assert re.search(rf"\b{n} cannot decide", found[0]["text"])
    # five functions in three dimensions are fifteen clusters for those who take them so
    assert by_convention(found)["a cluster is a problem in one dimension"]["holds"] is True


def test_groups_of_problems_with_the_reverse_effect_are_named_even_where_too_small_to_decide():
    # A is worse on the five functions f10 to f14 alone
    def cost(name, problem, dimension, target, run):
        return {"A": 5.0 if 10 <= problem <= 14 else 1.0, "B": 2.0, "C": 9.0}[name]

    found = looked_at(rows(cost, suite="bbob"), "A better than B")
    (turned,) = [row for row in found if row["rule"] == "function_group" and row["effect"] < 0]
    assert (turned["outcome"], turned["n_clusters"]) == ("undecidable", 5)
    assert found[0]["text"].endswith(f". The effect is reversed on {turned['convention']}.")
    assert found[0]["outcome"] == "holds"


def test_families_of_problems_are_groups_and_other_clusters():
    names = [f"{word}_{number:02}" for word in ("cut", "pack", "route") for number in range(8)]

    def cost(name, problem, dimension, target, run):
        return {"A": 5.0 if problem > 16 else 1.0, "B": 2.0, "C": 9.0}[name]

    costs = rows(cost)
    known = {f"f{number}": name for number, name in enumerate(names, 1)}
    problems = [known[word] for word in costs.column("problem").to_pylist()]
    found = by_convention(looked_at(schema.replaced(costs, problem=problems), "A better than B"))
    assert [found[f"problems {word}"]["effect"] for word in ("cut", "pack", "route")] == [1, 1, -1]
    assert found[PRIMARY]["text"].endswith("The effect is reversed on problems route.")
    by_family = found["a cluster is a family (name up to its last number or separator)"]
    assert (by_family["n_clusters"], by_family["outcome"], found[PRIMARY]["n_clusters"]) == (3, "undecidable", 24)
    assert found["a cluster is a problem"]["same_as"] == PRIMARY


def test_a_function_group_is_a_convention_of_its_suite():
    found = by_convention(looked_at(rows(steady, suite="bbob"), "A better than B"))
    groups = [row for row in found.values() if row["rule"] == "function_group"]
    assert [row["n_clusters"] for row in groups] == [5, 4, 5, 5, 5]
    assert {row["outcome"] for row in groups} == {"undecidable"}


def test_conventions_that_compare_the_same_numbers_count_once():
    found = looked_at(rows(steady), "A better than B")
    same = {row["convention"]: row["same_as"] for row in found if row["same_as"] is not None}
    # all targets and dimensions are alike here; one run a cell leaves nothing to be averaged
    assert same["target 1"] == PRIMARY
    assert same["dimension 5"] == PRIMARY
    counted = [row for row in found[1:] if row["same_as"] is None]
    assert f"Of {len(counted)} other conventions" in found[0]["text"]
    assert all(row["outcome"] == found[0]["outcome"] for row in found if row["same_as"] == PRIMARY)


def random(seed, names="ABCD"):
    rng = np.random.default_rng(seed)
    return lambda name, problem, dimension, target, run: rng.lognormal() * (3 if name == "B" else 1)


@pytest.mark.parametrize("seed", range(3))
def test_swapping_the_names_turns_the_sign(seed):
    costs = rows(random(seed), names="ABCD", problems=10, runs=2)
    one, other = (by_convention(looked_at(costs, text)) for text in ("A better than B", "B better than A"))
    assert one.keys() == other.keys()
    for name, row in one.items():
        turned = other[name]
        assert row["effect"] == pytest.approx(-turned["effect"])
        assert row["p_adjusted"] == turned["p_adjusted"]
        if row["effect_low"] is not None:
            assert (row["effect_low"], row["effect_high"]) == pytest.approx((-turned["effect_high"], -turned["effect_low"]))
        opposite = {"holds": "opposite", "opposite": "holds"}
        assert turned["outcome"] == opposite.get(row["outcome"], row["outcome"])


@pytest.mark.parametrize("seed", range(3))
def test_an_algorithm_left_out_changes_nothing_between_two_others_but_what_goes_by_all(seed):
    costs = rows(random(seed), names="ABCD", problems=8)
    designs = from_ratios(ratios(costs, measure="ert"), measure="ert")
    analysis = conventions.analysis("ert", designs, costs, KEYS, Settings(permutations=999))
    whole, less = (analysis.compared(Specification(without=name)) for name in (None, "D"))
    (place, _), (at, _) = whole.place(("A", "B")), less.place(("A", "B"))
    assert np.array_equal(whole.scores[:, place], less.scores[:, at])
    assert whole.tested.p[place] == less.tested.p[at]
    ranks = [analysis.compared(Specification(without=name, criterion="ranks")) for name in (None, "D")]
    assert not np.allclose(ranks[0].scores[:, place], ranks[1].scores[:, at])


def test_no_convention_says_of_pairs_what_its_test_of_all_algorithms_does_not_let_through():
    """B is A a little later on every problem, among six that are exchangeable: the pair differs, all eight together do not."""
    level = np.random.default_rng(0).normal(size=(20, 8))
    level[:, 1] = level[:, 0] + 1e-3

    def cost(name, problem, *_):
        return np.exp(level[problem - 1]["ABCDEFGH".index(name)])

    found = looked_at(rows(cost, problems=20, dimensions=(2,), names="ABCDEFGH"), "A better than B")
    assert found[0]["p"] == 2**-19
    assert found[0]["outcome"] == "not shown"
    assert np.mean([row["outcome"] == "holds" for row in found]) < 0.1


@pytest.mark.parametrize(("quantity", "known"), [("cost", True), ("runtime_s", False), ("nodes", False)])
def test_what_a_crash_spent_of_a_quantity_beside_the_cost_is_no_budget(quantity, known):
    costs = cost_rows(
        [
            {"problem": f"f{p}", "algorithm": name, "cost": cost, "budget": 0.2}
            for p in (1, 2)
            for name, cost in (("A", 9.0), ("B", np.inf))
        ]
    )
    designs = from_ratios(ratios(costs, measure="m", aggregate="mean"), measure="m")
    analysis = conventions.analysis("m", designs, costs, KEYS, Settings(quantity=quantity))
    assert analysis.trials.budgets_known == known


def test_the_first_row_is_what_the_primary_analysis_says():
    costs = rows(random(7), names="ABCD", problems=24)
    designs = from_ratios(ratios(costs, measure="ert"), measure="ert")
    table = verdicts({"ert": designs}, Declaration(permutations=999))
    analysis = conventions.analysis("ert", designs, costs, KEYS, Settings(aggregate="ert", permutations=999))
    for row in table.to_pylist():
        if row["algorithm_a"] is not None and row["analysis"] == "primary":
            claim = parsed(f"{row['algorithm_b']} better than {row['algorithm_a']}", "claims")
            first = evaluated([claim], {"ert": analysis}, table).to_pylist()[0]
            assert (first["effect"], first["p"], first["p_adjusted"]) == (-row["effect"], row["p"], row["p_adjusted"])
            assert (first["effect_low"], first["effect_high"]) == (-row["effect_high"], -row["effect_low"])
            assert first["holds"] == (row["significant"] and row["effect"] < 0)
            # and what the conventions start from is the same comparison
            own = analysis.compared(Specification())
            assert own.tested.effect[own.place((row["algorithm_a"], row["algorithm_b"]))[0]] == pytest.approx(row["effect"])


def test_mean_ranks_and_areas_by_hand():
    # two problems; costs 1, 2, 8 and 4, 1, inf: ratios 1, 2, 8 and 4, 1, inf, the largest 8
    values = {("A", 1): 1, ("B", 1): 2, ("C", 1): 8, ("A", 2): 4, ("B", 2): 1, ("C", 2): np.inf}
    costs = rows(lambda name, problem, *_: values[name, problem], problems=2, dimensions=(2,), targets=(1.0,))
    designs = from_ratios(ratios(costs, measure="ert"), measure="ert")
    analysis = conventions.analysis("ert", designs, costs, KEYS, Settings(aggregate="ert"))
    ranks = analysis.compared(Specification(criterion="ranks")).scores
    assert ranks == pytest.approx(np.array([[1 / 2, 1, 1 / 2], [-1 / 2, 1 / 2, 1]]))
    part = np.array([[1, 1 - 1 / 3, 0], [1 - 2 / 3, 1, 0]])
    expected = np.stack([part[:, 0] - part[:, 1], part[:, 0] - part[:, 2], part[:, 1] - part[:, 2]], axis=1)
    assert analysis.compared(Specification(criterion="log areas")).scores == pytest.approx(expected)


def test_best_means_better_than_each_of_the_others():
    found = looked_at(rows(steady, runs=2), "A best", "B best")
    first, second = ([row for row in found if row["claim"] == claim] for claim in ("A best", "B best"))
    assert {row["outcome"] for row in first} == {"holds"}
    assert second[0]["outcome"] == "opposite"
    assert (second[0]["against"], second[0]["effect"]) == ("A", -1)
    assert by_convention(second)["without A"]["outcome"] == "holds"


def test_the_headline_makes_claims_of_what_it_shows():
    first = looked_at(rows(steady, dimensions=(2,)))[0]
    assert (first["claim"], first["stated"]) == ("A best", False)

    def cost(name, problem, dimension, target, run):
        # A and B in turns, C behind both
        return 9.0 if name == "C" else 1.0 if (name == "A") == bool(problem % 2) else 2.0

    assert {row["claim"] for row in looked_at(rows(cost, dimensions=(2,)))} == {"A better than C"}
    assert looked_at(rows(lambda *_: 1.0, dimensions=(2,))) == []


def test_a_control_is_what_claims_are_about():
    costs = rows(steady, dimensions=(2,))
    assert looked_at(costs, "A better than B", control="A")[0]["outcome"] == "holds"
    assert looked_at(costs, "B better than A", control="A")[0]["outcome"] == "opposite"
    with pytest.raises(UserError, match=r"claims\[1\]: 'B better than C' is about 'B' and 'C', which the primary"):
        looked_at(costs, "B better than C", control="A")


def test_an_unknown_algorithm_is_named_with_the_nearest():
    with pytest.raises(UserError, match=r"claims\[1\]: there is no algorithm 'a'; choose from A, B, C\."):
        looked_at(rows(steady, dimensions=(2,)), "a better than B")


def test_single_runs_of_a_replicated_design():
    costs = rows(random(3), names="ABC", problems=8, runs=4)
    found = by_convention(looked_at(costs, "A better than B", replicated=True))
    # every run against every run is what the design does anyway
    assert found["every run against every run"]["same_as"] == PRIMARY
    assert found["median of the runs"]["same_as"] is None


def test_many_algorithms_and_clusters_are_left_out_up_to_a_limit():
    names = [f"x{i:02d}" for i in range(40)]
    costs = rows(
        lambda name, problem, *_: 1.0 + int(name[1:]) + problem / 7,
        names=names,
        problems=45,
        dimensions=(2,),
        targets=(1.0,),
    )
    found = looked_at(costs, "x00 better than x05")
    left = [row["convention"] for row in found if row["rule"] == "without_algorithm"]
    # the 30 best by rank among the others
    assert left == [f"without {name}" for name in names if name not in ("x00", "x05")][:30]
    assert sum(row["rule"] == "without_cluster" for row in found) == 30


def test_the_same_claims_give_the_same_rows():
    costs = rows(random(5), names="ABCD", problems=24)
    assert looked_at(costs, "A better than B", "C best") == looked_at(costs, "A better than B", "C best")
    # a claim is looked at alone: the others change nothing
    alone = looked_at(costs, "C best")
    assert alone == [row for row in looked_at(costs, "A better than B", "C best") if row["claim"] == "C best"]


def test_every_convention_has_a_function_and_says_why_it_is_defensible():
    for convention in CONVENTIONS.values():
        assert callable(convention.alternatives)
        assert convention.why.endswith(".")


def test_nothing_is_called_significant_in_some_conventions():
    for row in looked_at(rows(random(9), names="ABCD", runs=2), "A better than B"):
        assert "significant" not in row["text"]


def test_as_good_as_is_a_test_of_equivalence():
    noise = np.random.default_rng(0).normal(0, 0.02, 24)

    def cost(name, problem, dimension, target, run):
        # a fifth dearer in one dimension
        return {"A": 1.0, "B": np.exp(noise[problem - 1]) * (1.2 if dimension == 10 else 1.0), "C": 5.0}[name]

    one, other = (
        by_convention(looked_at(rows(cost), text)) for text in ("A as good as B within 10 %", "A as good as C within 10 %")
    )
    assert one[PRIMARY]["outcome"] == one["dimension 2"]["outcome"] == "holds"
    assert one["dimension 10"]["outcome"] == other[PRIMARY]["outcome"] == "opposite"
    assert one["dimension 2"]["effect"] == pytest.approx(noise.mean())
    assert other[PRIMARY]["effect"] == pytest.approx(np.log(5))
    assert {row["group"] for row in one.values()}.isdisjoint({"test", "criterion"})
    # the primary analysis is the test of its room; of two such claims p counts twice
    designs = from_ratios(ratios(rows(cost), measure="ert"), measure="ert")
    alone = equivalence(designs, [("A", "B")], 10)
    assert one[PRIMARY]["p"] == pytest.approx(alone.p[0])
    assert (one[PRIMARY]["effect_low"], one[PRIMARY]["effect_high"]) == pytest.approx((alone.low[0], alone.high[0]))
    both = looked_at(rows(cost), "A as good as B within 10 %", "B as good as A within 10 %")
    assert both[0]["p_adjusted"] == pytest.approx(2 * one[PRIMARY]["p"])


def test_a_failure_of_one_and_failures_alone_show_no_equality():
    def cost(name, problem, dimension, target, run):
        return np.inf if name == "B" and problem == 1 else 1.0

    def nothing(name, problem, dimension, target, run):
        return 1.0 if name == "C" else np.inf

    for of in (cost, nothing):
        first = looked_at(rows(of), "A as good as B within 10 %")[0]
        assert (first["outcome"], first["effect"], first["p_adjusted"]) == ("not shown", None, 1.0)


def test_conventions_are_named_by_what_they_share():
    """Of three with one choice two fail: they are counted; a single one is named with all its choices."""
    choices = [("dimension 2",), ("dimension 2", "medians"), ("dimension 2", "means"), ("without A",), ("a failure counts 1",)]
    failing = {0, 1, 3}
    counted = [({"outcome": "not shown" if i in failing else "holds"}, told) for i, told in enumerate(choices)]
    assert claims._named(counted, "not shown") == ["“dimension 2” (2 of 3)", "“without A”"]
    every = [({"outcome": "not shown"}, told) for told in choices[:3]]
    assert claims._named(every, "not shown") == ["“dimension 2” (all 3)"]
    assert claims._named([({"outcome": "not shown"}, ("dimension 2", "means"))], "not shown") == ["“dimension 2, means”"]
