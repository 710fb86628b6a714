"""Make data/solver-runs: simulated runs of five solvers with limits, errors and wrong answers, and the sizes of problems.

No solver has run. A problem has a difficulty (the seconds that it takes at speed 1), a size and a class. A solver has a speed, a
factor of it for each class, a need of memory, and chances to end with an error or a wrong answer. The logarithm of a time is
that of the difficulty over the speeds, plus a normal deviate for solver and problem, plus a smaller one for the seed.

    python experiments/solver_runs.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "data/solver-runs"

#: Seconds, and gigabytes.
LIMIT, MEMORY = 600.0, 16.0
PROBLEMS, SEEDS = 45, 2
CLASSES = ("assignment", "cutting", "flow", "network", "packing", "planning", "routing", "scheduling", "storage")
#: Median and spread (standard deviation of the logarithm) of difficulty and size; deviates of solver and problem, and of seeds.
DIFFICULTY, SIZE = (60.0, 2.0), (1.6, 1.0)
AFFINITY, NOISE = 0.7, 0.12

#: By solver: speed, its factor in each class, gigabytes for each of the problem's, chances of an error and of a wrong answer.
SOLVERS = {
    "barrier": (1.4, (1.2, 1.6, 1.3, 1.0, 1.5, 1.6, 1.1, 0.7, 1.4), 3.2, 0.01, 0.0),
    "dual simplex": (0.8, (1.0, 0.8, 1.1, 0.9, 0.7, 0.8, 1.0, 1.7, 0.9), 1.0, 0.01, 0.0),
    "first order": (0.7, (0.6, 0.4, 1.5, 2.8, 0.5, 0.5, 0.7, 0.4, 0.6), 0.7, 0.0, 0.05),
    "hybrid": (1.1, (1.1,) * 9, 4.0, 0.03, 0.0),
    "reference": (0.35, (1.0,) * 9, 1.0, 0.0, 0.0),
}


def rows(seed: int = 20) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """The runs, one a row, and the problems."""
    rng = np.random.default_rng(seed)
    found: list[dict[str, object]] = []
    problems: list[dict[str, object]] = []
    for number in range(PROBLEMS):
        kind = number % len(CLASSES)
        difficulty, size = (median * np.exp(spread * rng.standard_normal()) for median, spread in (DIFFICULTY, SIZE))
        name = f"{CLASSES[kind]}-{number // len(CLASSES) + 1:02d}"
        problems.append({"problem": name, "size": f"{size:.3f}"})
        for solver, (speed, factors, memory, failing, lying) in SOLVERS.items():
            log = np.log(difficulty / speed / factors[kind]) + AFFINITY * rng.standard_normal()
            ends = rng.random()
            for run in range(1, SEEDS + 1):
                time = float(np.exp(log + NOISE * rng.standard_normal()))
                status = "solved" if time < LIMIT else "time limit"
                if memory * size > MEMORY:
                    # where memory ends depends on the size alone
                    status, time = "out of memory", min(time, LIMIT) * MEMORY / (memory * size)
                elif ends < failing:
                    status, time = "error", min(time, LIMIT) * 0.3
                elif status == "solved" and ends > 1 - lying:
                    status = "wrong answer"
                found.append(
                    {
                        "problem": name,
                        "class": CLASSES[kind],
                        "solver": solver,
                        "seed": run,
                        "status": status,
                        "seconds": f"{min(time, LIMIT):.2f}",
                    }
                )
    return found, problems


def main() -> None:
    """Write the tables."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, made in zip(("runs", "problems"), rows(), strict=True):
        with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(made[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(made)


if __name__ == "__main__":
    main()
