"""All chosen tests and comparisons of a study's designs, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema, seeds
from benchmill.core.errors import UserError
from benchmill.core.problem_values import ProblemValues
from benchmill.inference import anova, assumptions, corrections, permutation
from benchmill.inference.aligned_ranks import aligned_ranks
from benchmill.inference.bayes import signed_rank
from benchmill.inference.comparisons import METHODS, Options, Pairs
from benchmill.inference.design import Design, shuffled_runs
from benchmill.inference.effects import vargha_delaney
from benchmill.inference.friedman import friedman
from benchmill.inference.hierarchical import FEWEST_BLOCKS, hierarchical, of_independent_runs
from benchmill.inference.normalise import normalise
from benchmill.inference.quade import quade

Array = npt.NDArray[np.float64]

#: The tables of `analyse`.
RESULTS = ("designs", "tests", "ranks", "comparisons", "posteriors", "intervals", "assumptions")
_BOUNDS = ("lower", "upper")

#: Test of the configuration -> whether it takes failures (inf).
TESTS = {
    "friedman": True,
    "quade": True,
    "aligned_ranks": False,
    "anova": False,
    "anova_cells": False,
    "anova_interaction": False,
    "permutation": False,
    "synchronised": False,
    "synchronised_pairs": False,
    "synchronised_equal": False,
}

#: Bayesian comparison of the configuration -> whether it takes failures (inf).
POSTERIORS = {"signed_rank": True, "hierarchical": False}


@dataclass(frozen=True)
class _Test:
    """A row of the table `tests`."""

    method: str
    statistic: float | None = None
    df1: float = math.nan
    df2: float | None = None
    p: float | None = None
    p_min: float | None = None
    n_resamples: int | None = None


def analyse(
    designs: Sequence[Design],
    *,
    measure: str,
    methods: Sequence[str] = ("friedman",),
    comparisons: Sequence[str] = ("conover", "nemenyi"),
    corrections: Sequence[str] = ("holm",),
    normalise: str = "e2",
    lower: float | None = None,
    bounds: str | None = None,
    alpha: float = 0.05,
    permutations: int = 9999,
    epsilon: float = 0.02,
    bayes: Sequence[str] = (),
    rope: float = 0.01,
    seed: int = 1,
) -> dict[str, pa.Table]:
    """Run the tests and comparisons on every design.

    Parameters
    ----------
    designs : sequence of Design
    measure : str
    methods : sequence of str
        Keys of `TESTS`; `friedman` gives two rows, chi-square and F.
    comparisons : sequence of str
        Keys of `comparisons.METHODS`.
    corrections : sequence of str
        Keys of `corrections.CORRECTIONS`, for the comparisons that leave it open; one set of rows for each.
    normalise : str
        How costs become comparable between blocks, for everything but Friedman's test and the rank comparisons after it.
    lower : float, optional
        A known lower bound of all blocks for e1 and e2; by default the smallest cost seen.
    bounds : str, optional
        A CSV file with columns problem (and other keys), lower, upper: known bounds of single problems for e1 and e2.
    alpha : float
        Level; family-wise over the pairs of one design.
    permutations : int
        Random rearrangements where there are too many to count.
    epsilon : float
        Tolerance of `comparisons.published`.
    bayes : sequence of str
        Keys of `POSTERIORS`.
    rope : float
        Half width of their region of practical equivalence, on the scale of the normalised costs.
    seed : int
        The study's seed.

    Returns
    -------
    dict of str to pyarrow.Table
        `designs`, `tests`, `ranks`, `comparisons`, `posteriors`, `intervals`, `assumptions`. A method that cannot take
        what a design holds (failures without a value, too few blocks or runs) has rows whose statistic and p are null; nothing
        is significant there.

    Raises
    ------
    UserError
        A name is unknown, or the costs cannot be normalised.
    """
    _check(methods, TESTS, "methods")
    _check(comparisons, METHODS, "comparisons")
    _check(corrections, _CORRECTIONS, "corrections")
    _check(bayes, POSTERIORS, "bayes")
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in RESULTS}
    known = None if bounds is None else ProblemValues(bounds, _BOUNDS, "inference.bounds", optional=_BOUNDS)
    for design in designs:
        key = {"measure": measure, "target": design.target, "at_budget": design.at_budget, "stratum": design.stratum}
        values, how = _normalised(design, normalise, lower, known, measure)
        b, k, r = design.values.shape
        ranked = friedman(design.values)
        shape = {"n_blocks": b, "n_treatments": k, "n_runs": r}
        rows["designs"].append(
            {
                **key,
                **shape,
                "n_left_out": design.n_left_out,
                "n_runs_unused": design.n_runs_unused,
                "n_failures": design.n_failures,
                "rule": design.rule,
                "normalisation": how,
                "seed": seed,
            }
        )
        context = (measure, f"{design.target}", f"{design.at_budget}", design.stratum or "")
        for method in methods:
            for test in _tests(method, design.values, values, seeds.stream(seed, method, *context), permutations):
                rows["tests"].append(
                    {
                        **key,
                        **shape,
                        "method": test.method,
                        "statistic": test.statistic,
                        "df1": test.df1,
                        "df2": test.df2,
                        "p": test.p,
                        "p_min": test.p_min,
                        "n_resamples": test.n_resamples,
                        "alpha": float(alpha),
                        "significant": test.p is not None and test.p <= alpha,
                        "n_left_out": design.n_left_out,
                        "n_all_tied": ranked.n_all_tied,
                        "n_failures": design.n_failures,
                    }
                )
        if not b:
            continue
        average = ranked.average_ranks
        rows["ranks"] += [
            {**key, "algorithm": name, "average_rank": rank, "n_blocks": b}
            for name, rank in zip(design.treatments, average.tolist(), strict=True)
        ]
        finite = bool(np.isfinite(values).all())
        if finite:
            rows["assumptions"] += [
                {
                    **key,
                    "check": c.name,
                    "statistic": c.statistic,
                    "df1": c.df1,
                    "df2": c.df2,
                    "p": c.p,
                    "n": c.n,
                    "meaning": assumptions.CHECKS[c.name],
                }
                for c in assumptions.checks(values)
            ]
        effect = vargha_delaney(design.values, alpha) if k > 1 else None
        for name in comparisons:
            comparison = METHODS[name]
            drawn = False
            for correction in corrections if comparison.correction is None else [comparison.correction]:
                if k < 2:
                    continue
                if finite or comparison.of_costs:
                    rng = seeds.stream(seed, name, *context)
                    pairs = comparison.compare(design.values, values, rng, Options(alpha, correction, permutations, epsilon))
                else:
                    pairs = _undefined(k, correction)
                rows["comparisons"] += _pair_rows(key, name, design, pairs, effect, alpha)
                if not drawn and math.isfinite(pairs.common_msd):
                    drawn = True
                    means = average if pairs.scale == "average rank" else values.mean(axis=(0, 2))
                    rows["intervals"] += [
                        {
                            **key,
                            "method": name,
                            "scale": pairs.scale,
                            "algorithm": treatment,
                            "mean": mean,
                            "low": mean - pairs.common_msd / 2,
                            "high": mean + pairs.common_msd / 2,
                            "msd": pairs.common_msd,
                            "alpha": float(alpha),
                            "n_blocks": b,
                            "n_runs": r,
                        }
                        for treatment, mean in zip(design.treatments, means.tolist(), strict=True)
                    ]
        for name in bayes if k > 1 else ():
            rows["posteriors"] += [
                {**key, "method": name, "rope": float(rope), "normalisation": how, **shape, "alpha": float(alpha), **found}
                for found in _posteriors(name, design, values, rope, seed, context)
            ]
    return {
        name: schema.table(name, {field: [row.get(field) for row in found] for field in schema.TABLES[name].names})
        for name, found in rows.items()
    }


_CORRECTIONS: Mapping[str, Any] = corrections.CORRECTIONS


def _check(found: Sequence[str], known: Mapping[str, Any], key: str) -> None:
    unknown = [name for name in found if name not in known]
    if unknown:
        raise UserError(f"inference.{key}: there is no {unknown[0]!r}; choose from {', '.join(known)}.")


def _normalised(design: Design, kind: str, lower: float | None, known: ProblemValues | None, measure: str) -> tuple[Array, str]:
    if known is None:
        return normalise(design.values, kind, None if lower is None else np.full(len(design.blocks), lower))
    low, high = known.of(design.problems, f"measure {measure!r}").reshape(-1, 2).T
    return normalise(design.values, kind, low, high)


def _posteriors(
    name: str, design: Design, values: Array, rope: float, seed: int, context: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Rows of a Bayesian comparison of all pairs; each pair has a stream of its own, whatever else is compared."""
    b, k, r = values.shape
    finite = bool(np.isfinite(values).all())
    middle = np.median(values, axis=2) if r else np.empty((b, k))
    for i, j in combinations(range(k), 2):
        pair = (design.treatments[i], design.treatments[j])
        rng = seeds.stream(seed, f"bayes_{name}", *context, *pair)
        found = None
        if name == "signed_rank" and r:
            with np.errstate(invalid="ignore"):
                difference = np.where(middle[:, i] == middle[:, j], 0.0, middle[:, i] - middle[:, j])
            found = signed_rank(difference, rng, rope=rope)
        elif name == "hierarchical" and finite and r > 1 and b >= FEWEST_BLOCKS:
            found = hierarchical(of_independent_runs(values[:, i], values[:, j]), rng, rope=rope)
        probabilities = (
            {}
            if found is None
            else {
                "a_better": found.first_better,
                "equal": found.equal,
                "b_better": found.second_better,
                "n_samples": found.n_samples,
                "r_hat": found.r_hat,
            }
        )
        yield {"algorithm_a": pair[0], "algorithm_b": pair[1], **probabilities}


