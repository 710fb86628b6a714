import itertools
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmill.core import UserError, keys, seeds, step_functions
from benchmill.profiles import all_tables, bootstrap, fit, nested, probabilistic
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.groups import cells, groups, summaries
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import performance_ratios, ratios
from tests.costs.making import INF, cost_rows, matrix_costs
from tests.profiles.test_ratios import matrices

DEFAULTS = {"name": "v", "by": [], "weights": "equal", "tau_max": None, "unsolved": "keep"}
NESTED = {**DEFAULTS, "waves": None, "rule": "wins", "failure_ratio": None, "ties": "first"}


def made(costs, variant="dolan_more", aggregate="single", settings=DEFAULTS, replicates=2000, resample="both", **more):
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate=aggregate)
    return drawn_often(
        replicates, rated, costs, measure="m", variant=variant, aggregate=aggregate, bands=resample, **settings, **more
    )


def drawn_often(replicates, *arguments, **settings):
    """All tables, with bands of so many resamples."""
    with patch.object(bootstrap, "RESAMPLES", replicates):
        return all_tables(*arguments, **settings)


def share_ahead(costs, variant="dolan_more", aggregate="single", settings=DEFAULTS, replicates=2000, resample="both"):
    """The share of resamples in which the first of two algorithms has the larger area, ties counting half."""
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate=aggregate)
    fitted = fit(rated, costs, measure="m", variant=variant, aggregate=aggregate, bands=resample, **settings)
    (group,) = fitted.groups
    scheme = bootstrap.Scheme(resample, replicates, seeds.stream(1, "test"), group.weights)
    _, areas, *_ = bootstrap._resamples(fitted, 0, bootstrap._taus(fitted.curves[0]), scheme)
    gap = areas[:, 0] - areas[:, 1]
    return np.mean((gap > 1e-12) + 0.5 * (np.abs(gap) <= 1e-12))


def run_costs(rng, n_algorithms=3, n_problems=6, n_runs=5):
    return cost_rows(
        [
            {"algorithm": f"a{i}", "problem": f"p{j}", "run": r, "budget": 99, "cost": c if c < 8 else INF}
            for i in range(n_algorithms)
            for j in range(n_problems)
            for r, c in enumerate(np.exp(rng.normal(0.3 * i, 1, n_runs)), 1)
        ]
    )


@given(matrices, st.floats(1, 1e3))
def test_shares_and_areas_of_the_data_themselves_are_the_profile(costs, tau_max):
    r, _ = performance_ratios(costs)
    tau = np.unique(np.append(r[np.isfinite(r)], [1.0, 2.0]))
    weights = np.arange(1.0, costs.shape[1] + 1)
    curves = profile_functions(r, weights)
    batch = bootstrap.ratio_thresholds(costs[None])
    assert bootstrap.shares(batch, tau, weights[None])[0] == pytest.approx(step_functions.values(curves, tau))
    area = [step_functions.area(f, 1, tau_max) for f in curves]
    assert bootstrap.areas(batch, tau_max, weights[None])[0] == pytest.approx(area, abs=1e-9)


@given(matrices, st.sampled_from(nested.RULES))
def test_nested_batches_are_the_nested_profile(costs, rule):
    found = nested.waves(costs, rule=rule)
    k = found.order.size
    curves = nested.profile_functions(costs, found)
    tau = np.unique(np.concatenate([[1.0, 2.0], *(x for x, _ in curves)]))
    batch = nested.nested_thresholds(costs[None], k, rule, np.ones((1, costs.shape[1])))
    value = bootstrap.shares(batch, tau, np.ones((1, batch.shape[2])))[0]
    assert value == pytest.approx(step_functions.values(curves, tau))


