"""Permutation tests for blocks × treatments (× runs), and the minimum significant differences they imply.

Up to `EXACT` rearrangements are counted; of more, random ones are drawn until the decision is clear of chance (`draws`).
"""

import math
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from itertools import permutations as orders

import numpy as np

from benchmill.core import Array, ArrayLike, Generator, Index, Whole, chunks, quietly, reals
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import draws
from benchmill.inference.design import Outcome, cells
from benchmill.registry.entry import described
from benchmill.registry.inference import OmnibusTest

#: Up to this many rearrangements are enumerated.
EXACT = draws.COUNTED
#: Numbers held at once while rearranging.
CHUNK = 1 << 22


def _counted(observed: float, rearranged: Iterator[Array], slack: float = 0.0) -> tuple[int, int]:
    """Count the rearranged statistics that reach the observed one, and all."""
    bound = observed - TOLERANCE * abs(observed) - slack
    reach = total = 0
    for values in rearranged:
        reach += int((values >= bound).sum())
        total += values.size
    return reach, total


def enumerated(method: str, k: int, observed: float, rearranged: Iterator[Array], p_min: float, slack: float = 0.0) -> Outcome:
    """Return the result of all rearrangements, whose statistics are `rearranged`, and reach the observed one up to `slack`."""
    reach, total = _counted(observed, rearranged, slack)
    return Outcome(method, observed, max(k - 1, 0), None, reach / total, p_min, total)


def as_it_is(method: str, k: int, observed: float = 0.0) -> Outcome:
    """Return the result where there is one arrangement."""
    return enumerated(method, k, observed, iter([np.array([observed])]), 1.0)


def drawn(
    test: Outcome,
    observed: float,
    draw: Callable[[int], Iterator[Array]],
    permutations: int,
    size: int,
    alpha: float,
    batch: int = draws.BATCH,
    slack: float = 0.0,
) -> Outcome:
    """Return a test with what random rearrangements of this many numbers say; `draw` gives the statistics of new ones."""
    p, n, low = draws.until_clear(lambda more: _counted(observed, draw(more), slack)[0], permutations, size, alpha, batch)
    return replace(test, p=p, p_min=max(test.p_min or 0.0, 1 / (n + 1)), n_resamples=n, p_low=low)


# --- Design 1 ----------------------------------------------------------------------------------


