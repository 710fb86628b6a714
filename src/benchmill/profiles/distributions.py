"""Distributions of a random cost, given by mean, standard deviation and number of runs.

Barreto, Bernardino, Barbosa 2010, section 4: equation (4.1) for the normal distribution; "work out the steps with the
distribution selected" for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # imports `scipy.special` when it is asked for

from benchmill.core.arrays import Array, Mask
from benchmill.core.step_functions import TOLERANCE

_Function = Callable[[Array, Array, Array], Array]

_ROOT = np.sqrt(2 * np.pi)


@dataclass(frozen=True)
class _Model:
    """`cdf`, `density` at x."""

    cdf: _Function
    density: _Function
    quantile: _Function
    shortfall: _Function


def _normal() -> _Model:
    def density(z: Array) -> Array:
        return np.asarray(np.exp(-0.5 * z * z) / _ROOT)

    def shortfall(x: Array, mean: Array, sd: Array) -> Array:
        z = (x - mean) / sd
        return np.asarray((x - mean) * scipy.special.ndtr(z) + sd * density(z))

    return _Model(
        lambda x, mean, sd: scipy.special.ndtr((x - mean) / sd),
        lambda x, mean, sd: density((x - mean) / sd) / sd,
        lambda p, mean, sd: mean + sd * scipy.special.ndtri(p),
        shortfall,
    )


def _lognormal() -> _Model:
    """Return the lognormal with the same mean and sd."""

    def parameters(mean: Array, sd: Array) -> tuple[Array, Array]:
        variance = np.log1p((sd / mean) ** 2)
        return np.log(mean) - variance / 2, np.sqrt(variance)

    def z(x: Array, mean: Array, sd: Array) -> tuple[Array, Array]:
        m, s = parameters(mean, sd)
        with np.errstate(divide="ignore"):
            return np.where(x > 0, (np.log(np.maximum(x, 0.0)) - m) / s, -np.inf), s

    def cdf(x: Array, mean: Array, sd: Array) -> Array:
        return np.asarray(scipy.special.ndtr(z(x, mean, sd)[0]))

    def density(x: Array, mean: Array, sd: Array) -> Array:
        at, s = z(x, mean, sd)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(x > 0, np.exp(-0.5 * at * at) / (_ROOT * s * x), 0.0))

    def quantile(p: Array, mean: Array, sd: Array) -> Array:
        m, s = parameters(mean, sd)
        return np.asarray(np.exp(m + s * scipy.special.ndtri(p)))

    def shortfall(x: Array, mean: Array, sd: Array) -> Array:
        at, s = z(x, mean, sd)
        return np.asarray(np.maximum(x, 0.0) * scipy.special.ndtr(at) - mean * scipy.special.ndtr(at - s))

    return _Model(cdf, density, quantile, shortfall)


def _gamma() -> _Model:
    """Return the gamma distribution with the same mean and sd: shape (mean/sd)^2, scale sd^2/mean."""

    def cdf(x: Array, mean: Array, sd: Array) -> Array:
        return np.asarray(scipy.special.gammainc((mean / sd) ** 2, np.maximum(x, 0.0) * mean / sd**2))

    def density(x: Array, mean: Array, sd: Array) -> Array:
        shape, scale = (mean / sd) ** 2, sd**2 / mean
        with np.errstate(divide="ignore", invalid="ignore"):
            t = x / scale
            return np.asarray(np.where(x > 0, np.exp((shape - 1) * np.log(t) - t - scipy.special.gammaln(shape)) / scale, 0.0))

    def quantile(p: Array, mean: Array, sd: Array) -> Array:
        return np.asarray(scipy.special.gammaincinv((mean / sd) ** 2, p) * sd**2 / mean)

    def shortfall(x: Array, mean: Array, sd: Array) -> Array:
        shape, t = (mean / sd) ** 2, np.maximum(x, 0.0) * mean / sd**2
        return np.asarray(np.maximum(x, 0.0) * scipy.special.gammainc(shape, t) - mean * scipy.special.gammainc(shape + 1, t))

    return _Model(cdf, density, quantile, shortfall)


def _truncated_normal() -> _Model:
    """Return the normal distribution with this mean and sd, given that it is positive."""

    def below(mean: Array, sd: Array) -> tuple[Array, Array]:
        """Return what of the normal distribution is cut off, and what is left."""
        return np.asarray(scipy.special.ndtr(-mean / sd)), np.asarray(scipy.special.ndtr(mean / sd))

    def cdf(x: Array, mean: Array, sd: Array) -> Array:
        cut, left = below(mean, sd)
        return np.where(x > 0, np.maximum(scipy.special.ndtr((x - mean) / sd) - cut, 0.0) / left, 0.0)

    def density(x: Array, mean: Array, sd: Array) -> Array:
        return np.where(x > 0, np.exp(-0.5 * ((x - mean) / sd) ** 2) / (_ROOT * sd * below(mean, sd)[1]), 0.0)

    def quantile(p: Array, mean: Array, sd: Array) -> Array:
        # from above, where the digits are
        return np.asarray(np.maximum(mean - sd * scipy.special.ndtri((1 - p) * below(mean, sd)[1]), 0.0))

    def shortfall(x: Array, mean: Array, sd: Array) -> Array:
        cut, left = below(mean, sd)
        at, normal = np.maximum(x, 0.0), _MODELS["normal"].shortfall
        return np.asarray((normal(at, mean, sd) - normal(np.zeros_like(at), mean, sd) - cut * at) / left)

    return _Model(cdf, density, quantile, shortfall)


#: Model -> its functions. `empirical` needs the runs themselves and is not among them.
_MODELS = {
    "normal": _normal(),
    "truncated_normal": _truncated_normal(),
    "lognormal": _lognormal(),
    "gamma": _gamma(),
}
MODELS = tuple(_MODELS)


def _arrays(x: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> tuple[Array, Array, Array, Mask]:
    """Return arrays of x, mean and a standard deviation that is safe to compute with."""
    s = np.asarray(sd, float)
    random = np.asarray(s > 0, bool)
    return np.asarray(x, float), np.asarray(mean, float), np.where(random, s, 1.0), random


def cdf(model: str, x: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
    """Return P(C <= x); a constant cost counts as reached up to `step_functions.TOLERANCE`."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.asarray(np.where(random, _MODELS[model].cdf(a, m, s), m <= a + TOLERANCE * np.abs(a)), float)


def density(model: str, x: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
    """Return the density at x; 0 everywhere for a constant cost."""
    a, m, s, random = _arrays(x, mean, sd)
    return np.asarray(np.where(random, _MODELS[model].density(a, m, s), 0.0), float)


def quantile(model: str, p: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
    """Return the smallest x with P(C <= x) >= p."""
    a, m, s, random = _arrays(p, mean, sd)
    return np.asarray(np.where(random, _MODELS[model].quantile(a, m, s), m), float)


def cdf_integral(model: str, a: npt.ArrayLike, b: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
    """Return the integral of P(C <= x) over [a, b] in closed form: G(b) - G(a) with G(x) = E max(x - C, 0).

    For the normal distribution G(x) = (x - mean) Phi(z) + sd phi(z), z = (x - mean)/sd.
    """
    low, m, s, random = _arrays(a, mean, sd)
    high, shortfall = np.asarray(b, float), _MODELS[model].shortfall
    rest = np.maximum(high - m, 0.0) - np.maximum(low - m, 0.0)
    return np.asarray(np.where(random, shortfall(high, m, s) - shortfall(low, m, s), rest), float)
