import numpy as np
import pytest

from benchmill.profiles import fit
from benchmill.profiles.measures import differences, profile_pairs
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, matrix_costs


def test_differences_by_hand():
    # 1/2 on [1, 2), 1 from 2; 1/4 on [1, 3), 3/4 from 3
    curves = [(np.array([1.0, 2.0, 4.0]), np.array([0.5, 1.0, 1.0])), (np.array([1.0, 3.0, 4.0]), np.array([0.25, 0.75, 0.75]))]
    smallest, largest = differences(curves)
    assert smallest.tolist() == [[0, 0.25], [-0.75, 0]]
    assert largest.tolist() == [[0, 0.75], [-0.25, 0]]
    assert [part.shape for part in differences([])] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("costs", "dominates"),
    [
        # nowhere below and somewhere above
        ([[1.0, 2, 3], [2, 2, INF]], {("a1", "a2"): True, ("a2", "a1"): False}),
        # the same curve on other problems
        ([[1.0, 2], [2, 1]], {("a1", "a2"): False, ("a2", "a1"): False}),
        # they cross
        ([[1.0, 1, 9], [2, 2, 1]], {("a1", "a2"): False, ("a2", "a1"): False}),
    ],
)
def test_who_dominates(costs, dominates):
    table = profile_pairs(fit(ratios(matrix_costs(costs), measure="m", aggregate="single"), measure="m").profiles)
    assert {(row["algorithm_a"], row["algorithm_b"]): row["dominates"] for row in table.to_pylist()} == dominates
    for row in table.to_pylist():
        assert row["dominates"] == (row["smallest_difference"] >= 0 and row["largest_difference"] > 0)
