import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from benchmill.core import UserError, step_functions
from benchmill.profiles import all_tables, dolan_more, fit, probabilistic
from benchmill.profiles.distributions import MODELS, cdf, cdf_integral, density, quantile
from benchmill.profiles.groups import cells, groups
from benchmill.profiles.measures import area_under_profiles
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import performance_ratios, ratios
from tests.costs.making import INF, cost_rows
from tests.profiles.test_ratios import matrices
from tests.reproduction.tables import paper_table

#: Barreto et al. 2010, Table 1.
TABLE_1 = np.array([float(row["cost"]) for row in paper_table("barreto2010_table1_costs")]).reshape(3, 5)


def other_implementation(model, mean, sd):
    if model == "normal":
        return stats.norm(mean, sd)
    if model == "truncated_normal":
        return stats.truncnorm(-mean / sd, np.inf, mean, sd)
    if model == "gamma":
        return stats.gamma((mean / sd) ** 2, scale=sd**2 / mean)
    s = np.sqrt(np.log(1 + (sd / mean) ** 2))
    return stats.lognorm(s, scale=mean * np.exp(-(s**2) / 2))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("mean", "sd"), [(3.0, 0.5), (2.0, 3.0), (1e4, 2e3), (5.0, 1.0)])
def test_distributions_are_those_of_scipy(model, mean, sd):
    expected = other_implementation(model, mean, sd)
    x = np.linspace(mean / 10, mean + 4 * sd, 20)
    assert cdf(model, x, mean, sd) == pytest.approx(expected.cdf(x), rel=1e-9, abs=1e-14)
    assert density(model, x, mean, sd) == pytest.approx(expected.pdf(x), rel=1e-9)
    p = np.array([0.01, 0.3, 0.5, 0.9])
    assert quantile(model, p, mean, sd) == pytest.approx(expected.ppf(p), rel=1e-8)
    area = cdf_integral(model, x[2], x[-1], mean, sd)
    assert area == pytest.approx(integrate.quad(expected.cdf, x[2], x[-1])[0], rel=1e-8)


@pytest.mark.parametrize("model", ["lognormal", "gamma"])
def test_positive_models_keep_mean_and_deviation_and_have_no_mass_below_zero(model):
    distribution = other_implementation(model, 4.0, 3.0)
    assert (distribution.mean(), distribution.std()) == pytest.approx((4, 3))
    assert cdf(model, 0.0, 4.0, 3.0) == 0
    assert cdf(model, -1.0, 4.0, 3.0) == 0
    assert density(model, -1.0, 4.0, 3.0) == 0
    # E max(x - C, 0) is 0 at 0, so the integral from below is the same
    assert cdf_integral(model, -5.0, 6.0, 4.0, 3.0) == pytest.approx(cdf_integral(model, 0.0, 6.0, 4.0, 3.0))


def test_a_truncated_normal_cost_is_positive_and_near_the_normal_one_where_little_is_cut():
    assert [float(cdf("truncated_normal", x, 2.0, 3.0)) for x in (-1.0, 0.0, np.inf)] == [0, 0, 1]
    assert density("truncated_normal", -1.0, 2.0, 3.0) == 0
    assert cdf_integral("truncated_normal", -5.0, 6.0, 4.0, 3.0) == pytest.approx(
        cdf_integral("truncated_normal", 0.0, 6.0, 4.0, 3.0)
    )
    assert quantile("truncated_normal", 0.0, 2.0, 3.0) == 0
    assert cdf("truncated_normal", 2.5, 3.0, 0.4) == pytest.approx(cdf("normal", 2.5, 3.0, 0.4), abs=1e-12)


def rhobar(tau, sd):
    return probabilistic.RandomCosts.of(TABLE_1, np.broadcast_to(sd, TABLE_1.shape), np.ones(5)).values(tau)


