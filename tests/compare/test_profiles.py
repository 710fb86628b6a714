"""Definitions of OptiProfiler and rliable against those packages, where they are installed."""

import importlib
import importlib.util
import warnings

import numpy as np
import pytest

from benchmill.core import step_functions
from benchmill.profiles import peers
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.log_ratio import log_ratios
from benchmill.profiles.ratios import performance_ratios

pytestmark = [pytest.mark.compare, pytest.mark.filterwarnings("ignore")]
INF = float("inf")


def module(package, name):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs {package}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(f"{package}.{name}")


def works(seed, n_solvers=4, n_problems=30, n_runs=3):
    """Evaluations, whole numbers with ties, a fifth of them failures; in the order of OptiProfiler."""
    rng = np.random.default_rng(seed)
    found = rng.integers(5, 200, (n_problems, n_solvers, n_runs)).astype(float)
    found[rng.random(found.shape) < 0.2] = np.nan
    return found


def curves_of(work, dimensions):
    plotting = module("optiprofiler", "plotting")
    options = module("optiprofiler", "utils").ProfileOption
    n_solvers, n_runs = work.shape[1:]
    curves = {kind: [[None] * (n_runs + 1) for _ in range(n_solvers)] for kind in ("perf", "data")}
    curves["log_ratio"] = [None, None]
    settings = {options.SEMILOGX: True}
    *_, curves = plotting._get_extended_performances_data_profile_axes(work.copy(), dimensions, settings, curves)
    return curves


@pytest.mark.parametrize("n_runs", [1, 3])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_scores_of_optiprofiler(seed, n_runs):
    work = works(seed, n_runs=n_runs)
    curves = curves_of(work, np.full(len(work), 4))
    integrate = module("optiprofiler", "profile_utils").integrate
    theirs = [integrate(solver[-1], "perf", {}) for solver in curves["perf"]]
    assert peers.optiprofiler_scores(work.transpose(1, 0, 2)) == pytest.approx(theirs, rel=1e-12)


def test_performance_and_data_profiles_of_optiprofiler():
    work = works(4, n_runs=1)
    dimensions = np.arange(1, len(work) + 1)
    theirs = curves_of(work, dimensions)
    costs = np.where(np.isnan(work[..., 0]), INF, work[..., 0]).T
    for kind, thresholds in (
        ("perf", np.log2(performance_ratios(costs)[0])),
        ("data", np.log2(1 + costs / (dimensions + 1))),
    ):
        for solver, own in zip(theirs[kind], profile_functions(thresholds), strict=True):
            x, y = solver[-1]
            # right of the last point of its own they keep the curve level
            for point in np.unique(own[0]):
                assert y[x <= point + 1e-12].max() == pytest.approx(step_functions.value(own, point))


def test_log_ratios_of_optiprofiler():
    work = works(5, n_solvers=2, n_runs=1)
    curves = {"log_ratio": [None, None]}
    _, theirs, largest, neither, _ = module("optiprofiler", "plotting")._get_log_ratio_profile_axes(work.copy(), curves)
    ours = log_ratios(np.where(np.isnan(work[..., 0]), INF, work[..., 0]).T)
    assert largest == pytest.approx(np.abs(ours[np.isfinite(ours)]).max())
    assert neither == np.isnan(ours).sum()
    # they draw failures at 1.1 times the largest, and those of both at either end
    drawn = np.where(np.isinf(ours), np.sign(ours) * 1.1 * largest, ours)
    drawn = np.concatenate([drawn[~np.isnan(drawn)], *[[1.1 * largest, -1.1 * largest]] * neither])
    assert np.sort(drawn) == pytest.approx(theirs)


def test_score_distributions_of_rliable():
    library, metrics = module("rliable", "library"), module("rliable", "metrics")
    rng = np.random.default_rng(6)
    scores, others = rng.integers(0, 20, (7, 13)) / 10, rng.integers(0, 20, (5, 13)) / 10
    tau = np.linspace(0, 2, 41)
    assert peers.rliable_score_distribution(scores, tau) == pytest.approx(library.score_distributions(scores, tau))
    averaged = library.average_score_distributions(scores, tau)
    assert peers.rliable_average_score_distribution(scores, tau) == pytest.approx(averaged)
    assert peers.rliable_interquartile_mean(scores) == pytest.approx(metrics.aggregate_iqm(scores))
    assert peers.rliable_optimality_gap(scores) == pytest.approx(metrics.aggregate_optimality_gap(scores))
    improved = metrics.probability_of_improvement(scores, others)
    assert peers.rliable_probability_of_improvement(scores, others) == pytest.approx(improved)
