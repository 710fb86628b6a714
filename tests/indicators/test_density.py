import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde

from benchmill.core import UserError
from benchmill.indicators.density import Options, bandwidth_nrd0, densities, density, kernel_density
from tests.costs.making import INF, cost_rows

SAMPLE = [2.0, 3.5, 3.7, 4.1, 6.0, 9.5]


def test_bandwidth_by_hand():
    """R: bw.nrd0(c(2, 3.5, 3.7, 4.1, 6, 9.5)); quartiles 3.55 and 5.525."""
    sd = np.std(SAMPLE, ddof=1)
    assert min(sd, 1.975 / 1.34) == 1.975 / 1.34
    assert bandwidth_nrd0(SAMPLE) == pytest.approx(0.9 * 1.975 / 1.34 * 6**-0.2)
    # no spread between the quartiles: the standard deviation alone
    assert bandwidth_nrd0([1, 5, 5, 5, 5, 5, 9]) == pytest.approx(0.9 * np.std([1, 9, 5, 5, 5, 5, 5], ddof=1) * 7**-0.2)
    assert bandwidth_nrd0([3, 3, 3]) == 0
    assert np.isnan(bandwidth_nrd0([3]))


def test_estimate_is_that_of_scipy_with_the_same_bandwidth():
    bandwidth = bandwidth_nrd0(SAMPLE)
    theirs = gaussian_kde(SAMPLE, bw_method=bandwidth / np.std(SAMPLE, ddof=1))
    at = np.linspace(0, 12, 40)
    assert kernel_density(SAMPLE, at, bandwidth) == pytest.approx(theirs(at))
    with pytest.raises(ValueError, match="positive bandwidth"):
        kernel_density(SAMPLE, at, 0.0)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=20), st.integers(0, 5), st.sampled_from(["kde", "mass", "histogram"]))
def test_all_kinds_add_up_to_the_share_of_finite_values(values, failures, kind):
    found = density(values, kind, points=2000, total=len(values) + failures)
    share = len(values) / (len(values) + failures)
    if found.kind == "kde":
        step = found.left[1] - found.left[0]
        if step < found.bandwidth:
            assert found.height.sum() * step == pytest.approx(share, abs=0.01)
        assert found.left[0] == pytest.approx(min(values) - 3 * found.bandwidth)
    elif found.kind == "histogram":
        assert (found.height * (found.right - found.left)).sum() == pytest.approx(share)
    else:
        assert found.height.sum() == pytest.approx(share)
        assert (found.left == found.right).all()
        assert kind == "mass" or len(set(values)) == 1


def test_degenerate_samples_are_bars():
    for kind in ("kde", "histogram", "mass"):
        for values in ([7.0], [7.0, 7.0, 7.0]):
            found = density(values, kind)
            assert (found.kind, found.left.tolist(), found.height.tolist()) == ("mass", [7], [1])
        assert density([], kind).height.size == 0


def test_histogram_and_mass_by_hand():
    # Sturges' rule gives three bins of width 4/3, with three values, none and one
    found = density([1, 2, 2, 5], "histogram")
    assert found.left.tolist() == pytest.approx([1, 7 / 3, 11 / 3])
    assert found.right.tolist() == pytest.approx([7 / 3, 11 / 3, 5])
    assert found.height.tolist() == pytest.approx([9 / 16, 0, 3 / 16])
    found = density([1, 2, 2, 5], "mass")
    assert (found.left.tolist(), found.height.tolist()) == ([1, 2, 5], [0.25, 0.5, 0.25])


def test_a_table_of_costs():
    rows = [{"algorithm": a, "target": 1.0, "cost": c} for a, costs in (("A", [10, 100, INF]), ("B", [INF])) for c in costs]
    found = densities(cost_rows(rows), options=Options(kind="mass")).to_pylist()
    third = pytest.approx(1 / 3)
    assert [(r["algorithm"], r["left"], r["height"]) for r in found] == [("A", 10, third), ("A", 100, third)]
    assert (found[0]["n_trials"], found[0]["n_successes"], found[0]["bandwidth"]) == (3, 2, None)
    assert densities(cost_rows(rows)).num_rows == 64


def test_mistakes():
    with pytest.raises(UserError, match="kind is 'violin'"):
        density([1], "violin")


def test_a_table_of_histograms():
    costs = cost_rows([{"algorithm": "A", "target": 1.0, "cost": c} for c in (1, 2, 2, 5)])
    found = densities(costs, options=Options(kind="histogram")).to_pylist()
    assert [(r["left"], r["right"]) for r in found] == [
        (1, pytest.approx(7 / 3)),
        (pytest.approx(7 / 3), pytest.approx(11 / 3)),
        (pytest.approx(11 / 3), 5),
    ]