def test_published_reliability_decreases_with_sigma():
    """Values recomputed independently of this project; the paper prints "about 80 %" for the last."""
    at_10 = [rhobar(10, sd)[2, 0] for sd in (0.1, 0.5, 1.0)]
    assert at_10 == pytest.approx([1, 0.999994, 0.995403], abs=5e-7)
    assert rhobar(10, [[0.1], [0.1], [5.0]])[2, 0] == pytest.approx(0.825704, abs=5e-7)
    assert rhobar(0, [[5.0], [0.1], [0.1]])[0, 0] == pytest.approx(0.339, abs=5e-4)


def test_published_curves_almost_coincide():
    tau = np.linspace(4, 7, 3001)
    gaps = [np.abs(np.subtract(*rhobar(tau, sd)[1:])).max() for sd in (0.1, 0.5, 1.0, 2.0)]
    assert gaps == pytest.approx([0.2, 0.1466, 0.0295, 0.0700], abs=5e-5)


def test_win_probability_is_not_the_value_at_one():
    sd = np.ones(TABLE_1.shape)
    chance, error = probabilistic.RandomCosts.of(TABLE_1, sd).win_probability()
    assert chance == pytest.approx([0.561, 0.384, 0.055], abs=5e-4)
    assert rhobar(1, 1.0)[:, 0] == pytest.approx([0.305, 0.200, 0.032], abs=5e-4)
    assert chance.sum() == pytest.approx(1, abs=1e-9)
    assert (error < 1e-6).all()
    drawn = np.random.default_rng(1).normal(TABLE_1, np.where(np.isfinite(TABLE_1), sd, 0.0), (200_000, *sd.shape))
    simulated = (drawn == drawn.min(axis=1, keepdims=True)).mean(axis=(0, 2))
    assert simulated == pytest.approx(chance, abs=4e-3)


@pytest.mark.parametrize("model", ["normal", "lognormal", "gamma"])
def test_win_probability_of_two_against_the_double_integral(model):
    mean, sd = np.array([[2.0], [2.5]]), np.array([[0.5], [1.5]])
    a, b = (other_implementation(model, m, s) for m, s in ((2.0, 0.5), (2.5, 1.5)))
    expected = integrate.quad(lambda x: a.pdf(x) * b.sf(x), -20 if model == "normal" else 1e-9, 20, limit=200)[0]
    share = np.array([[0.8], [0.5]])
    assert probabilistic.RandomCosts.of(mean, sd, model=model).win_probability()[0][0] == pytest.approx(expected, abs=1e-6)
    mixed = probabilistic.RandomCosts.of(mean, sd, share=share, model=model).win_probability()[0]
    assert mixed == pytest.approx([0.8 * (0.5 + 0.5 * expected), 0.5 * (0.2 + 0.8 * (1 - expected))], abs=1e-6)


def test_win_probability_of_constants_is_the_wins():
    chance, _ = probabilistic.RandomCosts.of(TABLE_1, np.zeros(TABLE_1.shape)).win_probability()
    assert chance == pytest.approx([0.6, 0.4, 0])
    tied, _ = probabilistic.RandomCosts.of([[2.0, 3.0], [2.0, 1.0]], np.full((2, 2), np.nan)).win_probability()
    assert tied == pytest.approx([0.5, 1])
    # a constant against a normal with the same mean
    half, _ = probabilistic.RandomCosts.of([[2.0], [2.0]], [[0.0], [1.0]]).win_probability()
    assert half == pytest.approx([0.5, 0.5], abs=1e-9)


@given(matrices, st.floats(1, 1e3))
def test_without_spread_it_is_the_dolan_more_profile(costs, tau_max):
    r, base = performance_ratios(costs)
    tau = np.unique(np.append(r[np.isfinite(r)], [1.0, 1.5, tau_max]))
    expected = step_functions.values(dolan_more.profile_functions(r), tau)
    for sd in (np.zeros(r.shape), np.full(r.shape, np.nan)):
        assert probabilistic.RandomCosts.of(costs, sd, base).values(tau) == pytest.approx(expected)
        assert probabilistic.RandomCosts.of(costs, sd, base).areas(1, tau_max) == pytest.approx(area_under_profiles(r, tau_max))
    assert probabilistic.RandomCosts.of(costs, np.zeros(r.shape), base).reliability_at(0) == pytest.approx(r.max(axis=1))
    tiny = probabilistic.RandomCosts.of(costs, 1e-12 * np.where(np.isfinite(costs), costs, 1), base).areas(1, tau_max)
    assert tiny == pytest.approx(area_under_profiles(r, tau_max), abs=1e-6 * tau_max)


