"""A table to order: some rows and columns of one that the study has, and no number of it another."""

import math

import pytest

from benchmill.core import UserError
from benchmill.exhibits.tables import build, latex
from benchmill.indicators.summary import Options, summary
from tests.costs.making import solver_runs
from tests.exhibits.tables.test_kinds import best, indicators, texts

ROWS = [
    ("f1", 1.0, "A", 10.0, 15, 15),
    ("f1", 1.0, "B", 5.0, 15, 15),
    ("f1", 1e-3, "A", 30.0, 15, 15),
    ("f1", 1e-3, "B", 40.0, 15, 15),
    ("f2", 1.0, "A", 7.0, 15, 15),
    ("f2", 1.0, "B", 8.0, 15, 15),
]


def asked(**chosen):
    settings = {"measure": {"name": "ert"}, "asked": {"table": "ert_ert", "name": "mine", **chosen}}
    return build("ert", {"indicators": indicators(ROWS), "ingest": [{"algorithms": ["A", "B"]}]}, settings)


def test_rows_are_those_of_the_targets_and_problems_that_are_asked_for():
    table = asked(targets=[1e-3 * (1 + 1e-12)], problems=["f1"])
    assert (table.name, table.place) == ("mine", "asked")
    assert texts(table) == [["f1", "10⁻³", "30.0", "40.0"]]
    assert "Shown of the results: target 10⁻³; problem f1 only." in table.caption


