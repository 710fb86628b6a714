"""How often equal algorithms are called different where instances come in families, with and without looking for families.

    python benchmarks/size/families.py [studies]

Algorithms are exchangeable; the logarithms of their times have the correlation that is given within a family. A study is
called wrong where it says that any pair differs, by the primary analysis as the workflow has it.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmill.core import keys
from benchmill.inference import families
from benchmill.inference.design import Design
from benchmill.inference.verdicts import Declaration, primary

#: Algorithms, families, instances of each, correlations.
CASES = ((4, 8, 10, (0.0, 0.05, 0.1, 0.3, 0.66)), (4, 20, 5, (0.3,)), (4, 30, 2, (0.3,)), (8, 12, 6, (0.2,)))
#: A decision is one of 999 flips: whether it would turn with more says nothing of how often a study is wrong.
FLIPS = 999


def study(rng: np.random.Generator, k: int, n: int, size: int, correlation: float) -> Design:
    """Draw costs of exchangeable algorithms on instances that are named by their families."""
    shared, own = rng.normal(size=(n, 1, k)), rng.normal(size=(n, size, k))
    x = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    names = [f"fam{family}_{i:02}" for family in range(n) for i in range(size)]
    described = [{"suite": None, "problem": name} for name in names]
    return Design(np.exp(x.reshape(-1, k, 1)), names, [f"a{i}" for i in range(k)], problems=described)


def differs(drawn: Design, cluster_keys: tuple[keys.Key, ...], seed: int) -> bool:
    """Whether the study says that a pair differs."""
    tested = primary({"m": [drawn]}, Declaration(cluster_keys=cluster_keys, permutations=FLIPS, seed=seed))
    assert tested is not None
    return bool((tested.found.p_adjusted <= 0.05).any())


def main(studies: int = 300) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row; per cent\n")
    heads = "algorithms, families", "correlation", "wrong, by instances", "families found", "wrong, as studies are made"
    print(f"| {' | '.join(heads)} |\n| {' | '.join(['---'] * len(heads))} |")
    for k, n, size, correlations in CASES:
        for correlation in correlations:
            rng = np.random.default_rng([k, n, size, int(100 * correlation)])
            single = found = wrong = 0
            for seed in range(studies):
                drawn = study(rng, k, n, size, correlation)
                of = keys.resolved(keys.DEFAULT_CLUSTER_KEYS, families.of_designs([drawn], keys.DEFAULT_CLUSTER_KEYS, seed=seed))
                by_instance = differs(drawn, keys.CLUSTER_KEYS, seed)
                single += by_instance
                found += of != keys.CLUSTER_KEYS
                wrong += by_instance if of == keys.CLUSTER_KEYS else differs(drawn, of, seed)
            shares = " | ".join(f"{100 * n_of / studies:.1f}" for n_of in (single, found, wrong))
            print(f"| {k}, {n} of {size} | {correlation:g} | {shares} |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
