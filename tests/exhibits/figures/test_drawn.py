"""What the kinds that compare measures, variants and algorithms draw is what their tables hold."""

import math

import numpy as np
import pyarrow.compute as pc
import pytest
from matplotlib.figure import Figure

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import draw, scales, scatter
from benchmill.text.variants import Profile
from tests.exhibits.figures import studies
from tests.page import synthetic


@pytest.fixture(scope="module")
def tables():
    return studies.tables()


def lines(axes, prefix):
    return {line.get_label(): line for line in axes.get_lines() if str(line.get_gid()).startswith(prefix)}


def rows(table, **where):
    return [r for r in table.to_pylist() if all(r[k] == v for k, v in where.items())]


def test_profiles_side_by_side_are_those_of_the_variants(tables):
    figure, caption = draw("profiles", tables, studies.SETTINGS["profiles"])
    left, right = (axes for axes in figure.axes if lines(axes, "curve"))
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["Dolan–Moré", "nested, by wins"]
    for axes, variant in ((left, "dolan_more"), (right, "nested")):
        for name, line in lines(axes, "curve").items():
            mine = rows(tables["profiles"], variant=variant, algorithm=name)
            np.testing.assert_array_equal(line.get_xdata(), [r["tau"] for r in mine])
            np.testing.assert_array_equal(line.get_ydata(), [r["rho"] for r in mine])
    assert "thin lines" not in caption
    assert "leaves after each wave" in caption


def test_overlaid_profiles_share_a_panel_and_the_first_is_thin(tables):
    figure, caption = draw("profiles", tables, {**studies.SETTINGS["profiles"], "layout": "overlaid"})
    (axes,) = (axes for axes in figure.axes if axes.get_lines())
    over, under = lines(axes, "curve"), lines(axes, "under")
    assert set(over) == set(under) == set(synthetic.ALGORITHMS)
    for name in over:
        assert under[name].get_linewidth() < over[name].get_linewidth()
        assert under[name].get_color() == over[name].get_color()
        mine = rows(tables["profiles"], variant="dolan_more", algorithm=name)
        np.testing.assert_array_equal(under[name].get_ydata(), [r["rho"] for r in mine])
    assert "thin lines: Dolan–Moré" in caption


@pytest.mark.parametrize("end", [10.5, 474.0, 1e9])
def test_the_broken_axis_is_linear_to_ten_and_logarithmic_beyond(end):
    place = scales.Scale("broken", end)
    to_ten = place.forward(np.arange(1, 11))
    np.testing.assert_allclose(np.diff(to_ten), 1 / 9)
    beyond = place.forward(10 * 2.0 ** np.arange(5))
    np.testing.assert_allclose(np.diff(beyond), beyond[1] - beyond[0])
    tau = np.geomspace(1, end, 50)
    assert (np.diff(place.forward(tau)) > 0).all()
    np.testing.assert_allclose(place.inverse(place.forward(tau)), tau)


def test_a_broken_axis_says_so(tables):
    figure, _ = draw("profile", tables, {**studies.SETTINGS["profile"], "axis": "broken"})
    assert figure.axes[0].get_xlabel() == "performance ratio τ (linear to 10, then log scale)"


def test_data_profiles_have_no_performance_ratio():
    assert Profile.parsed({"variant": "data"}).entry.tau == "evaluations/(dimension + 1) τ"
    assert Profile.parsed({"variant": "data"}).heading == "Data"


def test_bars_are_the_normalised_areas_longest_on_top(tables):
    figure, _ = draw("auc_bars", tables, studies.SETTINGS["auc_bars"])
    for axes, variant in zip(figure.axes, ("dolan_more", "nested"), strict=True):
        found = {r["algorithm"]: r["auc_normalised"] for r in rows(tables["profile_measures"], variant=variant)}
        names = [label.get_text() for label in axes.get_yticklabels()]
        widths = [patch.get_width() for patch in axes.patches]
        assert widths == [found[name] for name in names]
        assert widths == sorted(found.values(), reverse=True)


def test_bars_have_the_intervals_of_their_own_panel(tables):
    measures = [r for r in rows(tables["profile_measures"], variant="dolan_more")]
    given = [{**r, "low": 0.1 + i / 50, "high": 0.5 + i / 50} for i, r in enumerate(measures)]
    shared = {key: [r[key] for r in given] for key in ("measure", "variant", "dimension", "target", "algorithm", "low", "high")}
    more = {"quantity": ["auc_normalised"] * len(given), "level": [0.95] * len(given), "resample": ["problems"] * len(given)}
    figure, caption = draw(
        "auc_bars",
        {**tables, "profile_intervals": schema.table("profile_intervals", shared | more)},
        studies.SETTINGS["auc_bars"],
    )
    assert "Lines are intervals at level 0.95" in caption
    first, second = figure.axes
    names = [label.get_text() for label in first.get_yticklabels()]
    bounds = {r["algorithm"]: (r["low"], r["high"]) for r in given}
    drawn = {names[int(line.get_ydata()[0])]: tuple(line.get_xdata()) for line in first.get_lines()}
    assert drawn == bounds
    assert not second.get_lines()


