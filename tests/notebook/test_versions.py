"""Two versions of a solver: every number against plain pandas and NumPy, and what must be told instead of a number."""

import json
import os
import runpy
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import benchmill as bm
from benchmill.inference.moderated import moderated
from benchmill.versions.sentences import SCHEMA

BENCHMARKS = Path(__file__).parents[2] / "benchmarks/versions"
INSTANCES = runpy.run_path(str(BENCHMARKS / "instances.py"))
PAIRS = runpy.run_path(str(BENCHMARKS / "pairs.py"))
REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
real = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA names no folder of real logs")
RULE = "regression>5%,wrong,lost,missing"
COLUMNS = {"algorithm": "solver", "cost": "seconds", "outcome": "state", "run": "seed"}
OPTIONS = {
    "format": "table",
    "columns": COLUMNS,
    "time_limit": 100,
    "outcomes": {"ok": "solved", "timeout": "time_limit", "bad": "wrong"},
}


def frame(seconds, seeds=1, solver="S"):
    """A table of runs: seconds of each problem (and seed), 100 = the limit."""
    seconds = np.asarray(seconds, float).reshape(-1, seeds)
    rows = [
        (solver, f"p{i}", seed + 1, min(seconds[i, seed], 100.0), "timeout" if seconds[i, seed] >= 100 else "ok")
        for i in range(len(seconds))
        for seed in range(seeds)
    ]
    return pd.DataFrame(rows, columns=["solver", "problem", "seed", "seconds", "state"])


def compare(folder, base, new, base_options=None, new_options=None, **asked):
    paths = []
    for name, data in (("base.csv", base), ("new.csv", new)):
        paths.append(folder / name)
        data.to_csv(paths[-1], index=False)
    options = [
        {key: value for key, value in {**OPTIONS, **(own or {})}.items() if value is not None}
        for own in (base_options, new_options)
    ]
    for own in options:
        own.pop("format")
    found = bm.compare_versions(*paths, format="table", base_options=options[0], new_options=options[1], **asked).judged(RULE)
    jsonschema.validate(json.loads(json.dumps(found.found, allow_nan=False)), SCHEMA)
    return found


def reach(sums, level=0.95):
    """How far the interval reaches below and above: Student's, and what skewness takes from it on its side (Hall 1992)."""
    n, t = len(sums), stats.t.ppf((1 + level) / 2, len(sums) - 1)
    skewness = stats.skew(sums)
    farther = abs(skewness) * (2 * t**2 + 1) / (6 * n**0.5) + skewness**2 * (5 * t**3 + 3 * t) / (27 * n)
    error = np.std(sums, ddof=1) / n**0.5
    return error * (t + farther * (skewness < 0)), error * (t + farther * (skewness > 0))


def interval(base, new, shift=10.0, level=0.95):
    """The interval of a ratio of shifted geometric means, by the delta method, one problem a cluster."""
    logs = np.log(np.column_stack([base, new]) + shift)
    means = np.exp(logs.mean(axis=0)) - shift
    influence = (logs - logs.mean(axis=0)) * (means + shift) / means
    below, above = reach(influence[:, 1] - influence[:, 0], level)
    ratio = means[1] / means[0]
    return ratio, ratio * np.exp(-below), ratio * np.exp(above)


@pytest.fixture
def times():
    rng = np.random.default_rng(3)
    base = rng.lognormal(2, 1, 30)
    return base, base * rng.lognormal(0.3, 0.2, 30)


def test_the_ratio_and_its_interval(tmp_path, times):
    base, new = (np.minimum(one, 100) for one in times)
    found = compare(tmp_path, frame(base), frame(new)).found
    solved = (base < 100) | (new < 100)
    expected = interval(base[solved], new[solved])
    assert found["ratio"]["instances"] == solved.sum()
    assert [found["ratio"][key] for key in ("ratio", "low", "high")] == pytest.approx(expected)
    bracket = next(one for one in found["subsets"] if one["subset"] == "[10, limit]")
    inside = solved & (np.maximum(base, new) >= 10)
    assert [bracket[key] for key in ("ratio", "low", "high")] == pytest.approx(interval(base[inside], new[inside]))


@pytest.mark.parametrize("zero", ["base", "new"])
def test_of_times_that_are_all_0_nothing_is_a_multiple(tmp_path, zero):
    some, none = frame(np.linspace(1, 3, 30)), frame(np.zeros(30))
    found = compare(tmp_path, *((none, some) if zero == "base" else (some, none)))
    ratio = found.found["ratio"]
    assert (ratio[zero], ratio["ratio"], ratio["low"]) == (0, None if zero == "base" else 0, None)
    assert "a mean is 0, of which nothing is a multiple" in found.text


def test_turned_round_the_ratio_is_turned_round(tmp_path, times):
    one = compare(tmp_path, frame(times[0]), frame(times[1])).found["ratio"]
    other = compare(tmp_path, frame(times[1]), frame(times[0])).found["ratio"]
    assert (1 / other["ratio"], 1 / other["high"], 1 / other["low"]) == pytest.approx((one["ratio"], one["low"], one["high"]))


def test_the_slowdown_that_would_have_been_seen(tmp_path, times):
    """By the noncentral t: the estimate exceeds the threshold with the chance that is wanted, whatever was found."""
    ratio = compare(tmp_path, frame(times[0]), frame(times[1])).found
    df = ratio["ratio"]["clusters"] - 1
    below, above = np.log([ratio["ratio"]["ratio"] / ratio["ratio"]["low"], ratio["ratio"]["high"] / ratio["ratio"]["ratio"]])
    error = min(below, above) / stats.t.ppf(0.975, df)
    effect = np.log(ratio["power"]["seen"]) / error
    assert stats.nct.sf(below / error, df, effect) == pytest.approx(0.8, abs=0.02)
    assert ratio["power"]["hidden"] == ratio["ratio"]["high"]