def within_blocks(
    values: ArrayLike,
    rng: Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Outcome:
    """Test that the treatments are exchangeable within every block, S' = sum_i (sum_h X_hi)^2, of several runs the mean.

    All (k!)^b rearrangements within the blocks are equally likely under the hypothesis; S' orders them as the F statistic of the
    two-way layout does (Chiarandini, Basso, Stützle 2005, section 3). The first block stays as it is: relabelling all blocks
    alike does not change S'. Values are finite; p = 1 without blocks or with one treatment.
    """
    x = finite(cells(values).mean(axis=2))
    b, k = x.shape
    x = x - x.mean(axis=1, keepdims=True) if k else x
    observed, largest = clean((x.sum(axis=0) ** 2).sum(), x), float(np.abs(x).max(initial=0.0))
    if b < 2 or k < 2 or not largest:
        return as_it_is("permutation", k, observed)
    return replace(
        labels_permuted("permutation", x / largest, rng, permutations, alpha, most_counted=exact_limit), statistic=observed
    )


def labels_permuted(
    method: str,
    lead: Array,
    rng: Generator,
    permutations: int = draws.MOST,
    alpha: float = 0.05,
    *,
    most_counted: int = draws.COUNTED,
    batch: int = draws.BATCH,
) -> Outcome:
    """Test that algorithms are equal by the sum of their squared sums of scores, labels permuted within each cluster.

    Parameters
    ----------
    lead : (n_clusters, k) array
        Scores; those of a cluster add up to 0.
    permutations : int
        Random permutations at most, where there are more than `most_counted`; `batch` are drawn at a time.
    alpha : float
        Level of the decision; 0 where nothing is decided, and p is what one batch says.

    Undefined where all scores are 0, or k is below 2.
    """
    observed, (groups, k) = float((lead.sum(axis=0) ** 2).sum()), lead.shape
    if k < 2 or not np.any(lead):
        return Outcome(method, df1=max(k - 1, 0))
    # the ways to permute k labels within all clusters but the first; inf where nobody can try them all
    every = math.factorial(k) ** (groups - 1) if k <= 8 and groups <= 20 else math.inf

    def found(sums: Callable[[range], Array], total: int) -> Iterator[Array]:
        # few enough to stay in the caches of a processor
        return ((sums(range(total)[some]) ** 2).sum(axis=1) for some in chunks(total, CHUNK // 32 // lead.size))

    if every <= most_counted:
        in_order = partial(_in_order, lead, np.array(list(orders(range(k)))))
        return enumerated(method, k, observed, found(in_order, int(every)), 1 / every, TOLERANCE)
    draw = partial(found, partial(_at_random, lead, rng))
    test = Outcome(method, observed, k - 1, p_min=1 / every)
    return drawn(test, observed, draw, permutations, lead.size, alpha, batch, TOLERANCE)


def _at_random(lead: Array, rng: Generator, numbers: range) -> Array:
    """Return the sums over the clusters of a number of random permutations."""
    # where very many scores come from is not kept
    if len(numbers) < 100:
        return reals(rng.permuted(np.tile(lead, (len(numbers), 1)), axis=1).reshape(-1, *lead.shape).sum(axis=1))
    places, rng.bit_generator.state = _places(pickle.dumps(rng), *lead.shape, len(numbers))
    return reals(lead.ravel().take(places).reshape(*lead.shape, -1).sum(axis=0).T)


@lru_cache(16)
def _places(drawing: bytes, groups: int, k: int, n: int) -> tuple[Index, Mapping[str, object]]:
    """Draw where each score comes from, (groups * k, n), with the state after that: many tests draw the same."""
    rng = pickle.loads(drawing)
    places = rng.permuted(np.broadcast_to(np.arange(groups * k).reshape(groups, k), (n, groups, k)), axis=2)
    return places.reshape(n, -1).T.copy(), rng.bit_generator.state


def _in_order(lead: Array, order: Whole, numbers: range) -> Array:
    """Return the sums over the clusters of the permutations of these numbers, of all where the first cluster stays."""
    number = np.arange(numbers.start, numbers.stop)
    result = np.tile(lead[0], (len(numbers), 1))
    for scores in lead[1:]:
        number, which = np.divmod(number, len(order))
        result += scores[order[which]]
    return result


# --- Design 2 ----------------------------------------------------------------------------------


def synchronised(
    values: ArrayLike,
    rng: Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Outcome:
    """Test for main effects of the treatments, all runs permuted alike in every block (fully synchronised).

    One permutation of the k r run positions for all blocks, S = sum_i (sum_h sum_t X_hit)^2: the one-way permutation test on Z_it
    = sum_h X_hit. The rearrangements form a group, so the level is exact where the runs of a block are exchangeable, and an
    interaction cancels, since a slot receives the same numbers of runs of every treatment in all blocks. Values are finite,
    (n_blocks, n_treatments, n_runs), the runs of a cell in random order, which that of a file is not.
    """
    x = finite(cells(values))
    _, k, r = x.shape
    z = x.sum(axis=0)
    z = z - z.mean() if z.size else z
    observed = clean((z.sum(axis=1) ** 2).sum(), z)
    if k < 2 or r == 0 or not x.shape[0]:
        return as_it_is("synchronised", k, observed)
    log_count = math.lgamma(k * r + 1) - k * math.lgamma(r + 1)
    # relabelling the treatments does not change S: k! rearrangements always tie
    p_min = math.factorial(k) / (math.factorial(k * r) // math.factorial(r) ** k) if log_count < 600 else 0.0
    if log_count <= math.log(exact_limit) + 1e-9:
        return enumerated("synchronised", k, observed, iter([(_all_shares(z.ravel(), k, r) ** 2).sum(axis=1)]), p_min)

    def draw(total: int) -> Iterator[Array]:
        for some in chunks(total, CHUNK // z.size):
            shuffled = rng.permuted(np.broadcast_to(z.ravel(), (some.stop - some.start, z.size)), axis=1)
            yield (shuffled.reshape(-1, k, r).sum(axis=2) ** 2).sum(axis=1)

    return drawn(Outcome("synchronised", observed, k - 1, p_min=p_min), observed, draw, permutations, z.size, alpha)


def _all_shares(z: Array, k: int, r: int) -> Array:
    """Return sums of the k shares for all ways to deal the values out, r to a share, (n_ways, k)."""
    left = np.arange(z.size)[None, :]
    sums = np.empty((1, 0))
    for remaining in range(k, 1, -1):
        size = remaining * r
        taken = np.array(list(combinations(range(size), r)))
        mask = np.ones((len(taken), size), bool)
        np.put_along_axis(mask, taken, False, axis=1)
        rest = np.broadcast_to(np.arange(size), mask.shape)[mask].reshape(len(taken), size - r)
        sums = np.concatenate([np.repeat(sums, len(taken), axis=0), z[left[:, taken]].sum(axis=2).reshape(-1, 1)], axis=1)
        left = left[:, rest].reshape(-1, size - r)
    return np.concatenate([sums, z[left].sum(axis=1, keepdims=True)], axis=1)


def splits(r: int, rng: Generator, permutations: int, exact_limit: int = EXACT) -> tuple[Array, bool]:
    """Return splits of 2 r runs into two samples of r as signs, (n, 2 r), and if these are all (the observed one first)."""
    if math.comb(2 * r, r) <= exact_limit:
        chosen = np.array(list(combinations(range(2 * r), r)))
        signs = np.full((len(chosen), 2 * r), -1.0)
        np.put_along_axis(signs, chosen, 1.0, axis=1)
        return signs, True
    return rng.permuted(np.broadcast_to(np.repeat([1.0, -1.0], r), (permutations, 2 * r)), axis=1), False


# --- as rows of `tests` ------------------------------------------------------------------------


def within_blocks_outcomes(values: Array, rng: Generator, permutations: int, alpha: float = 0.05) -> list[Outcome]:
    """Return `within_blocks` as rows of `tests`, not defined without blocks or with one treatment."""
    b, k, _ = values.shape
    if not b or k < 2:
        return [Outcome("permutation", df1=max(k - 1, 0))]
    return [within_blocks(values, rng, permutations=permutations, alpha=alpha)]


def of_runs(
    method: str,
    test: Callable[..., Outcome],
    most_treatments: float,
    values: Array,
    rng: Generator,
    permutations: int,
    alpha: float = 0.05,
) -> list[Outcome]:
    """Return the row of a test on shuffled runs, not defined below two runs or with more treatments than these."""
    b, k, r = values.shape
    if not b or r < 2 or not 2 <= k <= most_treatments:
        return [Outcome(method, df1=max(k - 1, 0))]
    return [test(rng.permuted(values, axis=2), rng, permutations=permutations, alpha=alpha)]


# --- pairs -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PermutationPairs:
    """Permutation comparison of all pairs (a < b in the order of `numpy.triu_indices`).

    `p` is two-sided and of the pair alone; `msd` the minimum significant difference at the comparison-wise level, inf where the
    design cannot reach that level.
    """

    difference: Array
    p: Array
    msd: Array
    p_min: float
    n_resamples: int
    exact: bool


def pairs(
    values: ArrayLike,
    rng: Generator,
    *,
    alpha_cw: float,
    permutations: int = draws.BATCH,
    exact_limit: int = EXACT,
) -> PermutationPairs:
    """Test all pairs two-sidedly by rearrangement, with their minimum significant differences in closed form.

    With cell means made equal and a shift of MSD between the two samples, a split that exchanges nu runs reaches the observed
    difference if and only if nu = 0 or MSD <= m with m = -sum_h D_h / (2 nu b), D_h the difference of the sums after the split.
    So the MSD is the (floor(alpha_cw / 2 B) + 1)-th largest m, of which a significant difference is strictly larger: no search as
    in Algorithm 2 of Chiarandini, Basso, Stützle 2005. With one run a cell the splits are sign flips. Both directions of a pair
    are looked at, and the larger MSD holds for both. `alpha_cw` is comparison-wise and two-sided: alpha / c for a family of c
    pairs (Bonferroni).
    """
    x = finite(cells(values))
    b, k, r = x.shape
    a, c = np.triu_indices(k, 1)
    means = x.mean(axis=(0, 2)) if x.size else np.full(k, np.nan)
    difference = means[a] - means[c]
    if not x.size or not a.size:
        return PermutationPairs(difference, np.full(a.size, np.nan), np.full(a.size, np.inf), 1.0, 1, True)
    moves, exact = _flips(b, rng, permutations, exact_limit) if r == 1 else splits(r, rng, permutations, exact_limit)
    n, p_min = len(moves), 2.0 ** (1 - b) if r == 1 else 2 / math.comb(2 * r, r)
    p, msd = np.empty(a.size), np.empty(a.size)
    for some in chunks(a.size, CHUNK // n):
        i, j = a[some], c[some]
        if r == 1:
            d = (x[:, i, 0] - x[:, j, 0]).T
            s0, stars = d.sum(axis=1), d @ (1 - 2 * moves).T
            moved = moves.sum(axis=1)
            thresholds = shares((d - d.mean(axis=1, keepdims=True)) @ moves.T, moved)
        else:
            z, own, other = x.sum(axis=0), moves[:, :r], moves[:, r:]
            s0 = (z[i] - z[j]).sum(axis=1)
            stars = (z @ own.T)[i] + (z @ other.T)[j]
            centred = z - z.mean(axis=1, keepdims=True)
            moved = (own < 0).sum(axis=1) * b
            thresholds = shares((centred @ (own < 0).T)[i] - (centred @ (other > 0).T)[j], moved)
        bound = np.abs(s0) * (1 - TOLERANCE) - TOLERANCE * np.abs(x).sum(axis=(0, 2)).max()
        reach = (np.abs(stars) >= bound[:, None]).sum(axis=1)
        p[some] = reach / n if exact else (reach + 1) / (n + 1)
        turned = np.where(moved > 0, -thresholds, np.inf)
        msd[some] = np.maximum(_upper(thresholds, alpha_cw, exact), _upper(turned, alpha_cw, exact))
    return PermutationPairs(difference, p, msd, p_min if exact else max(p_min, 1 / (n + 1)), n, exact)


def _flips(b: int, rng: Generator, permutations: int, exact_limit: int) -> tuple[Array, bool]:
    if b <= math.log2(exact_limit):
        return ((np.arange(2**b)[:, None] >> np.arange(b)) & 1).astype(float), True
    return rng.integers(0, 2, (permutations, b)).astype(float), False


@quietly()
def shares(sums: Array, moved: Array) -> Array:
    """Return sums over the runs that were moved; inf where none was."""
    return np.where(moved > 0, sums / moved, np.inf)


def _upper(thresholds: Array, alpha_cw: float, exact: bool) -> Array:
    """Return the (floor(alpha_cw / 2 n) + 1)-th largest threshold of each row; inf where that is none."""
    size = thresholds.shape[1]
    rank = math.floor(alpha_cw / 2 * (size + (0 if exact else 1)) * (1 + TOLERANCE)) + (1 if exact else 0)
    if rank < 1:
        return np.full(len(thresholds), np.inf)
    return np.maximum(np.partition(thresholds, size - rank, axis=1)[:, size - rank], 0.0)


def finite(x: Array) -> Array:
    """Return the values, or raise a `ValueError` where one is not finite."""
    if not np.isfinite(x).all():
        raise ValueError("a permutation test of means needs finite values; give failures a value or take ranks")
    return x


def clean(observed: float, z: Array) -> float:
    """Return 0 where the statistic is 0 but for rounding."""
    return 0.0 if observed <= (TOLERANCE * np.abs(z).sum()) ** 2 else float(observed)


ENTRIES = described(
    __file__,
    OmnibusTest,
    permutation=within_blocks_outcomes,
    synchronised=partial(of_runs, "synchronised", synchronised, math.inf),
)
