"""Figures of running times, convergence and densities: what is drawn is what the tables hold."""

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import benchmill as bm
from benchmill.core import UserError, schema
from benchmill.core.traces import pieces
from benchmill.costs import costs
from benchmill.exhibits.figures import density, draw, scaling
from benchmill.exhibits.figures.sheet import Sheet
from benchmill.exhibits.tables import build
from benchmill.indicators.attainment import attainment
from benchmill.indicators.density import densities
from benchmill.indicators.ert import indicators
from benchmill.indicators.kaplan_meier import kaplan_meier
from tests.costs.making import source

TARGETS = [10.0, 1.0, 0.1]
MEASURE = {"name": "ert", "kind": "fixed_target", "targets": TARGETS}


def logs(name, speed, dimensions=(2, 5), problems=("f1", "f2", "f10")):
    """Three trials a problem and dimension, each halving its value every so often; the third one gives up early."""
    runs = []
    for number, problem in enumerate(problems):
        for dimension in dimensions:
            for trial in range(3):
                n = 4 if trial == 2 else 14
                step = speed * (number + 1) * dimension + trial
                rows = [(1 + i * step, 50.0 / 2**i) for i in range(n)]
                keys = {"problem": problem, "dimension": dimension, "instance": str(trial), "algorithm": name}
                runs.append({"trace": rows, "budget": rows[-1][0] + 5, **keys})
    return source(runs)


@pytest.fixture(scope="module")
def tables():
    made = [logs("fast", 2), logs("slow", 7)]
    measured = [costs("fixed_target", *log, "ert", {"targets": TARGETS}) for log in made]
    reached = [
        attainment(trials, pieces(traces, trials, "logged", on_target=False), larger=np.zeros(trials.num_rows, bool))
        for trials, traces in made
    ]
    return {
        "indicators": schema.concatenate([indicators(one) for one in measured]),
        "densities": schema.concatenate([densities(one) for one in measured]),
        "attainment": schema.concatenate([one for curves_of, _ in reached for one in curves_of]),
        "convergence": schema.concatenate([one for _, one in reached]),
    }


def settings(**more):
    values = {"between": [1e-8, 100.0], "value_log": True, "scale": "logged"}
    return {"measure": MEASURE, "attainment": values, **more}


def named(figure, start):
    """Artists by the id they are drawn under."""
    found = {}
    for axes in figure.axes:
        for artist in axes.get_children():
            if str(artist.get_gid()).startswith(start):
                found[artist.get_gid()] = (axes, artist)
    return found


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_scaling_has_the_erts_of_the_table(tables):
    figure, caption = draw("scaling", tables, settings(targets=[0.1]))
    assert titles(figure) == ["f1", "f2", "f10"]
    rows = [r for r in tables["indicators"].to_pylist() if r["target"] == 0.1]
    lines = named(figure, "line-")
    assert len(lines) == 6
    for gid, (axes, line) in lines.items():
        name = ["fast", "slow"][int(gid[-1])]
        own = sorted(
            (r for r in rows if r["algorithm"] == name and r["problem"] == axes.get_title(loc="left")),
            key=lambda r: r["dimension"],
        )
        np.testing.assert_allclose(line.get_ydata(), [r["ert"] / r["dimension"] for r in own])
        # side by side, but nearer to their own dimension than to any other
        assert [min((2, 5), key=lambda d: abs(np.log(d) - x)) for x in line.get_xdata()] == [2, 5]
    assert "to the target 0.1" in caption
    assert caption.endswith("Only target 0.1.")
    assert "Not drawn: targets 10 and 0.1." in draw("scaling", tables, settings())[1]
    assert "Each point rests on 3 trials." in caption
    assert "95 %" in caption


@pytest.mark.parametrize("kind", ["scaling", "running_time"])
def test_whiskers_are_of_algorithms_that_can_be_told_apart(tables, kind):
    rows = tables["indicators"].to_pylist()
    of_many = [{**row, "algorithm": f"{row['algorithm']} {i}"} for i in range(3) for row in rows]
    many = {"indicators": schema.of_rows("indicators", of_many)}
    for given, more, drawn, said in (
        (tables, {}, 2, "Whiskers: 95 % intervals over the trials."),
        (many, {}, 0, "Too many algorithms for whiskers."),
        (many, {"highlight": ["slow 1"]}, 1, "Whiskers of slow 1: 95 % intervals over the trials."),
    ):
        figure, caption = draw(kind, given, settings(targets=TARGETS[:1] if kind == "scaling" else None, **more))
        whiskers = [one for axes in figure.axes for one in axes.collections if len(one.get_segments())]
        assert len({tuple(one.get_colors()[0]) for one in whiskers}) == drawn
        assert said in caption


