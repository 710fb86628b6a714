"""How many trials are missing behind a number: those that a source's own design expects and that are absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.indicators.ecdf import group_members


def within(report: Mapping[str, Any] | None, measure: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a report of which only the missing trials are left that a measure is about."""
    chosen, found = measure or {}, dict(report or {})
    out, about = {str(name) for name in chosen.get("exclude") or ()}, chosen.get("dimensions")
    found["missing"] = [
        entry
        for entry in found.get("missing", ())
        if str(entry.get("problem")) not in out and (about is None or entry.get("dimension") in about)
    ]
    return found


def missing(
    cells: pa.Table,
    names: Sequence[str],
    sources: Sequence[pa.Table],
    reports: Sequence[Mapping[str, Any]],
    groups: Mapping[str, Sequence[str]] | str | None = None,
) -> npt.NDArray[np.int32]:
    """Return the missing trials by cell: those of its algorithm on the problems that its keys name.

    Parameters
    ----------
    groups : mapping of str to sequence of str, or str
        Where `group` is among the names: the problems of each, see `benchmill.indicators.ecdf.ecdf`.

    Returns
    -------
    (n_cells,) array of int32
        A cell all of whose trials are missing counts only if it is among the cells.
    """
    reported = sorted({str(entry["problem"]) for report in reports for entry in report.get("missing", [])})
    members = group_members(groups, reported) if "group" in names else {}
    count: Counter[tuple[Any, ...]] = Counter()
    for table, report in zip(sources, reports, strict=False):
        algorithms = pc.unique(table.column("algorithm").cast(pa.string())).to_pylist()
        for entry in report.get("missing", []):
            own = [entry["algorithm"]] if entry.get("algorithm") is not None else algorithms
            inside = [group for group, problems in members.items() if entry["problem"] in problems] if members else [None]
            instance = None if entry.get("instance") is None else str(entry["instance"])
            for algorithm in own:
                for group in inside:
                    row = {**entry, "instance": instance, "algorithm": algorithm, "group": group}
                    count[tuple(row.get(name) for name in names)] += int(entry.get("count", 1))
    rows = zip(*(cells.column(name).to_pylist() for name in names), strict=True)
    return np.array([count[row] for row in rows], np.int32)
