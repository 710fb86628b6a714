"""How the tests `synchronised` and `permutation` of a pair would do with runs shuffled afresh in every rearrangement.

    python benchmarks/size/shuffles.py [studies]

Rejections in per cent with runs shuffled once and afresh, of equal algorithms and where the first is better, means over 3 and 10
blocks, normal and lognormal noise, with and without interaction. With two algorithms both tests are one.
"""

from __future__ import annotations

import math
import sys
from itertools import combinations, product

import numpy as np

REARRANGED, LEVELS = 999, (0.002, 0.01, 0.05, 0.1)
#: Rounding of statistics that are equal.
NEAR = 1e-9


def study(rng, b, k, r, noise, interaction, better):
    """Return values (b, k, r), the first algorithm better by so much."""
    x = rng.standard_normal((b, k, r))
    if noise == "lognormal":
        x = (np.exp(x) - math.exp(0.5)) / math.sqrt((math.e - 1) * math.e)
    if interaction:
        cells = 3 * rng.standard_normal((b, k))
        x += (cells - cells.mean(axis=0))[:, :, None]
    x[:, 0] -= better
    return x - x.mean()


def once(x, rng):
    """Return p where the runs are in one order: of two algorithms with few runs by enumeration."""
    _, k, r = x.shape
    z = x.sum(axis=0).ravel()
    if k == 2 and r <= 5:
        chosen = np.array(list(combinations(range(2 * r), r)))
        sums = z[chosen].sum(axis=1)
        return (np.abs(2 * sums - z.sum()) >= abs(2 * sums[0] - z.sum()) - NEAR).mean()
    sums = rng.permuted(np.tile(z, (REARRANGED, 1)), axis=1).reshape(-1, k, r).sum(axis=2)
    return reached((sums**2).sum(axis=1), z.reshape(k, r))


def afresh(x, rng):
    """Return p where every rearrangement has an order of the runs of its own, in every cell."""
    _, k, r = x.shape
    z = rng.permuted(np.broadcast_to(x, (REARRANGED, *x.shape)), axis=3).sum(axis=1)
    if k > 2:
        sums = rng.permuted(z.reshape(REARRANGED, k * r), axis=1).reshape(-1, k, r).sum(axis=2)
        return reached((sums**2).sum(axis=1), x.sum(axis=0))
    # so many runs of the two are exchanged, with the chance that a split has
    seen = x[:, 0].sum() - x[:, 1].sum()
    after = seen - 2 * np.cumsum(z[:, 0] - z[:, 1], axis=1)
    chance = np.array([math.comb(r, n) ** 2 for n in range(r + 1)]) / math.comb(2 * r, r)
    return chance[0] + chance[1:] @ (np.abs(after) >= abs(seen) - NEAR).mean(axis=0)


def reached(statistics, z):
    """Return the share of statistics that reach that of sums of runs (k, r), which counts too."""
    return (1 + (statistics >= (z.sum(axis=1) ** 2).sum() * (1 - NEAR) - NEAR).sum()) / (REARRANGED + 1)


def main():
    """Print the table."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(1)
    print("algorithms, runs" + "".join(f"{f'{100 * level:g} %':>14}" for level in LEVELS))
    for k, r, better in product((2, 3, 5, 9), (4, 5, 10), (False, True)):
        p = []
        for b, noise, interaction in product((3, 10), ("normal", "lognormal"), (False, True)):
            shift = better * (2.5 if k == 2 else 3.0) * math.sqrt(2 / (r * b))
            made = (study(rng, b, k, r, noise, interaction, shift) for _ in range(studies))
            p += [(once(x, rng), afresh(x, rng)) for x in made]
        shares = [100 * (np.array(p) <= level + 1e-12).mean(axis=0) for level in LEVELS]
        cells = "".join(f"{one:>8.1f}{new:>6.1f}" for one, new in shares)
        print(f"{k}, {r}, {'better' if better else 'equal':7}{cells}", flush=True)


if __name__ == "__main__":
    main()
