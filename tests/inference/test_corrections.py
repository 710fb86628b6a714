"""Adjusted p values against the closure of their tests, published tables, and by hand."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill.core import UserError
from benchmill.inference.corrections import (
    adjusted,
    bonferroni,
    holm,
    shaffer,
    smallest_adjusted,
    true_counts,
)
from benchmill.registry.entry import asked
from benchmill.registry.inference import CORRECTIONS

lists = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def naive_holm(p):
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, largest = [0.0] * len(p), 0.0
    for step, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - step) * p[i]))
        adjusted[i] = largest
    return adjusted


def closure(p, local):
    """Largest local p over all intersections that hold a hypothesis."""
    n = len(p)
    result = [0.0] * n
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            value = local(sorted(p[i] for i in chosen))
            for i in chosen:
                result[i] = max(result[i], value)
    return result


@given(lists)
def test_holm_equals_the_textbook_steps(p):
    assert holm(p).tolist() == naive_holm(p)


@given(lists)
def test_holm_is_the_closure_of_bonferroni(p):
    assert holm(p) == pytest.approx(closure(p, lambda s: min(1.0, len(s) * s[0])))


@given(lists)
def test_power_orders_the_procedures(p):
    assert (holm(p) <= bonferroni(p) + 1e-12).all()
    for name in set(asked(CORRECTIONS)) - {"shaffer"}:
        assert (adjusted(p, name) >= np.array(p) - 1e-12).all()
        assert (adjusted(p, name) <= 1).all()


def test_nan_is_no_test():
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    found = holm([0.01, math.nan, 0.03])
    assert found[[0, 2]].tolist() == pytest.approx([0.02, 0.03])
    assert math.isnan(found[1])
    found = shaffer([0.001, math.nan, 0.03])
    assert math.isnan(found[1])
    assert found[0] == pytest.approx(0.003)


def test_numbers_of_true_hypotheses():
    # Shaffer 1986, table; García and Herrera 2008, section 3.2
    assert true_counts(4) == (0, 1, 2, 3, 6)
    assert true_counts(5) == (0, 1, 2, 3, 4, 6, 10)


def bell(k):
    """All partitions, recursively."""
    if k == 0:
        yield []
        return
    for partition in bell(k - 1):
        yield [*partition, [k - 1]]
        for i in range(len(partition)):
            yield [*partition[:i], [*partition[i], k - 1], *partition[i + 1 :]]


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 5), st.data())
def test_all_pairs_procedures_by_enumeration(k, data):
    index = list(combinations(range(k), 2))
    p = data.draw(st.lists(st.floats(0, 1), min_size=len(index), max_size=len(index)))
    sets = [[index.index(pair) for group in part for pair in combinations(sorted(group), 2)] for part in bell(k)]
    order = sorted(range(len(p)), key=lambda i: p[i])
    largest = 0.0
    static = [0.0] * len(p)
    for step, i in enumerate(order):
        possible = max(len(s) for s in sets if len(s) <= len(p) - step)
        largest = max(largest, min(1.0, possible * p[i]))
        static[i] = largest
    assert shaffer(p) == pytest.approx(static)
    assert (shaffer(p) <= holm(p) + 1e-12).all()


def test_all_pairs_and_none():
    with pytest.raises(UserError, match="found 4 values"):
        shaffer([0.1] * 4)
    for name in asked(CORRECTIONS):
        assert adjusted([], name).shape == (0,)


def test_what_a_design_can_reach():
    # six instances, nine algorithms: 0.03125 times 36
    assert smallest_adjusted(2.0**-5, 36, "holm") == 1
    assert smallest_adjusted(2.0**-10, 36, "holm") == pytest.approx(36 / 1024)
    # eleven instances are needed for 36 pairs
    least = [b for b in range(2, 20) if smallest_adjusted(2.0 ** (1 - b), 36, "holm") <= 0.05]
    assert least[0] == 11
