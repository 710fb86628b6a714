"""Make the figures, tables and verdicts of a benchmarking paper from raw solver logs.

In a notebook: ``import benchmill as bm``. `fetch` gets logs from public archives by name, `read` and `inspect` take logs,
`costs` measures runs or takes a DataFrame; `profile`, `ert`, `ecdf`, `indicators`, `kaplan_meier`, `summary` and `compare` make
of costs what a paper shows; `load` finds the results of a finished run. What each gives can be drawn or shown, written as LaTeX
or Markdown, and is a DataFrame inside.
"""

import importlib
import sys
import types

__version__ = "1.0.0rc1"

#: What a notebook calls: name to the module that has it, imported when it is asked for.
_OFFERED = {
    "UserError": "benchmill.core",
    "compare": "benchmill.notebook.comparison",
    "compare_factors": "benchmill.notebook.indicators",
    "compare_versions": "benchmill.versions.comparison",
    "costs": "benchmill.notebook.costs",
    "ecdf": "benchmill.notebook.indicators",
    "ert": "benchmill.notebook.indicators",
    "fetch": "benchmill.notebook.runs",
    "indicators": "benchmill.notebook.indicators",
    "inspect": "benchmill.notebook.runs",
    "kaplan_meier": "benchmill.notebook.indicators",
    "load": "benchmill.notebook.results",
    "plot": "benchmill.notebook",
    "profile": "benchmill.notebook.indicators",
    "read": "benchmill.notebook.runs",
    "summary": "benchmill.notebook.indicators",
}

__all__ = ["__version__", *_OFFERED]


class _Package(types.ModuleType):
    """The package, whose functions go by the same name as two of its rooms.

    Python sets a submodule as an attribute of its package when it is imported. `benchmill.costs` is the function all the same:
    modules are imported by `from benchmill.costs import ...`, which needs no attribute.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _OFFERED and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if name not in _OFFERED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
        module = importlib.import_module(_OFFERED[name])
        offered = importlib.import_module(f"{_OFFERED[name]}.{name}") if name == "plot" else getattr(module, name)
        self.__dict__[name] = offered
        return offered

    def __dir__(self) -> list[str]:
        return sorted(__all__)


sys.modules[__name__].__class__ = _Package
