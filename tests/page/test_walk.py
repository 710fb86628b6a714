"""Every control of every view, at three widths and in both themes: nothing breaks, and numbers shown are those of the files."""

from pathlib import Path

import numpy as np
import pytest

from benchmill.text import display
from tests.page import explored, synthetic

WALK = (Path(__file__).parent / "walk.js").read_text("utf-8")
PLAIN = synthetic.ALGORITHMS

#: The rows of a table of the page by their heads, all of them.
TABLE = """id => {
    for (const more of document.querySelectorAll(`#${id} .filter button`)) more.click();
    const [table] = document.getElementById(id).getElementsByTagName("table");
    const cells = (row) => [...row.cells].map((cell) => cell.textContent.trim());
    return { heads: cells(table.tHead.rows[0]), rows: [...table.tBodies[0].rows].map(cells) };
}"""


@pytest.mark.parametrize(
    ("width", "scheme", "every", "study"),
    [
        (1400, "light", True, "plain"),
        (800, "dark", False, "plain"),
        (390, "light", False, "hostile"),
    ],
)
def test_every_control_of_every_view(visit, width, scheme, every, study):
    tab = visit(fresh=True, viewport={"width": width, "height": 900}, color_scheme=scheme)
    found = tab.evaluate(WALK, {"every": every, "names": [study]})
    assert found["wrong"] == []
    assert found["used"] > (500 if every else 80)
    # these studies have no trajectories of runs
    assert set(found["views"]) == set(tab.evaluate("[...VIEWS.keys()]")) - {"convergence"}


def shown(tab, table="explore-measures"):
    """The rows of a table as it stands there."""
    found = tab.evaluate(TABLE, table)
    return [dict(zip(found["heads"], row, strict=True)) for row in found["rows"]]


def of(study, name, **where):
    """The rows of a table of the study, those of some keys."""
    table = study["data"][name]
    rows = (table[where.pop("measure")] if isinstance(table, dict) else table).to_pandas()
    for key, value in where.items():
        rows = rows[rows[key].isna() if value is None else rows[key].astype(type(value)) == value]
    assert len(rows)
    return rows


POINTS = {"ert": ("target", explored.TARGETS), "quality": ("at_budget", (10.0, 100.0))}
WRITTEN = {
    "AUC": ("auc", display.number),
    "AUC log": ("auc_log", display.number),
    "AUC/max": ("auc_normalised", lambda value: f"{value:.3f}"),
    "ρ(1)": ("rho_1", display.share),
    "ρ(τmax)": ("rho_tau_max", display.share),
    "τ*": ("tau_star", display.number),
    "R": ("reliability", display.number),
    "wins": ("wins", display.count),
}


@pytest.mark.parametrize("measure", ["ert", "strict", "quality"])
def test_the_measures_of_profiles_shown_are_those_of_the_files(visit, studies, measure):
    tab = visit(f"#explore?view=profile&measure={measure}&variant=dolan_more")
    want = of(studies[0], "profile_measures", measure=measure, variant="dolan_more").set_index("algorithm")
    rows = shown(tab)
    assert {row["algorithm"] for row in rows} == set(want.index)
    for row in rows:
        for head, (column, write) in WRITTEN.items():
            assert row[head] == write(want.loc[row["algorithm"], column]), head


@pytest.mark.parametrize(("measure", "point"), [(m, p) for m, (_, points) in POINTS.items() for p in points])
def test_the_costs_and_ratios_shown_are_those_of_the_files(visit, studies, measure, point):
    key, _ = POINTS[measure]
    want = of(studies[0], "ratios", measure=measure, **{key: point})
    cells = {(r.problem, str(r.dimension), r.algorithm): r for r in want.itertuples()}
    word = "target" if key == "target" else "budget"
    for show, column in (("cost", "cost"), ("ratio", "ratio")):
        tab = visit(f"#explore?view=problems&measure={measure}&point={word}:{point:g}&show={show}")
        seen = 0
        for row in shown(tab):
            for name in PLAIN:
                cell = cells.get((row["problem"], row["dimension"], name))
                if cell is None or cell.n_trials == 0:
                    assert row[name] == "–"
                    continue
                value = getattr(cell, column)
                # a problem that the profile leaves out has a ratio to the best of those that have a trial
                if column == "cost" or cell.included:
                    assert row[name] == display.number(value)
                seen += 1
        assert seen == int((want["n_trials"] > 0).sum())