@pytest.mark.parametrize("model", MODELS)
def test_closed_form_area_is_the_integral_of_the_curve(model):
    mean, sd = TABLE_1 + 1, 0.4 * (TABLE_1 + 1)
    base, share = np.full(5, 2.0), np.full(TABLE_1.shape, 0.7)
    weights = np.arange(1.0, 6.0)
    arguments = {"share": share, "model": model, "weights": weights}
    tau = np.linspace(1, 6, 4001)
    expected = integrate.simpson(probabilistic.RandomCosts.of(mean, sd, base, **arguments).values(tau), x=tau)
    assert probabilistic.RandomCosts.of(mean, sd, base, **arguments).areas(1, 6) == pytest.approx(expected, rel=1e-9)


def test_reliability_is_where_the_profile_reaches_its_level():
    for sd in (0.1, 1.0, 5.0):
        zeta = probabilistic.RandomCosts.of(TABLE_1, np.full(TABLE_1.shape, sd), np.ones(5)).reliability_at(0.01)
        assert np.isinf(zeta[1])
        for i in (0, 2):
            assert rhobar(zeta[i], sd)[i, 0] == pytest.approx(0.99, abs=1e-9)


@given(st.permutations(range(3)), st.permutations(range(5)), st.lists(st.floats(0.01, 100), min_size=5, max_size=5))
def test_permuting_duplicating_and_scaling_change_nothing(rows, columns, scale):
    sd, tau = 0.3 * np.where(np.isfinite(TABLE_1), TABLE_1, 1), [1, 2.5, 6]
    plain = probabilistic.RandomCosts.of(TABLE_1, sd, np.ones(5)).values(tau)
    index = np.ix_(rows, columns)
    assert probabilistic.RandomCosts.of(TABLE_1[index], sd[index], np.ones(5)).values(tau) == pytest.approx(plain[rows])
    factor = np.array(scale)
    assert probabilistic.RandomCosts.of(TABLE_1 * factor, sd * factor, factor).values(tau) == pytest.approx(plain)
    twice = probabilistic.RandomCosts.of(np.tile(TABLE_1, 2), np.tile(sd, 2), np.ones(10)).values(tau)
    assert twice == pytest.approx(plain)


RUNS = {
    ("A", "p1"): [(10, 100), (14, 100), (INF, 50)],
    ("B", "p1"): [(20, 100), (20, 100), (20, 100)],
    ("A", "p2"): [(3, 100), (5, 100), (7, 100)],
    ("B", "p2"): [(6, 100), (INF, 100), (INF, 100)],
}


def tables(runs=RUNS, **extra):
    rows = [
        {"algorithm": a, "problem": p, "cost": c, "budget": b, "run": i, **extra}
        for (a, p), of_cell in runs.items()
        for i, (c, b) in enumerate(of_cell, 1)
    ]
    costs = cost_rows(rows)
    return ratios(costs, measure="m", problem_keys=["problem"]), costs


def at(table, tau):
    """Value of each curve at tau, linear between its points."""
    rows = table.to_pylist()
    return {
        a: float(np.interp(tau, [r["tau"] for r in rows if r["algorithm"] == a], [r["rho"] for r in rows if r["algorithm"] == a]))
        for a in "AB"
    }


