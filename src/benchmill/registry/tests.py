"""The tests that all algorithms are equal: the one place that configuration, analysis, tables and texts read them from."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Registry
from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class OmnibusTest(Method):
    """A test that all algorithms are equal.

    Attributes
    ----------
    no_interaction : bool
        Whether it assumes that algorithms differ alike on all problems.
    """

    no_interaction: bool = False


TESTS = Registry(
    OmnibusTest,
    "benchmill.tests",
    "benchmill.inference.clusters",
    "benchmill.inference.log_rank",
    "benchmill.inference.friedman",
    "benchmill.inference.anova",
    "benchmill.inference.permutation",
    "benchmill.reproduction.chiarandini2005",
)

#: What a study tests with unless it says otherwise.
USUAL = ("cluster_permutation",)
