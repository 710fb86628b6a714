"""Hierarchical Bayesian comparison of two algorithms on many problems, with the runs of each problem.

The differences on the problems are draws from one population, whose centre and width are estimated together with them:
problems with few or noisy runs are pulled towards the others, and the answer is about the next problem, not about those seen.
Corani, Benavoli, Demšar, Mangili, Zaffalon, "Statistical comparison of classifiers through Bayesian hierarchical modelling",
Machine Learning 106 (2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.inference.bayes import Posterior

Array = npt.NDArray[np.float64]

#: Bounds of the gamma prior of nu - 1: shape uniform in the first, rate uniform in the second (the defaults of baycomp).
_SHAPE, _RATE = (1.0, 2.0), (0.01, 0.1)
#: Upper bound of a standard deviation, in standard deviations that were seen (as in baycomp).
_WIDE = 1000.0
#: Fewest problems: with two the posterior of their spread is decided by its upper bound alone.
FEWEST_BLOCKS = 3
_CHAINS, _WARM_UP = 32, 300


@dataclass(frozen=True)
class Means:
    """What the runs of a problem say about its difference.

    Attributes
    ----------
    difference : (n_blocks,) array
        Estimated difference, first minus second.
    squares : (n_blocks,) array
        Sum of squares with `df` degrees of freedom, whose expectation is df sigma^2.
    df : int
    factor : float
        The variance of `difference` is factor sigma^2.
    reach : float
        The largest difference of any two runs of a problem, without sign: delta_0 is not outside.
    """

    difference: Array
    squares: Array
    df: int
    factor: float
    reach: float


def of_independent_runs(first: npt.ArrayLike, second: npt.ArrayLike) -> Means:
    """Differences of means of independent runs, with the variance that both algorithms share on a problem.

    Parameters
    ----------
    first, second : (n_blocks, n_runs) array_like
        Finite; the order of the runs does not count.
    """
    x, y = np.asarray(first, float), np.asarray(second, float)
    r = x.shape[1]
    squares = ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) + ((y - y.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    apart = np.maximum(x.max(axis=1) - y.min(axis=1), y.max(axis=1) - x.min(axis=1))
    return Means(x.mean(axis=1) - y.mean(axis=1), squares, 2 * (r - 1), 2 / r, float(apart.max(initial=0.0)))


def hierarchical(means: Means, rng: np.random.Generator, *, rope: float, samples: int = 25_600) -> Posterior:
    """Probabilities that on the next problem one algorithm is likely to be better, or both to be practically equal.

    difference_i ~ N(delta_i, factor sigma_i^2), squares_i / sigma_i^2 ~ chi2(df), delta_i ~ delta_0 + s t(nu). Priors as in
    baycomp, after division by the mean standard deviation: sigma_i and s uniform up to 1000 times what was seen, delta_0
    uniform up to the largest difference of two runs, nu - 1 gamma with shape uniform in [1, 2] and rate uniform in [0.01, 0.1].
    In every sample of the posterior the difference on a new problem is below -rope, within, or above rope with some
    probabilities; counted is which of them is the largest (Corani et al. 2017, section 3.3).

    Parameters
    ----------
    means : Means
        From `of_independent_runs`, or of matched runs likewise.
    rng : numpy.random.Generator
    rope : float
        Half width of the region of practical equivalence, on the scale of the differences; > 0.
    samples : int
        From 32 chains together, after 300 steps each that are not counted.

    Returns
    -------
    Posterior
        With `r_hat`, the largest split-R-hat of delta_0 and of the probabilities that the difference on a new problem is below
        and above the region (Gelman and others, Bayesian Data Analysis, third edition, section 11.4): 1 where all chains tell
        the same.

    Raises
    ------
    ValueError
        Fewer than three problems or two degrees of freedom, a difference that is not finite, rope not positive.

    Notes
    -----
    Where all runs of a problem are equal, as when both algorithms always reach the floor of a measure, sigma_i would be 0 and
    nothing could be shrunk. A standard deviation below rope / sqrt(3), that of an error uniform in [-rope, rope], counts as
    it: it says nothing about differences that are larger than the region. baycomp puts such an error in place of constant
    differences, which also sets their mean to 0; here the mean is kept.

    Gibbs sampling with the t distribution as a mixture of normals. Where the algorithms hardly differ, s is near 0 and a plain
    Gibbs sampler gets stuck, so that s is drawn twice a step: given the delta_i, and given their standardised values
    (ancillarity and sufficiency interweaving, Yu and Meng 2011).
    """
    x, squares, f, c = np.asarray(means.difference, float), np.asarray(means.squares, float), means.df, means.factor
    q = x.size
    if q < FEWEST_BLOCKS or f < 2 or not rope > 0 or not np.isfinite(x).all() or not np.isfinite(squares).all():
        raise ValueError(
            f"a hierarchical comparison needs {FEWEST_BLOCKS} blocks, two degrees of freedom for the runs, finite differences, "
            "and rope > 0"
        )
    squares = np.maximum(squares, f * rope**2 / 3)
    unit = float(np.sqrt(squares / f).mean())
    x, squares, rope = x / unit, squares / unit**2, rope / unit
    reach = max(means.reach / unit, rope)
    widest = _WIDE * max(float(x.std()), math.sqrt(c))
    prior = _LogPrior()

    chains = _CHAINS
    kept = max(2, math.ceil(samples / chains / 2) * 2)
    trace = np.empty((kept, 3, chains))
    # starting points further apart than the posterior
    centre = x.mean() + rng.normal(size=(chains, 1)) * (x.std() + 1)
    centre = np.clip(centre, -reach, reach)
    spread = (x.std() + math.sqrt(c)) * np.exp(rng.normal(size=(chains, 1)))
    nu = 1 + rng.exponential(10.0, (chains, 1))
    delta = np.broadcast_to(x, (chains, q)).copy()
    weight = np.ones((chains, q))
    for step in range(-_WARM_UP, kept):
        precision = rng.standard_gamma(f / 2, (chains, q)) / ((squares + (x - delta) ** 2 / c) / 2) / c
        nu = _degrees((delta - centre) / spread, nu, prior, rng)
        scaled = (delta - centre) / spread
        weight = rng.standard_gamma((nu + 1) / 2, (chains, q)) / ((nu + scaled**2) / 2)
        # the delta_i, and then their centre and spread, given them
        among = weight / spread**2
        delta = (precision * x + among * centre) / (precision + among) + rng.normal(size=(chains, q)) / np.sqrt(precision + among)
        total = weight.sum(axis=1, keepdims=True)
        new = (weight * delta).sum(axis=1, keepdims=True) / total + spread / np.sqrt(total) * rng.normal(size=(chains, 1))
        centre = np.where(np.abs(new) <= reach, new, centre)
        rest = (weight * (delta - centre) ** 2).sum(axis=1, keepdims=True) / 2
        new = np.sqrt(rest / rng.standard_gamma((q - 1) / 2, (chains, 1)))
        spread = np.where((new > 0) & (new < widest), new, spread)
        # both given the standardised delta_i, which stay
        standard = (delta - centre) / spread
        total = precision.sum(axis=1, keepdims=True)
        new = (precision * (x - spread * standard)).sum(axis=1, keepdims=True) / total
        new = new + rng.normal(size=(chains, 1)) / np.sqrt(total)
        centre = np.where(np.abs(new) <= reach, new, centre)
        information = (precision * standard**2).sum(axis=1, keepdims=True)
        mean = (precision * standard * (x - centre)).sum(axis=1, keepdims=True) / information
        new = _positive_normal(mean, 1 / np.sqrt(information), rng)
        spread = np.where((new > 0) & (new < widest), new, spread)
        delta = centre + spread * standard
        if step >= 0:
            trace[step] = centre[:, 0], spread[:, 0], nu[:, 0]
    return _probabilities(trace, rope)


def of_runs(first: npt.ArrayLike, second: npt.ArrayLike, rng: np.random.Generator, rope: float) -> Posterior | None:
    """`hierarchical` of independent runs; None with fewer than two runs or `FEWEST_BLOCKS` blocks.

    Parameters
    ----------
    first, second : (n_blocks, n_runs) array_like
        Finite.
    rng : numpy.random.Generator
    rope : float
    """
    x, y = np.asarray(first, float), np.asarray(second, float)
    if len(x) < FEWEST_BLOCKS or x.shape[1] < 2:
        return None
    return hierarchical(of_independent_runs(x, y), rng, rope=rope)


class _LogPrior:
    """Logarithm of the density of log(nu - 1), the shape and rate of its gamma distribution averaged out."""

    def __init__(self) -> None:
        from scipy.special import gammaln

        node, w = np.polynomial.legendre.leggauss(24)
        shape = np.interp(node, [-1, 1], _SHAPE)[:, None]
        rate = np.interp(node, [-1, 1], _RATE)
        self.at = np.linspace(-12.0, 9.0, 800)
        log_density = (
            (shape * np.log(rate) - gammaln(shape))[:, :, None]
            + shape[:, :, None] * self.at
            - rate[None, :, None] * np.exp(self.at)
        )
        top = log_density.max(axis=(0, 1))
        self.value = top + np.log(np.einsum("i,j,ijk->k", w / 2, w / 2, np.exp(log_density - top)))

    def __call__(self, log_nu: Array) -> Array:
        inside = (log_nu >= self.at[0]) & (log_nu <= self.at[-1])
        return np.asarray(np.where(inside, np.interp(log_nu, self.at, self.value), -np.inf), float)


def _degrees(scaled: Array, nu: Array, prior: _LogPrior, rng: np.random.Generator) -> Array:
    """Metropolis steps of nu, small and large, given standardised differences from a t distribution."""
    from scipy.special import gammaln

    q = scaled.shape[1]
    squared = scaled**2

    def log_density(log_nu: Array) -> Array:
        value = 1 + np.exp(log_nu)
        constant = gammaln((value + 1) / 2) - gammaln(value / 2) - 0.5 * np.log(value)
        tails = np.log1p(squared / value).sum(axis=1, keepdims=True)
        return np.asarray(q * constant - (value + 1) / 2 * tails + prior(log_nu), float)

    at = np.log(nu - 1)
    density = log_density(at)
    for scale in (0.6, 2.0):
        proposed = at + scale * rng.normal(size=at.shape)
        other = log_density(proposed)
        accepted = np.log(rng.random(at.shape)) < other - density
        at, density = np.where(accepted, proposed, at), np.where(accepted, other, density)
    return np.asarray(1 + np.exp(at), float)


def _positive_normal(mean: Array, sd: Array, rng: np.random.Generator) -> Array:
    """A normal variable that is known to be positive, by its inverse distribution function."""
    from scipy.special import log_ndtr, ndtri_exp

    tail = np.log(rng.random(mean.shape)) + log_ndtr(mean / sd)
    return np.asarray(mean - sd * ndtri_exp(tail), float)


def _probabilities(trace: Array, rope: float) -> Posterior:
    from scipy.special import stdtr

    centre, spread, nu = (trace[:, i] for i in range(3))
    below = stdtr(nu, (-rope - centre) / spread)
    above = stdtr(nu, (centre - rope) / spread)
    shares = np.stack([below, 1 - below - above, above], axis=-1)
    best = shares >= shares.max(axis=-1, keepdims=True) - 1e-12
    left, equal, right = (best / best.sum(axis=-1, keepdims=True)).mean(axis=(0, 1)).tolist()
    r_hat = max(_split_r_hat(values) for values in (centre, below, above))
    return Posterior(left, equal, right, centre.size, r_hat)


def _split_r_hat(values: Array) -> float:
    """Potential scale reduction of (n_steps, n_chains), each chain in halves."""
    half = len(values) // 2
    parts = np.concatenate([values[:half], values[half : 2 * half]], axis=1)
    within = parts.var(axis=0, ddof=1).mean()
    between = half * parts.mean(axis=0).var(ddof=1)
    # probabilities that are 0 in all samples but for rounding have converged
    return float(math.sqrt(((half - 1) / half * within + between / half) / within)) if within > 1e-12 else 1.0
