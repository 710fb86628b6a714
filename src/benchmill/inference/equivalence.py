"""Which algorithms are as good as each other within a margin that a study states: two one-sided tests over clusters, in words.

The costs of a pair are compared by the geometric mean of their ratios (Schuirmann 1987).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmill.core import Array, Index, Mask, UserError, keys, quietly, schema
from benchmill.core.intervals import quantile
from benchmill.inference import clusters
from benchmill.inference.corrections import adjusted
from benchmill.inference.design import Designs, TwoNames, counted_word
from benchmill.registry.inference import EQUIVALENCE, RATIO_OF_COSTS, USUAL_CORRECTIONS
from benchmill.text import display, labels, prose

#: What such rows of `verdicts` have for their method.
METHOD = "two_one_sided"
#: Name of the statement about all pairs, and last part of those about a pair.
AS_GOOD = "as_good"


@dataclass(frozen=True)
class Equivalence:
    """Result of two one-sided tests for a family of pairs.

    Attributes
    ----------
    effect : (m,) array
        Mean log ratio, above 0 where the first algorithm is better. Infinite or NaN where one is not known.
    low, high : (m,) arrays
        Interval at 1 - 2 alpha of each pair alone: inside the margin if and only if `p` is at most alpha.
    p, p_adjusted : (m,) arrays
        The larger of the two one-sided p values, and Holm's adjusted ones. 1 where nothing can be said.
    n_clusters : int
    n_one_failed, n_both_failed : (m,) int arrays
        Cells on which runs of one or both fail and others do not, and on which all fail, which count as equal.
    """

    effect: Array
    low: Array
    high: Array
    p: Array
    p_adjusted: Array
    n_clusters: int
    n_one_failed: Index
    n_both_failed: Index


@np.errstate(invalid="ignore")
def equivalence(
    designs: Designs,
    pairs: Sequence[TwoNames],
    margin: float,
    *,
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS,
    alpha: float = 0.05,
) -> Equivalence:
    """Test whether the algorithms of each pair, one family, are as good as each other, over the clusters of pooled designs.

    `margin` is in per cent: 5 allows ratios of costs from 1 / 1.05 to 1.05.

    Raises
    ------
    UserError
        The margin is not above 0, there is no such algorithm, or a cost is not positive and has no ratio.
    """
    if not margin > 0:
        raise UserError(f"margin: found {margin:g} %, expected more than 0.")
    names = designs[0].treatments if designs else []
    if unknown := [name for pair in pairs for name in pair if name not in names]:
        raise UserError(f"equivalence: there is no algorithm {unknown[0]!r}; choose from {', '.join(names)}.")
    first, second = np.array([[names.index(name) for name in pair] for pair in pairs], np.int64).reshape(-1, 2).T
    cluster, _ = clusters.named(designs, cluster_keys)
    cells, both = log_ratios([np.empty((0, len(names), 1)), *(design.values for design in designs)], first, second)
    d = clusters.means(cells, cluster) if cluster.size else cells
    tested = of_means(d, float(np.log1p(margin / 100)), alpha)
    one = ~(np.isfinite(cells) | both)
    return Equivalence(*tested, adjusted(tested[-1], USUAL_CORRECTIONS[0]), len(d), one.sum(axis=0), both.sum(axis=0))


@np.errstate(invalid="ignore")
def log_ratios(designs: Sequence[Array], first: Index, second: Index) -> tuple[Array, Mask]:
    """Return the log of the mean cost of the second over that of the first, and where all runs of both fail, (n_cells, m) each.

    0 there, but NaN where that is so everywhere, since nothing is then known of their costs; not finite where some runs fail and
    others do not. A `UserError` where a cost is not positive.
    """
    if lowest := [values.min() for values in designs if (values <= 0).any()]:
        raise UserError(f"equivalence: found the cost {min(lowest):g}, and only costs above 0 have ratios; state no margin.")
    mean = np.concatenate([values.mean(axis=2) for values in designs])
    failed = np.concatenate([np.isinf(values).all(axis=2) for values in designs])
    both = failed[:, first] & failed[:, second]
    return np.where(both.all(axis=0), np.nan, np.where(both, 0.0, np.log(mean[:, second]) - np.log(mean[:, first]))), both


@quietly()
def of_means(d: Array, margin: float, alpha: float = 0.05) -> tuple[Array, Array, Array, Array]:
    """Test by two one-sided t tests that the mean over the clusters lies within the margin (Schuirmann 1987).

    p is at least 2^-G, the least that a sign test of G clusters gives, so that four clusters cannot show anything at 5 %. Returns
    effect, low, high and p as of `Equivalence`.
    """
    from scipy.special import stdtr

    groups, m = d.shape
    effect = d.mean(axis=0) if groups else np.full(m, np.nan)
    error = d.std(axis=0, ddof=1) / np.sqrt(groups) if groups > 1 else np.full(m, np.nan)
    # inside by so many standard errors; without variation inside or not
    inside = (margin - np.abs(effect)) / error
    p = np.maximum(1 - stdtr(groups - 1, inside), 2.0**-groups)
    known = np.isfinite(effect) & np.isfinite(error)
    p = np.where(known & ~np.isnan(inside), p, 1.0)
    half = quantile(groups - 1, 1 - 2 * alpha) * error if 2.0**-groups <= alpha else np.full(m, np.inf)
    return effect, np.where(known, effect - half, -np.inf), np.where(known, effect + half, np.inf), p


# --- statements --------------------------------------------------------------------------------


def statements(
    designs: Designs,
    pairs: Sequence[TwoNames],
    margin: float,
    key: schema.Facts,
    cluster_keys: keys.Keys,
    label: str | None = None,
) -> schema.Rows:
    """Make the rows of `verdicts` about equivalence: one that sums up, then one for each pair; none without pairs.

    `margin` is in per cent, `key` has the columns that all rows share, `label` is what the measure is called.
    """
    if not pairs:
        return []
    try:
        result = equivalence(designs, pairs, margin, cluster_keys=cluster_keys, alpha=key["alpha"])
    except UserError as error:
        raise UserError(f"primary.margin: {error}") from None
    shared = {
        **key,
        "analysis": EQUIVALENCE,
        "family": f"as good within {display.target(margin)} %",
        "family_size": len(pairs),
        "criterion": RATIO_OF_COSTS,
        "method": METHOD,
        "margin": float(margin),
        "p_min": 2.0**-result.n_clusters,
    }
    of_pairs = {"effect": result.effect, "effect_low": result.low, "effect_high": result.high}
    of_pairs |= {"p": result.p, "p_adjusted": result.p_adjusted}
    shown = result.p_adjusted <= key["alpha"]
    rows = [
        {
            **shared,
            "name": labels.statement(*pair, AS_GOOD),
            "algorithm_a": pair[0],
            "algorithm_b": pair[1],
            **{column: schema.known(values[place]) for column, values in of_pairs.items()},
            "significant": bool(shown[place]),
        }
        for place, pair in enumerate(pairs)
    ]
    told = prose.told(
        __file__,
        rows=rows,
        shared=shared,
        result=result,
        equal=[f"{row['algorithm_a']} with {row['algorithm_b']}" for row in rows if row["significant"]],
        failing=int(result.n_both_failed[shown].max(initial=0)),
        cell=counted_word(designs),
        ratio=lambda log: math.exp(min(log, 700.0)),
        label=label,
    )
    about_all = {**shared, "name": AS_GOOD, "p": None, "p_adjusted": None, "significant": bool(shown.any())}
    texts = [" ".join(told["All pairs"]), *told["Pairs"]]
    return [row | {"text": text} for row, text in zip([about_all, *rows], texts, strict=True)]
