"""What figures say beside their curves holds for what is drawn: units, names as they are shown, who is best, what is left out."""

import math

import pytest

from benchmill.core import schema
from benchmill.exhibits.figures import draw
from tests.exhibits.figures import studies, test_drawn, test_indicator_kinds, test_inference, test_solver_run_figures

LONG = "a_problem_with_a_long_name_{}_of_which_the_middle_alone_differs_from_others"
INF = math.inf


def with_values(table, name, **values):
    """The table with other values in some columns: of a mapping those of its keys, of a function what it makes of them."""
    rows = table.to_pylist()
    for row in rows:
        for key, value in values.items():
            row[key] = value(row[key]) if callable(value) else value
    return schema.of_rows(name, rows)


@pytest.fixture(scope="module")
def tables():
    return studies.tables()


@pytest.fixture(scope="module")
def traced():
    return test_indicator_kinds.tables.__wrapped__()


def test_titles_of_panels_that_differ_in_the_middle_differ(traced, monkeypatch):
    monkeypatch.setattr("benchmill.exhibits.figures.density._FEWEST", 1)
    longer = {"f1": LONG.format("AAA"), "f2": LONG.format("BBB"), "f10": "f10"}
    changed = {name: with_values(table, name, problem=longer.get) for name, table in traced.items()}
    for kind in ("running_time", "density", "convergence"):
        figure, _ = draw(kind, changed, test_indicator_kinds.settings(**({"targets": [10.0]} if kind == "density" else {})))
        titles = [title for title in test_indicator_kinds.titles(figure) if title]
        assert len(titles) == len(set(titles)) > 0


@pytest.mark.parametrize("kind", ["auc_bars", "parallel_coordinates", "pareto_fronts", "profile"])
def test_what_counts_once_in_profiles_is_a_pair_where_there_are_several_targets(tables, kind):
    both = {**studies.SETTINGS[kind], "measures": [studies.MEASURE]}
    assert "(problem, target) pairs" in draw(kind, tables, both)[1]
    one = {**both, "measures": [{**studies.MEASURE, "targets": [10.0]}]}
    assert "(problem, target) pair" not in draw(kind, tables, one)[1]


def test_areas_of_data_profiles_begin_at_zero(tables):
    data = {"measures": [studies.MEASURE], "profiles": [{"name": "dolan_more", "variant": "data"}]}
    assert "Area under the data profile over [0, τ_max] of" in draw("auc_bars", tables, data)[1]
    assert "Area under the performance profile over [1, τ_max] of" in draw("auc_bars", tables, studies.SETTINGS["auc_bars"])[1]


def test_without_dimensions_nothing_is_divided_by_them(traced):
    without = {name: with_values(table, name, dimension=None) for name, table in traced.items() if name != "attainment"}
    for table, kind in (("indicators", "running_time"), ("convergence", "aocc")):
        keys = ["problem", "algorithm", *(["target"] if table == "indicators" else [])]
        rows = {tuple(row[key] for key in keys): row for row in without[table].to_pylist()}
        figure, caption = draw(kind, {table: schema.of_rows(table, list(rows.values()))}, test_indicator_kinds.settings())
        assert "dimension" not in caption
        if kind == "running_time":
            assert figure.get_supylabel() == "ERT"


def test_lines_that_are_targets_are_called_so(traced):
    rows = [row for row in traced["indicators"].to_pylist() if row["algorithm"] == "fast"]
    for row in rows:
        if row["target"] == 0.1:
            row |= {"ert": INF, "ert_low": None, "ert_high": None, "failure_budget": 700.0}
    many = [{**row, "target": row["target"] / 10**i} for row in rows for i in (0, 5)]
    caption = draw("scaling", {"indicators": schema.of_rows("indicators", many)}, test_indicator_kinds.settings())[1]
    assert "Too many targets for whiskers." in caption
    assert "black: of several targets." in caption
    assert "algorithms" not in caption


