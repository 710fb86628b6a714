"""How often the default analysis of a study says something false, how often it finds what is there, and what its intervals cover.

    python benchmarks/size/verdicts.py [studies] [permutations]

Each row simulates studies of eight algorithms on 24 clusters (functions) in four dimensions and gives them to
`benchmill.inference.verdicts.verdicts` with the settings that a study has by default. `correlation`: of two cells of a cluster,
of the difference between two algorithms. Beside it Friedman's test and Conover's comparison with Holm's correction, which take
each of the 96 problems for independent, on the first target.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmill.core.replicates import ert
from benchmill.inference.comparisons import conover
from benchmill.inference.design import Design
from benchmill.inference.friedman import friedman
from benchmill.inference.verdicts import Plan, verdicts

ALGORITHMS, CLUSTERS, DIMENSIONS = 8, 24, 4
PROBLEMS = [{"suite": "s", "problem": f"f{g}", "dimension": d} for g in range(CLUSTERS) for d in range(DIMENSIONS)]


@dataclass(frozen=True)
class Case:
    """A way to simulate studies.

    Attributes
    ----------
    words : str
    correlation : float
    targets : int
    failures : float
        Share of runs that fail.
    runs : int
        Runs on each problem.
    replicated : bool
        Whether runs are given as such, or their ERT.
    interaction : float
        Standard deviation of what an algorithm is better or worse by on a function, the noise of runs having 1.
    shift : tuple of float
        What is added to the logarithm of the cost of each algorithm.
    specialists : float
        How much better the first algorithm is on the first half of the functions, and the second on the others.
    """

    words: str
    correlation: float = 0.0
    targets: int = 1
    failures: float = 0.0
    runs: int = 1
    replicated: bool = False
    interaction: float | None = None
    shift: tuple[float, ...] = (0.0,) * ALGORITHMS
    specialists: float = 0.0


ORDERED = (0.0, 0.0, *(0.5 * i for i in range(1, 7)))
BETTER = (-1.0, *[0.0] * 7)
CASES = (
    *(Case(f"exchangeable, correlation {c:g}", c) for c in (0.0, 0.3, 0.5)),
    *(Case(f"exchangeable, correlation {c:g}, 30 % failures", c, failures=0.3, runs=5) for c in (0.0, 0.5)),
    *(Case(f"exchangeable, correlation {c:g}, six targets", c, targets=6) for c in (0.0, 0.5)),
    Case("exchangeable, correlation 0.5, six targets, 30 % failures", 0.5, targets=6, failures=0.3, runs=5),
    *(Case(f"replicated, 5 runs, interaction {s:g}", runs=5, replicated=True, interaction=s) for s in (0.0, 1.0)),
    Case("two equal, six in order, correlation 0.5", 0.5, shift=ORDERED),
    Case("two specialists, correlation 0.5", 0.5, specialists=1.5),
    Case("one better by one sd, correlation 0.5", 0.5, shift=BETTER),
    Case("one better by one sd, correlation 0", 0.0, shift=BETTER),
)


def simulate(case: Case, rng: np.random.Generator) -> list[Design]:
    """One study: a design for each target."""
    shape = (ALGORITHMS, CLUSTERS, DIMENSIONS)
    if case.interaction is None:
        common = math.sqrt(case.correlation) * rng.normal(size=(ALGORITHMS, CLUSTERS, 1))
        level = common + math.sqrt(1 - case.correlation) * rng.normal(size=shape)
    else:
        level = case.interaction * np.broadcast_to(rng.normal(size=(ALGORITHMS, CLUSTERS, 1)), shape)
    level = level + np.array(case.shift)[:, None, None]
    half = np.arange(CLUSTERS) < CLUSTERS // 2
    level[0] -= case.specialists * half[:, None]
    level[1] -= case.specialists * ~half[:, None]
    level = level + rng.normal(0, 1, (1, CLUSTERS, DIMENSIONS))
    designs, log = [], level[..., None] + (rng.normal(size=(*shape, case.runs)) if case.runs > 1 else 0.0)
    for t in range(case.targets):
        log = log + np.abs(rng.normal(0, 0.4, (*shape, case.runs)))
        budget = np.quantile(log, 1 - case.failures) if case.failures else np.inf
        cost = np.where(log <= budget, np.exp(log), np.inf)
        if not case.replicated:
            ends = np.arange(0, cost.size + 1, case.runs)
            spent = np.full(cost.size, math.exp(budget) if case.failures else np.nan)
            cost = ert(cost.ravel(), spent, ends).reshape(*shape, 1)
        values = cost.reshape(ALGORITHMS, -1, cost.shape[-1]).transpose(1, 0, 2)
        names = [f"a{i + 1}" for i in range(ALGORITHMS)]
        designs.append(Design(values, [str(i) for i in range(len(PROBLEMS))], names, target=10.0**-t, problems=PROBLEMS))
    return designs


def equal(case: Case) -> Iterator[tuple[str, str]]:
    """The pairs of which neither is better."""
    for i in range(ALGORITHMS):
        for j in range(i + 1, ALGORITHMS):
            special = case.specialists and i < 2 <= j
            if case.shift[i] == case.shift[j] and not special:
                yield f"a{i + 1}", f"a{j + 1}"


def row(case: Case, studies: int, permutations: int) -> dict[str, float]:
    """Shares of the studies."""
    none = set(equal(case))
    every = len(none) == ALGORITHMS * (ALGORITHMS - 1) // 2
    counts = dict.fromkeys(("all", "better", "secondary", "covered", "found", "friedman", "conover", "conover_found"), 0.0)
    for study in range(studies):
        rng = np.random.default_rng([study, *case.words.encode()])
        designs = simulate(case, rng)
        rows = verdicts({"m": designs}, Plan(permutations=permutations, seed=study)).to_pylist()
        pairs = [r for r in rows if r["algorithm_a"] is not None]
        false = [r for r in pairs if (r["algorithm_a"], r["algorithm_b"]) in none]
        primary = [r for r in false if r["analysis"] == "primary"]
        counts["all"] += every and rows[0]["significant"]
        counts["better"] += any(r["significant"] for r in primary)
        counts["secondary"] += any(r["significant"] for r in false if r["analysis"] == "secondary")
        counts["covered"] += np.mean([r["effect_low"] <= 0 <= r["effect_high"] for r in primary])
        true = [r for r in pairs if r["analysis"] == "primary" and r not in primary]
        counts["found"] += any(r["significant"] for r in true)
        ranks, compared = friedman(designs[0].values), conover(designs[0].values)
        counts["friedman"] += every and ranks.p_f is not None and ranks.p_f <= 0.05
        named = [(f"a{a + 1}", f"a{b + 1}") for a, b in zip(compared.a, compared.b, strict=True)]
        decided = [pair for pair, yes in zip(named, compared.significant(0.05), strict=True) if yes]
        counts["conover"] += any(pair in none for pair in decided)
        counts["conover_found"] += any(pair not in none for pair in decided)
    return {name: count / studies for name, count in counts.items()}


def main(studies: int = 200, permutations: int = 999) -> None:
    """Print the table of the documentation."""
    print(f"{studies} studies a row, {permutations} rearrangements; per cent\n")
    heads = ("study", "not all equal", "false better", "false better, secondary", "interval covers", "finds one")
    print("| " + " | ".join((*heads, "Friedman", "false, Conover–Holm", "finds one, Conover–Holm")) + " |")
    print("| --- |" + " --- |" * 8)
    for case in CASES:
        r = row(case, studies, permutations)
        null, power = len(set(equal(case))) == 28, len(set(equal(case))) < 28
        shown = [100 * r["all"] if null else None, 100 * r["better"], 100 * r["secondary"] if case.targets > 1 else None]
        shown += [100 * r["covered"], 100 * r["found"] if power else None, 100 * r["friedman"] if null else None]
        shown += [100 * r["conover"], 100 * r["conover_found"] if power else None]
        print(f"| {case.words} | " + " | ".join("–" if v is None else f"{v:.1f}" for v in shown) + " |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