def test_a_target_that_nobody_reached_is_a_cross_at_the_budget(tables):
    rows = tables["indicators"].to_pylist()
    for row in rows:
        if row["algorithm"] == "slow" and row["dimension"] == 5:
            row |= {"ert": float("inf"), "ert_low": None, "ert_high": None, "failure_budget": 700.0}
    changed = schema.table("indicators", {n: [r[n] for r in rows] for n in tables["indicators"].column_names})
    figure, _ = draw("scaling", {"indicators": changed}, settings(targets=[1.0]))
    crosses = {gid: line for gid, (_, line) in named(figure, "unsolved-").items() if len(line.get_xdata())}
    assert sorted(crosses) == ["unsolved-0-0", "unsolved-1-0", "unsolved-2-0"]
    assert all(line.get_ydata().tolist() == [140.0] for line in crosses.values())
    line = named(figure, "line-")["line-0-1"][1].get_ydata()
    assert np.isfinite(line[0])
    assert np.isnan(line[1])
    figure, _ = draw("running_time", {"indicators": changed}, settings(dimensions=[5]))
    crosses = [line for _, line in named(figure, "unsolved-").values() if len(line.get_xdata())]
    assert [len(line.get_xdata()) for line in crosses] == [1, 1, 1]  # at the easiest target alone
    assert all(abs(line.get_xdata()[0]) < 0.5 for line in crosses)


def test_one_algorithm_has_a_line_a_target(tables):
    alone = tables["indicators"].filter(pa.compute.equal(tables["indicators"]["algorithm"], "fast"))
    figure, caption = draw("scaling", {"indicators": alone}, settings())
    assert len(named(figure, "line-0-")) == 3
    assert "to several targets" in caption


def test_running_time_by_target(tables):
    figure, caption = draw("running_time", tables, settings())
    assert "in dimension 5" in caption
    assert "Not drawn: dimension 2." in caption
    rows = [r for r in tables["indicators"].to_pylist() if r["dimension"] == 5 and r["problem"] == "f2"]
    for name, gid in (("fast", "line-1-0"), ("slow", "line-1-1")):
        own = [r["ert"] / 5 for t in TARGETS for r in rows if r["algorithm"] == name and r["target"] == t]
        np.testing.assert_allclose(named(figure, gid)[gid][1].get_ydata(), own)


def test_convergence_follows_the_level_curves(tables):
    figure, caption = draw("convergence", tables, settings(dimensions=[2]))
    assert titles(figure) == ["f1", "f2", "f10"]
    for _, (axes, line) in named(figure, "curve-").items():
        problem = axes.get_title(loc="left")
        found = [
            [(r["evaluations"] / 2, r["value"]) for r in tables["attainment"].to_pylist() if keys(r) == (problem, 2, name, 0.5)]
            for name in ("fast", "slow")
        ]
        drawn = list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        assert drawn[:-1] in found
        assert drawn[-1][1] == drawn[-2][1]
    assert "50 % of an algorithm's trials" in caption
    assert "Bands: 25 % and 75 %." in caption


def keys(row):
    return row["problem"], row["dimension"], row["algorithm"], row["share"]


def test_values_below_the_floor_are_drawn_at_it(tables):
    values = {"between": [1.0, 100.0], "value_log": True, "scale": "logged"}
    figure, caption = draw("convergence", tables, {**settings(), "attainment": values})
    assert min(line.get_ydata().min() for _, line in named(figure, "curve-").values()) == 1.0
    assert "Values below 1 are drawn at 1." in caption


def test_densities_are_scaled_to_one_height_and_not_drawn_of_few(tables, monkeypatch):
    # panels without any ridge would be empty
    with pytest.raises(UserError, match="density: no algorithm has 5 trials with a finite cost on a problem, and with fewer"):
        draw("density", tables, settings(targets=[1.0]))
    rows = tables["densities"].to_pylist()
    some = [{**row, "n_trials": 9, "n_successes": 9 if row["algorithm"] == "fast" else 3} for row in rows]
    figure, caption = draw("density", {"densities": schema.of_rows("densities", some)}, settings(targets=[1.0]))
    assert len(named(figure, "ridge-")) == 3
    assert "Fewer than 5 such trials have no ridge." in caption
    monkeypatch.setattr(density, "_FEWEST", 2)
    figure, caption = draw("density", tables, settings(targets=[1.0]))
    ridges = named(figure, "ridge-")
    assert len(ridges) == 6
    assert "to the target 1 in dimension 5 on 3 problems" in caption
    assert "Gaussian kernel estimates (bandwidth nrd0)" in caption
    texts = {t.get_text() for axes in figure.axes for t in axes.texts}
    assert texts == {"0.67"}  # two of three trials reach it


