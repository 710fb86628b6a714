"""Bands around the profiles of a study, intervals of what is read off them, and who is ahead how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, schema, seeds
from benchmill.core.errors import UserError
from benchmill.profiles import accuracy, bootstrap, data, log_ratio, nested, probabilistic
from benchmill.profiles.cells import Cells, cells
from benchmill.profiles.groups import Group, groups

Array = npt.NDArray[np.float64]

#: Points at which a band is computed beside the break points, and the most of all.
_GRID, _MOST = 100, 1000


def banded(
    profiles: pa.Table,
    pairs: pa.Table,
    ratios: pa.Table,
    costs: pa.Table | None,
    *,
    measure: str,
    variant: str,
    settings: Mapping[str, Any],
    resample: str = "runs",
    kind: str = "pointwise",
    level: float = 0.95,
    replicates: int = 2000,
    aggregate: str = "ert",
    seed: int = 1,
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Resample the profiles of a measure.

    Parameters
    ----------
    profiles, pairs : pyarrow.Table
        Tables `profiles` and `profile_pairs` of the variant.
    ratios, costs : pyarrow.Table
        What they were made from; `costs` is needed to resample runs.
    measure, variant : str
    settings : mapping
        The settings of the variant.
    resample : {"runs", "problems", "both"}
        See `benchmill.profiles.bootstrap`.
    kind : {"pointwise", "simultaneous"}
    level : float
    replicates : int
    aggregate : str
        How the runs of a cell become one cost (setting of the measure).
    seed : int

    Returns
    -------
    profiles, pairs, intervals : pyarrow.Table
        `profiles` with `rho_low` and `rho_high`, and with more rows, since a band also changes between the break points of its
        curve; `pairs` with `share_ahead`; table `profile_intervals`.

    Raises
    ------
    UserError
        A setting is not one of the above, or the trials cannot be resampled.
    """
    if resample not in bootstrap.SCHEMES or kind not in ("pointwise", "simultaneous"):
        raise UserError(
            f"profiles: bands are {resample!r} and {kind!r}, expected runs, problems or both, and pointwise or simultaneous."
        )
    if not 0 < level < 1 or replicates < 2:
        raise UserError(f"profiles: bands have level {level} and {replicates} replicates, expected a level in (0, 1), 2 or more.")
    name = settings["name"]
    rng = seeds.stream(seed, "bands", measure, name)
    of_group = groups(
        ratios,
        measure,
        settings["by"],
        settings["weights"],
        None,
        settings["unsolved"],
        settings.get("weights_table"),
    )
    pieces, found_intervals, shares = [], [], {}
    for group in of_group:
        if variant == "log_ratio":
            group = log_ratio.of_pair(group, measure, settings.get("pair"))[0]
        rows = _rows_of(profiles, group.keys)
        tau = _taus(rows)
        tau_max = float(tau[-1])
        found = None
        if resample != "problems" or variant == "probabilistic":
            if costs is None:
                raise UserError(f"measure {measure!r}: bands by resampling runs need the costs of the trials.")
            found = cells(group, costs, measure)
        wins = None
        scheme: dict[str, Any] = {"scheme": resample, "replicates": replicates, "rng": rng, "weights": group.weights}
        if variant == "probabilistic":
            rho, auc, rho_1 = _probabilistic(group, found, tau, tau_max, settings, scheme)
        else:
            of_waves = variant == "nested"
            evaluate = bootstrap.step_evaluation(_thresholds(variant, group, settings, tau_max, rng), tau_max, of_waves=of_waves)
            waves = _n_waves(group, settings) if of_waves else 1
            rho, auc, rho_1, wins = bootstrap.step_resamples(
                group.costs, evaluate, tau, found=found, aggregate=aggregate, cost_factor=waves, **scheme
            )
            if of_waves:
                # rho(1) is a mean over the waves then, and there is no number of wins (`profile_measures` has none either)
                wins = None
        curves = _curves(rows, group.algorithms)
        estimate = np.stack([y[np.clip(np.searchsorted(x, tau, side="right") - 1, 0, None)] for x, y in curves])
        if kind == "pointwise":
            low, high = bootstrap.pointwise_band(rho, level)
        else:
            low, high = bootstrap.simultaneous_band(rho, estimate, level)
        pieces.append(_band_rows(group, measure, name, curves, tau, low, high))
        limits = bootstrap.intervals(auc, rho_1, wins, level)
        found_intervals.append(_interval_rows(group, measure, name, limits, level, resample))
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


def _rows_of(profiles: pa.Table, wanted: Mapping[str, Any]) -> pa.Table:
    code, distinct = keys.cells(profiles, ["dimension", "target"])
    index = next(i for i, row in enumerate(distinct.to_pylist()) if all(row[k] == wanted[k] for k in row))
    return profiles.filter(pa.array(code == index))