def _tests(method: str, costs: Array, values: Array, rng: np.random.Generator, permutations: int) -> list[_Test]:
    b, k, r = costs.shape
    if method == "friedman":
        found = friedman(costs)
        least = _friedman_least(b, k, r)
        return [
            _Test("friedman", found.chi2, found.df1, None, found.p_chi2, least[0]),
            _Test("iman_davenport", found.f, found.df1, found.df2, found.p_f, least[1]),
        ]
    if not TESTS[method] and not np.isfinite(values).all():
        return [_Test(method, df1=max(k - 1, 0))]
    if method == "quade":
        weighted = quade(np.median(values, axis=2) if r else values.reshape(b, k))
        return [_Test(method, weighted.f, weighted.df1, weighted.df2, weighted.p)]
    if method == "aligned_ranks":
        aligned = aligned_ranks(values)
        return [_Test(method, aligned.chi2, aligned.df, None, aligned.p)]
    if method.startswith("anova"):
        error = {"anova": "additive", "anova_cells": "cells", "anova_interaction": "interaction"}[method]
        variance = anova.anova(values, error)
        return [_Test(method, variance.f, variance.df1, variance.df2, variance.p)]
    if not b or k < 2 or (r < 2 and method != "permutation") or (k != 2 and method == "synchronised_equal"):
        return [_Test(method, df1=max(k - 1, 0))]
    if method == "permutation":
        result = permutation.within_blocks(values, rng, permutations=permutations)
    else:
        test = getattr(permutation, method)
        result = test(shuffled_runs(values, rng), rng, permutations=permutations)
    return [_Test(method, result.statistic, max(k - 1, 0), None, result.p, result.p_min, result.n_resamples)]