def test_a_regression_is_met_by_the_lower_end(tmp_path):
    rng = np.random.default_rng(0)
    base = rng.uniform(20, 40, 40)
    clear = compare(tmp_path, frame(base), frame(base * rng.uniform(1.15, 1.25, 40)))
    assert clear.found["met"] == [
        f"regression>5%: the interval of the ratio begins at {clear.found['ratio']['low']:.2f}, above 1.05."
    ]
    unclear = compare(tmp_path, frame(base), frame(base * rng.lognormal(0.06, 0.5, 40)))
    assert unclear.found["met"] == [] or unclear.found["lost"]
    assert compare(tmp_path, frame(base), frame(base * 1.02 * rng.uniform(0.99, 1.01, 40))).found["met"] == []


def test_four_families_that_change_alike_decide_all_the_same(tmp_path):
    base = np.random.default_rng(4).uniform(10, 30, 36)
    families = {f"p{i}": f"{'abcd'[i % 4]}-{i}" for i in range(36)}
    tables = [frame(base * factors) for factors in (1.0, np.tile([2.0, 2.3, 1.8, 2.6], 9))]
    v = compare(tmp_path, *(table.assign(problem=table["problem"].map(families)) for table in tables))
    assert v.found["met"]
    assert "the 4 families are the clusters" in v.text
    assert "decide nothing" not in v.text


def test_lost_gained_and_wrong_are_listed_with_their_lines(tmp_path):
    base, new = frame([5, 5, 100, 5, 100]), frame([5, 100, 5, 5, 100])
    new.loc[3, "state"] = "bad"
    found = compare(tmp_path, base, new)
    by = {
        kind: [(row["instance"], row["base"], row["new"], row["new_place"]) for row in found.found[kind]]
        for kind in ("wrong", "lost", "gained")
    }
    assert by == {
        "wrong": [("p3", "solved", "wrong", "new.csv:5")],
        "lost": [("p1", "solved", "time limit", "new.csv:3"), ("p3", "solved", "wrong", "new.csv:5")],
        "gained": [("p2", "time limit", "solved", "new.csv:4")],
    }
    assert [one.partition(":")[0] for one in found.found["met"]] == ["wrong", "lost"]
    parts = [found.text.index(f"### {heading}") for heading in ("Wrong answers", "Solved", "How fast")]
    assert parts == sorted(parts)
    assert list(found.changes["change"]) == ["wrong", "lost", "lost", "gained"]


def test_a_wrong_answer_of_both_is_not_new(tmp_path):
    both = frame([5, 5, 5])
    both.loc[1, "state"] = "bad"
    found = compare(tmp_path, both, both.assign(seconds=[5, 5, 6])).found
    assert found["wrong"] == []
    assert found["met"] == []


def claims(values, base=None, seeds=1):
    """A table of runs that all state an optimum."""
    values = np.asarray(values, float)
    made = frame(np.linspace(5, 9, values.size) if base is None else base, seeds)
    return made.assign(state=np.where(made["state"] == "ok", "optimal", made["state"]), objective=values.ravel())


CLAIMS = {"outcomes": {"optimal": "solved", "timeout": "time_limit"}}


def answered(folder, base, new, **asked):
    return compare(folder, base, new, CLAIMS, CLAIMS, **asked).judged("wrong").found


def test_two_optima_that_differ_contradict_each_other(tmp_path):
    """As in logs: beyond the tolerance of 1e-4, relative to the larger one."""
    values = np.array([90.0, 3, 4])
    found = answered(tmp_path, claims(values), claims(values * [1.3, 1, 1.00005]), objective="objective")
    assert found["met"] == ["wrong: 1 answer of NEW is wrong or contradicts another."]
    assert found["contradictions"] == ["p0: BASE states the optimum 90 (base.csv:2), NEW the optimum 117 (new.csv:2)"]
    found = answered(tmp_path, claims(values), claims(values), objective="objective")
    assert (found["met"], found["undecided"]) == ([], [])
    assert found["not_met"] == ["wrong: answers of NEW to 3 instances agree with what is known."]
    assert found["answers"] == {"given": 3, "checked": 3, "unchecked": [], "alone": [], "doubtful": []}


def test_a_word_that_all_runs_have_claims_an_optimum_too(tmp_path):
    """The column of outcomes is proposed where all its words are `Optimal`: beside an objective they can be checked."""
    for name, values in (("base", [90.0, 3, 4]), ("new", [117.0, 3, 4])):
        claims(values).replace("optimal", "Optimal").to_csv(tmp_path / f"{name}.csv", index=False)
    found = bm.compare_versions(tmp_path / "base.csv", tmp_path / "new.csv", objective="objective").judged("wrong").found
    assert found["met"] == ["wrong: 1 answer of NEW is wrong or contradicts another."]


def test_what_nothing_was_there_to_check_with_is_undecided(tmp_path):
    """No objective; an objective on one side; and words that claim no optimum."""
    values = np.array([90.0, 3, 4])
    told = "There is nothing to check the 3 answers of NEW against (p0, p1 and p2): neither a best-known value"
    bare = claims(values).drop(columns="objective")
    for base, new, asked in (
        (bare, bare, {}),
        (bare.assign(objective=np.nan), claims(values), {"objective": "objective"}),
        (claims(values), bare.assign(objective=np.nan), {"objective": "objective"}),
    ):
        found = answered(tmp_path, base, new.assign(seconds=[6.0, 7, 8]), **asked)
        assert (found["met"], found["not_met"]) == ([], [])
        assert found["undecided"][0].startswith(f"wrong: not checked. {told}")
    base, new = claims(values).replace("optimal", "ok"), claims(values * 2).replace("optimal", "ok")
    found = compare(tmp_path, base, new, {"outcomes": {"ok": "solved"}}, {"outcomes": {"ok": "solved"}}, objective="objective")
    assert found.judged("wrong").found["undecided"]


