"""Arrays of numbers as the page carries them: the bytes of NumPy arrays in base 64, each array once."""

from __future__ import annotations

import base64

import numpy as np
import numpy.typing as npt


class Store:
    """The arrays of a page, each once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: dict[str, int] = {}

    def put(self, values: npt.ArrayLike, kind: str = "d") -> int:
        """Number of the array under which the page finds it."""
        array = np.ascontiguousarray(values, {"d": "<f8", "i": "<i4", "h": "<u2"}[kind])
        text = f"{kind}:{base64.b64encode(array.tobytes()).decode()}"
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
        return self._places[text]

    def counts(self, values: npt.NDArray[np.int64]) -> int:
        """The same for numbers of trials: two bytes each where that is enough."""
        return self.put(values, "h" if values.max(initial=0) < 2**16 else "i")
