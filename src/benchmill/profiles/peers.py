"""Performance profiles and scores as other packages define them, under their names, for results that have to agree.

Each function follows the definition of the package that it is named after, also where ours differs; what differs is said there.
`docs/profiles.md` has the decisions in one table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmill.core.step_functions import ratios

Array = npt.NDArray[np.float64]


def benchmarkprofiles_jl(costs: npt.ArrayLike, *, logscale: bool = True, drawtol: float = 0.0) -> tuple[Array, Array, float]:
    """The curves that BenchmarkProfiles.jl draws (`performance_ratios` and `performance_profile` of version 0.4).

    It differs from ours in this: NaN and negative costs are failures as inf is. One cost of 0 anywhere adds 1 to every cost.
    With `drawtol` in (0, 1), ratios up to 1 + drawtol count as 1. Failures are drawn at twice the largest ratio on the axis:
    right of it every curve reaches 1, and where all ratios are 1 (log2 of them 0) failures look solved.

    Parameters
    ----------
    costs : (n_algorithms, n_problems) array_like
    logscale : bool
        Whether ratios are given by their log2, as there by default.
    drawtol : float

    Returns
    -------
    x : (n_algorithms, n_problems + 1) array
        Sorted ratios of each algorithm, and the common end.
    y : (n_problems + 1,) array
        Value of a curve from the x of the same place on: 1/n_p, 2/n_p, ..., 1, 1 + 1/n_p (which is beyond what they draw).
    max_ratio : float
        Largest ratio of a solved problem; their axis ends at 1.1 times it. NaN where nothing is solved.
    """
    c = np.array(costs, float)
    if (c == 0).any():
        c = c + 1
    c[~(np.isfinite(c) & (c >= 0))] = np.nan
    solved = ~np.isnan(c)
    best = np.min(np.where(solved, c, np.inf), axis=0)
    ratio = np.where(solved, ratios(c, np.where(np.isfinite(best), best, 1.0)), np.nan)
    if 0 < drawtol < 1:
        ratio[ratio <= 1 + drawtol] = 1.0
    ratio = np.log2(ratio) if logscale else ratio
    largest = float(np.max(ratio[solved])) if solved.any() else np.nan
    ratio[~solved] = 2 * largest
    n_problems = c.shape[1]
    end = np.full((len(c), 1), 2 * largest)
    return np.hstack([np.sort(ratio, axis=1), end]), np.arange(1, n_problems + 2) / n_problems, largest


def optiprofiler_scores(costs: npt.ArrayLike) -> Array:
    """The score of OptiProfiler for performance profiles, by its defaults (`compute_scores` of version 1.3, not normalised).

    The area under the profile over log2 of the ratio, from 0 to 1.1 times the log2 of the largest finite ratio, not divided by
    its length: auc_log / ln 2 + 0.1 log2(tau_max) rho(tau_max) in our terms. With several runs the baseline is the best of the
    same run number, and the curve is the mean over the runs, whose ratios end at one common largest ratio.

    Parameters
    ----------
    costs : (n_algorithms, n_problems) or (n_algorithms, n_problems, n_runs) array_like
        Positive; inf or NaN = failure.

    Returns
    -------
    (n_algorithms,) array
        Where the largest ratio is 1 its logarithm is taken as 2.2e-16, as there, so that all scores are next to 0.
    """
    c = np.asarray(costs, float)
    c = c[..., None] if c.ndim == 2 else c
    failed = ~np.isfinite(c)
    best = np.min(np.where(failed, np.inf, c), axis=0)
    x = np.log2(np.where(failed, np.inf, ratios(c, best)))
    tiny = float(np.finfo(float).eps)
    end = 1.1 * max(float(np.max(x[~failed], initial=0.0)), tiny)
    # the mean over problems and runs of what each adds: the length from its ratio to the end
    return np.asarray(np.where(failed, 0.0, end - np.where(failed, 0.0, x)).mean(axis=(1, 2)), float)


def rliable_score_distribution(scores: npt.ArrayLike, tau: npt.ArrayLike) -> Array:
    """The performance profile of rliable: share of all runs on all tasks with a score above tau (`score_distributions`).

    Agarwal et al. 2021, section 4.2. Scores are better when larger, and have a meaning of their own: no run is compared with
    another algorithm's, so a third one changes nothing. The comparison is strict.

    Parameters
    ----------
    scores : (n_runs, n_tasks) array_like
    tau : (n_tau,) array_like

    Returns
    -------
    (n_tau,) array
    """
    s = np.sort(np.asarray(scores, float), axis=None)
    return np.asarray(1 - np.searchsorted(s, np.asarray(tau, float), side="right") / s.size, float)


def rliable_average_score_distribution(scores: npt.ArrayLike, tau: npt.ArrayLike) -> Array:
    """As `rliable_score_distribution`, of the mean score of each task (`average_score_distributions`)."""
    return rliable_score_distribution(np.mean(np.asarray(scores, float), axis=0, keepdims=True), tau)


def rliable_interquartile_mean(scores: npt.ArrayLike) -> float:
    """Mean of the scores of all runs and tasks without the lowest and the highest quarter (`aggregate_iqm`).

    A quarter of n scores is the whole part of n/4, as in `scipy.stats.trim_mean`.
    """
    s = np.sort(np.asarray(scores, float), axis=None)
    cut = int(0.25 * s.size)
    return float(s[cut : s.size - cut].mean())


def rliable_optimality_gap(scores: npt.ArrayLike, gamma: float = 1.0) -> float:
    """By how much the scores fall short of gamma on average, those above it by nothing (`aggregate_optimality_gap`).

    The area that lies above the score distribution from 0 to gamma, where no score is negative.
    """
    return float(gamma - np.minimum(np.asarray(scores, float), gamma).mean())


def rliable_probability_of_improvement(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Mean over the tasks of the probability that a run of x has a higher score than one of y, ties counting half.

    `probability_of_improvement` there; on each task U / (n_x n_y) with the statistic U of Mann and Whitney.

    Parameters
    ----------
    x, y : (n_runs, n_tasks) array_like
        The numbers of runs may differ.
    """
    a, b = np.sort(np.asarray(x, float), axis=0), np.sort(np.asarray(y, float), axis=0)
    above = [
        (np.searchsorted(theirs, own, side="left") + np.searchsorted(theirs, own, side="right")).sum() / 2
        for own, theirs in zip(a.T, b.T, strict=True)
    ]
    return float(np.mean(above) / (len(a) * len(b)))
