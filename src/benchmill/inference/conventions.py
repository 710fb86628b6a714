"""A comparison of algorithms under conventions other than the study's: other cells, costs, criteria, tests.

A `Specification` says what differs from the primary analysis; `alternatives` gives those that the data have.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress
from typing import Any, TypeVar, cast

import numpy as np
import pyarrow as pa

from benchmill.core import (
    Array,
    Index,
    Mask,
    beside,
    groups,
    keys,
    limits,
    names,
    natural_key,
    quietly,
    replicates,
    schema,
    seeds,
    step_functions,
)
from benchmill.core.ranks import midranks
from benchmill.inference import clusters, comparisons, corrections, draws, equivalence
from benchmill.inference.clusters import Cluster, Flips
from benchmill.inference.design import Designs, TwoNames, level_word, net_wins
from benchmill.inference.families import candidates
from benchmill.registry.conventions import MOST_LEFT_OUT, PARTS, Convention, in_order
from benchmill.text import display

_Made = TypeVar("_Made")
#: Flips under another convention than the primary analysis: drawn at a time, numbers (flips times pairs) that are drawn at a time
#: or counted, times 1 / alpha that are drawn in any case, and numbers in all, after which a decision is open.
_MOST_DRAWN, _MOST_NUMBERS, _MOST_COUNTED, _LEAST, _MOST_FLIPPED = 1999, 1_000_000, 2_000_000, 20, 20_000_000


@dataclass(frozen=True)
class Specification:
    """Differences from the primary analysis; none by default, and None is as the study says.

    Attributes
    ----------
    levels : frozenset of float or None
        The targets or budgets that are pooled.
    part : (str, frozenset) or None
        A key of problems and the values that are taken.
    reckoning : str or None
        How the runs of a cell become its cost (`Trials.reckoned`).
    missing : str or None
        `common`: cells in which an algorithm is missing are left out; `failure`: it failed there.
    criterion, test : str
        `wins`, `ranks`, `log areas`; `flips`, `signed ranks`, `signs`, `ranks`.
    """

    levels: frozenset[float] | None = None
    part: tuple[str, frozenset[Any]] | None = None
    reckoning: str | None = None
    missing: str | None = None
    criterion: str = "wins"
    test: str = "flips"
    without: str | None = None
    without_cluster: Cluster | None = None
    clustered: tuple[keys.Key, ...] | None = None


@dataclass(frozen=True)
class Alternative:
    """Words of a specification, with the conventions that it follows."""

    conventions: tuple[Convention, ...]
    words: tuple[str, ...]
    specification: Specification


@dataclass(frozen=True)
class Cells:
    """Costs of all algorithms in cells, (n_cells, n_algorithms, n_runs), and their keys, targets or budgets as `level`."""

    values: Array
    described: schema.Rows
    _kept: dict[tuple[keys.Key, ...], list[Cluster]] = field(default_factory=dict, repr=False)

    @cached_property
    def net_wins(self) -> Array:
        """(n_cells, n_pairs): scores that depend on nothing but the pair."""
        return net_wins(self.values)

    def clusters(self, cluster_keys: keys.Keys) -> list[Cluster]:
        """Return the cluster of each cell."""
        if (kept := tuple(cluster_keys)) not in self._kept:
            self._kept[kept] = [tuple(keys.value(row, key) for key in kept) for row in self.described]
        return self._kept[kept]


@dataclass(frozen=True)
class Trials:
    """The runs of all algorithms, cell by cell: rows by cell, then algorithm, of which `offsets` are the bounds."""

    cost: Array
    budget: Array
    n: Array
    offsets: Index
    described: schema.Rows
    names: list[str]

    @classmethod
    def of(
        cls, costs: pa.Table, problem_keys: Sequence[str], names: Sequence[str], shift: float = 0.0, budgets: bool = True
    ) -> Trials:
        """Return the trials of one measure in the table `costs`; `names` says in which order the algorithms stand."""
        cell, cells = keys.cells(costs, [*limits.problem_columns(problem_keys), "target", "at_budget"])
        algorithm, there = keys.algorithms(costs)
        number = np.array([names.index(name) for name in there], np.int64)
        order, offsets = keys.starts(cell * len(names) + number[algorithm], cells.num_rows * len(names))
        budget = schema.floats(costs, "budget") + (shift if budgets else np.nan)
        cost, n = costs["cost"].to_numpy() + shift, schema.floats(costs, "n")
        return cls(cost[order], budget[order], n[order], offsets, _described(cells.to_pylist()), list(names))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells, algorithms, and one cost."""
        return len(self.described), len(self.names), 1

    @cached_property
    def missing(self) -> Mask:
        """(n_cells, n_algorithms): where an algorithm has no run."""
        return np.asarray((np.diff(self.offsets) == 0).reshape(self.shape[:2]), bool)

    @cached_property
    def failed(self) -> Mask:
        """Return which runs failed."""
        return np.isinf(self.cost)

    @property
    def repeated(self) -> bool:
        """Return True if a cell has several runs."""
        return bool((np.diff(self.offsets) > 1).any() or (self.n > 1).any())

    @property
    def singly(self) -> bool:
        """Return True if every row is one run."""
        return bool((self.n == 1).all())

    @property
    def balanced(self) -> bool:
        """Return True if every cell with runs has several, and as many as any other."""
        sizes = np.diff(self.offsets)[~self.missing.ravel()]
        return bool(sizes.size and sizes.min() == sizes.max() > 1)

    @property
    def budgets_known(self) -> bool:
        """Return True if every failed run says what it spent."""
        return not np.isnan(self.budget[self.failed]).any()

    def reckoned(self, how: str) -> Array:
        """Return costs by one of the ways below, (n_cells, n_algorithms, n_runs); NaN where there is no run."""
        if how == "every_run":
            r = int(np.diff(self.offsets).max(initial=1))
            values = np.full((self.offsets.size - 1, r), np.nan)
            values[~self.missing.ravel()] = self.cost.reshape(-1, r)
            return values.reshape(*self.shape[:2], r)
        return replicates.aggregated(how, self.cost, self.budget, self.offsets, self.n).reshape(self.shape)


