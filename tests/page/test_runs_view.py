"""The view of runs in a real browser: its numbers are those of the files, or what the library computes of the same rows."""

import math
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from benchmill import profiles
from benchmill.indicators.summary import Options, summary
from benchmill.page import page, runs
from benchmill.profiles.ratios import ratios
from benchmill.text import display
from tests.costs.making import solver_runs
from tests.page import explored, synthetic
from tests.page.explored import rows_of

sync_api = pytest.importorskip("playwright.sync_api")

NAMES = synthetic.ALGORITHMS
VIEW = "#explore?study=plain&view=runs"


def shown_rows(tab):
    """What is written in the rows in sight, by column."""
    heads = tab.locator("#explore-runs thead tr:first-child th").all_inner_texts()
    rows = tab.locator("#explore-runs tbody tr:not(.space):not(.heading)")
    return [dict(zip(heads, rows.nth(i).locator("th, td").all_inner_texts(), strict=True)) for i in range(min(rows.count(), 12))]


def said(tab):
    return tab.locator("#explore-runs-count").inner_text()


def test_every_run_is_there_with_its_costs(visit, studies, tmp_path):
    tab = visit(f"{VIEW}&measure=ert&point=target:0.001")
    listed = studies[0]["listed"]
    got = rows_of(tab, "Runs", tmp_path)
    costs = cost_of(studies, 1e-3)
    trials = listed["trials"].to_pylist()
    assert len(got) == len(trials) == len(costs)
    assert said(tab).startswith(f"{len(trials):,} of {len(trials):,} runs".replace(",", "\u202f"))
    by_seed = {int(row["seed"]): row for row in got}
    for trial in trials:
        row = by_seed[trial["seed"]]
        for key in ("algorithm", "suite", "problem", "instance"):
            assert row[key] == trial[key]
        assert float(row["cost"]) == costs[trial["algorithm"], trial["trial"]]
        assert (int(row["budget"]), float(row["runtime_s"])) == (trial["budget"], trial["runtime_s"])
        assert row["distance"] == "" if math.isnan(trial["best_value"]) else float(row["distance"]) == trial["best_value"]
        assert row["outcome"] == trial["outcome"].replace("_", " ")
        assert f"{row['file']}:{row['line']}" == trial["source"]
        assert row["attribute:kind of problem"] == {0: "even", 1: "odd % <i>"}.get(
            int(row["problem"][1:]) % 2 if int(row["problem"][1:]) < 7 else 2, ""
        )


@pytest.mark.parametrize(
    ("column", "text", "passes"),
    [
        ("problem", "f1", lambda r: "f1" in r["problem"]),
        ("problem", "=f1|=f3", lambda r: r["problem"] in ("f1", "f3")),
        ("problem", "!f1", lambda r: "f1" not in r["problem"]),
        ("algorithm", "random SEARCH", lambda r: r["algorithm"] == "Random search"),
        ("outcome", "=time limit", lambda r: r["outcome"] == "time_limit"),
        ("dimension", "5..20", lambda r: 5 <= r["dimension"] <= 20),
        ("dimension", "2|20", lambda r: r["dimension"] in (2, 20)),
        ("runtime_s", ">=6.5", lambda r: r["runtime_s"] >= 6.5),
        ("runtime_s", "..0.5", lambda r: r["runtime_s"] <= 0.5),
        ("distance", "none", lambda r: math.isnan(r["best_value"])),
        ("distance", "!none", lambda r: not math.isnan(r["best_value"])),
        ("cost", "∞", lambda r: r["cost"] == math.inf),
        ("cost", "<100", lambda r: r["cost"] < 100),
    ],
)
def test_a_filter_leaves_the_rows_that_pass_it(visit, studies, tmp_path, column, text, passes):
    tab = visit(f"{VIEW}&measure=ert&point=target:10")
    # a table out of sight is not laid out, and its inner text is empty
    head = tab.locator(f"#explore-runs th[data-column={column}]").text_content()
    tab.get_by_label(f"Filter {head}", exact=True).fill(text)
    sync_api.expect(tab).to_have_url(re.compile("where="))
    listed = studies[0]["listed"]
    costs = cost_of(studies, 10)
    expected = {t["seed"] for t in listed["trials"].to_pylist() if passes({**t, "cost": costs[t["algorithm"], t["trial"]]})}
    assert 0 < len(expected) < listed["trials"].num_rows
    assert {int(row["seed"]) for row in rows_of(tab, "Runs", tmp_path)} == expected
    # the same from the address
    address = tab.evaluate("location.hash")
    assert {int(row["seed"]) for row in rows_of(visit(address), "Runs", tmp_path)} == expected


