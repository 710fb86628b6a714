"""What all variants have in common: they are fitted once, and the tables are read off."""

import numpy as np
import pytest

from benchmill.core import UserError
from benchmill.profiles import all_tables, fit, nested, probabilistic, variant
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import ratios
from tests.costs.making import cost_rows, matrix_costs

COSTS = np.array([[1.0, 2, 4, 8], [2, 1, 4, 3], [4, 4, 4, 4]])


def runs():
    rows = [
        {"algorithm": f"a{i}", "problem": f"p{j}", "run": r, "cost": cost * (1 + r / 10), "budget": 99}
        for (i, j), cost in np.ndenumerate(COSTS)
        for r in range(3)
    ]
    return cost_rows(rows)


def counted(monkeypatch, module, name):
    """How often a function of a module is called."""
    function, calls = getattr(module, name), []

    def instead(*arguments, **keywords):
        calls.append(name)
        return function(*arguments, **keywords)

    monkeypatch.setattr(module, name, instead)
    return calls


@pytest.mark.parametrize("bands", [None, "both"])
def test_all_tables_of_random_costs_take_the_trials_apart_once(monkeypatch, bands):
    costs = runs()
    rated = ratios(costs, measure="m", aggregate="mean")
    calls = [counted(monkeypatch, *of) for of in ((variant, "groups"), (variant, "cells"), (probabilistic, "summaries"))]
    tables = all_tables(rated, costs, measure="m", variant="probabilistic", aggregate="mean", bands=bands)
    assert [len(of) for of in calls] == [1, 1, 1]
    assert bool(tables["profile_intervals"].num_rows) == bool(bands)


def test_all_tables_of_a_nested_profile_race_once(monkeypatch):
    rated = ratios(matrix_costs(COSTS), measure="m", aggregate="single")
    groups, waves = counted(monkeypatch, variant, "groups"), counted(monkeypatch, nested, "waves")
    tables = all_tables(rated, measure="m", variant="nested")
    assert (len(groups), len(waves)) == (1, 1)
    assert set(tables) > {"waves", "wave_profiles"}


@pytest.mark.parametrize("bands", [None, "both"])
def test_a_fitted_profile_computes_a_table_once(bands):
    costs = runs()
    fitted = fit(ratios(costs, measure="m"), costs, measure="m", bands=bands)
    for name in ("profiles", "profile_measures", "profile_pairs", "profile_intervals", "profile_warnings", "curves", "cells"):
        assert getattr(fitted, name) is getattr(fitted, name), name


def test_without_bands_it_has_the_curves_of_the_profile_with_bands():
    costs = runs()
    rated = ratios(costs, measure="m")
    plain, banded = (fit(rated, costs, measure="m", bands=bands) for bands in (None, "both"))
    assert plain.profile_intervals.num_rows == 0
    points = {(row["algorithm"], row["tau"]): row["rho"] for row in banded.profiles.to_pylist()}
    assert all(points[row["algorithm"], row["tau"]] == row["rho"] for row in plain.profiles.to_pylist())
    assert plain.profile_pairs.equals(banded.profile_pairs)


def test_the_class_of_a_variant_is_what_its_name_gives():
    rated = ratios(matrix_costs(np.ones((4, 3))), measure="m", aggregate="single")
    by_name = fit(rated, measure="m", variant="nested", ties="random")
    fitted = nested.Profile(rated, measure="m", options=nested.Options(ties="random"))
    assert fitted.name == "nested"
    for name, table in fitted.tables().items():
        assert table.equals(by_name.tables()[name]), name
    named = nested.Profile(rated, measure="m", options=nested.Options(name="mine"), seed=1)
    assert set(named.waves.column("variant").to_pylist()) == {"mine"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bands": "none"}, "profiles: bands is 'none', expected one of runs, problems, both"),
        ({"level": 1.0}, "level is 1.0, expected a number below 1"),
    ],
)
def test_bands_that_there_are_not(settings, message):
    with pytest.raises(UserError, match=message):
        Options.of(settings, "dolan_more")


@pytest.mark.parametrize("name", ["probabilistic", "dolan_more"])
def test_what_needs_single_trials_says_so(name):
    rated = ratios(runs(), measure="m")
    with pytest.raises(UserError, match=r"measure 'm': .*bands by resampling runs, need the costs of the trials"):
        fit(rated, measure="m", variant=name, bands="both").tables()
    by_problems = fit(rated, measure="m", variant="dolan_more", bands="problems")
    assert by_problems.profile_intervals.num_rows


def test_where_tau_is_no_ratio_it_may_end_below_one():
    rows = [{"algorithm": a, "cost": c, "dimension": 4} for a, c in (("A", 1.0), ("B", 4.0))]
    rated = ratios(cost_rows(rows), measure="m", aggregate="single")
    assert fit(rated, measure="m", variant="data", tau_max=0.25).groups[0].tau_max == 0.25
    with pytest.raises(UserError, match="tau_max is 0, expected a finite number above 0"):
        fit(rated, measure="m", variant="data", tau_max=0)
