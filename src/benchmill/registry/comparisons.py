"""The comparisons of all pairs: the one place that configuration, analysis, figures, tables and texts read them from."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Registry
from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class Comparison(Method):
    """A comparison of all pairs of algorithms.

    Attributes
    ----------
    correction : str
        Its own, a key of `benchmill.registry.corrections.CORRECTIONS`; empty where studies choose one.
    common_msd : bool
        Whether it gives a minimum significant difference that holds for all pairs.
    panel : str
        Heading of its panel in a figure of intervals, where it has a common difference.
    """

    correction: str = ""
    common_msd: bool = False
    panel: str = ""


COMPARISONS = Registry(
    Comparison,
    "benchmill.comparisons",
    "benchmill.inference.clusters",
    "benchmill.inference.log_rank",
    "benchmill.inference.comparisons",
    "benchmill.reproduction.chiarandini2005",
)

#: What a study compares with unless it says otherwise.
USUAL = ("net_wins",)
