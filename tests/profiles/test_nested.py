import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.core import UserError, seeds, step_functions
from benchmill.profiles import dolan_more, fit, nested
from benchmill.profiles.ratios import performance_ratios, ratios
from tests.costs.making import INF, matrix_costs
from tests.profiles.test_ratios import matrices
from tests.reproduction.tables import paper_table

#: Hekmati, Mirhajianmoghadam 2018, Table 1: solvers A, B, C by problems 1 to 5.
TIMES = np.array([float(r["time"]) for s in "ABC" for r in paper_table("hekmati2018_table1_times") if r["solver"] == s]).reshape(
    3, 5
)
TAU = [1, 1.2, 1.5, 5 / 3, 2, 2.5, 4, 5, 10, 20]

few = st.sampled_from([1.0, 2.0, 3.0, 4.0, INF])
small = (
    st.integers(1, 5)
    .flatmap(
        lambda n: st.integers(1, 5).flatmap(lambda p: st.lists(st.lists(few, min_size=p, max_size=p), min_size=n, max_size=n))
    )
    .map(np.array)
)


def literal(costs, k, rule):
    """The paper step by step, with the minimum over S' and the solver itself: (ratios of each wave, order, ties)."""
    n = costs.shape[0]
    left, order, of_wave, ties = list(range(n)), [], [], []
    for _ in range(k):
        r = np.full(costs.shape, INF)
        for p in range(costs.shape[1]):
            for s in range(n):
                smallest = min(costs[q, p] for q in {*left, s})
                r[s, p] = costs[s, p] / smallest if costs[s, p] < INF else INF
        of_wave.append(r)
        if rule == "wins":
            score = {s: -sum(r[s, p] == 1 for p in range(costs.shape[1])) for s in left}
        else:
            score = {s: (np.isinf(r[s]).sum(), round(r[s][np.isfinite(r[s])].sum(), 9)) for s in left}
        best = min(score.values())
        order.append(next(s for s in left if score[s] == best))
        ties.append(sum(v == best for v in score.values()) > 1)
        left.remove(order[-1])
    return of_wave, order, ties


@given(small, st.sampled_from(nested.RULES), st.data())
def test_waves_are_the_paper_step_by_step(costs, rule, data):
    k = data.draw(st.integers(1, costs.shape[0]))
    found = nested.waves(costs, k, rule=rule)
    expected, order, ties = literal(costs, k, rule)
    assert found.order.tolist() == order
    assert found.tied.tolist() == ties
    for wave in range(k):
        assert nested.wave_ratios(costs, found, wave) == pytest.approx(expected[wave])
    functions = nested.profile_functions(costs, found)
    tau = np.unique([1.0, 1.4, *(r for wave in expected for r in wave.ravel() if r < INF)])
    mean = np.mean([[[np.mean(row <= t * (1 + 1e-12)) for t in tau] for row in wave] for wave in expected], axis=0)
    assert step_functions.values(functions, tau) == pytest.approx(mean)


@given(matrices)
def test_one_wave_is_dolan_more(costs):
    found = nested.waves(costs, 1)
    r = performance_ratios(costs)[0]
    for mine, regular in zip(nested.profile_functions(costs, found), dolan_more.profile_functions(r), strict=True):
        assert np.array_equal(mine[0], regular[0])
        assert mine[1] == pytest.approx(regular[1])


@given(matrices, st.sampled_from(nested.RULES), st.data())
def test_scaling_a_problem_and_duplicating_all_change_nothing(costs, rule, data):
    scale = 2.0 ** np.array(data.draw(st.lists(st.integers(-20, 20), min_size=costs.shape[1], max_size=costs.shape[1])))
    plain = nested.waves(costs, rule=rule)
    for other in (nested.waves(costs * scale, rule=rule), nested.waves(np.hstack([costs, costs]), rule=rule)):
        assert other.order.tolist() == plain.order.tolist()
    functions = nested.profile_functions(costs, plain)
    tau = np.unique(np.concatenate([[1.0], *(f[0] for f in functions)]))
    expected = step_functions.values(functions, tau)
    scaled = nested.profile_functions(costs * scale, nested.waves(costs * scale, rule=rule))
    assert step_functions.values(scaled, tau) == pytest.approx(expected)
    doubled = np.hstack([costs, costs])
    twice = nested.profile_functions(doubled, nested.waves(doubled, rule=rule))
    assert step_functions.values(twice, tau) == pytest.approx(expected)


@given(matrices, st.randoms())
def test_permuting_problems_changes_nothing(costs, random):
    order = random.sample(range(costs.shape[1]), costs.shape[1])
    plain, permuted = nested.waves(costs), nested.waves(costs[:, order])
    assert plain.order.tolist() == permuted.order.tolist()


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_totals_kept_from_wave_to_wave_are_those_computed_afresh(number):
    rng = seeds.stream(number, "test")
    costs = np.where(rng.random((12, 40)) < 0.1, INF, np.exp(rng.normal(size=(12, 40)) * 3))
    weights = rng.random(40)
    found = nested.waves(costs, 12, weights=weights)
    left = np.ones(12, bool)
    for wave in range(12):
        r = performance_ratios(costs[left])[0]
        assert found.wins[wave, left] == pytest.approx(step_functions.reached(r, 1.0) @ weights)
        assert found.sums[wave, left] == pytest.approx(np.where(np.isfinite(r), r, 0) @ weights, rel=1e-9)
        assert np.isnan(found.wins[wave, ~left]).all()
        left[found.order[wave]] = False


