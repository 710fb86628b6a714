"""Inference over clusters: cells that belong together (a function at four dimensions, at six targets) count once.

Whatever is permuted or flipped is a whole cluster, so its cells may depend on each other in any way.
"""

import copy
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from benchmill.core import Array, ArrayLike, Generator, Index, Mask, TwoArrays, keys, quietly, reals, seeds
from benchmill.core.intervals import quantile
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import draws
from benchmill.inference.comparisons import Pairs, agreeing
from benchmill.inference.design import Designs, Outcome, net_wins
from benchmill.inference.permutation import labels_permuted
from benchmill.registry.entry import described
from benchmill.registry.inference import Comparison, Correction, OmnibusTest

#: Their names in the registries.
ALL, PAIRS = "cluster_permutation", "net_wins"
#: How `flips` adjusts p values, as the registry of corrections names it.
MAX_T = "max_t"
#: Most clusters, and most numbers in all, for which every flip of signs is counted.
MOST_CLUSTERS, _MOST_COUNTED = 20, 50_000_000
#: Steps whose critical values are kept, for intervals; between them that of the step before, which is larger, is taken.
_MOST_STEPS = 1000
#: Numbers held at once; of fewer than the second number the sums are made without a sparse array, which takes long to make.
_CHUNK, _LITTLE = 2_000_000, 20_000


_Named = TypeVar("_Named")
#: The values of the keys of one.
Cluster = tuple[Any, ...]


@dataclass(frozen=True)
class Flips:
    """Result of flips of whole clusters for a family of statements.

    Attributes
    ----------
    effect, low, high : (m,) arrays
        Mean over the clusters, and its interval: 0 is outside if and only if `p_adjusted` is at most alpha.
    p, p_min : (m,) array, float
        p of the statement alone; the smallest adjusted p that any data of this shape could give.
    n_flips : int
        Flips behind the statement that took the most.
    p_low : (m,) array
        Lower end of the interval of an adjusted p that chance decides, which is then the upper end; else NaN.
    """

    effect: Array
    low: Array
    high: Array
    statistic: Array
    p: Array
    p_adjusted: Array
    p_min: float
    n_flips: int
    p_low: Array

    @property
    def tested(self) -> dict[str, Any]:
        """Return what `Pairs.of` takes of the test."""
        same = ("statistic", "p", "p_adjusted", "p_min", "p_low")
        return {name: getattr(self, name) for name in same} | {"n_resamples": self.n_flips}


def behind(flips: Flips, gate: Outcome, alpha: float) -> Flips:
    """Return the result with adjusted p of at least that of a test that all algorithms are equal, which comes first."""
    adjusted = np.maximum(flips.p_adjusted, 0.0 if gate.p is None else gate.p)
    low, high = agreeing(flips.effect, flips.low, flips.high, adjusted <= alpha)
    return replace(flips, low=low, high=high, p_adjusted=adjusted)


def totals(scores: Array, clusters: Index) -> Array:
    """Return the sums of the scores of the cells of each cluster; see `means`."""
    (cells, m), n = scores.shape, clusters.max(initial=-1) + 1
    if scores.size < _LITTLE:
        return reals(np.bincount((clusters[:, None] * m + np.arange(m)).ravel(), scores.ravel(), n * m).reshape(n, m))
    from scipy.sparse import csr_array

    return np.asarray(csr_array((np.ones(cells), (clusters, np.arange(cells))), (n, cells)) @ scores, float)


def means(scores: Array, clusters: Index) -> Array:
    """Return the mean score of each cluster, (n_clusters, m), of scores of cells, (n_cells, m); clusters are numbered from 0."""
    return totals(scores, clusters) / np.bincount(clusters)[:, None]


class Signs:
    """Signs of each cluster by its name: a pair meets the same flips in whichever family it is tested."""

    def __init__(self, seed: int, named: Iterable[Cluster]) -> None:
        self.streams = [(seed, PAIRS, *map(str, name)) for name in named]
        self.own: Iterable[Generator] = ()

    def bits(self, n: int) -> npt.NDArray[np.int8]:
        """Draw n more of each, (n_clusters, n)."""
        if self.own:
            self.own = [*self.own]
            return np.array([one.integers(2, size=n, dtype=np.int8) for one in self.own])
        first = [_first_bits(n, *stream) for stream in self.streams]
        # copied when more is asked for, which few tests do
        self.own = (copy.deepcopy(rng) for _, rng in first)
        return np.array([bits for bits, _ in first])


