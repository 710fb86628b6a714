"""The house does not grow: statements by room, lines of a module, lines of a function."""

import ast
import json

import pytest

from tests import budget

#: Functions of more than 80 lines; none may join them.
LONG = {
    "inference/design.py": {"from_costs", "_design"},
    "notebook/comparison.py": {"compare"},
    "notebook/costs.py": {"costs"},
    "readers/__init__.py": {"_run"},
    "readers/cec.py": {"_tables"},
    "readers/coco.py": {"_info"},
    "versions/comparison.py": {"compare_versions"},
}


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
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        names = {node.name for node in functions if node.end_lineno - node.lineno >= 80}
        if names:
            long[path] = names
    assert {path: names - LONG.get(path, set()) for path, names in long.items() if names - LONG.get(path, set())} == {}
