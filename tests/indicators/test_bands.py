from itertools import product

import numpy as np
import pytest

from benchmill.core import step_functions
from benchmill.indicators import bands as bands_module
from benchmill.indicators.bands import band, draws
from benchmill.indicators.ecdf import Bands, Options, ecdf
from tests.costs.making import INF, cost_rows


def test_draws_weigh_one_on_average():
    shares = np.array([0.5, 0.25, 0.25, 1.0])
    drawn = draws([0, 3, 4], shares, 20_000, np.random.default_rng(1))
    assert drawn[3].tolist() == [1] * 20_000
    assert drawn[:3].mean(axis=1) == pytest.approx(np.ones(3), abs=0.03)
    assert (shares[:3] @ drawn[:3]) == pytest.approx(np.ones(20_000))


def test_a_band_is_that_of_all_resamples():
    """Three trials of one problem: 27 resamples, each as likely; the quantiles of the fraction at each step."""
    jumps = np.array([2.0, 5.0, INF])
    drawn = draws([0, 3], np.ones(3), 60_000, np.random.default_rng(2))
    low, high = band(jumps, np.ones(3), np.arange(3), drawn, 0.8)
    every = np.array(list(product(range(3), repeat=3)))
    for i, x in enumerate((2.0, 5.0)):
        fractions = np.sort((jumps[every] <= x).mean(axis=1))
        assert low[i] == pytest.approx(fractions[int(0.1 * 26 + 0.5)])
        assert high[i] == pytest.approx(fractions[int(0.9 * 26 + 0.5)])


def test_pieces_make_no_difference(monkeypatch):
    rng = np.random.default_rng(3)
    jumps, trial = rng.integers(1, 40, 300).astype(float), np.repeat(np.arange(30), 10)
    drawn = draws(np.arange(0, 31, 5), np.ones(30), 50, rng)
    whole = band(jumps, np.ones(300), trial, drawn, 0.9)
    monkeypatch.setattr(bands_module, "_NUMBERS_AT_ONCE", 350)
    for one, other in zip(whole, band(jumps, np.ones(300), trial, drawn, 0.9), strict=True):
        assert one == pytest.approx(other)
    x, y = step_functions.ecdf(jumps)
    assert whole[0].size == x.size
    assert (whole[0] <= y + 1e-12).all()
    assert (y <= whole[1] + 1e-12).all()


def rows(algorithms, n_trials=6):
    rng = np.random.default_rng(6)
    times = rng.integers(1, 50, (2, 2, n_trials))
    return cost_rows(
        [
            {"algorithm": a, "problem": f"f{p}", "target": 10.0**-t, "cost": times[p, t, i], "trial": i, "instance": str(i)}
            for a in algorithms
            for p in range(2)
            for t in range(2)
            for i in range(n_trials)
        ]
    )


def test_bands_of_curves():
    options = Options(bands=Bands(resamples=400))
    both = ecdf(rows("AB"), "problem", options).to_pylist()
    alone = ecdf(rows("B"), "problem", options).to_pylist()
    assert [row for row in both if row["algorithm"] == "B"] == alone
    assert all(row["fraction_low"] <= row["fraction"] <= row["fraction_high"] for row in alone)
    assert any(row["fraction_low"] < row["fraction_high"] for row in alone)


def test_no_band_around_single_trials():
    table = ecdf(rows("A", 1), aggregation="problem", options=Options(bands=Bands(resamples=50)))
    assert table.column("fraction_low").null_count == table.num_rows


def test_a_curve_of_failures_has_no_band_and_leaves_those_of_the_others_in_place():
    options = Options(bands=Bands(resamples=50))
    failures = cost_rows([{"algorithm": "A", "problem": "f1", "target": 1.0, "cost": INF, "trial": i} for i in range(3)])
    both = ecdf([failures, rows("B")], "problem", options).to_pylist()
    (of_failures,) = [row for row in both if row["algorithm"] == "A"]
    assert (of_failures["fraction"], of_failures["fraction_low"], of_failures["fraction_high"]) == (0, None, None)
    banded = [row for row in both if row["algorithm"] == "B"]
    assert all(row["fraction_low"] <= row["fraction"] <= row["fraction_high"] for row in banded)
