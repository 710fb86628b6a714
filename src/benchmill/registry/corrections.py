"""The corrections of p values for the number of pairs."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Registry
from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class Correction(Method):
    """A correction of p values for the number of comparisons.

    Attributes
    ----------
    corrects : bool
        Whether the adjusted p values are other ones than those of the pairs alone.
    all_pairs : bool
        Whether it needs the p values of all pairs of some algorithms.
    """

    corrects: bool = True
    all_pairs: bool = False


CORRECTIONS = Registry(
    Correction,
    "benchmill.corrections",
    "benchmill.inference.corrections",
    "benchmill.inference.clusters",
    "benchmill.inference.comparisons",
    "benchmill.reproduction.chiarandini2005",
)

#: What a study corrects by unless it says otherwise.
USUAL = ("holm",)