def test_runs_of_one_side_can_contradict_each_other(tmp_path):
    """Of NEW it is a wrong answer; of BASE nobody knows which of its answers NEW should agree with."""
    times = np.linspace(5, 9, 6)
    one = claims([90.0, 90, 3, 3, 4, 4], times, 2)
    other = claims([90.0, 117, 3, 3, 4, 4], times, 2)
    found = answered(tmp_path, one, other, objective="objective")
    assert len(found["met"]) == 1
    found = answered(tmp_path, other, one, objective="objective")
    assert (found["met"], found["not_met"]) == ([], [])
    assert "p0: BASE states the optimum 90 (base.csv:2), BASE the optimum 117 (base.csv:3)" in found["undecided"][0]
    assert found["answers"]["checked"] == 2


def test_best_known_values_judge_the_answers_of_both(tmp_path):
    values = np.array([90.0, 3, 4])
    (tmp_path / "known.csv").write_text("problem,value,bound\np0,117,117\np1,3,3\np2,4,4\n", "utf-8")
    (tmp_path / "known.solu").write_text("=opt= p0 117\n=opt= p1 3\n=opt= p2 4\n", "utf-8")
    asked = {"objective": "objective", "best_known": tmp_path / "known.csv"}
    found = answered(tmp_path, claims(values * [1.3, 1, 1]), claims(values), **asked)
    assert [one["instance"] for one in found["wrong"]] == ["p0"]
    assert len(found["met"]) == 1
    # a wrong answer of both is not new, one of BASE alone is none of NEW, and none need BASE's to be checked
    for best_known in ("known.csv", "known.solu"):
        asked = {"objective": "objective", "best_known": tmp_path / best_known}
        assert answered(tmp_path, claims(values), claims(values, [6, 7, 8]), **asked)["met"] == []
        found = answered(tmp_path, claims(values), claims(values * [1.3, 1, 1]), **asked)
        assert (found["met"], found["undecided"]) == ([], [])
        base = claims(values).assign(objective=np.nan)
        assert answered(tmp_path, base, claims(values * [1.3, 1, 1]), **asked)["answers"]["checked"] == 3


def test_an_answer_that_new_alone_gives_is_named_as_unchecked(tmp_path):
    values = np.array([90.0, 3, 4])
    found = answered(tmp_path, claims(values, [100, 6, 7]), claims(values), objective="objective")
    assert found["undecided"] == []
    assert found["answers"]["alone"] == ["p0"]
    assert "There is nothing to check 1 of 3 answers of NEW against, which NEW alone gives, (p0)" in found["not_met"][0]
    nothing = answered(tmp_path, claims(values, [100] * 3), claims(values), objective="objective")
    assert len(nothing["undecided"]) == 1
    none = answered(tmp_path, claims(values), claims(values, [100] * 3), objective="objective")
    assert none["not_met"] == ["wrong: NEW gives no answer."]


def test_with_seeds_a_loss_must_be_more_than_noise(tmp_path):
    rng = np.random.default_rng(1)
    base = rng.uniform(5, 90, (12, 10))
    # one run in a few instances
    noise = base.copy()
    noise[:3, 0] = 100
    found = compare(tmp_path, frame(base, 10), frame(noise, 10))
    assert len(found.found["lost"]) == 3
    assert not any(one.startswith("lost") for one in found.found["met"])
    # all runs of one
    lost = base.copy()
    lost[4] = 100
    found = compare(tmp_path, frame(base, 10), frame(lost, 10))
    assert [one["instance"] for one in found.found["lost"]] == ["p4"]
    p = stats.mannwhitneyu(np.zeros(10), np.ones(10), method="asymptotic").pvalue
    assert found.found["lost"][0]["p"] == pytest.approx(p * 12, rel=1e-6)
    assert any(one.startswith("lost") for one in found.found["met"])


def test_with_seeds_instances_are_tested_by_moderated_t_and_holm(tmp_path):
    """The tests themselves are held against their formulas in tests/inference/test_moderated.py."""
    rng = np.random.default_rng(2)
    base, new = rng.uniform(20, 40, (8, 5)), rng.uniform(20, 40, (8, 5))
    new[2] += 50
    new[6] -= 18
    found = compare(tmp_path, frame(base, 5), frame(new, 5)).found
    logs = np.log(np.stack([base, new], axis=1))
    mean = logs.mean(axis=2)
    tests = moderated(mean, logs.var(axis=2).sum(axis=1) * 5, np.full((8, 2), 5))
    order = np.argsort(tests.p, kind="stable")
    adjusted = np.empty(8)
    adjusted[order] = np.minimum(np.maximum.accumulate(tests.p[order] * np.arange(8, 0, -1)), 1)
    assert found["tested"] == 8
    assert {one["instance"]: one["p"] for one in found["instances"]} == pytest.approx({f"p{i}": adjusted[i] for i in range(8)})
    assert [one["instance"] for one in found["instances"] if one["beyond_noise"]] == ["p2", "p6"]
    low, high = tests.interval(0.95)
    ends = {one["instance"]: (one["low"], one["high"]) for one in found["instances"]}
    assert ends["p2"] == pytest.approx((np.exp(low[2]), np.exp(high[2])))


@pytest.fixture
def many():
    """Times of 120 instances in three runs, with a noise of a tenth."""
    return np.random.default_rng(4).lognormal(1, 0.5, (120, 1)) * np.random.default_rng(5).lognormal(0, 0.1, (120, 6))


def test_three_instances_that_are_twenty_times_slower_are_named_with_three_seeds(tmp_path, many):
    base, new = many[:, :3], many[:, 3:].copy()
    base[:3], new[:3] = base[:3] / 20, new[:3]
    found = compare(tmp_path, frame(base, 3), frame(new, 3))
    listed = found.found["instances"]
    assert {one["instance"] for one in listed[:3]} <= {one["instance"] for one in listed if one["beyond_noise"]}
    assert {one["instance"] for one in listed if one["beyond_noise"]} == {"p0", "p1", "p2"}
    # the largest of the others are there, too
    assert len(listed) >= 10
    assert "120 instances: 3 became worse and 0 better" in found.text
    rule = found.judged("slower>100%").found
    assert rule["met"][0].startswith("slower>100%: NEW needs more than 2 times as much, beyond noise, on 3 instances (")
    assert found.judged("slower>2500%").found["not_met"]
    assert compare(tmp_path, frame(base[:, 0]), frame(new[:, 0])).judged("slower>100%").found["undecided"]


