"""The Bayesian comparisons of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Registry
from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class BayesianComparison(Method):
    """A Bayesian comparison of two algorithms.

    Attributes
    ----------
    needs : str
        What it needs of a design, as said where it could not be computed.
    scale : str
        What the region is about, where that is not the normalised costs.
    """

    needs: str
    scale: str = ""


POSTERIORS = Registry(
    BayesianComparison,
    "benchmill.posteriors",
    "benchmill.inference.bayes",
)
