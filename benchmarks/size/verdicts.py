"""How often the default analysis of a study says something false, how often it finds what is there, and what its intervals cover.

    python benchmarks/size/verdicts.py [studies] [rearrangements] [number of the first study]

Each row simulates studies of eight algorithms on 24 clusters (functions) in four dimensions (`studies.py`) and decides as
`benchmill.inference.verdicts` does with the settings that a study has by default, by the same functions and the same random
numbers but without rows and sentences: `whole.py` shows that the workflow finds the same p values, bit for bit. Beside it
Friedman's test and Conover's comparison with Holm's correction, which take each of the 96 problems for independent, where there
is one target.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from benchmill.core import seeds
from benchmill.inference import clusters
from benchmill.inference.comparisons import conover
from benchmill.inference.corrections import holm
from benchmill.inference.effects import net_wins
from benchmill.inference.friedman import friedman
from studies import CASES, DIMENSIONS, NAMES, PROBLEMS, Array, Case, Study, simulate

LEVEL = 0.05
PAIRS = [(NAMES[i], NAMES[j]) for i, j in zip(*np.triu_indices(len(NAMES), 1), strict=True)]
#: Studies of every row before the next ones of the first row.
ROUND = 50


@dataclass(frozen=True)
class Decided:
    """What the default analysis of a study decides: adjusted p values, of each target those of a secondary analysis.

    Attributes
    ----------
    equal : float
        That all algorithms are equal.
    pairs : clusters.Flips
    equal_secondary : (n_targets,) array
    pairs_secondary : (n_targets, n_pairs) array
    """

    equal: float
    pairs: clusters.Flips
    equal_secondary: Array
    pairs_secondary: Array


def decide(study: Study, seed: int, permutations: int) -> Decided:
    """Test a study with the random numbers of a study with this seed and the measure `m`."""
    designs = study.designs()
    n, cluster = len(designs), np.arange(len(PROBLEMS)) // DIMENSIONS
    cells = net_wins(np.concatenate([design.values for design in designs]))

    def rng(name: str, analysis: str, *more: str) -> np.random.Generator:
        return seeds.stream(seed, name, analysis, "m", *more)

    def equal(d: Array, analysis: str, place: int) -> float:
        p = clusters.exchangeable(d, len(NAMES), rng(clusters.ALL, analysis, str(place)), permutations).p
        return 1.0 if p is None else p

    pooled = clusters.means(cells, np.tile(cluster, n))
    all_equal = equal(pooled, "primary", 0)
    pairs = clusters.flips(pooled, rng(clusters.PAIRS, "primary"), LEVEL, permutations)
    if n == 1:
        return Decided(all_equal, pairs, np.empty(0), np.empty((0, len(PAIRS))))
    d = [clusters.means(part, cluster) for part in np.split(cells, n)]
    each = clusters.flips(np.hstack(d), rng(clusters.PAIRS, "secondary"), LEVEL, permutations).p_adjusted
    all_each = holm([equal(of_target, "secondary", place) for place, of_target in enumerate(d)])
    return Decided(all_equal, pairs, all_each, each.reshape(n, -1))


HEADS = {
    "all": "not all equal",
    "better": "false better",
    "all_secondary": "not all equal, secondary",
    "better_secondary": "false better, secondary",
    "covered": "interval covers",
    "found": "finds one",
    "friedman": "Friedman",
    "conover": "false, Conover–Holm",
    "conover_found": "finds one, Conover–Holm",
}


def shares(case: Case, numbers: range, permutations: int) -> dict[str, float]:
    """Of how many of the studies with these numbers each column is true; what a case has not is left out."""
    none = np.array([pair in case.equal for pair in PAIRS])
    counts: dict[str, float] = dict.fromkeys(HEADS, 0.0)
    for number in numbers:
        study = simulate(case, number)
        found = decide(study, number, permutations)
        shown, inside = found.pairs.p_adjusted <= LEVEL, (found.pairs.low <= 0) & (found.pairs.high >= 0)
        counts["all"] += found.equal <= LEVEL
        counts["better"] += (shown & none).any()
        counts["all_secondary"] += (found.equal_secondary <= LEVEL).any()
        counts["better_secondary"] += ((found.pairs_secondary <= LEVEL) & none).any()
        counts["covered"] += inside[none].mean()
        counts["found"] += (shown & ~none).any()
        if case.targets == 1:
            values = study.designs()[0].values
            ranks, compared = friedman(values), conover(values).significant(LEVEL)
            counts["friedman"] += ranks.p_f is not None and ranks.p_f <= LEVEL
            counts["conover"] += (compared & none).any()
            counts["conover_found"] += (compared & ~none).any()
    absent = {"found", "conover_found"} if case.exchangeable else {"all", "all_secondary", "friedman"}
    absent |= {"all_secondary", "better_secondary"} if case.targets == 1 else {"friedman", "conover", "conover_found"}
    return {name: float(count) for name, count in counts.items() if name not in absent}


def main(studies: int = 200, permutations: int = 199, start: int = 0) -> None:
    """Print the table of the documentation, anew after every round of studies; number `start` is the first of them."""
    counts: dict[str, dict[str, float]] = {case.words: {} for case in CASES}
    for first in range(0, studies, ROUND):
        last = min(first + ROUND, studies)
        for case in CASES:
            for name, count in shares(case, range(start + first, start + last), permutations).items():
                counts[case.words][name] = counts[case.words].get(name, 0.0) + count
        print(f"\n{last} studies a row, {permutations} rearrangements; per cent\n")
        print("| " + " | ".join(("study", *HEADS.values())) + " |\n|" + " --- |" * (len(HEADS) + 1))
        for words, row in counts.items():
            cells = [f"{100 * row[name] / last:.1f}" if name in row else "–" for name in HEADS]
            print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