def test_a_ratio_of_what_both_solve_does_not_pass_what_is_lost(tmp_path, times):
    """Without a limit a failure is in no ratio; with one it counts that."""
    base, new = frame(times[0]), frame(times[0])
    new.loc[:9, ["state", "seconds"]] = ["timeout", 100.0]
    found = compare(tmp_path, base, new, {"time_limit": None}, {"time_limit": None}).judged("regression>5%").found
    assert found["ratio"]["high"] == 1
    assert found["undecided"][0].startswith(
        "regression>5%: the ratio is of what both solve, and NEW never solves 9 instances (p0"
    )
    assert compare(tmp_path, base, new).judged("regression>900%").found["not_met"]


def test_slower_does_not_pass_what_is_lost(tmp_path, many):
    """The one instance that NEW still solves says nothing of the 119 that it does not."""
    lost = many[:, 3:].copy()
    lost[1:] = 100
    rule = compare(tmp_path, frame(many[:, :3], 3), frame(lost, 3)).judged("slower>100%").found
    assert rule["undecided"][0].startswith("slower>100%: how much more NEW needs on 119 instances (p1, p2")
    some = many[:, 3:].copy()
    some[1:, 0] = 100
    (told,) = compare(tmp_path, frame(many[:, :3], 3), frame(some, 3)).judged("slower>100%").found["undecided"]
    assert told.startswith("slower>100%: how much more NEW needs on 119 instances (p1, p2")
    assert told.endswith("is not known: it fails there, and BASE never does.")
    both = many[:, :3].copy()
    both[1:, 0] = 100
    (told,) = compare(tmp_path, frame(both, 3), frame(some, 3)).judged("slower>100%").found["not_met"]
    assert told.endswith(
        "none of 1 instance that NEW needs more than 2 times as much (119 of 120 not tested, as some run fails or is alone)."
    )


@pytest.mark.parametrize(
    ("seeds", "limit", "word"),
    [(1, True, "crash"), (2, True, "crash"), (3, True, "crash"), (3, False, "crash"), (3, True, "timeout"), (6, False, "bad")],
)
def test_an_instance_that_base_always_solves_and_new_never_is_lost(tmp_path, many, seeds, limit, word):
    """Whatever became of it, in however many runs, with a limit and without one."""
    base, new = frame(many[:, :seeds], seeds), frame(many[:, -seeds:], seeds)
    gone = new["problem"] == "p7"
    new.loc[gone, ["seconds", "state"]] = (1.0, word)
    own = {"outcomes": {"ok": "solved", "timeout": "time_limit", "bad": "wrong", "crash": "error"}}
    own |= {} if limit else {"time_limit": None}
    found = compare(tmp_path, base, new, base_options=own, new_options=own).judged("lost").found
    assert found["met"] == ["lost: NEW never solves 1 instance (p7) that BASE always solves."]


def test_a_crash_below_a_smaller_limit_is_a_loss(tmp_path):
    """BASE took 80 s of 100, NEW has 50: what stops at 50 is no loss, what crashes is one."""
    base, new = frame([80, 80, 10, 20]), frame([50, 1, 10, 20])
    new.loc[:1, "state"] = ["timeout", "crash"]
    outcomes = {"outcomes": {"ok": "solved", "timeout": "time_limit", "crash": "error"}}
    found = compare(tmp_path, base, new, base_options=outcomes, new_options={**outcomes, "time_limit": 50}).found
    assert [(one["instance"], one["base_share"], one["new_share"]) for one in found["lost"]] == [("p1", 1, 0)]


@pytest.mark.parametrize(
    ("word", "verdict", "told"),
    [("crash", "undecided", "NEW fails in some runs of 1 instance (p7), at no limit, where BASE"), ("timeout", "not_met", "")],
)
def test_a_crash_in_some_runs_is_undecided_and_a_run_at_its_limit_is_noise(tmp_path, many, word, verdict, told):
    base, new = frame(many[:, :5], 5), frame(many[:, -5:], 5)
    new.loc[new.index[new["problem"] == "p7"][:2], ["seconds", "state"]] = (1.0 if word == "crash" else 100.0, word)
    outcomes = {"outcomes": {"ok": "solved", "timeout": "time_limit", "crash": "error"}}
    found = compare(tmp_path, base, new, base_options=outcomes, new_options=outcomes).judged("lost").found
    (text,) = found[verdict]
    assert told in text


def test_a_loss_in_part_that_so_few_runs_cannot_show_is_undecided(tmp_path):
    base = np.full((3, 3), 10.0)
    new = base.copy()
    new[1, 0] = 100
    found = compare(tmp_path, frame(base, 3), frame(new, 3)).judged("lost").found
    assert found["met"] == found["not_met"] == []
    assert found["undecided"] == [
        "lost: NEW solves fewer of its runs of 1 instance (p1), and so few runs and instances cannot tell a loss from noise: the "
        "smallest p is 0.250."
    ]


@pytest.mark.parametrize("instances", [12, 120])
@pytest.mark.parametrize(("base_solves", "seeds"), [(2, 3), (1, 3), (2, 10)])
def test_the_loss_of_what_base_solves_at_times_is_undecided(tmp_path, instances, base_solves, seeds):
    """NEW can do no worse there, and no test could show it; a fall on six instances could be shown, and is where it is one."""
    base = np.full((instances, seeds), 10.0)
    base[7, base_solves:] = 100
    new = base.copy()
    new[7] = 100
    found = compare(tmp_path, frame(base, seeds), frame(new, seeds)).judged("lost").found
    assert found["met"] == found["not_met"] == []
    assert found["undecided"] == [
        "lost: NEW never solves 1 instance (p7) that BASE solves in some of its runs: so few runs cannot tell that from noise, "
        "and neither can the test of the 1 cluster whose share of solved runs has changed."
    ]
    # of as many gained as lost all could have been shown to be lost
    base[:3, 0] = 100
    new[4:6, 0] = 100
    found = compare(tmp_path, frame(base, seeds), frame(new, seeds)).judged("lost").found
    assert (found["met"], found["undecided"], len(found["not_met"])) == ([], [], 1)
    base[:3] = 10
    new[:3, 0] = 100
    assert compare(tmp_path, frame(base, seeds), frame(new, seeds)).judged("lost").found["met"]


