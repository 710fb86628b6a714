"""Families of problems as clusters, in words."""

import pyarrow as pa

from benchmill.text import prose

#: Fewer clusters than these decide nothing at 5 %.
_DECIDE = 6
#: The setting with which each problem is a cluster of its own.
UNDONE = "`cluster_keys: [suite, problem]`"


def sentence(families: pa.Table | None, flipped: bool = True) -> str:
    """Say which families are the clusters and why, and whether so few could decide where they are flipped; or nothing."""
    chosen = [] if families is None else families.filter(families.column("chosen")).to_pylist()
    if not chosen:
        return ""
    return prose.said(__file__, row=chosen[0], undone=UNDONE, few=flipped and chosen[0]["n_families"] < _DECIDE)
