"""The examples in the documentation of what a notebook calls."""

import doctest
import importlib
import pkgutil

import matplotlib
import pytest

import benchmill.notebook

MODULES = sorted(f"benchmill.notebook.{found.name}" for found in pkgutil.iter_modules(benchmill.notebook.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    matplotlib.use("agg")
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_function_has_an_example():
    import benchmill as bm

    functions = [getattr(bm, name) for name in bm.__all__ if callable(getattr(bm, name)) and name not in ("UserError", "inspect")]
    assert functions
    assert [function.__name__ for function in functions if ">>>" not in function.__doc__] == []
