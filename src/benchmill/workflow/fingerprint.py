"""A digest of the code that a job runs: its script, the modules of this package behind it and their data, versions of libraries.

It is taken of the syntax tree, without comments and docstrings. `watch` notes how the code was found when a run begins, and
`check` tells a job whether it still is so.
"""

import ast
import contextlib
import hashlib
import json
import os
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import cache_from_source, find_spec
from itertools import accumulate, chain, takewhile
from pathlib import Path

from benchmill.core import UserError
from benchmill.core.whole_file import write_text
from benchmill.registry.entry import installed
from benchmill.workflow.borrowed import PREAMBLE_END

_PACKAGE = "benchmill"
_ROOT = Path(__file__).parents[1]

#: Distributions that are not called as the modules in them.
_CALLED = {"yaml": "PyYAML", "PIL": "pillow", "mpl_toolkits": "matplotlib"}

#: The package of the registries, each of which names modules with entries.
_REGISTRY = f"{_PACKAGE}.registry."

#: What has a docstring of its own.
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

#: The text of this file.
_OWN = Path(__file__).read_bytes()

#: What is known of a file of code: digests of what it does, and of what it does where it stands in no function and no class; its
#: import statements; the modules of this package that it names in texts there.
_Code = tuple[str, str, tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]
#: The same by the digest of their text.
_KNOWN: dict[str, _Code] = {}

#: The variable of the environment by which a job knows what the code was when the run began.
_BEGUN_WITH = "BENCHMILL_CODE"

#: The files of this package's modules, by name, that were loaded in the process that this one is a copy of, and its last module.
AHEAD: dict[str, str | None] = {}


def fingerprint(script: Path, *modules: str, memory: Path | None = None) -> str:
    """Return a digest of a script, all of this package that it imports, and the versions of libraries.

    Raises
    ------
    ModuleNotFoundError
        There is no module of that name, or it has neither a source nor a version: nothing would be watched.
    """
    for name in modules:
        if _path(name) is None and (name.startswith(f"{_PACKAGE}.") or find_spec(name) is None):
            raise ModuleNotFoundError(f"{name}: there is no source of such a module, whose code was to be watched", name=name)
    if memory is not None:
        _remember(memory)
    before = len(_KNOWN)
    names: set[str] = set()
    names_found = {*_imports(script), *modules}
    while names_found:
        names |= names_found
        paths = [_path(name) for name in names_found if name.split(".")[0] == _PACKAGE]
        names_found = {name for path in paths if path is not None for name in _imports(path)} - names
    total = hashlib.sha256(_read(script)[0].encode())
    # a module that is compiled counts with its version
    libraries = {*_libraries(script), *(name.split(".")[0] for name in modules if _path(name) is None)}
    with_source = {name: path for name in sorted(names) if (path := _path(name))}
    for name, path in with_source.items():
        total.update(f"{name}:{_read(path)[0]}\n".encode() + _content(path))
        libraries.update(_libraries(path))
        if name.startswith(_REGISTRY):
            # what an entry says counts wherever it can be read, what its module computes where that is asked for
            for entries in _entries(path):
                total.update(_read(entries)[1].encode() + _content(entries))
    total.update(json.dumps(sorted({pair for library in libraries for pair in versions(library)})).encode())
    if memory is not None and len(_KNOWN) > before:
        # a disk that must not be written is the jobs' matter
        with contextlib.suppress(UserError, OSError):
            write_text(memory, json.dumps(_KNOWN))
    return total.hexdigest()[:16]


def memory() -> Path:
    """Return the file where what is known of code is kept: beside what Python keeps of this module, else with the run."""
    beside = Path(cache_from_source(__file__)).with_suffix(".json")
    shared = not sys.dont_write_bytecode and os.access(beside.parent, os.W_OK)
    return beside if shared else Path(".snakemake/benchmill-code.json")


def watch(scripts: Path) -> None:
    """Note what the code is as a run begins, for the jobs that this process starts from here on."""
    code = (file for path in [*_ROOT.rglob("*.py"), *_ROOT.rglob("*.so")] for file in (path, *_data(path)))
    begun = {
        "root": str(_ROOT),
        "scripts": [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(scripts.glob("*.py"))],
        "states": {str(file.relative_to(_ROOT)): _state(file) for file in sorted(code)},
    }
    os.environ[_BEGUN_WITH] = json.dumps(begun, separators=(",", ":"))


def check(script: str | Path | None) -> str | None:
    """Look whether a job runs the code that the run began with.

    A module that was edited and put back has another change time: the job may have imported what it was in between.
    """
    begun = json.loads(os.environ.get(_BEGUN_WITH, "null"))
    if begun is None:
        return None
    _, mark, text = Path(script).read_bytes().partition(PREAMBLE_END) if script else (b"", b"", b"")
    if mark and hashlib.sha256(text).hexdigest() not in begun["scripts"]:
        return "its script"
    if begun["root"] != str(_ROOT):
        # another copy of the package, in a container or an environment of its own
        return None
    root = f"{_ROOT}{os.sep}"
    here = {file.removeprefix(root) for file in loaded().values() if file is not None and file.startswith(root)}
    beside = {os.path.splitext(name)[0] for name in here}
    own = sorted(here | {name for name in begun["states"] if os.path.splitext(name)[0] in beside})
    return next((f"src/benchmill/{name}" for name in own if begun["states"].get(name) != _state(root + name)), None)


