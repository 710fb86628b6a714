"""Settings that a study of a source needs because the defaults do not fit; `benchmill inspect` prints them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.registry.measures import GAP, STATED, VALUES

if TYPE_CHECKING:
    # planning reads no trials
    import pandas as pd

_CELL = ("algorithm", "suite", "problem", "dimension")


class Needs:
    """What of the trials of a source decides which measures can be made of them."""

    def __init__(self, trials: pa.Table, rows: int) -> None:
        """Look at trials, which have `rows` rows of traces."""
        self._table, self._rows = trials, rows

    @cached_property
    def _trials(self) -> pd.DataFrame:
        found: pd.DataFrame = self._table.to_pandas(integer_object_nulls=True)
        return found

    @cached_property
    def _problems(self) -> dict[str, set[tuple[Any, ...]]]:
        cells = self._trials[list(_CELL)].drop_duplicates().astype(object)
        problems: defaultdict[str, set[tuple[Any, ...]]] = defaultdict(set)
        for algorithm, *cell in cells.where(cells.notna(), None).itertuples(index=False, name=None):
            problems[algorithm].add(tuple(cell))
        return problems

    def study(self, settings: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return settings of a study of this source alone, beside `sources`, and what they decide that its owner has to check.

        `settings` are those that its report has for a measure of its costs.

        There are none where the defaults fit, or nothing is known to fit.
        """
        trials = self._trials
        if self._rows and not (trials["n"] > 1).any():
            return {}, []
        measure: dict[str, Any]
        if self._rows:
            # statistics over runs have no hitting times
            budget, best = int(trials["budget"].dropna().max()), trials["best_value"].min()
            measure = {"kind": VALUES, "budgets": [budget], "per_dimension": False, "aggregate": "mean"}
            checks = [f"Is {budget} evaluations the budget to compare values at?"]
            if best <= 0:
                distances = (trials["value_kind"] == "difference").all()
                measure |= {"floor": 1e-8} if distances else {"shift": 1 + math.ceil(-best)}
                checks.append("Ratios need values above 0: those below `floor` count as it, and `shift` is added to all.")
            return {"measures": {"quality": measure}, "indicators": {"ert": {"targets": []}, "ecdf": {"aggregate": []}}}, checks
        if trials["cost"].isna().any():
            return {}, []
        measure, checks = {"kind": STATED, **settings}, []
        outcomes = trials["outcome"].notna().any()
        costs = trials.groupby(list(_CELL), observed=True, dropna=False)["cost"].agg(["min", "max"])
        if trials["maximise"].any() and not outcomes:
            measure["reciprocal"] = True
        elif ((costs["min"] < 0) | (costs["max"] <= 0)).any():
            # a mean is above 0 where any of its costs is
            measure["shift"] = 1 + math.ceil(-costs["min"].min())
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
        failed = trials[trials["status"] != "solved"]
        if (failed["outcome"].notna() & failed["time_limit_s"].isna()).any():
            checks.append("Failed runs state no time limit: what was it (`time_limit`)? Without it no mean can count them.")
        if not outcomes:
            return {"measures": {"cost": measure}}, checks
        missing = {key: measure[key] for key in ("missing",) if key in measure}
        found: dict[str, Any] = {"time": measure}
        nodes = trials["nodes"][trials["status"] == "solved"]
        if len(nodes) and nodes.notna().all():
            found["nodes"] = {"kind": STATED, "quantity": "nodes"} | ({"shift": 1} if nodes.min() <= 0 else {}) | missing
        if failed["dual_bound"].notna().any():
            found[GAP] = {"kind": GAP} | missing
        return {"measures": found}, checks

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
        groups: list[tuple[list[str], set[tuple[Any, ...]]]] = []
        for name in sorted(self._problems, key=natural_key):
            joined = [group for group in groups if group[1] & self._problems[name]]
            groups = [group for group in groups if group not in joined]
            names = sorted([name, *(other for group in joined for other in group[0])], key=natural_key)
            groups.append((names, self._problems[name].union(*(group[1] for group in joined))))
        return sorted((group[0] for group in groups), key=lambda names: natural_key(names[0]))
