"""The examples in the documentation of what a notebook calls."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import matplotlib
import pytest

import benchmill.notebook
from benchmill.notebook.objects import Shown

HERE = Path(__file__).parents[2]
MODULES = sorted(f"benchmill.notebook.{found.name}" for found in pkgutil.iter_modules(benchmill.notebook.__path__))
MODULES.append("benchmill.versions.comparison")
#: Its example reads the results of a run.
OF_RESULTS = "benchmill.notebook.results"


@pytest.mark.parametrize("name", [*(name for name in MODULES if name != OF_RESULTS), "benchmill.core"])
def test_examples(name, monkeypatch):
    matplotlib.use("agg")
    monkeypatch.chdir(HERE)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.workflow
def test_examples_of_results(made, monkeypatch):
    monkeypatch.chdir(made.folder)
    found = doctest.testmod(importlib.import_module(OF_RESULTS))
    assert (found.attempted > 0, found.failed) == (True, 0)


def test_every_function_has_an_example():
    import benchmill as bm

    offered = [getattr(bm, name) for name in bm.__all__ if callable(getattr(bm, name))]
    assert len(offered) > 10
    assert [one.__name__ for one in offered if ">>>" not in one.__doc__] == []


def test_the_reference_has_every_name_and_every_object():
    import benchmill as bm

    page = (HERE / "docs/notebook.md").read_text("utf-8")
    functions = re.findall(r"^\.\. auto(?:function|exception):: benchmill\.(\w+)$", page, re.M)
    assert sorted(functions) == sorted(name for name in bm.__all__ if callable(getattr(bm, name)))
    objects = {
        f"{module.__name__}.{name}"
        for module in map(importlib.import_module, MODULES)
        for name, one in vars(module).items()
        if inspect.isclass(one) and issubclass(one, Shown) and one.__module__ == module.__name__ and not inspect.isabstract(one)
    }
    # a part of a summary, which its page describes
    assert set(re.findall(r"autoclass:: (\S+)", page)) == objects - {
        "benchmill.notebook.indicators.Curves",
        "benchmill.notebook.indicators.Outcomes",
        "benchmill.notebook.objects.Result",
    }


def test_type_checkers_know_every_name():
    import benchmill as bm

    stub = (HERE / "src/benchmill/__init__.pyi").read_text("utf-8")
    assert [name for name in bm.__all__ if f" as {name}\n" not in stub and name != "__version__"] == []


def test_what_pages_call_is_there():
    import benchmill as bm

    pages = "\n".join(path.read_text("utf-8") for path in (HERE / "README.md", *(HERE / "docs").glob("*.md")))
    # the module's name and `spans` of the page about a kind of one's own
    called = set(re.findall(r"\bbm\.(?!plot\b)(\w+)\(", pages)) | {"plot"}
    drawn = set(re.findall(r"\bbm\.plot\.(\w+)", pages)) - {"spans"}
    assert called <= {*bm.__all__, "plot"}
    assert drawn <= {*bm.plot.__all__}
