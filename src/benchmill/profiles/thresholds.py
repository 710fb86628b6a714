"""Profiles that count thresholds other than the ratio to the best: the tau from which a problem counts as solved."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Named, record, step_functions
from benchmill.core.options import option
from benchmill.profiles import dolan_more, measures, options, variant
from benchmill.profiles.groups import Group
from benchmill.registry.variants import TAU_MAX


@record
class Options(options.Options):
    """Settings of a profile whose tau is no ratio."""

    tau_max: float | None = option(TAU_MAX, None, exclusiveMinimum=0)

    of_ratios: ClassVar[bool] = False


OptionsT = TypeVar("OptionsT", bound=options.Options)


class Profile(variant.Profile[OptionsT]):
    """Profiles of thresholds, from the smallest tau at which a problem is solved to `tau_max`."""

    def __init__(self, ratios: pa.Table, costs: pa.Table | None = None, **settings: Any) -> None:
        super().__init__(ratios, costs, **settings)
        self.groups = [self.compared(group) for group in self.groups]
        self.thresholds = [self.thresholds_of_group(group) for group in self.groups]
        self.groups = [
            replace(group, tau_max=self._end(thresholds)) for group, thresholds in zip(self.groups, self.thresholds, strict=True)
        ]

    def compared(self, group: Group) -> Group:
        """Return the group itself, or that part of its algorithms that is compared."""
        return group

    @abstractmethod
    def thresholds_of_group(self, group: Group) -> Array:
        """Return the tau from which each problem counts as solved, (n_algorithms, n_problems); inf if it never does."""

    def curves_of(self, number: int) -> step_functions.Curves:
        """Return the share of problems with a threshold of at most tau."""
        group, thresholds = self.groups[number], self.thresholds[number]
        start = float(thresholds.min(initial=group.tau_max))
        return [step_functions.within(f, start, group.tau_max) for f in dolan_more.profile_functions(thresholds, group.weights)]

    def measures_of(self, number: int) -> Named:
        """Return of the thresholds; wins and rho(1) of the ratios."""
        group = self.groups[number]
        best = measures.measures(group.ratios, 1.0, group.weights)
        own = measures.measures(self.thresholds[number], group.tau_max, group.weights)
        names = ("auc", "auc_log", "reliability", "tau_star", "rho_tau_max")
        return measures.ranked(
            group.tau_max, {**{name: own[name] for name in names}, "rho_1": best["rho_1"], "wins": best["wins"]}
        )

    def _end(self, thresholds: Array) -> float:
        if self.options.tau_max is not None:
            return float(self.options.tau_max)
        return float(thresholds[np.isfinite(thresholds)].max(initial=0.0)) or 1.0
