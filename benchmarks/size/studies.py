"""Simulated studies of which the truth is known: how they are drawn, as designs of the tests and as a file for the workflow."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmill.core.replicates import ert
from benchmill.inference.design import Design

Array = npt.NDArray[np.float64]

ALGORITHMS, CLUSTERS, DIMENSIONS = 8, 24, 4
NAMES = [f"a{i + 1}" for i in range(ALGORITHMS)]
PROBLEMS = [{"suite": "s", "problem": f"f{g + 1}", "dimension": d + 1} for g in range(CLUSTERS) for d in range(DIMENSIONS)]


@dataclass(frozen=True)
class Case:
    """A way to simulate studies.

    Attributes
    ----------
    words : str
    correlation : float
        Of the difference between two algorithms in two dimensions of a function.
    targets : int
    failures : float
        Share of the runs, over all targets, that do not come to a target.
    runs : int
        Runs on each problem.
    replicated : bool
        Whether the runs are tested, or their ERT.
    interaction : float
        Standard deviation of what an algorithm is better or worse by on a problem, the noise of runs having 1.
    shift : tuple of float
        What is added to the logarithm of the times of each algorithm.
    specialists : float
        How much better the first algorithm is on the first half of the functions, and the second on the others.
    """

    words: str
    correlation: float = 0.0
    targets: int = 1
    failures: float = 0.0
    runs: int = 1
    replicated: bool = False
    interaction: float = 1.0
    shift: tuple[float, ...] = (0.0,) * ALGORITHMS
    specialists: float = 0.0

    @property
    def equal(self) -> list[tuple[str, str]]:
        """The pairs of which neither is better."""
        return [
            (NAMES[i], NAMES[j])
            for i, j in combinations(range(ALGORITHMS), 2)
            if self.shift[i] == self.shift[j] and not (self.specialists and i < 2 <= j)
        ]

    @property
    def exchangeable(self) -> bool:
        """Whether no algorithm is better than another."""
        return len(self.equal) == math.comb(ALGORITHMS, 2)


def _exchangeable() -> Iterator[Case]:
    plain, failures, six, both = (1, 0.0), (1, 0.3), (6, 0.0), (6, 0.3)
    for correlation in (0.0, 0.3, 0.5):
        for targets, failed in (plain, failures, six, both) if correlation == 0.5 else (plain, both):
            words = ["single", f"correlation {correlation:g}"]
            yield Case(_words(words, targets, failed), correlation, targets, failed, 5 if failed else 1)
    for interaction in (0.0, 1.0):
        correlation = interaction / 2
        for targets, failed in (plain, both):
            words = ["replicated", f"interaction {interaction:g}"] + [f"correlation {correlation:g}"] * (interaction > 0)
            yield Case(_words(words, targets, failed), correlation, targets, failed, 5, True, interaction)


def _words(words: list[str], targets: int, failures: float) -> str:
    return ", ".join([*words, *["six targets"] * (targets > 1), *["30 % failures"] * (failures > 0)])


ORDERED = (0.0, 0.0, *(0.5 * i for i in range(1, 7)))
BETTER = (-1.0, *[0.0] * 7)
CASES = (
    *_exchangeable(),
    Case("two equal, six in order, correlation 0.5", 0.5, shift=ORDERED),
    Case("the same, six targets, 30 % failures", 0.5, 6, 0.3, 5, shift=ORDERED),
    Case("two specialists, correlation 0.5", 0.5, specialists=1.5),
    Case("the same, replicated", 0.5, runs=5, replicated=True, specialists=1.5),
    Case("one better by one sd, correlation 0", 0.0, shift=BETTER),
    Case("one better by one sd, correlation 0.5", 0.5, shift=BETTER),
)


@dataclass(frozen=True)
class Study:
    """One simulated study.

    Attributes
    ----------
    case : Case
    times : (algorithms, problems, runs, targets) array
        Evaluations to each target, whole numbers; inf where a run does not come to it.
    budget : float
        What every run may spend.
    """

    case: Case
    times: Array
    budget: float

    @property
    def targets(self) -> list[float]:
        """The targets, the easiest first."""
        return [10.0**-t for t in range(self.case.targets)]

    def designs(self) -> list[Design]:
        """A design for each target."""
        found = []
        for target, times in zip(self.targets, np.moveaxis(self.times, 3, 0), strict=True):
            cost = times
            if not self.case.replicated:
                ends = np.arange(0, cost.size + 1, self.case.runs)
                cost = ert(cost.ravel(), np.full(cost.size, self.budget), ends).reshape(*cost.shape[:2], 1)
            blocks = [str(i) for i in range(len(PROBLEMS))]
            found.append(Design(cost.transpose(1, 0, 2), blocks, NAMES, target=target, problems=PROBLEMS))
        return found

    def write(self, path: Path) -> None:
        """The study as a table of improvements: every run begins above all targets and has a row for each that it reaches."""
        with path.open("w", newline="") as stream:
            rows = csv.writer(stream)
            rows.writerow(["suite", "algorithm", "problem", "dimension", "run", "budget", "optimum", "evaluations", "value"])
            for (a, p, r), times in zip(np.ndindex(self.times.shape[:3]), self.times.reshape(-1, len(self.targets)), strict=True):
                key = ["s", NAMES[a], *list(PROBLEMS[p].values())[1:], r + 1, int(self.budget), 0]
                rows.writerow([*key, 1, 100.0])
                rows.writerows(
                    [*key, int(time), target] for time, target in zip(times, self.targets, strict=True) if np.isfinite(time)
                )

    def settings(self, path: Path, seed: int, permutations: int) -> dict[str, object]:
        """The study in `config.yaml`, of the file that `write` made: everything as it is by default but for what is simulated."""
        inference: dict[str, object] = {"permutations": permutations}
        if self.case.replicated:
            inference["design"] = "replicated"
        return {
            "sources": str(path),
            "measures": {"m": {"kind": "fixed_target", "targets": self.targets}},
            "inference": inference,
            "seed": seed,
        }


def simulate(case: Case, number: int) -> Study:
    """Study number `number` of a case."""
    rng = np.random.default_rng([number, *case.words.encode()])
    shape = (ALGORITHMS, CLUSTERS, DIMENSIONS)
    common = math.sqrt(case.correlation) * rng.normal(size=(ALGORITHMS, CLUSTERS, 1))
    level = case.interaction * (common + math.sqrt(1 - case.correlation) * rng.normal(size=shape))
    level = level + np.array(case.shift)[:, None, None]
    half = np.arange(CLUSTERS) < CLUSTERS // 2
    level[0] -= case.specialists * half[:, None]
    level[1] -= case.specialists * ~half[:, None]
    level = level + rng.normal(size=(1, CLUSTERS, DIMENSIONS))
    log = level[..., None, None] + (rng.normal(size=(*shape, case.runs, 1)) if case.runs > 1 else 0.0)
    # a run goes on from target to target
    log = log + np.cumsum(np.abs(rng.normal(0, 0.4, (*shape, case.runs, case.targets))), axis=-1)
    times = np.ceil(1e4 * np.exp(log)).reshape(ALGORITHMS, -1, case.runs, case.targets)
    budget = np.ceil(np.quantile(times, 1 - case.failures)) if case.failures else times.max()
    return Study(case, np.where(times <= budget, times, np.inf), float(budget))
