"""The tests that all algorithms are equal: the one place that configuration, analysis, tables and texts read them from."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.methods import Method


@dataclass(frozen=True, kw_only=True)
class OmnibusTest(Method):
    """A test that all algorithms are equal.

    Attributes
    ----------
    no_interaction : bool
        Whether it assumes that algorithms differ alike on all problems.
    """

    room = "benchmill.inference"

    function: str = "outcomes"
    no_interaction: bool = False


_PERMUTATION = "benchmill.inference.permutation"
_ANOVA = "benchmill.inference.anova"

_ALL = (
    OmnibusTest(
        name="cluster_permutation",
        words="permutation within clusters",
        module="benchmill.inference.clusters",
        phrase="a permutation of the algorithms’ labels within whole clusters of problems, one for all cells of a cluster",
        failures=True,
        normalised=False,
        answers_interaction=True,
        of_clusters=True,
    ),
    OmnibusTest(
        name="log_rank",
        words="log-rank test within clusters",
        references=("mantel1966",),
        phrase="the log-rank test, stratified by problem, with failed runs censored at their budgets, by a permutation of the "
        "algorithms’ labels within whole clusters",
        note="with failed runs censored at their budgets; for running times in a replicated design",
        failures=True,
        normalised=False,
        answers_interaction=True,
        of_clusters=True,
    ),
    OmnibusTest(
        name="friedman",
        words="Friedman",
        references=("friedman1937", "iman1980"),
        phrase="Friedman’s test with correction for ties and its F form, on the ranks of all costs of a block (equal costs share "
        "the mean of their ranks, failures are equal and last)",
        failures=True,
        normalised=False,
        no_interaction=True,
    ),
    OmnibusTest(
        name="iman_davenport",
        words="Iman–Davenport",
        module="benchmill.inference.friedman",
        references=("iman1980",),
        failures=True,
        normalised=False,
        no_interaction=True,
        asked=False,
    ),
    OmnibusTest(
        name="anova",
        words="analysis of variance (additive)",
        module=_ANOVA,
        function="additive",
        references=("chiarandini2005",),
        phrase="an analysis of variance without interaction",
        equal_variances=True,
        normal=True,
        no_interaction=True,
    ),
    OmnibusTest(
        name="anova_cells",
        words="analysis of variance (with interaction, these problems only)",
        module=_ANOVA,
        function="within_cells",
        references=("chiarandini2005",),
        phrase="an analysis of variance with interaction, which speaks of these blocks only",
        equal_variances=True,
        normal=True,
    ),
    OmnibusTest(
        name="anova_interaction",
        words="analysis of variance (problems as a random sample)",
        module=_ANOVA,
        function="random_blocks",
        phrase="an analysis of variance with the mean square of the interaction as error, blocks being a random sample",
        equal_variances=True,
        normal=True,
        answers_interaction=True,
    ),
    OmnibusTest(
        name="permutation",
        words="permutation within problems",
        module=_PERMUTATION,
        function="within_blocks_outcomes",
        references=("chiarandini2005",),
        phrase="a permutation test within the blocks",
        answers_interaction=True,
    ),
    OmnibusTest(
        name="synchronised",
        words="synchronised permutation",
        module=_PERMUTATION,
        function="synchronised_outcomes",
        references=("chiarandini2005",),
        phrase="a permutation test that rearranges the runs of all blocks alike",
    ),
    OmnibusTest(
        name="synchronised_pairs",
        words="pairwise synchronised permutation (Algorithm 1 of Chiarandini et al.)",
        module="benchmill.reproduction.chiarandini2005",
        function="synchronised_pairs_outcomes",
        references=("chiarandini2005",),
        phrase="the published pairwise synchronised permutation test (liberal for more than two algorithms)",
        note="liberal with more than two algorithms",
    ),
    OmnibusTest(
        name="synchronised_equal",
        words="synchronised permutation with equal numbers",
        module="benchmill.reproduction.chiarandini2005",
        function="synchronised_equal_outcomes",
        references=("chiarandini2005",),
        phrase="a permutation test that exchanges equal numbers of runs in all blocks (liberal for more than two algorithms)",
        note="for few runs of up to ten algorithms; liberal with two runs, and with more than two algorithms",
    ),
)

#: By name, in the order of the documentation.
TESTS = {test.name: test for test in _ALL}

#: What a study tests with unless it says otherwise.
USUAL = ("cluster_permutation",)
