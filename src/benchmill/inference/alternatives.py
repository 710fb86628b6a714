"""The specifications under which a claim is examined: what the data have of each convention."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmill.core import groups
from benchmill.core.natural_order import natural_key
from benchmill.inference import clusters
from benchmill.inference.conventions import Alternative, Analysis, Specification
from benchmill.inference.design import level_word
from benchmill.registry.conventions import MOST_LEFT_OUT, PARTS, Convention, in_order
from benchmill.text import display


def alternatives(analysis: Analysis, claimed: Sequence[tuple[str, str]], without: Collection[str] = ()) -> list[Alternative]:
    """Return all specifications of a claim: each convention alone, and parts of the cells with those that are crossed with them.

    `claimed` are the pairs, the one that is claimed to be better first; `without` groups of conventions that the claim has no use
    for.
    """
    alone = [
        Alternative((convention,), (words,), specification)
        for convention in in_order()
        if convention.group not in without
        for words, specification in convention.alternatives(analysis, claimed)
    ]
    parts = [one for one in alone if one.conventions[0].group in PARTS]
    others = [one for one in alone if one.conventions[0].crossed]
    both = [
        Alternative(
            (*part.conventions, *other.conventions),
            (*part.words, *other.words),
            replace(other.specification, levels=part.specification.levels, part=part.specification.part),
        )
        for part in parts
        for other in others
    ]
    return [*alone, *both]


_Found = Iterator[tuple[str, Specification]]
_Claimed = Sequence[tuple[str, str]]


def each_target(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield each target or budget alone."""
    for level in analysis.levels if len(analysis.levels) > 1 else ():
        yield f"{level_word(analysis.designs)} {display.target(level)}", Specification(levels=frozenset([level]))


