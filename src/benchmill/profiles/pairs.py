"""Pairs of profiles: which one is nowhere below the other."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import keys, schema, step_functions

Array = npt.NDArray[np.float64]


def differences(curves: list[step_functions.Steps]) -> tuple[Array, Array]:
    """Smallest and largest value of rho_a - rho_b over the whole interval, exact for step functions.

    Parameters
    ----------
    curves : list of (tau, rho)
        Right-continuous steps on one interval.

    Returns
    -------
    smallest, largest : (n_algorithms, n_algorithms) arrays
        Element (a, b) is about rho_a - rho_b.
    """
    n = len(curves)
    smallest, largest = np.zeros((n, n)), np.zeros((n, n))
    if not n:
        return smallest, largest
    at = step_functions.values(curves, np.unique(np.concatenate([tau for tau, _ in curves])))
    for a in range(n):
        gap = at[a] - at
        smallest[a], largest[a] = gap.min(axis=1), gap.max(axis=1)
    return smallest, largest


def profile_pairs(profiles: pa.Table) -> pa.Table:
    """Compare the curves of each pair of algorithms.

    Parameters
    ----------
    profiles : pyarrow.Table
        Table `profiles`; curves of one measure, variant, dimension and target are compared on the interval that they cover.

    Returns
    -------
    pyarrow.Table
        Table `profile_pairs`, every ordered pair. `dominates`: rho_a >= rho_b everywhere and > somewhere (Barreto et al. 2010,
        section 3; differences within rounding, 1e-9, count as none).
    """
    group_keys = ["measure", "variant", "dimension", "target"]
    if not profiles.num_rows:
        return schema.TABLES["profile_pairs"].empty_table()
    found: list[dict[str, object]] = []
    code, distinct = keys.cells(profiles, group_keys)
    order, offsets = keys.starts(code, distinct.num_rows)
    tau, rho = profiles.column("tau").to_numpy(), profiles.column("rho").to_numpy()
    for group, start, end in zip(distinct.to_pylist(), offsets[:-1], offsets[1:], strict=True):
        rows = order[start:end]
        member, algorithms = keys.cells(profiles.take(pa.array(rows)), ["algorithm"])
        names = algorithms.column("algorithm").to_pylist()
        inner, inner_offsets = keys.starts(member, len(names))
        curves = [(tau[rows[inner[i:j]]], rho[rows[inner[i:j]]]) for i, j in itertools.pairwise(inner_offsets)]
        smallest, largest = differences(curves)
        for a, first in enumerate(names):
            for b, second in enumerate(names):
                if a != b:
                    low, high = float(smallest[a, b]), float(largest[a, b])
                    found.append(
                        {
                            **group,
                            "algorithm_a": first,
                            "algorithm_b": second,
                            "smallest_difference": low,
                            "largest_difference": high,
                            "dominates": low >= -1e-9 and high > 1e-9,
                        }
                    )
    return schema.of_rows("profile_pairs", found)
