"""The methods of inference that a study asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.registry.comparisons import COMPARISONS
from benchmill.registry.corrections import CORRECTIONS
from benchmill.registry.methods import Method
from benchmill.registry.posteriors import POSTERIORS
from benchmill.registry.tests import TESTS

#: Key of the section `inference` of a study -> the registry of what it names.
REGISTRIES: dict[str, Mapping[str, Method]] = {
    "methods": TESTS,
    "comparisons": COMPARISONS,
    "corrections": CORRECTIONS,
    "bayes": POSTERIORS,
}

#: What each of these keys names, in words.
WORDS = {"methods": "tests", "comparisons": "comparisons", "corrections": "corrections", "bayes": "Bayesian comparisons"}

#: Methods that there were, and by key what to write instead.
GONE = (
    *("quade", "aligned_ranks", "bradley_terry", "wilcoxon_pratt", "permutation_studentised", "welch", "brunner_munzel"),
    *("hommel", "hochberg", "finner", "bergmann_hommel", "benjamini_hochberg", "hierarchical"),
)
INSTEAD = {
    "methods": "`cluster_permutation`",
    "comparisons": "`net_wins`, which needs no equal variances, or `wilcoxon`",
    "corrections": "`holm`, or `shaffer` for all pairs",
    "bayes": "`cluster_wins`",
}

#: What `verdicts` calls the analysis whose statements are that two algorithms are as good as each other.
EQUIVALENCE = "equivalence"
#: What that is about, in words.
RATIO_OF_COSTS = "ratio of costs"


def chosen(inference: Mapping[str, Any]) -> list[Method]:
    """Return the tests, comparisons and corrections that the section `inference` of a study names, every default filled in."""
    return [registry[name] for key, registry in REGISTRIES.items() for name in inference[key]]
