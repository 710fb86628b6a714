"""The running minimum of each trial equals that of a plain loop."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core.best_so_far import improves, running_minimum


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1.0, 0.0, 1e-9, 2.0, np.inf])), max_size=30))
def test_every_trial_starts_anew(rows):
    rows.sort(key=lambda row: row[0])
    trial, value = np.array([t for t, _ in rows], np.int64), np.array([v for _, v in rows], float)
    best, better, last = [], [], None
    for t, v in rows:
        fresh = t != last
        better.append(fresh or v < best[-1])
        best.append(v if fresh else min(v, best[-1]))
        last = t
    np.testing.assert_array_equal(running_minimum(trial, value), np.array(best, float))
    np.testing.assert_array_equal(improves(trial, running_minimum(trial, value)), np.array(better, bool))


def test_nan_is_larger_than_all_others():
    """Also where a trial begins with it, and where values rise more often than a few passes mend."""
    value = np.array([np.nan, 5, np.nan, 7, 4, np.nan, np.nan, 1, 9, 8, 7, 6, 9, 2])
    expected = [np.nan, 5, 5, 5, 4, np.nan, np.nan, 1, 1, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(running_minimum(np.array([0] * 5 + [3] * 9), value), expected)


def test_values_stay_where_nothing_rises():
    value = np.array([3.0, 1, 7, 7])
    assert running_minimum(np.array([0, 0, 2, 2]), value).tolist() == value.tolist()
    assert running_minimum(np.zeros(0, int), np.zeros(0)).size == 0
