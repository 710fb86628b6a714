"""Limits that differ: who was stopped before another one succeeded, and where all can be compared."""

import numpy as np

from benchmill.core.limits import Common, Ends, of_failures

INF, NAN = np.inf, np.nan


def test_who_was_stopped_before_another_one_succeeded():
    # cells: a stopped at 10 while b takes 20; a and b both stopped at 10; a stopped at 30, later than b takes
    values = np.array([[[INF, 5.0], [20.0, 3.0]], [[INF, INF], [INF, INF]], [[INF, INF], [20.0, 25.0]]])
    budgets = np.where(np.isinf(values), np.array([10.0, 10.0, 30.0])[:, None, None], NAN)
    ends = Ends.of(values, budgets)
    assert ends.early.tolist() == [[True, False], [False, False], [False, False]]
    assert ends.early_in(np.array([0, 1]), np.array([1, 0])).tolist() == [1, 0]
    # nobody knows what was spent: nothing is said
    assert not Ends.of(values, None).early.any()
    assert not Ends.of(values, np.full(values.shape, NAN)).early.any()


def test_failures_that_count_more_than_they_spent_have_not_succeeded():
    budgets = np.array([[[30.0, NAN], [NAN, 30.0]]])
    assert not Ends.of(np.array([[[300.0, 20.0], [25.0, 300.0]]]), budgets).early.any()


def test_a_crash_counts_no_less_for_having_been_quick():
    spent, ends = np.array([60.0, 0.2, 3.0, 5.0, 4.0]), ["time_limit", "error", "memory_limit", "limit", None]
    unknown, known = np.full(5, NAN), np.full(5, 60.0)
    found = {
        name: [of_failures(spent, ends, limit, name).tolist() for limit in (unknown, known)] for name in ("runtime_s", "nodes")
    }
    np.testing.assert_equal(found["runtime_s"], [[60, NAN, NAN, NAN, 4], [60, 60, 60, 60, 60]])
    np.testing.assert_equal(found["nodes"], [[60, NAN, NAN, 5, 4]] * 2)
    assert of_failures(spent, ends, unknown) is spent


def test_an_algorithm_is_not_ahead_of_itself():
    # its own success at 50 does not make its failure at 10 an early one
    values, budgets = np.array([[[INF, 50.0], [INF, 5.0]]]), np.array([[[10.0, NAN], [40.0, NAN]]])
    assert Ends.of(values, budgets).early.tolist() == [[False, True]]


def test_the_common_limit_of_an_instance():
    instance, algorithm = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    limit = np.array([100.0, 1000, NAN, 1000])
    # who always stops at 100 is taken to do so where it does not say
    common = Common.of(limit, instance, np.ones(4, bool), algorithm)
    assert common.smallest.tolist() == [100] * 4
    assert common.differs.all()
    cost, cut, late = common.cut(np.array([INF, 500.0, 100.0, 50.0]), limit)
    assert cost.tolist() == [INF, INF, 100, 50]
    assert (cut.tolist(), late.tolist()) == ([100.0] * 4, [False, True, False, False])
    # without names of algorithms, or where its limits do not agree, nothing is taken for granted
    assert Common.of(limit, instance, np.ones(4, bool)).smallest.tolist() == [100, 100, 1000, 1000]
    other = np.array([100.0, 1000, NAN, 1000, 300.0])
    found = Common.of(other, np.append(instance, 2), np.ones(5, bool), np.append(algorithm, 0))
    assert found.smallest.tolist() == [100, 100, 1000, 1000, 300]


def test_who_does_not_count_cuts_nobody_and_a_run_that_ended_before_shows_no_limit():
    instance, limit = np.array([0, 0, 0]), np.array([1000.0, 1000, 10])
    assert not Common.of(limit, instance, np.array([True, True, False])).differs.any()
    shows = np.array([True, True, False])
    assert not Common.of(limit, instance, np.ones(3, bool), shows=shows).differs.any()


def test_an_algorithm_whose_limit_nobody_knows_has_none():
    limit, pair = np.array([100.0, NAN]), np.array([0, 1])
    common = Common.of(limit, np.zeros(2, int), np.ones(2, bool), pair)
    assert np.isnan(common.own[1])
    assert not common.differs.any()


def test_limits_read_off_runs_that_met_them_are_one_limit():
    common = Common.of(np.array([3600.4, 3601.0]), np.array([0, 0]), np.ones(2, bool))
    cost, limit, late = common.cut(np.array([3600.8, INF]), np.array([3600.4, 3601.0]))
    assert not common.differs.any()
    assert not late.any()
    assert (cost.tolist(), limit.tolist()) == ([3600.8, INF], [3600.4, 3601.0])
