"""Arguments of the front door: the kind of each, so that a wrong one is reported in a sentence before anything is computed."""

import inspect
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from benchmill.core import options
from benchmill.core.errors import UserError
from benchmill.core.keys import FAMILY
from benchmill.study.validation import mistakes_of
from benchmill.text.claims import known

P = ParamSpec("P")
R = TypeVar("R")
OptionsT = TypeVar("OptionsT")


def _number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and bool(value == value)


def _share(value: Any) -> bool:
    return _number(value) and 0 < value < 1


def _name(value: Any) -> bool:
    return isinstance(value, str)


def _several(fits: Callable[[Any], bool], value: Any) -> bool:
    several = isinstance(value, list | tuple | set | frozenset | pd.Index | range) or hasattr(value, "dtype")
    return several and getattr(value, "ndim", 1) == 1 and all(map(fits, value))


def _mapping(fits: Callable[[Any], bool], value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(fits, value.values()))


def _word(value: Any) -> bool:
    return isinstance(value, str | bool | int | float | np.generic)


#: What a problem, and a cluster of them, can be made of.
_KEYS = ("suite", "problem", "dimension", "instance")


#: What arguments of the same name are in all functions: tests of which one holds, in words, and which.
_KINDS: tuple[tuple[tuple[Callable[[Any], bool], ...], str, str], ...] = (
    (
        (_name,),
        "a name",
        "algorithm problem cost suite dimension instance run seed evaluations value optimum status objective "
        "base_algorithm control criterion first second method correction",
    ),
    ((_name,), "a word", "kind name variant format aggregate missing design rule"),
    ((lambda value: _name(value) and value in ("error", "failure", "missing"),), "'error', 'failure' or 'missing'", "empty"),
    ((lambda value: _name(value) and value in ("min", "max"),), "'min' or 'max'", "direction"),
    (
        (_name, partial(_several, _name)),
        "a name or a list of names",
        "not_competing exclude methods comparisons corrections stratify profile.by",
    ),
    ((_name, partial(_several, _word)), "a name or a list of columns", "wide"),
    ((_name, lambda value: _several(_name, value) and len(value) > 0), "the name of a column, or a list of them", "factors"),
    ((lambda value: isinstance(value, pd.DataFrame),), "a DataFrame of pandas", "compare_factors.data"),
    (
        (lambda value: _several(_KEYS.__contains__, given := [value] if _name(value) else value) and "problem" in given,),
        "problem and, as needed, suite, dimension and instance",
        "problem_keys",
    ),
    (
        (lambda value: _several((*_KEYS, FAMILY).__contains__, [value] if _name(value) else value) and len(value) > 0,),
        "some of suite, problem, dimension, instance and family",
        "cluster_keys",
    ),
    ((lambda value: hasattr(value, "transAxes"),), "one set of axes of Matplotlib", "ax"),
    ((_name, partial(_mapping, _number)), "a word or such as {'common': 1000}", "budget_rule"),
    ((_number,), "a number", "margin shift mean_shift plot.dimension"),
    ((lambda value: _number(value) and value > 0,), "a number above 0", "horizon"),
    ((lambda value: pd.api.types.is_integer(value) and value > 0,), "a whole number from 1", "permutations"),
    ((_share,), "a number between 0 and 1, such as 0.95", "level"),
    ((_share,), "a number between 0 and 1, such as 0.05", "alpha"),
    ((lambda value: pd.api.types.is_integer(value) and value >= 0,), "a whole number from 0", "seed"),
    ((partial(_several, _number),), "a list of numbers", "brackets dimensions"),
    (
        (partial(_several, _number), partial(_mapping, partial(_several, _number))),
        "a list of numbers or such as {'evaluations': [1000, 5000]}",
        "budgets",
    ),
    (
        (partial(_several, _number), lambda value: _mapping(_number, value) and all(map(_name, value))),
        "a list of numbers or such as {'from': 100, 'to': 1e-8, 'number': 51}",
        "targets",
    ),
    ((lambda value: _number(value) and value > 0, _name), "a number above 0 or the name of a column", "limit"),
    (
        (
            _word,
            lambda value: isinstance(value, list | tuple | set | frozenset) and all(map(_word, value)),
            partial(_mapping, _word),
        ),
        "a value, a list of values or a mapping of them",
        "solved failed",
    ),
    (
        (lambda value: False,),
        "in its place failed={'TIMEOUT': 'time_limit'} or solved=['ok'], with status='...' where a column of its own has them",
        "costs.outcomes read.outcomes",
    ),
    (
        (lambda value: False,),
        "in its place a keyword for each column, such as algorithm='solver' or cost='seconds'",
        "costs.columns read.columns",
    ),
    ((lambda value: isinstance(value, str | os.PathLike),), "a path", "best_known folder cache mirror"),
    ((lambda value: isinstance(value, Mapping),), "a mapping", "base_options new_options"),
    ((_name, lambda value: isinstance(value, Mapping)), "a name or a mapping of settings", "measure"),
)
_EXPECTED = {name: (tests, words) for tests, words, named in _KINDS for name in named.split()}


def look_at(function: str, given: Mapping[str, Any]) -> None:
    """Raise UserError if an argument is of no use."""
    for name, value in given.items():
        tests, words = _EXPECTED.get(f"{function}.{name}") or _EXPECTED.get(name, ((), ""))
        if tests and not any(test(value) for test in tests):
            text = repr(value).replace("\n", " ")
            value_words = text if len(text) < 60 else f"a {type(value).__name__}"
            raise UserError(f"{function}: {name} is {value_words}, expected {words}.")


def looked_at(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with its arguments looked at first, but for None where that is the default."""
    signature, name = inspect.signature(function), function.__name__
    usual = {key for key, parameter in signature.parameters.items() if parameter.default is None}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise UserError(f"{name}: {error}; expected {name}({', '.join(signature.parameters)}).") from None
        given = {**dict(zip(signature.parameters, args, strict=False)), **kwargs}
        look_at(name, {key: value for key, value in given.items() if value is not None or key not in usual})
        return function(*args, **kwargs)

    return checked


def made(of_kind: type[OptionsT], settings: Mapping[str, Any], function: str) -> OptionsT:
    """Make options as `benchmill.core.options.made` does, each of which is what its schema allows."""
    with suppress(TypeError):  # of what is compared with a number and is none
        chosen = options.made(of_kind, settings, function)
    fitting(settings, options.properties(of_kind), function)
    return chosen


def fitting(settings: Mapping[str, Any], schema: Mapping[str, Any], function: str) -> None:
    """Raise UserError about the first setting that is not there, or that its schema does not allow."""
    for name, value in settings.items():
        allowed = {"properties": {name: schema[known(name, list(schema), "setting", function)]}}
        plain = json.loads(json.dumps(value, default=lambda one: getattr(one, "tolist", partial(repr, one))()))
        for mistake in (
            mistakes_of({name: plain}, allowed) if value is not None and schema[name].get("format") != "targets" else ()
        ):
            raise UserError(f"{function}: {mistake}")