def _friedman_least(b: int, k: int, r: int) -> tuple[float | None, float | None]:
    """The smallest p values that Friedman's test can give: all blocks rank alike, without ties."""
    from scipy.special import chdtrc

    if r != 1 or b < 2 or k < 2:
        return None, None
    return float(chdtrc(k - 1, b * (k - 1))), math.exp(-(b - 1) * math.lgamma(k + 1))


def _undefined(k: int, correction: str) -> Pairs:
    a, b = np.triu_indices(k, 1)
    nan = np.full(a.size, np.nan)
    return Pairs(a, b, nan, nan, nan, nan, nan, nan, "mean", correction, nan, nan)


def _pair_rows(
    key: Mapping[str, Any], name: str, design: Design, pairs: Pairs, effect: Any, alpha: float
) -> list[dict[str, Any]]:
    known = not math.isnan(pairs.p_min)
    decided = pairs.significant(alpha)
    own = pairs.correction not in _CORRECTIONS
    least = pairs.p_min if own or not known else corrections.smallest_adjusted(pairs.p_min, pairs.a.size, pairs.correction)
    return [
        {
            **key,
            "method": name,
            "correction": pairs.correction,
            "algorithm_a": design.treatments[pairs.a[i]],
            "algorithm_b": design.treatments[pairs.b[i]],
            "scale": pairs.scale,
            "difference": _or_none(pairs.difference[i]),
            "low": _or_none(pairs.low[i]),
            "high": _or_none(pairs.high[i]),
            "statistic": _or_none(pairs.statistic[i]),
            "df": _or_none(pairs.df[i]),
            "p": _or_none(pairs.p[i]),
            "p_adjusted": _or_none(pairs.p_adjusted[i]),
            "msd": _or_none(pairs.msd[i]),
            "p_min": pairs.p_min if known else None,
            "p_adjusted_min": least if known else None,
            "n_resamples": pairs.n_resamples,
            "smallest_epsilon": _or_none(pairs.smallest_epsilon),
            "a_better": float(effect.a[i]),
            "a_better_low": float(effect.a_low[i]),
            "a_better_high": float(effect.a_high[i]),
            "alpha": float(alpha),
            "significant": bool(decided[i]),
        }
        for i in range(pairs.a.size)
    ]


def _or_none(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)