@pytest.mark.parametrize(
    ("choice", "fits"),
    [
        ("functions=problem:f1", lambda r: r["problem"] == "f1"),
        ("functions=group:f6–f9, low or moderate conditioning", lambda r: r["problem"] in ("f6", "f7", "f8", "f9")),
        ("functions=problem:f1&off=DE", lambda r: r["problem"] == "f1" and r["algorithm"] != "DE"),
    ],
)
def test_the_problems_chosen_in_another_view_are_those_of_the_runs(visit, studies, tmp_path, choice, fits):
    tab = visit(f"#explore?study=plain&view=profile&measure=ert&dimension=5&{choice}")
    tab.locator("#explore-tab-runs").click()
    expected = {t["seed"] for t in studies[0]["listed"]["trials"].to_pylist() if t["dimension"] == 5 and fits(t)}
    assert 0 < len(expected) < studies[0]["listed"]["trials"].num_rows
    assert {int(row["seed"]) for row in rows_of(tab, "Runs", tmp_path)} == expected
    assert tab.locator("#explore-notice").inner_text() == ""
    assert "dimension=5" in tab.evaluate("location.hash")


def test_a_filter_that_is_not_understood_is_marked_and_left_out(visit):
    tab = visit(f"{VIEW}&where=dimension~many")
    assert tab.locator("#explore-filter-dimension").get_attribute("aria-invalid") == "true"
    assert "not understood" in said(tab)
    tab = visit(f"{VIEW}&where=nothing~3&sort=nowhere")
    assert "no column “nothing”" in tab.locator("#explore-notice").inner_text()
    assert "no column “nowhere”" in tab.locator("#explore-notice").inner_text()


def cost_of(studies, target):
    """The costs of the measure `ert` by trial."""
    rows = explored.listed_costs(studies[0]).to_pylist()
    return {(c["algorithm"], c["trial"]): c["cost"] for c in rows if c["measure"] == "ert" and c["target"] == target}


def of_subset(measure, target, problems, dimensions):
    costs = explored.costs_of(measure, NAMES)
    kept = pc.equal(costs[explored.POINT_OF[measure]], target)
    kept = pc.and_(kept, pc.is_in(costs["problem"].cast("string"), pa.array(problems)))
    return costs.filter(pc.and_(kept, pc.is_in(costs["dimension"], pa.array(dimensions, pa.int32()))))


@pytest.mark.parametrize(
    ("measure", "target", "off"),
    [("ert", 1e-3, []), ("ert", 10.0, [2, 5]), ("strict", 1e-7, [0]), ("quality", 100.0, [])],
)
def test_profiles_follow_the_filters(visit, tmp_path, measure, target, off):
    """As the library makes them of the costs of the same runs."""
    problems, dimensions = ["f1", "f3", "f4"], [5, 20]
    costs = of_subset(measure, target, problems, dimensions)
    left = [name for i, name in enumerate(NAMES) if i not in off]
    costs = costs.filter(pc.is_in(costs["algorithm"].cast("string"), pa.array(left)))
    settings = explored.MEASURES[measure]
    made = profiles.fit(
        ratios(costs, measure=measure, aggregate=settings["aggregate"], missing=settings["missing"]),
        measure=measure,
        name="dolan_more",
        **explored._PLAIN,
    ).profiles
    point = f"{'budget' if measure == 'quality' else 'target'}:{target:g}".replace("1e-07", "1e-7")
    where = "problem~%3Df1|%3Df3|%3Df4;dimension~5|20"
    address = f"{VIEW}&measure={measure}&point={point}&chart=profile&where={where}"
    tab = visit(address + "".join(f"&off={NAMES[i]}" for i in off))
    got = sorted((r["algorithm"], float(r["tau"]), float(r["rho"])) for r in rows_of(tab, "Curves", tmp_path))
    expected = sorted((r["algorithm"], r["tau"], r["rho"]) for r in made.to_pylist())
    assert len(got) == len(expected)
    for g, e in zip(got, expected, strict=True):
        assert g[0] == e[0]
        assert g[1:] == pytest.approx(e[1:], rel=1e-12)