def test_parallel_axes_hold_the_columns_and_three_measures_make_six(tables):
    figure, caption = draw("parallel_coordinates", tables, studies.SETTINGS["parallel_coordinates"])
    columns = ("auc_normalised", "auc_log_normalised", "rho_tau_max", "tau_min_over_tau_star", "rho_1")
    for name, line in lines(figure.axes[0], "curve").items():
        (row,) = rows(tables["profile_measures"], variant="dolan_more", algorithm=name)
        np.testing.assert_array_equal(line.get_ydata(), [row[column] for column in columns])
    assert "larger is better on every axis" in caption
    data = tables["profile_measures"].filter(pc.field("variant") == "dolan_more").to_pylist()
    three = [{**row, "measure": name} for name in ("a", "b", "c") for row in data]
    more = {
        **tables,
        "profile_measures": schema.table(
            "profile_measures", {c: [r[c] for r in three] for c in schema.TABLES["profile_measures"].names}
        ),
    }
    settings = {"measures": [{"name": n} for n in "abc"], "profiles": [studies.DOLAN_MORE], "main": "b"}
    figure, caption = draw("parallel_coordinates", more, settings)
    assert len(figure.axes[0].get_xticks()) == 6
    assert "Of b: share solved" in caption


def test_fronts_are_those_of_the_table(tables):
    figure, caption = draw("pareto_fronts", tables, studies.SETTINGS["pareto_fronts"])
    found = rows(tables["profile_measures"], variant="dolan_more")
    left = next(line for line in figure.axes[0].get_lines() if str(line.get_gid()).startswith("front"))
    expected = sorted({(r["rho_1"], r["rho_tau_max"]) for r in found if r["front_wins_solved"]})
    assert list(zip(*left.get_data(), strict=True)) == expected
    for x, y in expected:  # nobody is as good on both and better on one
        assert not any(r["rho_1"] >= x and r["rho_tau_max"] >= y and (r["rho_1"], r["rho_tau_max"]) != (x, y) for r in found)
    assert "Front of ρ(1) and ρ(τ_max):" in caption


def small_ratios(costs):
    """Ratios of a table problem → costs of a, b, c."""
    made = [
        {
            "measure": "ert",
            "problem": problem,
            "algorithm": name,
            "cost": cost,
            "ratio": cost / min(values) if math.isfinite(min(values)) else math.inf,
            "baseline": min(values),
            "n_trials": 1,
            "n_successes": int(math.isfinite(cost)),
            "included": True,
        }
        for problem, values in costs.items()
        for name, cost in zip("abc", values, strict=True)
    ]
    return {"ratios": schema.table("ratios", {c: [r.get(c) for r in made] for c in schema.TABLES["ratios"].names})}


ONE = {"measures": [{"name": "ert", "kind": "given", "aggregate": "single"}], "profiles": []}
INF = math.inf


def test_a_scatter_puts_failures_on_the_rim_and_counts_who_is_better():
    found = small_ratios(
        {"p1": (1.0, 20.0, 3.0), "p2": (4.0, 4.0, 1.0), "p3": (INF, 7.0, 1.0), "p4": (INF, INF, 2.0), "p5": (9.0, 3.0, 1.0)}
    )
    figure, caption = draw("scatter", found, {**ONE, "algorithms": ["a", "b"]})
    (points,) = (line for line in figure.axes[0].get_lines() if str(line.get_gid()).startswith("points"))
    x, y = points.get_data()
    np.testing.assert_array_equal(x[[0, 1, 4]], [1, 4, 9])
    np.testing.assert_array_equal(y[[0, 1, 2, 4]], [20, 4, 7, 3])
    assert x[2] == x[3] == y[3] > 20
    assert "a is better on 1 (0 that it alone solves), b on 2 (1), equal on 1; neither solves 1." in caption
    three, _ = draw("scatter", found, {**ONE, "algorithms": ["a", "b", "c"]})
    assert sum(bool(axes.get_lines()) for axes in three.axes) == 3
    best, _ = draw("scatter", found, ONE)  # c is best on three problems, a on one, b on none
    assert best.axes[0].get_xlabel() == "ERT of c"
    with pytest.raises(UserError, match="algorithms: found 'z', expected some of a, b and c"):
        draw("scatter", found, {**ONE, "algorithms": ["a", "z"]})


def test_counts_add_up():
    rng = np.random.default_rng(1)
    a, b = (np.where(rng.random(500) < 0.3, INF, rng.integers(1, 5, 500).astype(float)) for _ in range(2))
    found = scatter.counts(a, b)
    assert found["a"] + found["b"] + found["equal"] + found["neither"] == 500
    assert found["only_a"] <= found["a"]


@pytest.mark.parametrize(
    "kind", [kind for kind, asked in studies.SETTINGS.items() if "measures" in asked and kind != "value_ecdf"]
)
def test_nothing_to_draw_is_a_clear_error(tables, kind):
    with pytest.raises(UserError, match=r"found no rows.*with one algorithm there is nothing to compare"):
        draw(kind, tables, {**studies.SETTINGS[kind], "measures": [{"name": "other"}]})


@pytest.mark.parametrize(("high", "minor"), [(1.0, True), (1e15, False)])
def test_axes_of_many_decades_have_no_ticks_between_them(high, minor):
    axes = Figure().add_subplot()
    axes.set(yscale="log", ylim=(1e-12, high))
    scales.decades(axes.yaxis, 1e-12, high, 7)
    assert (len(axes.yaxis.get_minorticklocs()) > 0) == minor