def test_a_problem_on_which_one_algorithm_alone_has_a_density_compares_nothing(tables, monkeypatch):
    monkeypatch.setattr(density, "_FEWEST", 2)
    few = [row for row in tables["densities"].to_pylist() if (row["algorithm"], row["problem"]) != ("slow", "f2")]
    figure, caption = draw("density", {"densities": schema.of_rows("densities", few)}, settings(targets=[1.0]))
    assert titles(figure) == ["f1", "f10"]
    assert "Not drawn: 1 problem where fewer than two algorithms have a ridge." in caption
    alone = [row for row in few if row["algorithm"] == "slow"]
    figure, caption = draw("density", {"densities": schema.of_rows("densities", alone)}, settings(targets=[1.0]))
    assert titles(figure) == ["f1", "f10"]
    assert "Not drawn" not in caption.replace("Not drawn: dimension", "")
    name, share = figure.axes[0].get_yticks()[0], figure.axes[0].texts[0]
    assert share.xy[1] == name  # on one line


def test_aocc_bars_are_means_over_problems(tables):
    figure, caption = draw("aocc", tables, settings())
    for number, dimension in enumerate((2, 5)):
        for place, name in enumerate(("fast", "slow")):
            own = [
                r["aocc_log"] for r in tables["convergence"].to_pylist() if (r["dimension"], r["algorithm"]) == (dimension, name)
            ]
            gid = f"bars-{number}-{place}"
            assert named(figure, gid)[gid][1].get_width() == pytest.approx(np.mean(own))
            dots = named(figure, f"dots-{number}-{place}")[f"dots-{number}-{place}"][1]
            assert sorted(dots.get_xdata()) == pytest.approx(sorted(own))
    assert "1000 evaluations per dimension" in caption
    assert "between 10⁻⁸ and 100 (evenly in the logarithm)" in caption


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("scaling", "indicators"),
        ("running_time", "indicators"),
        ("density", "densities"),
        ("convergence", "attainment"),
        ("aocc", "convergence"),
    ],
)
def test_nothing_to_draw_is_said(kind, table):
    with pytest.raises(UserError, match="found no rows"):
        draw(kind, {table: schema.TABLES[table].empty_table()}, settings())


def test_instances_that_are_problems_have_panels_of_their_own():
    trials, traces = logs("fast", 2, problems=("f1",))
    table = indicators(
        costs("fixed_target", trials, traces, "ert", {"targets": TARGETS}),
        problem_keys=("suite", "problem", "dimension", "instance"),
    )
    figure, _ = draw("running_time", {"indicators": table}, settings())
    assert titles(figure) == ["f1, instance 0", "f1, instance 1", "f1, instance 2"]


def test_no_running_time_is_drawn_below_zero_and_nobody_is_left_out(tables, monkeypatch):
    monkeypatch.setattr(density, "_FEWEST", 1)
    rows = tables["densities"].to_pylist()
    low = min(rows, key=lambda r: r["left"])
    figure, _ = draw("density", tables, settings(targets=[low["target"]], dimensions=[low["dimension"]]))
    assert all(axes.get_xlim()[0] >= 0 for axes in figure.axes if axes.axison)
    names = {label.get_text() for label in figure.axes[0].get_yticklabels()}
    assert names == {row["algorithm"] for row in rows}


KINDS_OF_PAGES = {"scaling": 10.0, "running_time": None, "density": 10.0, "convergence": None}


