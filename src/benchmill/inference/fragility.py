"""Fragility of statements: the fewest clusters without which the primary analysis, repeated, would decide otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from benchmill.core import Array, Generator, Mask, chunks
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters, draws

#: How many clusters, whether no fewer do, and which: by pair, None where no removal that was tried changes the decision.
Found = tuple[int, bool, list[int]] | None

#: What gives the adjusted p of all pairs for each of some removals of as many clusters, (n_removals, n_pairs).
_Screen = Callable[[Sequence[Sequence[int]]], Array]

#: Largest removals of which all are tried, and how many numbers the screen of these and whole analyses may take.
_MOST_REMOVED, _MOST_SCREENED, _MOST_ANALYSED = 3, 150_000_000, 50_000_000
#: Rearrangements of the screen, numbers that it may hold, and makes at once, and standard errors from the level within which it
#: decides nothing.
_DRAWN, _MOST_HELD, _MOST_AT_ONCE, _CLEAR = 2000, 20_000_000, 200_000, 4.0
#: A sum of signs with weights reaches its standard deviation with at least this chance (Oleszkiewicz 1996).
_BEYOND_ONE = 0.1


def fragility(
    d: Array, pairs: Array, k: int, decide: Callable[[Sequence[int]], Mask], alpha: float, rng: Generator
) -> list[Found]:
    """Return for each pair the smallest removal of clusters that turns its verdict, shown or not.

    All removals of one cluster are tried, then of two, then of three, as long as there is time. The same rearrangements of all
    clusters, less the rows that are removed, estimate the adjusted p of every pair; only where one is within four standard errors
    of the level `decide`, the whole analysis, judges. Of removals of the same size the one that speaks most for the verdict
    counts.

    Where none of these turns a difference that is shown, clusters are removed in the order of what they contribute, and the
    number is an upper bound: the smallest that bisection finds clearly not shown, at most where the statistic falls to 1, which
    sign flips reach in a tenth of all cases whatever the scores (used where alpha < 0.1).

    `d` has the scores of all pairs, (n_clusters, k (k - 1) / 2), `pairs` those of the m that are tested.
    """
    groups, m = pairs.shape
    if not groups or not m:
        return [None] * m
    search = _Search(pairs, decide, alpha, _screen(d, pairs, k, rng) if _DRAWN * max(m, groups * k) <= _MOST_HELD else None, k)
    while search.next_size():
        pass
    for pair in np.flatnonzero(search.shown & search.still).tolist():
        search.found[pair] = search.bound(pair)
    return search.found


class _Search:
    """Hold the removals found so far, and the work that may still be spent."""

    def __init__(
        self,
        pairs: Array,
        decide: Callable[[Sequence[int]], Mask],
        alpha: float,
        screen: _Screen | None,
        k: int,
    ) -> None:
        self.groups, m = pairs.shape
        self.decide, self.alpha, self.screen = decide, alpha, screen
        self.shown = decide(range(self.groups))
        # what speaks for the verdict
        self.weight = np.where(self.shown, 1.0, -1.0) * np.where(pairs.sum(axis=0) < 0, -1.0, 1.0) * pairs
        self.found: list[Found] = [None] * m
        self.still = np.ones(m, bool)
        self.cost, self.left = _DRAWN * (m + k + 20), _MOST_SCREENED
        drawn = min(2 ** (self.groups - 1), draws.BATCH)
        self.analyses = int(_MOST_ANALYSED / (self.groups * (drawn * m + draws.BATCH * k)))
        self.edge = _CLEAR * math.sqrt(alpha * (1 - alpha) / _DRAWN)
        #: the size up to which all removals are tried, and whether that is so of each pair
        self.tried, self.sure = 0, np.ones(m, bool)

    def next_size(self) -> bool:
        """Try all removals of the next size; return False where nothing is left, to find or to spend."""
        size, still = self.tried + 1, self.still.copy()
        left = self.left - self.cost * math.comb(self.groups, size)
        if self.screen is None or size > min(_MOST_REMOVED, self.groups) or left < 0 or not still.any():
            return False
        removals = list(combinations(range(self.groups), size))
        self.left, self.tried = left, size
        p = self.screen(removals)
        turned = np.where(self.shown, p - self.alpha, self.alpha - p)
        speaks = self.weight[np.array(removals)].sum(axis=1)
        self._take(removals, np.where(still & (turned > self.edge), speaks, -np.inf))
        # of what the screen leaves open the likeliest first
        unclear = np.where(self.still & (np.abs(turned) <= self.edge), turned, -np.inf)
        likeliest = unclear.max(axis=1)
        for at in np.argsort(-likeliest, kind="stable")[: np.isfinite(likeliest).sum()].tolist():
            here = self.still & np.isfinite(unclear[at])
            if here.any() and self.analyses:
                self.analyses -= 1
                changed = self.decide([*sorted({*range(self.groups)} - {*removals[at]})]) != self.shown
                self._take([removals[at]], np.where(here & changed, 0.0, -np.inf)[None])
            elif here.any():
                self.sure &= ~here
        return True

    def _take(self, removals: Sequence[tuple[int, ...]], speaks: Array) -> None:
        for pair, at in enumerate(speaks.argmax(axis=0).tolist()):
            if np.isfinite(speaks[at, pair]):
                self.still[pair] = False
                self.found[pair] = (len(removals[at]), bool(self.sure[pair]), list(removals[at]))

    def bound(self, pair: int) -> Found:
        """Return how many clusters turn what is shown, removed in the order of what they contribute."""
        weight = self.weight[:, pair]
        order = np.argsort(-weight, kind="stable")
        # after `high` removals the studentised sum is so small that no level below 0.1 rejects
        ordered = weight[order]
        rest, squares = (np.append(x[::-1].cumsum()[::-1], 0.0)[1:] for x in (ordered, ordered**2))
        limit = np.sqrt(squares) if self.alpha < _BEYOND_ONE else 0.0
        low, high = self.tried, int(np.argmax(rest <= limit + TOLERANCE)) + 1
        while self.screen is not None and high - low > 1 and self.left > self.cost:
            middle, self.left = (low + high) // 2, self.left - self.cost
            clear = self.screen([order[:middle].tolist()])[0, pair] > self.alpha + self.edge
            low, high = (low, middle) if clear else (middle, high)
        return high, bool(self.sure[pair]) and high == self.tried + 1, sorted(order[:high].tolist())


def _screen(d: Array, pairs: Array, k: int, rng: Generator) -> _Screen:
    """Return what finds adjusted p of all pairs without some clusters, by the same flips and permutations of all."""
    near, lead = 1 - 1e-9, clusters.leads(d, k)
    signs = 1.0 - 2.0 * rng.integers(2, size=(len(pairs), _DRAWN))
    dealt = rng.permuted(np.tile(lead, (_DRAWN, 1)), axis=1).reshape(_DRAWN, *lead.shape).transpose(1, 2, 0).copy()
    sums, with_sums = pairs.T @ signs, [(x, x.sum(axis=0)) for x in (lead, dealt, pairs, pairs**2)]

    def p_adjusted(removals: Sequence[Sequence[int]]) -> Array:
        """Return them as `Tested` adjusts, step-down max-T and at least the p of the gate."""
        found = []
        for some in chunks(len(removals), _MOST_AT_ONCE // (_DRAWN * max(pairs.shape[1], k))):
            gone = np.array(removals[some])
            gate, at_gate, score, squares = (of_all - x[gone].sum(axis=1) for x, of_all in with_sums)
            passed = (at_gate**2).sum(axis=1) >= (gate**2).sum(axis=1)[:, None] * near - 1e-9
            scale = 1 / np.sqrt(np.where(squares > 1e-9, squares, 1.0))
            order = np.argsort(-np.abs(score * scale), axis=1, kind="stable")
            least, scale, weight = (
                np.take_along_axis(x, order[:, :, None], axis=1)
                for x in (np.abs(score * scale)[:, :, None] * near - 1e-9, scale[:, :, None], pairs[gone].transpose(0, 2, 1))
            )
            reached = sums[order]
            reached *= scale
            reached -= (weight * scale) @ signs[gone]
            np.abs(reached, out=reached)
            # the maximum row by row: of a whole matrix NumPy takes it seven times as slowly
            for step in range(order.shape[1] - 1, 0, -1):
                np.maximum(reached[:, step - 1], reached[:, step], out=reached[:, step - 1])
            # flags add up fastest in numbers of this size
            of_gate, of_pairs = (np.add.reduce(flags, axis=-1, dtype=np.int16) / _DRAWN for flags in (passed, reached >= least))
            p = np.maximum(np.maximum.accumulate(of_pairs, axis=1), of_gate[:, None])
            found.append(np.take_along_axis(p, np.argsort(order, axis=1), axis=1))
        return np.concatenate(found)

    return p_adjusted
