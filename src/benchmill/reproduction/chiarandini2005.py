"""Methods as Chiarandini, Basso, Stützle 2005 print them: Algorithms 1 and 2, few runs, and Scheffé's significant difference.

Each has a known error or is weaker than what the paper offers beside it (the registry says which), so no study has one unless it
types its name.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
import scipy  # imports its parts when they are asked for

from benchmill.core import Array, ArrayLike, Generator, chunks
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import anova, draws
from benchmill.inference.comparisons import Pairs, differences, of_rearranged
from benchmill.inference.design import Outcome, cells
from benchmill.inference.permutation import (
    CHUNK,
    EXACT,
    as_it_is,
    clean,
    drawn,
    enumerated,
    finite,
    of_runs,
    pairs,
    shares,
    splits,
)
from benchmill.registry.entry import described
from benchmill.registry.inference import Comparison, Correction, OmnibusTest

#: More treatments have too many pairs to rearrange each by itself in every block.
_MOST_TREATMENTS = 10


def synchronised_pairs(
    values: ArrayLike,
    rng: Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Outcome:
    """Test of Chiarandini, Basso, Stützle 2005, Algorithm 1: each pair is split in the same way in all blocks.

    S = sum_{i<j} (sum_h S_ij|h)^2 with S_ij|h = sum_t X_hit - sum_t X_hjt; one split for all pairs and blocks. With more than
    two treatments the pairs are not rearranged together, and the test is liberal (about 9 % at nominal 5 % for nine treatments).
    Arguments and result as of `synchronised`.
    """
    x = finite(cells(values))
    b, k, r = x.shape
    if k < 2 or r == 0 or not b:
        return as_it_is("synchronised_pairs", k)
    z = (x - x.mean(axis=(1, 2), keepdims=True)).sum(axis=0)
    p_min = 2 / math.comb(2 * r, r)

    def statistic(chosen: Array) -> Array:
        first, second = chosen[:, :r] @ z.T, chosen[:, r:] @ z.T
        # sum over i < j of (first_i + second_j)^2 from running sums over j
        after = np.cumsum(second[:, ::-1], axis=1)[:, ::-1] - second
        after2 = np.cumsum(second[:, ::-1] ** 2, axis=1)[:, ::-1] - second**2
        return np.asarray((np.arange(k - 1, -1, -1) * first**2 + 2 * first * after + after2).sum(axis=1), float)

    observed = clean(float(statistic(np.repeat([1.0, -1.0], r)[None])[0]), z)
    size = 2 * r + 4 * k

    def found(signs: Array) -> Iterator[Array]:
        return (statistic(signs[some]) for some in chunks(len(signs), CHUNK // size))

    signs, exact = splits(r, rng, 0, exact_limit)
    if exact:
        return enumerated("synchronised_pairs", k, observed, found(signs), p_min)

    def draw(n: int) -> Iterator[Array]:
        return found(splits(r, rng, n, exact_limit)[0])

    return drawn(Outcome("synchronised_pairs", observed, k - 1, p_min=p_min), observed, draw, permutations, size, alpha)


def synchronised_equal(
    values: ArrayLike,
    rng: Generator,
    *,
    permutations: int = draws.MOST,
    exact_limit: int = EXACT,
    alpha: float = 0.05,
) -> Outcome:
    """Test for few runs: of every pair the same number of runs is exchanged in every block, whichever they are.

    With nu runs exchanged there are C(r, nu)^(2 b c) rearrangements of b blocks and c pairs, and all of all nu count alike, so
    that p can be far smaller than the 2 / C(2 r, r) of one common split (Chiarandini, Basso, Stützle 2005, section 4, small r).
    The statistic is sqrt(sum_{i<j} (sum_h S_ij|h)^2), as in the published test. An interaction still cancels, but the
    rearrangements are no group and the level is not exact: of two treatments at nominal 5 % about 9 % for two runs and four
    blocks, 6 % for two runs and ten blocks, 3 % for three runs, 6 % for four (`benchmarks/size`), about 18 % for six treatments
    with four runs. Arguments and result as of `synchronised`.
    """
    x = finite(cells(values))
    b, k, r = x.shape
    if k < 2 or r == 0 or not b:
        return as_it_is("synchronised_equal", k)
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
        statistics = []
        for nu in range(r + 1):
            chosen = np.array(list(combinations(range(r), nu)), dtype=int).reshape(math.comb(r, nu), nu)
            squares = np.zeros(1)
            for pair in range(c):
                sums = np.zeros(1)
                for block, difference in zip(both[:, pair], d[:, pair], strict=True):
                    first, second = block[0, chosen].sum(axis=1), block[1, chosen].sum(axis=1)
                    sums = np.add.outer(sums, difference - 2 * first[:, None] + 2 * second).ravel()
                squares = np.add.outer(squares, sums**2).ravel()
            statistics.append(np.sqrt(squares))
        return enumerated("synchronised_equal", k, observed, iter(statistics), p_min)
    weight = np.exp(log_weight - log_weight.max())

    def draw(total: int) -> Iterator[Array]:
        for some in chunks(total, CHUNK // both.size):
            n = some.stop - some.start
            nu = rng.choice(r + 1, size=n, p=weight / weight.sum())
            # the first nu places of a random order
            order = rng.permuted(np.broadcast_to(np.arange(r), (n, *both.shape)), axis=4)
            exchanged = ((order < nu[:, None, None, None, None]) * both).sum(axis=4)
            after = (d - 2 * exchanged[..., 0] + 2 * exchanged[..., 1]).sum(axis=1)
            yield np.sqrt((after**2).sum(axis=1))

    return drawn(Outcome("synchronised_equal", observed, k - 1, p_min=p_min), observed, draw, permutations, both.size, alpha)


def published_msd(
    values: ArrayLike,
    rng: Generator,
    *,
    alpha_cw: float,
    epsilon: float,
    permutations: int = 2000,
) -> tuple[float, Array, float]:
    """Run Algorithm 2 of Chiarandini, Basso, Stützle 2005 as it is printed.

    One MSD with `|p_ij - alpha_cw / 2| < epsilon / 2` for all pairs.
    The published loop does not end where there is no such MSD; here that is found out from the step functions p_ij(MSD).

    Parameters
    ----------
    values : (n_blocks, n_treatments, n_runs) array_like
        Finite, at least two runs a cell.
    alpha_cw : float
        Comparison-wise level; the paper sets it to alpha.
    epsilon : float
        Tolerance.

    Returns
    -------
    msd : float
        NaN where there is none, and the loop would not have ended.
    p : (n_pairs,) array
        #{S* <= S0} / B of each pair at `msd`, or at the value that comes nearest for all pairs.
    smallest_epsilon : float
        The smallest epsilon for which the rule can be met.
    """
    x = finite(cells(values))
    b, k, r = x.shape
    if r < 2 or k < 2 or not b:
        raise ValueError("Algorithm 2 needs blocks, two treatments and at least two runs a cell")
    a, c = np.triu_indices(k, 1)
    signs, _ = splits(r, rng, permutations)
    centred = x.sum(axis=0) - x.sum(axis=0).mean(axis=1, keepdims=True)
    moved = (signs[:, :r] < 0).sum(axis=1)[:, None] * b
    m = shares((signs[:, :r] < 0) @ centred[a].T - (signs[:, r:] > 0) @ centred[c].T, moved)
    m = np.sort(m, axis=0)
    # between two neighbouring thresholds of all pairs every p is constant
    grid = np.unique(m[np.isfinite(m) & (m > 0)])
    grid = np.append(grid, 2 * grid[-1]) if grid.size else np.array([1.0])
    n = len(m)
    p = np.stack([(n - np.searchsorted(column, grid, side="left")) / n for column in m.T], axis=1)
    worst = np.abs(p - alpha_cw / 2).max(axis=1)
    good = np.flatnonzero(worst < epsilon / 2)
    at = good[0] if good.size else np.argmin(worst)
    return float(grid[at]) if good.size else math.nan, p[at], float(2 * worst.min())


def published(
    values: ArrayLike,
    rng: Generator,
    alpha: float = 0.05,
    permutations: int = draws.BATCH,
    epsilon: float = 0.02,
) -> Pairs:
    """Return one minimum significant difference for all pairs by the published Algorithm 2 (`permutation.published_msd`).

    Pairs differ if they differ by more than it. As published each comparison has the level alpha of its own: the family has not.
    Where no difference meets the rule within epsilon, none is given, nothing differs, and `smallest_epsilon` tells for which
    epsilon there would be one. The runs of every cell are put in random order first.

    Returns
    -------
    Pairs
        `p` is that of the pair alone, which does not decide.
    """
    x, permutations = rng.permuted(cells(values), axis=2), min(permutations, draws.BATCH)
    b, k, r = x.shape
    if r < 2 or not b:
        return Pairs.of(k, np.full(k * (k - 1) // 2, np.nan), "mean", "published")
    rearranged = pairs(x, rng, alpha_cw=alpha, permutations=permutations)
    msd, _, smallest = published_msd(x, rng, alpha_cw=alpha, epsilon=epsilon, permutations=permutations)
    return of_rearranged(
        rearranged, k, "published", msd=msd, differs=np.abs(rearranged.difference) > msd, smallest_epsilon=smallest
    )


def scheffe_msd(result: anova.Anova, alpha: float) -> float:
    """Return Scheffé's significant difference sqrt((k - 1) F) sqrt(2 MSE / (b r)); NaN where there is no error term."""
    if result.mse is None:
        return math.nan
    f = float(scipy.special.fdtri(result.df1, result.df2, 1 - alpha))
    return math.sqrt(result.df1 * f) * math.sqrt(2 * result.mse / result.n_values)


