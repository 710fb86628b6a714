"""Definitions of other packages on small cases by hand; tests/compare has the packages themselves."""

import numpy as np
import pytest
from hypothesis import given

from benchmill.core import step_functions
from benchmill.profiles import peers
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.measures import measures
from benchmill.profiles.ratios import performance_ratios
from tests.costs.making import INF
from tests.profiles.test_ratios import matrices


def test_benchmarkprofiles_by_hand():
    # the Julia code on T = [1 2; 3 -1; 5 4; 8 1]: log2 ratios (0, 0, 0.3219, 3) and (1, failed, 0, 0)
    x, y, largest = peers.benchmarkprofiles_jl([[1.0, 3, 5, 8], [2, -1, 4, 1]])
    assert largest == 3
    assert x == pytest.approx(np.array([[0, 0, np.log2(1.25), 3, 6], [0, 0, 1, 6, 6]]))
    assert y.tolist() == [0.25, 0.5, 0.75, 1, 1.25]
    drawn, _, _ = peers.benchmarkprofiles_jl([[1.0, 3, 5, 8], [2, -1, 4, 1]], drawtol=0.25, logscale=False)
    assert drawn[0].tolist() == [1, 1, 1, 8, 16]
    shifted, _, _ = peers.benchmarkprofiles_jl([[0.0, 1], [1, 3]], logscale=False)
    assert shifted.tolist() == [[1, 1, 4], [2, 2, 4]]
    same, _, end = peers.benchmarkprofiles_jl([[2.0, 2], [2, INF]])
    assert (same == 0).all()  # a failure that looks solved
    assert end == 0


@given(matrices)
def test_up_to_the_largest_ratio_benchmarkprofiles_is_our_profile(costs):
    x, y, largest = peers.benchmarkprofiles_jl(costs, logscale=False)
    if not np.isfinite(largest):
        return
    tau = np.unique(x[x <= largest])
    ours = step_functions.values(profile_functions(performance_ratios(costs)[0]), tau)
    for row, own in zip(x, ours, strict=True):
        theirs = np.append(0.0, y)[np.searchsorted(row[:-1], tau * (1 + 1e-12), side="right")]
        assert theirs == pytest.approx(own)


@given(matrices)
def test_optiprofiler_score_in_our_terms(costs):
    ratios = performance_ratios(costs)[0]
    end = float(ratios[np.isfinite(ratios)].max(initial=1.0))
    own = measures(ratios, end)
    expected = own["auc_log"] / np.log(2) + 0.1 * np.log2(end) * own["rho_tau_max"]
    assert peers.optiprofiler_scores(costs) == pytest.approx(expected, abs=1e-12)


def test_scores_by_hand():
    scores = np.array([[0.0, 1.0], [0.5, 2.0]])
    assert peers.rliable_score_distribution(scores, [-1, 0, 0.5, 1.0, 3]).tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert peers.rliable_average_score_distribution(scores, [0.25, 0.2]).tolist() == [0.5, 1]
    assert peers.rliable_interquartile_mean(scores) == 0.75
    assert peers.rliable_optimality_gap(scores) == 1 - (0 + 1 + 0.5 + 1) / 4
    assert peers.rliable_probability_of_improvement([[1.0], [2.0]], [[1.0], [0.0], [3.0]]) == (0.5 + 1 + 1 + 1) / 6