def test_counts_follow_the_filters(visit, tmp_path):
    tab = visit(f"{VIEW}&measure=ert&point=target:10&where=problem~%3Df2&chart=outcomes")
    costs = of_subset("ert", 10.0, ["f2"], list(explored.DIMENSIONS)).to_pylist()
    got = {row["algorithm"]: row for row in rows_of(tab, "Summary of runs", tmp_path)}
    assert set(got) == {c["algorithm"] for c in costs} == set(NAMES[:-1])
    for name, row in got.items():
        mine = [c["cost"] for c in costs if c["algorithm"] == name]
        assert int(row["runs"]) == len(mine)
        assert int(row["solved"]) == sum(map(math.isfinite, mine))
        assert float(row["share"]) == pytest.approx(np.isfinite(mine).mean())
        assert float(row["median"].replace("inf", "Infinity")) == np.median(mine)
    bars = tab.locator("#explore-endings rect title").all_text_contents()
    solved = {text.rsplit(": solved ", 1)[0]: int(text.rsplit(" ", 1)[1]) for text in bars if ": solved " in text}
    assert solved == {name: int(row["solved"]) for name, row in got.items() if int(row["solved"])}


def test_two_solvers_stand_side_by_side(visit, tmp_path):
    """Instance by instance, with who has the smaller cost; the caption counts what the costs of the files say."""
    tab = visit(f"{VIEW}&measure=ert&point=target:10&where=dimension~5")
    tab.locator("#explore-one").select_option(label="Powell")
    tab.locator("#explore-other").select_option(label="PSO")
    got = {(row["problem"], row["instance"]): row for row in rows_of(tab, "Side by side", tmp_path)}
    costs = {}
    for c in of_subset("ert", 10.0, [f"f{i}" for i in range(1, 8)], [5]).to_pylist():
        costs.setdefault((c["problem"], c["instance"]), {})[c["algorithm"]] = c["cost"]
    both = {key: (own["Powell"], own["PSO"]) for key, own in costs.items() if {"Powell", "PSO"} <= set(own)}
    assert set(got) == set(both)
    for key, (one, other) in both.items():
        assert (float(got[key]["cost_a"]), float(got[key]["cost_b"])) == (one, other)
        assert float(got[key]["ratio"]) == (1 if one == other else other / one)
    caption = tab.locator("#explore-pair-rows caption").inner_text()
    smaller = sum(one < other for one, other in both.values()), sum(one > other for one, other in both.values())
    alone = [sum(math.isfinite(pair[k]) and math.isinf(pair[1 - k]) for pair in both.values()) for k in (0, 1)]
    assert min(alone) > 0
    assert f"Powell has the smaller cost on {smaller[0]} (it alone is successful on {alone[0]})" in caption
    assert f"PSO on {smaller[1]} (alone on {alone[1]})" in caption
    assert tab.locator("#explore-scatter circle").count() == len(both)
    logs = np.log([pair for pair in both.values() if np.isfinite(pair).all()])
    power, log_factor = np.polyfit(*logs.T, 1)
    told = f"{display.number(np.exp(log_factor))} × cost to the power of {display.number(power)}, fits the logarithms on the"
    assert f"{told} {len(logs)} instances" in tab.locator("#explore-scatter figcaption").inner_text()


def test_runs_are_sorted_grouped_and_pinned(visit):
    tab = visit(f"{VIEW}&measure=ert&point=target:10")
    button = tab.locator("#explore-runs th[data-column=cost] button")
    button.click()
    costs = [row["cost"] for row in shown_rows(tab)]
    assert tab.locator("#explore-runs th[data-column=cost]").get_attribute("aria-sort") == "ascending"
    assert [float(c) for c in costs] == sorted(float(c) for c in costs)
    button.click()
    assert {row["cost"] for row in shown_rows(tab)} == {"∞"}
    assert "sort=-cost" in tab.evaluate("location.hash")
    tab.locator("#explore-group").select_option("problem")
    groups = tab.locator("#explore-runs tbody tr.heading")
    assert groups.count() == 7
    groups.first.click()
    assert groups.first.locator("th").get_attribute("aria-label").startswith("unfolded: ")
    assert tab.locator("#explore-runs tbody tr:not(.space):not(.heading)").count() > 5
    tab.locator("#explore-pin").select_option("outcome")
    heads = tab.locator("#explore-runs thead th").all_inner_texts()
    assert heads[:3] == ["algorithm", "problem", "outcome"]
    assert "left" in tab.locator("#explore-runs th[data-column=outcome]").get_attribute("style")
    tab.locator("#explore-pin").select_option("attribute:kind of problem")
    assert tab.locator("#explore-runs thead th").all_inner_texts()[3] == "kind of problem"
    tab.locator("#explore-hide").select_option("seed")
    assert tab.locator("#explore-runs th[data-column=seed]").count() == 0
    tab.locator("#explore-hide").select_option("seed")
    assert tab.locator("#explore-runs th[data-column=seed]").count() == 1


