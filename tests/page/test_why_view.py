"""Why a sentence of the page is said: three clicks to the line of the log, and the numbers on the way."""

import pytest

from benchmill.exhibits import tables
from benchmill.inference import ranking
from benchmill.inference.design import from_ratios
from benchmill.inference.verdicts import Declaration, pooled
from benchmill.page import page
from benchmill.why.answers import plain
from tests.page import explored

pytest.importorskip("playwright.sync_api")
KEYS = ["suite", "problem"]


def answers(study, dimensions):
    """What is behind the statements of the primary analysis, but for the first pair, which has no room."""
    verdicts = study["data"]["verdicts"].to_pandas()
    rows = verdicts[(verdicts["analysis"] == "primary") & verdicts["algorithm_a"].notna()]
    measure = rows["measure"].iloc[0]
    ratios = study["data"]["ratios"]
    own = ratios.filter(ratios["measure"].cast("string").to_numpy(zero_copy_only=False) == measure)
    designs = pooled(from_ratios(own, measure=measure), Declaration(permutations=199), measure)
    found = []
    for row in rows.to_dict("records")[1:]:
        pair = (row["algorithm_a"], row["algorithm_b"]) if row["effect"] >= 0 else (row["algorithm_b"], row["algorithm_a"])
        clusters = ranking.of_pair(designs, KEYS, *pair).assign(against=lambda own: own["score"] < 0, carries=False)
        found.append(
            {
                **{"name": row["name"], "sentence": row["text"], "rule": "primary analysis.", "fragility": "It stays."},
                **{"measure": measure, "algorithms": list(pair), "clusters": clusters.to_dict("records")},
                "cells": ranking.of_cells(designs, KEYS, *pair)
                .assign(**({} if dimensions else {"dimension": None}))
                .to_dict("records"),
            }
        )
    return {"of": len(rows), "statements": plain(found)}


@pytest.fixture(scope="module")
def asked(studies):
    """Studies that say one sentence, and their statements in a table; in the second dimensions make no problems."""
    said = {"headline": "No algorithm is best."}
    return [
        {
            **study,
            "why": answers(study, dimensions=number == 0),
            "sentences": study["sentences"] | said,
            "tables": [*study["tables"], tables.build("verdicts", study["data"], {})],
        }
        for number, study in enumerate(studies[:2])
    ]


@pytest.fixture(scope="module")
def tab(asked, browser, tmp_path_factory):
    file = tmp_path_factory.mktemp("why") / "report.html"
    file.write_text(page.pages(explored.evident(asked)).report, "utf-8")
    tab, problems = browser.new_page(), []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("dialog", lambda dialog: problems.append(dialog.message))
    tab.goto(file.as_uri())
    explored.started(tab)
    yield tab
    assert problems == []


def cells(tab, table):
    return tab.evaluate(
        "id => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.innerText))",
        table,
    )


@pytest.mark.parametrize("number", [0, 1])
def test_three_clicks_lead_from_the_first_sentence_to_the_line_of_the_log(tab, asked, number):
    """Of plain names and of hostile ones."""
    study = asked[number]
    tab.evaluate("id => { location.hash = id; }", f"s{number + 1}-verdict")
    first = study["why"]["statements"][0]
    tab.locator(f"#s{number + 1} .headline").click()
    tab.wait_for_selector("#why-clusters")
    scores = [row[1].replace("−", "-") for row in cells(tab, "why-clusters")]
    assert [float(score) for score in scores] == pytest.approx([one["score"] for one in first["clusters"]], abs=5e-3)
    assert f"{len(study['why']['statements'])}" == str(tab.locator("#why select option").count())
    assert "1 statement has no room in this page" in tab.locator("#why").inner_text()
    tab.locator("#why-clusters tbody button").first.click()
    tab.wait_for_selector("#why-runs")
    own = [one for one in first["cells"] if one["cluster"] == first["clusters"][0]["cluster"]]
    assert len(cells(tab, "why-cells")) == len(own)
    trials = study["listed"]["trials"].to_pandas()
    there = trials[trials["algorithm"].isin(first["algorithms"]) & (trials["problem"] == own[0]["problem"])]
    if number == 0:
        there = there[there["dimension"].isin({one["dimension"] for one in own})]
    assert len(there)
    shown = cells(tab, "why-runs")
    assert len(shown) == min(len(there), 60)
    where = set(there["source"].astype(str).str.rpartition(":")[2])
    assert {row[-1].rpartition(":")[2] for row in shown} <= where
    tab.locator("#why-runs tbody button").first.click()
    tab.wait_for_selector("#why-excerpt")
    line = shown[0][-1].rpartition(":")[2]
    assert f"line {line}" in tab.locator("#why-run").inner_text()
    assert tab.locator("#why-excerpt").inner_text().lstrip().startswith(f"{line} ")
    tab.locator("#why > .buttons button").click()
    assert tab.locator("#why").count() == 0
    assert tab.evaluate("document.activeElement.className") == "ask"


