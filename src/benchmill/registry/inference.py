"""The methods of inference: tests, comparisons of all pairs, corrections and Bayesian comparisons; and what a study chooses."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from benchmill.core import Given, Words, record
from benchmill.core.options import option, some
from benchmill.registry.entry import Entry, Function, Registry


@record
class Method(Entry):
    """A method of inference: a function, and what has to be known to call it and to write about it.

    Attributes
    ----------
    function : callable
        What is called; None where it is a part of others.
    phrase : str
        The method as the section on methods names it, without what it cites.
    normalised : bool
        Whether it takes the normalised costs, which are comparable between blocks; else the costs as they are.
    equal_variances : bool
        Whether it assumes one variance for all algorithms.
    answers_interaction : bool
        Whether it speaks of problems like these also where which algorithm is better depends on the problem.
    of_clusters : bool
        Whether it takes whole clusters of blocks, so that blocks may depend on each other.
    """

    function: Function | None = None
    phrase: str = ""
    failures: bool = False
    normalised: bool = True
    equal_variances: bool = False
    normal: bool = False
    answers_interaction: bool = False
    of_clusters: bool = False

    @property
    def cited_phrase(self) -> str:
        """Return the method as the section on methods names and cites it."""
        return self.phrase + self.citation

    def call(self, *data: Any, **known: Any) -> Any:
        """Call the function with the data and with what it takes of `known`."""
        from inspect import signature

        assert self.function is not None
        takes = signature(self.function).parameters
        return self.function(*data, **{name: value for name, value in known.items() if name in takes})


@record
class OmnibusTest(Method):
    """A test that all algorithms are equal.

    Attributes
    ----------
    no_interaction : bool
        Whether it assumes that algorithms differ alike on all problems.
    """

    no_interaction: bool = False


@record
class Comparison(Method):
    """A comparison of all pairs of algorithms.

    Attributes
    ----------
    correction : str
        Its own, a key of `CORRECTIONS`; empty where studies choose one.
    common_msd : bool
        Whether it gives a minimum significant difference that holds for all pairs.
    panel : str
        Heading of its panel in a figure of intervals, where it has a common difference.
    """

    correction: str = ""
    common_msd: bool = False
    panel: str = ""


@record
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


@record
class BayesianComparison(Method):
    """A Bayesian comparison of two algorithms.

    Attributes
    ----------
    scale : str
        What the region is about, where that is not the normalised costs.
    """

    scale: str = ""


# modules are written out: digests of code look for them here
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
COMPARISONS = Registry(
    Comparison,
    "benchmill.comparisons",
    "benchmill.inference.clusters",
    "benchmill.inference.log_rank",
    "benchmill.inference.comparisons",
    "benchmill.reproduction.chiarandini2005",
)
CORRECTIONS = Registry(
    Correction,
    "benchmill.corrections",
    "benchmill.inference.corrections",
    "benchmill.inference.clusters",
    "benchmill.inference.comparisons",
    "benchmill.reproduction.chiarandini2005",
)
POSTERIORS = Registry(BayesianComparison, "benchmill.posteriors", "benchmill.inference.bayes")

#: What a study tests with, compares with and corrects by unless it says otherwise.
USUAL_TESTS, USUAL_COMPARISONS, USUAL_CORRECTIONS = ("cluster_permutation",), ("net_wins",), ("holm",)

#: Key of the section `inference` of a study -> the registry of what it names.
REGISTRIES: dict[str, Mapping[str, Method]] = {
    "methods": TESTS,
    "comparisons": COMPARISONS,
    "corrections": CORRECTIONS,
    "bayes": POSTERIORS,
}

#: What each of these keys names, in words.
WORDS = {"methods": "tests", "comparisons": "comparisons", "corrections": "corrections", "bayes": "Bayesian comparisons"}

#: What `verdicts` calls the analysis whose statements are that two algorithms are as good as each other.
EQUIVALENCE = "equivalence"
#: What that is about, in words.
RATIO_OF_COSTS = "ratio of costs"


def chosen(inference: Given) -> list[Method]:
    """Return the tests, comparisons and corrections that the section `inference` of a study names, every default filled in."""
    return [registry[name] for key, registry in REGISTRIES.items() for name in inference[key]]


@record
class Options:
    """Settings of tests and comparisons: how designs are made of costs, and what is done with them."""

    design: Literal["single", "replicated"] = option(
        """What is tested. `single`: one aggregated cost a problem, as in the ratios (Design 1). `replicated`: the costs of the
        trials, r in every cell of problems × algorithms (Design 2).""",
        "single",
    )
    unbalanced: Sequence[str] = option(
        """What to do about a replicated design whose cells differ in their numbers of runs; by default that is an error.
        `subsample`: take as many runs of each cell as the smallest one has, drawn by the seed; `drop`: leave out, and count,
        blocks on which an algorithm has no trial.""",
        (),
        uniqueItems=True,
        items={"enum": ["subsample", "drop"]},
    )
    failure: float | None = option(
        """In a replicated design a failure counts as this many times its budget (10 is PAR10); by default it is infinite, which
        rank methods accept and methods of means do not.""",
        None,
        exclusiveMinimum=0,
    )
    stratify: Sequence[str] = option(
        "Keys of blocks, or attributes of problems; every combination of their values is tested on its own.",
        (),
        uniqueItems=True,
        items={"type": "string"},
    )
    alpha: float = option("Level of the tests; family-wise for comparisons.", 0.05, exclusiveMinimum=0, exclusiveMaximum=0.5)
    normalise: str | Words = option(
        """How values of different blocks become comparable: relative error (`e1`), position between bounds (`e2`), `log`,
        `ranks`, or `none`. Friedman's test and the comparisons after it use ranks regardless. Bounds are the smallest and the
        largest cost seen, or those of a CSV file, as `{e2: bounds.csv}`: columns problem (suite, dimension, instance as
        needed), `lower` (the best known cost) and `upper` (that of a simple heuristic). An empty cell: as seen.""",
        "e2",
        oneOf=[
            {"type": "string", "enum": ["none", "e1", "e2", "log", "ranks"]},
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": {name: {"type": "string", "minLength": 1} for name in ("e1", "e2")},
            },
        ],
    )
    methods: Sequence[str] | None = option(
        f"Tests that all algorithms are equal. By default {', '.join(USUAL_TESTS)}.",
        None,
        names_of=TESTS,
        uniqueItems=True,
    )
    comparisons: Sequence[str] | None = option(
        f"""Comparisons of all pairs. By default {", ".join(USUAL_COMPARISONS)}. All except those over clusters assume that
        blocks are independent of each other.""",
        None,
        names_of=COMPARISONS,
        uniqueItems=True,
    )
    bayes: Sequence[str] = option(
        "Bayesian comparisons of all pairs.",
        (),
        names_of=POSTERIORS,
        uniqueItems=True,
    )
    rope: float = option(
        """Region of practical equivalence of the Bayesian comparisons: differences of up to this count as equal, on the
        normalised scale; for `cluster_wins` net shares of wins.""",
        0.01,
        minimum=0,
    )
    corrections: Sequence[str] = some(
        """Corrections for the number of pairs, for comparisons that have none of their own; the first decides what figures and
        verdicts say.""",
        USUAL_CORRECTIONS,
        names_of=CORRECTIONS,
    )
    permutations: int = option(
        """The largest number of random rearrangements of a permutation test, where there are too many to enumerate: 10 000 at a
        time are drawn until the decision at the level no longer depends on chance. What is still open after all of them is
        called undecided.""",
        1_000_000,
        minimum=99,
        maximum=10_000_000,
    )


#: The options of a study that says nothing of them.
USUAL = Options()
