"""Conventions under which a claim is looked at again: each changes one thing of the primary analysis that could be otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Convention(Entry):
    """A choice that the data do not make; the function of its name in the module gives the alternatives that the data have.

    Attributes
    ----------
    group : str
        What it changes: `targets`, `problems`, `runs`, `criterion`, `test`, `clusters`, `missing cells` or `left out`.
    why : str
        Why another author could choose so, as a sentence.
    crossed : bool
        Whether it is combined with those about parts of the cells, too.
    """

    group: str
    why: str
    crossed: bool = False


#: Groups of conventions that take a part of the cells; each is combined with the conventions that are `crossed`.
PARTS = ("targets", "problems")

_MODULE = "benchmill.inference.conventions"

_ALL = (
    Convention(
        "each_target",
        "one target or budget",
        _MODULE,
        group="targets",
        why="A paper often shows one target; which one is up to its author.",
        references=("hansen2021",),
    ),
    Convention(
        "half_of_targets",
        "the easier or the harder half of the targets, or the lower or the upper half of the budgets",
        _MODULE,
        group="targets",
        why="A set of targets has to begin and to end somewhere, and early and late progress are different questions.",
        references=("hansen2021",),
    ),
    Convention(
        "suite",
        "one suite",
        _MODULE,
        group="problems",
        why="Each suite alone would have made a study.",
    ),
    Convention(
        "dimension",
        "one dimension",
        _MODULE,
        group="problems",
        why="Papers report dimensions one by one, and which ones is a choice.",
        references=("hansen2021",),
    ),
    Convention(
        "function_group",
        "one group of functions",
        _MODULE,
        group="problems",
        why="The groups of the suite were made to ask different questions.",
        references=("hansen2009",),
    ),
    Convention(
        "family",
        "one family of problems, by their names",
        "benchmill.inference.families",
        group="problems",
        why="Instances of one generator or application resemble each other, and another may turn the order round.",
    ),
    Convention(
        "penalty",
        "the mean of the runs, a failure counting 1, 2 or 10 times its budget",
        _MODULE,
        group="runs",
        why="Nobody knows what a failed run would have cost; PAR1, PAR2 and PAR10 are all in use.",
        references=("bischl2016",),
        crossed=True,
    ),
    Convention(
        "failures_last",
        "the mean of the runs, a failure being worse than any success",
        _MODULE,
        group="runs",
        why="One failure then ranks a solver last on its problem, which no penalty does.",
        references=("dolan2002",),
        crossed=True,
    ),
    Convention(
        "median",
        "the median of the runs",
        _MODULE,
        group="runs",
        why="It is the usual run, whatever the worst runs cost.",
        references=("lopezibanez2025",),
        crossed=True,
    ),
    Convention(
        "expected_time",
        "ERT of the runs",
        _MODULE,
        group="runs",
        why="It is what a solver costs that is restarted until it succeeds.",
        references=("hansen2021",),
        crossed=True,
    ),
    Convention(
        "every_run",
        "every run against every run",
        _MODULE,
        group="runs",
        why="Nothing has to be averaged, so that no single run weighs more than others.",
        references=("chiarandini2005",),
        crossed=True,
    ),
    Convention(
        "mean_rank",
        "mean ranks among all algorithms",
        _MODULE,
        group="criterion",
        why="Rank tables and Friedman's test go by them; how far apart two are counts, which depends on the other algorithms.",
        references=("demsar2006",),
        crossed=True,
    ),
    Convention(
        "log_area",
        "areas under performance profiles over log τ",
        _MODULE,
        group="criterion",
        why="By how much a solver is slower counts, not only how often.",
        references=("dolan2002", "barbosa2010"),
        crossed=True,
    ),
    Convention(
        "wilcoxon",
        "Wilcoxon's signed-rank test over the clusters with Holm's correction",
        _MODULE,
        group="test",
        why="It is the usual test of two algorithms over many problems.",
        references=("wilcoxon1945", "demsar2006", "holm1979"),
    ),
    Convention(
        "sign_test",
        "the sign test over the clusters with Holm's correction",
        _MODULE,
        group="test",
        why="It counts on how many clusters an algorithm leads, and assumes nothing of by how much.",
        references=("demsar2006", "holm1979"),
    ),
    Convention(
        "nemenyi",
        "Nemenyi's comparison of the mean ranks over the clusters",
        _MODULE,
        group="test",
        why="Diagrams of critical differences show it.",
        references=("demsar2006",),
    ),
    Convention(
        "clustering",
        "another cluster: each problem, each problem in each dimension or instance, each family of problems",
        "benchmill.inference.families",
        group="clusters",
        why="What is one thing tried several times is for the author to say, and p values hang on it.",
    ),
    Convention(
        "missing",
        "a missing cell left out for all, or taken for a failure",
        _MODULE,
        group="missing cells",
        why="Why a run is missing is seldom known: it may have crashed, or never have been started.",
    ),
    Convention(
        "without_algorithm",
        "one other algorithm left out",
        _MODULE,
        group="left out",
        why="Who else is in a study is a choice, and ratios, ranks and the size of the family depend on it.",
        references=("hekmati2018",),
    ),
    Convention(
        "without_cluster",
        "one cluster left out",
        _MODULE,
        group="left out",
        why="A claim about problems like these should not hang on one of them.",
        references=("beiranvand2017",),
    ),
)

#: In the order in which people should see them.
CONVENTIONS = {convention.name: convention for convention in _ALL}

#: Most algorithms, and most clusters, that are left out one at a time.
MOST_LEFT_OUT = 30
