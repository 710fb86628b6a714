"""Drawings of one panel into one set of axes, by default the current ones, as in seaborn.

They work in `seaborn.FacetGrid(...).map_dataframe(...)`; `palette` is a palette's name, a list of colours, or colours by
algorithm.

Examples
--------
>>> import pandas as pd
>>> import benchmill as bm
>>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": list("pqpq"), "cost": [1.0, 3.0, 2.0, 2.5]})
>>> bm.plot.profile(bm.profile(bm.costs(df)).frame, palette={"A": "black", "B": "tab:red"}).get_xlabel()
'τ'
"""

import sys
from collections.abc import Callable
from typing import Any

from benchmill.registry.figures import KINDS

__all__ = sorted(name for name, kind in KINDS.items() if kind.drawn)


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    drawing: Callable[..., Any] = KINDS[name].load().plot
    return drawing
