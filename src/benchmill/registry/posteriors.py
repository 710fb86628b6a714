"""The Bayesian comparisons of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

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

    room = "benchmill.inference"

    needs: str
    scale: str = ""


_ALL = (
    BayesianComparison(
        name="cluster_wins",
        words="Bayesian comparison of net wins",
        function="of_cells",
        references=("morey2011",),
        phrase="a Bayesian t test of the net shares of wins in the clusters",
        note="over clusters, with a probability of its own for a draw",
        failures=True,
        normalised=False,
        of_clusters=True,
        needs="problems on which every algorithm has runs",
        scale="net share of wins",
    ),
    BayesianComparison(
        name="signed_rank",
        words="Bayesian signed-rank comparison",
        module="benchmill.inference.bayes",
        function="of_medians",
        references=("benavoli2017",),
        phrase="the Bayesian signed-rank test",
        note="over the problems",
        failures=True,
        needs="problems on which every algorithm has runs",
    ),
)

#: By name, in the order of the documentation.
POSTERIORS = {comparison.name: comparison for comparison in _ALL}
