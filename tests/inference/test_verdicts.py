"""What a study may say: which analysis is primary, the families, the control, and the sentences."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.inference.analysis import analyse
from benchmill.inference.clusters import flips, means
from benchmill.inference.design import from_costs, from_ratios, net_wins
from benchmill.inference.verdicts import Declaration, primary, rank_sets, verdicts
from benchmill.profiles import fit
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import leaders
from benchmill.registry.inference import Options
from benchmill.registry.primary import Primary
from tests.costs.making import INF, cost_rows
from tests.inference.making import design

KEYS = [{"suite": "s", "problem": f"f{i // 4}", "dimension": i % 4} for i in range(40)]


def of(seed, shift=(), **more):
    x = np.random.default_rng(seed).normal(size=(40, 4))
    x[:, : len(shift)] += shift
    return design(x, problems=KEYS, **more)


@pytest.fixture(scope="module")
def study():
    return {"ert": [of(1, [-3], target=1.0), of(2, [-3], target=0.1)], "quality": [of(3, at_budget=100.0)]}


def rows(study, **plan):
    return verdicts(study, Declaration(**plan)).to_pylist()


def test_one_analysis_is_primary_and_pools_the_targets_of_the_first_measure(study):
    found = rows(study)
    primary = [row for row in found if row["analysis"] == "primary"]
    assert {(row["measure"], row["target"], row["n_clusters"], row["n_cells"]) for row in primary} == {("ert", None, 10, 80)}
    assert [row["family_size"] for row in primary] == [1, 6, 6, 6, 6, 6, 6]
    pairs = [
        (row["measure"], row["target"], row["at_budget"], row["family_size"])
        for row in found
        if row["analysis"] == "secondary" and row["algorithm_a"]
    ]
    assert set(pairs) == {("ert", 1.0, None, 18), ("ert", 0.1, None, 18), ("quality", None, 100.0, 18)}
    assert len(pairs) == 18


def test_a_measure_is_called_by_its_label(study):
    texts = [row["text"] for row in rows(study, labels={"ert": "Effort"}) if row["algorithm_a"] is None]
    assert texts[0].startswith("Primary analysis, measure Effort, ")
    assert any(text.startswith("Secondary analysis, measure quality, ") for text in texts)


def test_cells_of_all_targets_make_the_score_of_a_cluster(study):
    first = next(row for row in rows(study) if (row["algorithm_a"], row["algorithm_b"]) == ("a1", "a2"))
    by_hand = np.mean([[np.sign(d.values[i, 1, 0] - d.values[i, 0, 0]) for d in study["ert"]] for i in range(40)])
    assert first["effect"] == pytest.approx(by_hand)
    # all flips of ten clusters: no random number is in it
    d = means(np.concatenate([net_wins(d.values) for d in study["ert"]]), np.tile(np.arange(40) // 4, 2))
    alone = flips(d, np.random.default_rng(0))
    assert first["p_adjusted"] == pytest.approx(alone.p_adjusted[0])
    assert (first["effect_low"], first["effect_high"]) == pytest.approx((alone.low[0], alone.high[0]))


def test_a_control_has_a_family_of_its_own(study):
    primary = [row for row in rows(study, control="a3") if row["analysis"] == "primary"]
    assert [(row["algorithm_a"], row["algorithm_b"]) for row in primary[1:]] == [("a3", "a1"), ("a3", "a2"), ("a3", "a4")]
    assert primary[1]["family_size"] == 3
    assert primary[1]["effect"] < 0
    assert "a3 is worse than a1" in primary[0]["text"]
    assert primary[1]["text"].startswith("a1 is better than a3 on problems like these")
    with pytest.raises(UserError, match="control: there is no algorithm 'Ours'; choose from a1, a2, a3, a4"):
        rows(study, control="Ours")


@pytest.fixture(scope="module")
def order(study):
    """Leaders of costs that the designs hold as their logarithms: a4 first by the log area, though a1 wins the most."""
    shared = {"measure": "ert", "larger_is_better": True, "tau_max": 10.0, "n_problems": 80, "n_clusters": 10}
    values = {"auc_log": [2.0, 1.0, 1.5, 3.0], "rho_1": [0.9, 0.1, 0.2, 0.3]}
    return schema.of_rows(
        "leaders",
        [
            {
                **shared,
                "criterion": name,
                "headline": name == "auc_log",
                "algorithm": f"a{i + 1}",
                "value": value,
                "rank": 1 + sum(other > value for other in found),
            }
            for name, found in values.items()
            for i, value in enumerate(found)
        ],
    )


def test_the_leader_is_named_by_the_criterion_of_the_study(study, order):
    about, *pairs = verdicts(study, Declaration(), order).to_pylist()
    assert about["criterion"] == "area under the profile over log τ"
    assert {row["criterion"] for row in pairs} == {"net share of wins"} | {row["criterion"] for row in pairs[6:]}
    assert "a4 is worse than a1 by " in about["text"]
    # without the order, by what the pairs are compared by
    assert "a1 has the largest mean net share of wins" in rows(study)[0]["text"]


def test_a_study_can_declare_another_measure_or_some_targets(study):
    found = rows(study, primary=Primary(measure="quality"))
    assert found[0]["measure"] == "quality"
    assert {row["measure"] for row in found if row["analysis"] == "secondary"} == {"ert"}
    found = rows(study, primary=Primary(targets=[0.1]))
    assert (found[0]["target"], found[0]["n_cells"]) == (0.1, 40)
    with pytest.raises(UserError, match=r"primary\.measure: there is no tested measure 'erd'; choose from ert, quality"):
        rows(study, primary=Primary(measure="erd"))
    with pytest.raises(UserError, match="has no target or budget 3; it has"):
        rows(study, primary=Primary(targets=[3]))


def test_sentences_say_what_the_columns_say(study):
    found = rows(study)
    for row in found:
        if row["algorithm_a"] is None:
            continue
        if row["significant"]:
            better = row["algorithm_a"] if row["effect"] > 0 else row["algorithm_b"]
            assert row["text"].startswith(f"{better} is better than ")
            assert row["effect_low"] > 0 or row["effect_high"] < 0
        else:
            assert "no difference is shown" in row["text"]
            assert row["effect_low"] <= 0 <= row["effect_high"]
    assert "a1 has the largest mean net share of wins" in found[0]["text"]
    assert found[0]["text"].endswith("Only a1 can be the best: every other one is shown to be worse than some algorithm.")


def test_an_interaction_of_algorithms_and_problems_gates_what_is_claimed():
    """With runs: where the order depends on the problem, a claim is of the mean; without, it says that none is shown."""
    rng = np.random.default_rng(6)
    noise, mixed = rng.normal(size=(40, 4, 5)), np.repeat(rng.normal(size=(10, 4, 1)), 4, axis=0)
    better = np.array([-2.0, 0, 0, 0])[:, None]
    for extra, population in ((0.0, "problems like these"), (mixed, "problems like these, on average")):
        about, *pairs = rows({"m": [design(noise + extra + better, problems=KEYS)]})
        assert {row["population"] for row in (about, *pairs)} == {population}
        assert pairs[0]["text"].startswith(f"a1 is better than a2 on {population}: ")
        assert f"differ on {population} (step-down" in about["text"]
        assert ("nothing is claimed about a single problem" in about["text"]) == ("average" in population)
    assert "more on some problems" not in rows({"m": [design(noise[:, :, :1], problems=KEYS)]})[0]["text"]
    # two targets, one of which shows it
    both = [design(noise, problems=KEYS, target=1.0), design(noise + mixed, problems=KEYS, target=0.1)]
    found = rows({"m": both})
    assert found[0]["population"].endswith("on average")
    # what is counted is said in the field's words: pairs where targets are pooled
    assert "over 10 clusters of 80 (problem, target) pairs" in found[0]["text"]
    assert any("over 10 clusters of 40 problems" in row["text"] for row in found[1:])
    assert {row["target"]: row["population"] for row in found[7:]} == {
        1.0: "problems like these",
        0.1: "problems like these, on average",
    }


def test_few_clusters_claim_nothing_and_say_why():
    few = {"m": [design(np.tile([1.0, 2.0, 3.0], (4, 1)))]}
    about, *pairs = rows(few)
    assert not any(row["significant"] for row in pairs)
    assert (
        "With so few clusters no pair can be decided, whatever the data: the smallest adjusted p that they allow is 0.125."
        in about["text"]
    )


@pytest.mark.parametrize("shape", [(0, 3, 1), (5, 1, 1), (1, 2, 1)])
def test_nothing_to_compare_is_told(shape):
    (first, *_) = rows({"m": [design(np.ones(shape))]})
    assert not first["significant"]
    assert "nothing can be" in first["text"]


def test_the_same_seed_gives_the_same_table(study):
    assert verdicts(study, Declaration()).equals(verdicts(study, Declaration()))
    assert rows({}) == []


@pytest.fixture(scope="module")
def size(monkeypatch_module):
    """The benchmark of sizes, with its cases."""
    folder = Path(__file__).parents[2] / "benchmarks/size"
    monkeypatch_module.syspath_prepend(str(folder))
    return runpy.run_path(str(folder / "verdicts.py"))


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.parametrize(
    "words",
    [
        "single, correlation 0.5",
        "single, correlation 0.5, six targets, 30 % failures",
        "replicated, interaction 1, correlation 0.5",
        "two equal, six in order, correlation 0.5",
        "two specialists, correlation 0.5",
    ],
)
def test_simulated_studies_say_little_that_is_false(size, words):
    """Forty studies of the benchmark: at 5 % more than six with a false statement have a chance of 0.3 %."""
    case = next(case for case in size["CASES"] if case.words == words)
    counts = size["shares"](case, range(40), 199)
    assert counts["anything"] <= 6
    assert counts["covered"] >= 38


def test_the_benchmark_decides_as_the_verdicts_do(size):
    words = "replicated, interaction 1, correlation 0.5, six targets, 30 % failures"
    case = next(case for case in size["CASES"] if case.words == words)
    study = size["simulate"](case, 3)
    decided = size["decide"](study, 3, 9999)
    found = verdicts({"m": study.designs()}, Declaration(permutations=9999, seed=3)).to_pylist()
    p = {
        (analysis, about): [
            row["p_adjusted"] for row in found if row["analysis"] == analysis and (row["algorithm_a"] is None) == (about == "all")
        ]
        for analysis in ("primary", "secondary")
        for about in ("all", "pairs")
    }
    assert p["primary", "all"] == [decided.equal]
    assert p["primary", "pairs"] == decided.pairs.p_adjusted.tolist()
    assert p["secondary", "all"] == decided.pairs_secondary.min(axis=1).tolist()
    assert p["secondary", "pairs"] == decided.pairs_secondary.ravel().tolist()


def test_nothing_is_said_of_pairs_unless_the_algorithms_are_shown_to_differ():
    """One of four always wins against another: p of that pair is 2 / 1024, and that of all algorithms is not small."""
    x = np.tile(np.arange(3.0), (10, 1))
    x[::2] = x[::2, ::-1]
    x = np.column_stack([x, x[:, 1] + 0.5])
    about, *pairs = rows({"m": [design(x, problems=[{"problem": f"f{i}"} for i in range(10)])]})
    alone = {(row["algorithm_a"], row["algorithm_b"]): row["p"] for row in pairs}
    assert alone["a2", "a4"] == 2 / 1024
    assert about["p"] > 0.05
    assert not any(row["significant"] for row in pairs)
    assert {row["p_adjusted"] >= about["p"] for row in pairs} == {True}
    assert all(row["effect_low"] <= 0 <= row["effect_high"] for row in pairs)
    assert about["text"].endswith("So nothing is said about pairs, and any of them can be the best.")
    (ranks,) = {
        (row["rank_low"], row["rank_high"], row["can_be_best"])
        for row in rank_sets(
            primary({"m": [design(x, problems=[{"problem": f"f{i}"} for i in range(10)])]}, Declaration())
        ).to_pylist()
    }
    assert ranks == (1, 4, True)


def test_all_secondary_statements_are_one_family_behind_the_primary_one(study):
    """Adjusted as the columns of one matrix, whose rows are the clusters of all measures; shut where the primary one is."""
    found = [row for row in rows(study) if row["analysis"] == "secondary"]
    every = [*study["ert"], *study["quality"]]
    d = np.hstack([means(net_wins(one.values), np.arange(40) // 4) for one in every])
    together = flips(d, np.random.default_rng(0)).p_adjusted
    gate = rows(study)[0]["p"]
    pairs = [row for row in found if row["algorithm_a"]]
    assert [row["p_adjusted"] for row in pairs] == pytest.approx(np.maximum(together, gate))
    about = [row for row in found if row["algorithm_a"] is None]
    least = np.maximum(together, gate).reshape(3, 6).min(axis=1)
    assert [row["p_adjusted"] for row in about] == pytest.approx(least)
    assert [row["significant"] for row in about] == (least <= 0.05).tolist()
    shut = {"quality": [of(4, at_budget=100.0)], "ert": study["ert"]}
    about, *rest = rows(shut)
    assert not about["significant"]
    assert not any(row["significant"] for row in rest)
    assert {row["text"].partition(": ")[2] for row in rest if row["algorithm_a"] is None} == {
        "nothing is claimed, since the primary analysis does not show that the algorithms differ."
    }


def test_cells_that_are_left_out_are_told():
    made = design(np.arange(24.0).reshape(8, 3), problems=[{"problem": f"f{i}"} for i in range(8)], n_left_out=4)
    text = verdicts({"m": [made]}, Declaration(permutations=199)).to_pylist()[0]["text"]
    assert "over 8 clusters of 8 problems (4 more left out because an algorithm has no run there)" in text


def test_runs_that_ended_before_others_succeeded_are_told():
    """The first of two equal algorithms is stopped at 1, the other one at 3."""
    rng, limit = np.random.default_rng(2), np.array([1.0, 3.0])[None, :, None]
    time = rng.exponential(size=(12, 2, 5))
    values, budgets = np.where(time <= limit, time, np.inf), np.where(time <= limit, np.nan, limit)
    keys = [{"problem": f"f{i}"} for i in range(12)]
    n = sum(bool(np.isinf(values[i, 0]).any() and (np.isfinite(values[i, 1]) & (values[i, 1] > 1)).any()) for i in range(12))
    assert n > 2
    every, pair = verdicts({"m": [design(values, problems=keys, budgets=budgets)]}, Declaration(permutations=199)).to_pylist()[:2]
    assert every["text"].startswith(f"Budgets differ: on {n} of 12 problems runs of a1 were stopped before another algorithm ")
    told = f"Budgets differ: a1 was stopped before a2 succeeded on {n} of 12 problems, and counts as worse there. "
    assert pair["text"].startswith(told)
    # of two that were each stopped before the other one succeeded both are told, and once that budgets differ
    limit = np.where(np.arange(12)[:, None, None] < 6, limit, limit[:, ::-1])
    values, budgets = np.where(time <= limit, time, np.inf), np.where(time <= limit, np.nan, limit)
    pair = verdicts({"m": [design(values, problems=keys, budgets=budgets)]}, Declaration(permutations=199)).to_pylist()[1]
    assert pair["text"].count("Budgets differ") == 1
    assert pair["text"].startswith("Budgets differ: a2 was stopped before a1 succeeded on ")
    assert ", and counts as worse there. a1 was stopped before a2 succeeded on " in pair["text"]
    # with one limit for all nothing is told
    values, budgets = np.where(time <= 1, time, np.inf), np.where(time <= 1, np.nan, 1.0)
    found = verdicts({"m": [design(values, problems=keys, budgets=budgets)]}, Declaration(permutations=199)).to_pylist()
    assert not any("Budgets differ" in row["text"] for row in found)


def test_one_cost_of_several_runs_that_spent_less_in_vain_is_told():
    rows = [
        ("short", "f1", INF, 10.0), ("short", "f1", INF, 20.0), ("long", "f1", 25.0, 99.0), ("long", "f1", 40.0, 99.0),
        ("short", "f2", INF, 30.0), ("short", "f2", INF, 20.0), ("long", "f2", 25.0, 99.0), ("long", "f2", 40.0, 99.0),
        ("short", "f3", INF, None), ("short", "f3", INF, 20.0), ("long", "f3", 25.0, 99.0), ("long", "f3", 40.0, 99.0),
        ("short", "f4", 5.0, 10.0), ("short", "f4", INF, 10.0), ("long", "f4", INF, 99.0), ("long", "f4", INF, 99.0),
    ]  # fmt: skip
    costs = cost_rows([dict(zip(("algorithm", "problem", "cost", "budget"), row, strict=True)) for row in rows])
    # each run of short was followed to 20 or 30 at most, less than the mean of 32.5
    for aggregate in ("success_performance", "mean"):
        made = ratios(costs, measure="m", problem_keys=["problem"], aggregate=aggregate)
        found = {(r["problem"], r["algorithm"]): r["spent"] for r in made.to_pylist()}
        assert [found[f"f{i}", "short"] for i in (1, 2, 3)] + [found["f4", "long"]] == [20.0, 30.0, None, 99.0]
        assert found["f1", "long"] == 40
        text = verdicts({"m": from_ratios(made, measure="m")}, Declaration(permutations=199)).to_pylist()[0]["text"]
        assert text.startswith("Budgets differ: on 2 of 4 problems runs of short were stopped before ")
        counted = fit(made, measure="m").profile_measures.to_pylist()
        assert {row["algorithm"]: row["n_stopped"] for row in counted} == {"long": 0, "short": 2}


def test_a_measure_without_the_control_is_named():
    few = replace(of(3), treatments=["b1", "a2", "a3", "a4"])
    with pytest.raises(UserError, match="control: the measure 'few' has no run of 'a1', with which others are compared"):
        verdicts({"m": [of(1)], "few": [few]}, Declaration(control="a1", permutations=199))


def test_a_family_says_what_is_pooled():
    of_kind = {"targets": [{"target": 1.0}, {"target": 0.1}], "budgets": [{"at_budget": 9.0}, {"at_budget": 99.0}],
               "parts": [{"stratum": "dimension 2"}, {"stratum": "dimension 3"}]}  # fmt: skip
    for word, parts in of_kind.items():
        found = rows({"m": [of(seed, **more) for seed, more in enumerate(parts)]}, permutations=199)
        assert found[1]["family"] == f"all pairs, {word} pooled"
        assert f"2 {word} pooled" in found[0]["text"]


def test_where_they_beat_each_other_in_a_circle_none_can_be_the_best():
    ranks = np.array([[1.0, 2, 3], [3, 1, 2], [2, 3, 1]])
    x = np.tile(ranks, (200, 1))[:, :, None]
    # some clusters speak for the first alone, so that the gate opens
    x = np.concatenate([x, np.tile([[1.0, 2, 3]], (60, 1))[:, :, None]])
    keys = [{"suite": "s", "problem": f"f{i}"} for i in range(len(x))]
    every = verdicts({"m": [design(x, problems=keys)]}, Declaration(permutations=9999)).to_pylist()[0]["text"]
    assert "differ on problems like these" in every
    assert every.endswith(" None of them can be the best: each is shown to be worse than another.")


def test_of_several_with_the_largest_share_of_wins_all_are_named():
    x = np.tile([[1.0, 1.0, 2.0]], (12, 1))[:, :, None]
    keys = [{"suite": "s", "problem": f"f{i}"} for i in range(len(x))]
    every = verdicts({"m": [design(x, problems=keys)]}, Declaration()).to_pylist()[0]["text"]
    assert " a1 has the largest mean net share of wins (0.500, shared with a2) and is better than a3 by " in every


def test_a_crash_was_stopped_by_no_budget():
    """B crashes after 3 s where A takes 40 s; on half of the problems B is stopped at 30 s."""
    rows = [
        {"algorithm": name, "problem": f"f{p}", "run": run, "cost": 40.0 if name == "A" else INF}
        | ({"budget": 30.0} if p < 3 else {"budget": 3.0, "crashed": name == "B"})
        for p in range(6)
        for name in "AB"
        for run in (1, 2)
    ]
    costs = cost_rows(rows)
    made = ratios(costs, measure="m", problem_keys=["problem"], aggregate="success_performance")
    replicated = from_costs(costs, measure="m", blocks=["problem"])
    assert np.isnan(replicated[0].budgets[3:]).all()
    for designs in (from_ratios(made, measure="m"), replicated):
        text = verdicts({"m": designs}, Declaration(permutations=199)).to_pylist()[0]["text"]
        assert text.startswith("Budgets differ: on 3 of 6 problems runs of B were stopped before ")
    counted = fit(made, measure="m").profile_measures.to_pylist()
    assert {row["algorithm"]: row["n_stopped"] for row in counted} == {"A": 0, "B": 3}
    assert {row["algorithm"]: row["n_stopped"] for row in leaders({"m": made}).to_pylist()} == {"A": 0, "B": 3}
    with pytest.raises(UserError, match="crashed before it had spent one"):
        from_costs(costs, measure="m", blocks=["problem"], failure=10.0)
    # a limit is known of those that crashed as well, and what a failure counts is no success
    cost = [20.0 if row["cost"] < INF else INF for row in rows]
    limit = [30.0 if one < INF else None for one in cost]
    limited = schema.replaced(costs, cost=cost, limit=limit, budget=[30.0] * len(rows))
    (punished,) = from_costs(limited, measure="m", blocks=["problem"], failure=10.0)
    assert {*punished.values[:, 1].ravel()} == {300.0}
    assert "Budgets differ" not in verdicts({"m": [punished]}, Declaration(permutations=199)).to_pylist()[0]["text"]


def test_an_expected_running_time_beyond_the_budget_of_all_is_no_longer_run():
    """All runs have the same budget; one algorithm succeeds in one of three."""
    rows = [
        {"algorithm": name, "problem": f"f{p}", "run": run, "cost": cost, "budget": 100.0}
        for p in range(6)
        for name, run, cost in (("a", 1, INF), ("a", 2, INF), ("b", 1, 50.0), ("b", 2, INF), ("b", 3, INF))
    ]
    made = ratios(cost_rows(rows), measure="m", problem_keys=["problem"], aggregate="ert")
    assert {row["cost"] for row in made.to_pylist()} == {INF, 250}
    assert not any(row["n_stopped"] for row in fit(made, measure="m").profile_measures.to_pylist())
    found = verdicts({"m": from_ratios(made, measure="m")}, Declaration(permutations=199)).to_pylist()
    assert not any("Budgets differ" in row["text"] for row in found)


def test_a_stratum_in_which_an_algorithm_has_no_run_is_not_compared():
    costs = [
        {"algorithm": name, "problem": f"f{n}", "dimension": dimension, "target": 1.0, "cost": 1.0 + "ABC".index(name)}
        for name in "ABC"
        for n in range(8)
        for dimension in (2, 10)
        if (name, dimension) != ("B", 10)
    ]
    table = ratios(cost_rows(costs, "ert"), measure="ert", aggregate="ert", missing="common")
    found = rows({"ert": from_ratios(table, measure="ert", stratify=["dimension"])}, permutations=199)
    there, absent = ([row for row in found if row["stratum"] == f"dimension {d}" and row["algorithm_a"]] for d in (2, 10))
    assert [row["effect"] for row in there] == [1.0, 1.0, 1.0]
    assert {row["p_adjusted"] for row in absent} == {row["p"] for row in absent} == {row["effect"] for row in absent} == {None}
    assert absent[0]["text"] == "A and B: not compared, as there is no problem on which all algorithms have runs."
    # nothing was tested there, so the p values of the others are those that they have alone
    alone = rows({"ert": from_ratios(table, measure="ert", stratify=["dimension"])[:1]}, permutations=199)
    assert [row["p"] for row in there] == [row["p"] for row in alone if row["analysis"] == "primary" and row["algorithm_a"]]


def test_the_control_may_be_told_by_a_pattern():
    made = {"m": [design(np.arange(24.0).reshape(8, 3), problems=[{"problem": f"f{i}"} for i in range(8)])]}
    plain, found = (verdicts(made, Declaration(control=name, permutations=199)) for name in ("a2", "*2"))
    assert found.equals(plain)
    for name, told in (
        ("a*", "'a[*]' fits a1, a2, a3; name one"),
        ("b*", "there is no algorithm 'b[*]'; choose from a1, a2, a3"),
    ):
        with pytest.raises(UserError, match=told):
            verdicts(made, Declaration(control=name, permutations=199))


def test_a_pair_has_one_p_in_the_table_of_comparisons_and_in_the_verdicts_whatever_is_tested_beside_it():
    described = [{"suite": "s", "problem": f"f{i}"} for i in range(25)]
    x = np.random.default_rng(5).normal(size=(2, 25, 4))
    # the second measure lacks two problems
    tested = {"ert": [design(x[0], problems=described)], "rate": [design(x[1, 2:], problems=described[2:])]}
    limit = {"permutations": 10_000}
    stated = {(row["measure"], row["algorithm_a"], row["algorithm_b"]): row["p"] for row in rows(tested, **limit)}
    for measure, designs in tested.items():
        options = Options(comparisons=["net_wins"], **limit)
        for row in analyse(designs, measure=measure, options=options)["comparisons"].to_pylist():
            assert row["p"] == stated[measure, row["algorithm_a"], row["algorithm_b"]]
    # and all algorithms together, of the primary measure
    (test,) = analyse(tested["ert"], measure="ert", options=Options(methods=["cluster_permutation"], **limit))[
        "tests"
    ].to_pylist()
    assert test["p"] == stated["ert", None, None]
