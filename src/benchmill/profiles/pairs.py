"""Pairs of profiles: which one is nowhere below the other."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, schema, step_functions

Array = npt.NDArray[np.float64]


def differences(curves: list[step_functions.Steps]) -> tuple[Array, Array]:
    """Return the smallest and largest value of rho_a - rho_b over the whole interval, exact for step functions.

    Returns
    -------
    smallest, largest : (n_algorithms, n_algorithms) arrays
        Element (a, b) is about rho_a - rho_b.
    """
    n = len(curves)
    points = np.unique(np.concatenate([tau for tau, _ in curves])) if n else np.empty(0)
    at, smallest, largest = np.empty((n, points.size)), np.zeros((n, n)), np.zeros((n, n))
    for a, curve in enumerate(curves):
        at[a] = step_functions.value(curve, points)
    for a in range(n):
        # a pair has other values only where one of the two jumps: here the first, the second in its own turn
        jumps = np.flatnonzero(np.append(True, at[a, 1:] != at[a, :-1])[: points.size])
        gap = at[a, jumps] - at[:, jumps]
        smallest[a], largest[a] = gap.min(axis=1), gap.max(axis=1)
    # 0 - x, so that no zero is negative
    return np.minimum(smallest, 0 - largest.T), np.maximum(largest, 0 - smallest.T)


def profile_pairs(profiles: pa.Table) -> pa.Table:
    """Compare the curves of each pair of algorithms.

    Parameters
    ----------
    profiles : pyarrow.Table
        Table `profiles`; curves of one measure, variant, dimension and target are compared on the interval that they cover.

    Returns
    -------
    pyarrow.Table
        Table `profile_pairs`, every ordered pair.
    """
    group_keys = ["measure", "variant", "dimension", "target"]
    if not profiles.num_rows:
        return schema.TABLES["profile_pairs"].empty_table()
    found: list[pa.Table] = []
    code, distinct = keys.cells(profiles, group_keys)
    order, offsets = keys.starts(code, distinct.num_rows)
    tau, rho = profiles.column("tau").to_numpy(), profiles.column("rho").to_numpy()
    for group, start, end in zip(distinct.to_pylist(), offsets[:-1], offsets[1:], strict=True):
        rows = order[start:end]
        member, algorithms = keys.cells(profiles.take(pa.array(rows)), ["algorithm"])
        names = algorithms.column("algorithm").cast(pa.string()).combine_chunks()
        inner, inner_offsets = keys.starts(member, len(names))
        curves = [(tau[rows[inner[i:j]]], rho[rows[inner[i:j]]]) for i, j in itertools.pairwise(inner_offsets)]
        smallest, largest = differences(curves)
        a, b = np.nonzero(~np.eye(len(names), dtype=bool))
        low, high = smallest[a, b], largest[a, b]
        columns = {
            **group,
            "algorithm_a": names.take(pa.array(a)),
            "algorithm_b": names.take(pa.array(b)),
            "smallest_difference": low,
            "largest_difference": high,
            "dominates": (low >= -1e-9) & (high > 1e-9),
        }
        found.append(schema.table("profile_pairs", columns))
    return schema.concatenate(found).combine_chunks()
