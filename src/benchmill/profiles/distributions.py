"""Distributions of a random cost, given by mean, standard deviation and number of runs.

Barreto, Bernardino, Barbosa 2010, section 4: equation (4.1) for the normal distribution; "work out the steps with the
distribution selected" for the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core.arrays import Array, ArrayLike, Mask
from benchmill.core.step_functions import TOLERANCE

_Function = Callable[[Array, Array, Array], Array]


@dataclass(frozen=True)
class _Model:
    """Functions of x (of p: `quantile`), mean and standard deviation; `shortfall` is G(x) = E max(x - C, 0)."""

    cdf: _Function
    density: _Function
    quantile: _Function
    shortfall: _Function


def _standard_density(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))


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


def _of_scipy(distribution: Callable[[Array, Array], Any], shortfall: _Function) -> _Model:
    return _Model(
        lambda x, mean, sd: distribution(mean, sd).cdf(x),
        lambda x, mean, sd: distribution(mean, sd).pdf(x),
        lambda p, mean, sd: distribution(mean, sd).ppf(p),
        shortfall,
    )


#: Model -> its functions. `empirical` needs the runs themselves and is not among them. The normal distribution, which bands are
#: made of many times, does without the checks of `scipy.stats`.
_MODELS = {
    "normal": _Model(
        lambda x, mean, sd: scipy.special.ndtr((x - mean) / sd),
        lambda x, mean, sd: _standard_density((x - mean) / sd) / sd,
        lambda p, mean, sd: mean + sd * scipy.special.ndtri(p),
        _normal_shortfall,
    ),
    "truncated_normal": _of_scipy(_truncated_normal, _truncated_shortfall),
    "lognormal": _of_scipy(_lognormal, _lognormal_shortfall),
    "gamma": _of_scipy(_gamma, _gamma_shortfall),
}
MODELS = tuple(_MODELS)


def _arrays(x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> tuple[Array, Array, Array, Mask]:
    """Return arrays of x, mean and a standard deviation that is safe to compute with."""
    s = np.asarray(sd, float)
    random = np.asarray(s > 0, bool)
    return np.asarray(x, float), np.asarray(mean, float), np.where(random, s, 1.0), random


def cdf(model: str, x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return P(C <= x); a constant cost counts as reached up to `step_functions.TOLERANCE`."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.where(random, _MODELS[model].cdf(a, m, s), m <= a + TOLERANCE * np.abs(a))


def density(model: str, x: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the density at x; 0 everywhere for a constant cost."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.where(random, _MODELS[model].density(a, m, s), 0.0)


def quantile(model: str, p: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the smallest x with P(C <= x) >= p."""
    a, m, s, random = _arrays(p, mean, sd)
    return np.where(random, _MODELS[model].quantile(a, m, s), m)


def cdf_integral(model: str, a: ArrayLike, b: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Array:
    """Return the integral of P(C <= x) over [a, b] in closed form: G(b) - G(a) with G(x) = E max(x - C, 0).

    For the normal distribution G(x) = (x - mean) Phi(z) + sd phi(z), z = (x - mean)/sd.
    """
    low, m, s, random = _arrays(a, mean, sd)
    high, shortfall = np.asarray(b, float), _MODELS[model].shortfall
    rest = np.maximum(high - m, 0.0) - np.maximum(low - m, 0.0)
    return np.where(random, shortfall(high, m, s) - shortfall(low, m, s), rest)
