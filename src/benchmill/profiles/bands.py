"""Bands around the profiles of a study, intervals of what is read off them, and who is ahead how often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import keys, schema, seeds, step_functions
from benchmill.core.arrays import Array
from benchmill.profiles import bootstrap
from benchmill.profiles.groups import Drawn
from benchmill.profiles.options import Bands

#: Points at which a band is computed beside the break points, and the most of all.
_GRID, _MOST = 100, 1000


def banded(fitted: Any, pairs: pa.Table) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Resample the profiles of a measure as their options `bands` say.

    Returns `profiles` with `rho_low` and `rho_high`, and with more rows, since a band also changes between the break points of
    its curve; `pairs` with `share_ahead`; and the table `profile_intervals`.
    """
    bands: Bands = fitted.options.bands
    rng = seeds.stream(fitted.seed, "bands", fitted.measure, fitted.name)
    pieces, found_intervals, shares, first_row = [], [], {}, 0
    for number, group in enumerate(fitted.groups):
        curves = fitted.curves[number]
        tau = _taus(curves)
        scheme = _scheme(fitted, number, bands, rng)
        rho, auc, rho_1, wins = _resamples(fitted, number, tau, scheme)
        n_problems = group.problems.num_rows
        size = bootstrap.Size.of(scheme, None if bands.resample == "problems" else fitted.cells[number], n_problems)
        estimate = step_functions.values(curves, tau)
        low, high = bootstrap.limits(rho, estimate, size, bands.level, 1.0)
        pieces.append(_band_rows(fitted, number, tau, low, high))
        drawn = {"auc": auc, "rho_1": rho_1, **({} if wins is None else {"wins": wins})}
        own = fitted.profile_measures.slice(first_row, len(group.algorithms))
        first_row += len(group.algorithms)
        estimates = {name: schema.floats(own, name) for name in (*drawn, "auc_normalised")}
        limits = bootstrap.of_measures(drawn, estimates, size, bands.level, n_problems)
        found_intervals.append(_interval_rows(fitted, number, limits, bands))
        ahead = bootstrap.ahead(auc)
        for a, first in enumerate(group.algorithms):
            for b, second in enumerate(group.algorithms):
                shares[(group.keys["dimension"], group.keys["target"], first, second)] = float(ahead[a, b])
    of_pair = [
        shares[(row["dimension"], row["target"], row["algorithm_a"], row["algorithm_b"])]
        for row in pairs.select(["dimension", "target", "algorithm_a", "algorithm_b"]).to_pylist()
    ]
    at = pairs.schema.get_field_index("share_ahead")
    pairs = pairs.set_column(at, pairs.schema.field(at), pa.array(of_pair, pa.float64()))
    return schema.concatenate(pieces), pairs, schema.concatenate(found_intervals)


def _scheme(fitted: Any, number: int, bands: Bands, rng: np.random.Generator) -> bootstrap.Scheme:
    group = fitted.groups[number]
    clusters = keys.of_clusters(group.problems, fitted.cluster_keys)
    return bootstrap.Scheme(bands.resample, bands.replicates, rng, group.weights, clusters)


def _resamples(fitted: Any, number: int, tau: Array, scheme: bootstrap.Scheme) -> tuple[Array, Array, Array, Array | None]:
    """Return profiles, areas, rho(1) and wins of all resamples of a group."""
    group, tau_max = fitted.groups[number], float(tau[-1])
    how = fitted.resampling(number, tau_max, scheme.rng)
    if isinstance(how, Drawn):
        if how.model == "empirical":
            return *bootstrap.empirical_resamples(how.found, tau, tau_max, scheme, baseline=how.baseline), None
        smooth = bootstrap.probabilistic_resamples(
            how.found, tau, tau_max, scheme, model=how.model, baseline=how.baseline, sd=how.sd
        )
        return *smooth, None
    evaluate = bootstrap.step_evaluation(how.thresholds, tau_max, of_waves=how.waves is not None)
    found = None if scheme.drawn == "problems" else fitted.cells[number]
    rho, auc, rho_1, wins = bootstrap.step_resamples(
        group.costs, evaluate, tau, scheme, found=found, aggregate=fitted.aggregate, cost_factor=how.waves or 1
    )
    # rho(1) of waves is a mean over them, and there is no number of wins (`profile_measures` has none either)
    return rho, auc, rho_1, wins if how.waves is None else None


def _taus(curves: list[step_functions.Steps]) -> Array:
    """Return where a band is computed."""
    breaks = np.unique(np.concatenate([tau for tau, _ in curves]))
    start, end = breaks[0], breaks[-1]
    between = [np.linspace(start, end, _GRID // 2)] + ([np.geomspace(start, end, _GRID // 2)] if start > 0 else [])
    if breaks.size > _MOST:
        breaks = breaks[np.round(np.linspace(0, breaks.size - 1, _MOST)).astype(int)]
    grid = np.unique(np.concatenate([breaks, *between]))
    return np.asarray(grid[(grid >= start) & (grid <= end)], float)


def _band_rows(fitted: Any, number: int, tau: Array, low: Array, high: Array) -> pa.Table:
    group = fitted.groups[number]
    columns: dict[str, list[Any]] = {key: [] for key in ("algorithm", "tau", "rho", "rho_low", "rho_high")}
    for i, (x, y) in enumerate(fitted.curves[number]):
        rows = np.union1d(x, tau)
        columns["algorithm"] += [group.algorithms[i]] * rows.size
        columns["tau"].append(rows)
        columns["rho"].append(step_functions.value((x, y), rows))
        # between two points of the band its wider end holds
        columns["rho_low"].append(low[i][np.searchsorted(tau, rows, side="right") - 1])
        columns["rho_high"].append(high[i][np.searchsorted(tau, rows, side="left")])
    return schema.table(
        "profiles",
        {
            "measure": fitted.measure,
            "variant": fitted.name,
            **group.keys,
            "algorithm": columns["algorithm"],
            **{key: np.concatenate(columns[key]) for key in ("tau", "rho")},
            **{key: pa.array(np.concatenate(columns[key]), from_pandas=True) for key in ("rho_low", "rho_high")},
        },
    )


def _interval_rows(fitted: Any, number: int, limits: Mapping[str, tuple[Array, Array]], bands: Bands) -> pa.Table:
    group = fitted.groups[number]
    return schema.table(
        "profile_intervals",
        {
            "measure": fitted.measure,
            "variant": fitted.name,
            **group.keys,
            "algorithm": group.algorithms * len(limits),
            "quantity": [quantity for quantity in limits for _ in group.algorithms],
            "low": np.concatenate([*(low for low, _ in limits.values()), np.empty(0)]),
            "high": np.concatenate([*(high for _, high in limits.values()), np.empty(0)]),
            "level": bands.level,
            "resample": bands.resample,
        },
    )
