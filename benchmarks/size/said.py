"""How often a study of 3, 8 or 30 algorithms says anything false, and what it finds beside Wilcoxon and Holm.

    python benchmarks/size/said.py [studies] [level at which families are found, 0.05]

24 functions in four dimensions, one cost a problem, two measures that go together (correlation 0.5): one is primary, the other
secondary. False is that algorithms differ of which none does, or a pair of two that are equal, anywhere. *Unequal variances*:
standard deviations of the algorithms are from 0.5 to 2. *Families*: functions come in 8 families of 3 with correlation 0.5,
which the study looks for as the workflow does. *Partial null*: half of the algorithms are equal, the others better by up to one
standard deviation; beside it the share of the true differences that the primary analysis finds, and that Wilcoxon's test of the
functions' means with Holm's correction finds.
"""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy.stats

from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, resolved
from benchmill.inference import families
from benchmill.inference.corrections import holm
from benchmill.inference.design import Design
from benchmill.inference.verdicts import Declaration, Tested, primary, secondary

Array = npt.NDArray[np.float64]
FUNCTIONS, DIMENSIONS, LEVEL = 24, 4, 0.05
KINDS = ("null", "unequal variances", "families", "partial null")


def simulate(kind: str, k: int, rng: np.random.Generator) -> tuple[list[Array], Array]:
    """Draw the logarithms of the costs of two measures, (functions, dimensions, algorithms), and by how much each is worse."""
    shift = np.zeros(k)
    if kind == "partial null":
        better = k // 2
        shift[:better] = -np.linspace(1, 0.3, better)
    spread = np.linspace(0.5, 2, k) if kind == "unequal variances" else np.ones(k)
    both = []
    shared = rng.normal(size=(FUNCTIONS, 1, k))
    for _ in range(2):
        function = np.sqrt(0.5) * (shared + rng.normal(size=(FUNCTIONS, 1, k)))
        if kind == "families":
            function = np.sqrt(0.5) * (function + np.repeat(rng.normal(size=(8, 1, k)), 3, axis=0))
        both.append(shift + spread * np.sqrt(0.5) * (function + rng.normal(size=(FUNCTIONS, DIMENSIONS, k))))
    return both, shift


def study(kind: str, k: int, seed: int) -> tuple[bool, float, float]:
    """Return whether anything false is said, and the shares of true differences found by the study and by Wilcoxon and Holm."""
    both, shift = simulate(kind, k, np.random.default_rng([KINDS.index(kind), k, seed]))
    names = [f"a{i}" for i in range(k)]
    letters = "abcdefgh" if kind == "families" else "f"
    problems = [
        {"suite": "s", "problem": f"{letters[g * len(letters) // FUNCTIONS]}{g + 1}", "dimension": d}
        for g in range(FUNCTIONS)
        for d in range(DIMENSIONS)
    ]
    blocks = [str(i) for i in range(len(problems))]
    designs = {
        name: [Design(np.exp(x).reshape(-1, k, 1), blocks, names, problems=problems)]
        for name, x in zip(("first", "second"), both, strict=True)
    }
    dealt = families.of_designs(designs["first"], DEFAULT_CLUSTER_KEYS, {}, seed)
    plan = Declaration(cluster_keys=resolved(DEFAULT_CLUSTER_KEYS, dealt), permutations=20_000, seed=seed)
    tested = primary(designs, plan)
    assert isinstance(tested, Tested)
    rest = secondary(designs, tested)
    assert rest is not None
    pairs = list(combinations(range(k), 2))
    equal = np.array([shift[i] == shift[j] for i, j in pairs])
    found, more = (one.found.p_adjusted <= LEVEL for one in (tested, rest))
    false = bool((found & equal).any() or (more & equal).any() or (equal.all() and tested.opened))
    if equal.all():
        return false, np.nan, np.nan
    means = both[0].mean(axis=1)
    p = np.array([scipy.stats.wilcoxon(means[:, i], means[:, j]).pvalue for i, j in pairs])
    return false, float(found[~equal].mean()), float((holm(p) <= LEVEL)[~equal].mean())


def main(studies: int = 200, level: float = families.LEVEL) -> None:
    """Print the table of the documentation."""
    families.LEVEL = level
    print("| study | algorithms | studies | anything false, % | finds, % | Wilcoxon–Holm finds, % |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in KINDS:
        for k in (3, 8, 30):
            n = studies if k < 30 else max(studies // 4, 1)
            false, mine, others = np.array([study(kind, k, seed) for seed in range(n)], float).T
            power = " | ".join("–" if np.isnan(x).all() else f"{100 * x.mean():.1f}" for x in (mine, others))
            print(f"| {kind} | {k} | {n} | {100 * false.mean():.1f} | {power} |", flush=True)


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((int, float), sys.argv[1:], strict=False)))
