"""A profile variant: fitted once, with the tables that are read off it."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Mask, Numbers, UserError, schema, step_functions
from benchmill.core.keys import CLUSTER_KEYS, Key
from benchmill.profiles import measures
from benchmill.profiles.groups import Cells, Counted, Drawn, Group, cells, groups
from benchmill.profiles.options import Options
from benchmill.registry.variants import TABLES, VARIANTS

#: A mask (n_algorithms, n_problems) of the costs that a rule warns of, and the numbers that it looked at.
Warned = tuple[Mask, Array]
OptionsT = TypeVar("OptionsT", bound=Options)


class Profile(ABC, Generic[OptionsT]):
    """The profiles of one measure, fitted to its ratios; what is read off them is computed once, on request.

    `groups` has one for each value of the keys that the profiles are split by; the methods take its number.
    """

    #: Its name in the registry.
    variant: ClassVar[str]

    def __init__(
        self,
        ratios: pa.Table,
        costs: pa.Table | None = None,
        *,
        measure: str,
        options: OptionsT,
        seed: int = 1,
        aggregate: str = "ert",
        cluster_keys: Sequence[Key] = CLUSTER_KEYS,
    ) -> None:
        self.groups, self.cluster_keys = groups(ratios, measure, options), cluster_keys
        self.measure, self.options, self.seed, self.aggregate = measure, options, seed, aggregate
        self._costs = costs

    @abstractmethod
    def curves_of(self, number: int) -> step_functions.Curves:
        """Return the curve of each algorithm of a group, from the left to the right end of the profile."""

    @abstractmethod
    def measures_of(self, number: int) -> Mapping[str, Numbers]:
        """Return what is read off the curves of a group, as `benchmill.profiles.measures.ranked` gives it."""

    def resampling(self, number: int, tau_max: float, rng: np.random.Generator) -> Counted | Drawn:
        """Return how the profile of a group is made of resamples."""
        raise UserError(f"profiles: there are no bands for the variant {self.variant!r}; leave out `bands`.")

    def warnings_of(self, number: int) -> Mapping[str, Warned]:
        """Return where the profile of a group is doubtful, by rule."""
        return {}

    def cells_of(self, number: int) -> Cells:
        """Return the trials of a group, cell by cell."""
        if self._costs is None:
            raise UserError(
                f"measure {self.measure!r}: a profile of random costs, and bands by resampling runs, need the costs of the "
                "trials."
            )
        return cells(self.groups[number], self._costs, self.measure)

    @property
    def name(self) -> str:
        """Return what the column `variant` of the tables says."""
        return self.options.name or self.variant

    def key(self, group: Group) -> schema.Row:
        """Return what all rows of a group have in the tables."""
        return {"measure": self.measure, "variant": self.name, **group.keys}

    @cached_property
    def cells(self) -> list[Cells]:
        """Return the trials of each group, cell by cell."""
        return [self.cells_of(number) for number in range(len(self.groups))]

    @cached_property
    def curves(self) -> list[step_functions.Curves]:
        """Return the curves of each group, one an algorithm."""
        return [self.curves_of(number) for number in range(len(self.groups))]

    @cached_property
    def profiles(self) -> pa.Table:
        """Return the table `profiles`.

        With bands it has more rows, since a band also changes between the break points of its curve.
        """
        return self._with_bands[0] if self.options.bands else self._without_bands

    @cached_property
    def profile_measures(self) -> pa.Table:
        """Return the table `profile_measures`, by group, then algorithm."""
        return schema.stacked(
            "profile_measures",
            (
                {
                    **self.key(group),
                    "algorithm": group.algorithms,
                    "epsilon": 0.0,
                    **self.measures_of(number),
                    "n_problems": group.problems.num_rows,
                    "n_unsolved": group.n_unsolved,
                    "n_stopped": group.n_stopped,
                    "n_late": group.n_late,
                }
                for number, group in enumerate(self.groups)
            ),
        )

    @cached_property
    def profile_pairs(self) -> pa.Table:
        """Return the table `profile_pairs`."""
        return measures.profile_pairs(self._without_bands)

    @cached_property
    def profile_intervals(self) -> pa.Table:
        """Return the table `profile_intervals`; empty without bands."""
        return self._with_bands[1] if self.options.bands else schema.TABLES["profile_intervals"].empty_table()

    @cached_property
    def profile_warnings(self) -> pa.Table:
        """Return the table `profile_warnings`."""
        pieces = []
        for number, group in enumerate(self.groups):
            for rule, (mask, values) in self.warnings_of(number).items():
                problem, algorithm = np.nonzero(mask.T)
                where = group.problems.take(pa.array(problem))
                pieces.append(
                    {
                        "measure": self.measure,
                        "variant": self.name,
                        **{key: where.column(key) for key in where.column_names},
                        "algorithm": [group.algorithms[i] for i in algorithm],
                        "rule": rule,
                        "value": values[algorithm, problem],
                    }
                )
        return schema.stacked("profile_warnings", pieces)

    def tables(self) -> dict[str, pa.Table]:
        """Return all tables that the variant makes, by name."""
        return {name: getattr(self, name) for name in (*TABLES, *VARIANTS[self.variant].tables)}

    @cached_property
    def _without_bands(self) -> pa.Table:
        return schema.stacked(
            "profiles",
            (
                {**self.key(group), "algorithm": algorithm, "tau": tau, "rho": rho}
                for group, curves in zip(self.groups, self.curves, strict=True)
                for algorithm, (tau, rho) in zip(group.algorithms, curves, strict=True)
            ),
        )

    @cached_property
    def _with_bands(self) -> tuple[pa.Table, pa.Table]:
        # by name: a change of how bands are made re-makes no profile without them
        bootstrap = importlib.import_module("benchmill.profiles.bootstrap")
        tables: tuple[pa.Table, pa.Table] = bootstrap.banded(self)
        return tables