def test_runs_with_failures_by_hand():
    """b = min ERT: p1 (10 + 14 + 50)/2 = 37 and 20; p2 5 and 206."""
    rated, costs = tables()
    curves = fit(rated, measure="m", variant="probabilistic", costs=costs, tau_max=3).profiles
    for tau, value in at(curves, 1.0).items():
        expected = {
            "A": (2 / 3 * stats.norm.cdf(20, 12, np.sqrt(8)) + stats.norm.cdf(5, 5, 2)) / 2,
            "B": (1 + 0) / 2,  # all three runs of p1 cost 20; the only success of p2 is at 6 / 5
        }
        assert value == pytest.approx(expected[tau])
    assert at(curves, 1.25)["B"] == pytest.approx((1 + 1 / 3) / 2)
    by_mean = fit(rated, measure="m", variant="probabilistic", costs=costs, baseline="mean_success").profiles
    assert at(by_mean, 1.0)["A"] == pytest.approx((2 / 3 * 0.5 + 0.5) / 2)
    truncated = fit(rated, measure="m", variant="probabilistic", costs=costs, baseline="truncated_mean").profiles
    assert at(truncated, 1.0)["A"] == pytest.approx((2 / 3 * stats.norm.cdf(20, 12, np.sqrt(8)) + 0.5) / 2)


def test_empirical_by_hand():
    rated, costs = tables()
    table = fit(rated, measure="m", variant="probabilistic", costs=costs, model="empirical", tau_max=2).profiles
    points = [(r["tau"], r["rho"]) for r in table.to_pylist() if r["algorithm"] == "A"]
    assert points == [(1, pytest.approx((2 / 3 + 2 / 3) / 2)), (1.4, pytest.approx((2 / 3 + 1) / 2)), (2, pytest.approx(5 / 6))]
    found = {
        r["algorithm"]: r
        for r in fit(
            rated, measure="m", variant="probabilistic", costs=costs, model="empirical", tau_max=2
        ).profile_measures.to_pylist()
    }
    # every pair of runs: on p1 A costs 10 or 14 in 2 of 3 runs against 20; on p2 B's only success is 6
    assert found["A"]["win_probability"] == pytest.approx((2 / 3 + (1 / 3 + 1 / 3 + 2 / 9)) / 2)
    assert found["B"]["win_probability"] == pytest.approx((1 / 3 + 1 / 3 * 1 / 3) / 2)
    assert found["A"]["auc"] == pytest.approx((2 / 3 * 1 + 2 / 3 * 1 + 1 / 3 * 0.6) / 2)
    assert found["A"]["wins"] is None


@given(
    st.lists(
        st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, INF]), min_size=1, max_size=3), min_size=2, max_size=2),
        min_size=2,
        max_size=3,
    )
)
def test_empirical_win_probability_by_enumeration(runs):
    """runs[i][j]: costs of algorithm i on problem j."""
    rows = [
        {"algorithm": f"a{i}", "problem": f"p{j}", "cost": c, "budget": 9}
        for i, of_algorithm in enumerate(runs)
        for j, cell in enumerate(of_algorithm)
        for c in cell
    ]
    costs = cost_rows(rows)
    rated = ratios(costs, measure="m", problem_keys=["problem"])
    group = groups(rated, "m", Options())[0]
    chance, _ = probabilistic.empirical_win_probability(cells(group, costs, "m"))
    for i in range(len(runs)):
        shares = []
        for j in range(2):
            draws = list(itertools.product(*(of_algorithm[j] for of_algorithm in runs)))
            shares.append(np.mean([d[i] < INF and d[i] <= min(d) for d in draws]))
        assert chance[i] == pytest.approx(np.mean(shares))


def test_published_summaries():
    rows = [
        {"algorithm": a, "problem": p, "cost": m, "cost_sd": s, "n": n}
        for a, p, m, s, n in [("A", "p1", 4, 1, 10), ("A", "p2", 6, 2, 10), ("B", "p1", 8, 3, 10), ("B", "p2", 3, 0.5, 10)]
    ]
    costs = cost_rows(rows)
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate="mean")
    table = fit(rated, measure="m", variant="probabilistic", costs=costs).profiles
    assert at(table, 1.0)["A"] == pytest.approx((0.5 + stats.norm.cdf(3, 6, 2)) / 2)
    with pytest.raises(UserError, match="needs single runs"):
        fit(rated, measure="m", variant="probabilistic", costs=costs, model="empirical").tables()
    bare = cost_rows([{**row, "cost_sd": None} for row in rows])
    with pytest.raises(UserError, match="states no standard deviation"):
        fit(rated, measure="m", variant="probabilistic", costs=bare).tables()


