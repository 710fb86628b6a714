"""Views that compute more than profiles: convergence, trade-offs, groups not shown to differ, scaling at any target."""

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pytest

from benchmill.exhibits.figures import critical_differences
from benchmill.indicators import attainment
from benchmill.indicators.ert import indicators
from benchmill.page import page
from benchmill.text import display
from tests.page.explored import evident, rows_of, started, until
from tests.page.test_free_targets import TARGETS, at, costs_at, opened, sources, study_of  # noqa: F401
from tests.page.test_walk import WALK


@pytest.mark.parametrize(("share", "dimension"), [(0.5, 2), (0.25, 5), (0.1, 5)])
def test_convergence_is_the_attainment_of_the_library(at, sources, tmp_path, share, dimension):  # noqa: F811
    tab = at(f"#explore?study=own&view=convergence&part_of_runs={share:g}&dimension={dimension}&functions=problem:f10")
    tab.wait_for_selector("#explore-downloads button")
    found = pd.DataFrame(rows_of(tab, "Curves", tmp_path))
    curves = 0
    for trials, traces in sources:
        runs = trials.to_pandas()
        runs = runs[(runs["problem"] == "f10") & (runs["dimension"] == dimension)]
        steps = traces.to_pandas().merge(runs[["trial", "budget"]], on="trial")
        steps = steps[(steps["evaluations"] <= steps["budget"]) & (steps["violation"] <= 0)]
        for name, own in runs.groupby("algorithm", observed=True):
            mine = steps[steps["trial"].isin(own["trial"]) & steps["on_target"]]
            place = mine["trial"].map({trial: i for i, trial in enumerate(own["trial"])})
            k = int(np.ceil(share * len(own)))
            ((x, y),) = attainment.surfaces(place, mine["evaluations"], mine["value"], len(own), [k])
            got = found[found["algorithm"] == name]
            np.testing.assert_array_equal(got["evaluations"].astype(float), x)
            np.testing.assert_array_equal(got["value"].astype(float), y)
            curves += len(x) > 0
    assert curves >= 2


def test_every_control_of_a_study_with_trajectories(at):  # noqa: F811
    found = at("#explore?study=own&view=convergence").evaluate(WALK, {"every": False, "names": ["own"]})
    assert found["wrong"] == []
    assert "convergence" in found["views"]


