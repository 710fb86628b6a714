"""What tables mark as best."""

import math

import pandas as pd
import pytest

from benchmill.text.frames import best, records


@pytest.mark.parametrize(
    ("values", "largest", "expected"),
    [([3.0, 1.0, math.inf], False, 1.0), ([0.2, 0.5], True, 0.5), ([0.0, 0.5], True, 0.5), ([0.0, 2.0], False, 0.0)],
)
def test_the_best_is_the_smallest_cost_or_the_largest_share(values, largest, expected):
    assert best(pd.Series(values), largest=largest) == expected


@pytest.mark.parametrize(("values", "largest"), [([0.0, 0.0], True), ([math.inf, math.nan], False), ([], True)])
def test_where_nobody_solves_anything_nobody_is_best(values, largest):
    assert math.isnan(best(pd.Series(values, dtype=float), largest=largest))


def test_records_are_of_python_s_own_values():
    data = pd.DataFrame(
        {"x": [1.5, math.nan], "n": pd.array([3, None], "Int32"), "name": pd.Categorical(["a", None]), "at": [True, None]}
    )
    rows = records(data)
    assert rows == [{"x": 1.5, "n": 3, "name": "a", "at": True}, {"x": None, "n": None, "name": None, "at": None}]
    assert [type(value) for value in rows[0].values()] == [float, int, str, bool]
