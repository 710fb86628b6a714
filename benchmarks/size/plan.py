"""How often a pair is decided at the size that `benchmill plan` names for a chance of 80 %.

    python benchmarks/size/plan.py [pilots]

Pilots are studies of two or of four algorithms, of which the first is better, on 12 or 24 clusters of four cells; a cluster has
an effect of its own. Of each open pair the plan names the smallest size of those that it asks about whose cautious chance is
80 %, and beside it the one whose chance is 80 % with the effects as seen. What such a size is worth is counted in new studies of
the population that the pilot is from: the mean over all pairs and pilots for which a size was named.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.inference import clusters
from benchmill.inference.sample_size import Scores, power, sizes

Array = np.ndarray
WANTED, LEVEL, CELLS, NEW_STUDIES = 0.8, 0.05, 4, 200


def drawn(rng: np.random.Generator, n: int, better: Array) -> Array:
    """Return (n, pairs): net shares of wins over the cells of n clusters."""
    cost = rng.normal(size=(n, 1, better.size)) + rng.normal(size=(n, CELLS, better.size)) - better
    i, j = np.triu_indices(better.size, 1)
    return np.sign(cost[..., j] - cost[..., i]).mean(axis=1)


def tested(d: Array, k: int, rng: np.random.Generator) -> Array:
    """Return which pairs a study decides, in the direction of the truth."""
    found = clusters.flips(d, rng, 0.0, 199, most_counted=4000)
    decided = (found.p_adjusted <= LEVEL) & (found.effect > 0)
    gate = clusters.exchangeable(d, k, rng, 199, 0.0, most_counted=4000) if decided.any() else None
    return decided & (gate is not None and gate.p is not None and gate.p <= LEVEL)


def main(pilots: int = 100) -> None:
    """Print the table of the documentation."""
    print(f"{pilots} pilots a row; per cent of new studies of the size that is named which decide the pair")
    print("| algorithms | clusters | better by | open pairs | as seen: named | is | cautious: named | is |")
    print("| --- " * 8 + "|")
    every: dict[str, list[float]] = {"as_seen": [], "cautious": []}
    for k, n, shift in [(k, n, shift) for k, n in ((2, 12), (2, 24), (4, 24)) for shift in (0.5, 0.75, 1.0)]:
        rng = np.random.default_rng([k, n, int(100 * shift)])
        better = np.zeros(k)
        better[0] = shift
        first = np.triu_indices(k, 1)[0] == 0
        asked = [size for size, _ in sizes(n, 1, False, 6.0)]
        truth = {size: np.mean([tested(drawn(rng, size, better), k, rng) for _ in range(NEW_STUDIES)], axis=0) for size in asked}
        named: dict[str, list[float]] = {"as_seen": [], "cautious": []}
        n_open = 0
        for _ in range(pilots):
            d = drawn(rng, n, better)
            family = np.arange(d.shape[1])
            left = first & ~tested(d, k, rng) & (d.mean(axis=0) > 0)
            n_open += int(left.sum())
            waiting = {name: left.copy() for name in named}
            for size in asked:
                if not any(open_.any() for open_ in waiting.values()):
                    break
                found = power(
                    Scores(d, family, np.full(family.size, np.nan), np.zeros(family.size), k, 1),
                    size,
                    1,
                    rng,
                    studies=100,
                    permutations=99,
                )
                for name, values in (("as_seen", found.as_seen), ("cautious", found.cautious)):
                    enough = waiting[name] & (values >= WANTED)
                    named[name] += truth[size][enough].tolist()
                    waiting[name] &= ~enough
        cells = [f"{len(values)} | {100 * np.mean(values):.0f}" if values else "0 | –" for values in named.values()]
        print(f"| {k} | {n} | {shift:g} sd | {n_open} | {' | '.join(cells)} |", flush=True)
        for name, values in named.items():
            every[name] += values
    print({name: f"{len(values)} named, {100 * np.mean(values):.1f} %" for name, values in every.items()})


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
