"""The criteria agree with the configuration, the table `profile_measures`, and the functions that they name."""

import numpy as np
import pytest

from benchmill.core import schema
from benchmill.registry.criteria import CRITERIA


@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_is_a_column_or_a_function(name):
    entry = CRITERIA[name]
    assert bool(entry.column) != bool(entry.function)
    assert entry.words
    assert entry.symbol
    columns = schema.TABLES["profile_measures"].names
    if entry.column:
        assert {entry.column, entry.ranks or entry.column} <= set(columns)
        return
    costs = np.array([[1.0, 2, 4], [2, 8, 16]])
    values = entry.function(costs, None)
    # the first algorithm is the better one on every problem
    assert (values[0] > values[1]) == entry.larger_is_better
