"""The log-ratio profile of two algorithms: on which problems, and by which factor, one is faster than the other.

Morales 2002 draws the sorted values of log2(t_ap / t_bp) over the problems; those that only one of them solves are at the ends.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, ArrayLike, Names, UserError, reals, record, schema, step_functions
from benchmill.core.options import option
from benchmill.profiles import options, thresholds
from benchmill.profiles.groups import ROW_KEYS, Counted, Group
from benchmill.profiles.ratios import performance_ratios
from benchmill.registry.variants import Variant


@np.errstate(invalid="ignore")
def log_ratios(costs: ArrayLike) -> Array:
    """Return log2(t_1p / t_2p) of two algorithms; infinite where one does not solve the problem, NaN where neither does."""
    a, b = reals(costs)
    return reals(np.log2(a) - np.log2(b))


def thresholds_of(costs: ArrayLike, tau_max: float | None = None) -> Array:
    """Return the factor by which each of two algorithms is slower than the other, t_1p / t_2p and t_2p / t_1p.

    At least 1 / tau_max, by default the largest finite factor; (..., 2, n_problems), inf for a failure.
    """
    c = reals(costs)
    factor = step_functions.ratios(c, c[..., ::-1, :])
    end = float(factor[np.isfinite(factor)].max(initial=1.0)) if tau_max is None else tau_max
    return np.maximum(factor, 1.0 / end)


@record
class Options(options.Options):
    """Settings of a log-ratio profile."""

    pair: Names | None = option(
        "The two algorithms that are compared; not needed where there are just two.",
        None,
        minItems=2,
        maxItems=2,
        uniqueItems=True,
    )


class Profile(thresholds.Profile[Options]):
    """Log-ratio profiles, from the smallest factor to `tau_max`: the thresholds are `thresholds_of` the costs of the two."""

    variant = "log_ratio"

    def __init__(self, ratios: pa.Table, costs: pa.Table | None = None, *, options: Options, **settings: Any) -> None:
        name = ratios.column("algorithm").cast(pa.string())
        # what none solves, and who was stopped before whom, is a matter of the two
        if options.pair is not None and {*options.pair} <= {*name.unique().to_pylist()}:
            ratios = ratios.filter(pc.is_in(name, pa.array(options.pair)))
        super().__init__(ratios, costs, options=options, **settings)

    def compared(self, group: Group) -> Group:
        """Return the two algorithms of a group alone, and their ratios to the better of them."""
        pair, there = self.options.pair, ", ".join(group.algorithms)
        if pair is None and len(group.algorithms) != 2:
            raise UserError(
                f"measure {self.measure!r}: a log-ratio profile compares two algorithms, but there are {len(group.algorithms)} "
                f"({there}); give `pair`, a list of two of them."
            )
        names = list(group.algorithms if pair is None else pair)
        if unknown := [name for name in names if name not in group.algorithms]:
            raise UserError(
                f"measure {self.measure!r}: pair names {unknown[0]!r}, which is no algorithm here; there are {there}."
            )
        if len(names) != 2 or names[0] == names[1]:
            raise UserError(f"measure {self.measure!r}: pair is {', '.join(names)}, expected two different algorithms.")
        chosen = [group.algorithms.index(name) for name in names]
        costs = group.costs[chosen]
        return replace(
            group,
            algorithms=names,
            costs=costs,
            ratios=performance_ratios(costs)[0],
            n_stopped=group.n_stopped[chosen],
            n_late=group.n_late[chosen],
        )

    def thresholds_of_group(self, group: Group) -> Array:
        """Return the factor by which each of the two is slower than the other."""
        return thresholds_of(group.costs, self.options.tau_max)

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted:
        """Return the factors of each resample."""
        return Counted(lambda costs, weights: thresholds_of(costs, tau_max))

    @cached_property
    def log_ratios(self) -> pa.Table:
        """Return the sorted log ratios that Morales draws."""
        pieces = []
        for group in self.groups:
            values = log_ratios(group.costs)
            order = np.argsort(values, kind="stable")  # NaN goes last
            problems = group.problems.take(pa.array(order))
            pieces.append(
                schema.table(
                    "log_ratios",
                    {
                        **self.key(group),
                        **{key: problems.column(key) for key in ROW_KEYS},
                        "algorithm_a": group.algorithms[0],
                        "algorithm_b": group.algorithms[1],
                        "position": np.arange(1, order.size + 1),
                        "log2_ratio": [None if np.isnan(value) else float(value) for value in values[order]],
                    },
                )
            )
        return schema.concatenate(pieces)


ENTRIES = (
    Variant(
        "log_ratio",
        "log-ratio profile",
        profile=Profile,
        options=Options,
        references=("morales2002",),
        tables=("log_ratios",),
        of_ratios=True,
        heading="Log-ratio",
        tau="ratio to the cost of the other algorithm τ",
        definition="Log-ratio: ρ(τ) is the share of {what} whose cost is at most τ times that of the other algorithm.",
    ),
)