def _taus(rows: pa.Table) -> Array:
    """Where a band is computed: at all break points if they are not too many, and at points between."""
    breaks = np.unique(rows.column("tau").to_numpy())
    start, end = breaks[0], breaks[-1]
    between = [np.linspace(start, end, _GRID // 2)] + ([np.geomspace(start, end, _GRID // 2)] if start > 0 else [])
    if breaks.size > _MOST:
        breaks = breaks[np.round(np.linspace(0, breaks.size - 1, _MOST)).astype(int)]
    grid = np.unique(np.concatenate([breaks, *between]))
    return np.asarray(grid[(grid >= start) & (grid <= end)], float)


def _curves(rows: pa.Table, algorithms: Sequence[str]) -> list[tuple[Array, Array]]:
    member, found = keys.cells(rows, ["algorithm"])
    order, offsets = keys.starts(member, found.num_rows)
    tau, rho = rows.column("tau").to_numpy()[order], rows.column("rho").to_numpy()[order]
    of_name = {
        name: (tau[i:j], rho[i:j])
        for name, i, j in zip(found.column("algorithm").to_pylist(), offsets[:-1], offsets[1:], strict=True)
    }
    return [of_name[name] for name in algorithms]


def _n_waves(group: Group, settings: Mapping[str, Any]) -> int:
    k = len(group.algorithms)
    return max(1, k - 1) if settings["waves"] is None else min(int(settings["waves"]), k)


def _thresholds(variant: str, group: Group, settings: Mapping[str, Any], tau_max: float, rng: np.random.Generator) -> Any:
    """What a profile counts, from a batch of costs (b, n_algorithms, n_problems), the problems drawn and their weights."""
    if variant == "dolan_more":
        return lambda costs, index, weights: bootstrap.ratio_thresholds(costs)
    if variant == "nested":
        k, rule, failure_ratio = _n_waves(group, settings), settings.get("rule", nested.RULES[0]), settings.get("failure_ratio")
        picks = rng if settings.get("ties") == "random" else None
        return lambda costs, index, weights: bootstrap.nested_thresholds(costs, k, rule, weights, failure_ratio, picks)
    if variant == "log_ratio":
        return lambda costs, index, weights: log_ratio.thresholds_of(costs, tau_max)
    if variant == "data":
        scale = 1.0 / data.thresholds_of(np.ones((1, group.problems.num_rows)), group.problems.column("dimension").to_numpy())[0]
        return lambda costs, index, weights: costs / scale[index][:, None, :]
    if variant != "accuracy":
        raise UserError(f"profiles: there are no bands for the variant {variant!r}; leave out `bands`.")
    reference, digits = settings.get("reference", "worst"), settings.get("digits", 16.0)

    def errors(costs: Array, index: npt.NDArray[np.int64], weights: Array) -> Array:
        b, k, p = costs.shape
        flat = costs.transpose(1, 0, 2).reshape(k, b * p)
        return accuracy.thresholds_of(flat, reference, digits).reshape(k, b, p).transpose(1, 0, 2)

    return errors


def _probabilistic(
    group: Group, found: Cells | None, tau: Array, tau_max: float, settings: Mapping[str, Any], scheme: Mapping[str, Any]
) -> tuple[Array, Array, Array]:
    model = settings.get("model", "normal")
    if found is None:
        raise ValueError("the probabilistic profile needs the cells")
    if model == "empirical":
        return bootstrap.empirical_resamples(found, tau, tau_max, baseline=settings.get("baseline", "ert"), **scheme)
    sd = settings.get("sd")
    assumed = None if sd is None else probabilistic.assumed_deviations(sd, group.algorithms, model)
    if assumed is not None:
        found = Cells(found.shape, found.cost, found.budget, np.zeros(found.sd.shape), found.n, found.offsets)
    return bootstrap.probabilistic_resamples(
        found, tau, tau_max, model=model, baseline=settings.get("baseline", "ert"), sd=assumed, **scheme
    )


def _band_rows(
    group: Group, measure: str, name: str, curves: list[tuple[Array, Array]], tau: Array, low: Array, high: Array
) -> pa.Table:
    columns: dict[str, list[Any]] = {key: [] for key in ("algorithm", "tau", "rho", "rho_low", "rho_high")}
    for i, (x, y) in enumerate(curves):
        rows = np.union1d(x, tau)
        columns["algorithm"] += [group.algorithms[i]] * rows.size
        columns["tau"].append(rows)
        columns["rho"].append(y[np.clip(np.searchsorted(x, rows, side="right") - 1, 0, None)])
        # between two points of the band its wider end holds
        columns["rho_low"].append(low[i][np.searchsorted(tau, rows, side="right") - 1])
        columns["rho_high"].append(high[i][np.searchsorted(tau, rows, side="left")])
    n = len(columns["algorithm"])
    return schema.table(
        "profiles",
        {
            "measure": [measure] * n,
            "variant": [name] * n,
            **{key: [value] * n for key, value in group.keys.items()},
            "algorithm": columns["algorithm"],
            **{key: np.concatenate(columns[key]) for key in ("tau", "rho", "rho_low", "rho_high")},
        },
    )


def _interval_rows(
    group: Group, measure: str, name: str, limits: Mapping[str, tuple[Array, Array]], level: float, resample: str
) -> pa.Table:
    k, n = len(group.algorithms), len(limits) * len(group.algorithms)
    return schema.table(
        "profile_intervals",
        {
            "measure": [measure] * n,
            "variant": [name] * n,
            **{key: [value] * n for key, value in group.keys.items()},
            "algorithm": group.algorithms * len(limits),
            "quantity": [quantity for quantity in limits for _ in range(k)],
            "low": np.concatenate([low for low, _ in limits.values()]),
            "high": np.concatenate([high for _, high in limits.values()]),
            "level": [level] * n,
            "resample": [resample] * n,
        },
    )
