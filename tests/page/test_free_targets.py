"""Targets and budgets that were not measured: read off trajectories of runs, and the library's numbers to the last digit."""

import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.core import schema
from benchmill.core.options import listed_targets
from benchmill.costs import fixed_budget, fixed_target
from benchmill.indicators.ecdf import Options, ecdf, value_ecdf
from benchmill.indicators.ert import indicators
from benchmill.page import page, runs
from benchmill.profiles.ratios import ratios
from tests.page import explored, synthetic
from tests.page.explored import rows_of
from tests.page.test_walk import WALK

NAMES = ["A", "B", "C"]
TARGETS = (10.0, 0.1)
BUDGETS = (20.0, 60.0)
SHIFT = 0.25
FLOOR = 0.02
PROBLEMS = ["f1", "f2", "f10"]
DIMENSIONS = [2, 5]
# of each source two algorithms, or one
SOURCES = (["A", "B"], ["C"])


def source_of(names, seed):
    """Trials and traces of a source: trajectories that fall and sometimes rise, rows by budget alone, rows beyond the budget."""
    rng = np.random.default_rng(seed)
    cells = [(a, p, d, i, r) for a in names for p in PROBLEMS for d in DIMENSIONS for i in (1, 2) for r in (1, 2, 3)]
    # one algorithm has no run on one problem
    cells = [cell for cell in cells if cell[:3] != ("B", "f2", 5)]
    # another has fewer runs on one instance, so that runs and instances do not weigh the same
    cells = [cell for cell in cells if not (cell[0] == "A" and cell[3] == 2 and cell[4] == 3)]
    n = len(cells)
    keys = {
        "suite": ["own"] * n,
        "problem": [c[1] for c in cells],
        "dimension": [c[2] for c in cells],
        "instance": [str(c[3]) for c in cells],
        "algorithm": [c[0] for c in cells],
        "run": [c[4] for c in cells],
        "trial": list(range(n)),
    }
    rows, budgets = {name: [] for name in ("trial", "evaluations", "value", "on_target", "violation")}, []
    for trial in range(n):
        steps = int(rng.integers(0, 12))
        evaluations = np.sort(rng.choice(np.arange(1, 500), steps, replace=False))
        budgets.append(int(rng.integers(150, 500)))
        rows["trial"] += [trial] * steps
        rows["evaluations"] += evaluations.tolist()
        rows["value"] += (100 * 10.0 ** (-rng.uniform(0, 0.6, steps)).cumsum() * rng.choice([1, 1, 1, 3], steps)).tolist()
        rows["on_target"] += (rng.random(steps) < 0.8).tolist()
        rows["violation"] += rng.choice([0.0, 0.0, 0.0, 1.0], steps).tolist()
    trials = schema.table(
        "trials",
        {
            **keys,
            "budget": budgets,
            "best_value": [1.0] * n,
            "value_kind": ["difference"] * n,
            "maximise": [False] * n,
            "n": [1] * n,
            "status": ["solved"] * n,
            "source": [f"log.txt:{i + 1}" for i in range(n)],
        },
    )
    take = pa.array(rows["trial"])
    traces = schema.table("traces", {**{name: trials[name].take(take) for name in keys}, **rows})
    return trials, traces


def costs_at(sources, targets):
    options = fixed_target.Options(targets=targets)
    return schema.concatenate(fixed_target.costs(trials, traces, "ert", options) for trials, traces in sources)


def values_at(sources, budgets):
    options = fixed_budget.Options(budgets=budgets, floor=FLOOR)
    with warnings.catch_warnings():
        # of runs that begin later
        warnings.simplefilter("ignore")
        return schema.concatenate(fixed_budget.costs(trials, traces, "quality", options) for trials, traces in sources)


def curves_at(sources, targets, aggregation, weight="instance"):
    return ecdf(costs_at(sources, targets), aggregation, Options(weight=weight))


@pytest.fixture(scope="module")
def sources():
    return [source_of(names, seed) for seed, names in enumerate(SOURCES)]


