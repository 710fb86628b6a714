"""Looks at a study that grows: what each planned look may spend of the level, and what is said about the others.

The k-th of K looks may use alpha ((k / K)^3 - ((k - 1) / K)^3) (the power family of Kim and DeMets 1987). The parts add up to
alpha, so that any false statement at any look has a chance of at most alpha, however the study grows.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from benchmill.core import UserError
from benchmill.inference import clusters
from benchmill.inference.design import Designs
from benchmill.inference.verdicts import Declaration, pooled
from benchmill.text import display, prose

#: The power of the share of looks that the spent level grows with.
_POWER = 3
#: The level where all that was planned is spent: nothing is significant.
_NOTHING = 1e-9
#: Random flips are so many times 1 / level at least.
_FLIPS = 10


@dataclass(frozen=True)
class Look:
    """A look at the primary analysis: digest and clusters of its costs, the runs by algorithm, and the looks planned by then."""

    digest: str
    clusters: int
    runs: Mapping[str, int]
    planned: int | None = None

    def grown_from(self, other: Look) -> bool:
        """Return True if an algorithm has more runs than in another look."""
        return any(self.runs[name] > other.runs[name] for name in self.runs if name in other.runs)


def level(alpha: float, number: int, planned: int) -> float:
    """Return what look `number`, from 1, may spend of a level; almost nothing after the last one."""
    part = (number / planned) ** _POWER - ((number - 1) / planned) ** _POWER
    return alpha * part if number <= planned else _NOTHING


def look(designs: Designs, declared: Declaration, measure: str, ratios: pa.Table | None = None) -> Look:
    """Describe the data of the primary analysis; `ratios` is the table that a single design is from, which counts its runs."""
    chosen = pooled(designs, declared, measure)
    digest = hashlib.sha256()
    for design in chosen:
        digest.update(json.dumps([design.treatments, design.blocks, design.target, design.at_budget]).encode())
        digest.update(np.ascontiguousarray(design.values, dtype="<f8").tobytes())
    names, by = chosen[0].treatments, ["algorithm", "target", "at_budget"]
    if ratios is None:
        runs = {name: max(design.values[:, 0].size for design in chosen) for name in names}
    else:
        counts = ratios.select([*by, "n_trials"]).to_pandas().groupby(by, dropna=False, observed=True)["n_trials"].sum()
        most = counts.groupby("algorithm", observed=True).max()
        runs = {name: int(most[name]) for name in names}
    return Look(digest.hexdigest(), len(clusters.named(chosen, declared.cluster_keys)[1]), runs, declared.primary.looks)


def recorded(earlier: Sequence[Look], now: Look) -> list[Look]:
    """Return the record with this look: a new one where the data have grown since the last, which it replaces where not."""
    if not earlier or now.grown_from(earlier[-1]):
        return [*earlier, now]
    return list(earlier) if earlier[-1].grown_from(now) else [*earlier[:-1], now]


def planned(declared: Declaration, looks: Sequence[Look]) -> Declaration:
    """Return what is declared at the last of some looks: with what it may spend, and what has to be said of the others."""
    number, n_planned = len(looks), declared.primary.looks
    if n_planned is None and number == 1:
        return declared
    spent = declared.alpha if n_planned is None else level(declared.alpha, number, n_planned)
    note = prose.said(
        __file__,
        looks=looks,
        n_planned=n_planned,
        alpha=declared.alpha,
        spent=spent,
        over=[display.count(one.clusters) for one in looks[:-1]],
    )
    if n_planned is None:
        return replace(declared, note=note)
    enough = math.ceil(_FLIPS / spent) if number <= n_planned else 0
    return replace(declared, alpha=spent, permutations=max(declared.permutations, enough), note=note, spent=number > n_planned)


def read(text: str, where: str) -> list[Look]:
    """Return the looks of a record, empty if there is none; raise a `UserError` that names the file if it is something else."""
    try:
        rows = json.loads(text)["looks"] if text.strip() else []
        return [
            Look(str(row["digest"]), int(row["clusters"]), {k: int(v) for k, v in row["runs"].items()}, row.get("planned"))
            for row in rows
        ]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{where}: this is no record of looks; restore it, or delete it to begin a new one.") from None


def written(looks: Sequence[Look]) -> str:
    """Write a record of looks."""
    rows = [{"look": number, **vars(one)} for number, one in enumerate(looks, 1)]
    return json.dumps({"looks": rows}, indent=1, ensure_ascii=False) + "\n"