def test_several_summaries_of_a_cell_are_joined_as_their_runs():
    runs = [np.array([3.0, 5, 10]), np.array([1.0, 4])]
    rows = [{"algorithm": "A", "cost": r.mean(), "cost_sd": r.std(ddof=1), "n": r.size, "run": i} for i, r in enumerate(runs, 1)]
    costs = cost_rows(rows)
    group = groups(ratios(costs, measure="m", aggregate="mean"), "m", Options())[0]
    found = probabilistic.summaries(cells(group, costs, "m"))
    joined = np.concatenate(runs)
    assert (found.mean[0, 0], found.sd[0, 0], found.n_trials[0, 0]) == pytest.approx((joined.mean(), joined.std(ddof=1), 5))


def test_warnings_are_data():
    runs = {
        ("A", "p1"): [(1, 99)] * 3,
        ("B", "p1"): [(2, 99), (INF, 99), (INF, 99)],
        ("A", "p2"): [(1, 99), (9, 99), (2, 99)],
        ("B", "p2"): [(50 + (i % 3), 999) for i in range(20)] + [(90, 999)],
    }
    rated, costs = tables(runs)
    rows = fit(rated, costs, measure="m", variant="probabilistic").profile_warnings.to_pylist()
    found = {(r["rule"], r["algorithm"], r["problem"]) for r in rows}
    assert found == {
        ("mass_below_zero", "A", "p2"),
        ("single_run", "B", "p1"),
        ("no_spread", "A", "p1"),
        ("skewed", "B", "p2"),
    }
    mass = next(r["value"] for r in rows if r["rule"] == "mass_below_zero")
    assert mass == pytest.approx(stats.norm.cdf(-4 / np.std([1, 9, 2], ddof=1)))
    gamma = fit(rated, costs, measure="m", variant="probabilistic", model="gamma").profile_warnings
    assert "mass_below_zero" not in gamma.column("rule").to_pylist()


def test_missing_trials_count_as_failures_when_the_study_says_so():
    costs = cost_rows(
        [{"algorithm": "A", "problem": p, "cost": 1, "budget": 9} for p in ("p1", "p2")]
        + [{"algorithm": "B", "problem": "p1", "cost": 2, "budget": 9}]
    )
    rated = ratios(costs, measure="m", problem_keys=["problem"], missing="failure")
    for model in ("normal", "empirical"):
        assert at(fit(rated, measure="m", variant="probabilistic", costs=costs, model=model).profiles, 2.0) == {"A": 1, "B": 0.5}


def test_groups_find_their_own_trials():
    rows = [
        {"algorithm": a, "problem": "p", "dimension": d, "target": t, "cost": c, "instance": str(i), "budget": 99}
        for (a, d, t), of_cell in {
            ("A", 2, 1.0): (1, 3),
            ("B", 2, 1.0): (4, 8),
            ("A", 3, 1.0): (5, 9),
            ("B", 3, 1.0): (2, 4),
        }.items()
        for i, c in enumerate(of_cell)
    ]
    costs = cost_rows(rows)
    table = fit(ratios(costs, measure="m"), measure="m", variant="probabilistic", costs=costs, by=["dimension"]).profiles
    of_3 = table.filter(pa.array([d == 3 for d in table.column("dimension").to_pylist()]))
    assert at(of_3, 1.0) == {"A": pytest.approx(stats.norm.cdf(3, 7, np.sqrt(8))), "B": pytest.approx(0.5)}


def test_mistakes():
    rated, costs = tables()
    for settings, message in [
        ({"model": "normel"}, "model is 'normel'"),
        ({"baseline": "best"}, "baseline is 'best'"),
    ]:
        with pytest.raises(UserError, match=message):
            fit(rated, measure="m", variant="probabilistic", costs=costs, **settings).tables()


