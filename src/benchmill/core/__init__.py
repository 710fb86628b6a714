"""Define what every room builds on: the error for mistakes, names as people read and sort them, types of arrays and settings."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

#: Settings or other facts by name, as somebody gives them, to be read; and as they are written out.
Given = Mapping[str, Any]
Written = dict[str, Any]
#: Names in an order.
Names = tuple[str, ...]
#: Words, and numbers, by name.
Words = Mapping[str, str]
Amounts = Mapping[str, float]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Ranks = NDArray[np.int32]
Mask = NDArray[np.bool_]
#: Numbers, or None where a function shall take its own.
MaybeArray = ArrayLike | None
#: Whole numbers of any size, numbers of any kind, and these by name.
Whole = NDArray[np.integer]
Numbers = NDArray[Any]
Named = dict[str, Numbers]

TwoArrays = tuple[Array, Array]
#: Where random numbers come from.
Generator = np.random.Generator

#: A context in which what is not defined is NaN or infinite, without a warning.
quietly = partial(np.errstate, divide="ignore", invalid="ignore")

AnyPath = str | Path
OptionsT = TypeVar("OptionsT")


class UserError(Exception):
    """Something the user gave cannot be used.

    The message is one sentence a user can act on: where (file and line, or config key), what was
    found, what was expected, what to do. It is shown as it stands, without a traceback.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": ["A", "B"], "problem": ["p", "p"], "cost": [1.0, None]})
    >>> try:
    ...     bm.costs(df)
    ... except bm.UserError as mistake:
    ...     print(mistake)
    row 1 of the DataFrame: column 'cost' is empty; expected a number or inf (or declare empty='failure' or empty='missing').
    """


def delete(path: AnyPath) -> str:
    """Return what to do with a damaged result; a link into a shared store is damaged there."""
    file = Path(path)
    if file.is_symlink():
        return f"delete it and {file.resolve()}, which it is a link to, and make it again"
    return "delete the file and make it again"


def shown(text: str) -> str:
    """Drop control and format characters; runs of blanks and line breaks become one blank."""
    # what is left of blanks are plain ones, so that nothing but such characters is unprintable
    return visible(" ".join(text.split())).strip()


def visible(text: str) -> str:
    """Drop control and format characters."""
    if text.isprintable():
        return text
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))


_DIGITS = re.compile(r"([0-9]+)")


def natural_key(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a key to sort by under which `f2` comes before `f10`, ignoring case; None first."""
    return () if text is None else (*map(_key_of_part, filter(None, _DIGITS.split(text))), (-1, 0, text))


@lru_cache(2**16)
def _key_of_part(part: str) -> tuple[int, int, str]:
    # A number of thousands of digits is not for `int`.
    return (0, int(part), "") if _DIGITS.match(part) and len(part) < 1000 else (1, 0, part.casefold())


@dataclass_transform(frozen_default=True)
def frozen(kind: type[OptionsT]) -> type[OptionsT]:
    """Make a class a frozen dataclass."""
    return dataclass(frozen=True)(kind)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(kind: type[OptionsT]) -> type[OptionsT]:
    """Make a class a frozen dataclass whose fields are given by name."""
    return dataclass(frozen=True, kw_only=True)(kind)


def chunks(n: int, size: int) -> Iterator[slice]:
    """Yield slices that cover n places, each of so many of them, or of one where that is 0, but the last."""
    for first in range(0, n, max(1, size)):
        yield slice(first, min(first + max(1, size), n))


def reals(values: ArrayLike) -> Array:
    """Return values as an array of floating-point numbers."""
    return np.asarray(values, float)
