"""Types of arrays: numbers, places and counts, and truth values; and how undefined numbers are tolerated."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Ranks = NDArray[np.int32]
Mask = NDArray[np.bool_]
#: Whole numbers of any size, and numbers of any kind.
Whole = NDArray[np.integer]
Numbers = NDArray[Any]

TwoArrays = tuple[Array, Array]
#: Where random numbers come from.
Generator = np.random.Generator

_Named = TypeVar("_Named")

#: A context in which what is not defined is NaN or infinite, without a warning.
quietly = partial(np.errstate, divide="ignore", invalid="ignore")


def numbered(values: Iterable[_Named]) -> tuple[Index, list[_Named]]:
    """Number values as they first appear; return the number of each, and the distinct ones."""
    number: dict[_Named, int] = {}
    codes = np.array([number.setdefault(value, len(number)) for value in values], np.int64)
    return codes, list(number)


def lasts(*columns: Numbers) -> Mask:
    """Return which rows are the last of those that follow each other and are alike in some columns."""
    differ = [np.append(column[1:] != column[:-1], True)[: column.size] for column in columns]
    return np.asarray(np.logical_or.reduce(differ), bool)


def chunks(n: int, size: int) -> Iterator[slice]:
    """Yield slices that cover n places, each of so many of them, or of one where that is 0, but the last."""
    step = max(1, size)
    for first in range(0, n, step):
        yield slice(first, min(first + step, n))
