"""The mutation tool finds what is planted, and says so where nothing looks."""

import ast
import importlib
import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import explained, operators

MODULE = '''
"""A module."""
from dataclasses import dataclass, field
from functools import cache, cached_property


LEAST = 0.5


def larger(a, b=0):
    """The larger one, 1 > 0."""
    if a < LEAST - 9:
        raise ValueError(f"{1 + 1}")
    return a if a > b else b


@cache
def halvings(n):
    count = 0
    while n > 1:
        n //= 2
        count += 1
    return count


class Kept:
    @cached_property
    def three(self):
        return 1 + 2


@dataclass(frozen=True)
class Said:
    least: int = field(default=5, metadata={"most": 7})

    def itself(self):
        return self.least


def forgotten(a):
    return a + 1
'''
TESTS = """
from dataclasses import fields

from planted import Kept, Said, halvings
from planted import larger as imported_by_name


def test_larger():
    assert [imported_by_name(1, 2), imported_by_name(2, 1), imported_by_name(2, 2), imported_by_name(-1)] == [2, 2, 2, 0]


def test_halvings():
    assert [halvings(9), halvings(1)] == [3, 0]


def test_kept():
    assert Kept().three == 3


def test_said():
    assert (Said().itself(), fields(Said)[0].metadata["most"]) == (5, 7)
"""
RUN = """
from tests.mutation import trying
for found in trying.try_all(trying.choose(["planted"]), ["test_planted.py"]):
    print("FOUND", found.fate, "|", found.mutant.before, "|", found.mutant.after, "|", found.test)
"""


def test_fates(tmp_path):
    (tmp_path / "planted.py").write_text(MODULE)
    (tmp_path / "test_planted.py").write_text(TESTS)
    # under the settings that the project's own tests have
    shutil.copy(Path(__file__).parents[2] / "pyproject.toml", tmp_path)
    path = f"{tmp_path}:{Path(__file__).parents[2]}"
    command = [sys.executable, "-c", RUN.replace("trying\n", "trying\ntrying.PATIENCE = 0.5\n", 1)]
    run = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": path}, capture_output=True, text=True, check=True)
    found = [line.split(" | ") for line in run.stdout.splitlines() if line.startswith("FOUND")]
    fates = {(before, after): (fate.removeprefix("FOUND "), test) for fate, before, after, test in found}
    assert len(fates) == len(found)

    larger = "return a if a > b else b"
    # for equal numbers both are right
    assert fates[larger, "return a if a >= b else b"] == ("survived", "")
    assert fates[larger, "return a if a < b else b"] == ("killed", "test_planted.py::test_larger")
    assert fates["def larger(a, b=0):", "def larger(a, b=1):"] == ("killed", "test_planted.py::test_larger")
    assert fates["LEAST = 0.5", "LEAST = 1.0"] == ("survived", "")
    assert fates["if a < LEAST - 9:", "if a < LEAST + 9:"] == ("killed", "test_planted.py::test_larger")
    assert fates["raise ValueError(f'{1 + 1}')", "pass"] == ("not run", "")
    # a function whose values are remembered
    assert fates["count = 0", "count = 1"] == ("killed", "test_planted.py::test_halvings")
    # a value that an object remembers
    assert fates["return 1 + 2", "return 1 - 2"] == ("killed", "test_planted.py::test_kept")
    # the default of a field, and what is said of it
    said = "least: int = field(default=5, metadata={'most': 7})"
    assert fates[said, said.replace("5", "6")] == ("killed", "test_planted.py::test_said")
    assert fates[said, said.replace("7", "8")] == ("killed", "test_planted.py::test_said")
    assert fates["n //= 2", "n //= 1"] == ("timed out", "")
    assert fates["return a + 1", "return a - 1"] == ("not run", "")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", ["x = a <= b", "x = a > b"]),
        ("x = f(a, axis=1)", ["x = f(a)", "x = f(a, axis=0)"]),
        ("x = np.searchsorted(a, b, side='left')", ["x = np.searchsorted(a, b)", "x = np.searchsorted(a, b, side='right')"]),
        ("x = not a or b", ["x = not a and b", "x = a or b"]),
        ("x = np.minimum(a, sorted(b))", ["x = np.maximum(a, sorted(b))", "x = np.minimum(a, b)"]),
        ("if a:\n    x.sort()", ["pass", "if not a:", "pass"]),
        ('def f(a: int = 2):\n    """Not 3."""\n    raise E(3)', ["def f(a: int=3):", "def f(a: int=1):", "pass"]),
        ("x = f'{a + b}' + c", []),
    ],
)
def test_what_is_changed(source, expected):
    assert [operators.mutant(source, i).after for i in range(operators.count(source))] == expected


def test_explanations_are_of_statements_that_are_there():
    found = explained.reasons()
    assert all(found.values())
    for module in {module for module, _, _ in found}:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
        statements = {ast.unparse(node).partition("\n")[0] for node in ast.walk(tree) if isinstance(node, ast.stmt)}
        assert {before for of, before, _ in found if of == module} <= statements