def test_a_run_leads_to_its_place_in_the_log(visit):
    """By mouse and by key; with what the reader met at the place."""
    tab = visit(f"{VIEW}&where=algorithm~%3DDE;irregularities~1")
    rows = tab.locator("#explore-runs tbody tr:not(.space)")
    assert rows.count() == 1
    rows.first.focus()
    tab.keyboard.press("Enter")
    detail = tab.locator("#explore-run")
    assert "data_f1/exp_f1_DIM2.info" in detail.inner_text()
    assert "line 7" in detail.inner_text()
    assert "3:200061|3.2e-03, 4" in detail.inner_text()
    assert "unterminated last line" in detail.inner_text()
    # of the log of this source, though the others have files of the same name
    assert "of the source source_1" in detail.inner_text()
    excerpt = tab.locator("#explore-excerpt")
    assert excerpt.inner_text().rstrip("\n").split("\n") == ["7  run of DE   begins", "8  <b>ends & is 7</b>"]
    assert excerpt.locator("b").count() == 0
    tab.get_by_role("button", name="close").click()
    assert tab.locator("#explore-run").count() == 0
    tab.go_back()
    assert tab.locator("#explore-run").count() == 1


def test_keys_lead_through_all_rows(visit):
    tab = visit(VIEW)
    tab.locator("#explore-runs tbody tr[tabindex='0']").focus()
    index = lambda: int(tab.evaluate("document.activeElement.getAttribute('aria-rowindex')"))  # noqa: E731
    assert index() == 3
    tab.keyboard.press("ArrowDown")
    assert index() == 4
    tab.keyboard.press("End")
    assert index() == int(tab.locator("#explore-runs table").get_attribute("aria-rowcount"))
    assert tab.locator("#explore-runs tbody tr:not(.space)").count() < 100
    tab.keyboard.press("Home")
    assert index() == 3


def test_hostile_names_are_words(visit, tmp_path):
    """The names of the files and of solvers stand there as they are; a filter takes their marks for letters."""
    tab = visit("#explore?study=hostile&view=runs")
    name = synthetic.HOSTILE[1]
    tab.locator("#explore-runs th[data-column=algorithm]").wait_for()
    tab.locator("#explore-runs .choices").first.locator("summary").click()
    tab.get_by_role("checkbox", name=name, exact=True).last.check()
    got = rows_of(tab, "Runs", tmp_path)
    assert {row["algorithm"] for row in got} == {name}
    assert {row["suite"] for row in got} == {r"b\b$o<i>"}


@pytest.fixture(scope="module")
def solvers(browser, tmp_path_factory):
    """A page of solver runs with failures; one solver does not compete, and one has not run everywhere."""
    rng = np.random.default_rng(5)
    times = {name: [float(x) if x < 300 else None for x in np.round(np.exp(rng.normal(3, 2, 40)), 2)] for name in "abcd"}
    costs, trials = solver_runs(times, limit=300.0, measure="time")
    missing = pc.and_(pc.equal(costs["algorithm"].cast("string"), "b"), pc.less(costs["trial"], costs["trial"][45]))
    costs = costs.filter(pc.invert(missing))
    config = {
        "problem_keys": ["problem"],
        "measures": {"time": {"kind": "given", "aggregate": "mean", "missing": "common", "mean_shift": 10.0}},
        "not_competing": ["d"],
    }
    reports = [{"source": "all", "algorithms": list("abcd"), "suites": [], "problems": [], "trials": {}}]
    listed = {"trials": trials.select(runs.TRIALS), "costs": [lambda: costs.select(runs.COSTS)]}
    study = {
        **synthetic.NOTHING,
        "name": "solvers",
        "title": "Solvers",
        "config": config,
        "tables": [],
        "figures": [],
        "verdicts": {},
        "reports": reports,
        "groups": {},
    }
    file = tmp_path_factory.mktemp("solvers") / "report.html"
    file.write_text(page.pages(explored.evident([{**study, "data": {"ingest": reports}, "listed": listed}])).report, "utf-8")
    tab = browser.new_page()
    tab.goto(f"{file.as_uri()}#explore?study=solvers&view=runs")
    explored.started(tab)
    tab.locator("#explore-runs").wait_for()
    yield tab, costs, trials
    tab.close()