def test_nested_batches_with_a_failure_ratio_and_random_ties():
    rng = seeds.stream(4, "test")
    costs = np.exp(rng.normal(size=(30, 4, 7)))
    costs[rng.random(costs.shape) < 0.3] = INF
    for one in costs:
        found = nested.waves(one, 3, rule="sum", failure_ratio=40.0)
        batch = nested.nested_thresholds(one[None], 3, "sum", np.ones((1, 7)), 40.0)[0].reshape(4, 3, 7)
        for wave in range(3):
            assert batch[:, wave] == pytest.approx(nested.wave_ratios(one, found, wave))
    # the first two are equally good: each leaves first in half of the resamples, and then the second wave compares without it
    tied = np.broadcast_to([[1.0, 2.0], [2.0, 1.0], [4.0, 4.0]], (2000, 3, 2))
    batch = nested.nested_thresholds(tied, 2, "wins", np.ones((2000, 2)), None, rng).reshape(2000, 3, 2, 2)
    first_left = (batch[:, 2, 1] == [2.0, 4.0]).all(axis=1)
    second_left = (batch[:, 2, 1] == [4.0, 2.0]).all(axis=1)
    assert (first_left ^ second_left).all()
    assert 900 < first_left.sum() < 1100  # 4.5 standard deviations


@pytest.mark.parametrize("scheme", ["runs", "problems", "both"])
def test_empirical_resamples_are_profiles_of_the_drawn_runs(scheme):
    costs = run_costs(seeds.stream(5, "test"), 2, 3, 4)
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate="ert")
    group = groups(rated, "m", Options())[0]
    found = cells(group, costs, "m")
    weights, tau = np.array([1.0, 2.0, 5.0]), np.array([0.5, 1.0, 2.0, 3.0])
    rho, auc, at_one = bootstrap.empirical_resamples(
        found, tau, 3.0, bootstrap.Scheme(scheme, 20, seeds.stream(6, "test"), weights)
    )
    rng = seeds.stream(6, "test")  # the same draws again, then loops
    runs = bootstrap.drawn_runs(found, 20, rng if scheme != "problems" else None)
    index = rng.integers(3, size=(20, 3)) if scheme != "runs" else np.broadcast_to(np.arange(3), (20, 3))
    for b in range(20):
        cost, budget = (x.reshape(20, 2, 3, 4)[b] for x in (runs.cost, runs.budget))
        solved = np.isfinite(cost)
        with np.errstate(divide="ignore"):
            ert = np.where(solved.any(axis=2), np.where(solved, cost, budget).sum(axis=2) / solved.sum(axis=2), INF)
        base = ert.min(axis=0)
        for i in range(2):
            for t, point in enumerate(tau):
                value = sum(weights[j] * np.mean(cost[i, j] <= point * base[j]) for j in index[b]) / weights[index[b]].sum()
                assert rho[b, i, t] == pytest.approx(value)
            ratio = [np.where(solved[i, j], cost[i, j] / base[j], INF) for j in range(3)]
            area = sum(weights[j] * np.maximum(3 - np.maximum(ratio[j], 1), 0).mean() for j in index[b])
            assert auc[b, i] == pytest.approx(area / weights[index[b]].sum())
            assert at_one[b, i] == pytest.approx(rho[b, i, 1])


@pytest.mark.parametrize("aggregate", ["ert", "mean", "median", "success_performance"])
def test_the_runs_themselves_give_the_costs_of_the_ratios(aggregate):
    costs = run_costs(seeds.stream(1, "test"))
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate=aggregate)
    group = groups(rated, "m", Options())[0]
    runs = bootstrap.drawn_runs(cells(group, costs, "m"), 1, None)
    assert bootstrap.costs_of(runs, aggregate) == pytest.approx(group.costs)


def test_problem_bootstrap_of_two_problems_is_known_exactly():
    """Two problems: a wins one, b the other; drawn twice, a wins 0, 1, 2 of 2 with probability 1/4, 1/2, 1/4."""
    costs = matrix_costs([[1.0, 4.0], [2.0, 1.0]])
    tables = made(costs, resample="problems", replicates=20_000, level=0.4)
    limits = {(r["algorithm"], r["quantity"]): (r["low"], r["high"]) for r in tables["profile_intervals"].to_pylist()}
    assert limits["a1", "wins"] == (0, 2)
    # areas over [1, 4]: a has 3 or 0 per problem, b has 2 or 3; a is ahead where problem 1 is drawn twice
    assert share_ahead(costs, resample="problems", replicates=20_000) == pytest.approx(0.25, abs=0.01)


