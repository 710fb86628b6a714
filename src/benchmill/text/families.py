"""Families of problems as clusters, in words."""

import pyarrow as pa

from benchmill.text import display

#: Fewer clusters than these decide nothing at 5 %.
_DECIDE = 6
#: The setting with which each problem is a cluster of its own.
UNDONE = "`cluster_keys: [suite, problem]`"


def sentence(families: pa.Table | None, flipped: bool = True) -> str:
    """Say which families are the clusters and why, and whether so few could decide where they are flipped; or nothing."""
    chosen = [] if families is None else families.filter(families.column("chosen")).to_pylist()
    if not chosen:
        return ""
    row = chosen[0]
    return display.joined(
        f"Problems of one family ({row['by']}) are more alike than others (intra-class correlation "
        f"{display.number(row['correlation'], 2)}, p {display.p_phrase(row['p'])}): the "
        f"{display.count(row['n_families'])} families are the clusters, not the problems ({UNDONE} undoes it).",
        "So few clusters can decide nothing at 5 %." if flipped and row["n_families"] < _DECIDE else "",
    )
