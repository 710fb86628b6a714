"""A digest of the code that a job runs: the script, and the library modules it imports, closed over imports.

Snakemake sees that a script changed, but not the library that it calls. Each rule therefore carries
this digest among its parameters: it changes with the code of the modules that the rule uses and with
nothing else. Comments, docstrings and formatting are not code.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "benchmill"
_ROOT = Path(__file__).parent


def fingerprint(script: str | Path, *modules: str) -> str:
    """Digest of a script and of everything of this package that it imports, directly or not.

    Parameters
    ----------
    script : path
        The file that a rule runs.
    *modules : str
        Modules that are found by name while the script runs (a reader, a figure) and that no import
        statement shows. A module of another package counts with its own file only.
    """
    names: set[str] = set()
    open_ends = [*_imports(Path(script)), *modules]
    while open_ends:
        name = open_ends.pop()
        if name not in names:
            names.add(name)
            path = _path(name)
            if path is not None and (name == _PACKAGE or name.startswith(_PACKAGE + ".")):
                open_ends.extend(_imports(path))
    total = hashlib.sha256(_code(Path(script)).encode())
    for name in sorted(names):
        path = _path(name)
        if path is not None:
            total.update(f"{name}:{_code(path)}\n".encode())
    return total.hexdigest()[:16]


@cache
def _path(name: str) -> Path | None:
    parts = name.split(".")
    if parts[0] != _PACKAGE:
        spec = find_spec(name)
        return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None
    base = _ROOT.joinpath(*parts[1:])
    candidates = [base / "__init__.py", base.with_suffix(".py")] if len(parts) > 1 else [_ROOT / "__init__.py"]
    return next((path for path in candidates if path.is_file()), None)


@cache
def _code(path: Path) -> str:
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


@cache
def _imports(path: Path) -> tuple[str, ...]:
    return tuple(sorted(set(_imported(ast.parse(path.read_bytes())))))


def _imported(tree: ast.AST) -> Iterator[str]:
    """Modules of this package named in import statements, wherever in the file they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            # `from benchmill.x import y` imports the module y where there is one, else a name of x
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            if name.split(".")[0] == _PACKAGE and _path(name) is not None:
                parts = name.split(".")
                # importing a module runs the __init__ of every package above it
                yield from (".".join(parts[:i]) for i in range(1, len(parts) + 1))
