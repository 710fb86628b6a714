"""Arguments of the front door: of which kind each is, so that a wrong one is told in a sentence before anything is computed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from benchmill.core.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")


def _number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and bool(value == value)


def _share(value: Any) -> bool:
    return _number(value) and 0 < value < 1


def _name(value: Any) -> bool:
    return isinstance(value, str)


def _several(of: Callable[[Any], bool], value: Any) -> bool:
    several = isinstance(value, list | tuple | set | frozenset | pd.Index | range) or hasattr(value, "dtype")
    return several and getattr(value, "ndim", 1) == 1 and all(map(of, value))


def _mapping(of: Callable[[Any], bool], value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(of, value.values()))


def _word(value: Any) -> bool:
    return isinstance(value, str | bool | int | float | np.generic)


#: What arguments of the same name are in all functions: tests of which one holds, in words, and which.
_KINDS: tuple[tuple[tuple[Callable[[Any], bool], ...], str, str], ...] = (
    (
        (_name,),
        "a name",
        "algorithm problem cost suite dimension instance run seed evaluations value optimum status objective "
        "base_algorithm control criterion",
    ),
    ((_name,), "a word", "direction empty kind name variant format aggregate family missing budget_rule design rule"),
    (
        (_name, partial(_several, _name)),
        "a name or a list of names",
        "problem_keys not_competing exclude wide methods comparisons corrections profile.by",
    ),
    (
        (
            lambda value: _several(
                ["suite", "problem", "dimension", "instance", "family"].__contains__, [value] if _name(value) else value
            ),
        ),
        "some of suite, problem, dimension, instance and family",
        "cluster_keys",
    ),
    ((_number,), "a number", "margin shift mean_shift"),
    ((lambda value: _number(value) and value > 0,), "a number above 0", "horizon"),
    ((lambda value: pd.api.types.is_integer(value) and value > 0,), "a whole number from 1", "permutations"),
    ((_share,), "a number between 0 and 1, such as 0.95", "level"),
    ((_share,), "a number between 0 and 1, such as 0.05", "alpha"),
    ((lambda value: pd.api.types.is_integer(value) and value >= 0,), "a whole number from 0", "seed"),
    ((partial(_several, _number),), "a list of numbers", "brackets dimensions budgets"),
    (
        (partial(_several, _number), lambda value: _mapping(_number, value) and all(map(_name, value))),
        "a list of numbers or such as {'from': 100, 'to': 1e-8, 'number': 51}",
        "targets",
    ),
    ((_number, _name), "a number or a name", "limit"),
    (
        (
            _word,
            lambda value: isinstance(value, list | tuple | set | frozenset) and all(map(_word, value)),
            partial(_mapping, _word),
        ),
        "a value, a list of values or a mapping of them",
        "solved failed",
    ),
    ((lambda value: isinstance(value, str | os.PathLike),), "a path", "best_known folder cache mirror"),
    ((lambda value: isinstance(value, Mapping),), "a mapping", "base_options new_options bands"),
    ((_name, lambda value: isinstance(value, Mapping)), "a name or a mapping of settings", "measure"),
)
_EXPECTED = {name: (tests, words) for tests, words, named in _KINDS for name in named.split()}


def look_at(function: str, given: Mapping[str, Any]) -> None:
    """Raise UserError if an argument is of no use."""
    for name, value in given.items():
        tests, words = _EXPECTED.get(f"{function}.{name}") or _EXPECTED.get(name, ((), ""))
        if tests and not any(test(value) for test in tests):
            text = repr(value).replace("\n", " ")
            found = text if len(text) < 60 else f"a {type(value).__name__}"
            raise UserError(f"{function}: {name} is {found}, expected {words}.")


def looked_at(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with its arguments looked at first, but for None where that is the default."""
    parameters = inspect.signature(function).parameters
    usual = {name for name, parameter in parameters.items() if parameter.default is None}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        given = {**dict(zip(parameters, args, strict=False)), **kwargs}
        look_at(function.__name__, {name: value for name, value in given.items() if value is not None or name not in usual})
        return function(*args, **kwargs)

    return checked
