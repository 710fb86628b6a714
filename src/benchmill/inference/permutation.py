"""Permutation tests for blocks × treatments (× runs), and the minimum significant differences they imply.

Every rearrangement is counted when there are at most `EXACT` of them; else random ones are drawn until the decision at the level
is clear of chance (`draws`), B of them, with the p value (1 + #{S* >= S0}) / (B + 1). Equal up to a relative 1e-12 counts as
equal: exact ties are frequent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import draws
from benchmill.inference.design import cells, shuffled_runs
from benchmill.inference.outcome import Outcome

Array = npt.NDArray[np.float64]

#: Up to this many rearrangements are enumerated.
EXACT = draws.COUNTED
#: More treatments have too many pairs to rearrange each by itself in every block.
_MOST_TREATMENTS = 10
#: Numbers held at once while rearranging.
_CHUNK = 1 << 22


@dataclass(frozen=True)
class Permutation:
    """Result of a permutation test.

    Attributes
    ----------
    statistic : float
        S of the observed arrangement.
    p : float
    p_min : float
        Smallest p value that any data of this shape could give.
    n_resamples : int
        Rearrangements behind p.
    exact : bool
        Whether these are all there are.
    p_low : float or None
        Where chance decides at the level after all of them, the lower end of the interval of p, which is then its upper end.
    """

    statistic: float
    p: float
    p_min: float
    n_resamples: int
    exact: bool
    p_low: float | None = None


def _counted(observed: float, found: Iterator[Array]) -> tuple[int, int]:
    """How many of the rearranged statistics reach the observed one, of how many."""
    bound = observed - TOLERANCE * abs(observed)
    reach = total = 0
    for values in found:
        reach += int((values >= bound).sum())
        total += values.size
    return reach, total


def _all(observed: float, found: Iterator[Array], p_min: float) -> Permutation:
    reach, total = _counted(observed, found)
    return Permutation(observed, reach / total, p_min, total, True)


def _drawn(
    observed: float, draw: Callable[[int], Iterator[Array]], p_min: float, permutations: int, size: int, alpha: float
) -> Permutation:
    """Return the result of random rearrangements of so many numbers; `draw` gives the statistics of so many new ones."""
    p, n, low = draws.until_clear(lambda more: _counted(observed, draw(more))[0], permutations, size, alpha)
    return Permutation(observed, p, max(p_min, 1 / (n + 1)), n, False, low)


# --- Design 1 ----------------------------------------------------------------------------------


def within_blocks(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Permutation:
    """Test that the treatments are exchangeable within every block, S' = sum_i (sum_h X_hi)^2.

    All (k!)^b rearrangements of the values within the blocks are equally likely under the hypothesis. S' orders
    them as the F statistic of the two-way layout does. Chiarandini, Basso, Stützle 2005, section 3.

    Parameters
    ----------
    values : (n_blocks, n_treatments) array_like
        Finite; runs are averaged where there are several.
    rng : numpy.random.Generator
    permutations : int
        Random rearrangements at most, where there are too many to count.
    exact_limit : int
    alpha : float
        Level of the decision that they end with.

    Returns
    -------
    Permutation
        p = 1 without blocks or with one treatment.

    Notes
    -----
    The first block can be kept as it is: relabelling all blocks alike does not change S', so (k!)^(b - 1) rearrangements
    are enumerated. For many blocks each block is shuffled fewer times than there are resamples, and every resample picks
    one of these at random. The observed arrangement and such picks are exchangeable, so that the test keeps its level
    exactly; there are at least four (block, shuffle) pairs a resample, so that their number adds little to the error of p.

    Raises
    ------
    ValueError
        A value is not finite.
    """
    x = _finite(cells(values).mean(axis=2))
    b, k = x.shape
    x = x - x.mean(axis=1, keepdims=True) if k else x
    observed = float((x.sum(axis=0) ** 2).sum())
    if b == 0 or k < 2:
        return Permutation(observed, 1.0, 1.0, 1, True)
    log_count = (b - 1) * math.lgamma(k + 1)
    p_min = 1 / math.factorial(k) ** (b - 1) if log_count < 600 else 0.0
    # rounding of sums that are 0 must not count as a difference
    observed = 0.0 if observed <= (TOLERANCE * np.abs(x).sum()) ** 2 else observed
    if log_count <= math.log(exact_limit) + 1e-9:
        return _all(observed, iter([(_all_within(x) ** 2).sum(axis=1)]), p_min)

    def draw(n: int) -> Iterator[Array]:
        return ((s**2).sum(axis=1) for s in _random_within(x, rng, n))

    return _drawn(observed, draw, p_min, permutations, x.size, alpha)


def _all_within(x: Array) -> Array:
    """Sums of every treatment for all rearrangements of all blocks but the first."""
    k = x.shape[1]
    orders = np.array(list(_orders(k)))
    sums = x[:1]
    for block in x[1:]:
        sums = (sums[:, None, :] + block[orders][None, :, :]).reshape(-1, k)
    return sums


def _orders(k: int) -> Iterator[tuple[int, ...]]:
    from itertools import permutations as orders

    return orders(range(k))


def _random_within(x: Array, rng: np.random.Generator, permutations: int) -> Iterator[Array]:
    b, k = x.shape
    pool = max(128, math.ceil(4 * permutations / b))
    if pool * 2 >= permutations:
        step = max(1, _CHUNK // x.size)
        for first in range(0, permutations, step):
            n = min(step, permutations - first)
            yield rng.permuted(np.broadcast_to(x, (n, b, k)), axis=2).sum(axis=1)
        return
    sums = np.zeros((permutations, k))
    # the observed order is one of the pool, as exchangeability asks for
    for block in x:
        shuffled = np.empty((pool, k))
        shuffled[0] = block
        shuffled[1:] = rng.permuted(np.broadcast_to(block, (pool - 1, k)), axis=1)
        sums += shuffled[rng.integers(0, pool, permutations)]
    yield sums


# --- Design 2 ----------------------------------------------------------------------------------


def synchronised(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Permutation:
    """Test for main effects of the treatments, all runs permuted alike in every block (fully synchronised).

    One permutation of the k r run positions, the same in all blocks; S = sum_i (sum_h sum_t X_hit)^2. It is the one-way
    permutation test on Z_it = sum_h X_hit. The rearrangements form a group, so the level is exact where the runs of a
    block are exchangeable; and each treatment's slots receive the same numbers of runs of every treatment in all blocks, so that
    an interaction of treatments and blocks cancels. The published pairwise form is `synchronised_pairs`.

    Parameters
    ----------
    values : (n_blocks, n_treatments, n_runs) array_like
        Finite. The runs of a cell should be in random order (`design.shuffled_runs`).
    rng : numpy.random.Generator
    permutations : int
        Random rearrangements at most, where the (k r)! / (r!)^k are too many to count.
    exact_limit : int
    alpha : float
        Level of the decision that they end with.

    Returns
    -------
    Permutation

    Raises
    ------
    ValueError
        A value is not finite.
    """
    x = _finite(cells(values))
    _, k, r = x.shape
    z = x.sum(axis=0)
    z = z - z.mean() if z.size else z
    observed = _clean((z.sum(axis=1) ** 2).sum(), z)
    if k < 2 or r == 0 or not x.shape[0]:
        return Permutation(observed, 1.0, 1.0, 1, True)
    log_count = math.lgamma(k * r + 1) - k * math.lgamma(r + 1)
    # relabelling the treatments does not change S: k! rearrangements always tie
    p_min = math.factorial(k) / (math.factorial(k * r) // math.factorial(r) ** k) if log_count < 600 else 0.0
    if log_count <= math.log(exact_limit) + 1e-9:
        return _all(observed, iter([(_all_shares(z.ravel(), k, r) ** 2).sum(axis=1)]), p_min)

    def draw(total: int) -> Iterator[Array]:
        step = max(1, _CHUNK // z.size)
        for first in range(0, total, step):
            n = min(step, total - first)
            shuffled = rng.permuted(np.broadcast_to(z.ravel(), (n, z.size)), axis=1)
            yield (shuffled.reshape(n, k, r).sum(axis=2) ** 2).sum(axis=1)

    return _drawn(observed, draw, p_min, permutations, z.size, alpha)


def _all_shares(z: Array, k: int, r: int) -> Array:
    """Sums of the k shares for all ways to deal the values out, r to a share: (n_ways, k)."""
    left = np.arange(z.size)[None, :]
    sums = np.empty((1, 0))
    for remaining in range(k, 1, -1):
        size = remaining * r
        taken = np.array(list(combinations(range(size), r)))
        mask = np.ones((len(taken), size), bool)
        np.put_along_axis(mask, taken, False, axis=1)
        rest = np.broadcast_to(np.arange(size), mask.shape)[mask].reshape(len(taken), size - r)
        share = z[left[:, taken]].sum(axis=2)
        sums = np.concatenate([np.repeat(sums, len(taken), axis=0), share.reshape(-1, 1)], axis=1)
        left = left[:, rest].reshape(-1, size - r)
    return np.concatenate([sums, z[left].sum(axis=1, keepdims=True)], axis=1)


def splits(r: int, rng: np.random.Generator, permutations: int, exact_limit: int = EXACT) -> tuple[Array, bool]:
    """Ways to split 2 r runs into two samples of r: +1 stays or comes into the first, -1 into the second.

    Returns
    -------
    signs : (n, 2 r) array
        All C(2 r, r), the observed one first, or `permutations` random ones.
    exact : bool
    """
    if math.comb(2 * r, r) <= exact_limit:
        chosen = np.array(list(combinations(range(2 * r), r)))
        signs = np.full((len(chosen), 2 * r), -1.0)
        np.put_along_axis(signs, chosen, 1.0, axis=1)
        return signs, True
    base = np.repeat([1.0, -1.0], r)
    return rng.permuted(np.broadcast_to(base, (permutations, 2 * r)), axis=1), False


def synchronised_pairs(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    square: str = "outside",
    alpha: float = 0.05,
) -> Permutation:
    """Test of Chiarandini, Basso, Stützle 2005, Algorithm 1: each pair is split alike in all blocks.

    S = sum_{i<j} (sum_h S_ij|h)^2 with S_ij|h = sum_t X_hit - sum_t X_hjt; one split for all pairs and blocks. With more than
    two treatments the pairs are not rearranged together, and the test is liberal (about 9 % at nominal 5 % for nine
    treatments): `synchronised` is the default, this one is there under its own name.

    Parameters
    ----------
    values : (n_blocks, n_treatments, n_runs) array_like
        Finite.
    rng : numpy.random.Generator
    permutations, exact_limit, alpha
        See `synchronised`.
    square : {"outside", "inside"}
        Where the square stands: outside the sum over blocks as in the paper's text, or inside as in its pseudo-code, which also
        reacts to pure interaction.

    Raises
    ------
    ValueError
        A value is not finite, or `square` is neither.
    """
    if square not in ("outside", "inside"):
        raise ValueError("square must be 'outside' or 'inside'")
    x = _finite(cells(values))
    b, k, r = x.shape
    if k < 2 or r == 0 or not b:
        return Permutation(0.0, 1.0, 1.0, 1, True)
    x = x - x.mean(axis=(1, 2), keepdims=True)
    parts = x.sum(axis=0)[None] if square == "outside" else x
    p_min = 2 / math.comb(2 * r, r)

    def statistic(chosen: Array) -> Array:
        total = np.zeros(len(chosen))
        for part in parts:
            first, second = chosen[:, :r] @ part.T, chosen[:, r:] @ part.T
            # sum over i < j of (first_i + second_j)^2 from running sums over j
            after = np.cumsum(second[:, ::-1], axis=1)[:, ::-1] - second
            after2 = np.cumsum(second[:, ::-1] ** 2, axis=1)[:, ::-1] - second**2
            number = np.arange(k - 1, -1, -1)
            total += (number * first**2 + 2 * first * after + after2).sum(axis=1)
        return total

    observed = _clean(float(statistic(np.repeat([1.0, -1.0], r)[None])[0]), x.sum(axis=0))
    step = max(1, _CHUNK // (2 * r + 4 * k))

    def found(signs: Array) -> Iterator[Array]:
        return (statistic(signs[i : i + step]) for i in range(0, len(signs), step))

    signs, exact = splits(r, rng, 0, exact_limit)
    if exact:
        return _all(observed, found(signs), p_min)
    return _drawn(observed, lambda n: found(splits(r, rng, n, exact_limit)[0]), p_min, permutations, 2 * r + 4 * k, alpha)


def synchronised_equal(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Permutation:
    """Test for few runs: of every pair the same number of runs is exchanged in every block, whichever they are.

    With nu runs exchanged there are C(r, nu)^(2 b c) rearrangements of b blocks and c pairs, and all of all nu count alike, so
    that p can be far smaller than the 2 / C(2 r, r) of one common split (Chiarandini, Basso, Stützle 2005, section 4, small r).
    The statistic orders them as that of the published test does: sqrt(sum_{i<j} (sum_h S_ij|h)^2), for two treatments
    `|sum_h sum_t X_h1t - X_h2t|`. An interaction still cancels, but the rearrangements are no group and the level is not exact:
    in simulations of two treatments at nominal 5 % about 9 % for two runs and four blocks, 6 % for two runs and ten blocks, 3 %
    for three runs, 6 % for four (`benchmarks/size`). With more than two, whose pairs are not rearranged together, it is far too
    liberal: about 18 % for six treatments with four runs. `synchronised` keeps its level and is the default.

    Arguments, result and errors are those of `synchronised`; the order of the runs in a cell does not matter.
    """
    x = _finite(cells(values))
    b, k, r = x.shape
    if k < 2 or r == 0 or not b:
        return Permutation(0.0, 1.0, 1.0, 1, True)
    x = x - x.mean(axis=(1, 2), keepdims=True)
    # (blocks, pairs, the two of a pair, runs)
    both = np.stack([x[:, i] for i in np.triu_indices(k, 1)], axis=2)
    d = both[:, :, 0].sum(axis=2) - both[:, :, 1].sum(axis=2)
    observed = float(np.sqrt((d.sum(axis=0) ** 2).sum()))
    observed = 0.0 if observed <= TOLERANCE * np.abs(x).sum() else observed
    c = both.shape[1]
    log_weight = np.array([2 * b * c * math.log(math.comb(r, nu)) for nu in range(r + 1)])
    count = sum(math.comb(r, nu) ** (2 * b * c) for nu in range(r + 1))
    p_min = 2 / count if log_weight.max() < 600 else 0.0
    if count <= exact_limit:
        found = []
        for nu in range(r + 1):
            chosen = np.array(list(combinations(range(r), nu)), dtype=int).reshape(math.comb(r, nu), nu)
            squares = np.zeros(1)
            for pair in range(c):
                sums = np.zeros(1)
                for block, difference in zip(both[:, pair], d[:, pair], strict=True):
                    first, second = block[0, chosen].sum(axis=1), block[1, chosen].sum(axis=1)
                    sums = (sums[:, None] + (difference - 2 * first[:, None] + 2 * second).ravel()).ravel()
                squares = (squares[:, None] + sums**2).ravel()
            found.append(np.sqrt(squares))
        return _all(observed, iter(found), p_min)
    weight = np.exp(log_weight - log_weight.max())

    def draw(total: int) -> Iterator[Array]:
        step = max(1, _CHUNK // both.size)
        for first in range(0, total, step):
            n = min(step, total - first)
            nu = rng.choice(r + 1, size=n, p=weight / weight.sum())
            # the first nu places of a random order
            order = rng.permuted(np.broadcast_to(np.arange(r), (n, *both.shape)), axis=4)
            exchanged = ((order < nu[:, None, None, None, None]) * both).sum(axis=4)
            after = (d - 2 * exchanged[..., 0] + 2 * exchanged[..., 1]).sum(axis=1)
            yield np.sqrt((after**2).sum(axis=1))

    return _drawn(observed, draw, p_min, permutations, both.size, alpha)


# --- as rows of `tests` ------------------------------------------------------------------------


def within_blocks_outcomes(values: Array, rng: np.random.Generator, permutations: int, alpha: float = 0.05) -> list[Outcome]:
    """`within_blocks`, not defined without blocks or with one treatment."""
    b, k, _ = values.shape
    return _outcomes(
        "permutation", k, within_blocks(values, rng, permutations=permutations, alpha=alpha) if b and k > 1 else None
    )


def synchronised_outcomes(values: Array, rng: np.random.Generator, permutations: int, alpha: float = 0.05) -> list[Outcome]:
    """`synchronised` with the runs of every cell in random order; it needs two runs."""
    return _of_runs("synchronised", synchronised, values, rng, permutations, alpha)


def synchronised_pairs_outcomes(values: Array, rng: np.random.Generator, permutations: int, alpha: float = 0.05) -> list[Outcome]:
    """`synchronised_pairs` with the runs of every cell in random order; it needs two runs."""
    return _of_runs("synchronised_pairs", synchronised_pairs, values, rng, permutations, alpha)


def synchronised_equal_outcomes(values: Array, rng: np.random.Generator, permutations: int, alpha: float = 0.05) -> list[Outcome]:
    """`synchronised_equal` with the runs of every cell in random order; it needs two runs, and 2 to 10 treatments."""
    return _of_runs("synchronised_equal", synchronised_equal, values, rng, permutations, alpha, most_treatments=_MOST_TREATMENTS)


def _of_runs(
    method: str,
    test: Callable[..., Permutation],
    values: Array,
    rng: np.random.Generator,
    permutations: int,
    alpha: float,
    most_treatments: float = math.inf,
) -> list[Outcome]:
    b, k, r = values.shape
    defined = b and r > 1 and 2 <= k <= most_treatments
    return _outcomes(
        method, k, test(shuffled_runs(values, rng), rng, permutations=permutations, alpha=alpha) if defined else None
    )


def _outcomes(method: str, k: int, found: Permutation | None) -> list[Outcome]:
    if found is None:
        return [Outcome(method, df1=max(k - 1, 0))]
    return [Outcome(method, found.statistic, max(k - 1, 0), None, found.p, found.p_min, found.n_resamples, found.p_low)]


# --- pairs -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PermutationPairs:
    """Permutation comparison of all pairs (a < b in the order of `numpy.triu_indices`).

    Attributes
    ----------
    difference, p : (n_pairs,) arrays
        Difference of the means, and the two-sided p value of the pair alone.
    msd : (n_pairs,) array
        Minimum significant difference of each pair at the comparison-wise level; inf where the design cannot reach that level.
    p_min : float
    n_resamples : int
    exact : bool
    statistic : (n_pairs,) array or None
        The studentised difference, where that is what is compared.
    """

    difference: Array
    p: Array
    msd: Array
    p_min: float
    n_resamples: int
    exact: bool
    statistic: Array | None = None


def pairs(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    alpha_cw: float,
    permutations: int = draws.BATCH,
    exact_limit: int = EXACT,
) -> PermutationPairs:
    """Two-sided permutation tests and minimum significant differences of all pairs, in closed form.

    With values aligned (cell means made equal) and a shift of MSD between the two samples, a split that exchanges nu runs
    reaches the observed difference if and only if nu = 0 or MSD <= m with m = -sum_h D_h / (2 nu b), D_h the difference of
    the sums after the split. So p(MSD) is a step function, and the MSD is the (floor(alpha_cw / 2 B) + 1)-th largest m, of
    which a significant difference is strictly larger: no search as in Algorithm 2 of Chiarandini, Basso, Stützle 2005. With
    one run per cell the splits are sign flips F and m = the mean over F of the centred differences. Both directions of a pair
    are looked at and the larger MSD holds for both.

    Parameters
    ----------
    values : (n_blocks, n_treatments[, n_runs]) array_like
        Finite.
    rng : numpy.random.Generator
    alpha_cw : float
        Comparison-wise level, two-sided; alpha / c for a family of c pairs (Bonferroni).
    permutations, exact_limit : int

    Raises
    ------
    ValueError
        A value is not finite.
    """
    x = _finite(cells(values))
    b, k, r = x.shape
    a, c = np.triu_indices(k, 1)
    means = x.mean(axis=(0, 2)) if x.size else np.full(k, np.nan)
    difference = means[a] - means[c]
    if not x.size or not a.size:
        return PermutationPairs(difference, np.full(a.size, np.nan), np.full(a.size, np.inf), 1.0, 1, True)
    if r == 1:
        flips, exact = _flips(b, rng, permutations, exact_limit)
        p_min = 2.0 ** (1 - b)
    else:
        signs, exact = splits(r, rng, permutations, exact_limit)
        p_min = 2 / math.comb(2 * r, r)
    n = len(flips) if r == 1 else len(signs)
    p, msd = np.empty(a.size), np.empty(a.size)
    step = max(1, _CHUNK // n)
    for first in range(0, a.size, step):
        i, j = a[first : first + step], c[first : first + step]
        if r == 1:
            d = (x[:, i, 0] - x[:, j, 0]).T
            s0, stars = d.sum(axis=1), d @ (1 - 2 * flips).T
            moved = flips.sum(axis=1)
            thresholds = _shares((d - d.mean(axis=1, keepdims=True)) @ flips.T, moved)
        else:
            z = x.sum(axis=0)
            s0 = (z[i] - z[j]).sum(axis=1)
            stars = (z @ signs[:, :r].T)[i] + (z @ signs[:, r:].T)[j]
            centred = z - z.mean(axis=1, keepdims=True)
            moved = (signs[:, :r] < 0).sum(axis=1) * b
            thresholds = _shares((centred @ (signs[:, :r] < 0).T)[i] - (centred @ (signs[:, r:] > 0).T)[j], moved)
        bound = np.abs(s0) * (1 - TOLERANCE) - TOLERANCE * np.abs(x).sum(axis=(0, 2)).max()
        reach = (np.abs(stars) >= bound[:, None]).sum(axis=1)
        p[first : first + step] = reach / n if exact else (reach + 1) / (n + 1)
        other = np.where(moved > 0, -thresholds, np.inf)
        msd[first : first + step] = np.maximum(_upper(thresholds, alpha_cw / 2, exact), _upper(other, alpha_cw / 2, exact))
    return PermutationPairs(difference, p, msd, p_min if exact else max(p_min, 1 / (n + 1)), n, exact)


def studentised_pairs(
    values: npt.ArrayLike, rng: np.random.Generator, *, permutations: int = draws.BATCH, exact_limit: int = EXACT
) -> PermutationPairs:
    """Two-sided permutation tests of all pairs with the difference divided by its own standard error.

    The runs of a pair are split alike in all blocks, so that the test is that of two samples, Z_it = sum_h X_hit, with Welch's
    t = (mean Z_i - mean Z_j) / sqrt((s_i^2 + s_j^2) / r) computed again in every rearrangement. Exact where the runs of a block
    are exchangeable, and valid for many runs where only the means are equal: unequal variances do not matter then (Janssen,
    Statistics & Probability Letters 36, 1997). With one run per cell the signs of the differences are flipped, and t orders the
    rearrangements as the difference does.

    Arguments and errors are those of `pairs`; the runs of a cell should be in random order (`design.shuffled_runs`).

    Returns
    -------
    PermutationPairs
        `statistic` holds t (NaN with one run per cell), `msd` is NaN: no common difference is significant where variances differ.
    """
    x = _finite(cells(values))
    k, r = x.shape[1:]
    a, c = np.triu_indices(k, 1)
    if r < 2 or not x.size or not a.size:
        plain = pairs(x, rng, alpha_cw=0.5, permutations=permutations, exact_limit=exact_limit)
        return replace(plain, msd=np.full(a.size, np.nan))
    signs, exact = splits(r, rng, permutations, exact_limit)
    n, p_min = len(signs), 2 / math.comb(2 * r, r)
    z = x.sum(axis=0)
    z = z - z.mean()
    scale = float((z**2).mean())
    p, statistic = np.empty(a.size), np.empty(a.size)
    step = max(1, _CHUNK // n)

    def studentised(difference: Array, first: Array, total: Array, squares: Array) -> Array:
        # sums of both samples, from their sum and their difference
        second = total - first
        within = squares - (first**2 + second**2) / r
        with np.errstate(divide="ignore", invalid="ignore"):
            t = difference / np.sqrt(np.maximum(within, TOLERANCE * scale) / (r - 1))
        return np.asarray(t, float)

    stay, come = signs[:, :r], signs[:, r:]
    for start in range(0, a.size, step):
        i, j = a[start : start + step], c[start : start + step]
        total = (z[i] + z[j]).sum(axis=1)[:, None]
        squares = (z[i] ** 2 + z[j] ** 2).sum(axis=1)[:, None]
        first = (z @ (stay > 0).T)[i] + (z @ (come > 0).T)[j]
        found = np.abs(studentised(2 * first - total, first, total, squares))
        own = z[i].sum(axis=1)[:, None]
        observed = studentised(2 * own - total, own, total, squares)[:, 0]
        reach = (found >= np.abs(observed)[:, None] * (1 - TOLERANCE) - TOLERANCE).sum(axis=1)
        p[start : start + step] = reach / n if exact else (reach + 1) / (n + 1)
        # the difference and the variances are of sums over r runs and b blocks
        statistic[start : start + step] = observed / math.sqrt(r)
    means = x.mean(axis=(0, 2))
    return PermutationPairs(
        means[a] - means[c],
        p,
        np.full(a.size, np.nan),
        p_min if exact else max(p_min, 1 / (n + 1)),
        n,
        exact,
        statistic,
    )


def _flips(b: int, rng: np.random.Generator, permutations: int, exact_limit: int) -> tuple[Array, bool]:
    if b <= math.log2(exact_limit):
        return ((np.arange(2**b)[:, None] >> np.arange(b)) & 1).astype(float), True
    return rng.integers(0, 2, (permutations, b)).astype(float), False


def _shares(sums: Array, moved: npt.NDArray[np.float64]) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(moved > 0, sums / moved, np.inf)


def _upper(thresholds: Array, tail: float, exact: bool) -> Array:
    """The (floor(tail n) + 1)-th largest threshold of each row; inf where that is none.

    Whatever is larger is reached by at most floor(tail n) splits, whose share is at most the tail. Random splits count the
    observed one in addition, as in their p values.
    """
    size = thresholds.shape[1]
    rank = math.floor(tail * (size + (0 if exact else 1)) * (1 + TOLERANCE)) + (1 if exact else 0)
    if rank < 1:
        return np.full(len(thresholds), np.inf)
    return np.maximum(np.partition(thresholds, size - rank, axis=1)[:, size - rank], 0.0)


@dataclass(frozen=True)
class PublishedMsd:
    """Result of `published_msd`: the common MSD, or None and why the loop would not have ended.

    Attributes
    ----------
    msd : float or None
    p : (n_pairs,) array
        #{S* <= S0} / B of each pair at `msd`, or at the value that comes nearest for all pairs.
    smallest_epsilon : float
        The smallest epsilon for which the rule can be met.
    """

    msd: float | None
    p: Array
    smallest_epsilon: float


def published_msd(
    values: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    alpha_cw: float,
    epsilon: float,
    permutations: int = 2000,
    exact_limit: int = EXACT,
) -> PublishedMsd:
    """Algorithm 2 of Chiarandini, Basso, Stützle 2005 taken literally.

    One MSD with `|p_ij - alpha_cw / 2| < epsilon / 2` for all pairs.
    The published loop does not end where there is no such MSD; here that is found out from the step functions p_ij(MSD).

    Parameters
    ----------
    values : (n_blocks, n_treatments, n_runs) array_like
        Finite, at least two runs a cell.
    rng : numpy.random.Generator
    alpha_cw : float
        Comparison-wise level; the paper sets it to alpha.
    epsilon : float
        Tolerance.
    permutations, exact_limit : int
    """
    x = _finite(cells(values))
    b, k, r = x.shape
    if r < 2 or k < 2 or not b:
        raise ValueError("Algorithm 2 needs blocks, two treatments and at least two runs a cell")
    a, c = np.triu_indices(k, 1)
    signs, _ = splits(r, rng, permutations, exact_limit)
    centred = x.sum(axis=0) - x.sum(axis=0).mean(axis=1, keepdims=True)
    moved = (signs[:, :r] < 0).sum(axis=1)[:, None] * b
    m = _shares((signs[:, :r] < 0) @ centred[a].T - (signs[:, r:] > 0) @ centred[c].T, moved)
    m = np.sort(m, axis=0)
    # between two neighbouring thresholds of all pairs every p is constant
    grid = np.unique(m[np.isfinite(m) & (m > 0)])
    grid = np.append(grid, 2 * grid[-1]) if grid.size else np.array([1.0])
    n = len(m)
    p = np.stack([(n - np.searchsorted(column, grid, side="left")) / n for column in m.T], axis=1)
    worst = np.abs(p - alpha_cw / 2).max(axis=1)
    best = int(np.argmin(worst))
    smallest = float(2 * worst[best])
    good = np.flatnonzero(worst < epsilon / 2)
    if not good.size:
        return PublishedMsd(None, p[best], smallest)
    return PublishedMsd(float(grid[good[0]]), p[good[0]], smallest)


def _finite(x: Array) -> Array:
    if not np.isfinite(x).all():
        raise ValueError("a permutation test of means needs finite values; give failures a value or take ranks")
    return x


def _clean(observed: float, z: Array) -> float:
    """0 where the statistic is 0 but for rounding."""
    return 0.0 if observed <= (TOLERANCE * np.abs(z).sum()) ** 2 else float(observed)