@pytest.mark.parametrize("kind", KINDS_OF_PAGES)
def test_pages_of_panels_show_all_of_them_once_and_the_caption_says_which(tables, kind, monkeypatch):
    monkeypatch.setattr(density, "_FEWEST", 1)
    settings = {"measure": MEASURE} | ({"targets": [KINDS_OF_PAGES[kind]]} if KINDS_OF_PAGES[kind] else {})

    def titles(**chosen):
        figure, caption = draw(kind, tables, {**settings, **chosen})
        return [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")], caption

    every, caption = titles()
    assert len(every) in (3, 6)
    assert f"of {len(every)} (" not in caption
    most = len(every) - 1
    take = Sheet.take
    monkeypatch.setattr(Sheet, "take", lambda sheet, rows, keys=None, **_: take(sheet, rows, keys, most))
    first, said = titles(page=1)
    second, said_of_second = titles(page=2)
    assert [*first, *second] == every
    assert f" of {len(every)} (1 to {most} in their order)" in said
    assert f" of {len(every)} ({len(every)} to {len(every)} in their order)" in said_of_second
    _, sampled = titles()
    assert f" of {len(every)} (evenly chosen)" in sampled
    with pytest.raises(
        UserError, match=rf"figures: {kind}: page: found 3, expected at most 2 \({len(every)} panels of these data\)"
    ):
        titles(page=3)


def test_of_many_dimensions_some_are_named():
    axes = Figure().add_subplot()
    rows = {"algorithm": "A", "target": 1.0, "dimension": [*range(1, 501)], "ert": 9.0, "ert_low": np.nan, "ert_high": np.nan}
    scaling.plot(pd.DataFrame({**rows, "failure_budget": np.nan}), ax=axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "5", "22", "106", "500"]


def test_what_is_missing_counts_once_for_all_targets(tables):
    """Three trials that are not there, looked at with three targets, are three."""
    cells = tables["indicators"].to_pandas()
    lacking = (cells["algorithm"] == "slow") & (cells["problem"] == "f2") & (cells["dimension"] == 5)
    cells["n_missing"] = (3 * lacking).astype("int32")
    changed = {"indicators": pa.Table.from_pandas(cells, schema=tables["indicators"].schema, preserve_index=False)}
    _, caption = draw("running_time", changed, {"measure": MEASURE})
    assert "(3 missing in all)" in caption
    assert "Over the rows shown 3 trials are missing and" in build("ert", changed, {"measure": MEASURE}).caption


def test_problems_that_are_left_out_count_once_for_all_targets():
    made = [logs("fast", 2), logs("slow", 7, problems=("f1", "f2"))]
    measured = [costs("fixed_target", *log, "ert", {"targets": TARGETS}) for log in made]
    _, caption = draw("kaplan_meier", kaplan_meier(measured), {"measure": MEASURE})
    assert "Left out: 2 problems on which an algorithm has no run." in caption


def test_problems_left_out_are_those_of_the_groups_and_dimensions_that_are_drawn():
    rows = [
        (algorithm, problem, dimension, evaluations, 10 / evaluations)
        for algorithm, problem in product("AB", ("f1", "f2", "f3", "f4"))
        for dimension, evaluations in product((2, 3), (1, 5))
        if (algorithm, problem) not in {("B", "f2"), ("A", "f4")}
    ]
    data = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"])
    # f4 is in no group
    made = bm.ecdf(data, "group", targets=[5, 1], groups={"easy": ["f1", "f2"], "hard": ["f1", "f3"], "some": ["f2", "f3"]})
    for chosen, told in (
        ({}, "2 problems"),
        ({"groups": ["easy"], "dimensions": [2]}, "1 problem"),
        ({"groups": ["hard"]}, None),
    ):
        _, caption = draw("ecdf", made.data, {**made.settings, **chosen})
        assert f"Left out: {told} on which" in caption if told else "Left out" not in caption


def test_areas_are_means_over_the_problems_that_all_algorithms_have(tables):
    """An algorithm without the hardest problem would look better than it is."""
    cells = tables["convergence"].to_pandas()
    lacking = (cells["algorithm"] == "slow") & (cells["problem"] == "f10") & (cells["dimension"] == 5)
    some = pa.Table.from_pandas(cells[~lacking], schema=tables["convergence"].schema, preserve_index=False)
    figure, caption = draw("aocc", {"convergence": some}, settings())
    assert caption.endswith("Left out: 1 problem on which an algorithm has no trial.")
    lines = {gid: len(line.get_xdata()) for gid, (_, line) in named(figure, "dots").items()}
    assert set(lines.values()) == {2, 3} or set(lines.values()) == {2}
    bars = [bar.get_width() for axes in figure.axes for bar in axes.patches if "bar" in str(bar.get_gid())]
    rest = cells[(cells["dimension"] == 5) & (cells["problem"] != "f10")].groupby("algorithm")["aocc_log"].mean()
    assert all(np.isclose(bars, mean).any() for mean in rest)
    _, whole = draw("aocc", {"convergence": tables["convergence"]}, settings())
    assert "Left out" not in whole
