"""Types of arrays: numbers, places and counts, and truth values; and how undefined numbers are tolerated."""

from functools import partial
from typing import Any

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

#: A context in which what is not defined is NaN or infinite, without a warning.
quietly = partial(np.errstate, divide="ignore", invalid="ignore")
