"""Settings that a study of a source needs because the defaults do not fit; `benchmill inspect` prints them."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.registry.measures import GAP, STATED, VALUES

_CELL = ("algorithm", "suite", "problem", "dimension")


class Needs:
    """Collects from the trials of a source what decides which measures can be made of them."""

    def __init__(self) -> None:
        self._rows = 0
        self._stated = 0
        self._runs = 0
        self._means = False
        self._larger = False
        self._outcomes = False
        self._unlimited = False
        self._least_nodes = math.inf
        self._uncounted = False
        self._open_bounds = False
        self._budgets: set[int] = set()
        self._best = math.inf
        self._distances = True
        self._lowest: dict[tuple[Any, ...], tuple[float, float]] = {}
        self._problems: defaultdict[str, set[tuple[Any, ...]]] = defaultdict(set)

    def add(self, trials: pa.Table, traces: pa.Table) -> None:
        """Look at trials and their traces."""
        self._rows += traces.num_rows
        self._runs += trials.num_rows
        self._stated += trials.num_rows - trials["cost"].null_count
        self._means = self._means or bool((trials["n"].to_numpy() > 1).any())
        self._outcomes = self._outcomes or trials["outcome"].null_count < trials.num_rows
        solved = pc.equal(trials["status"].cast(pa.string()), "solved")
        failed = trials.filter(pc.invert(solved))
        self._unlimited = self._unlimited or bool(
            pc.any(pc.and_(failed["outcome"].is_valid(), failed["time_limit_s"].is_null())).as_py()
        )
        nodes = trials.filter(solved)["nodes"]
        self._uncounted = self._uncounted or nodes.null_count > 0
        self._least_nodes = min(self._least_nodes, _least(nodes))
        self._open_bounds = self._open_bounds or failed["dual_bound"].is_valid().to_numpy().any()
        self._larger = self._larger or bool(trials["maximise"].to_numpy(zero_copy_only=False).any())
        self._best = min(self._best, _least(trials["best_value"]))
        self._distances = self._distances and trials["value_kind"].unique().to_pylist() == ["difference"]
        self._budgets.update(trials["budget"].drop_null().unique().to_pylist())
        extremes = trials.select([*_CELL, "cost"]).group_by(list(_CELL)).aggregate([("cost", "min"), ("cost", "max")])
        for row in extremes.to_pylist():
            key = tuple(row[name] for name in _CELL)
            low, high = self._lowest.get(key, (math.inf, -math.inf))
            if row["cost_min"] is not None:
                self._lowest[key] = min(low, row["cost_min"]), max(high, row["cost_max"])
            self._problems[key[0]].add(key[1:])

    def study(self) -> tuple[dict[str, Any], list[str]]:
        """Return settings of a study of this source alone, beside `sources`, and what they decide that its owner has to check.

        There are none where the defaults fit, or nothing is known to fit.
        """
        if self._rows and not self._means:
            return {}, []
        measure: dict[str, Any]
        if self._rows:
            # statistics over runs have no hitting times
            measure = {"kind": VALUES, "budgets": [max(self._budgets)], "per_dimension": False, "aggregate": "mean"}
            checks = [f"Is {max(self._budgets)} evaluations the budget to compare values at?"]
            if self._best <= 0:
                measure |= {"floor": 1e-8} if self._distances else {"shift": 1 + math.ceil(-self._best)}
                checks.append("Ratios need values above 0: those below `floor` count as it, and `shift` is added to all.")
            return {"measures": {"quality": measure}, "indicators": {"ert": {"targets": []}, "ecdf": {"aggregate": []}}}, checks
        if self._stated < self._runs:
            return {}, []
        measure, checks = {"kind": STATED}, []
        if self._larger and not self._outcomes:
            measure["reciprocal"] = True
        elif any(low < 0 or high <= 0 for low, high in self._lowest.values()):
            # a mean is above 0 where any of its costs is
            measure["shift"] = 1 + math.ceil(-min(low for low, _ in self._lowest.values()))
            checks.append("Ratios need costs above 0. `shift` is added to every cost, and the ratios depend on it.")
        apart = self.apart()
        studies = list(apart.values()) or [list(self._problems)]
        if not all(set.intersection(*(self._problems[name] for name in chosen)) for chosen in studies):
            measure["missing"] = "failure"
            checks.append(
                "No problem has a trial of every algorithm. With `missing: failure` a missing trial counts as a failure."
            )
        if apart:
            checks.append(
                "There is a study for each group of algorithms: algorithms of different groups have no problem in common."
            )
        if self._unlimited:
            checks.append("Failed runs state no time limit: what was it (`time_limit`)? Without it no mean can count them.")
        if not self._outcomes:
            return {"measures": {"cost": measure}}, checks
        return {"measures": {"time": measure} | self._of_search(measure)}, checks

    def apart(self) -> dict[str, list[str]]:
        """Return the algorithms of each group that shares no problem with the others, by a name; none where there is one group.

        Nothing can compare them, so that each group is a study of its own; an algorithm that is alone would have nobody to be
        compared with, and then there are no groups.
        """
        groups = self._groups()
        if len(groups) < 2 or min(map(len, groups)) < 2:
            return {}
        suites = [{str(cell[0]) for name in group for cell in self._problems[name] if cell[0] is not None} for group in groups]
        several = [suite for found in suites for suite in found]
        named = all(len(found) == 1 for found in suites) and len(set(several)) == len(several)
        names = [min(found) for found in suites] if named else [str(i) for i in range(1, len(groups) + 1)]
        return dict(zip(names, groups, strict=True))

    def _groups(self) -> list[list[str]]:
        """Return algorithms that problems connect, each group and the groups in natural order."""
        groups: list[tuple[list[str], set[tuple[Any, ...]]]] = []
        for name in sorted(self._problems, key=natural_key):
            joined = [group for group in groups if group[1] & self._problems[name]]
            groups = [group for group in groups if group not in joined]
            names = sorted([name, *(other for group in joined for other in group[0])], key=natural_key)
            groups.append((names, self._problems[name].union(*(group[1] for group in joined))))
        return sorted((group[0] for group in groups), key=lambda names: natural_key(names[0]))

    def _of_search(self, time: dict[str, Any]) -> dict[str, Any]:
        """Return measures of what the solver runs state of their search."""
        missing = {key: time[key] for key in ("missing",) if key in time}
        found: dict[str, Any] = {}
        if math.isfinite(self._least_nodes) and not self._uncounted:
            shift = {"shift": 1} if self._least_nodes <= 0 else {}
            found["nodes"] = {"kind": STATED, "quantity": "nodes"} | shift | missing
        if self._open_bounds:
            found[GAP] = {"kind": GAP} | missing
        return found


def _least(values: pa.ChunkedArray) -> float:
    least = pc.min(values).as_py()
    return math.inf if least is None else float(least)
