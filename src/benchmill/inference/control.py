"""One algorithm against each of the others: the pairs that include it, corrected as a family of their own."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.inference.corrections import adjusted, smallest_adjusted
from benchmill.registry.corrections import CORRECTIONS

#: What tells one family from another.
_FAMILY = ("measure", "target", "at_budget", "stratum", "method", "correction")
#: What holds for all pairs together, or has no sign that turns with the pair.
OF_ALL_PAIRS = ("low", "high", "statistic", "msd", "smallest_epsilon")


def against(comparisons: pa.Table, control: str) -> pa.Table:
    """Take the pairs of one algorithm out of those of all, and correct their p values for these pairs alone.

    The control, chosen before the data were seen, is `algorithm_a`. `low`, `high`, `statistic`, `msd` and `smallest_epsilon` are
    null; methods and corrections that are defined for all pairs only have no rows.

    Raises
    ------
    UserError
        There is no such algorithm, or no correction can be made for its pairs alone.
    """
    rows = comparisons.to_pylist()
    names = dict.fromkeys(row[key] for row in rows for key in ("algorithm_a", "algorithm_b"))
    if rows and control not in names:
        raise UserError(f"control: there is no algorithm {control!r}; choose from {', '.join(names)}.")
    able = [row for row in rows if CORRECTIONS[row["correction"]].asked and not CORRECTIONS[row["correction"]].all_pairs]
    if rows and not able:
        found = ", ".join(dict.fromkeys(f"{row['method']} with {row['correction']}" for row in rows))
        raise UserError(
            f"control: {found} cannot be corrected for the pairs of one algorithm alone; compare with "
            "`comparisons: wilcoxon` and `corrections: holm`, or take the statements of the verdict."
        )
    mine = [_turned(row, control) for row in able if control in (row["algorithm_a"], row["algorithm_b"])]
    for _, members in groupby(mine, key=lambda row: [row[key] for key in _FAMILY]):
        _correct(list(members))
    return schema.of_rows("comparisons", mine)


def _turned(row: dict[str, Any], control: str) -> dict[str, Any]:
    row = {**row, **dict.fromkeys(OF_ALL_PAIRS)}
    if row["algorithm_a"] == control:
        return row
    low, high = row["a_better_low"], row["a_better_high"]
    return {
        **row,
        "algorithm_a": control,
        "algorithm_b": row["algorithm_a"],
        # not -0.0
        "difference": None if row["difference"] is None else 0.0 - row["difference"],
        "a_better": None if row["a_better"] is None else 1.0 - row["a_better"],
        "a_better_low": None if high is None else 1.0 - high,
        "a_better_high": None if low is None else 1.0 - low,
    }


def _correct(family: list[dict[str, Any]]) -> None:
    correction, least = family[0]["correction"], family[0]["p_min"]
    p = adjusted(np.array([row["p"] for row in family], float), correction)
    for row, value in zip(family, p.tolist(), strict=True):
        row["p_adjusted"] = None if np.isnan(value) else value
        row["significant"] = bool(value <= row["alpha"])
        row["p_adjusted_min"] = None if least is None else smallest_adjusted(least, len(family), correction)
