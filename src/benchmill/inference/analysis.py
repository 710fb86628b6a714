"""All chosen tests and comparisons of a study's designs, as tables."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import keys, schema, seeds
from benchmill.core.arrays import Array, Index
from benchmill.core.attributes import ProblemValues
from benchmill.core.errors import UserError
from benchmill.inference import anova, clusters, corrections, draws
from benchmill.inference.clusters import Cluster
from benchmill.inference.comparisons import Pairs, agreeing, undefined
from benchmill.inference.design import Design, Designs, Outcome
from benchmill.inference.effects import Effects, vargha_delaney
from benchmill.inference.friedman import friedman
from benchmill.inference.normalise import normalise
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

#: The tables of `analyse`.
RESULTS = ("designs", "tests", "ranks", "comparisons", "posteriors", "intervals", "assumptions")
_BOUNDS = ("lower", "upper")


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
    if options.methods is None:
        options = replace(options, methods=USUAL_TESTS)
    if options.comparisons is None:
        options = replace(options, comparisons=USUAL_COMPARISONS)
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
        shape = dict(zip(("n_blocks", "n_treatments", "n_runs"), self.values.shape, strict=True))
        return {**vars(self.design), **shape, "measure": self.measure, "alpha": float(self.chosen.alpha)}

    @cached_property
    def finite(self) -> bool:
        return bool(np.isfinite(self.values).all())

    def made(self, method: Method, *parts: Any, **known: Any) -> Any:
        """Return what a method makes of the costs (or of these columns of them); None where failures keep it from them."""
        if not (method.failures or self.finite):
            return None
        data = self.values if method.normalised else self.design.values
        chosen = {"alpha": self.chosen.alpha, "permutations": self.chosen.permutations, "budgets": self.design.budgets}
        return method.call(*([data[:, part] for part in parts] or [data]), clusters=self.clusters, **chosen, **known)


def _tables(case: _Case) -> dict[str, pa.Table]:
    ranked = friedman(case.design.values)
    average, compared = ranked.average_ranks, list[pa.Table]()
    design = {**case.row, "n_clusters": len(case.named), "normalisation": case.how, "seed": case.seed}
    rows_by_table = {"designs": [design], "tests": _tests(case, ranked.n_all_tied)}
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
            drawing = {"rng": seeds.stream(case.seed, name), "signs": clusters.streams(case.seed, case.named)}
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


def _compared(case: _Case, name: str, pairs: Pairs, effects: Effects) -> pa.Table:
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
            "a_better": effects.a,
            "a_better_low": effects.a_low,
            "a_better_high": effects.a_high,
            "n_clusters": len(case.named) if COMPARISONS[name].of_clusters else None,
            "significant": decided,
        },
    )
