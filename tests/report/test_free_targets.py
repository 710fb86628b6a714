"""Targets that were not measured: read off the courses of the runs, and the library's numbers to the last digit."""

import numpy as np
import pyarrow as pa
import pytest

from benchmill.core import schema
from benchmill.costs import fixed_target
from benchmill.profiles.ratios import ratios
from benchmill.report import courses, explorer, page, runs
from tests.report import explored
from tests.report.explored import rows_of

NAMES = ["A", "B", "C"]
TARGETS = (10.0, 0.1)
PROBLEMS = ["f1", "f2", "f10"]
DIMENSIONS = [2, 5]
# of each source two algorithms, or one
SOURCES = (["A", "B"], ["C"])


def source_of(names, seed):
    """Trials and traces of a source: courses that fall and sometimes rise, rows by budget alone, rows beyond the budget."""
    rng = np.random.default_rng(seed)
    cells = [(a, p, d, i, r) for a in names for p in PROBLEMS for d in DIMENSIONS for i in (1, 2) for r in (1, 2, 3)]
    # one algorithm has no run on one problem
    cells = [cell for cell in cells if cell[:3] != ("B", "f2", 5)]
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
    return pa.concat_tables(
        [fixed_target.costs(trials, traces, "ert", options) for trials, traces in sources], promote_options="permissive"
    ).unify_dictionaries()


@pytest.fixture(scope="module")
def sources():
    return [source_of(names, seed) for seed, names in enumerate(SOURCES)]


def study_of(sources, aggregate="ert"):
    costs = costs_at(sources, TARGETS)
    return {
        "name": "own",
        "title": "",
        "config": {
            "measures": {"ert": {"kind": "fixed_target", "targets": list(TARGETS), "aggregate": aggregate}},
            "profiles": [{"name": "dolan_more", **explored.VARIANTS["dolan_more"]}],
            "problem_keys": ["suite", "problem", "dimension"],
        },
        "data": {"ratios": ratios(costs, measure="ert", aggregate=aggregate)},
        "listed": {
            "trials": schema.concatenate(trials.select(runs.TRIALS) for trials, _ in sources),
            "costs": costs.select(runs.COSTS),
            "traces": [(trials.select(courses.TRIALS), lambda traces=traces: [traces]) for trials, traces in sources],
        },
        "tables": [],
        "figures": [],
        "reports": [],
    }


@pytest.fixture(scope="module")
def at(sources, browser, tmp_path_factory):
    """The page of the study at an address."""
    path = tmp_path_factory.mktemp("free") / "free.html"
    path.write_text(page.render([study_of(sources)]), "utf-8")
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
    tab.wait_for_function("document.getElementById('explore-caption').textContent.includes('0.37')")
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


def test_what_is_not_a_target_is_refused(at):
    tab = at("#explore?study=own&view=profile&point=target:x")
    assert "not here" in tab.locator("#explore-notice").inner_text()
    tab = at("#explore?study=own&view=profile&point=target:0.1")
    # a measured one is taken from the files
    assert tab.locator("#explore-point").input_value() == "target:0.1"
    assert "not measured" not in tab.locator("#explore-caption").inner_text()


def test_courses_that_disagree_with_the_files_are_not_read(sources, browser, tmp_path):
    study = study_of(sources)
    ratios_ = study["data"]["ratios"]
    cost = ratios_["cost"].to_numpy().copy()
    at = int(np.flatnonzero(np.isfinite(cost))[0])
    cost[at] = np.nextafter(cost[at], np.inf)
    study["data"]["ratios"] = ratios_.set_column(ratios_.column_names.index("cost"), ratios_.schema.field("cost"), pa.array(cost))
    path = tmp_path / "page.html"
    path.write_text(page.render([study]), "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri() + "#explore?study=own&view=profile&point=target:0.37")
    explored.started(tab)
    tab.wait_for_function("document.getElementById('explore-message').textContent.includes('do not give the numbers')")
    tab.close()


def test_only_break_points_are_carried(sources):
    trials, traces = sources[0]
    found = courses.course(trials, [traces.slice(0, 40), traces.slice(40)], "logged")
    whole = courses.course(trials, [traces], "logged")
    for a, b in zip(found, whole, strict=True):
        assert (a == b).all()
    same = found.trial[1:] == found.trial[:-1]
    assert (np.diff(found.value)[same] < 0).all()
    assert (np.diff(found.evaluations)[same] >= 0).all()
    assert found.trial.size < traces.num_rows


def test_no_courses_where_they_would_not_give_costs(sources, monkeypatch):
    trials, traces = sources[1]

    def changed(**columns):
        out = trials
        for name, value in columns.items():
            place = out.column_names.index(name)
            out = out.set_column(place, out.schema.field(name), pa.array([value] * len(out)).cast(out.schema.field(name).type))
        return out

    assert courses.course(changed(maximise=True, value_kind="absolute"), [traces], "logged") is None
    assert courses.course(changed(value_kind="absolute"), [traces], "distance") is None
    assert courses.course(changed(n=5), [traces], "logged") is None
    assert courses.course(changed(known_targets="[10.0, 0.1]"), [traces], "logged") is None
    own = [(trials, lambda: [traces])]
    assert courses.courses(own, "logged")
    monkeypatch.setattr(courses, "MOST_BREAKS", 10)
    assert courses.courses(own, "logged") is None


def test_a_study_without_courses_offers_no_other_target(sources, monkeypatch):
    study = study_of(sources)
    monkeypatch.setattr(courses, "MOST_BREAKS", 10)
    found = runs.listed(study, explorer.algorithms(study))
    assert found.courses == ""
    assert found.stated["courses"] is None
