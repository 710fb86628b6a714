"""Bayesian comparison of two algorithms: how probable it is that one is better, or that they are practically equal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmill.registry.posteriors import BayesianComparison


@dataclass(frozen=True)
class Posterior:
    """Probabilities that the first is practically better (smaller), that both are equal, and that the second is better."""

    first_better: float
    equal: float
    second_better: float
    n_samples: int


def signed_rank(
    differences: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    samples: int = 50_000,
) -> Posterior:
    """Compare by the Bayesian signed-rank test with a region of practical equivalence.

    The differences (first minus second, one a block; ±inf where one failed) have a Dirichlet process prior of strength s with a
    pseudo-difference of 0. With weights from Dirichlet(s, 1, ..., 1) the shares of Walsh averages below -rope, within, and above
    rope are compared; counted is how often each is the largest, ties in equal parts (Benavoli, Corani, Demšar, Zaffalon, JMLR 18
    (2017), section 4.2; baycomp's `SignedRankTest` with prior place `rope`). Without blocks `equal` is 1.
    """
    z = np.asarray(differences, float).ravel()
    if np.isnan(z).any() or rope < 0 or prior_strength <= 0 or samples < 1:
        raise ValueError("differences must be no NaN, rope not negative, prior_strength and samples positive")
    # two failures on opposite sides cancel, one outweighs any number
    failed = np.isinf(z)
    z = np.where(failed, np.sign(z) * 4 * (np.abs(z, where=~failed, out=np.zeros(z.shape)).max(initial=0.0) + rope + 1), z)
    z = np.append(z, 0.0)
    order = np.argsort(z, kind="stable")
    z, prior = z[order], int(np.argmax(order == z.size - 1))
    # for each i the j with z_i + z_j < -2 rope are a prefix of the sorted differences, those above a suffix
    edge = 2 * rope * (1 + 1e-12)
    below = np.searchsorted(z, -edge - z, side="left")
    above = np.searchsorted(z, edge - z, side="right")
    counts = np.zeros(3)
    step = max(1, (1 << 22) // z.size)
    for first in range(0, samples, step):
        n = min(step, samples - first)
        w = rng.standard_exponential((z.size, n))
        w[prior] = rng.standard_gamma(prior_strength, n)
        total = np.zeros((z.size + 1, n))
        np.cumsum(w, axis=0, out=total[1:])
        whole = total[-1] ** 2
        left = np.einsum("ij,ij->j", w, total[below]) / whole
        right = 1 - np.einsum("ij,ij->j", w, total[above]) / whole
        shares = np.stack([left, 1 - left - right, right], axis=1)
        best = shares >= shares.max(axis=1, keepdims=True) - 1e-12
        counts += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    left, equal, right = (counts / samples).tolist()
    return Posterior(left, equal, right, samples)


def of_medians(first: npt.ArrayLike, second: npt.ArrayLike, rng: np.random.Generator, rope: float = 0.0) -> Posterior | None:
    """Return `signed_rank` of the differences of the medians of the runs, (n_blocks, n_runs) each; None without runs."""
    x, y = np.asarray(first, float), np.asarray(second, float)
    if not x.shape[1]:
        return None
    x, y = np.median(x, axis=1), np.median(y, axis=1)
    with np.errstate(invalid="ignore"):
        difference = np.where(x == y, 0.0, x - y)
    return signed_rank(difference, rng, rope=rope)


ENTRIES = (
    BayesianComparison(
        name="signed_rank",
        words="Bayesian signed-rank comparison",
        function=of_medians,
        references=("benavoli2017",),
        phrase="the Bayesian signed-rank test",
        note="over the problems",
        failures=True,
        needs="problems on which every algorithm has runs",
    ),
)
