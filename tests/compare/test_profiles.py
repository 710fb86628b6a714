"""Definitions of OptiProfiler against that package, where it is installed."""

import importlib
import importlib.util
import warnings

import numpy as np
import pytest

from benchmill.core import step_functions
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
