"""How often the default analysis of a study says something false, how often it finds what is there, and what its intervals cover.

    python benchmarks/size/verdicts.py [studies] [rearrangements at most] [number of the first study]

Each row simulates studies of eight algorithms on 24 clusters (functions) in four dimensions (`studies.py`) and tests them as the
workflow does, which `whole.py` shows: its p values are the same to the last bit. Beside it what pairs show without the gate, and
Friedman's test and Conover's comparison with Holm's correction, which take each of the 96 problems for independent, where there
is one target.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from benchmill.inference import draws
from benchmill.inference.clusters import Flips
from benchmill.inference.comparisons import conover
from benchmill.inference.design import Outcome
from benchmill.inference.friedman import friedman
from benchmill.inference.verdicts import Declaration, Tested, primary, secondary
from studies import CASES, NAMES, Array, Case, Study, simulate

LEVEL = 0.05
PAIRS = [(NAMES[i], NAMES[j]) for i, j in zip(*np.triu_indices(len(NAMES), 1), strict=True)]
#: Studies of every row before the next ones of the first row.
ROUND = 50


@dataclass(frozen=True)
class Decided:
    """What the default analysis of a study decides: adjusted p values, of each target those of the secondary analysis.

    Attributes
    ----------
    equal : float
        That all algorithms are equal.
    pairs : Flips
    ungated : (n_pairs,) array
        Adjusted p of the pairs where they are not asked behind the test of all algorithms.
    pairs_secondary : (n_targets, n_pairs) array
    """

    equal: float
    pairs: Flips
    ungated: Array
    pairs_secondary: Array


def decide(study: Study, seed: int, permutations: int) -> Decided:
    """Test a study with the random numbers of a study with this seed and the measure `m`."""
    designs, plan = {"m": study.designs()}, Declaration(permutations=permutations, seed=seed)
    tested = primary(designs, plan)
    assert tested is not None
    rest = secondary(designs, tested)
    return Decided(
        1.0 if tested.gate.p is None else tested.gate.p,
        tested.found,
        Tested(tested.families, plan, Outcome("none", p=0.0)).found.p_adjusted,
        np.empty((0, len(PAIRS))) if rest is None else rest.found.p_adjusted.reshape(-1, len(PAIRS)),
    )


HEADS = {
    "anything": "anything false",
    "all": "not all equal",
    "better": "false better",
    "better_secondary": "false better, secondary",
    "better_ungated": "false better, no gate",
    "covered": "interval covers",
    "found": "finds one",
    "found_ungated": "finds one, no gate",
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
        wrong = {
            "all": case.exchangeable and found.equal <= LEVEL,
            "better": bool((shown & none).any()),
            "better_secondary": bool(((found.pairs_secondary <= LEVEL) & none).any()),
        }
        for name, is_wrong in {**wrong, "anything": any(wrong.values())}.items():
            counts[name] += is_wrong
        counts["better_ungated"] += ((found.ungated <= LEVEL) & none).any()
        counts["covered"] += inside[none].mean()
        counts["found"] += (shown & ~none).any()
        counts["found_ungated"] += ((found.ungated <= LEVEL) & ~none).any()
        if case.targets == 1:
            values = study.designs()[0].values
            ranks, compared = friedman(values), conover(values).significant(LEVEL)
            counts["friedman"] += ranks.p_f is not None and ranks.p_f <= LEVEL
            counts["conover"] += (compared & none).any()
            counts["conover_found"] += (compared & ~none).any()
    absent = {"found", "found_ungated", "conover_found"} if case.exchangeable else {"all", "friedman"}
    absent |= {"better_secondary"} if case.targets == 1 else {"friedman", "conover", "conover_found"}
    return {name: float(count) for name, count in counts.items() if name not in absent}


def main(studies: int = 200, permutations: int = draws.MOST, start: int = 0) -> None:
    """Print the table of the documentation, anew after every round of studies; number `start` is the first of them."""
    counts: dict[str, dict[str, float]] = {case.words: {} for case in CASES}
    for first in range(0, studies, ROUND):
        last = min(first + ROUND, studies)
        for case in CASES:
            for name, count in shares(case, range(start + first, start + last), permutations).items():
                counts[case.words][name] = counts[case.words].get(name, 0.0) + count
        print(f"\n{last} studies a row, at most {permutations} rearrangements; per cent\n")
        print("| " + " | ".join(("study", *HEADS.values())) + " |\n|" + " --- |" * (len(HEADS) + 1))
        for words, row in counts.items():
            cells = [f"{100 * row[name] / last:.1f}" if name in row else "–" for name in HEADS]
            print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