def test_run_bootstrap_by_enumeration():
    """One problem, two runs each: the 16 equally likely resamples."""
    runs = {"a": (1.0, 4.0), "b": (2.0, 2.5)}
    costs = cost_rows([{"algorithm": a, "run": r, "cost": c, "budget": 9} for a, of in runs.items() for r, c in enumerate(of, 1)])
    means = {name: [np.mean(d) for d in itertools.product(of, repeat=2)] for name, of in runs.items()}
    # the right end is the ratio 2.5 / 2.25 of the means, beyond which areas are 0 and tie
    end = 2.5 / 2.25
    ahead = []
    for x, y in itertools.product(means["a"], means["b"]):
        of_a, of_b = (max(end - own / min(x, y), 0) for own in (x, y))
        ahead.append((of_a > of_b) + 0.5 * (of_a == of_b))
    share = share_ahead(costs, aggregate="mean", resample="runs", replicates=20_000)
    assert share == pytest.approx(np.mean(ahead), abs=0.01)


@pytest.mark.parametrize(
    ("variant", "settings"),
    [
        ("dolan_more", {}),
        ("dolan_more", {"weights": "dimension"}),
        ("nested", {"waves": None}),
        ("nested", {"waves": 2, "rule": "sum"}),
        ("nested", {"waves": 4, "rule": "sum", "failure_ratio": 50.0}),
        ("probabilistic", {}),
        ("probabilistic", {"model": "gamma"}),
        ("probabilistic", {"model": "empirical"}),
        ("probabilistic", {"sd": {"a1": 0.5, "default": 1.0}}),
        ("log_ratio", {"pair": ["a3", "a1"]}),
        ("data", {}),
    ],
)
def test_resamples_of_single_runs_are_the_variant_itself_and_no_band(variant, settings):
    """All resamples are the runs themselves, so curves and what is read off them are those of the variant."""
    matrix = np.array([[1.0, 4, INF, 9, 3], [2, 1, 3, INF, 3], [5, 2, 1, 1, 2], [4, 4, 0.5, 7, INF]])
    costs = cost_rows(
        [
            {
                "algorithm": f"a{i + 1}",
                "problem": f"p{j + 1}",
                "dimension": (2, 2, 3, 10, 40)[j],
                "cost": matrix[i, j],
                "budget": 9,
            }
            for i, j in np.ndindex(matrix.shape)
        ]
    )
    rated = ratios(costs, measure="m", aggregate="single")
    every = {**(NESTED if variant == "nested" else DEFAULTS), **settings}
    tables = drawn_often(5, rated, costs, measure="m", variant=variant, aggregate="mean", bands="runs", **every)
    assert tables["profiles"].column("rho_low").null_count == tables["profiles"].num_rows
    assert tables["profile_intervals"].num_rows == 0
    fitted = fit(rated, costs, measure="m", variant=variant, aggregate="mean", bands="runs", **every)
    check_resamples(fitted, smooth=variant == "probabilistic" and settings.get("model") != "empirical")