def test_a_row_of_what_may_be_claimed_has_its_own_answer(tab, asked):
    """One that the page does not carry says so."""
    tab.evaluate("location.hash = 's1-verdicts'")
    tab.wait_for_selector("#s1-verdicts .ask")
    statements, pairs = asked[0]["why"]["statements"], [row[:2] for row in cells(tab, "s1-verdicts") if "why?" in row[0]]
    pairs = [{names[0].removesuffix("why?").strip(), names[1]} for names in pairs]
    for one in statements[-1:]:
        tab.locator("#s1-verdicts .ask").nth(pairs.index(set(one["algorithms"]))).click()
        tab.wait_for_selector("#why-clusters")
        assert tab.locator("#why b").inner_text() == one["sentence"]
    known = [set(one["algorithms"]) for one in statements]
    tab.locator("#s1-verdicts .ask").nth(next(place for place, pair in enumerate(pairs) if pair not in known)).click()
    tab.wait_for_selector("#why > .none + .rows")
    assert "The page does not have the answer about these two." in tab.locator("#why").inner_text()


def test_a_row_at_one_target_is_answered_by_the_cells_there(tab, asked):
    """Whichever of the two is better there; rows of other measures are not asked."""
    tab.evaluate("location.hash = 's1-verdicts'")
    tab.wait_for_selector("#s1-verdicts .ask")
    rows = asked[0]["data"]["verdicts"].to_pandas().assign(row=lambda own: range(1, len(own) + 1))
    measure = rows.loc[rows["analysis"] == "primary", "measure"].iloc[0]
    rows = rows[(rows["analysis"] == "secondary") & (rows["measure"] == measure) & rows["algorithm_a"].notna()].set_index("row")
    pairs = rows[["algorithm_a", "algorithm_b", "effect"]].itertuples()
    shown = tab.evaluate(
        """() => [...document.querySelectorAll("#s1-verdicts tbody")].filter((body) => !body.textContent.startsWith("primary"))
            .flatMap((body) => [...body.querySelectorAll("tr:has(.ask)")])
            .map((row) => Number(row.cells[row.cells.length - 1].textContent))"""
    )
    assert sorted(shown) == sorted(rows.index)
    known = {frozenset(one["algorithms"]): one["algorithms"] for one in asked[0]["why"]["statements"]}
    better = {row: [a, b] if effect >= 0 else [b, a] for row, a, b, effect in pairs}
    turned = {row: known[frozenset(pair)] != pair for row, pair in better.items() if frozenset(pair) in known}
    for way in (False, True):
        number = next(row for row, is_turned in turned.items() if is_turned == way and rows.loc[row, "effect"])
        tab.evaluate(
            """number => [...document.querySelectorAll("#s1-verdicts tr:has(.ask)")]
                .find((row) => row.cells[row.cells.length - 1].textContent === String(number)).querySelector(".ask").click()""",
            number,
        )
        tab.wait_for_selector("#why-clusters")
        scores = [float(row[1].replace("−", "-")) for row in cells(tab, "why-clusters")]
        assert sum(scores) / len(scores) == pytest.approx(abs(rows.loc[number, "effect"]), abs=5e-3)
        assert sum(int(row[2]) for row in cells(tab, "why-clusters")) == rows.loc[number, "n_cells"]
        assert f"of {better[number][0]} over {better[number][1]}" in tab.locator("#why-clusters caption").inner_text()
        assert f"'{number}' answers the same" in tab.locator("#why").inner_text()
        tab.locator("#why-clusters tbody button").first.click()
        tab.wait_for_selector("#why-cells")
        told = next(one for one in asked[0]["why"]["statements"] if set(one["algorithms"]) == set(better[number]))
        costs = {name: f"cost_{letter}" for name, letter in zip(told["algorithms"], "ab", strict=True)}
        first = tab.evaluate("document.querySelector('#why-cells caption').textContent").split(":")[0].removeprefix("Cluster ")
        own = [one for one in told["cells"] if one["cluster"] == first and one["target"] == rows.loc[number, "target"]]
        expected = {
            tuple(
                tab.evaluate("costs => costs.map((cost) => number(costOf(cost)))", [one[costs[name]] for name in better[number]])
            )
            for one in own
        }
        assert {tuple(row[-3:-1]) for row in cells(tab, "why-cells")} == expected
