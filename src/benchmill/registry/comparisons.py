"""The comparisons of all pairs: the one place that configuration, analysis, figures, tables and texts read them from."""

from __future__ import annotations

from dataclasses import dataclass

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

    room = "benchmill.inference"

    correction: str = ""
    common_msd: bool = False
    panel: str = ""


_MODULE = "benchmill.inference.comparisons"

_ALL = (
    Comparison(
        name="net_wins",
        words="net share of wins over clusters",
        module="benchmill.inference.clusters",
        function="pairs_of",
        references=("westfall1993", "romano2005"),
        phrase="the net share of wins over clusters of problems, tested by flips of the signs of whole clusters",
        failures=True,
        normalised=False,
        correction="max_t",
        answers_interaction=True,
        of_clusters=True,
    ),
    Comparison(
        name="log_rank_pairs",
        words="log-rank test of pairs, over clusters",
        module="benchmill.inference.log_rank",
        function="pairs",
        references=("mantel1966", "peto1977"),
        phrase="the log-rank test of the pairs, stratified by problem, with failed runs censored at their budgets, tested by "
        "flips of the signs of whole clusters",
        note="with failed runs censored at their budgets; for running times in a replicated design",
        failures=True,
        normalised=False,
        correction="max_t",
        answers_interaction=True,
        of_clusters=True,
    ),
    Comparison(
        name="conover",
        words="Conover",
        module=_MODULE,
        function="conover",
        references=("conover1999",),
        phrase="Conover’s t statistic on the average ranks",
        failures=True,
        normalised=False,
        equal_variances=True,
        common_msd=True,
        panel="ranks (Conover)",
    ),
    Comparison(
        name="nemenyi",
        words="Nemenyi",
        module=_MODULE,
        function="nemenyi",
        references=("demsar2006",),
        phrase="Nemenyi’s test",
        failures=True,
        normalised=False,
        correction="studentised_range",
        common_msd=True,
        panel="ranks (Nemenyi)",
    ),
    Comparison(
        name="wilcoxon",
        words="Wilcoxon",
        module=_MODULE,
        function="signed_ranks",
        references=("wilcoxon1945",),
        phrase="Wilcoxon’s signed-rank test over the blocks (medians of the runs), exact with ties up to 50 differences",
        failures=True,
        answers_interaction=True,
    ),
    Comparison(
        name="tukey",
        words="Tukey",
        module=_MODULE,
        function="tukey",
        references=("chiarandini2005",),
        phrase="Tukey’s test in the model with blocks",
        equal_variances=True,
        normal=True,
        correction="studentised_range",
        common_msd=True,
        panel="parametric (Tukey)",
    ),
    Comparison(
        name="scheffe",
        words="Scheffé",
        module="benchmill.reproduction.chiarandini2005",
        function="scheffe",
        phrase="Scheffé’s test in the model with blocks (of all contrasts, so that its difference is larger than Tukey’s)",
        equal_variances=True,
        normal=True,
        correction="scheffe",
        common_msd=True,
        panel="parametric (Scheffé)",
    ),
    Comparison(
        name="permutation",
        words="permutation of pairs",
        module=_MODULE,
        function="rearranged",
        references=("chiarandini2005",),
        phrase="permutation tests of the pairs, with their minimum significant difference in closed form",
        equal_variances=True,
        common_msd=True,
        panel="permutation",
    ),
    Comparison(
        name="permutation_published",
        words="the published permutation MSD (Algorithm 2 of Chiarandini et al.)",
        module="benchmill.reproduction.chiarandini2005",
        function="published",
        references=("chiarandini2005",),
        phrase="the published permutation algorithm for one common significant difference (each pair has the level to "
        "itself, so that of many equal algorithms some differ too often)",
        correction="published",
        common_msd=True,
        panel="permutation_published",
    ),
)

#: By name, in the order of the documentation.
COMPARISONS = {comparison.name: comparison for comparison in _ALL}

#: What a study compares with unless it says otherwise.
USUAL = ("net_wins",)
