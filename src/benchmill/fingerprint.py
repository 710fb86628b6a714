"""A digest of the code that a job runs: the script, and the library modules it imports, closed over imports.

Snakemake sees that a script changed, but not the library that it calls. Each rule therefore carries
this digest among its parameters: it changes with the code of the modules that the rule uses and with
nothing else. Comments, docstrings and formatting are not code. It is taken of
compiled code, so another Python makes another digest.
"""

from __future__ import annotations

import dis
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import CodeType

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
def _compiled(path: Path) -> CodeType:
    # optimisation level 2 leaves docstrings out, and compiled code knows nothing of comments and layout
    return compile(path.read_bytes(), path.name, "exec", dont_inherit=True, optimize=2)


def _nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are inside it: functions, classes, comprehensions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


@cache
def _code(path: Path) -> str:
    """Digest of what a file does: its instructions, constants and names, without file name and line numbers."""
    total = hashlib.sha256()
    for code in _nested(_compiled(path)):
        constants = [_fixed(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]
        names = (code.co_qualname, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        total.update(repr((names, shape, constants)).encode())
        total.update(code.co_code + code.co_exceptiontable)
    return total.hexdigest()


def _fixed(constant: object) -> object:
    """A constant in a form whose `repr` is the same in every process: sets of strings have no order of their own."""
    return ("frozenset", sorted(map(repr, constant))) if isinstance(constant, frozenset) else (type(constant).__name__, constant)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Modules of this package that a file imports, wherever in it the statement stands.

    `from benchmill.x import y` imports the module y where there is one, else a name of x.
    """
    found: set[str] = set()
    for code in _nested(_compiled(path)):
        if not any(name.split(".")[0] == _PACKAGE for name in code.co_names):
            continue
        for before, instruction in pairwise(dis.get_instructions(code)):
            # the instruction before loads the names that are taken from the module, or None
            if instruction.opname == "IMPORT_NAME" and instruction.argval.split(".")[0] == _PACKAGE:
                found.update([instruction.argval], (f"{instruction.argval}.{below}" for below in before.argval or ()))
    modules: set[str] = set()
    for name in found:
        if _path(name) is not None:
            # importing a module runs the __init__ of every package above it
            parts = name.split(".")
            modules.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return tuple(sorted(modules))
