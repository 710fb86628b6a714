"""The rooms whose modules are mutated, and the tests that should notice."""

from dataclasses import dataclass
from pathlib import Path

import benchmill

PACKAGE = Path(benchmill.__file__).parent
TESTS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Room:
    """Modules by name, and the paths of their tests."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


def _room(modules, *tests):
    return Room(tuple(f"benchmill.{module}" for module in modules), tuple(str(TESTS / test) for test in tests))


def _stage(name):
    return _room(_inside(name), name, "reproduction", "reference")


def _inside(name):
    folder = PACKAGE / name
    return name.replace("/", "."), *sorted(
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in folder.rglob("[!_]*.py")
    )


_GROUND = ("keys", "ranks", "replicates", "step_functions")
#: What a configuration says, and what is made of it before any job.
_CONFIGURATION = ("algorithms", "configuration", "sources", "study", "validation", "yaml_text")

ROOMS = {name: _stage(name) for name in ("costs", "profiles", "indicators", "inference")} | {
    "ground": _room([f"core.{name}" for name in _GROUND], *(f"core/test_{name}.py" for name in _GROUND)),
    "readers": _room(_inside("readers"), "readers"),
    "tables": _room(_inside("exhibits/tables"), "exhibits/tables"),
    "figures": _room(_inside("exhibits/figures"), "exhibits/figures"),
    "configuration": _room(
        ["core.options", "registry.entry", *(f"study.{name}" for name in _CONFIGURATION)],
        *("workflow/test_algorithms.py", "workflow/test_study.py", "workflow/test_yaml_text.py"),
        *("core/test_options.py", "registry"),
    ),
}
