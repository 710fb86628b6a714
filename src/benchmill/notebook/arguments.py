"""Arguments of the front door: the kind of each, so that a wrong one is reported in a sentence before anything is computed."""

import inspect
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from benchmill.core import Given, UserError, Written, beside, options
from benchmill.study.validation import mistakes_of
from benchmill.text.claims import known

P = ParamSpec("P")
R = TypeVar("R")
OptionsT = TypeVar("OptionsT")


#: A key of a configuration with its value, as messages write it.
_KEY = re.compile(r"`(\w+): ([^`{}\[\]]+)`|\b(missing|scale|kind|quantity|floor|x): (\w+)")

#: By the name of an argument the kinds that it may be of, and these in words.
_KINDS = {name: kind for kind in beside.toml(__file__)["kinds"] for name in kind["arguments"].split()}
#: Kinds that are told by their type, whatever they hold.
_TYPES: Written = {
    "name": str,
    "word": (str, bool, int, float, np.generic),
    "path": (str, os.PathLike),
    "frame": pd.DataFrame,
    "mapping": Mapping,
    "values": (list, tuple, set, frozenset),
}


def fits(kind: str, value: Any) -> bool:
    """Tell whether a value is of a kind; behind `of` stands the kind of its items, or which words it may be."""
    form, _, of = kind.partition(" of ")
    if form in _TYPES:
        items = value.values() if isinstance(value, Mapping) else value
        return isinstance(value, _TYPES[form]) and all(fits(of, item) for item in (items if of else ()))
    match form:
        case "one":
            return isinstance(value, str) and value in of.split()
        case "number":
            is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
            return is_number and bool(value == value)
        case "positive":
            return fits("number", value) and value > 0
        case "share":
            return fits("positive", value) and value < 1
        case "whole":
            return bool(pd.api.types.is_integer(value) and value >= 0)
        case "count":
            return fits("whole", value) and value > 0
        case "axes":
            return hasattr(value, "transAxes")
        case "keywords":
            return fits(f"mapping of {of}", value) and fits("list of name", list(value))
        case "some":
            return fits(f"list of {of}", value) and len(value) > 0
        case "problem and one":
            return fits(f"list of one of {of}", value) and "problem" in value
    several = isinstance(value, (*_TYPES["values"], pd.Index, range)) or hasattr(value, "dtype")
    return several and getattr(value, "ndim", 1) == 1 and all(fits(of, item) for item in value)


def look_at(function: str, given: Given) -> None:
    """Raise UserError if an argument is of no use."""
    for name, value in given.items():
        kind = _KINDS.get(f"{function}.{name}") or _KINDS.get(name)
        if kind and not any(fits(one, value) for one in kind["fits"]):
            text = repr(value).replace("\n", " ")
            value_words = text if len(text) < 60 else f"a {type(value).__name__}"
            raise UserError(f"{function}: {name} is {value_words}, expected {kind['words']}.")


@contextmanager
def in_own_words(advice: str | None = None, rows: pd.Index | None = None) -> Iterator[None]:
    """Tell a user's mistake with keywords for keys, the caller's `rows` for lines, and of costs other `advice`."""
    try:
        yield
    except UserError as error:
        text = str(error)
        if advice is not None and "; correct the cost" in text:
            text = f"{text.partition('; correct the cost')[0]}; {advice}."
        if rows is not None:
            text = re.sub(r"\bDataFrame:(\d+)", lambda match: f"row {rows[int(match[1]) - 1]!r} of the DataFrame", text)
        text = _KEY.sub(lambda match: f"{match[1] or match[3]}={_python(match[2] or match[4])}", text)
        raise UserError(text) from None


def _python(value: str) -> str:
    plain = value.capitalize() if value in ("true", "false") else value.strip("'")
    return plain if re.fullmatch(r"True|False|[-+.0-9e]+|\.\.\.", plain) else repr(plain)


def looked_at(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with its arguments looked at first, but for None where that is the default, and `in_own_words`."""
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
        with in_own_words():
            return function(*args, **kwargs)

    return checked


def made(of_kind: type[OptionsT], settings: Given, function: str) -> OptionsT:
    """Make options as `benchmill.core.options.made` does, each of which is what its schema allows."""
    with suppress(TypeError):  # of what is compared with a number and is none
        chosen = options.made(of_kind, settings, function)
    fitting(settings, options.properties(of_kind), function)
    return chosen


def fitting(settings: Given, schema: Given, function: str) -> None:
    """Raise UserError about the first setting that is not there, or that its schema does not allow."""
    for name, value in settings.items():
        allowed = {"properties": {name: schema[known(name, list(schema), "setting", function)]}}
        plain = json.loads(json.dumps(value, default=lambda one: getattr(one, "tolist", partial(repr, one))()))
        for mistake in (
            mistakes_of({name: plain}, allowed) if value is not None and schema[name].get("format") != "targets" else ()
        ):
            raise UserError(f"{function}: {mistake}")