def test_a_share_of_trials_is_never_rounded_to_all(traced):
    rows = [{**row, "n_trials": 400, "n_successes": 399} for row in traced["densities"].to_pylist()]
    figure, _ = draw("density", {"densities": schema.of_rows("densities", rows)}, test_indicator_kinds.settings(targets=[10.0]))
    assert {text.get_text() for axes in figure.axes for text in axes.texts} == {">0.99"}


def test_the_best_of_densities_succeed_more_often_and_sooner(traced):
    names = {"fast": "z", "slow": "a"}
    rows = [
        {**row, "n_trials": 9, "n_successes": 9, "algorithm": names[row["algorithm"]]} for row in traced["densities"].to_pylist()
    ]
    settings = test_indicator_kinds.settings(targets=[10.0], highlight=1)
    figure, caption = draw("density", {"densities": schema.of_rows("densities", rows)}, settings)
    weights = {label.get_text(): label.get_fontweight() for label in figure.axes[0].get_yticklabels()}
    assert weights == {"a": "normal", "z": "bold"}
    assert "Highlighted: the best 1" in caption


def effects(**pairs):
    """Rows of verdicts: by a pair of names how much better the first is."""
    rows = [
        {
            **{"analysis": "primary", "measure": "m", "algorithm_a": pair[0], "algorithm_b": pair[1], "effect": effect},
            **{"effect_low": effect - 0.1, "effect_high": effect + 0.1, "significant": True, "n_clusters": 6},
            **{
                "family_size": 3,
                "family": "all pairs",
                "alpha": 0.05,
                "method": "x",
                "criterion": "x",
                "n_cells": 6,
                "population": "x",
                "text": "x",
            },
        }
        for pair, effect in pairs.items()
    ]
    return {"verdicts": schema.of_rows("verdicts", [{**dict.fromkeys(schema.TABLES["verdicts"].names), **row} for row in rows])}


def test_effects_call_an_algorithm_as_all_figures_do_and_the_best_are_the_best():
    found = effects(AB=0.5, AC=0.2, AD=-0.3)
    figure, caption = draw("effects", found, {**test_inference.SETTINGS, "labels": {"A": "Mine"}, "highlight": 2})
    axes = figure.axes[0]
    assert axes.get_xlabel() == "net share of wins of Mine"
    assert axes.xaxis.label.get_fontweight() == "bold"
    assert caption.startswith("Mine against each other algorithm")
    assert {label.get_text(): label.get_fontweight() for label in axes.get_yticklabels()} == {
        "B": "normal",
        "C": "normal",
        "D": "bold",
    }


def test_of_algorithms_without_a_line_nothing_is_said_to_be_grey():
    ranks = {f"solver {i:02}": float(i) for i in range(1, 61)}
    found = test_inference.tables(set(), ranks=ranks)
    _, caption = draw("critical_differences", found, test_inference.SETTINGS)
    assert "diagram of 60 algorithms" in caption
    assert "Shown are the 20 algorithms of the best mean rank; the 40 others count in the ranks too." in caption
    assert "Highlighted: the best 10; thin and grey: 10 others." in caption


def test_a_scatter_says_what_lies_on_its_edges_which_pairs_it_has_and_what_a_point_is():
    found = test_drawn.small_ratios({"p1": (1.0, 2.0, 3.0), "p2": (4.0, 5.0, 6.0)})
    zero = with_values(found["ratios"], "ratios", cost=lambda cost: 0.0 if cost == 1 else cost)
    assert "Costs of 0 or less lie on the edges." in draw("scatter", {"ratios": zero}, test_drawn.ONE)[1]
    caption = draw("scatter", found, {**test_drawn.ONE, "algorithms": ["a", "b", "c"]})[1]
    assert "edges" not in caption
    assert "pairs" not in caption
    more = [{**row, "algorithm": row["algorithm"] * n} for row in found["ratios"].to_pylist() for n in (1, 2)]
    names = {"algorithms": ["a", "b", "c", "aa", "bb"]}
    caption = draw("scatter", {"ratios": schema.of_rows("ratios", more)}, {**test_drawn.ONE, **names})[1]
    assert "The first 6 of 10 pairs are drawn." in caption
    budgets = [{**row, "at_budget": budget} for row in found["ratios"].to_pylist() for budget in (10.0, 20.0)]
    quality = {"measures": [{"name": "ert", "kind": "fixed_budget", "budgets": [10, 20]}], "profiles": []}
    assert "a point is a (problem, budget) pair" in draw("scatter", {"ratios": schema.of_rows("ratios", budgets)}, quality)[1]


