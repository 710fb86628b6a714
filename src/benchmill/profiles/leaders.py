"""Order of the algorithms by every criterion, with the one that a study names its leader by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import competing, keys, schema
from benchmill.core.errors import UserError
from benchmill.profiles import scoring
from benchmill.profiles.groups import ROW_KEYS, stopped_and_late
from benchmill.profiles.measures import average_ranks, competition_ranks, measures
from benchmill.profiles.ratios import performance_ratios
from benchmill.profiles.standings import ordered
from benchmill.registry.criteria import DEFAULT, OF_ANY_COST, SCORES, headlines, named

Array = npt.NDArray[np.float64]

#: Columns of the table `ratios` that are read.
COLUMNS = [*ROW_KEYS, "algorithm", "cost", "spent", "n_late", "n_trials", "included"]


def leaders(
    ratios: Mapping[str, pa.Table],
    *,
    criterion: str = DEFAULT,
    measure: str | None = None,
    targets: Sequence[float] | None = None,
    rates: Sequence[str] = (),
    not_competing: Sequence[str] = (),
    also: Sequence[str] = (),
    scale: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Put the algorithms in order by every criterion, measure by measure.

    Parameters
    ----------
    also : sequence of str
        Scores of competitions by which the primary measure is ranked beside the criterion.
    scale : mapping, optional
        What scores take: `limit` and `shift` (`benchmill.profiles.scoring.Runs`), and `beside`, measures by what they are for.
    measure, targets : optional
        The measure of the primary analysis (by default the first), and its targets or budgets, where they are not all.

    Returns
    -------
    pyarrow.Table
        Table `leaders`: by measure, criterion (the headline first), algorithm.
    """
    if criterion not in headlines():
        raise UserError(f"criterion: there is no criterion {criterion!r}, expected one of {', '.join(headlines())}.")
    primary = next(iter(ratios), None) if measure is None else measure
    if named(criterion).of_rates and primary not in (None, *rates):
        raise UserError(f"criterion: {criterion} is of rates, and the measure {primary!r} has none; choose another criterion.")
    rows: list[dict[str, Any]] = []
    for name, table in ratios.items():
        data = competing.ratios_without(table.select(COLUMNS), not_competing)
        data = data.filter(data.column("included"))
        if name == primary and targets is not None:
            level = pc.coalesce(data.column("target"), data.column("at_budget"))
            data = data.filter(pc.is_in(level, pa.array(targets, pa.float64())))
        if data.num_rows:
            scores = [one for one in dict.fromkeys([criterion, *also]) if one in SCORES and name == primary]
            runs = scoring.runs_of(data, ratios, scale or {}) if scores else None
            more = {one: scoring.ranked(one, runs) for one in scores if runs}
            rows += _of_measure(data, name, criterion, name in rates, more)
    return schema.of_rows("leaders", rows)


def _of_measure(
    data: pa.Table, measure: str, criterion: str, rated: bool, scores: Mapping[str, tuple[Array, Any]]
) -> list[dict[str, Any]]:
    problem, problems = keys.cells(data, ROW_KEYS)
    algorithm, algorithms = keys.cells(data, ["algorithm"])
    costs = np.full((algorithms.num_rows, problems.num_rows), np.inf)
    costs[algorithm, problem] = data.column("cost").to_numpy()
    spent = np.full(costs.shape, np.nan)
    spent[algorithm, problem] = data.column("spent").to_numpy(zero_copy_only=False)
    stopped, late = stopped_and_late(costs, spent, data, algorithm)
    found, tau_max = _ordered(costs, rated)
    found |= scores
    headline = next(name for name in (criterion, DEFAULT, OF_ANY_COST) if name in found)
    return [
        {
            "measure": measure,
            "criterion": name,
            "headline": name == headline,
            "algorithm": own,
            "value": float(found[name][0][i]),
            "larger_is_better": named(name).larger_is_better,
            "rank": int(found[name][1][i]),
            "tau_max": tau_max,
            "n_problems": costs.shape[1],
            "n_stopped": int(stopped[i]),
            "n_late": int(late[i]),
        }
        for name in sorted(found, key=lambda one: one != headline)
        for i, own in enumerate(algorithms.column("algorithm").to_pylist())
    ]


def _ordered(costs: Array, rated: bool) -> tuple[dict[str, tuple[Array, npt.NDArray[np.int32]]], float | None]:
    """Return the values and ranks by criterion, and tau_max."""
    if not (costs > 0).all():
        values = average_ranks(costs)
        return {OF_ANY_COST: (values, competition_ranks(values, larger_is_better=False))}, None
    ratios = performance_ratios(costs)[0]
    tau_max = float(ratios[np.isfinite(ratios)].max(initial=1.0))
    return ordered(measures(ratios, tau_max), costs, rated=rated), tau_max