def scheffe(values: ArrayLike, alpha: float = 0.05) -> Pairs:
    """Compare means by Scheffé's method in the model with blocks; larger than Tukey's, as it covers all contrasts.

    F = difference^2 / (2 MSE / (b r)) / (k - 1) with k - 1 and the error's degrees of freedom. Arguments and result as of
    `tukey`, with the additive error; `statistic` is that F.
    """
    result = anova.anova(values)
    k = result.means.size
    difference = differences(result.means)
    if result.mse is None:
        return Pairs.of(k, difference, "mean", "scheffe", df=result.df2)
    f = difference**2 / (2 * result.mse / result.n_values) / result.df1
    adjusted, msd = scipy.special.fdtrc(result.df1, result.df2, f), scheffe_msd(result, alpha)
    return Pairs.of(k, difference, "mean", "scheffe", statistic=f, df=result.df2, p_adjusted=adjusted, msd=msd)


ENTRIES = (
    *described(
        __file__,
        OmnibusTest,
        synchronised_pairs=partial(of_runs, "synchronised_pairs", synchronised_pairs, math.inf),
        synchronised_equal=partial(of_runs, "synchronised_equal", synchronised_equal, _MOST_TREATMENTS),
    ),
    *described(__file__, Comparison, scheffe=scheffe, permutation_published=published),
    *described(__file__, Correction, published=None),
)