def test_a_slowdown_is_ruled_out_of_the_typical_instance_only(tmp_path):
    """One in a hundred can be 20 times slower; the share that can be slower than any here is that of order statistics."""
    rng = np.random.default_rng(3)
    base = rng.uniform(2, 4, 100)
    new = base * rng.uniform(0.9, 1.1, 100)
    found = compare(tmp_path, frame(base), frame(new))
    hidden = found.found["hidden"]
    assert (hidden["beyond"], hidden["clusters"]) == (0, 100)
    assert hidden["largest"] == pytest.approx(max(new / base))
    # 100 draws miss a share of 2.95 % with a chance of 5 %
    assert (1 - hidden["share"]) ** 100 == pytest.approx(0.05)
    assert "Of the typical instance a slowdown larger than" in found.text
    assert "so at most 2.95 % of instances like these need more (95 %)" in found.text
    # of a time of 0 every ratio is infinite, and rules nothing out
    assert "∞" not in compare(tmp_path, frame([0.0, *base[1:]]), frame(new)).text
    new[[3, 5]] = 100
    hidden = compare(tmp_path, frame(base), frame(new)).found["hidden"]
    assert hidden["beyond"] == 2
    assert stats.binom.cdf(2, 100, hidden["share"]) == pytest.approx(0.05)


def test_noise_that_a_side_shares_is_told(tmp_path, times):
    """As simulated in benchmarks/versions/instances.py."""
    found = compare(tmp_path, frame(times[0]), frame(times[0] * np.random.default_rng(1).lognormal(0, 0.05, 30)))
    assert 0.05 < found.found["power"]["shared"] < 0.9
    assert "What all runs of a side share, such as the state of the machine, is not in the interval" in found.text
    simulated, said = INSTANCES["shared"](40, 0.1, 400, np.random.default_rng(2))
    assert said == pytest.approx(simulated, abs=3 * np.sqrt(0.25 / 400))


def test_unchanged_versions_far_from_the_limit_are_seldom_lost():
    """Of 40 comparisons without a change, 1 % of whose runs fail, at most 5 % and what chance allows (binomial, 1 in 1 000)."""
    alarms = runpy.run_path(str(BENCHMARKS / "lost_alarms.py"))["alarms"]
    share, _ = alarms(30, 3, 3.0, 0.3, 40, np.random.default_rng(1))
    assert share <= stats.binom.ppf(0.999, 40, 0.05) / 40


def test_without_seeds_nothing_is_claimed_of_an_instance(tmp_path, times):
    found = compare(tmp_path, frame(times[0]), frame(times[1]))
    assert len(found.found["instances"]) == 10
    assert not any(one["beyond_noise"] for one in found.found["instances"])
    assert "none is claimed" in found.text
    change = np.abs(np.log((np.minimum(times[1], 100) + 10) / (np.minimum(times[0], 100) + 10)))
    assert [one["instance"] for one in found.found["instances"]] == [f"p{i}" for i in np.argsort(-change, kind="stable")[:10]]


# ---- what must be told instead of a number --------------------------------------------------------------------------


def test_different_limits_are_told_and_both_cut_at_the_smaller_one(tmp_path):
    base, new = frame([10, 20, 80, 100]), frame([10, 20, 50, 100])
    new["seconds"] = new["seconds"].clip(upper=50)
    found = compare(tmp_path, base, new, new_options={"time_limit": 50}).found
    assert (found["base"]["solved"], found["new"]["solved"]) == (2, 3)
    assert found["ratio"]["ratio"] == pytest.approx(1)
    assert [(one["instance"], one["base"]) for one in found["gained"]] == [("p2", "later than the smaller limit")]
    assert "The limits differ on 4 instances (BASE 100, NEW 50)" in found["notes"][0]
    assert "1 run that took longer counts as failed" in found["notes"][0]


def test_instances_without_runs_are_told_and_can_fail(tmp_path, times):
    found = compare(tmp_path, frame(times[0]), frame(times[1]).iloc[:-2]).found
    assert found["only_base"] == ["p28", "p29"]
    assert found["notes"] == ["NEW has no run of 2 instances of BASE, left out of all numbers: p28 and p29."]
    assert any(one.startswith("missing") for one in found["met"])
    # a run that leaves no trace may have crashed
    told = "lost: NEW has no run of 2 instances of BASE. Of the others: NEW solves every instance that BASE solves, in no fewer"
    assert found["undecided"][-1].startswith(told)
    # it is told once, however many parts hang on it
    (both,) = compare(tmp_path, frame(times[0]), frame(times[0]).iloc[:-2]).judged("regression>5%,lost").found["undecided"]
    assert both.startswith("regression>5%, lost: NEW has no run of 2 instances of BASE. Of the others: the interval of the ratio")
    assert both.endswith("; NEW solves every instance that BASE solves, in no fewer of its runs.")


def test_no_regression_is_certified_without_the_instances_that_are_missing(tmp_path, times):
    """The slowest may be those that left no row."""
    found = compare(tmp_path, frame(times[0]), frame(0.9 * np.asarray(times[0])).iloc[:-2])
    (told,) = found.judged("regression>5%").found["undecided"]
    assert told.startswith(
        "regression>5%: NEW has no run of 2 instances of BASE. Of the others: the interval of the ratio begins"
    )
    slow = compare(tmp_path, frame(times[0]), frame(1.6 * np.asarray(times[0])).iloc[:-2])
    assert slow.judged("regression>5%").found["undecided"] == []