def test_what_is_best_is_so_among_all_algorithms_and_columns_stand_as_asked():
    table = asked(algorithms=["A"], dimensions=[5])
    assert [column.header for column in table.columns] == ["problem", "target", "A"]
    assert [row[-1] for row in best(table)] == [False, True, True]
    assert "Only 1 of the study's algorithms is shown" in table.caption
    assert [column.header for column in asked(algorithms=["B", "A"]).columns][2:] == ["B", "A"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"dimensions": [7]}, r"mine: dimensions: found 7, expected some of 5"),
        ({"targets": [0.5]}, r"mine: targets: found 0.5, expected some of 1 and 10⁻³"),
        ({"budgets": [100]}, r"mine: budgets: found 100, but ert_ert is not split by budget; leave budgets out"),
        ({"algorithms": ["C"]}, r"mine: algorithms: found 'C', expected some of A and B"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(chosen, said):
    with pytest.raises(UserError, match=said):
        asked(**chosen)


def test_the_layout_of_coco_has_a_block_for_each_problem_with_multiples_of_the_smallest():
    table = asked(layout="blocks")
    assert {section.heading for section in table.sections} == {""}
    assert [column.header for column in table.columns] == ["target", "1", "10⁻³", "succ."]
    assert texts(table) == [
        ["f1", "5.00", "30.0", ""],
        ["A", "2.0", "1.0", "15/15"],
        ["B", "1.0", "1.3", "15/15"],
        # nobody has a trial with that target
        ["f2", "7.00", "–", ""],
        ["A", "1.0", "–", "–"],
        ["B", "1.1", "–", "–"],
    ]
    assert [row[1] for row in best(table)] == [False, False, True, False, True, False]
    assert "Beside each problem is the smallest ERT" in table.caption
    assert "in brackets" not in table.caption
    # multiples are of the smallest of all algorithms, whoever is shown
    alone = asked(layout="blocks", algorithms=["B"])
    assert texts(alone)[:2] == [["f1", "5.00", "30.0", ""], ["B", "1.0", "1.3", "15/15"]]


def test_blocks_stand_beside_each_other_across_the_text_the_control_first():
    settings = {"measure": {"name": "ert", "scale": "distance"}, "control": "B"}
    order = {"table": "ert_ert", "name": "m", "layout": "blocks", "width": "text"}
    rows = [*ROWS, ("f3", 1.0, "A", 100.0, 15, 15), ("f3", 1.0, "B", 32_000.0, 15, 15)]
    data = {"indicators": indicators(rows), "ingest": [{"algorithms": ["A", "B"]}]}
    table = build("ert", data, settings | {"asked": order})
    assert [column.header for column in table.columns] == ["Δf", "1", "10⁻³", "succ.", "", "Δf", "1", "10⁻³", "succ."]
    assert [line[0] for line in texts(table)] == ["f1", "B", "A", "f2", "B", "A"]
    assert [line[5:7] for line in texts(table)] == [["f3", "100"], ["B", "320"], ["A", "1.0"], *[["", ""]] * 3]
    assert [row[0] for row in best(table)] == [False, True, False] * 2


def test_what_does_not_fit_its_place_is_refused_with_what_would():
    rows = [(f"f{i}", 10.0**-t, name, 12345.0 * t, 15, 15) for i in range(4) for t in range(1, 7) for name in "AB"]
    data = {"indicators": indicators(rows), "ingest": [{"algorithms": ["A", "B"]}]}
    targets = [10.0**-t for t in range(1, 7)]
    order = {"table": "ert_ert", "name": "m", "layout": "blocks", "width": "text", "targets": targets}
    shown = {"measure": {"name": "ert"}, "asked": order}
    table = build("ert", data, shown)
    assert r"\PackageError{benchmill}{The table m was ordered for the width of the text}" in latex.render(table, width="text")
    with pytest.raises(
        UserError, match=r"tables: m: 17 columns do not fit into column of 252 pt.*order `width: text` \(in a table"
    ):
        latex.render(table, width="column")
    with pytest.raises(UserError, match=r"do not fit into text of 200 pt, expected about \d+; order fewer algorithms or targets"):
        latex.render(table, width="text", widths=(100.0, 200.0))
    assert "was ordered for" not in latex.render(table)


def test_what_is_higher_than_a_page_is_refused_and_what_fits_is_one_piece():
    rows = [(f"f{i}", 1.0, name, 12345.0, 15, 15) for i in range(48) for name in "AB"]
    order = {"table": "ert_ert", "name": "m", "layout": "blocks", "width": "text"}
    data = {"indicators": indicators(rows), "ingest": [{"algorithms": ["A", "B"]}]}
    table = build("ert", data, {"measure": {"name": "ert"}, "asked": order})
    with pytest.raises(
        UserError, match=r"m: 72 lines do not fit into a float of 624 pt, expected at most 52; order fewer problems"
    ):
        latex.render(table, width="text")
    # a head for each problem would be all that one sees
    assert latex.render(table, width="text", height=840.0).count(r"\begin{tabular}") == 1
    assert latex.render(table).count(r"\begin{tabular}") > 1


def test_blocks_have_a_dash_where_what_failures_spent_is_not_known():
    rows = [("f1", 1.0, "A", None, 5, 15), ("f1", 1.0, "B", 4.0, 15, 15), ("f1", 1.0, "C", math.inf, 0, 15)]
    settings = {
        "measure": {"name": "ert", "label": "time to a target"},
        "asked": {"table": "ert_ert", "name": "m", "layout": "blocks"},
    }
    table = build("ert", {"indicators": indicators(rows), "ingest": [{"algorithms": ["A", "B", "C"]}]}, settings)
    assert texts(table) == [["f1", "4.00", ""], ["A", "–", "5/15"], ["B", "1.0", "15/15"], ["C", "∞", "0/15"]]
    assert "measure time to a target" in table.caption


def test_solvers_are_found_by_their_names_whatever_stands_beside_them_and_however_they_are_cut():
    long = [f"a solver with a long name, number {i}" for i in (1, 2)]
    stated, trials = solver_runs({long[0]: [1.0, 2.0], long[1]: [3.0, None]}, limit=100.0)
    found = {**summary([stated], [trials], Options(), shift=10.0), "ingest": [{"algorithms": long}]}
    wanted = {"name": "mine", "algorithms": [long[0]]}
    time = {"measure": {"name": "time", "kind": "given"}}
    rows = build("outcomes", found, {**time, "asked": {"table": "outcomes_time", **wanted}})
    own, best_of_all = (row[0].text for row in rows.rows)
    assert own.endswith("(single best)")
    assert best_of_all == "virtual best"
    table = build("solver_times", found, {**time, "asked": {"table": "times_time", **wanted}})
    assert len(table.columns) == 2
