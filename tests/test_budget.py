"""The house does not grow: statements by room, lines of a module, lines of a function."""

import ast
import json

import pytest

from tests import budget


def test_no_room_has_more_statements_than_its_budget():
    allowed = json.loads(budget.BUDGET.read_text("utf-8"))
    found = budget.rooms()
    assert {room: n for room, n in found.items() if n > allowed.get(room, 0)} == {}, "take something away for what you add"
    assert allowed.keys() <= found.keys(), "run `python -m tests.budget`"


@pytest.mark.parametrize(
    ("text", "number"),
    [("x = 1", 1), ("x = 1; y = 2", 2), ('"""A docstring."""\ndef f():\n    """Another."""\n    return 1', 2), ("if x: y()", 2)],
)
def test_denser_lines_and_docstrings_change_no_number(text, number):
    assert budget.statements(ast.parse(text)) == number


def test_modules_and_functions_can_be_read_at_once():
    long = {}
    for path, tree in budget.trees():
        assert len((budget.SOURCE / path).read_text("utf-8").splitlines()) <= 700, path
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[ast.get_docstring(node) is not None :]
                if first and node.end_lineno - first[0].lineno >= 80:
                    long[path, node.name] = node.end_lineno - first[0].lineno + 1
    assert long == {}


def test_a_configuration_has_at_most_180_rows():
    page = (budget.SOURCE.parents[1] / "config/README.md").read_text("utf-8")
    assert sum(line.startswith("| `") for line in page.splitlines()) <= 180, "say by a key that is there what a new one would say"