def check_resamples(fitted, smooth=False):
    """Every resample is the data themselves, and gives their curves and what is read off them."""
    tau, group = bootstrap._taus(fitted.curves[0]), fitted.groups[0]
    clusters = keys.of_clusters(group.problems, fitted.cluster_keys)
    scheme = bootstrap.Scheme(fitted.options.bands, 5, seeds.stream(1, "test"), group.weights, clusters)
    rho, *found = bootstrap._resamples(fitted, 0, tau, scheme)
    for number, curve in enumerate(fitted.curves[0]):
        at = np.flatnonzero(np.isin(tau, curve[0])) if smooth else np.arange(tau.size)
        expected = np.broadcast_to(step_functions.value(curve, tau)[at], (len(rho), at.size))
        assert rho[:, number, at] == pytest.approx(expected, abs=1e-12)
    own = fitted.measures_of(0)
    quantities = [name for name in ("auc", "rho_1", "wins") if name in own]
    for quantity, values in zip(quantities, found, strict=True):
        assert values == pytest.approx(np.broadcast_to(own[quantity], values.shape), rel=1e-9), quantity


@pytest.mark.parametrize("variant", ["dolan_more", "nested", "probabilistic", "mean_success", "truncated_mean", "empirical"])
def test_resamples_of_a_single_problem_are_that_problem(variant):
    """Whatever is drawn is that problem, so what is read off all resamples is what is read off the data."""
    runs = {"a": [3.0, 5.0, INF], "b": [4.0, 4.5, 9.0], "c": [INF, 2.0, 20.0]}
    costs = cost_rows(
        [{"algorithm": a, "run": r, "cost": c, "budget": 30} for a, of in runs.items() for r, c in enumerate(of, 1)]
    )
    more = {"mean_success": {"baseline": variant}, "truncated_mean": {"baseline": variant}, "empirical": {"model": variant}}
    name = variant if variant in ("dolan_more", "nested") else "probabilistic"
    settings = {**(NESTED if name == "nested" else DEFAULTS), **more.get(variant, {})}
    rated = ratios(costs, measure="m", problem_keys=["problem"], aggregate="ert")
    fitted = fit(rated, costs, measure="m", variant=name, aggregate="ert", bands="problems", **settings)
    check_resamples(fitted, smooth=name == "probabilistic" and variant != "empirical")
    assert fitted.profile_intervals.num_rows == 0


@pytest.mark.parametrize("baseline", ["ert", "mean_success", "truncated_mean"])
def test_moments_of_the_runs_themselves_are_their_summaries(baseline):
    costs = run_costs(seeds.stream(9, "test"))
    group = groups(ratios(costs, measure="m", problem_keys=["problem"]), "m", Options())[0]
    found = cells(group, costs, "m")
    expected = summaries(found, baseline=baseline)
    again = summaries(bootstrap.drawn_runs(found, 2, None), baseline=baseline)
    for name, values in vars(again).items():
        for part in np.split(values, 2):
            assert part == pytest.approx(getattr(expected, name), nan_ok=True)


@pytest.mark.parametrize("resample", ["runs", "problems", "both"])
def test_every_variant_has_bands_around_its_curve(resample):
    costs = run_costs(seeds.stream(2, "test"))
    for variant, settings in (
        ("dolan_more", DEFAULTS),
        ("nested", NESTED),
        ("nested", {**NESTED, "rule": "sum", "failure_ratio": 1e6, "ties": "random"}),
        ("probabilistic", DEFAULTS),
        ("probabilistic", {**DEFAULTS, "model": "empirical"}),
        ("log_ratio", {**DEFAULTS, "pair": ["a0", "a2"]}),
        ("data", DEFAULTS),
    ):
        if variant == "data":
            rated = ratios(costs, measure="m")
            tables = drawn_often(100, rated, costs, measure="m", variant="data", bands=resample, **DEFAULTS)
        else:
            tables = made(costs, variant, "ert", settings, resample=resample, replicates=100)
        rows = tables["profiles"].to_pylist()
        low, high = (np.array([r[name] for r in rows]) for name in ("rho_low", "rho_high"))
        assert ((low >= 0) & (high <= 1 + 1e-12) & (low <= high)).all()
        assert (high - low).max() > 0.05
        if variant != "data":
            again = made(costs, variant, "ert", settings, resample=resample, replicates=100)
            assert again["profiles"].equals(tables["profiles"])