@pytest.mark.parametrize("times", [1, 2])
def test_constant_costs_in_a_table_give_the_dolan_more_table(times):
    """Areas over log tau and reliability too, and a break point at every ratio; of single runs and of equal ones."""
    runs = {cell: [(cost, 9)] * times for cell, cost in ((("A", "p1"), 2), (("B", "p1"), 3), (("A", "p2"), 8), (("B", "p2"), 2))}
    rated, costs = tables(runs)
    found, expected = (
        {row["algorithm"]: row for row in fit(rated, measure="m", variant=variant, **more).profile_measures.to_pylist()}
        for variant, more in (("probabilistic", {"costs": costs}), ("dolan_more", {}))
    )
    for name, row in expected.items():
        for key in ("auc", "auc_log", "reliability", "tau_star", "rho_1", "rho_tau_max", "tau_max", "rank_auc"):
            assert found[name][key] == pytest.approx(row[key], rel=1e-12), key
    # log 4 - log 1 of p1 and nothing of p2; log 4 - log 1.5 of p1 and log 4 of p2
    assert found["A"]["auc_log"] == pytest.approx(np.log(4) / 2)
    assert found["B"]["auc_log"] == pytest.approx((np.log(4 / 1.5) + np.log(4)) / 2)
    curves = fit(rated, measure="m", variant="probabilistic", costs=costs).profiles.to_pylist()
    assert {r["tau"]: r["rho"] for r in curves if r["algorithm"] == "B"}[1.5] == 1
    assert max(r["rho"] for r in curves if r["algorithm"] == "B" and r["tau"] < 1.5) == 0.5


def test_deviations_that_a_study_assumes_stand_in_place_of_those_of_the_trials():
    runs = {("A", "p1"): [(2, 9), (6, 9)], ("B", "p1"): [(3, 9)], ("A", "p2"): [(8, 9)], ("B", "p2"): [(2, 9), (4, 9)]}
    rated, costs = tables(runs)
    settings = {"measure": "m", "variant": "probabilistic", "costs": costs, "sd": {"A": 0.5, "default": 2.0}}
    mean, sd = np.array([[4.0, 8.0], [3.0, 3.0]]), np.array([[0.5, 0.5], [2.0, 2.0]])
    for tau, rho in ((1.0, 0), (8 / 3, 1)):
        expected = probabilistic.RandomCosts.of(mean, sd, [3.0, 3.0]).values([tau])[:, 0]
        assert list(at(fit(rated, **settings).profiles, tau).values()) == pytest.approx(expected), rho
    found = fit(rated, **settings).profile_measures.to_pylist()
    assert [r["auc"] for r in found] == pytest.approx(probabilistic.RandomCosts.of(mean, sd, [3.0, 3.0]).areas(1.0, 8 / 3))


def test_one_run_has_no_deviation():
    rated, costs = tables(
        {("A", "p1"): [(2, 9)], ("B", "p1"): [(3, 9), (INF, 9)], ("A", "p2"): [(INF, 9)], ("B", "p2"): [(2, 9)]}
    )
    group = groups(rated, "m", Options())[0]
    found = probabilistic.summaries(cells(group, costs, "m"))
    assert np.isnan(found.sd).all()
    assert found.mean.tolist() == [[2, INF], [3, 2]]
    assert found.baseline_cost.tolist() == [[2, INF], [12, 2]]


def test_a_summary_with_failures_keeps_its_deviation():
    rows = [{"algorithm": "A", "cost": c, "cost_sd": s, "n": n, "run": n} for c, s, n in ((4.0, 1.5, 3), (INF, None, 2))]
    costs = cost_rows(rows)
    rated = ratios(costs, measure="m", aggregate="success_performance")
    group = groups(rated, "m", Options())[0]
    found = probabilistic.summaries(cells(group, costs, "m"))
    assert (found.mean.item(), found.sd.item(), found.n_successes.item(), found.n_trials.item()) == (4, 1.5, 3, 5)
    assert found.baseline_cost.item() == pytest.approx(4 * 5 / 3)
    with pytest.raises(UserError, match="baseline is truncated_mean, but a failure states no budget"):
        fit(rated, measure="m", variant="probabilistic", costs=costs, baseline="truncated_mean").tables()