def half_of_targets(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield the two halves of four or more targets or budgets; one in the middle is in both."""
    levels = analysis.levels
    if len(levels) > 3:
        half = (len(levels) + 1) // 2
        word = level_word(analysis.designs)
        names = ("easier", "harder") if word == "target" else ("lower", "upper")
        yield f"{names[0]} half of the {word}s", Specification(levels=frozenset(levels[:half]))
        yield f"{names[1]} half of the {word}s", Specification(levels=frozenset(levels[-half:]))


def one_value(key: str, analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield each value of a key of the problems alone."""
    values = analysis.values_of(key)
    for value in values if len(values) > 1 else ():
        yield f"{key} {value}", Specification(part=(key, frozenset([value])))


def function_group(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield each group of functions, where the suite has groups."""
    name = groups.of_suites([str(suite) for suite in analysis.values_of("suite")])
    if name is not None:
        for label, members in groups.members(name, analysis.values_of("problem")).items():
            if members:
                yield f"functions {label}", Specification(part=("problem", frozenset(members)))


def penalty(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield failures that count 1, 2 or 10 times their budgets."""
    if analysis.trials.failed.any() and analysis.trials.budgets_known:
        for factor in (1, 2, 10):
            times = "its budget" if factor == 1 else f"{factor} times its budget"
            yield f"a failure counts {times}", Specification(reckoning=f"par{factor}")


def failures_last(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield the mean of the runs, infinite with a failure."""
    if analysis.trials.repeated:
        last = "mean of the runs (failures last)" if analysis.trials.failed.any() else "mean of the runs"
        yield last, Specification(reckoning="mean")


def where(
    is_so: Callable[[Analysis], Any], words: str, specified: Specification, analysis: Analysis, claimed: _Claimed
) -> _Found:
    """Yield one specification, where something is so of the data."""
    if is_so(analysis):
        yield words, specified


def _of_several(analysis: Analysis) -> bool:
    """Return True if there are more than two algorithms, of which ranks and net wins differ."""
    return len(analysis.names) > 2


def missing(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield the other way with missing cells, where some are missing."""
    if analysis.trials.missing.any():
        if analysis.settings.missing != "failure":
            yield "a missing cell is a failure", Specification(missing="failure")
        else:
            yield "cells that miss an algorithm left out", Specification(missing="common")


def without_algorithm(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield the study without each algorithm that is not in the claim; of many those that rank best."""
    named = {name for pair in claimed for name in pair} if len(claimed) == 1 else {claimed[0][0]}
    others = [name for name in analysis.names if name not in named and name != analysis.settings.control]
    if len(others) > MOST_LEFT_OUT:
        ranked = analysis.compared(Specification()).leads
        best = set(sorted(others, key=lambda name: (-ranked[name], natural_key(name)))[:MOST_LEFT_OUT])
        others = [name for name in others if name in best]
    if len(analysis.names) > 2:
        for name in others:
            yield f"without {name}", Specification(without=name)


def without_cluster(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield the study without each cluster; of many those that speak most for the claim."""
    compared = analysis.compared(Specification())
    names, d = compared.clusters, compared.scores
    if len(names) < 2:
        return
    if len(names) > MOST_LEFT_OUT:
        places = [compared.place(pair) for pair in claimed]
        of_pairs = [-d[:, column] if turned else d[:, column] for column, turned in places]
        order = np.argsort(-np.max(of_pairs, axis=0), kind="stable")[:MOST_LEFT_OUT]
        names = [names[i] for i in sorted(order)]
    for cluster, words in zip(names, clusters.in_words(names), strict=True):
        yield f"without {words}", Specification(without_cluster=cluster)


ENTRIES = (
    Convention(
        "each_target",
        "one target or budget",
        group="targets",
        why="A paper often shows one target; which one is up to its author.",
        references=("hansen2021",),
        alternatives=each_target,
    ),
    Convention(
        "half_of_targets",
        "the easier or the harder half of the targets, or the lower or the upper half of the budgets",
        group="targets",
        why="A set of targets has to begin and end somewhere, and early and late progress are different questions.",
        references=("hansen2021",),
        alternatives=half_of_targets,
    ),
    Convention(
        "suite",
        "one suite",
        group="problems",
        why="Each suite by itself would have made a study.",
        alternatives=partial(one_value, "suite"),
    ),
    Convention(
        "dimension",
        "one dimension",
        group="problems",
        why="Papers report dimensions one by one, and which ones is a choice.",
        references=("hansen2021",),
        alternatives=partial(one_value, "dimension"),
    ),
    Convention(
        "function_group",
        "one group of functions",
        group="problems",
        why="The groups of the suite were made to ask different questions.",
        references=("hansen2009",),
        alternatives=function_group,
    ),
    Convention(
        "penalty",
        "the mean of the runs, a failure counting 1, 2 or 10 times its budget",
        group="runs",
        why="Nobody knows what a failed run would have cost; PAR1, PAR2 and PAR10 are all in use.",
        references=("bischl2016",),
        crossed=True,
        alternatives=penalty,
    ),
    Convention(
        "failures_last",
        "the mean of the runs, a failure being worse than any success",
        group="runs",
        why="One failure then ranks a solver last on its problem, which no penalty does.",
        references=("dolan2002",),
        crossed=True,
        alternatives=failures_last,
    ),
    Convention(
        "median",
        "the median of the runs",
        group="runs",
        why="It is the typical run, whatever the worst runs cost.",
        references=("lopezibanez2025",),
        crossed=True,
        alternatives=partial(
            where,
            lambda of: of.trials.repeated and of.trials.singly,
            "median of the runs",
            Specification(reckoning="median"),
        ),
    ),
    Convention(
        "expected_time",
        "ERT of the runs",
        group="runs",
        why="It is the cost of a solver that is restarted until it succeeds.",
        references=("hansen2021",),
        crossed=True,
        # of running times to targets
        alternatives=partial(
            where,
            lambda of: of.trials.repeated and of.trials.budgets_known and any(d.target is not None for d in of.designs),
            "ERT of the runs",
            Specification(reckoning="ert"),
        ),
    ),
    Convention(
        "every_run",
        "every run against every run",
        group="runs",
        why="Nothing has to be averaged, so that no single run weighs more than others.",
        references=("chiarandini2005",),
        crossed=True,
        alternatives=partial(
            where,
            lambda of: of.trials.singly and of.trials.balanced,
            "every run against every run",
            Specification(reckoning="every_run"),
        ),
    ),
    Convention(
        "mean_rank",
        "mean ranks among all algorithms",
        group="criterion",
        why="Rank tables and Friedman's test use them; how far apart two are counts, which depends on the other algorithms.",
        references=("demsar2006",),
        crossed=True,
        alternatives=partial(where, _of_several, "mean ranks", Specification(criterion="ranks")),
    ),
    Convention(
        "log_area",
        "areas under performance profiles over log τ",
        group="criterion",
        why="By how much a solver is slower counts, not only how often.",
        references=("dolan2002", "barbosa2010"),
        crossed=True,
        # of costs that have ratios
        alternatives=partial(
            where,
            lambda of: (of.trials.cost > 0).all(),
            "areas under profiles over log τ",
            Specification(criterion="log areas"),
        ),
    ),
    Convention(
        "wilcoxon",
        "Wilcoxon's signed-rank test over the clusters with Holm's correction",
        group="test",
        why="It is the usual test of two algorithms over many problems.",
        references=("wilcoxon1945", "demsar2006", "holm1979"),
        alternatives=partial(
            where, lambda of: True, "Wilcoxon's test with Holm's correction", Specification(test="signed ranks")
        ),
    ),
    Convention(
        "sign_test",
        "the sign test over the clusters with Holm's correction",
        group="test",
        why="It counts on how many clusters an algorithm leads, and assumes nothing about by how much.",
        references=("demsar2006", "holm1979"),
        alternatives=partial(where, lambda of: True, "sign test with Holm's correction", Specification(test="signs")),
    ),
    Convention(
        "nemenyi",
        "Nemenyi's comparison of the mean ranks over the clusters",
        group="test",
        why="Critical-difference diagrams show it.",
        references=("demsar2006",),
        alternatives=partial(where, _of_several, "Nemenyi's comparison", Specification(test="ranks")),
    ),
    Convention(
        "missing",
        "a missing cell left out for all, or counted as a failure",
        group="missing cells",
        why="Why a run is missing is seldom known: it may have crashed, or never have been started.",
        alternatives=missing,
    ),
    Convention(
        "without_algorithm",
        "one other algorithm left out",
        group="left out",
        why="Which others are in a study is a choice, and ratios, ranks and the size of the family depend on it.",
        references=("hekmati2018",),
        alternatives=without_algorithm,
    ),
    Convention(
        "without_cluster",
        "one cluster left out",
        group="left out",
        why="A claim about problems like these should not depend on one of them.",
        references=("beiranvand2017",),
        alternatives=without_cluster,
    ),
)