def test_probabilistic_resamples_of_equal_runs_are_the_profile():
    costs = cost_rows(
        [
            {"algorithm": a, "problem": p, "run": r, "cost": c, "budget": 9}
            for a, p, c in [("A", "p", 1.0), ("A", "q", 3.0), ("B", "p", 2.0), ("B", "q", 1.0)]
            for r in (1, 2, 3)
        ]
    )
    rated = ratios(costs, measure="m", problem_keys=["problem"])
    group = groups(rated, "m", Options())[0]
    found = cells(group, costs, "m")
    tau = np.array([1.0, 2.0, 3.0])
    sd = np.array([0.5, 1.0])
    for scheme in ("runs", "problems"):
        rho, auc, rho_1 = bootstrap.probabilistic_resamples(
            found, tau, 3.0, bootstrap.Scheme(scheme, 4, seeds.stream(1, "t")), sd=sd
        )
        if scheme == "runs":
            mean = np.array([[1.0, 3.0], [2.0, 1.0]])
            deviation = np.broadcast_to(sd[:, None], mean.shape)
            assert rho == pytest.approx(np.tile(probabilistic.RandomCosts.of(mean, deviation, [1.0, 1.0]).values(tau), (4, 1, 1)))
            assert auc == pytest.approx(np.tile(probabilistic.RandomCosts.of(mean, deviation, [1.0, 1.0]).areas(1, 3), (4, 1)))
            assert rho_1 == pytest.approx(rho[..., 0])
            # whatever the last tau of a band, and whether 1 is among them
            later = bootstrap.probabilistic_resamples(
                found, tau[1:], 3.0, bootstrap.Scheme(scheme, 4, seeds.stream(1, "t")), sd=sd
            )
            assert later[2] == pytest.approx(rho_1)
            assert (rho[..., 0] < rho[..., 1]).all()
        else:
            assert rho.shape == (4, 2, 3)


def test_mistakes():
    costs = cost_rows([{"algorithm": "A", "cost": 2, "cost_sd": 1, "n": 5}])
    with pytest.raises(UserError, match="need single runs"):
        made(costs, resample="runs", aggregate="mean")
    with pytest.raises(UserError, match="expected one of runs, problems, both"):
        made(costs, resample="draws", aggregate="mean")
    for wrong in (0, 1):
        with pytest.raises(UserError, match="expected a number"):
            made(costs, resample="problems", aggregate="mean", level=wrong)
    assert made(costs, resample="problems", aggregate="mean", replicates=2)["profiles"].num_rows


def test_all_of_many_runs_are_drawn():
    costs = cost_rows([{"algorithm": "A", "run": r, "cost": r, "budget": 999} for r in range(1, 301)])
    rated = ratios(costs, measure="m", problem_keys=["problem"])
    found = cells(groups(rated, "m", Options())[0], costs, "m")
    drawn = np.unique(bootstrap.drawn_runs(found, 100, seeds.stream(1, "many")).cost)
    # each is missed by 30 000 draws with probability e^-100
    assert drawn.tolist() == list(range(1, 301))


def test_of_too_many_break_points_a_band_has_those_nearest_to_equal_steps():
    costs = np.stack([np.ones(1500), np.arange(1.0, 1501.0)])
    tables = made(matrix_costs(costs), resample="problems", replicates=2)
    rated = ratios(matrix_costs(costs), measure="m", problem_keys=["problem"], aggregate="single")
    tau = bootstrap._taus(fit(rated, measure="m").curves[0])
    assert tau.size <= 1000 + 100
    steps = np.linspace(1, 1500, 1000)
    assert np.abs(tau[:, None] - steps).min(axis=0).max() <= 0.5
    for row in tables["profiles"].to_pylist():
        # all break points of the curve are there, thinned or not
        expected = 1.0 if row["algorithm"] == "a1" else np.floor(row["tau"] * (1 + 1e-12)) / 1500
        assert row["rho"] == pytest.approx(expected)
        # one that is best on all 1500 problems
        assert row["algorithm"] == "a2" or row["rho_low"] > 0.997


