"""Who leads by what: the order of the algorithms by every criterion, and the one that a study names its leader by.

The order is of one cost for each algorithm and problem, all problems weighing the same, with all targets or budgets of a measure
together: of the Dolan-Moré profile without further settings. So it does not depend on which profiles a study draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import competing, keys, schema, seeds
from benchmill.core.errors import UserError
from benchmill.core.step_functions import reached
from benchmill.profiles import bootstrap
from benchmill.profiles.groups import ROW_KEYS
from benchmill.profiles.measures import competition_ranks, measures
from benchmill.profiles.ratios import performance_ratios
from benchmill.profiles.standings import ordered
from benchmill.registry.criteria import CRITERIA, DEFAULT, HEADLINES, OF_ANY_COST
from benchmill.registry.variants import DEFAULT as VARIANT

Array = npt.NDArray[np.float64]

#: Columns of the table `ratios` that are read.
COLUMNS = [*ROW_KEYS, "algorithm", "cost", "n_trials", "included"]

_LEVEL, _REPLICATES = 0.95, 2000
#: Numbers held at once.
_CHUNK = 2_000_000


def leaders(
    ratios: Mapping[str, pa.Table],
    *,
    criterion: str = DEFAULT,
    measure: str | None = None,
    targets: Sequence[float] | None = None,
    rates: Sequence[str] = (),
    cluster_keys: Sequence[str] = keys.CLUSTER_KEYS,
    seed: int = 1,
    not_competing: Sequence[str] = (),
) -> pa.Table:
    """Put the algorithms in order by every criterion, measure by measure.

    Parameters
    ----------
    ratios : mapping of str to pyarrow.Table
        Table `ratios` by measure.
    criterion : str
        What the leader is named by, one of `benchmill.registry.criteria.HEADLINES`. A measure that does not have it goes by the
        area over log tau, or by the average rank where costs have no ratios.
    measure, targets : optional
        The measure of the primary analysis (by default the first), and its targets or budgets, where they are not all.
    rates : sequence of str
        Measures whose costs are 1 / rate.
    cluster_keys : sequence of str
        Keys of the problems; those that agree in them are drawn together.
    seed : int
        The study's seed.
    not_competing : sequence of str
        Algorithms that are left out: order and values are those of the data without them.

    Returns
    -------
    pyarrow.Table
        Table `leaders`: by measure, criterion (the headline first), algorithm. Criteria that are means over the problems have
        intervals; there are none for a single cluster, nor for an algorithm that has the same on every problem. Nothing of a
        measure without a problem on which all have trials.

    Raises
    ------
    UserError
        There is no such criterion, or it is of rates and the measure of the primary analysis is not.
    """
    if criterion not in HEADLINES:
        raise UserError(f"criterion: there is no criterion {criterion!r}, expected one of {', '.join(HEADLINES)}.")
    primary = next(iter(ratios), None) if measure is None else measure
    if CRITERIA[criterion].of_rates and primary not in (None, *rates):
        raise UserError(f"criterion: {criterion} is of rates, and the measure {primary!r} has none; choose another criterion.")
    rows: list[dict[str, Any]] = []
    for name, table in ratios.items():
        data = competing.ratios_without(table.select(COLUMNS), not_competing)
        data = data.filter(data.column("included"))
        if name == primary and targets is not None:
            level = pc.coalesce(data.column("target"), data.column("at_budget"))
            data = data.filter(pc.is_in(level, pa.array(targets, pa.float64())))
        if data.num_rows:
            rows += _of_measure(data, name, criterion, name in rates, cluster_keys, seed)
    return schema.of_rows("leaders", rows)


def _of_measure(
    data: pa.Table, measure: str, criterion: str, rated: bool, cluster_keys: Sequence[str], seed: int
) -> list[dict[str, Any]]:
    problem, problems = keys.cells(data, ROW_KEYS)
    algorithm, algorithms = keys.cells(data, ["algorithm"])
    costs = np.full((algorithms.num_rows, problems.num_rows), np.inf)
    costs[algorithm, problem] = data.column("cost").to_numpy()
    found, scores, tau_max = _ordered(costs, rated)
    headline = next(name for name in (criterion, DEFAULT, OF_ANY_COST) if name in found)
    clusters = keys.numbers(problems, [key for key in cluster_keys if key in problems.column_names])
    shared = {"measure": measure, "tau_max": tau_max, "n_problems": costs.shape[1], "n_clusters": np.unique(clusters).size}
    rows = []
    for name in sorted(found, key=lambda one: one != headline):
        values, ranks = found[name]
        low, high = np.full((2, values.size), np.nan)
        if name in scores:
            low, high = _interval(scores[name], values, clusters, seeds.stream(seed, "leaders", measure), CRITERIA[name].share)
        rows += [
            {
                **shared,
                "criterion": name,
                "headline": name == headline,
                "algorithm": own,
                "value": float(values[i]),
                "low": None if np.isnan(low[i]) else float(low[i]),
                "high": None if np.isnan(high[i]) else float(high[i]),
                "larger_is_better": CRITERIA[name].larger_is_better,
                "rank": int(ranks[i]),
            }
            for i, own in enumerate(algorithms.column("algorithm").to_pylist())
        ]
    return rows


def _ordered(costs: Array, rated: bool) -> tuple[dict[str, tuple[Array, npt.NDArray[np.int32]]], dict[str, Array], float | None]:
    """Values and ranks by criterion; of those that are means over the problems what is averaged; and tau_max."""
    if not (costs > 0).all():
        entry = CRITERIA[OF_ANY_COST]
        scores = {OF_ANY_COST: getattr(entry.load(), entry.scores)(costs)}
        values = scores[OF_ANY_COST].mean(axis=1)
        return {OF_ANY_COST: (values, competition_ranks(values, larger_is_better=entry.larger_is_better))}, scores, None
    ratios = performance_ratios(costs)[0]
    tau_max = float(ratios[np.isfinite(ratios)].max(initial=1.0))
    found = ordered(measures(ratios, tau_max), costs, variant=VARIANT, rated=rated)
    scores = {
        "auc": np.maximum(tau_max - ratios, 0.0),
        "auc_log": np.maximum(np.log(tau_max) - np.log(ratios), 0.0),
        "rho_1": reached(ratios, 1.0).astype(float),
        "rho_tau_max": reached(ratios, tau_max).astype(float),
        **{
            name: getattr(entry.load(), entry.scores)(costs) for name, entry in CRITERIA.items() if entry.scores and name in found
        },
    }
    if tau_max == 1:
        scores["auc"] = scores["auc_log"] = scores["rho_1"]
    return found, scores, tau_max


def _interval(
    scores: Array, means: Array, clusters: npt.NDArray[np.int64], rng: np.random.Generator, share: bool
) -> tuple[Array, Array]:
    """Interval of the mean of some scores, (n_algorithms, n_problems), over the problems, by resamples of clusters."""
    n = np.bincount(clusters).astype(float)
    sums = np.stack([np.bincount(clusters, row, n.size) for row in scores])
    drawn, size = [], max(1, _CHUNK // n.size)
    for start in range(0, _REPLICATES, size):
        times = rng.multinomial(n.size, np.full(n.size, 1 / n.size), size=min(size, _REPLICATES - start))
        drawn.append(times @ sums.T / (times @ n)[:, None])
    whole = bootstrap.Size(n.size, n.size - 1.0, n.size / max(n.size - 1, 1))
    low, high = bootstrap.limits(np.concatenate(drawn), means, whole, _LEVEL, 1.0 if share else None)
    # resamples of equal scores are equal: that says nothing of other problems
    known = ~np.isclose(low, high, rtol=1e-12, atol=0.0)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)
