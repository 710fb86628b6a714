"""Distributions of a random cost, given by mean, standard deviation and number of runs.

Barreto, Bernardino, Barbosa 2010, section 4: equation (4.1) for the normal distribution; "work out the steps with the
distribution selected" for the others.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core import Array, ArrayLike, Mask, frozen, reals
from benchmill.core.step_functions import TOLERANCE

#: Of x, mean and deviation.
_Function = Callable[[Array, Array, Array], Array]


def _standard_density(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))


@frozen
class _Normal:
    """The normal distribution, which bands are made of many times, without the checks of `scipy.stats`."""

    mean: Array
    sd: Array

    def cdf(self, x: Array) -> Any:
        return scipy.special.ndtr((x - self.mean) / self.sd)

    def pdf(self, x: Array) -> Array:
        return _standard_density((x - self.mean) / self.sd) / self.sd

    def ppf(self, p: Array) -> Any:
        return self.mean + self.sd * scipy.special.ndtri(p)


def _normal_shortfall(x: Array, mean: Array, sd: Array) -> Array:
    return np.asarray((x - mean) * scipy.special.ndtr((x - mean) / sd) + sd * _standard_density((x - mean) / sd))


def _lognormal(mean: Array, sd: Array) -> Any:
    """Return the lognormal with the same mean and sd."""
    s = np.sqrt(np.log1p((sd / mean) ** 2))
    return scipy.stats.lognorm(s, scale=mean * np.exp(-(s**2) / 2))


@np.errstate(divide="ignore")
def _lognormal_shortfall(x: Array, mean: Array, sd: Array) -> Array:
    s = np.sqrt(np.log1p((sd / mean) ** 2))
    positive = np.maximum(x, 0.0)
    below = scipy.special.ndtr(np.log(positive / mean) / s - s / 2)
    return np.asarray(positive * _lognormal(mean, sd).cdf(x) - mean * below)


def _gamma(mean: Array, sd: Array) -> Any:
    """Return the gamma distribution with the same mean and sd."""
    return scipy.stats.gamma((mean / sd) ** 2, scale=sd**2 / mean)


def _gamma_shortfall(x: Array, mean: Array, sd: Array) -> Array:
    positive = np.maximum(x, 0.0)
    below = scipy.special.gammainc((mean / sd) ** 2 + 1, positive * mean / sd**2)
    return np.asarray(positive * _gamma(mean, sd).cdf(x) - mean * below)


def _truncated_normal(mean: Array, sd: Array) -> Any:
    """Return the normal distribution with this mean and sd, given that it is positive."""
    return scipy.stats.truncnorm(-mean / sd, np.inf, loc=mean, scale=sd)


def _truncated_shortfall(x: Array, mean: Array, sd: Array) -> Array:
    cut, left = scipy.special.ndtr(-mean / sd), scipy.special.ndtr(mean / sd)
    positive = np.maximum(x, 0.0)
    whole = _normal_shortfall(positive, mean, sd) - _normal_shortfall(np.zeros_like(positive), mean, sd)
    return np.asarray((whole - cut * positive) / left)


#: By model its distribution with a mean and deviation, and G(x) = E max(x - C, 0); `empirical` needs the runs themselves.
_MODELS: dict[str, tuple[Any, _Function]] = {
    "normal": (_Normal, _normal_shortfall),
    "truncated_normal": (_truncated_normal, _truncated_shortfall),
    "lognormal": (_lognormal, _lognormal_shortfall),
    "gamma": (_gamma, _gamma_shortfall),
}
MODELS = tuple(_MODELS)


def _arrays(x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> tuple[Array, Array, Array, Mask]:
    """Return arrays of x, mean and a standard deviation that is safe to compute with."""
    s = reals(sd)
    random = np.asarray(s > 0, bool)
    return reals(x), reals(mean), np.where(random, s, 1.0), random


def cdf(model: str, x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return P(C <= x); a constant cost counts as reached up to `step_functions.TOLERANCE`."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.where(random, _MODELS[model][0](m, s).cdf(a), m <= a + TOLERANCE * np.abs(a))


def density(model: str, x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the density at x; 0 everywhere for a constant cost."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.where(random, _MODELS[model][0](m, s).pdf(a), 0.0)


def quantile(model: str, p: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the smallest x with P(C <= x) >= p."""
    a, m, s, random = _arrays(p, mean, sd)
    return np.where(random, _MODELS[model][0](m, s).ppf(a), m)


def cdf_integral(model: str, a: ArrayLike, b: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the integral of P(C <= x) over [a, b] in closed form: G(b) - G(a) with G(x) = E max(x - C, 0).

    For the normal distribution G(x) = (x - mean) Phi(z) + sd phi(z), z = (x - mean)/sd.
    """
    low, m, s, random = _arrays(a, mean, sd)
    high, shortfall = reals(b), _MODELS[model][1]
    rest = np.maximum(high - m, 0.0) - np.maximum(low - m, 0.0)
    return np.where(random, shortfall(high, m, s) - shortfall(low, m, s), rest)
