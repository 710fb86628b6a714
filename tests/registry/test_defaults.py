"""Position in a list of entries means nothing: what is usual is named."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from benchmill import registry

MODULES = sorted(Path(registry.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_registry_takes_an_entry_by_its_place(path):
    """Neither `_ALL[0]` nor the first that has some property."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.value, ast.Name):
            assert not (node.value.id == "_ALL" and isinstance(node.slice.value, int)), ast.unparse(node)
    for statement in ast.parse(path.read_text("utf-8")).body:
        if isinstance(statement, ast.Assign):
            assert "next(" not in ast.unparse(statement.value), ast.unparse(statement)


def test_all_entries_are_read_without_the_libraries_that_take_long_to_import():
    """Planning reads them, and so does every command that looks at a configuration."""
    code = """
import sys
from benchmill.registry import archives, conventions, criteria, indicators, inference, measures, variants

for registry in (archives.ARCHIVES, inference.COMPARISONS, conventions.CONVENTIONS, inference.CORRECTIONS, criteria.CRITERIA,
                 criteria.SCORES, indicators.INDICATORS, measures.MEASURES, inference.POSTERIORS, inference.TESTS,
                 variants.VARIANTS):
    assert registry.entries
print(*{"scipy.special", "scipy.stats", "seaborn", "matplotlib"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
