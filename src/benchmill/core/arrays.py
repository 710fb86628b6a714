"""Types of arrays: numbers, places and counts, and truth values; and how undefined numbers are tolerated."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Ranks = NDArray[np.int32]
Mask = NDArray[np.bool_]
#: What takes none has numbers of its own for it.
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


def chunks(n: int, size: int) -> Iterator[slice]:
    """Yield slices that cover n places, each of so many of them, or of one where that is 0, but the last."""
    for first in range(0, n, max(1, size)):
        yield slice(first, min(first + max(1, size), n))


def reals(values: ArrayLike) -> Array:
    """Return values as an array of floating-point numbers."""
    return np.asarray(values, float)