@pytest.mark.parametrize("target", [0.1, 0.37])
def test_scaling_at_any_target_is_that_of_the_library(browser, sources, tmp_path, target):  # noqa: F811
    study = study_of(sources)
    study["data"]["indicators"] = indicators([costs_at(sources, TARGETS)])
    path = tmp_path / "page.html"
    path.write_text(page.pages(evident([study])).report, "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri() + f"#explore?study=own&view=scaling&over=dimension&functions=problem:f2&point=target:{target}")
    started(tab)
    tab.wait_for_selector("#explore-downloads button")
    found = {(row["algorithm"], int(row["dimension"])): row for row in rows_of(tab, "Values", tmp_path)}
    rows = [row for row in indicators([costs_at(sources, (target,))]).to_pylist() if row["problem"] == "f2"]
    assert {(row["algorithm"], row["dimension"]) for row in rows} <= set(found)
    for row in rows:
        got = found[row["algorithm"], row["dimension"]]
        assert (float(got["ert"]), int(got["n_successes"])) == (row["ert"], row["n_successes"])
    tab.close()


def test_groups_are_those_of_the_critical_difference_diagram(visit):
    tab = visit("#explore?view=tests")
    rng = np.random.default_rng(3)
    for k, share in [(2, 0.5), (5, 0.4), (8, 0.5), (9, 0.7), (12, 0.6), (24, 0.5)]:
        names = [f"a{i:02}" for i in range(k)]
        pairs = pd.DataFrame(
            [(a, b, bool(rng.random() < share)) for i, a in enumerate(names) for b in names[i + 1 :]],
            columns=["algorithm_a", "algorithm_b", "significant"],
        )
        want = critical_differences._groups_of({name: i + 1.0 for i, name in enumerate(names)}, pairs)
        differ = [[names.index(a), names.index(b)] for a, b, found in pairs.itertuples(index=False) if found]
        found = tab.evaluate(
            """([k, differ]) => {
                const has = new Set(differ.map(([a, b]) => `${a} ${b}`));
                return groupsOf([...Array(k).keys()], (a, b) => !has.has(`${Math.min(a, b)} ${Math.max(a, b)}`));
            }""",
            [k, differ],
        )
        assert (found is None) == (want is None)
        if want is not None:
            assert sorted(map(tuple, found)) == sorted(tuple(names.index(name) for name in group) for group in want)


def test_the_front_of_wins_and_solved_is_that_of_the_files(visit, studies, tmp_path):
    tab = visit("#explore?view=tradeoff&measure=ert")
    rows = studies[0]["data"]["profile_measures"].to_pandas()
    rows = rows[(rows["measure"] == "ert") & (rows["variant"] == "dolan_more")].set_index("algorithm")
    found = rows_of(tab, "Points", tmp_path)
    assert {row["algorithm"]: bool(int(row["front"])) for row in found} == rows["front_wins_solved"].astype(bool).to_dict()
    for row in found:
        assert float(row["ert_rho_1"]) == pytest.approx(rows.loc[row["algorithm"], "rho_1"], rel=1e-12)
        assert float(row["ert_rho_tau_max"]) == pytest.approx(rows.loc[row["algorithm"], "rho_tau_max"], rel=1e-12)
    assert "Pareto front" in tab.locator("#explore-caption").inner_text()


@pytest.mark.parametrize(
    ("criterion", "rank"),
    [("auc_log", "rank_auc_log"), ("auc", "rank_auc"), ("rho_1", "rank_rho_1"), ("rho_tau_max", "rank_rho_tau_max")],
)
def test_who_is_first_by_a_criterion_is_that_of_the_files(visit, studies, criterion, rank):
    tab = visit(f"#explore?view=profile&measure=ert&variant=dolan_more&criterion={criterion}")
    rows = studies[0]["data"]["profile_measures"].to_pandas()
    rows = rows[(rows["measure"] == "ert") & (rows["variant"] == "dolan_more")]
    first = set(rows.loc[rows[rank] == 1, "algorithm"])
    said = tab.locator("#explore-caption").inner_text().partition("First by ")[2].partition(". ")[0].partition(": ")[2]
    assert set(said.split(", ")) == first
    assert tab.locator("#explore-measures tbody th").first.inner_text().strip() in first


def test_a_choice_that_a_view_cannot_keep_is_told_and_left_out_of_the_address(visit):
    tab = visit("#explore?view=profile&measure=ert&dimension=5&functions=problem:f1", fresh=True)
    tab.locator("#explore-tab-scaling").click()
    assert "cannot keep the choice of dimension “5”: it shows all" in tab.locator("#explore-notice").inner_text()
    assert "dimension=" not in tab.evaluate("location.hash")
    assert "functions=problem%3Af1" in tab.evaluate("location.hash")
    # the next view takes it up again
    tab.locator("#explore-tab-profile").click()
    assert tab.locator("#explore-notice").inner_text() == ""
    assert tab.locator("#explore-dimension").input_value() == "5"
    assert "dimension=5" in tab.evaluate("location.hash")


def test_the_end_of_a_convergence_curve_is_told_as_it_is_not_as_it_is_drawn(browser, sources, tmp_path):  # noqa: F811
    small = [
        (trials, traces.set_column(traces.schema.get_field_index("value"), "value", pc.multiply(traces["value"], 1e-14)))
        for trials, traces in sources
    ]
    with opened(
        browser, tmp_path, study_of(small), "#explore?study=own&view=convergence&dimension=2&functions=problem:f1"
    ) as tab:
        tab.wait_for_selector("#explore-downloads button")
        assert "are drawn at " in tab.locator("#explore-caption").inner_text()
        last = {row["algorithm"]: float(row["value"]) for row in rows_of(tab, "Curves", tmp_path)}
        ends = [text.split()[0] for text in tab.locator("#explore-picture svg > text").all_text_contents() if "×10" in text]
    assert last
    assert sorted(ends) == sorted(display.number(value) for value in last.values())


def test_a_share_that_no_solver_has_reached_is_told(at):  # noqa: F811
    # at most 4 of the 5 or 6 runs of each solver have a value here, and 0.9 of 5 is more than 4
    tab = at("#explore?study=own&view=convergence&part_of_runs=0.9&dimension=2&functions=problem:f10")
    until(
        tab,
        "document.querySelector('#explore').innerText.includes('No solver has reached a value here in that many')",
    )