def test_a_run_that_left_no_trace_is_missing_and_fewer_seeds_of_all_are_not(tmp_path, times):
    base, new = (frame(np.repeat(one, 3), 3) for one in times[:2])
    lost = (new["problem"] == "p7") & (new["seed"] == 2)
    found = compare(tmp_path, base, new[~lost])
    assert found.found["fewer"] == ["p7"]
    assert "missing: NEW has fewer runs of 1 instance than BASE, and than of others." in found.found["met"]
    # a run that crashed may have left no row
    told = found.judged("lost").found["undecided"]
    (one,) = told
    assert one.startswith("lost: NEW has fewer runs of 1 instance than BASE, and than of others. Of the others: NEW solves every")
    assert "NEW has fewer runs of 1 instance than BASE, and than of others: p7." in found.found["notes"]
    found = compare(tmp_path, base, new[new["seed"] < 3])
    assert (found.found["fewer"], [one for one in found.found["met"] if "missing" in one]) == ([], [])


def test_what_reading_has_left_out_is_told(tmp_path, times):
    """A run with an impossible time, a cut last line: without a word they would be instances that nobody ran."""
    base, new = frame(times[0]), frame(times[1])
    new.loc[3, "seconds"] = -5.0
    notes = compare(tmp_path, base, new).found["notes"]
    assert notes[0] == "NEW has no run of 1 instance of BASE, left out of all numbers: p3."
    assert len(notes) == 2
    assert notes[1].startswith("NEW, as it was read: impossible_time (refused 1 time, first new.csv:5: ")
    text = frame(times[1]).to_csv(index=False)
    (tmp_path / "cut.csv").write_text(text[:-3])
    options = {key: value for key, value in OPTIONS.items() if key != "format"}
    found = bm.compare_versions(
        tmp_path / "base.csv", tmp_path / "cut.csv", format="table", base_options=options, new_options=options
    )
    assert "NEW, as it was read: cut\\_line (refused 1 time, first cut.csv:31: " in found.text


def test_nothing_is_solved_and_the_rule_cannot_be_decided(tmp_path):
    found = compare(tmp_path, frame([100] * 5), frame([100] * 5))
    assert found.found["ratio"]["ratio"] is None
    assert found.found["undecided"] == ["regression>5%: there is no interval of the ratio (no instance is solved by either)."]
    assert "There is no ratio" in found.text


def test_of_one_instance_there_is_no_interval(tmp_path):
    found = compare(tmp_path, frame([10]), frame([90])).found
    assert found["ratio"]["ratio"] == pytest.approx(9)
    assert found["ratio"]["low"] is None
    assert len(found["undecided"]) == 1


def test_a_copy_is_told(tmp_path, times):
    found = compare(tmp_path, frame(times[0]), frame(times[0]))
    assert "same contents, byte for byte" in found.found["notes"][0]
    assert "No cost differs at all" in found.text
    assert found.found["met"] == []


def test_the_same_runs_are_not_compared_with_themselves(tmp_path, times):
    path = tmp_path / "a.csv"
    frame(times[0]).to_csv(path, index=False)
    options = {key: value for key, value in OPTIONS.items() if key != "format"}
    with pytest.raises(bm.UserError, match="there is nothing to compare"):
        bm.compare_versions(path, path, format="table", base_options=options, new_options=options)


def test_costs_in_other_units_are_asked_about(tmp_path, times):
    found = compare(tmp_path, frame(times[0] / 1000), frame(times[0].clip(max=90)))
    assert any("about 1000 times" in note for note in found.found["notes"])
    assert not compare(tmp_path, frame(times[0]), frame(times[1])).found["notes"]


def test_no_common_instance(tmp_path):
    with pytest.raises(bm.UserError, match="no instance in common: BASE has 'p0', NEW has 'q0'"):
        compare(tmp_path, frame([1, 2]), frame([1, 2]).assign(problem=["q0", "q1"]))


def test_several_algorithms_must_be_named(tmp_path):
    two = pd.concat([frame([1, 2], solver="A"), frame([2, 3], solver="B")])
    with pytest.raises(bm.UserError, match=r"NEW: .*new.csv holds 2 algorithms \(A, B\); name one with --algorithm"):
        compare(tmp_path, frame([1, 2]), two)
    assert compare(tmp_path, frame([1, 2]), two, base_algorithm="S", algorithm="B").found["ratio"]["new"] == pytest.approx(
        2.49, abs=0.01
    )


@pytest.mark.parametrize("rule", ["regresion>5%", "regression>x%", "wrong,,lost", "lost,lost", ""])
def test_a_rule_that_is_none(tmp_path, rule):
    with pytest.raises(bm.UserError, match="--fail-on"):
        compare(tmp_path, frame([1, 2]), frame([1, 3])).judged(rule)


def test_hostile_names_do_nothing(tmp_path):
    name = "<script>alert(1)</script>|`@all`"
    data = [frame(times).replace({"p1": name, "S": name}) for times in ([5, 6], [5, 100])]
    found = compare(tmp_path, *data)
    assert "<script>" not in found.text
    assert "<script>" not in found.to_page()
    assert "<script>" not in found._repr_html_()
    assert "@all" not in found.text


def test_the_page_needs_nothing_else(tmp_path, times):
    page = compare(tmp_path, frame(times[0]), frame(times[1])).to_page()
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert len(page) < 100_000


# ---- real logs ------------------------------------------------------------------------------------------------------


@real
def test_two_solvers_of_paver():
    path = Path(REAL, "gams-trace/paver-globallib-linlib-miplib2010.tgz")
    limit = {"time_limit": 3600}
    found = bm.compare_versions(
        path, path, base_algorithm="Balin", algorithm="Bombur", base_options=limit, new_options=limit
    ).found
    trials = bm.read(path, **limit).trials
    wide = trials[trials["algorithm"].isin(["Balin", "Bombur"])].astype({"algorithm": str, "problem": str, "outcome": str})
    cost = wide.pivot(index="problem", columns="algorithm", values="cost")
    solved = np.isfinite(cost)
    assert (found["base"]["solved"], found["new"]["solved"]) == (solved["Balin"].sum(), solved["Bombur"].sum())
    assert len(found["lost"]) == (solved["Balin"] & ~solved["Bombur"]).sum()
    assert len(found["gained"]) == (~solved["Balin"] & solved["Bombur"]).sum()
    budget = wide.pivot(index="problem", columns="algorithm", values="cost_budget")
    common = budget.min(axis=1)
    charged = cost.where(solved, budget).clip(upper=common, axis=0)[solved.any(axis=1)]
    assert [found["ratio"][key] for key in ("ratio", "low", "high")] == pytest.approx(
        interval(charged["Balin"], charged["Bombur"])
    )


