"""Scores of a pair of algorithms in each cluster: what carries a verdict, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmill.core import keys
from benchmill.inference import clusters
from benchmill.inference.design import Design
from benchmill.inference.effects import net_wins


def of_pair(designs: Sequence[Design], cluster_keys: Sequence[keys.Key], first: str, second: str) -> pd.DataFrame:
    """Return one row a cluster: its name, cells, and the mean net share of wins of the first algorithm over the second.

    The mean of `score` over the rows is the effect that the verdict states. Rows with the least are first: those against.
    """
    of, found = clusters.named(designs, cluster_keys)
    cells = [net_wins(one.values[:, [one.treatments.index(first), one.treatments.index(second)]]) for one in designs]
    score = clusters.means(np.concatenate(cells), of)[:, 0] if of.size else np.zeros(0)
    rows = pd.DataFrame({"cluster": clusters.in_words(found), "n_cells": np.bincount(of, minlength=len(found)), "score": score})
    return rows.sort_values("score", kind="stable", ignore_index=True)


def of_cells(designs: Sequence[Design], first: str, second: str) -> pd.DataFrame:
    """Return one row a cell: its problem, target or budget, the median cost of each algorithm, and the score of the first."""
    parts = []
    for one in designs:
        at = [one.treatments.index(first), one.treatments.index(second)]
        values = one.values[:, at]
        part = pd.DataFrame(one.problems or [{"problem": block} for block in one.blocks])
        middle = np.quantile(values, 0.5, axis=2, method="inverted_cdf") if values.size else np.zeros((0, 2))
        parts.append(part.assign(target=one.target, at_budget=one.at_budget, cost_a=middle[:, 0], cost_b=middle[:, 1]))
        parts[-1]["score"] = net_wins(values)[:, 0]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
