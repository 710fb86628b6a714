"""The answers of two versions, and what nothing was there to check with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import contradictions
from benchmill.indicators.solver_runs import INSTANCE
from benchmill.notebook.costs import Costs
from benchmill.notebook.results import Results

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

BASE, NEW = "BASE", "NEW"
#: What of the table `trials` answers are checked by.
COLUMNS = ("best_value", "optimum", "proven", "sense_open")


@dataclass(frozen=True)
class Side:
    """One of the two: its costs, which algorithm is meant, and whether it says what is wrong."""

    role: str
    path: str
    of: Costs
    algorithm: str
    digest: str
    study: Results | None
    judges: bool

    @property
    def name(self) -> str:
        """Return the file or folder, without the way to it."""
        return os.path.basename(os.path.abspath(self.path))


@dataclass(frozen=True)
class Pair:
    """Both versions on the instances that they have in common.

    `costs` and `trials` are by part of a side; `rows` has a row per run (and target): keys, `new`, `cost`, `limit`, `outcome`,
    `place`, and `solved`, by its own limit; `cell` is the instance of each row, `cluster` that of each instance, and `classes`,
    where they are asked for, its class `by` something.
    """

    costs: tuple[pa.Table, ...]
    trials: tuple[pa.Table, ...]
    rows: pd.DataFrame
    cell: Index
    cells: pa.Table
    cluster: Index
    by: str = ""
    classes: npt.NDArray[np.object_] | None = None

    def mean(self, values: Array) -> Array:
        """Return the weighted mean of the runs of each instance, (n_cells, 2)."""
        at = 2 * self.cell + self.rows["new"].to_numpy()
        weight = self.rows["n"].to_numpy(float)
        size = 2 * self.cells.num_rows
        total = np.bincount(at, weight * values, size) / np.bincount(at, weight, size)
        return np.asarray(total.reshape(-1, 2), float)

    def names(self) -> list[str]:
        """Return each instance in words."""
        return [described(row) for row in self.cells.to_pylist()]


def described(cell: Mapping[str, Any]) -> str:
    """Return an instance in a few words: the problem, then what else it has."""
    rest = {key: value for key, value in cell.items() if key not in ("problem", "suite") and value is not None}
    if "target" in rest:
        rest["target"] = f"{rest['target']:g}"
    told = ", ".join(f"{key} {value}" for key, value in rest.items())
    head = f"{cell['problem']}" if cell.get("suite") is None else f"{cell['suite']}/{cell['problem']}"
    return f"{head}, {told}" if told else head


def checked(base: Side, new: Side, pair: Pair) -> dict[str, Any]:
    """Return claims that cannot all be true, and which answers of NEW could be checked."""
    apart = _apart(base, new)
    # of what BASE says of itself nobody knows which half NEW should agree with
    itself, own = set(_apart(base)), set(_apart(new))
    doubtful = {key for key in apart if key in itself and key not in own}
    rows = pair.rows
    proof, solution = _claims(rows)
    of_base = rows["new"].to_numpy() == 0
    by_base = {kind: _some(pair, of_base & claim) for kind, claim in (("proof", proof), ("solution", solution))}
    valued = np.isfinite(pd.to_numeric(rows["best_value"]).to_numpy(float))
    known = valued & np.isfinite(pd.to_numeric(rows["optimum"]).to_numpy(float))
    against = (proof & (by_base["proof"] | by_base["solution"])[pair.cell]) | (solution & by_base["proof"][pair.cell])
    in_doubt = np.array([tuple(row.get(key) for key in _KEYS) in doubtful for row in pair.cells.to_pylist()], bool)
    answers = ~of_base & rows["solved"].to_numpy(bool)
    # what is doubtful is told by itself
    open_ = _some(pair, answers & ~known & ~against & ~in_doubt[pair.cell] & (not new.judges))
    given, both = _some(pair, answers), _some(pair, of_base & rows["solved"].to_numpy(bool))
    names = np.array(pair.names(), object)
    return {
        "contradictions": [text for key, text in apart.items() if key not in doubtful],
        "answers": {
            "given": int(given.sum()),
            "checked": int((given & ~open_ & ~in_doubt).sum()),
            "unchecked": names[open_ & both].tolist(),
            "alone": names[open_ & ~both].tolist(),
            "doubtful": [text for key, text in apart.items() if key in doubtful],
        },
    }


_KEYS = ("suite", "problem", "instance")


def _apart(*sides: Side) -> dict[tuple[Any, ...], str]:
    """Return by instance the claims of runs of some sides that cannot all be true."""
    trials = {}
    for side in sides:
        whole = pa.concat_tables(
            [part.trials.select(list(contradictions.COLUMNS)) for part in side.of.parts]
        ).unify_dictionaries()
        trials[side.role] = whole.filter(pc.equal(whole.column("algorithm").cast(pa.string()), side.algorithm))
    return {
        tuple(row[key] for key in _KEYS): f"{described({key: row[key] for key in INSTANCE if key in row})}: {row['in_source']} "
        f"claims {row['claim']} ({row['place']}), {row['other_in_source']} {row['other_claim']} ({row['other_place']})"
        for row in contradictions.of_sources(trials).to_pylist()
    }


def _claims(rows: pd.DataFrame) -> tuple[Mask, Mask]:
    """Return which runs claim a proof, and which a solution that a proof may refute."""
    outcome = rows["outcome"].to_numpy(object)
    said = contradictions.of_runs(
        np.zeros(len(rows), np.int64),
        outcome,
        rows["proven"].fillna(False).to_numpy(bool),
        pd.to_numeric(rows["best_value"]).to_numpy(float),
        np.full(len(rows), np.nan),
        np.zeros(len(rows), bool),
        rows["sense_open"].fillna(False).to_numpy(bool),
    )
    return said.infeasible | (said.optimal & np.isfinite(said.value)), said.solution


def _some(pair: Pair, rows: npt.ArrayLike) -> Mask:
    return np.asarray(np.bincount(pair.cell, np.asarray(rows, float), pair.cells.num_rows) > 0, bool)