@real
def test_two_mip_solvers():
    path = Path(REAL, "mip-logs/mip-logs.tgz")
    base, new = "Gurobi 7.0.0 (MIPGap=0, Threads=1)", "MIPCL 1.3.1 (threads=1)"
    found = bm.compare_versions(path, path, base_algorithm=base, algorithm=new).found
    trials = bm.read(path, repetitions=True).trials.astype({"algorithm": str, "problem": str})
    cost = trials[trials["algorithm"].isin([base, new])].pivot(index="problem", columns="algorithm", values="cost").dropna()
    assert found["common"] == len(cost) == 5
    assert [found["ratio"][key] for key in ("ratio", "low", "high")] == pytest.approx(interval(cost[base], cost[new]))


def test_two_archives_of_coco_by_their_ert():
    """Against ERT = evaluations of all trials / successes, one target and problem at a time."""
    targets = [10.0, 1e-3]
    paths = ["data/bbob/Nelder-Mead.tar.xz", "data/bbob/Powell.tar.xz"]
    found = bm.compare_versions(*paths, measure={"kind": "fixed_target", "targets": targets}).found
    spent, successes = [], []
    for path in paths:
        runs = bm.read(path)
        trials, traces = runs.trials, runs.traces
        for target in targets:
            first = traces[traces["value"] <= target].groupby("trial", observed=True)["evaluations"].min()
            hit = trials.assign(hit=first.reindex(range(len(trials))).to_numpy(), target=target)
            hit["spent"] = hit["hit"].fillna(hit["budget"].astype(float))
            group = hit.astype({"problem": str}).groupby(["problem", "dimension", "target"])
            spent.append(group["spent"].sum())
            successes.append(group["hit"].count())
    ert = [pd.concat(spent[i : i + 2]) / pd.concat(successes[i : i + 2]) for i in (0, 2)]
    both = pd.concat(ert, axis=1, keys=["base", "new"])
    both = both[np.isfinite(both).all(axis=1)]
    assert found["ratio"]["instances"] == len(both)
    assert found["ratio"]["ratio"] == pytest.approx(np.exp(np.log(both["new"] / both["base"]).mean()))
    d = np.log(both["new"] / both["base"])
    sums = (d - d.mean()).groupby(level="problem").sum() * d.index.get_level_values("problem").nunique() / len(d)
    below = reach(sums.to_numpy())[0]
    assert found["ratio"]["low"] == pytest.approx(found["ratio"]["ratio"] * np.exp(-below))
    assert "targets on problems" in bm.compare_versions(*paths, measure={"kind": "fixed_target", "targets": [10.0]}).text


@pytest.mark.workflow
@pytest.mark.parametrize("kind", PAIRS["NAMED"])
def test_what_is_planted_is_named(kind):
    found, some = PAIRS["compared"](kind, 11)
    assert PAIRS["NAMED"][kind](found, some)
    expected = {
        "4 % on a third": {"class", "ratio"},
        "20 times on three": {"instance", "lost"},
        "a crash in all seeds": {"lost"},
        "a wrong answer": {"wrong"},
        "a missing instance": set(),
        "another machine": {"ratio", "class", "instance"},
    }
    assert {*PAIRS["alarms"](found)} <= expected[kind]


def test_classes_are_one_family_of_statements(tmp_path, times):
    """The ratio of each class is that of its own instances, with an interval of Bonferroni at half the error."""
    base, new = (np.minimum(one, 100) for one in times)
    classes = {f"p{i}": "even" if i % 2 == 0 else "odd" for i in range(30)}
    rows = compare(tmp_path, frame(base), frame(new), by=pd.Series(classes)).found["classes"]["rows"]
    assert [row["class"] for row in rows] == ["even", "odd"]
    for row, first in zip(rows, (0, 1), strict=True):
        which = (np.arange(30) % 2 == first) & ((base < 100) | (new < 100))
        expected = interval(base[which], new[which], level=1 - 0.05 / 4)
        assert [row[key] for key in ("ratio", "low", "high")] == pytest.approx(expected)
        assert row["base_solved"] == (base[which] < 100).sum()


def test_what_a_comparison_decides_does_not_hang_on_the_classes_that_it_shows(tmp_path):
    """Eight families of ten, each with a change of its own: over all, they are what the interval is about."""
    rng = np.random.default_rng(4)
    base = rng.uniform(5, 30, 80)
    new = np.minimum(base * np.repeat(np.exp(rng.normal(0.05, 0.2, 8)), 10) * np.exp(rng.normal(0, 0.02, 80)), 99)
    data = [frame(one).replace({"problem": {f"p{i}": f"f{i // 10}_{i % 10}" for i in range(80)}}) for one in (base, new)]
    plain, shown = (compare(tmp_path, *data, **by).found for by in ({}, {"by": "family"}))
    assert plain["ratio"]["clusters"] == 8
    assert shown["ratio"] == plain["ratio"]
    assert [shown[outcome] for outcome in ("met", "undecided", "not_met")] == [plain[o] for o in ("met", "undecided", "not_met")]
    assert {row["clusters"] for row in shown["classes"]["rows"]} == {10}


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("famly", "by: found 'famly', expected 'family', 'folder', 'suite'"),
        ({"p0": "a"}, "by: the problem 'p1' (29 in all) has no class; add it."),
        ({f"p{i}": "a" if i else None for i in range(30)}, "by: the problem 'p0' (1 in all) has no class; add it."),
        ("folder", "by: 'folder' assigns these problems to no classes"),
        (3, "by: found 3, expected 'family'"),
    ],
)
def test_classes_that_are_none(tmp_path, times, by, message):
    with pytest.raises(bm.UserError) as error:
        compare(tmp_path, frame(times[0]), frame(times[1]), by=by)
    assert message in str(error.value)