@lru_cache(4096)
def _first_bits(n: int, seed: int, *names: str) -> tuple[npt.NDArray[np.int8], Generator]:
    """Draw the first of a stream, with which many tests begin, and return it with them."""
    rng = seeds.stream(seed, *names)
    return rng.integers(2, size=n, dtype=np.int8), rng


@quietly()
def flips(
    d: Array,
    rng: Generator | Signs,
    alpha: float = 0.05,
    permutations: int = draws.MOST,
    *,
    most_counted: int = _MOST_COUNTED,
    batch: int = draws.BATCH,
) -> Flips:
    r"""Test that the mean over the clusters is 0, for a family of statements at once, by flips of signs and step-down max-T.

    The statistic is \|sum d\| / sqrt(sum d^2) over the clusters. One sign a cluster is flipped for all statements alike. The
    adjusted p is the share of flips in which the maximum over a statement and all with smaller statistics reaches its own, made
    monotone (Westfall and Young 1993, algorithm 4.1; Romano and Wolf 2005): for any true hypotheses whose d are jointly symmetric
    about 0 no false one is rejected with more than alpha.

    The interval is the wider of two that decide as the test does: Student's, dbar ± c s / sqrt(G), and Wilson's for d = ±1, (dbar
    - x)^2 G <= c^2 (mean of d^2 - x^2), c the critical value of the step that decides. Where clusters are ties, flips of which
    change nothing, c is at least the normal quantile, and the mean of d^2 is at least \|x\| times the root mean square of the d
    that are no ties, since more of these may be unseen. Where every cluster is a tie it is ± (1 - (alpha / 2m)^(1 / G)).

    Parameters
    ----------
    d : (n_clusters, m) array
        In [-1, 1]; NaN where a statement has nothing from a cluster, which counts 0.
    rng : Generator or Signs
        One for all clusters, or that of each.
    alpha : float
        Level of the family; 0 where nothing is decided, and p is what one batch of flips says.
    permutations : int
        Random flips at most, where there are too many to count (with up to 20 clusters all are).
    most_counted, batch : int
        The most numbers (flips times statements) that are counted, and flips that are drawn at a time.

    p is 1 where all d of a statement are 0; NaN without clusters, or where none has a d.
    """
    groups, m = d.shape
    n = np.count_nonzero(~np.isnan(d), axis=0)
    differ, squares, total_score, statistic = np.empty((4, m))
    # some columns at a time: pairs of many algorithms at many targets are millions
    for some in np.array_split(np.arange(m), max(1, d.size // _CHUNK)):
        columns = slice(some[0], some[-1] + 1) if some.size else slice(0)
        filled = np.nan_to_num(d[:, columns])
        squares[columns] = (filled**2).sum(axis=0)
        total_score[columns] = filled.sum(axis=0)
        differ[columns] = np.count_nonzero(filled, axis=0)
        statistic[columns] = np.abs((filled / _roots(squares[columns])).sum(axis=0))
    effect = total_score / n
    if not groups or not m:
        nan = np.full(m, np.nan)
        return Flips(effect, nan, nan, nan, nan, nan, math.nan, 0, nan)
    order = np.argsort(-statistic, kind="stable")
    steps = _Steps(d, order, statistic[order], squares, alpha)
    counted = groups <= MOST_CLUSTERS and 2 ** (groups - 1) * m <= most_counted
    if counted:
        # all turned round give the same, so the first cluster keeps its sign
        bits = ((np.arange(2 ** (groups - 1)) >> np.arange(groups)[:, None]) & 1).astype(np.int8)
        steps.take((1 - 2 * bits).astype(float), exact=True)
    else:
        limit = draws.most(permutations, m, alpha)
        while steps.open and steps.drawn < limit:
            more = min(batch, limit - steps.drawn)
            bits = rng.bits(more) if isinstance(rng, Signs) else rng.integers(2, size=(more, groups), dtype=np.int8).T
            steps.take((1 - 2 * bits).astype(float), exact=False)
    p, adjusted, p_low, critical = (values[np.argsort(order)] for values in steps.found())
    # the first step that does not reject decides about all that follow
    stopped = order[adjusted[order] > alpha]
    if stopped.size:
        critical[stopped] = max(critical[stopped[0]], statistic[stopped[0]])
    low, high = _interval(
        effect,
        squares / np.maximum(n, 1),
        n.astype(float),
        differ,
        np.where(differ < n, np.maximum(critical, quantile(math.inf, 1 - alpha)), critical),
        adjusted <= alpha,
    )
    ties = (squares == 0) & (n > 0)
    unseen = 1 - (alpha / (2 * m)) ** (1 / np.maximum(n, 1))
    low, high = np.where(ties, -unseen, low), np.where(ties, unseen, high)
    statistic[n == 0] = p[n == 0] = adjusted[n == 0] = np.nan
    p_min = max(2.0 ** (1 - groups), 0.0 if counted else 1 / (steps.drawn + 1))
    return Flips(effect, low, high, statistic, p, adjusted, p_min, steps.drawn, p_low)


class _Steps:
    """Steps of max-T, the largest statistic first; those that are clear take no more flips."""

    def __init__(self, d: Array, order: Index, statistic: Array, squares: Array, alpha: float) -> None:
        m = order.size
        self.d, self.order, self.squares, self.alpha = d, order, squares, alpha
        self.at = statistic * (1 - TOLERANCE) - TOLERANCE
        self.alone, self.together, self.behind = (np.zeros(m, np.int64) for _ in range(3))
        self.drawn, self.exact = 0, False
        #: the first step that is open, and the one behind the last
        self.first, self.last = 0, m
        self.kept = np.unique(np.linspace(0, m - 1, min(m, _MOST_STEPS)).astype(np.int64))
        self.critical, self.batches = np.zeros(m), np.zeros(m)

    @property
    def open(self) -> bool:
        """Return True if a step is open."""
        return self.first < self.last

    def take(self, flipped: Array, exact: bool) -> None:
        """Count what some flips, (n_clusters, n), reach; `exact` where they are all there are."""
        n, m = flipped.shape[1], self.order.size
        # the data are one of all flips that are counted, and beside those that are drawn
        few = min(max(math.floor(self.alpha * (n + (0 if exact else 1)) * (1 + TOLERANCE)) + (1 if exact else 0), 1), n)
        largest, size = np.zeros(n), min(max(1, _CHUNK // (8 * n)), m)
        # from the last statement on, so that the maximum over each and all later ones is at hand
        for stop in range(m, self.first, -size):
            start = max(stop - size, self.first)
            own = self.order[start:stop]
            reached = np.abs((np.nan_to_num(self.d[:, own]) / _roots(self.squares[own])).T @ flipped)
            of_later = np.empty_like(reached)
            for row in range(stop - start - 1, -1, -1):
                largest = np.maximum(largest, reached[row], out=of_later[row])
            tested = slice(start, min(stop, self.last))
            at, last = self.at[tested, None], max(self.last - start, 0)
            self.alone[tested] += np.count_nonzero(reached[:last] >= at, axis=1)
            self.together[tested] += np.count_nonzero(of_later[:last] >= at, axis=1)
            kept = self.kept[(self.kept >= start) & (self.kept < tested.stop)]
            self.critical[kept] += np.partition(of_later[kept - start], -few, axis=1)[:, -few]
        some = slice(self.first, self.last)
        self.batches[some] += 1
        self.behind[some] += n
        self.drawn, self.exact = self.drawn + n, exact
        first, last = (0, 0) if exact else draws.open_steps(self.together[some], self.drawn, self.alpha)
        self.first, self.last = self.first + first, self.first + last

    def found(self) -> tuple[Array, Array, Array, Array]:
        """Return for each step p of the statement alone, adjusted p, its lower end where it is open, and the critical value."""
        extra = 0 if self.exact else 1
        p, adjusted = ((reached + extra) / (self.behind + extra) for reached in (self.alone, self.together))
        low = np.full(p.size, np.nan)
        if self.open and self.alpha * (self.drawn + extra) >= 1:
            some = slice(self.first, self.last)
            ends = [draws.interval(reached, self.drawn) for reached in self.together[some].tolist()]
            low[some], adjusted[some] = np.maximum.accumulate(np.array(ends)).T
        critical = (self.critical / self.batches)[self.kept[np.searchsorted(self.kept, np.arange(p.size), side="right") - 1]]
        return p, np.maximum.accumulate(adjusted), low, critical


def _roots(squares: Array) -> Array:
    return np.sqrt(np.where(squares > 0, squares, 1.0))


@quietly()
def _interval(effect: Array, squares: Array, n: Array, differ: Array, critical: Array, decided: Mask) -> TwoArrays:
    """See `flips`; `squares` is the mean of d^2, `differ` the number of clusters that are no ties."""
    c2 = np.minimum(critical**2, n)
    # of the statistic, whose square is at most n, to Student's
    student = np.where(c2 < n, np.sqrt(c2 * np.maximum(squares - effect**2, 0.0) / (n - c2)), np.inf)
    half = np.sqrt(c2) * np.sqrt(np.maximum((n + c2) * squares - n * effect**2, 0.0)) / (n + c2)
    middle = n * effect / (n + c2)
    # the same where the mean of d^2 grows with |x|; NaN where that has no end
    sides = np.array([[-1.0], [1.0]])
    unseen = sides * n * effect + c2 * np.sqrt(squares * n / differ) / 2
    farther = sides * (unseen + np.sqrt(unseen**2 - (n + c2) * n * effect**2)) / (n + c2)
    low = np.fmin(np.minimum(effect - student, middle - half), farther[0])
    high = np.fmax(np.maximum(effect + student, middle + half), farther[1])
    # rounding at the edge decides nothing
    low, high = (np.where(np.abs(end) < TOLERANCE, 0.0, end) for end in (low, high))
    low, high = agreeing(effect, low, high, decided)
    return np.clip(low, -1, 1), np.clip(high, -1, 1)


def pairs_of(
    values: ArrayLike,
    clusters: Index,
    signs: Signs,
    alpha: float = 0.05,
    permutations: int = draws.MOST,
) -> Pairs:
    """Compare all pairs by their net share of wins over clusters (`flips`), of b less that of a: negative = a is better."""
    x = np.asarray(values, float)
    flipped = flips(-means(net_wins(x), clusters), signs, alpha, permutations)
    return Pairs.of(x.shape[1], flipped.effect, "net wins", MAX_T, low=flipped.low, high=flipped.high, **flipped.tested)


def outcomes(
    values: ArrayLike, clusters: Index, rng: Generator, permutations: int = draws.MOST, alpha: float = 0.05
) -> list[Outcome]:
    """Return `exchangeable` of a design as rows of `tests`."""
    x = np.asarray(values, float)
    return [exchangeable(means(net_wins(x), clusters), x.shape[1], rng, permutations, alpha)]


def exchangeable(d: Array, k: int, rng: Generator, permutations: int = draws.MOST, alpha: float = 0.05, **drawn: int) -> Outcome:
    """Test that all k algorithms are equal: their labels are permuted within whole clusters, one permutation for all its cells.

    The statistic is the sum over the algorithms of (mean rank - (k + 1) / 2)^2. `d` are net shares of wins, (n_clusters,
    n_pairs), of which NaN counts 0; the rest as of `labels_permuted`.
    """
    return labels_permuted(ALL, leads(np.nan_to_num(d), k) / (2 * max(len(d), 1)), rng, permutations, alpha, **drawn)


def leads(d: Array, k: int) -> Array:
    """Return the sum of an algorithm's scores against all others in each cluster, (n_clusters, k), by those of all pairs."""
    both = np.concatenate(np.triu_indices(k, 1))
    return np.array([np.bincount(both, np.concatenate([row, -row]), k) for row in d]).reshape(len(d), k)


def numbered(values: Iterable[_Named]) -> tuple[Index, list[_Named]]:
    """Number values as they first appear; return the number of each, and the distinct ones."""
    number: dict[_Named, int] = {}
    codes = np.array([number.setdefault(value, len(number)) for value in values], np.int64)
    return codes, list(number)


def named(designs: Designs, cluster_keys: keys.Keys) -> tuple[Index, list[Cluster]]:
    """Return the cluster of each block of some designs, one after the other, and the values of the keys of each cluster.

    They are numbered from 0 as they appear. Of a design that says nothing of its problems each block is a cluster.
    """
    return numbered(
        tuple(keys.value(problem, key) for key in (cluster_keys if design.problems else ["block"]))
        for design in designs
        for problem in design.problems or [{"block": block} for block in range(len(design.values))]
    )


def in_words(clusters: Sequence[Cluster]) -> list[str]:
    """Name clusters by the keys in which they differ."""
    differ = [len(set(values)) > 1 for values in zip(*clusters, strict=True)]
    return [
        " ".join(
            str(one) for one, tells in zip(keys_of_cluster, differ, strict=True) if one is not None and (tells or not any(differ))
        )
        for keys_of_cluster in clusters
    ]


ENTRIES = (
    *described(__file__, OmnibusTest, cluster_permutation=outcomes),
    *described(__file__, Comparison, net_wins=pairs_of),
    *described(__file__, Correction, max_t=None),
)
