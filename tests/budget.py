"""The size of the house: statements by room, in `budget.json`, which may only go down.

`python -m tests.budget` writes what the rooms have shrunk to, and refuses to write more.
"""

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/benchmill"
BUDGET = Path(__file__).with_suffix(".json")


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Return the syntax tree of every module, with its path below the package."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text("utf-8"))


def statements(tree: ast.Module) -> int:
    """Count the statements; texts that stand alone, docstrings among them, are none."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in found)


def rooms() -> dict[str, int]:
    """Return the statements of every room."""
    found: Counter[str] = Counter()
    for path, tree in trees():
        found[path.split("/")[0]] += statements(tree)
    return dict(sorted(found.items()))


def main() -> int:
    """Write the budget anew where the rooms have shrunk."""
    budget = json.loads(BUDGET.read_text("utf-8"))
    found = rooms()
    grown = [f"{room}: {n} statements, of {budget.get(room, 0)}" for room, n in found.items() if n > budget.get(room, 0)]
    if grown:
        print("\n".join(grown))
        return 1
    BUDGET.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
