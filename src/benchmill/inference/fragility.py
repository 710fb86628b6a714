"""Fragility of statements: the fewest clusters without which the primary analysis, repeated, would decide otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from benchmill.core import Array, Generator, Mask
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters, draws

#: How many clusters, whether no fewer do, and which: by pair, None where no removal that was tried changes the decision.
Found = tuple[int, bool, list[int]] | None

#: Largest removals of which all are tried, and how many numbers the screen of these and whole analyses may take.
_MOST_REMOVED, _MOST_SCREENED, _MOST_ANALYSED = 3, 150_000_000, 50_000_000
#: Rearrangements of the screen, numbers that it may hold, and standard errors from the level within which it decides nothing.
_DRAWN, _MOST_HELD, _CLEAR = 2000, 20_000_000, 4.0
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
        screen: Callable[[Sequence[int]], Array] | None,
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
        p = np.array([self.screen(gone) for gone in removals])
        turned = np.where(self.shown, p - self.alpha, self.alpha - p)
        speaks = np.array([self.weight[list(gone)].sum(axis=0) for gone in removals])
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
            clear = self.screen(order[:middle].tolist())[pair] > self.alpha + self.edge
            low, high = (low, middle) if clear else (middle, high)
        return high, bool(self.sure[pair]) and high == self.tried + 1, sorted(order[:high].tolist())


def _screen(d: Array, pairs: Array, k: int, rng: Generator) -> Callable[[Sequence[int]], Array]:
    """Return what finds adjusted p of all pairs without some clusters, by the same flips and permutations of all."""
    near, every = 1 - 1e-9, pairs**2
    signs = 1.0 - 2.0 * rng.integers(2, size=(len(pairs), _DRAWN))
    sums, lead = pairs.T @ signs, clusters.leads(d, k)
    dealt_leads = rng.permuted(np.tile(lead, (_DRAWN, 1)), axis=1).reshape(_DRAWN, *lead.shape)
    totals = dealt_leads.sum(axis=1)

    def p_adjusted(without: Sequence[int]) -> Array:
        """Return it as `Tested` adjusts: step-down max-T, and at least the p of the gate."""
        gone = np.asarray(without, np.int64)
        gate = ((lead.sum(axis=0) - lead[gone].sum(axis=0)) ** 2).sum() * near - 1e-9
        dealt = ((totals - dealt_leads[:, gone].sum(axis=1)) ** 2).sum(axis=1)
        squares = every.sum(axis=0) - every[gone].sum(axis=0)
        roots = np.sqrt(np.where(squares > 1e-9, squares, 1.0))
        statistic = np.abs(pairs.sum(axis=0) - pairs[gone].sum(axis=0)) / roots
        reached = np.abs(sums - pairs[gone].T @ signs[gone]) / roots[:, None]
        order = np.argsort(-statistic, kind="stable")
        largest, share, p = np.zeros(_DRAWN), np.empty(len(order)), np.empty(len(order))
        # the maximum row by row: of a whole matrix NumPy takes it seven times as slowly
        for step in range(len(order) - 1, -1, -1):
            np.maximum(largest, reached[order[step]], out=largest)
            share[step] = np.count_nonzero(largest >= statistic[order[step]] * near - 1e-9) / _DRAWN
        p[order] = np.maximum.accumulate(share)
        return np.asarray(np.maximum(p, (dealt >= gate).mean()), float)

    return p_adjusted