@pytest.mark.parametrize("variant", ["dolan_more", "probabilistic"])
def test_a_shift_is_that_of_the_single_trials_too(variant):
    """Costs below zero with a shift give the profiles, bands and warnings of the costs that have it added already."""
    costs = run_costs(seeds.stream(1, "test"))
    low = costs.set_column(costs.schema.get_field_index("cost"), costs.schema.field("cost"), pc.subtract(costs["cost"], 64.0))
    settings = {**DEFAULTS, "name": variant}
    settings |= {"baseline": "mean_success", "model": "normal", "sd": None} if variant == "probabilistic" else {}
    found = []
    for table, shift in ((low, 64.0), (costs, 0.0)):
        rated = ratios(table, measure="m", problem_keys=["problem"], aggregate="median", shift=shift)
        made_of = drawn_often(
            50, rated, table, measure="m", variant=variant, aggregate="median", shift=shift, bands="both", **settings
        )
        found.append(made_of)
    for name in found[0]:
        assert found[0][name].num_rows == found[1][name].num_rows
        for column in found[0][name].column_names:
            one, other = (tables[name].column(column) for tables in found)
            if pa.types.is_floating(one.type):
                assert one.to_numpy() == pytest.approx(other.to_numpy(), nan_ok=True)
            else:
                assert one.equals(other)


def _intervals(costs, keys, **more):
    rated = ratios(costs, measure="m", problem_keys=["problem", "dimension"], aggregate="single")
    found = drawn_often(400, rated, measure="m", bands="problems", cluster_keys=keys, aggregate="single", **more)
    return {(r["algorithm"], r["quantity"]): (r["low"], r["high"]) for r in found["profile_intervals"].to_pylist()}


@pytest.mark.parametrize("settings", [{}, {"variant": "nested"}])
def test_a_cluster_is_drawn_whole(settings):
    """Each problem in four dimensions with the same costs: as one cluster nothing is learnt by the copies."""
    rng = seeds.stream(8, "test")
    values = np.exp(rng.normal(size=(3, 9)))

    def rows(dimensions):
        return cost_rows(
            [
                {"algorithm": f"a{i}", "problem": f"p{j}", "dimension": d, "cost": values[i, j]}
                for i in range(3)
                for j in range(9)
                for d in dimensions
            ]
        )

    once, copied = _intervals(rows([2]), ["problem"], **settings), _intervals(rows([2, 3, 5, 10]), ["problem"], **settings)
    apart = _intervals(rows([2, 3, 5, 10]), ["problem", "dimension"], **settings)
    for key, (low, high) in once.items():
        times = 4 if key[1] == "wins" else 1
        assert copied[key] == pytest.approx((times * low, times * high))
    wide, narrow = (found["a0", "rho_1"][1] - found["a0", "rho_1"][0] for found in (copied, apart))
    assert narrow < 0.75 * wide


def test_limits_of_normal_resamples_are_students():
    """Nothing is biased: both intervals are estimate ± t s sqrt(n / (n - 1))."""
    size = bootstrap.Size(10, 9, 10 / 9)
    drawn = stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000)[:, None] + 5
    half = stats.t.ppf(0.975, 9) * np.sqrt(10 / 9)
    low, high = bootstrap.limits(drawn, np.array([5.0]), size, 0.95)
    assert (low[0], high[0]) == pytest.approx((5 - half, 5 + half), rel=1e-3)
    # a bias of one standard deviation is taken off, and the wider end of both holds
    low, high = bootstrap.limits(drawn, np.array([6.0]), size, 0.95)
    assert (low[0], high[0]) == pytest.approx((5 - half, 7 + stats.t.ppf(0.975, 9) * np.sqrt(10 / 9 + 1)), rel=1e-3)


