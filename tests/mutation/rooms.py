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
    inside = sorted(f"{name}.{path.stem}" for path in (PACKAGE / name).glob("[!_]*.py"))
    return _room((name, *inside), name, "reproduction", "reference")


_GROUND = ("keys", "ranks", "replicates", "step_functions")

ROOMS = {name: _stage(name) for name in ("costs", "profiles", "indicators", "inference")} | {
    "ground": _room((f"core.{name}" for name in _GROUND), *(f"core/test_{name}.py" for name in _GROUND))
}