def test_a_scatter_takes_away_what_was_added_for_ratios():
    found = test_drawn.small_ratios({"p1": (11.0, 12.0, 13.0), "p2": (14.0, 15.0, 16.0)})
    shifted = {"measures": [{"name": "ert", "kind": "given", "aggregate": "single", "shift": 10.0}], "profiles": []}
    figure, caption = draw("scatter", found, {**shifted, "algorithms": ["a", "b"]})
    (points,) = (line for line in figure.axes[0].get_lines() if str(line.get_gid()).startswith("points"))
    assert points.get_data()[0].tolist() == [1.0, 4.0]
    assert "added" not in caption
    ert = {"measures": [{"name": "ert", "kind": "given", "aggregate": "ert", "shift": 10.0}], "profiles": []}
    figure, caption = draw("scatter", found, {**ert, "algorithms": ["a", "b"]})
    assert "10 is added to every cost." in caption


def test_long_labels_of_a_scatter_stand_in_lines():
    found = test_drawn.small_ratios({"p1": (1.0, 2.0, 3.0), "p2": (4.0, 5.0, 6.0)})
    longer = "a-longer-name-of-one-algorithm-1"
    changed = with_values(found["ratios"], "ratios", algorithm=lambda name: longer if name == "b" else name)
    figure, _ = draw("scatter", {"ratios": changed}, {**test_drawn.ONE, "algorithms": ["a", longer, "c"]})
    assert figure.axes[0].get_ylabel() == f"ERT of\n{longer}"
    assert figure.axes[0].get_xlabel() == "ERT of a"


def test_a_cactus_says_where_times_of_zero_are_and_calls_the_best_as_its_legend_does():
    time = {**test_solver_run_figures.TIME, "labels": {"B": "Bee"}}
    figure, caption = draw("cactus", test_solver_run_figures.tables(test_solver_run_figures.TIMES), time)
    assert "The single best solver is Bee." in caption
    assert "lower end" not in caption
    zero = {"A": [10.0, 90.0, None, "error"], "B": [0.0, None, "memory_limit", 2.0]}
    figure, caption = draw("cactus", test_solver_run_figures.tables(zero), time)
    assert figure.axes[0].get_yscale() == "log"
    assert "Costs of 0 or less lie at the lower end of the axis." in caption


def test_parallel_axes_have_all_algorithms_of_all_panels_and_say_who_has_no_value(tables):
    data = [row for row in tables["profile_measures"].to_pylist() if row["variant"] == "dolan_more"]
    names = sorted({row["algorithm"] for row in data})
    by = [{**row, "dimension": d} for row in data for d in (2, 5) if (row["algorithm"] == names[0]) <= (d == 5)]
    asked = studies.SETTINGS["parallel_coordinates"]
    _, caption = draw("parallel_coordinates", {"profile_measures": schema.of_rows("profile_measures", by)}, asked)
    assert f"of {len(names)} algorithms" in caption
    two = [{**row, "measure": m} for row in data for m in ("a", "b") if (row["algorithm"] == names[0]) <= (m == "a")]
    settings = {
        "measures": [{"name": "a", "kind": "given", "label": "cost of a"}, {"name": "b"}],
        "profiles": [studies.DOLAN_MORE],
    }
    _, caption = draw("parallel_coordinates", {"profile_measures": schema.of_rows("profile_measures", two)}, settings)
    assert f"Not drawn, as they have no value on some axis: {names[0]}." in caption
    assert "profile (cost of a and b)" in caption
