"""All chosen tests and comparisons of a study's designs, as tables."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, UserError, keys, quietly, schema, seeds, step_functions
from benchmill.core.attributes import ProblemValues
from benchmill.core.ranks import midranks
from benchmill.inference import anova, clusters, corrections, draws
from benchmill.inference.clusters import Cluster
from benchmill.inference.comparisons import Pairs, agreeing, undefined
from benchmill.inference.design import Design, Designs, Outcome, cells, vargha_delaney
from benchmill.inference.friedman import friedman
from benchmill.registry.entry import asked
from benchmill.registry.inference import (
    COMPARISONS,
    CORRECTIONS,
    POSTERIORS,
    REGISTRIES,
    TESTS,
    USUAL,
    USUAL_COMPARISONS,
    USUAL_TESTS,
    Method,
    Options,
)
from benchmill.text import display

#: The tables of `analyse`.
RESULTS = ("designs", "tests", "ranks", "comparisons", "posteriors", "intervals", "assumptions")
_BOUNDS = ("lower", "upper")
#: Ways to make costs of different blocks comparable.
KINDS = ("none", "e1", "e2", "log", "ranks")


def analyse(
    designs: Designs,
    *,
    measure: str,
    seed: int = 1,
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS,
    options: Options = USUAL,
) -> dict[str, pa.Table]:
    """Run the tests and comparisons on every design.

    A method that cannot take what a design holds (failures without a value, too few blocks or runs) has rows whose statistic and
    p are null; nothing is significant there. A `UserError` where a name is unknown, too few rearrangements are asked for, or the
    costs cannot be normalised.
    """
    options = replace(
        options,
        methods=USUAL_TESTS if options.methods is None else options.methods,
        comparisons=USUAL_COMPARISONS if options.comparisons is None else options.comparisons,
    )
    for key, registry in REGISTRIES.items():
        if unknown := [name for name in getattr(options, key) if name not in asked(registry)]:
            raise UserError(f"inference.{key}: there is no {unknown[0]!r}; choose from {', '.join(asked(registry))}.")
    draws.refuse_few(options.permutations, options.alpha)
    kind, known = options.normalise, None
    if isinstance(kind, Mapping):
        ((kind, file),) = kind.items()
        known = ProblemValues(file, _BOUNDS, f"inference.normalise.{kind}")
    # each design as tables at once: pairs of all designs are millions in a study of a thousand algorithms
    tables = {name: [schema.of_rows(name, [])] for name in RESULTS}
    for design in designs:
        bounds = (None, None) if known is None else known.of(design.problems, f"measure {measure!r}").reshape(-1, 2).T
        values, how = normalise(design.values, kind, *bounds)
        case = _Case(measure, design, values, how, options, seed, *clusters.named([design], cluster_keys))
        for name, rows in _tables(case).items():
            tables[name].append(rows)
    return {name: schema.concatenate(parts).combine_chunks() for name, parts in tables.items()}


@dataclass(frozen=True)
class _Case:
    """A design with its normalised costs, and what is chosen for it."""

    measure: str
    design: Design
    values: Array
    how: str
    chosen: Options
    seed: int
    clusters: Index
    named: list[Cluster]

    @cached_property
    def row(self) -> schema.Row:
        """Return what rows say of the design, and more."""
        return {
            **vars(self.design),
            **dict(zip(("n_blocks", "n_treatments", "n_runs"), self.values.shape, strict=True)),
            "measure": self.measure,
            "alpha": float(self.chosen.alpha),
        }

    @cached_property
    def finite(self) -> bool:
        return bool(np.isfinite(self.values).all())

    def made(self, method: Method, *parts: Any, **known: Any) -> Any:
        """Return what a method makes of the costs (or of these columns of them); None where failures keep it from them."""
        if not (method.failures or self.finite):
            return None
        data = self.values if method.normalised else self.design.values
        return method.call(
            *([data[:, part] for part in parts] or [data]),
            clusters=self.clusters,
            alpha=self.chosen.alpha,
            permutations=self.chosen.permutations,
            budgets=self.design.budgets,
            **known,
        )


def _tables(case: _Case) -> dict[str, pa.Table]:
    ranked = friedman(case.design.values)
    average, compared = ranked.average_ranks, list[pa.Table]()
    rows_by_table = {
        "designs": [{**case.row, "n_clusters": len(case.named), "normalisation": case.how, "seed": case.seed}],
        "tests": _tests(case, ranked.n_all_tied),
    }
    if not len(case.values):
        return {name: schema.of_rows(name, rows) for name, rows in rows_by_table.items()}
    rows_by_table["ranks"] = [
        {**case.row, "algorithm": name, "average_rank": rank}
        for name, rank in zip(case.design.treatments, average.tolist(), strict=True)
    ]
    if case.finite:
        rows_by_table["assumptions"] = [
            {**case.row, "check": check.name, "meaning": anova.CHECKS[check.name], **vars(check)}
            for check in anova.checks(case.values)
        ]
    if average.size > 1:
        compared, rows_by_table["intervals"] = _comparisons(case, average)
        rows_by_table["posteriors"] = _posteriors(case)
    tables = {name: schema.of_rows(name, rows) for name, rows in rows_by_table.items()}
    return {**tables, "comparisons": schema.concatenate(compared)} if compared else tables


def _tests(case: _Case, n_all_tied: int) -> schema.Rows:
    undefined_df = max(case.row["n_treatments"] - 1, 0)
    return [
        {
            **case.row,
            **vars(outcome),
            "significant": outcome.rejects(case.row["alpha"]),
            "n_clusters": len(case.named) if TESTS[name].of_clusters else None,
            "n_all_tied": n_all_tied,
        }
        for name in case.chosen.methods or ()
        for outcome in case.made(TESTS[name], rng=seeds.stream(case.seed, name)) or [Outcome(name, df1=undefined_df)]
    ]


def _comparisons(case: _Case, average_ranks: Array) -> tuple[list[pa.Table], schema.Rows]:
    """Return the tables `comparisons`, and rows of `intervals` for those that have a common minimum significant difference."""
    chosen = case.chosen
    effects = vargha_delaney(case.design.values, chosen.alpha)
    tables = []
    intervals = []
    for name in chosen.comparisons or ():
        comparison, drawn = COMPARISONS[name], False
        for correction in [comparison.correction] if comparison.correction else chosen.corrections:
            drawing = {"rng": seeds.stream(case.seed, name), "signs": clusters.Signs(case.seed, case.named)}
            pairs = case.made(comparison, correction=correction, **drawing) or undefined(average_ranks.size, correction)
            tables.append(_compared(case, name, pairs, effects))
            if not drawn and math.isfinite(pairs.common_msd):
                drawn = True
                means = average_ranks if pairs.scale == "average rank" else case.values.mean(axis=(0, 2))
                intervals += [
                    {
                        **case.row,
                        "method": name,
                        "scale": pairs.scale,
                        "algorithm": treatment,
                        "mean": mean,
                        "low": mean - pairs.common_msd / 2,
                        "high": mean + pairs.common_msd / 2,
                        "msd": pairs.common_msd,
                    }
                    for treatment, mean in zip(case.design.treatments, means.tolist(), strict=True)
                ]
    return tables, intervals


def _posteriors(case: _Case) -> schema.Rows:
    """Make the rows of the Bayesian comparisons; each pair has a stream of its own, whoever else is compared."""
    rope = case.chosen.rope
    rows = []
    for name in case.chosen.bayes:
        comparison = POSTERIORS[name]
        for (i, a), (j, b) in combinations(enumerate(case.design.treatments), 2):
            posterior = case.made(comparison, i, j, rng=seeds.stream(case.seed, f"bayes_{name}", a, b), rope=rope)
            rows.append(
                {
                    **case.row,
                    "method": name,
                    "rope": rope,
                    "normalisation": comparison.scale or case.how,
                    "algorithm_a": a,
                    "algorithm_b": b,
                    **(vars(posterior) if posterior else {}),
                }
            )
    return rows


#: What tells one family from another.
_FAMILY = ("measure", "target", "at_budget", "stratum", "method", "correction")
#: What holds for all pairs together, or has no sign that turns with the pair.
OF_ALL_PAIRS = ("low", "high", "statistic", "msd", "smallest_epsilon")


def against(comparisons: pa.Table, control: str) -> pa.Table:
    """Take the pairs of one algorithm out of those of all, and correct their p values for these pairs alone.

    The control, chosen before the data were seen, is `algorithm_a`. `low`, `high`, `statistic`, `msd` and `smallest_epsilon` are
    null; methods and corrections that are defined for all pairs only have no rows. A `UserError` where there is no such
    algorithm, or no correction can be made for its pairs alone.
    """
    rows = comparisons.to_pylist()
    names = dict.fromkeys(row[key] for row in rows for key in ("algorithm_a", "algorithm_b"))
    if rows and control not in names:
        raise UserError(f"control: there is no algorithm {control!r}; choose from {', '.join(names)}.")
    able = [row for row in rows if CORRECTIONS[row["correction"]].asked and not CORRECTIONS[row["correction"]].all_pairs]
    if rows and not able:
        methods = ", ".join(dict.fromkeys(f"{row['method']} with {row['correction']}" for row in rows))
        raise UserError(
            f"control: {methods} cannot be corrected for the pairs of one algorithm alone; compare with "
            "`comparisons: wilcoxon` and `corrections: holm`, or take the statements of the verdict."
        )
    mine = [_turned(row, control) for row in able if control in (row["algorithm_a"], row["algorithm_b"])]
    for _, members in groupby(mine, key=lambda row: [row[key] for key in _FAMILY]):
        family = list(members)
        correction, least = family[0]["correction"], family[0]["p_min"]
        p = corrections.adjusted(np.array([row["p"] for row in family], float), correction)
        for row, value in zip(family, p.tolist(), strict=True):
            row["p_adjusted"] = None if np.isnan(value) else value
            row["significant"] = bool(value <= row["alpha"])
            row["p_adjusted_min"] = None if least is None else corrections.smallest_adjusted(least, len(family), correction)
    return schema.of_rows("comparisons", mine)


def _turned(row: schema.Row, control: str) -> schema.Row:
    row = {**row, **dict.fromkeys(OF_ALL_PAIRS)}
    if row["algorithm_a"] == control:
        return row
    low, high = row["a_better_low"], row["a_better_high"]
    return {
        **row,
        "algorithm_a": control,
        "algorithm_b": row["algorithm_a"],
        # not -0.0
        "difference": None if row["difference"] is None else 0.0 - row["difference"],
        "a_better": None if row["a_better"] is None else 1.0 - row["a_better"],
        "a_better_low": None if high is None else 1.0 - high,
        "a_better_high": None if low is None else 1.0 - low,
    }


def _compared(case: _Case, name: str, pairs: Pairs, effects: dict[str, Array]) -> pa.Table:
    decided = pairs.significant(case.chosen.alpha)
    low, high = agreeing(pairs.difference, pairs.low, pairs.high, decided)
    corrected = CORRECTIONS[pairs.correction].asked and not math.isnan(pairs.p_min)
    least = corrections.smallest_adjusted(pairs.p_min, pairs.a.size, pairs.correction) if corrected else pairs.p_min
    treatments = pa.array(case.design.treatments, pa.string())
    of_pairs = {"difference": pairs.difference, "low": low, "high": high}
    of_pairs |= {column: getattr(pairs, column) for column in ("statistic", "df", "p", "p_adjusted", "msd", "p_low")}
    return schema.table(
        "comparisons",
        {
            **{column: case.row[column] for column in ("measure", "target", "at_budget", "stratum", "alpha")},
            "method": name,
            "correction": pairs.correction,
            "algorithm_a": treatments.take(pa.array(pairs.a)),
            "algorithm_b": treatments.take(pa.array(pairs.b)),
            "scale": pairs.scale,
            # null where there is none
            **{column: schema.or_null(values) for column, values in of_pairs.items()},
            "p_min": schema.known(pairs.p_min),
            "p_adjusted_min": schema.known(least),
            "n_resamples": pairs.n_resamples,
            "smallest_epsilon": schema.known(pairs.smallest_epsilon),
            **effects,
            "n_clusters": len(case.named) if COMPARISONS[name].of_clusters else None,
            "significant": decided,
        },
    )


# --- costs made comparable between blocks --------------------------------------------------------


def e1(values: ArrayLike, lower: ArrayLike | None = None) -> Array:
    """Return relative errors (c - c_min) / c_min (Chiarandini et al. 2005, section 2); inf stays inf.

    `lower` is the best known cost of each block, by default and where NaN the smallest seen; above 0.
    """
    x = cells(values)
    low = _known(lower, x.min(axis=(1, 2), initial=np.inf))
    if (~(low > 0)).any():
        at = int(np.argmax(~(low > 0)))
        raise UserError(
            f"normalise e1: the bound of block {at + 1} is {low[at]:g}, expected a number > 0 (e1 divides by it); set "
            "inference.normalise to e2 or ranks."
        )
    low = low[:, None, None]
    return step_functions.ratios(x - low, low)


@quietly()
def e2(values: ArrayLike, lower: ArrayLike | None = None, upper: ArrayLike | None = None) -> Array:
    """Return positions between bounds, (c - c_min) / (c_max - c_min) (Zemel 1981; Chiarandini et al. 2005, section 2).

    `lower` and `upper` are the best known cost and that of a simple heuristic, by default and where NaN the smallest and largest
    finite cost seen. inf stays inf; 0 where both bounds are equal.
    """
    x = cells(values)
    low = _known(lower, x.min(axis=(1, 2), initial=np.inf))
    high = _known(upper, np.where(np.isinf(x), -np.inf, x).max(axis=(1, 2), initial=-np.inf))
    crossed = (high < low) & np.isfinite(high - low)
    if crossed.any():
        at = int(np.argmax(crossed))
        raise UserError(
            f"normalise e2: of block {at + 1} the upper bound {high[at]:g} is below the lower bound {low[at]:g} "
            "(known, or the largest and smallest cost seen); correct the bounds."
        )
    width = (high - low)[:, None, None]
    return np.where(np.isinf(x), np.inf, np.where(width > 0, (x - low[:, None, None]) / width, 0.0))


def logarithm(values: ArrayLike) -> Array:
    """Return decimal logarithms; a `UserError` where a value is not positive."""
    x = cells(values)
    if (x <= 0).any():
        raise UserError(
            f"normalise log: found the cost {float(x.min()):g}, expected numbers > 0; set inference.normalise to e2 or ranks."
        )
    return np.log10(x)


def ranks(values: ArrayLike) -> Array:
    """Return the joint midranks 1 to k r of all runs in a block; failures are tied at the end."""
    x = cells(values)
    return midranks(x.reshape(x.shape[0], -1)).reshape(x.shape)


def normalise(values: ArrayLike, kind: str, lower: ArrayLike | None = None, upper: ArrayLike | None = None) -> tuple[Array, str]:
    """Normalise by name; return the values and what was done, in words."""
    if kind == "none":
        return cells(values), "costs as they are"
    if kind == "e1":
        return e1(values, lower), f"relative error e1 to the {_said(lower, 'smallest')} cost of the block{_beyond(values, lower)}"
    if kind == "e2":
        bounds = f"the {_said(lower, 'smallest')} and the {_said(upper, 'largest')}"
        return e2(values, lower, upper), f"position between {bounds} cost of the block{_beyond(values, lower)}"
    if kind == "log":
        return logarithm(values), "decimal logarithm of the costs"
    if kind == "ranks":
        return ranks(values), "midranks within the block"
    raise UserError(f"inference.normalise: found {kind!r}, expected one of {', '.join(KINDS)}.")


def _known(bound: ArrayLike | None, seen: Array) -> Array:
    given = np.full(seen.shape, np.nan) if bound is None else np.asarray(bound, float)
    return np.where(np.isnan(given), seen, given)


def _said(bound: ArrayLike | None, seen: str) -> str:
    given = 0 if bound is None else int((~np.isnan(np.asarray(bound, float))).sum())
    if not given:
        return f"{seen} seen"
    size = np.asarray(bound).size
    return "known" if given == size else f"known (of {given} of {size} blocks, else the {seen} seen)"


def _beyond(values: ArrayLike, lower: ArrayLike | None) -> str:
    if lower is None:
        return ""
    better = int((cells(values) < np.asarray(lower, float)[:, None, None]).sum())
    return f"; {display.plural(better, 'value')} {'is' if better == 1 else 'are'} below the known lower bound" if better else ""
