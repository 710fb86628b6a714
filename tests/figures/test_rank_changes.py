"""The ranks of solvers by what a failure counts: the lines are the ranks, and the caption names who changes places."""

import pytest

from benchmill.core.errors import UserError
from benchmill.figures import draw
from benchmill.indicators.summary import Options, summary
from tests.costs.making import solver_runs

SETTINGS = {"measures": [{"name": "time"}]}


def drawn(times, **more):
    costs, trials = solver_runs(times, **more)
    found = summary([costs], [trials], Options(), shift=1.0)
    return draw("rank_changes", found, SETTINGS)


def test_who_changes_places():
    """A is quick and fails once, B is slow and never fails: B is first as soon as the failure counts ten limits."""
    figure, caption = drawn({"A": [1.0, 1.0, None], "B": [40.0, 30.0, 20.0], "C": [90.0, 90.0, None]})
    lines = {line.get_label(): line.get_ydata().tolist() for line in figure.axes[0].lines if line.get_gid()}
    # mean logarithms of 2, 2, 101 and of 41, 31, 21; ten limits are 1001
    assert lines == {"A": [-1, -1, -1, -1], "B": [-2, -2, -2, -2], "C": [-3, -3, -3, -3]}
    assert "No two solvers change places." in caption
    figure, caption = drawn({"A": [8.0, 8.0, None], "B": [40.0, 30.0, 20.0], "C": [90.0, 90.0, None]})
    lines = {line.get_label(): line.get_ydata().tolist() for line in figure.axes[0].lines if line.get_gid()}
    # products: A 9 * 9 * 101 = 8181, with ten limits 81081; B 41 * 31 * 21 = 26691
    assert lines == {"A": [-1, -1, -2, -1], "B": [-2, -2, -1, -2], "C": [-3, -3, -3, -3]}
    assert "Of 3 pairs, 1 changes places: A and B." in caption
    assert "over 3 instances (2 for those that all solve)" in caption


def test_without_ranks_there_is_nothing_to_draw():
    with pytest.raises(UserError, match="rank_changes: found no rows for measure 'time'"):
        drawn({"A": [1.0, None], "B": [None, 1.0]}, limit=None)
