"""How often the tests reject: under their null hypotheses (size), and when one algorithm is better (power).

    python benchmarks/size/simulate.py [simulations] > benchmarks/size/results.txt
    python benchmarks/size/simulate.py [simulations] few > benchmarks/size/few_runs.txt

`few`: two algorithms with two to four runs, where a common split has too few rearrangements.

Values are made as block effect + interaction + noise. Noise: normal, or skewed (exponential minus 1). Interaction: none;
`fixed`: cells differ, but every algorithm has the same mean over these blocks; `random`: cells differ at random, and
equal means are a statement about blocks that one could have drawn.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.inference import permutation
from benchmill.inference.anova import anova
from benchmill.inference.friedman import friedman
from benchmill.reproduction import chiarandini2005

B = 199
ALPHA = 0.05
BLOCKS = 10


def noise(kind, shape, rng):
    """Centred noise; `heavy` is Student's t with two degrees of freedom."""
    if kind == "normal":
        return rng.normal(size=shape)
    return rng.exponential(size=shape) - 1 if kind == "skewed" else rng.standard_t(2, size=shape)


def data(kind, interaction, k, r, rng, shift=0.0, blocks=BLOCKS):
    """One made-up design, the first algorithm better by `shift`."""
    cells = np.zeros((blocks, k))
    if interaction != "none":
        cells = 2 * rng.normal(size=(blocks, k))
        if interaction == "fixed":
            cells -= cells.mean(axis=0)
    x = noise(kind, (blocks, k, r), rng) + cells[:, :, None] + 3 * rng.normal(size=(blocks, 1, 1))
    x[:, 0] -= shift
    return x


def p_values(x, rng):
    """P of every test; NaN where a test is not defined."""
    found = friedman(x)
    r = x.shape[2]
    result = {
        "synchronised": permutation.synchronised(x, rng, permutations=B, exact_limit=1).p if r > 1 else np.nan,
        "pairs (Alg. 1)": chiarandini2005.synchronised_pairs(x, rng, permutations=B, exact_limit=300).p if r > 1 else np.nan,
        "within blocks": permutation.within_blocks(x, rng, permutations=B, exact_limit=1).p,
        "anova": anova(x).p,
        "anova cells": anova(x, "cells").p if r > 1 else np.nan,
        "anova interact.": anova(x, "interaction").p,
        "Friedman chi2": found.p_chi2,
        "Friedman F": found.p_f,
    }
    return {name: np.nan if p is None else p for name, p in result.items()}


def shares(rows):
    """Share of rejections of every test."""
    return {name: np.mean([row[name] <= ALPHA for row in rows]) if not np.isnan(rows[0][name]) else None for name in rows[0]}


def line(label, found):
    """Print one row of the table."""
    print(f"{label:38s}" + "".join(f"{'-' if v is None else f'{100 * v:.1f}':>16s}" for v in found.values()), flush=True)


def few_runs(n, rng):
    """Two algorithms with two to four runs: equal numbers exchanged in all blocks, against one common split."""
    error = 100 * np.sqrt(0.05 * 0.95 / n)
    print(f"Rejections in per cent at nominal 5; {n} simulations (standard error {error:.1f}), two algorithms")
    print(f"{'size':38s}{'equal numbers':>16s}{'common split':>16s}")
    for blocks in (4, 10):
        for r in (2, 3, 4):
            for interaction in ("none", "fixed"):
                for kind in ("normal", "skewed"):
                    rows = []
                    for _ in range(n):
                        x = data(kind, interaction, 2, r, rng, blocks=blocks)
                        equal = chiarandini2005.synchronised_equal(x, rng, permutations=B, exact_limit=300).p
                        rows.append({"equal": equal, "common": permutation.synchronised(x, rng).p})
                    line(f"{interaction}, {kind}, b={blocks}, r={r}", shares(rows))


def main():
    """Print both tables."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    if "few" in sys.argv[2:]:
        few_runs(n, rng)
        return
    names = p_values(data("normal", "none", 3, 2, rng), rng)
    print(
        f"Rejections in per cent at nominal 5; {n} simulations (standard error {100 * np.sqrt(0.05 * 0.95 / n):.1f}), {BLOCKS} "
        "blocks"
    )
    print(f"{'size':38s}" + "".join(f"{name:>16s}" for name in names))
    for interaction in ("none", "fixed", "random"):
        for kind in ("normal", "skewed"):
            for k in (2, 3, 5, 9):
                for r in (1, 2, 5, 15):
                    if interaction == "fixed" and r == 1:
                        continue
                    rows = [p_values(data(kind, interaction, k, r, rng), rng) for _ in range(n)]
                    line(f"{interaction}, {kind}, k={k}, r={r}", shares(rows))
    print(f"{'power (one of five is better by)':38s}" + "".join(f"{name:>16s}" for name in names))
    for kind in ("normal", "skewed", "heavy"):
        for r in (1, 5):
            for shift in (0.0, 0.25, 0.5, 0.75, 1.0):
                rows = [p_values(data(kind, "none", 5, r, rng, shift), rng) for _ in range(n)]
                line(f"{kind}, r={r}, {shift}", shares(rows))


if __name__ == "__main__":
    main()