@pytest.mark.parametrize(
    ("view", "table", "of_table"),
    [
        ("ecdf", "ecdf", {"aggregation": "target"}),
        ("values&measure=quality", "value_ecdf", {"aggregation": "budget", "measure": "quality"}),
    ],
)
def test_the_shares_of_distributions_shown_are_those_of_the_files(visit, studies, view, table, of_table):
    for dimension in explored.DIMENSIONS:
        tab = visit(f"#explore?view={view}&dimension={dimension}&functions=problem:f1")
        want = of(studies[0], table, **of_table, problem="f1", dimension=dimension)
        for row in shown(tab):
            own = want[want["algorithm"] == row["algorithm"]]
            assert row["share reached"] == display.share(own["fraction"].iloc[-1])
            for level in (25, 50, 75):
                first = own.loc[own["fraction"] >= level / 100 - 1e-12, "x"]
                head = next(one for one in row if one.endswith(f"for {level} %"))
                assert row[head] == display.number(first.iloc[0] if len(first) else np.inf)


@pytest.mark.parametrize("measure", ["ert", "quality"])
def test_the_indicators_shown_are_those_of_the_files(visit, studies, measure):
    key, points = POINTS[measure]
    want = of(studies[0], "indicators", measure=measure, problem="f1")
    tab = visit(f"#explore?view=scaling&measure={measure}&over=point&dimension=5&functions=problem:f1")
    statistic = "ert" if measure == "ert" else "median"
    rows = shown(tab)
    for row in rows:
        own = want[(want["algorithm"] == row["algorithm"]) & (want["dimension"] == 5)]
        for point in points:
            cell = own[own[key] == point].iloc[0]
            word = "target" if key == "target" else "budget"
            failed = f" ({cell.n_successes}/{cell.n_trials})" if cell.n_successes < cell.n_trials else ""
            assert row[f"{word} {display.target(point)}"] == display.number(cell[statistic]) + failed
    assert len(rows) == want["algorithm"].nunique()


def test_the_tests_shown_are_those_of_the_files(visit, studies):
    tab = visit("#explore?view=tests&measure=ert&point=target:0.001")
    where = {"measure": "ert", "target": 1e-3}
    ranks = of(studies[0], "ranks", **where).set_index("algorithm")["average_rank"]
    assert {row["algorithm"]: row["average rank"] for row in shown(tab, "explore-ranks")} == {
        name: display.number(rank) for name, rank in ranks.items()
    }
    tests = [
        (display.method_name(one.method), display.number(one.statistic, 4), display.p_value(one.p))
        for one in of(studies[0], "tests", **where).itertuples()
    ]
    assert [(row["test"], row["statistic"], row["p"]) for row in shown(tab, "explore-tests")] == tests
    want = []
    for one in of(studies[0], "comparisons", **where).itertuples():
        numbers = display.number(abs(one.difference)), display.p_value(one.p), display.p_value(one.p_adjusted)
        want.append((display.comparison_name(one.method), *sorted([one.algorithm_a, one.algorithm_b]), *numbers))
    found = [
        (row["method"], *sorted([row["better"], row["than"]]), row["difference"], row["p"], row["adjusted p"])
        for row in shown(tab, "explore-pairs")
    ]
    assert sorted(found) == sorted(want)


def test_another_level_reads_the_same_p_values_anew(visit, studies):
    tab = visit("#explore?view=tests&measure=ert&point=target:0.001&level=0.001")
    pairs = of(studies[0], "comparisons", measure="ert", target=1e-3)
    # every pair has an adjusted p, so that any level decides
    assert pairs["p_adjusted"].notna().all()
    want = sorted(
        (
            display.comparison_name(one.method),
            *sorted([one.algorithm_a, one.algorithm_b]),
            "yes" if one.p_adjusted <= 0.001 else "no",
        )
        for one in pairs.itertuples()
    )
    rows = shown(tab, "explore-pairs")
    assert sorted((row["method"], *sorted([row["better"], row["than"]]), row["significant"]) for row in rows) == want
    assert {row["α"] for row in shown(tab, "explore-tests")} == {"0.001"}
    assert "at level 0.05, which was declared" in tab.locator("#explore-verdict").inner_text()


def test_the_summary_of_runs_shown_is_of_the_costs_of_the_files(visit, studies):
    costs = explored.listed_costs(studies[0]).to_pandas()
    costs = costs[(costs["measure"].astype(str) == "ert") & (costs["target"] == 1e-3)]
    tab = visit("#explore?view=runs&measure=ert&point=target:0.001")
    tab.wait_for_selector("#explore-run-summary")
    for row in shown(tab, "explore-run-summary"):
        own = costs.loc[costs["algorithm"].astype(str) == row["algorithm"], "cost"]
        assert row["runs"] == display.count(len(own))
        assert row["solved"] == display.count(int(np.isfinite(own).sum()))
        assert row["share"] == display.share(float(np.isfinite(own).mean()))
        low, high = sorted(own)[(len(own) - 1) // 2], sorted(own)[len(own) // 2]
        assert row["median"] == display.number((low + high) / 2)