def test_a_stated_deviation_of_one_run():
    rows = [{"algorithm": a, "cost": c, "cost_sd": s, "n": 1} for a, c, s in (("A", 4, 1.5), ("B", 5, 0.5))]
    costs = cost_rows(rows)
    rated = ratios(costs, measure="m", aggregate="mean")
    group = groups(rated, "m", Options())[0]
    assert probabilistic.summaries(cells(group, costs, "m")).sd.tolist() == [[1.5], [0.5]]
    assert at(fit(rated, measure="m", variant="probabilistic", costs=costs).profiles, 1.0)["B"] == pytest.approx(
        stats.norm.cdf(-2)
    )


def test_win_probability_of_two_normal_costs():
    mean, sd = [[3.0, 5.0], [4.0, 4.0]], [[1.0, 2.0], [0.5, 1.0]]
    exact, small = probabilistic.RandomCosts.of(mean, sd).win_probability()
    # P(C_A < C_B)
    expected = np.mean([stats.norm.cdf(1 / np.hypot(1, 0.5)), stats.norm.cdf(-1 / np.hypot(2, 1))])
    assert exact == pytest.approx([expected, 1 - expected], abs=1e-8)
    assert small.max() < 1e-6


def test_the_quadrature_leaves_out_the_mass_that_it_says():
    """An algorithm that always wins lacks what lies beyond the outermost nodes, 1e-10 on either side."""
    chance, error = probabilistic.RandomCosts.of([[10.0], [1000.0]], [[1.0], [1.0]]).win_probability()
    assert 1 - chance[0] == pytest.approx(2e-10, rel=0.01)
    assert error.min() >= 2e-10


def test_published_means_without_a_deviation_may_have_one_assumed():
    rows = [{"algorithm": "A", "cost": 2.0, "n": 15}, {"algorithm": "B", "cost": 3.0, "n": 15}]
    rated = ratios(cost_rows(rows), measure="m", aggregate="success_performance")
    settings = {"measure": "m", "variant": "probabilistic", "costs": cost_rows(rows)}
    with pytest.raises(UserError, match="states no standard deviation"):
        fit(rated, **settings).tables()
    # P(cost <= 2) of costs with means 2 and 3 and deviation 0.5
    found = at(fit(rated, sd=0.5, **settings).profiles, 1.0)
    assert found == {"A": pytest.approx(0.5), "B": pytest.approx(stats.norm.cdf(-2))}


def test_a_mean_with_a_failure_hides_no_problem_that_single_runs_solve():
    """Each algorithm fails in one of five runs: means are infinite, and yet both solve both problems, b twice as slowly on p1."""
    of = {("a", "p1"): 1.0, ("a", "p2"): 3.0, ("b", "p1"): 2.0, ("b", "p2"): 1.0}
    costs = cost_rows(
        [
            {"algorithm": a, "problem": p, "run": r, "budget": 9, "cost": INF if r == 5 else c + 0.01 * r}
            for (a, p), c in of.items()
            for r in range(1, 6)
        ]
    )
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate="mean")
    found = all_tables(rated, costs, measure="m", variant="probabilistic", aggregate="mean", baseline="mean_success")
    rows = {row["algorithm"]: row for row in found["profile_measures"].to_pylist()}
    assert rows["a"]["n_unsolved"] == 0
    assert rows["a"]["tau_max"] == pytest.approx(3.025 / 1.025)
    # on p1 four runs in five of a count almost from the start, on p2 they begin to at the right end
    assert rows["a"]["auc"] == pytest.approx(0.8 * (rows["a"]["tau_max"] - 1) / 2, rel=0.01)
    assert rows["a"]["auc_normalised"] * rows["b"]["auc"] == pytest.approx(rows["a"]["auc"])