def study_of(sources, aggregate="ert", weight="instance", restarts=0):
    costs, values = costs_at(sources, TARGETS), values_at(sources, BUDGETS)
    quality = {"aggregate": "median", "shift": SHIFT}
    return {
        **synthetic.NOTHING,
        "name": "own",
        "title": "",
        "config": {
            "measures": {
                "ert": {"kind": "fixed_target", "targets": list(TARGETS), "aggregate": aggregate},
                "quality": {"kind": "fixed_budget", "budgets": list(BUDGETS), "floor": FLOOR, **quality},
            },
            "profiles": [{"name": "dolan_more", **explored.VARIANTS["dolan_more"]}],
            "problem_keys": ["suite", "problem", "dimension"],
            "indicators": {
                "ecdf": {"targets": list(TARGETS), "aggregate": ["problem"], "weight": weight, "restarts": restarts},
            },
        },
        "data": {
            "ratios": schema.concatenate(
                [ratios(costs, measure="ert", aggregate=aggregate), ratios(values, measure="quality", **quality)]
            ),
            "indicators": indicators([costs, values]),
            "ecdf": schema.concatenate(curves_at(sources, TARGETS, of, weight) for of in ("target", "problem")),
            "value_ecdf": {
                "quality": schema.concatenate(value_ecdf(values, of, Options(weight=weight)) for of in ("budget", "dimension"))
            },
        },
        "listed": {
            "trials": schema.concatenate(trials.select(runs.TRIALS) for trials, _ in sources),
            "costs": [lambda: schema.concatenate([costs.select(runs.COSTS), values.select(runs.COSTS)])],
            "traces": [(trials.select(runs.TRACED), lambda traces=traces: [traces]) for trials, traces in sources],
        },
        "tables": [],
        "figures": [],
        "reports": explored.reports_of(name for trials, _ in sources for name in trials["algorithm"].to_pylist()),
    }


@pytest.fixture(scope="module")
def at(sources, browser, tmp_path_factory):
    """The page of the study at an address."""
    path = tmp_path_factory.mktemp("free") / "free.html"
    path.write_text(page.pages(explored.evident([study_of(sources)])).report, "utf-8")
    tab, problems = browser.new_page(), []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text))

    def go(address):
        tab.goto("about:blank")
        tab.goto(path.as_uri() + address)
        explored.started(tab)
        return tab

    yield go
    tab.close()
    assert problems == []


@pytest.mark.parametrize("target", [0.1, 0.37, 3.0, 0.0004])
def test_costs_at_any_target_are_those_of_the_library(at, sources, tmp_path, target):
    wanted = ratios(costs_at(sources, (target,)), measure="ert")
    tab = at(f"#explore?study=own&view=problems&point=target:{target}")
    tab.wait_for_selector("#explore-measures")
    assert f"target {target:g}" in tab.locator("#explore-measures caption").inner_text()
    found = {(row["problem"], row["dimension"]): row for row in rows_of(tab, "Table", tmp_path)}
    cells = 0
    for row in wanted.to_pylist():
        got = found[row["problem"], str(row["dimension"])][row["algorithm"]]
        assert float(got or "nan") == row["cost"]
        cells += 1
    assert cells == len(wanted)
    assert any(np.isfinite(wanted["cost"].to_numpy())) or target == 0.0004


def test_ratios_of_a_typed_target_are_those_of_a_study_of_it(at, sources, tmp_path):
    wanted = ratios(costs_at(sources, (0.37,)), measure="ert")
    tab = at("#explore?study=own&view=profile")
    tab.locator("#explore-target").fill("0.37")
    tab.locator("#explore-target").press("Enter")
    explored.until(tab, "document.getElementById('explore-caption').textContent.includes('0.37')")
    assert "point=target%3A0.37" in tab.evaluate("location.hash")
    assert "not measured by the study" in tab.locator("#explore-caption").inner_text()
    found = {(r["problem"], int(r["dimension"]), r["algorithm"]): r for r in rows_of(tab, "Ratios", tmp_path)}
    rows = [row for row in wanted.to_pylist() if row["included"]]
    assert len(found) == len(rows)
    for row in rows:
        got = found[row["problem"], row["dimension"], row["algorithm"]]
        assert (float(got["cost"]), float(got["ratio"])) == (row["cost"], row["ratio"])
    assert "No figure of the paper shows" in tab.locator("#explore-citation").text_content()
    # the runs, too
    tab.locator("#explore-tab-runs").click()
    tab.wait_for_selector("#explore-downloads button")
    costs = costs_at(sources, (0.37,))
    key = ("problem", "dimension", "instance", "algorithm", "run")
    wanted = {tuple(str(row[k]) for k in key): row["cost"] for row in costs.to_pylist()}
    found = {tuple(row[k] for k in key): float(row["cost"]) for row in rows_of(tab, "Runs", tmp_path)}
    assert found == wanted


