"""Densities of running times and values: kernel estimate, probability mass, histogram."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, UserError, keys, limits, record, replicates, schema
from benchmill.core.options import option
from benchmill.indicators.ecdf import BUDGET_RULE
from benchmill.indicators.job import Given, Made, columns_of, missing
from benchmill.registry.entry import described
from benchmill.registry.indicators import Indicator

#: How a distribution is shown: `kde` a Gaussian kernel estimate, `mass` the share of each distinct value, `histogram` bins.
KINDS = ("kde", "mass", "histogram")
#: R evaluates its estimate this many bandwidths beyond the data.
CUT = 3.0


@record
class Options:
    """Settings of densities."""

    kind: Literal["kde", "mass", "histogram"] = option(
        """`kde` a Gaussian kernel estimate (bandwidth nrd0; equal costs become a bar), `mass` the share of each distinct cost,
        `histogram` bins of equal width, as many as Sturges' rule says.""",
        "kde",
    )


#: The options of a study that says nothing of them.
USUAL = Options()


class Density(NamedTuple):
    """Points or bars of one sample: density of a kernel estimate or histogram, probability of a mass.

    `left` and `right` are equal for a point and for a mass. A degenerate kernel estimate has the kind `mass`.
    """

    kind: str
    left: Array
    right: Array
    height: Array
    bandwidth: float


def bandwidth_nrd0(values: ArrayLike) -> float:
    """Return Silverman's rule of thumb as R's `bw.nrd0`: 0.9 min(sd, IQR / 1.34) n^(-1/5).

    0 where all values are equal (R falls back on `|x|` or 1 there, which says nothing of the data); NaN for fewer than two.
    """
    v = np.asarray(values, float)
    if v.size < 2:
        return float("nan")
    sd = float(replicates.deviation(v)[0])
    low, high = replicates.quantiles(v, [0.25, 0.75])[:, 0]
    spread = min(sd, (high - low) / 1.34) or sd
    return float(0.9 * spread * float(v.size) ** -0.2)


def kernel_density(values: ArrayLike, at: ArrayLike, bandwidth: float) -> Array:
    """Return gaussian kernel estimate at some points: the exact sum over the sample, without binning."""
    if not bandwidth > 0:
        raise ValueError("a kernel needs a positive bandwidth")
    v, x = np.asarray(values, float), np.asarray(at, float)
    scaled = (x[:, None] - v[None, :]) / bandwidth
    return np.asarray(np.exp(-0.5 * scaled**2).sum(axis=1) / (v.size * bandwidth * np.sqrt(2 * np.pi)), float)


def density(values: ArrayLike, kind: str = "kde", *, points: int = 64, total: int | None = None) -> Density:
    """Return the density of one sample of finite values.

    A kernel estimate of equal values, or of a single one, has no bandwidth: it becomes a bar, of the kind `mass`. Heights are
    divided by `total`, the size of the sample with its failures, so that they sum (integrate) to the share of finite values.
    """
    if kind not in KINDS:
        raise UserError(f"density: kind is {kind!r}, expected one of {', '.join(KINDS)}.")
    v = np.sort(np.asarray(values, float))
    share = v.size / total if total else 1.0
    if not v.size:
        return Density(kind, v, v, v, np.nan)
    if kind == "kde":
        bandwidth = bandwidth_nrd0(v)
        # values that differ in their last digits alone are equal for this purpose
        if bandwidth > 1e-12 * float(np.abs(v).max()):
            at = np.linspace(v[0] - CUT * bandwidth, v[-1] + CUT * bandwidth, points)
            return Density(kind, at, at, share * kernel_density(v, at, bandwidth), bandwidth)
    if kind == "histogram" and v[0] < v[-1]:
        count, edges = np.histogram(v, int(np.ceil(np.log2(v.size))) + 1)
        return Density(kind, edges[:-1], edges[1:], share * count / (v.size * np.diff(edges)), np.nan)
    at, count = np.unique(v, return_counts=True)
    return Density("mass", at, at, share * count / v.size, np.nan)


def densities(
    costs: pa.Table | Sequence[pa.Table],
    options: Options = USUAL,
    *,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    report: schema.Facts | None = None,
) -> pa.Table:
    """Return the density of the costs of every algorithm, problem, and target or budget.

    Returns
    -------
    pyarrow.Table
        Table `densities`, by measure, problem, target or budget, algorithm, place.
    """
    costs = schema.concatenate(costs)
    names = limits.problem_columns(problem_keys)
    code, cells = keys.cells(costs, ["measure", *names, "target", "at_budget", "algorithm"])
    order, offsets = keys.starts(code, cells.num_rows)
    larger = schema.flags(costs, "larger")[order]
    cost = costs["cost"].to_numpy()[order]
    # values that are maximised stand negated among the costs
    cost = np.where(larger & np.isfinite(cost), -cost, cost)
    sizes = np.diff(offsets)
    parts = [cost[start:end] for start, end in pairwise(offsets)]
    # an empty one first, as there may be no other
    estimates = [density([]), *(density(own[np.isfinite(own)], options.kind, total=own.size) for own in parts)]
    lengths = [one.left.size for one in estimates]
    cell = np.repeat(np.arange(-1, cells.num_rows), lengths)
    kinds, *bars, bandwidths = zip(*estimates, strict=True)
    left, right, height = map(np.concatenate, bars)
    finite = np.bincount(code[np.asarray(pc.is_finite(costs["cost"]), bool)], minlength=cells.num_rows)
    n_instances = keys.count_distinct(code, keys.numbers(costs, limits.INSTANCE), cells.num_rows)
    return schema.table(
        "densities",
        {
            **columns_of(cells, cell),
            "kind": np.repeat(kinds, lengths),
            "left": left,
            "right": pa.array(right, mask=left == right),
            "height": height,
            "bandwidth": schema.or_null(np.repeat(bandwidths, lengths)),
            "n_trials": sizes[cell],
            "n_successes": finite[cell],
            "n_instances": n_instances[cell],
            "n_missing": missing(cells, [*names, "algorithm"], [costs], [report] if report else [])[cell],
            "budget_rule": BUDGET_RULE,
        },
    )


def job(given: Given) -> Made:
    """Make `densities` of costs of one source."""
    (report,) = given.reports
    return Made({"densities": densities(given.read("costs"), given.options(Options), report=report, **given.needed)})


ENTRIES = described(__file__, partial(Indicator, options=Options), densities=job)