@dataclass(frozen=True)
class Settings:
    """Settings of the study about how a measure is compared."""

    aggregate: str = "single"
    missing: str = "common"
    shift: float = 0.0
    quantity: str = "cost"
    label: str | None = None
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS
    control: str | None = None
    alpha: float = 0.05
    permutations: int = draws.MOST
    seed: int = 1


@dataclass(frozen=True)
class Analysis:
    """A measure that can be compared under any convention.

    `designs` are the study's own, of all targets or budgets; `targets` those that are pooled (None: all); `asked` the pairs that
    claims are about.
    """

    measure: str
    designs: Designs
    trials: Trials
    settings: Settings
    targets: frozenset[float] | None = None
    asked: set[TwoNames] = field(default_factory=set)
    _kept: dict[tuple[Any, ...], Any] = field(default_factory=dict, repr=False)

    @cached_property
    def names(self) -> list[str]:
        """Return the algorithms."""
        return list(self.designs[0].treatments)

    @cached_property
    def levels(self) -> list[float]:
        """Return all targets from the easiest, or all budgets from the smallest."""
        return sorted(self._there("level"), reverse=any(design.target is not None for design in self.designs))

    def values_of(self, key: str) -> list[Any]:
        """Return the values of a key of the problems in natural order."""
        return sorted(self._there(key), key=lambda value: natural_key(str(value)))

    def _there(self, key: str) -> Collection[Any]:
        return dict.fromkeys(row[key] for row in self.cells().described if row[key] is not None)

    def cells(self, reckoning: str | None = None, missing: str | None = None) -> Cells:
        """Return all cells, with their costs reckoned so."""
        return self.once(("cells", reckoning, missing), lambda: self._reckoned(reckoning, missing))

    def _reckoned(self, reckoning: str | None, missing: str | None) -> Cells:
        if reckoning is None and missing is None:
            described = [{**problem, "level": design.level} for design in self.designs for problem in design.problems]
            r = min((design.values.shape[2] for design in self.designs if len(design.values)), default=1)
            return Cells(np.concatenate([design.values[:, :, :r] for design in self.designs]), _described(described))
        values = self.trials.reckoned(reckoning or self.settings.aggregate)
        absent = np.isnan(values[:, :, 0])
        if (missing or self.settings.missing) == "failure":
            return Cells(np.where(absent[:, :, None], np.inf, values), self.trials.described)
        kept = ~absent.any(axis=1)
        return Cells(values[kept], [self.trials.described[cell] for cell in np.flatnonzero(kept)])

    def _taken(self, cells: Cells, specification: Specification) -> Mask:
        described = cells.described
        taken = np.ones(len(described), bool)
        levels = self.targets if specification.levels is None else specification.levels
        if levels is not None:
            taken &= np.array([row["level"] in levels for row in described], bool)
        if specification.part is not None:
            key, values = specification.part
            taken &= np.array([row[key] in values for row in described], bool)
        if specification.without_cluster is not None:
            own = cells.clusters(specification.clustered or self.settings.cluster_keys)
            taken &= np.array([one != specification.without_cluster for one in own], bool)
        return taken

    def compared(self, specification: Specification) -> Compared:
        """Return the scores of all pairs as a specification says."""
        # they are large: those of the primary analysis stay, and the last ones
        for other in [one for one in self._kept if one[0] == "compared" and one[1] not in (specification, Specification())]:
            del self._kept[other]
        return self.once(("compared", specification), lambda: self._scored(specification))

    def once(self, key: tuple[Any, ...], make: Callable[[], _Made]) -> _Made:
        """Make something of the measure, and keep it by a key for whoever asks again."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[no-any-return]

    def log_ratios(self, specification: Specification, pair: TwoNames) -> Compared:
        """Return the log of the cost of the second algorithm of a pair over that of the first, for a test of equivalence.

        Raises
        ------
        UserError
            A cost is not positive.
        """
        cells = self.cells(specification.reckoning, specification.missing)
        taken = self._taken(cells, specification)
        at = [np.array([self.names.index(name)]) for name in pair]
        return self._clustered(cells, taken, equivalence.log_ratios([cells.values[taken]], *at)[0], list(pair), specification)

    def _scored(self, specification: Specification) -> Compared:
        # a profile has one cost a problem
        usual = self.settings.aggregate if specification.criterion == "log areas" else None
        cells = self.cells(specification.reckoning or usual, specification.missing)
        taken = self._taken(cells, specification)
        kept = [i for i, name in enumerate(self.names) if name != specification.without]
        if specification.criterion == "wins":
            first, second = np.triu_indices(len(self.names), 1)
            scores = cells.net_wins[taken][:, np.isin(first, kept) & np.isin(second, kept)]
        else:
            function = _rank_scores if specification.criterion == "ranks" else _area_scores
            scores = function(cells.values[taken][:, kept])
        return self._clustered(cells, taken, scores, [self.names[i] for i in kept], specification)

    @np.errstate(invalid="ignore")
    def _clustered(self, cells: Cells, taken: Mask, scores: Array, names: list[str], specification: Specification) -> Compared:
        codes, own = clusters.numbered(compress(cells.clusters(specification.clustered or self.settings.cluster_keys), taken))
        of_clusters = clusters.means(scores, codes) if codes.size else np.zeros((0, scores.shape[1]))
        return Compared(of_clusters, names, own, codes.size, specification, self.measure, self.settings)


@dataclass(frozen=True)
class Compared:
    """All pairs of algorithms by one specification.

    `scores`, (n_clusters, n_pairs), are means over the cells of each cluster; pairs in the order of `numpy.triu_indices`.
    """

    scores: Array
    names: list[str]
    clusters: list[Cluster]
    n_cells: int
    specification: Specification
    measure: str
    settings: Settings

    def place(self, pair: TwoNames) -> tuple[int, bool]:
        """Return the column of a pair in `scores`, and True if the pair is reversed there."""
        first, second = (self.names.index(name) for name in pair)
        i, j = sorted((first, second))
        return i * len(self.names) - i * (i + 1) // 2 + j - i - 1, first > second

    @cached_property
    def family(self) -> Index:
        """The columns that are tested together: all pairs, or those with the control."""
        control = self.settings.control
        if control is None:
            return np.arange(self.scores.shape[1])
        return np.array(sorted(self.place((control, name))[0] for name in self.names if name != control), np.int64)

    @property
    def described(self) -> tuple[str, dict[str, int]]:
        """Return a text that is the same for all that compare the same numbers in the same way, and their sizes."""
        # rounded: sums in another order are the same numbers
        content = (np.round(self.scores, 12) + 0.0).tobytes()
        return (
            hashlib.sha256("\0".join([self.specification.test, *self.names]).encode() + content).hexdigest(),
            {"n_clusters": len(self.clusters), "n_cells": self.n_cells, "n_algorithms": len(self.names)},
        )

    @cached_property
    def tested(self) -> Flips:
        """Test the family, behind the gate; of another test than `flips` there are p values alone."""
        d, settings = self.scores[:, self.family], self.settings
        groups_, m = d.shape
        nan = np.full(m, np.nan)
        if not groups_ or not m:
            return Flips(nan, nan, nan, nan, nan, nan, math.inf, 0, nan)
        own = self.specification == Specification()
        fewer = max(min(_MOST_DRAWN, _MOST_NUMBERS // m), math.ceil(_LEAST / settings.alpha))
        drawn = settings.permutations if own else min(settings.permutations, max(fewer, _MOST_FLIPPED // m))
        effect = d.mean(axis=0)
        match self.specification.test:
            case "flips":
                counted = {} if own else {"most_counted": _MOST_COUNTED, "batch": fewer}
                flips = clusters.flips(d, clusters.Signs(settings.seed, self.clusters), settings.alpha, drawn, **counted)
            case "ranks":
                compared = comparisons.nemenyi(-self._leads, settings.alpha)
                effect = -compared.difference[self.family] / (len(self.names) - 1)
                flips = Flips(effect, nan, nan, nan, nan, compared.p_adjusted[self.family], compared.p_min, 0, nan)
            case _:
                p = comparisons.wilcoxon(d, np.zeros_like(d)).p if self.specification.test == "signed ranks" else _signs(d)
                flips = Flips(effect, nan, nan, nan, p, corrections.holm(p), min(m * 2.0 ** (1 - groups_), 1.0), 0, nan)
        if not (flips.p_adjusted <= settings.alpha).any():
            return flips
        # as in the primary analysis nothing is said of pairs unless all algorithms are shown not to be equal
        rng = seeds.stream(settings.seed, clusters.ALL)
        counted = {} if own else {"most_counted": _MOST_DRAWN, "batch": fewer}
        gate = clusters.exchangeable(self.scores, len(self.names), rng, drawn, settings.alpha, **counted)
        return clusters.behind(flips, gate, settings.alpha)

    @property
    def _leads(self) -> Array:
        return np.round(clusters.leads(self.scores, len(self.names)), 12)

    @property
    def leads(self) -> dict[str, float]:
        """By algorithm the sum of its scores against all others over the clusters."""
        return dict(zip(self.names, self._leads.sum(axis=0).tolist(), strict=True))


def analysis(
    measure: str,
    designs: Designs,
    costs: pa.Table,
    problem_keys: Sequence[str],
    settings: Settings,
    targets: Sequence[float] | None = None,
) -> Analysis:
    """Make a measure ready for comparisons.

    `costs` is the table of all sources, of this measure; `problem_keys` make a block; `targets` are those of the primary
    analysis.
    """
    # what a run that failed has spent of a quantity beside its cost is no budget of it
    trials = Trials.of(costs, problem_keys, designs[0].treatments, settings.shift, settings.quantity == "cost")
    # a pattern that fits several is refused where the primary analysis is made
    control = next(iter(names.meant(settings.control or "", designs[0].treatments)), settings.control)
    return Analysis(measure, designs, trials, replace(settings, control=control), None if targets is None else frozenset(targets))


def _described(rows: Sequence[schema.Facts]) -> schema.Rows:
    """Return the keys of cells, None where a cell has none, the target or budget as `level`."""
    levels = [next((row[k] for k in ("level", "target", "at_budget") if row.get(k) is not None), None) for row in rows]
    return [{key: row.get(key) for key in limits.INSTANCE} | {"level": level} for row, level in zip(rows, levels, strict=True)]


def _rank_scores(values: Array) -> Array:
    """Return differences of mean ranks among all algorithms over the largest that there can be, (n_cells, n_pairs)."""
    n, k, r = values.shape
    mean = midranks(values.reshape(n, k * r)).reshape(n, k, r).mean(axis=2)
    return np.asarray(comparisons.differences(-mean) / max((k - 1) * r, 1), float)


@quietly()
def _area_scores(values: Array) -> Array:
    """Return differences of the areas under the profiles over log τ up to the largest ratio, (n_cells, n_pairs)."""
    costs = values[:, :, 0]
    ratio = np.log(step_functions.ratios(costs, costs.min(axis=1, keepdims=True, initial=np.inf)))
    largest = ratio[np.isfinite(ratio)].max(initial=0.0)
    return comparisons.differences(np.where(np.isfinite(ratio), 1 - ratio / largest if largest > 0 else 1.0, 0.0))


def _signs(d: Array) -> Array:
    """Return the two-sided p of the sign test of each column; zeros are left out."""
    from scipy.special import bdtr

    up, down = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    return np.asarray(np.minimum(2 * bdtr(np.minimum(up, down), up + down, 0.5), 1.0), float)


# --- what the data have of each convention -------------------------------------------------------


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
