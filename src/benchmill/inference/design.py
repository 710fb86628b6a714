"""Block designs: blocks × treatments × replicates, made from costs in a way that is written down.

Design 1 has one value per cell, Design 2 has r > 1 (Chiarandini, Basso, Stützle 2005); both are complete and balanced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, Mask, UserError, keys, limits, natural_key, schema, seeds
from benchmill.core.step_functions import TOLERANCE
from benchmill.registry.inference import Options

if TYPE_CHECKING:
    import pandas as pd

#: What can be done about a design that is not balanced.
UNBALANCED = ("subsample", "drop")


#: What strata are made by: a key of blocks, or an attribute with its values by problem.
Stratum = str | Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Design:
    """Complete, balanced blocks × treatments × replicates.

    Attributes
    ----------
    values : (n_blocks, n_treatments, n_runs) array
        Costs, or normalised costs; inf = failure.
    blocks, treatments : list of str
        Names along the first two axes, in natural order.
    target, at_budget, stratum : optional
    rule : str
        What was done to get here, in words that can be printed.
    n_left_out, n_runs_unused, n_failures : int
        Blocks without a run of some treatment, runs of unequal cells, and runs that failed.
    problems : list of dict
        The keys of each block.
    budgets : (n_blocks, n_treatments, n_runs) array, optional
        What each failed run spent, on the scale of the costs; NaN where it is not known. None where a value is no time of one
        run.
    spent : (n_blocks, n_treatments, 1) array, optional
        Where a value stands for several runs, the most that one of them spent, as in `ratios`; NaN likewise.
    late : (n_blocks, n_treatments) array of bool, optional
        Where runs succeeded after the common limit, and count as failed.
    """

    values: Array
    blocks: list[str]
    treatments: list[str]
    target: float | None = None
    at_budget: float | None = None
    stratum: str | None = None
    rule: str = "as given"
    n_left_out: int = 0
    n_runs_unused: int = 0
    n_failures: int = 0
    problems: schema.Rows = field(default_factory=list)
    budgets: Array | None = None
    spent: Array | None = None
    late: Mask | None = None

    @property
    def level(self) -> float | None:
        """Return the target or the budget."""
        return self.target if self.target is not None else self.at_budget


#: Two algorithms, the better one first where one is said to be better.
TwoNames = tuple[str, str]
#: Those of one measure.
Designs = Sequence[Design]


def level_word(point: Designs) -> str:
    """Return what tells designs of a measure apart, where that are targets or budgets."""
    return "target" if point[0].target is not None else "budget" if point[0].at_budget is not None else ""


def counted_word(point: Designs) -> str:
    """Return what counts once: a problem, or where several targets or budgets are pooled a pair of a problem and one of them."""
    kind = level_word(point)
    return f"(problem, {kind}) pair" if kind and len(point) > 1 else "problem"


@dataclass(frozen=True)
class Outcome:
    """A row of the table `tests`, of a test that all algorithms are equal; None where a number is not defined.

    Attributes
    ----------
    method : str
        Key of `benchmill.registry.inference.TESTS`.
    df1, df2 : float or None
        Degrees of freedom of the statistic's distribution.
    p, p_low : float or None
        Where chance decides after all rearrangements that may be drawn, the two ends of the interval of p.
    p_min : float or None
        The smallest p value that any data of this shape could give.
    n_resamples : int or None
        Rearrangements behind p; None where p comes from a distribution.
    """

    method: str
    statistic: float | None = None
    df1: float = math.nan
    df2: float | None = None
    p: float | None = None
    p_min: float | None = None
    n_resamples: int | None = None
    p_low: float | None = None

    def rejects(self, alpha: float) -> bool:
        """Return True where p is known and at most alpha."""
        return self.p is not None and self.p <= alpha


def cells(values: ArrayLike) -> Array:
    """Return values as (n_blocks, n_treatments, n_runs); a matrix is Design 1."""
    x = np.asarray(values, float)
    x = x[:, :, None] if x.ndim == 2 else x
    if x.ndim != 3:
        raise ValueError("a design is an array of blocks × treatments (× runs)")
    if np.isnan(x).any():
        raise ValueError("a design holds no NaN: a cell without a value is missing, and missing cells do not belong to a design")
    return x


def from_costs(
    costs: pa.Table | Sequence[tuple[str, pa.Table]],
    *,
    measure: str,
    blocks: Sequence[str] = ("suite", "problem", "dimension"),
    unbalanced: Sequence[str] = (),
    failure: float | None = None,
    stratify: Sequence[Stratum] = (),
    seed: int = 1,
) -> list[Design]:
    """Make one design for every target or budget (and stratum) of a measure, by rules as of `Options`.

    Parameters
    ----------
    costs : pyarrow.Table or sequence of (name of source, pyarrow.Table)
    blocks : sequence of str
        Columns that make a block; what is left over are replicates.
    stratify : sequence of str or mapping
        Columns among `blocks`, or attributes (`{"class": {"p1": "large", ...}}`): a design for every combination of their values.

    Returns
    -------
    list of Design
        By target or budget, then stratum in natural order. A stratum without a complete block gives a design without blocks.

    Raises
    ------
    UserError
        Cells are missing or unequal and the rule does not say what to do; two sources hold the same trials; a published summary
        stands for several runs; a failure has no budget where `failure` needs it.
    """
    import pandas as pd

    if unknown := [name for name in unbalanced if name not in UNBALANCED]:
        raise UserError(f"inference.unbalanced: found {unknown[0]!r}, expected some of {', '.join(UNBALANCED)}.")
    of_keys = {name for name in stratify if isinstance(name, str)}
    if "problem" not in blocks or not set(blocks) <= set(limits.INSTANCE) or not of_keys <= set(blocks):
        raise UserError(
            f"inference: blocks are {list(blocks)} and strata {list(stratify)}; blocks are problem and, as needed, suite, "
            "dimension, instance, and strata are among the blocks."
        )
    data, late = limits.costs_of(costs, measure)
    if (data["n"].to_numpy() > 1).any():
        raise UserError(
            f"measure {measure!r}: a row stands for several runs (a published mean), which cannot be told apart as replicates; "
            "set inference.design: single."
        )
    budget = limits.stopped_at(data)
    # what one had spent that failed by itself is no budget, but a limit is, which it had whether it met it or not
    if failure is not None and data["limit"].null_count < data.num_rows:
        budget = schema.floats(data, "budget")
    cost, failed = _valued(data["cost"].to_numpy(), budget, measure, failure)
    rules = _Rules(measure, unbalanced, failure, seed, limits.problem_columns(blocks))
    treatment, names = keys.algorithms(data)
    runs = pd.DataFrame({"cost": cost, "budget": budget, "failed": failed, "late": late, "treatment": treatment})
    result = []
    for at, rows in keys.grouped(data, ["target", "at_budget"]):
        block, kinds = keys.cells(data.select(rules.block_keys).take(pa.array(rows)), rules.block_keys)
        described = kinds.to_pylist()
        for stratum, mine in _strata(described, stratify):
            chosen = mine[block]
            own = runs.iloc[rows[chosen]].assign(block=(np.cumsum(mine) - 1)[block[chosen]])
            result.append(_design(own, list(compress(described, mine)), names, rules, at, stratum))
    return result


def _valued(cost: Array, budget: Array, measure: str, failure: float | None) -> tuple[Array, Mask]:
    """Return the costs with failures replaced by their stand-ins, and which ones failed."""
    if np.isnan(cost).any():
        raise UserError(f"measure {measure!r}: a cost is not a number; give inf for a failure.")
    failed = np.isinf(cost)
    if failure is None:
        return cost, failed
    if np.isnan(budget[failed]).any():
        raise UserError(
            f"measure {measure!r}: inference.failure is {failure:g} times the budget, but a failed trial states no budget, or "
            "crashed before it had spent one; give the budgets, or leave `failure` out and use rank methods."
        )
    return np.where(failed, failure * budget, cost), failed


def _strata(blocks: Sequence[schema.Facts], stratify: Sequence[Stratum]) -> Iterator[tuple[str | None, Mask]]:
    """Yield each stratum in words, and its blocks as a mask; a problem without an attribute is in one that says so."""
    by = [{name: None} if isinstance(name, str) else name for name in stratify]
    values_of = {name: values for one in by for name, values in one.items()}

    def stratum(block: schema.Facts) -> str:
        return keys.described(
            {
                name: block[name] if values is None else values.get(block["problem"], "not known")
                for name, values in values_of.items()
            }
        )

    strata = [stratum(block) if stratify else None for block in blocks]
    for words in sorted(set(strata), key=lambda s: natural_key(s or "")):
        yield words, np.array([s == words for s in strata])


@dataclass(frozen=True)
class _Rules:
    measure: str
    unbalanced: Sequence[str]
    failure: float | None
    seed: int
    block_keys: list[str]


def _design(
    runs: pd.DataFrame,
    described: schema.Rows,
    names: list[str],
    rules: _Rules,
    at: dict[str, float | None],
    stratum: str | None,
) -> Design:
    b, k = len(described), len(names)
    where = ", ".join(f"{name.removeprefix('at_')} {value:g}" for name, value in at.items() if value is not None)
    cell = (runs["block"] * k + runs["treatment"]).to_numpy()
    count = np.bincount(cell, minlength=b * k).reshape(b, k)
    labels = [keys.described(entry) for entry in described]
    _refuse_unequal(count, labels, names, rules, f"measure {rules.measure!r}{', ' + where if where else ''}")
    kept = np.asarray((count > 0).all(axis=1))
    taken = runs.assign(cell=cell)[np.repeat(kept, k)[cell]].sort_values("cell", kind="stable", ignore_index=True)
    r, most = (int(size) for size in (count[kept].min(), count[kept].max())) if kept.any() else (0, 0)
    how = f"all {r} runs of each cell"
    used = taken
    if "subsample" in rules.unbalanced and r != most:
        how = f"{r} of the runs of each cell, drawn with seed {rules.seed}"
        # random order within each cell, of which the first r are taken; with equal cells the order of the file stays
        rng = seeds.stream(rules.seed, "subsample", rules.measure, where, stratum or "")
        drawn = taken.iloc[np.lexsort((rng.random(len(taken)), taken["cell"]))]
        used = drawn.groupby("cell").head(r).sort_index()
    x = used["cost"].to_numpy().reshape(-1, k, max(r, 1))[:, :, :r]
    # what a failed run spent
    of_runs = at["at_budget"] is None and x.size
    spent = used["budget"].where(used["failed"]).to_numpy().reshape(x.shape) if of_runs else None
    ends = "a failure is infinite" if rules.failure is None else f"a failure counts as {rules.failure:g} times its budget"
    return Design(
        x,
        list(compress(labels, kept)),
        names,
        at["target"],
        at["at_budget"],
        stratum,
        f"block = {' × '.join(rules.block_keys)}; {how}; {ends}",
        int((~kept).sum()),
        len(taken) - len(used),
        int(used["failed"].sum()),
        list(compress(described, kept)),
        spent,
        late=(np.bincount(cell, runs["late"], b * k) > 0).reshape(b, k)[kept],
    )


def _refuse_unequal(count: Index, labels: Sequence[str], names: Sequence[str], rules: _Rules, measure: str) -> None:
    """Refuse missing cells and unequal numbers of runs, unless a rule says what to do; `count` is (n_blocks, n_treatments)."""

    def named(which: Mask) -> str:
        places = np.argwhere(which)
        shown = "; ".join(f"{names[j]!r} on {labels[i]} has {count[i, j]}" for i, j in places[:3])
        return shown + (f"; and {len(places) - 3} more" if len(places) > 3 else "")

    empty = count == 0
    if empty.any() and "drop" not in rules.unbalanced:
        raise UserError(
            f"{measure}: {int(empty.sum())} of {count.size} cells of the design have no run ({named(empty)}); add the logs, or "
            "set inference.unbalanced: [drop] to leave these blocks out."
        )
    kept = ~empty.any(axis=1)
    sizes = count[kept]
    if sizes.size and sizes.min() != sizes.max() and "subsample" not in rules.unbalanced:
        usual = int(np.bincount(sizes.ravel()).argmax())
        raise UserError(
            f"{measure}: the cells of the design have {sizes.min()} to {sizes.max()} runs, most have {usual} "
            f"({named((count != usual) & kept[:, None])}); set inference.unbalanced: [subsample] (by the study's seed), "
            "or inference.design: single."
        )


def from_ratios(ratios: pa.Table, *, measure: str, stratify: Sequence[Stratum] = ()) -> list[Design]:
    """Make Design 1 of the costs in a table `ratios`: one value for each algorithm and included problem.

    Raises
    ------
    UserError
        There are no ratios of the measure, or not one per algorithm and included problem.
    """
    data = keys.of_measure(ratios, measure)
    if not data.num_rows:
        raise UserError(f"measure {measure!r}: there are no ratios of it; check its name.")
    algorithm, names = keys.algorithms(data)
    columns = np.stack([schema.floats(data, name) for name in ("cost", "spent", "crashed", "included", "n_late")])
    # what one had spent that failed by itself is no budget
    columns[1, columns[2] > 0] = np.nan
    result = []
    for at, rows in keys.grouped(data, ["target", "at_budget"]):
        problem, problems = keys.cells(data.select(limits.INSTANCE).take(pa.array(rows)), limits.INSTANCE)
        described, cell = problems.to_pylist(), problem * len(names) + algorithm[rows]
        matrices = np.full((len(columns), len(described) * len(names)), np.nan)
        matrices[:, cell] = columns[:, rows]
        cost, spent, _, included, late = matrices.reshape(len(columns), len(described), len(names))
        kept = (included > 0).any(axis=1)
        if np.isnan(cost[kept]).any() or np.bincount(cell).max() > 1:
            raise UserError(
                f"measure {measure!r}: the ratios are not one per algorithm and included problem; make them again from the costs."
            )
        for stratum, mine in _strata(described, stratify):
            own = mine & kept
            result.append(
                Design(
                    cost[own, :, None],
                    list(compress(map(keys.described, described), own)),
                    names,
                    at["target"],
                    at["at_budget"],
                    stratum,
                    "one aggregated cost per problem, as in the ratios; a failure is infinite",
                    int((mine & ~kept).sum()),
                    0,
                    int(np.isinf(cost[own]).sum()),
                    list(compress(described, own)),
                    spent=spent[own, :, None],
                    late=late[own] > 0,
                )
            )
    return result


def of_study(
    options: Options,
    *,
    measure: str,
    problem_keys: Sequence[str],
    seed: int,
    ratios: pa.Table | None = None,
    costs: Sequence[tuple[str, pa.Table]] = (),
    not_competing: Sequence[str] = (),
) -> list[Design]:
    """Return the designs of a measure as the section `inference` of a study says: of its ratios, or of the costs of its sources.

    Raises
    ------
    UserError
        No algorithm is left; or see `from_ratios` and `from_costs`.
    """
    single = options.design == "single"
    assert ratios is not None or not single
    kept = keys.ratios_without(ratios, not_competing) if single else None
    tables = [] if single else [(name, keys.without(table, not_competing)) for name, table in costs]
    if not_competing and not any(table.num_rows for table in (kept, *(table for _, table in tables)) if table is not None):
        raise UserError(
            f"not_competing: no algorithm is left to compare on the measure {measure!r}; name fewer than "
            f"{', '.join(map(repr, not_competing))}."
        )
    if kept is not None:
        return from_ratios(kept, measure=measure, stratify=options.stratify)
    return from_costs(
        tables,
        measure=measure,
        blocks=problem_keys,
        unbalanced=options.unbalanced,
        failure=options.failure,
        stratify=options.stratify,
        seed=seed,
    )


# --- effect sizes of all pairs -----------------------------------------------------------------


def vargha_delaney(values: ArrayLike, alpha: float = 0.05) -> dict[str, Array]:
    """Return A of every pair: the mean over the blocks of P(X_i < X_j) + P(X_i = X_j) / 2 (Vargha and Delaney 2000).

    Columns `a_better`, `a_better_low` and `a_better_high` of the pairs i < j (order of `numpy.triu_indices`).
    Costs; inf = failure, two failures tie. The interval, of each pair alone, is Newcombe's method 5 (Statistics in Medicine 25,
    2006) for samples of r and r runs, averaged over b blocks: it solves (A - t)^2 = z^2 V(t) / b with V(t) = t (1 - t) [1 + (r -
    1) ((1 - t) / (2 - t) + t / (1 + t))] / r^2, for one run a cell Wilson's. Blocks are taken as fixed. NaN without blocks.
    """
    from scipy.special import ndtri

    x = cells(values)
    b, k, r = x.shape
    if not x.size:
        return dict.fromkeys(("a_better", "a_better_low", "a_better_high"), np.full(k * (k - 1) // 2, np.nan))
    a = (1 + net_wins(x).mean(axis=0)) / 2
    z2 = float(ndtri(1 - alpha / 2)) ** 2

    def beyond(t: Array) -> Array:
        v = t * (1 - t) * (1 + (r - 1) * ((1 - t) / (2 - t) + t / (1 + t))) / r**2
        return np.asarray((a - t) ** 2 - z2 * v / b, float)

    return {"a_better": a, "a_better_low": _end(beyond, a, 0.0), "a_better_high": _end(beyond, a, 1.0)}


@np.errstate(invalid="ignore")
def net_wins(values: ArrayLike) -> Array:
    """Return the net share of wins of the first of every pair in every block over all pairs of runs, (n_blocks, n_pairs).

    In [-1, 1]; costs that differ by rounding alone, and two failures, are tied. Pairs in the order of `numpy.triu_indices`.
    """
    x = cells(values)
    b, k, r = x.shape
    result, start = np.zeros((b, k * (k - 1) // 2)), 0
    for first in range(k - 1):
        others = x[:, first + 1 :]
        part = result[:, start : start + k - 1 - first]
        for run in range(r):
            own = x[:, first, run, None, None]
            slack = TOLERANCE * np.minimum(np.abs(others), np.abs(own))
            # NaN, of two failures, is neither
            gap = others - own
            part += (gap > slack).sum(axis=2)
            part -= (gap < -slack).sum(axis=2)
        start += k - 1 - first
    return np.asarray(result / max(r * r, 1), float)


def _end(beyond: Callable[[Array], Array], a: Array, end: float) -> Array:
    """Find where the bound is met between A and `end`, by bisection."""
    inner, outer = a.copy(), np.full(a.shape, end)
    for _ in range(60):
        middle = (inner + outer) / 2
        inside = beyond(middle) <= 0
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return np.asarray((inner + outer) / 2, float)