def test_published_example():
    for rule in nested.RULES:
        found = nested.waves(TIMES, 2, rule=rule)
        assert found.order.tolist() == [0, 1]
        assert not found.tied.any()
    assert found.wins[0].tolist() == [4, 0, 1]
    assert found.sums[0] == pytest.approx([6, 14.2, 35])
    assert found.wins[1, 1:].tolist() == [3, 2]
    assert found.sums[1, 1:] == pytest.approx([6.5, 35 / 3])
    assert nested.wave_ratios(TIMES, found, 1) == pytest.approx(
        np.array([[2, 1, 1, 1, 1], [1.5, 1, 2, 1, 1], [1, 5 / 3, 1, 4, 4]])
    )
    overall = step_functions.values(nested.profile_functions(TIMES, found), TAU)
    assert overall == pytest.approx(
        np.array(
            [
                [0.8, 0.8, 0.8, 0.8, 1, 1, 1, 1, 1, 1],
                [0.3, 0.4, 0.6, 0.6, 0.7, 0.8, 0.9, 1, 1, 1],
                [0.3, 0.3, 0.3, 0.4, 0.6, 0.6, 0.8, 0.8, 0.9, 1],
            ]
        )
    )


def test_counterexample_to_theorem_2_1():
    """One of 21 problems decides who leaves the race: a wave changes by 10/21, the profile by 5/21, more than the bound 1/21."""
    kinds = [[1.0, 10, 5]] * 10 + [[5.0, 1, 10]] * 10
    at_one, overall = [], []
    for last, leaves in (([1.0, 2, 4], 0), ([2.0, 1, 4], 1)):
        costs = np.array([*kinds, last]).T
        found = nested.waves(costs, 2)
        assert found.order[0] == leaves
        at_one.append((nested.wave_ratios(costs, found, 1)[2] == 1).mean())
        overall.append(step_functions.value(nested.profile_functions(costs, found)[2], 1.0))
    assert at_one == [pytest.approx(10 / 21), 0]
    assert overall == [pytest.approx(5 / 21), 0]


def test_proof_of_theorem_2_2_and_its_counterexample():
    """|P1|, |P2|, |P3| = 51, 40, 9: nested puts s2 before s3, and s3 leads where s1 is left out."""
    p1, p2, p3 = (
        np.tile(np.array(column, float)[:, None], n) for column, n in (((1, 10, 5), 51), ((10, 1, 5), 40), ((10, 5, 1), 9))
    )
    costs = np.hstack([p1, p2, p3])
    found = nested.waves(costs, 2)
    assert step_functions.values(nested.profile_functions(costs, found), [1.0])[:, 0] == pytest.approx([0.51, 0.40, 0.345])
    without = performance_ratios(costs[1:])[0]
    assert (without == 1).mean(axis=1) == pytest.approx([0.40, 0.60])


def test_failure_ratio_decides_the_rule_of_sums():
    """Of two solvers, one with a failure and one slow: r_M = 6 prefers the first, r_M = 12 the second."""
    costs = np.array([[INF, 1, 1], [1, 5, 5]])
    assert nested.waves(costs, 1, rule="sum", failure_ratio=6).order.tolist() == [0]
    assert nested.waves(costs, 1, rule="sum", failure_ratio=12).order.tolist() == [1]
    assert nested.waves(costs, 1, rule="sum").order.tolist() == [1]


def test_ties_go_to_the_first_or_by_the_seed():
    costs = np.ones((4, 3))
    assert nested.waves(costs, 4).order.tolist() == [0, 1, 2, 3]
    assert nested.waves(costs, 4).tied.tolist() == [True, True, True, False]
    orders = {tuple(nested.waves(costs, 4, rng=seeds.stream(seed, "t")).order.tolist()) for seed in range(20)}
    assert len(orders) > 3


def test_tables():
    rated = ratios(matrix_costs(TIMES), measure="m", aggregate="single")
    found = {r["algorithm"]: r for r in fit(rated, measure="m", variant="nested").profile_measures.to_pylist()}
    curves = fit(rated, measure="m", variant="nested").profiles.to_pylist()
    for algorithm, row in found.items():
        points = [(r["tau"], r["rho"]) for r in curves if r["algorithm"] == algorithm]
        steps = tuple(np.array(column) for column in zip(*points, strict=True))
        assert row["auc"] == pytest.approx(step_functions.area(steps, 1, 20))
        assert row["auc_log"] == pytest.approx(step_functions.log_area(steps, 20))
        assert row["wins"] is None
    assert [found[a]["rank_auc"] for a in ("a1", "a2", "a3")] == [1, 2, 3]
    fitted = fit(rated, measure="m", variant="nested")
    rows = [r for r in fitted.waves.to_pylist() if r["wave"] == 2]
    assert [(r["algorithm"], r["eliminated"], r["rho_1"], r["best"], r["tied"]) for r in rows] == [
        ("a1", True, None, False, False),
        ("a2", False, 0.6, True, False),
        ("a3", False, 0.4, False, False),
    ]
    second = [(r["tau"], r["rho"]) for r in fitted.wave_profiles.to_pylist() if r["wave"] == 2 and r["algorithm"] == "a2"]
    assert second[:3] == [(1, 0.6), (1.5, 0.8), (2, 1)]
    with pytest.raises(UserError, match="rule is 'best'"):
        fit(rated, measure="m", variant="nested", rule="best").tables()
    with pytest.raises(UserError, match="failure_ratio is 2"):
        fit(rated, measure="m", variant="nested", failure_ratio=2).tables()