def loaded() -> dict[str, str | None]:
    """Return the files of the modules of this package that are loaded, by name."""
    # what a job touches is copied for it: of thousands of modules it looks at those alone that were not loaded ahead
    later = takewhile(lambda name: name not in AHEAD, reversed(sys.modules))
    return AHEAD | {name: getattr(sys.modules[name], "__file__", None) for name in later if name.split(".")[0] == _PACKAGE}


def _state(file: str | Path) -> list[int] | None:
    state = os.stat(file) if os.path.exists(file) else None
    return state and [state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]


def _data(path: Path) -> list[Path]:
    return [data for suffix in (".bib", ".csv", ".j2", ".json", ".toml") if (data := path.with_suffix(suffix)).is_file()]


@cache
def _content(path: Path) -> bytes:
    return b"".join(data.read_bytes() for data in _data(path))


@cache
def _path(name: str) -> Path | None:
    parts = name.split(".")
    if parts[0] != _PACKAGE:
        spec = find_spec(name)
        return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None
    base = _ROOT.joinpath(*parts[1:])
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


@cache
def _libraries(path: Path) -> tuple[str, ...]:
    return tuple(sorted({name.split(".")[0] for name, _ in _read(path)[2]} - {_PACKAGE} - sys.stdlib_module_names))


@cache
def versions(library: str) -> tuple[tuple[str, str], ...]:
    """Return name and version of the distribution of a module, and of all that it requires, in the order of their names."""
    versions_of: dict[str, str] = {}
    open_ends = [_CALLED.get(library, library)]
    while open_ends:
        name = re.sub(r"[-_.]+", "-", open_ends.pop()).lower()
        if name not in versions_of and (installed := _distribution(name)):
            versions_of[name], required = installed
            open_ends.extend(required)
    return tuple(sorted(versions_of.items())) or ((library, _loose(library)),)


@cache
def _distribution(name: str) -> tuple[str, list[str]] | None:
    try:
        installed = distribution(name)
    except PackageNotFoundError:
        return None
    required = [line for line in installed.requires or () if "extra" not in line.partition(";")[2]]
    return installed.version, [called[0] for line in required if (called := re.match(r"[\w.-]+", line))]


def _loose(library: str) -> str:
    """Return what identifies a module that belongs to no distribution: its own code."""
    spec = find_spec(library)
    if spec is None:
        return "not installed"
    if not spec.origin or not spec.origin.endswith(".py"):
        raise ModuleNotFoundError(f"{library}: there is no version of this module, whose code was to be watched", name=library)
    return _read(Path(spec.origin))[0]


@cache
def _remember(memory: Path) -> None:
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
        kept = json.loads(memory.read_text("utf-8"))
        _KNOWN.update(
            {
                text: (str(code), str(outer), tuple((name, tuple(below)) for name, below in statements), tuple(named))
                for text, (code, outer, statements, named) in kept.items()
            }
        )


@cache
def _entries(registry: Path) -> list[Path]:
    """Return the modules with entries that a registry names, itself or by a group of entry points."""
    return [path for name in _read(registry)[3] for one in ([name] if _path(name) else installed(name)) if (path := _path(one))]


@cache
def _read(path: Path) -> _Code:
    text = path.read_bytes()
    # another Python has another syntax tree, and what is made of it changes with this file
    key = hashlib.sha256(b"\0".join([sys.version.encode(), _OWN, text])).hexdigest()
    if key not in _KNOWN:
        # a syntax tree knows nothing of comments and layout
        tree = ast.parse(text, path.name)
        statements: list[tuple[str, tuple[str, ...]]] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                statements += [(alias.name, ()) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                statements.append((node.module or "", tuple(alias.name for alias in node.names)))
            elif isinstance(node, ast.Module | _DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
        outer = [node for node in tree.body if not isinstance(node, _DEFINITIONS)]
        texts = [node.value for part in outer for node in ast.walk(part) if isinstance(node, ast.Constant)]
        named = [text for text in texts if isinstance(text, str) and re.fullmatch(rf"{_PACKAGE}(\.\w+)+", text)]
        _KNOWN[key] = _digest(tree), _digest(*outer), tuple(statements), tuple(sorted(set(named)))
    return _KNOWN[key]


def _digest(*nodes: ast.AST) -> str:
    return hashlib.sha256("\n".join(map(ast.dump, nodes)).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Return the modules of this package that a file imports, wherever in it the statement is.

    `from benchmill.x import y` imports the module y where there is one, else a name of x.
    """
    own = ((name, below) for name, below in _read(path)[2] if name.split(".")[0] == _PACKAGE)
    named = {one for name, below in own for one in (name, *(f"{name}.{part}" for part in below))}
    # importing a module runs the __init__ of every package above it
    above = (accumulate(name.split("."), "{}.{}".format) for name in named if _path(name) is not None)
    return tuple(sorted(set(chain.from_iterable(above))))
