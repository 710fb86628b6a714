"""What `compare` says of pairs of versions in which one thing is planted, and of pairs in which nothing is.

    python benchmarks/versions/pairs.py [N]

N pairs (5 by default; 20 N where nothing is planted) of each of eight kinds, each 12 families of 10 instances in three classes,
three seeds, times log-normal around e^2 s with a spread of 1, noise of 3 % from run to run, a limit of 600 s. Where nothing is
planted the noise is independent, or half of its variance is shared by the runs of a family with one seed. Printed is how often
something is said to have become worse where nothing has, and how often what is planted is named.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

import benchmill as bm

CLASSES, FAMILIES, MEMBERS, SEEDS, LIMIT = ("sat", "unsat", "rnd"), 4, 10, 3, 600.0
NOISE = 0.03


def runs(rng: np.random.Generator, base: np.ndarray, shared: float = 0.0) -> pd.DataFrame:
    """The runs of a version on all instances: noise of runs, of which instances of a family share a part."""
    n = len(base)
    family = np.arange(n) // MEMBERS
    of_family = rng.normal(0, NOISE, (n // MEMBERS, SEEDS))[family]
    own = rng.normal(0, NOISE, (n, SEEDS)) * np.sqrt(1 - shared) + of_family * np.sqrt(shared)
    names = [f"{c}_{f}_{i}" for c in CLASSES for f in range(FAMILIES) for i in range(MEMBERS)]
    return pd.DataFrame(
        {
            "algorithm": "S",
            "problem": np.repeat(names, SEEDS),
            "run": np.tile(np.arange(1, SEEDS + 1), n),
            "cost": (base[:, None] * np.exp(own)).ravel(),
            "status": "optimal",
            "objective": np.repeat(np.arange(n) + 10.0, SEEDS),
        }
    )


def plant(kind: str, frame: pd.DataFrame, rng: np.random.Generator) -> tuple[pd.DataFrame, list[str]]:
    """The runs with one thing planted, and the instances (or the class) that it is in."""
    problems = frame["problem"].unique()
    frame, some = frame.copy(), rng.choice(problems, 3, replace=False).tolist()
    first = frame["problem"] == some[0]
    if kind == "4 % on a third":
        frame.loc[frame["problem"].str.startswith("unsat"), "cost"] *= 1.04
        some = ["unsat"]
    elif kind == "20 times on three":
        frame.loc[frame["problem"].isin(some), "cost"] *= 20
    elif kind == "a crash in all seeds":
        frame.loc[first, ["status", "objective"]] = ["crash", np.nan]
    elif kind == "a wrong answer":
        frame.loc[first, "objective"] += 5
    elif kind == "a missing instance":
        frame = frame[~first]
    elif kind == "another machine":
        frame["cost"] *= 1.3
    return frame, some


def alarms(found: Mapping[str, Any]) -> list[str]:
    """What is said to have become worse."""
    parts = {
        "ratio": found["ratio"]["low"] > 1,
        "class": any((row["low"] or 0) > 1 for row in found["classes"]["rows"]),
        "instance": any((row["low"] or 0) > 1 for row in found["instances"]),
        "lost": bool(found["lost"]),
        "wrong": bool(found["wrong"] or found["contradictions"]),
    }
    return [name for name, said in parts.items() if said]


#: By what is planted, whether a comparison names it.
NAMED: dict[str, Callable[[Mapping[str, Any], list[str]], bool]] = {
    "4 % on a third": lambda found, some: [row["class"] for row in found["classes"]["rows"] if (row["low"] or 0) > 1] == some,
    # one that reaches its limit is lost
    "20 times on three": lambda found, some: (
        {row["instance"] for row in (*found["instances"], *found["lost"]) if row.get("beyond_noise", True)} == {*some}
    ),
    "a crash in all seeds": lambda found, some: [row["instance"] for row in found["lost"]] == some[:1],
    "a wrong answer": lambda found, some: len(found["contradictions"]) == 1 and some[0] in found["contradictions"][0],
    "a missing instance": lambda found, some: found["only_base"] == some[:1],
    "another machine": lambda found, some: any("changed in the same way" in note for note in found["notes"]),
}


def compared(kind: str, seed: int) -> tuple[Mapping[str, Any], list[str]]:
    """One pair, and where its change is."""
    rng = np.random.default_rng([seed, len(kind)])
    base = rng.lognormal(2, 1, len(CLASSES) * FAMILIES * MEMBERS)
    shared = 0.5 if kind.endswith("0.5") else 0.0
    new, some = plant(kind, runs(rng, base, shared), rng)
    both = [
        bm.costs(one, status="status", failed={"crash": "error"} if "crash" in set(one["status"]) else None,
                 solved=None if "crash" in set(one["status"]) else "optimal", limit=LIMIT, objective="objective")
        for one in (runs(rng, base, shared), new)
    ]  # fmt: skip
    classes = {problem: problem.split("_")[0] for problem in runs(rng, base)["problem"]}
    return bm.compare_versions(*both, by=classes).found, some


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for kind in ("nothing, correlation 0", "nothing, correlation 0.5"):
        said = [alarms(compared(kind, seed)[0]) for seed in range(20 * n)]
        each = ", ".join(f"{part} {sum(part in one for one in said)}" for part in ("ratio", "class", "instance", "lost", "wrong"))
        print(f"{kind}: an alarm in {sum(map(bool, said))} of {len(said)} ({each})")
    for kind, named in NAMED.items():
        found = [named(*compared(kind, seed)) for seed in range(n)]
        print(f"{kind}: named in {sum(found)} of {n}")


if __name__ == "__main__":
    main()
