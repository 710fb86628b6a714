"""The algorithms that compete: what a study shows but does not rank enters no statement."""

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys, schema
from benchmill.core.problem_values import KEYS


def without(table: pa.Table, not_competing: Collection[str]) -> pa.Table:
    """Return the rows of a table without those of algorithms that do not compete."""
    if not not_competing:
        return table
    return table.filter(pc.invert(pc.is_in(table.column("algorithm").cast(pa.string()), pa.array(not_competing, pa.string()))))


def ratios_without(ratios: pa.Table, not_competing: Collection[str]) -> pa.Table:
    """Return the ratios of one measure for the algorithms that compete, with `included` counted for these alone.

    The ratios stay those to the best of all. A problem on which only the others have trials is none, and one on which only the
    others lack them is included.
    """
    if not not_competing:
        return ratios
    left = without(ratios, not_competing)
    cell, cells = keys.cells(left, KEYS)
    tried = np.bincount(cell, left.column("n_trials").to_numpy() > 0, cells.num_rows) > 0
    # where a missing trial is a failure there is a row for it
    everywhere = np.bincount(cell, minlength=cells.num_rows) == keys.cells(left, ["algorithm"])[1].num_rows
    return schema.replaced(left, included=everywhere[cell]).filter(pa.array(tried[cell]))