@pytest.mark.parametrize("budget", [60.0, 0.5, 33.3, 200.0])
def test_values_at_any_budget_are_those_of_the_library(at, sources, tmp_path, budget):
    wanted = ratios(values_at(sources, (budget,)), measure="quality", aggregate="median", shift=SHIFT)
    tab = at(f"#explore?study=own&view=problems&measure=quality&point=budget:{budget:g}")
    tab.wait_for_selector("#explore-measures")
    assert f"budget {budget:g}" in tab.locator("#explore-measures caption").inner_text()
    found = {(row["problem"], row["dimension"]): row for row in rows_of(tab, "Table", tmp_path)}
    for row in wanted.to_pylist():
        assert float(found[row["problem"], str(row["dimension"])][row["algorithm"]] or "nan") == row["cost"]
    assert np.isfinite(wanted["cost"].to_numpy()).any() or budget == 0.5
    assert ("not measured" in tab.locator("#explore-measures caption").inner_text()) == (budget not in BUDGETS)


LEVELS = "7 0.37 0.002"
WHERE = {"dimension": {}, "problem": {"dimension": 5}, "target": {"dimension": 5, "problem": "f10"}}


def curves_shown(tab, tmp_path, x):
    tab.wait_for_selector("#explore-downloads button")
    found = {}
    for row in rows_of(tab, "Curves", tmp_path):
        found.setdefault(row["algorithm"], []).append((float(row[x]), float(row["fraction"])))
    return found


def curves_of(table, dimension=None, problem=None):
    found = {}
    for row in table.to_pylist():
        if dimension in (None, row["dimension"]) and problem in (None, row["problem"]):
            found.setdefault(row["algorithm"], []).append((row["x"], row["fraction"]))
    return found


def address(view, levels, dimension="", problem=""):
    named = f"&dimension={dimension}" + (f"&functions=problem:{problem}" if problem else "")
    return f"#explore?study=own&view={view}&{levels}{named}"


@pytest.mark.parametrize("aggregation", WHERE)
@pytest.mark.parametrize("typed", [LEVELS, "100..1e-3/11"])
def test_distributions_at_any_targets_are_those_of_the_library(at, sources, tmp_path, aggregation, typed):
    levels = [7.0, 0.37, 0.002] if typed == LEVELS else listed_targets({"from": 100, "to": 1e-3, "number": 11})
    where = WHERE[aggregation]
    tab = at(address("ecdf", f"targets={typed}", **where))
    found = curves_shown(tab, tmp_path, "evaluations_per_dimension")
    assert found == curves_of(curves_at(sources, levels, aggregation), **where)
    assert "not those of the study" in tab.locator("#explore-caption").inner_text()


@pytest.mark.parametrize("aggregation", ["dimension", "problem", "budget"])
def test_distributions_at_any_budgets_are_those_of_the_library(at, sources, tmp_path, aggregation):
    where = WHERE[aggregation.replace("budget", "target")]
    found = curves_shown(at(address("values", "budgets=3 33.3 80", **where)), tmp_path, "value")
    assert found == curves_of(value_ecdf(values_at(sources, (3.0, 33.3, 80.0)), aggregation), **where)


