"""The specifications under which a claim is examined: what the data have of each convention."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from benchmill.core import beside, groups, keys
from benchmill.core.natural_order import natural_key
from benchmill.inference import clusters
from benchmill.inference.conventions import Alternative, Analysis, Specification
from benchmill.inference.design import TwoNames, level_word
from benchmill.inference.families import candidates
from benchmill.registry.conventions import MOST_LEFT_OUT, PARTS, Convention, in_order
from benchmill.text import display


def alternatives(analysis: Analysis, claimed: Sequence[TwoNames], without: Collection[str] = ()) -> list[Alternative]:
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
_Claimed = Sequence[TwoNames]


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
        for name, part in zip(names, (levels[:half], levels[-half:]), strict=True):
            yield f"{name} half of the {word}s", Specification(levels=frozenset(part))


def one_value(key: str, analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield each value of a key of the problems alone."""
    values = analysis.values_of(key)
    for value in values if len(values) > 1 else ():
        yield f"{key} {value}", Specification(part=(key, frozenset([value])))


def family(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield each family of problems, by the coarsest part of their names that makes some, where there are not too many."""
    for by in sorted(candidates(analysis.values_of("problem")), key=lambda one: len(set(one.of.values())))[:1]:
        members: dict[str, set[str]] = {}
        for problem, value in by.of.items():
            members.setdefault(value, set()).add(problem)
        for value, own in members.items():
            if len(members) <= MOST_LEFT_OUT and len(own) > 1:
                yield f"problems {value}", Specification(part=("problem", frozenset(own)))


def clustering(analysis: Analysis, claimed: _Claimed) -> _Found:
    """Yield other clusters: each problem, each problem in each dimension or instance, families."""
    yield "a cluster is a problem", Specification(clustered=keys.CLUSTER_KEYS)
    for key in ("dimension", "instance"):
        yield f"a cluster is a problem in one {key}", Specification(clustered=(*keys.CLUSTER_KEYS, key))
    for by in candidates(analysis.values_of("problem")):
        yield f"a cluster is a family ({by.name})", Specification(clustered=("suite", by))


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
        yield f"mean of the runs{' (failures last)' if analysis.trials.failed.any() else ''}", Specification(reckoning="mean")


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


#: The words of each convention.
_WORDS = beside.toml(__file__)

ENTRIES = tuple(
    Convention(name=name, alternatives=cast(Any, found), **beside.fixed(_WORDS[name]))
    for name, found in {
        "each_target": each_target,
        "half_of_targets": half_of_targets,
        "suite": partial(one_value, "suite"),
        "dimension": partial(one_value, "dimension"),
        "function_group": function_group,
        "family": family,
        "penalty": penalty,
        "failures_last": failures_last,
        "median": partial(
            where, lambda of: of.trials.repeated and of.trials.singly, "median of the runs", Specification(reckoning="median")
        ),
        # of running times to targets
        "expected_time": partial(
            where,
            lambda of: of.trials.repeated and of.trials.budgets_known and any(d.target is not None for d in of.designs),
            "ERT of the runs",
            Specification(reckoning="ert"),
        ),
        "every_run": partial(
            where,
            lambda of: of.trials.singly and of.trials.balanced,
            "every run against every run",
            Specification(reckoning="every_run"),
        ),
        "mean_rank": partial(where, _of_several, "mean ranks", Specification(criterion="ranks")),
        # of costs that have ratios
        "log_area": partial(
            where, lambda of: (of.trials.cost > 0).all(), "areas under profiles over log τ", Specification(criterion="log areas")
        ),
        "wilcoxon": partial(where, lambda of: True, "Wilcoxon's test with Holm's correction", Specification(test="signed ranks")),
        "sign_test": partial(where, lambda of: True, "sign test with Holm's correction", Specification(test="signs")),
        "nemenyi": partial(where, _of_several, "Nemenyi's comparison", Specification(test="ranks")),
        "clustering": clustering,
        "missing": missing,
        "without_algorithm": without_algorithm,
        "without_cluster": without_cluster,
    }.items()
)