def test_changed_endings_are_counted_from_what_to_what(tmp_path):
    found = compare(tmp_path, frame([10, 20, 30, 100]), frame([10, 100, 100, 40])).found
    assert found["endings"] == [
        {"base": "solved", "new": "time limit", "instances": 2, "names": ["p1", "p2"]},
        {"base": "time limit", "new": "solved", "instances": 1, "names": ["p3"]},
    ]


def test_other_numbers_of_runs_are_no_other_ending(tmp_path):
    """Three runs at the limit and two at the limit end alike, and so do three and two that succeed."""
    base, new = frame([10, 11, 12, 100, 100, 100], 3), frame([10, 11, 100, 100], 2)
    found = compare(tmp_path, base, new).found
    assert (found["endings"], found["otherwise"]) == ([], [])


def test_what_is_no_cost_of_single_runs_is_refused_whatever_it_comes_from():
    rows = [(a, f"f{p}", 1, t, 10.0 / t) for a in "AB" for p in range(4) for t in (1, 4, 9)]
    values = bm.costs(pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"]), budgets=[5])
    with pytest.raises(bm.UserError, match="'quality' is of the kind fixed_budget, and versions are compared by kind='given'"):
        bm.compare_versions(values, values, base_algorithm="A", algorithm="B")


def test_nodes_do_not_depend_on_the_machine(tmp_path, times):
    """Twice as much on all instances: of times another machine may be why."""
    base = frame(times[0]).assign(nodes=range(100, 100 + len(times[0])))
    new = base.assign(seconds=2 * base["seconds"] + 0.01, nodes=2 * base["nodes"])
    options = {name: {"columns": {**COLUMNS, "nodes": "nodes"}} for name in ("base_options", "new_options")}
    for measure, asked in (("time", True), ("nodes", False)):
        (note,) = [one for one in compare(tmp_path, base, new, measure=measure, **options).found["notes"] if "same way" in one]
        assert note.endswith("Did both run on the same one?") == asked


def test_every_run_of_the_largest_changes_is_given(tmp_path):
    found = compare(tmp_path, frame([10, 11, 20, 21], seeds=2), frame([10, 12, 50, 100], seeds=2)).found
    first = found["instances"][0]
    assert (first["instance"], first["base_runs"], first["new_runs"]) == ("p1", [20.0, 21.0], [50.0, None])


def test_frames_runs_and_costs_are_compared_as_files_are(tmp_path, times):
    """What a file gives, a DataFrame, runs and costs give too."""
    base, new = frame(times[0]), frame(times[1])
    expected = compare(tmp_path, base, new).found
    columns = {
        "algorithm": "solver",
        "cost": "seconds",
        "status": "state",
        "run": "seed",
        "failed": {"timeout": "time_limit"},
        "limit": 100,
    }
    for given in (
        bm.compare_versions(base, new, base_options=columns, new_options=columns),
        bm.compare_versions(bm.read(base, **columns), bm.read(new, **columns)),
        bm.compare_versions(bm.costs(base, **columns, mean_shift=10), bm.costs(new, **columns, mean_shift=10)),
    ):
        assert {key: given.found[key] for key in ("ratio", "lost", "gained")}["ratio"] == expected["ratio"]
        assert [one["instance"] for one in given.found["lost"]] == [one["instance"] for one in expected["lost"]]
        jsonschema.validate(json.loads(json.dumps(given.found, allow_nan=False)), SCHEMA)
    with pytest.raises(bm.UserError, match="these runs are read already"):
        bm.compare_versions(bm.read(base, **columns), bm.read(new, **columns), base_options=columns)


def test_a_ratio_has_the_digits_that_its_verdict_needs():
    from benchmill.text.display import apart

    assert apart(1.012, 1.0038, 1.0213) == ["1.012", "1.004", "1.021"]
    assert apart(1.01, 0.9, 1.2) == ["1.01", "0.900", "1.20"]
    assert apart(1.0, 1.0, 1.0) == ["1.00", "1.00", "1.00"]
    assert apart(1.0502, limit=1.05) == ["1.0502"]


def test_a_class_of_which_all_is_lost_stands_among_the_classes(tmp_path):
    """Without limits a failure has no cost, and nothing of the class is solved by both."""
    base = np.exp(np.random.default_rng(5).normal(1, 0.5, 20))
    new = np.where(np.arange(20) < 10, base * 1.01, 100)
    classes = pd.Series({f"p{i}": "kept" if i < 10 else "gone" for i in range(20)})
    no_limit = {"time_limit": None}
    found = compare(tmp_path, frame(base), without_limits(new), no_limit, no_limit, by=classes)
    gone, kept = found.found["classes"]["rows"]
    assert (gone["class"], gone["instances"], gone["base_solved"], gone["new_solved"]) == ("gone", 0, 10, 0)
    # a class without a ratio widens no interval of the others
    (alone,) = compare(tmp_path, frame(base[:10]), without_limits(new[:10]), no_limit, no_limit, by=classes).found["classes"][
        "rows"
    ]
    assert [kept[key] for key in ("ratio", "low", "high")] == [alone[key] for key in ("ratio", "low", "high")]
    assert "Of gone nothing can be said: no instance is solved by both." in found.text


def test_why_nothing_is_said_of_a_class_of_which_no_limit_is_known(tmp_path):
    every = pd.Series({f"p{i}": "all" for i in range(4)})
    no_limit = {"time_limit": None}
    found = compare(tmp_path, frame([1, 2, 3, 4]), without_limits([100] * 4), no_limit, no_limit, by=every)
    assert "Of all nothing can be said: the limits of failed runs are not known." in found.text


def without_limits(seconds):
    """Those runs, of which a failed one states no time."""
    runs = frame(seconds)
    return runs.assign(seconds=runs["seconds"].where(runs["state"] == "ok"))
