"""Types of arrays: numbers, places and counts, and truth values; and how undefined numbers are tolerated."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

ArrayLike = npt.ArrayLike
Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
#: Of any kind.
Numbers = npt.NDArray[Any]

#: A context in which what is not defined is NaN or infinite, without a warning.
quietly = partial(np.errstate, divide="ignore", invalid="ignore")