@pytest.mark.parametrize(("differing", "covered"), [(0.02, 0.95), (0.05, 0.85), (0.1, 0.8)])
def test_areas_of_an_algorithm_that_is_mostly_the_best_are_covered(differing, covered):
    """Of 24 problems few lack a lognormal part of an area of at most 9; by Student's interval alone 35, 58, 74 % are covered."""
    rng, n = np.random.default_rng(1), 24
    size, inside = bootstrap.Size(n, n - 1.0, n / (n - 1)), 0
    true = 9 - differing * np.minimum(np.exp(rng.normal(size=100_000)), 9.0).mean()
    for _ in range(200):
        lacking = np.where(rng.random(n) < differing, np.minimum(np.exp(rng.normal(size=n)), 9.0), 0.0)
        drawn = 9 - lacking[rng.integers(n, size=(500, n))].mean(axis=1)[:, None]
        low, high = bootstrap.limits(drawn, np.array([9 - lacking.mean()]), size, 0.95, largest=9.0)
        assert high[0] <= 9 + 1e-9 or lacking.any()
        inside += low[0] <= true <= high[0]
    assert inside / 200 > covered


def test_limits_of_shares_keep_a_width_and_one_unit_has_none():
    low, high = bootstrap.limits(np.zeros((50, 1)), np.zeros(1), bootstrap.Size(24, 23, 24 / 23), 0.95, 1.0)
    t2 = stats.t.ppf(0.975, 23) ** 2
    assert (low[0], high[0]) == pytest.approx((0, t2 / (24 + t2)))
    assert np.isnan(bootstrap.limits(np.zeros((50, 1)), np.zeros(1), bootstrap.Size(1, 0, 1), 0.95)).all()


def test_the_size_of_what_is_drawn():
    found = cells(*(lambda c: (groups(ratios(c, measure="m"), "m", Options())[0], c, "m"))(run_costs(seeds.stream(1, "size"))))
    rng = seeds.stream(1, "test")
    of_runs = bootstrap.Size.of(bootstrap.Scheme("runs", 9, rng), found, 6)
    assert (of_runs.total, of_runs.df, of_runs.inflation) == (30, 72, 1.25)
    of_both = bootstrap.Size.of(bootstrap.Scheme("both", 9, rng, clusters=np.array([0, 0, 1, 1, 2, 2])), found, 6)
    assert (of_both.total, of_both.df, of_both.inflation) == (3, 2, 1.5)


def test_problems_that_weigh_nothing_are_no_units():
    """A sixteenth of the resamples of four problems draw the two that weigh nothing alone."""
    costs = matrix_costs([[1.0, 4.0, 1.0, 2.0], [2.0, 1.0, 3.0, 1.0]])
    for numbers, n in (([1.0, 2.0, 0.0, 0.0], 8), ([1.0, 0.0, 0.0, 0.0], 0)):
        weights = {f"p{i}": weight for i, weight in enumerate(numbers, 1)}
        found = made(costs, settings={**DEFAULTS, "weights": weights}, resample="problems")["profile_intervals"]
        assert found.num_rows == n
        assert np.isfinite(np.array([found.column("low"), found.column("high")], float)).all()


def test_a_jump_of_another_algorithm_is_reached_up_to_rounding():
    """2.1 / 0.7 is a little more than 3: at the jump of B at 3, the band's curve of A has jumped too, as its profile has."""
    costs = matrix_costs([[2.1, 1], [0.7, 3]])
    table = made(costs, resample="problems", replicates=2)["profiles"]
    at_three = {row["algorithm"]: row["rho"] for row in table.to_pylist() if row["tau"] == 3.0}
    assert at_three == dict.fromkeys(at_three, 1.0)
    assert len(at_three) == 2


def test_runs_are_not_drawn_again_without_runs():
    costs, scheme = np.array([[1.0, 2.0], [2.0, 1.0]]), bootstrap.Scheme("runs", 10, np.random.default_rng(0))
    with pytest.raises(ValueError, match="do not go together"):
        bootstrap.step_resamples(costs, lambda c, w: bootstrap.ratio_thresholds(c), np.array([1.0]), 2.0, scheme)