def test_means_of_solver_runs_are_those_of_the_summary(solvers, tmp_path):
    tab, costs, trials = solvers
    made = summary([costs], [trials], Options(), shift=10.0, not_competing=["d"])["summary"].to_pylist()
    got = {row["algorithm"]: row for row in rows_of(tab, "Summary of runs", tmp_path)}
    for unsolved, column, shown in (("x2", "mean", "par2"), ("x10", "mean", "par10"), ("limit", "sgm", "sgm")):
        expected = {r["algorithm"]: r[column] for r in made if r["subset"] == "all" and r["unsolved"] == unsolved}
        for name in "abcd":
            assert float(got[name][shown]) == pytest.approx(expected[name], rel=1e-12, nan_ok=True), (name, shown)


def test_limits_that_differ_are_cut_as_in_the_summary():
    """What the page carries of runs are costs at the common limit, so that its means are those of the tables."""
    limits = {("quick", 1): 100.0, ("quick", 2): 100.0, ("slow", 1): 1000.0, ("slow", 2): 1000.0}
    costs, trials = solver_runs({"quick": [10.0, None], "slow": [20.0, 500.0]}, cost_budget=limits)
    reports = [{"source": "all", "algorithms": ["quick", "slow"], "suites": [], "problems": [], "trials": {}}]
    study = {"config": {"measures": {"time": {"kind": "given"}}}, "reports": reports, "groups": {}}
    found = runs.listed({**study, "listed": {"trials": trials.select(runs.TRIALS), "costs": [lambda: costs.select(runs.COSTS)]}})
    assert [settings["late"] for settings in found.stated["measures"]] == [1]
    content, arrays = explored.unpacked(found.block)
    (own,) = content["costs"]
    assert [sorted(arrays[own[0][name]]) for name in ("cost", "budget")] == [[10, 20, math.inf, math.inf], [100, 100, 100, 100]]


def test_a_failure_counts_as_many_limits_as_are_chosen(solvers, tmp_path):
    tab, costs, _ = solvers
    tab.locator("#explore-penalty").select_option("5")
    got = {row["algorithm"]: row for row in rows_of(tab, "Summary of runs", tmp_path)}
    tab.locator("#explore-penalty").select_option("10")
    cells = costs.to_pandas().pivot(index="problem", columns="algorithm", values="cost")
    # instances on which all who compete have a run; a solver that has none on one of them has no mean
    common = cells[cells[["a", "b", "c"]].notna().all(axis=1)]
    charged = common.where(np.isfinite(common) | common.isna(), 5 * 300.0)
    for name in "abcd":
        own = charged[name].to_numpy()
        assert float(got[name]["par5"]) == pytest.approx(own.mean(), rel=1e-12)
        assert float(got[name]["sgm5"]) == pytest.approx(np.exp(np.log(own + 10.0).mean()) - 10.0, rel=1e-12)
        assert float(got[name]["par2"]) < float(got[name]["par5"]) < float(got[name]["par10"])


def test_instances_solved_within_a_cost_are_those_of_the_cactus_plot(solvers, tmp_path):
    tab, costs, _ = solvers
    got = [(row["algorithm"], float(row["cost"]), float(row["solved"])) for row in rows_of(tab, "Curves", tmp_path)]
    for name in "abcd":
        own = sorted(c["cost"] for c in costs.to_pylist() if c["algorithm"] == name and math.isfinite(c["cost"]))
        steps = {cost: place for place, cost in enumerate(own, 1)}
        assert [(cost, solved) for who, cost, solved in got if who == name] == list(steps.items())
