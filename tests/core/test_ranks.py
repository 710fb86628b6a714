from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core.ranks import midranks

INF = float("inf")


def by_counting(row):
    """The rank of a cost: one more than the smaller ones, and half of the others that equal it."""
    return [float(1 + sum(a < c for a in row) + Fraction(sum(a == c for a in row) - 1, 2)) for c in row]


@given(st.integers(1, 5).flatmap(lambda k: st.lists(st.lists(st.sampled_from([0, 1, 2, 3, INF, -4]), min_size=k, max_size=k))))
def test_blocks_one_by_one(blocks):
    k = len(blocks[0]) if blocks else 3
    assert midranks(np.array(blocks, float).reshape(-1, k)).tolist() == [by_counting(row) for row in blocks]


def test_rounding_ties_and_what_is_more_does_not():
    assert midranks([[0.1 + 0.2, 0.3, 0.2]]).tolist() == [[2.5, 2.5, 1]]
    assert midranks([[1.0, 1.0 + 3e-12, 1.0 - 3e-12]]).tolist() == [[2, 3, 1]]
    # relative to the costs, whatever their sign
    assert midranks([[-1e6 - 1e-7, -1e6, 5.0, 5e-13, 0.0]]).tolist() == [[1.5, 1.5, 5, 4, 3]]


def test_stated_errors_tie_neighbours():
    costs, error = [[1.0, 1.5, 3.0], [1.0, 1.5, 3.0]], [[0.0, 0.6, 0.1], [0.6, 0.1, 0.0]]
    assert midranks(costs, error).tolist() == [[1.5, 1.5, 3], [1.5, 1.5, 3]]
    assert midranks(costs, np.full((2, 3), 0.1)).tolist() == [[1, 2, 3], [1, 2, 3]]
    assert midranks([[1.0, 1.5, 3.0, 4.0]], [[0.6, 0.0, 0.0, 0.0]]).tolist() == [[1.5, 1.5, 3, 4]]
    assert midranks([[1.0, INF, INF]], [[0.0, INF, INF]]).tolist() == [[1, 2.5, 2.5]]
    # each within the error of the next
    assert midranks([[2.0, 1.0, 3.0]], [[1.0, 1.0, 1.0]]).tolist() == [[2, 2, 2]]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 1)])
def test_nothing_to_compare(shape):
    assert midranks(np.full(shape, 7.0)).tolist() == np.ones(shape).tolist()
