"""A table to order: some rows and columns of one that the study has, and no number of it another."""

import pytest

from benchmill.core.errors import UserError
from benchmill.tables import build
from tests.tables.test_kinds import best, indicators, texts

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
        ({"budgets": [100]}, r"mine: budgets: found 100, but ert_ert is not kept apart by budget; leave budgets out"),
        ({"algorithms": ["C"]}, r"mine: algorithms: found 'C', expected some of A and B"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(chosen, said):
    with pytest.raises(UserError, match=said):
        asked(**chosen)