def opened(browser, tmp_path, study, address):
    path = tmp_path / "page.html"
    path.write_text(page.pages(explored.evident([study])).report, "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri() + address)
    explored.started(tab)
    return tab


@pytest.mark.parametrize("weight", ["trial", "pooled"])
def test_the_weights_of_the_study_hold_at_any_targets(browser, sources, tmp_path, weight):
    with opened(browser, tmp_path, study_of(sources, weight=weight), address("ecdf", f"targets={LEVELS}", dimension=5)) as tab:
        found = curves_shown(tab, tmp_path, "evaluations_per_dimension")
    assert found == curves_of(curves_at(sources, [7.0, 0.37, 0.002], "problem", weight), dimension=5)


def test_what_hinders_other_targets_is_told(browser, sources, tmp_path, at):
    with opened(browser, tmp_path, study_of(sources, restarts=5), address("ecdf", f"targets={LEVELS}")) as tab:
        assert "simulated restarts" in tab.locator("#explore-refused").inner_text()
        assert "not those of the study" not in tab.locator("#explore-caption").inner_text()
    tab = at(address("ecdf", "targets=10 ten"))
    assert "is no list of targets" in tab.locator("#explore-notice").inner_text()
    tab = at(address("values", "budgets=-3"))
    assert "is no list of budgets" in tab.locator("#explore-notice").inner_text()


def test_every_control_of_every_view_with_trajectories(at):
    tab = at("")
    found = tab.evaluate(WALK, {"every": False, "names": ["own"]})
    assert found["wrong"] == []
    assert {"convergence", "ecdf", "values", "runs"} <= set(found["views"])


def test_what_is_not_a_target_is_refused(at):
    tab = at("#explore?study=own&view=profile&point=target:x")
    assert "not here" in tab.locator("#explore-notice").inner_text()
    tab = at("#explore?study=own&view=profile&point=target:0.1")
    # a measured one is taken from the files
    assert tab.locator("#explore-point").input_value() == "target:0.1"
    assert "not measured" not in tab.locator("#explore-caption").inner_text()


def test_trajectories_that_disagree_with_the_files_are_not_read(sources, browser, tmp_path):
    study = study_of(sources)
    for name, column in (("ratios", "cost"), ("ecdf", "fraction")):
        table = study["data"][name]
        values = table[column].to_numpy().copy()
        at = int(np.flatnonzero(np.isfinite(values))[1])
        values[at] = np.nextafter(values[at], np.inf)
        study["data"][name] = table.set_column(table.column_names.index(column), table.schema.field(column), pa.array(values))
    with opened(browser, tmp_path, study, "#explore?study=own&view=profile&measure=ert&point=target:0.37") as tab:
        says = "document.getElementById('explore-message').textContent.includes('do not give the numbers')"
        explored.until(tab, says)
        tab.locator("#explore-tab-ecdf").click()
        tab.locator("#explore-targets").fill("3")
        tab.locator("#explore-targets").press("Enter")
        explored.until(tab, says)


@pytest.mark.parametrize("of", ["targets", "budgets"])
def test_only_break_points_are_carried(sources, of):
    trials, traces = sources[0]
    found = runs.trajectory(trials, [traces.slice(0, 40), traces.slice(40)], "logged", of)
    whole = runs.trajectory(trials, [traces], "logged", of)
    assert (found.to_numpy() == whole.to_numpy()).all()
    same = np.diff(found.trial) == 0
    assert (np.diff(found.value)[same] < 0).all()
    assert (np.diff(found.evaluations)[same] >= 0).all()
    assert found.trial.size < traces.num_rows


@given(st.lists(st.floats(1e-9, 1e3), min_size=1, max_size=40), st.lists(st.sampled_from([1e-8, 0.1, 1 / 3, 2.0]), max_size=3))
def test_thinned_values_are_as_near_as_is_said_and_targets_are_reached_when_they_were(values, targets):
    falling = np.unique(values)[::-1]
    exact = pd.DataFrame({"trial": 0, "evaluations": np.arange(1, falling.size + 1), "value": falling})

    def reached(trajectory, level):
        return min(trajectory["evaluations"][trajectory["value"] <= level], default=10**6)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "MOST_EXACT", 0)
        (thinned,), off = runs.coarser([exact], targets)
        # each value that is left is the one there, or one a little below it
        there = exact.value.to_numpy()[thinned.evaluations - 1]
        assert ((thinned.value <= there) & (thinned.value >= there * (1 - off))).all()
        assert (np.diff(thinned.value) < 0).all()
        for level in targets:
            assert reached(thinned, level) == reached(exact, level)
        # any other level is reached no later than it was, and no earlier than a level that much higher
        for level in (0.05, 7.0):
            assert reached(exact, level / (1 - off)) <= reached(thinned, level) <= reached(exact, level)
        patch.setattr(runs, "MOST_BREAKS", 0)
        with pytest.raises(runs.Untraced, match="more than 0"):
            runs.coarser([exact], targets)


def test_no_trajectories_where_they_would_not_give_costs(sources, monkeypatch):
    trials, traces = sources[1]

    def changed(**columns):
        out = trials
        for name, value in columns.items():
            place = out.column_names.index(name)
            out = out.set_column(place, out.schema.field(name), pa.array([value] * len(out)).cast(out.schema.field(name).type))
        return out

    for of in ("targets", "budgets"):
        for why, trials_changed, scale in (
            ("larger", changed(maximise=True, value_kind="absolute"), "logged"),
            ("optimum", changed(value_kind="absolute"), "distance"),
            ("some targets alone", changed(known_targets="[10.0, 0.1]"), "logged"),
        ):
            with pytest.raises(runs.Untraced, match=why):
                runs.trajectory(trials_changed, [traces], scale, of)
        # the mean of values is a value, that of trajectories tells no running time
        with pytest.raises(runs.Untraced, match="mean") if of == "targets" else nullcontext():
            runs.trajectory(changed(n=5), [traces], "logged", of)
        own = [(trials, lambda: [traces])]
        with monkeypatch.context() as patch:
            assert runs.trajectories(own, "logged", of)
            patch.setattr(runs, "MOST_READ", 10)
            with pytest.raises(runs.Untraced, match="more than 10"):
                runs.trajectories(own, "logged", of)


def test_a_study_without_trajectories_offers_no_other_target(sources, monkeypatch):
    study = study_of(sources)
    monkeypatch.setattr(runs, "MOST_READ", 10)
    found = runs.listed(study)
    assert found.trajectories == ""
    assert found.stated["trajectories"] is None
    assert set(found.stated["without"]) == {"targets", "budgets"}
