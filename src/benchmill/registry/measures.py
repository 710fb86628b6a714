"""The kinds of measure: how a trial becomes a cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Measure(Entry):
    """A kind of measure; its cost is minimised, and infinite for a failure.

    Attributes
    ----------
    phrase : str
        What the section on methods says that it is.
    caption : str
        The same in few words, for captions.
    levels : {"", "targets", "budgets"}
        The option that lists what each trial has a cost for; empty: a trial has one cost.
    traced : bool
        Whether it is made for trials with traces: a study with such a measure has distributions of running times.
    rate : bool
        Whether the cost of a problem is 1 / the share of the runs that count.
    stated : bool
        Whether it is what a source states by itself.
    fixed_aggregate : bool
        Whether its definition says how the trials of a problem become one cost.
    summarised : {"", "limit", "as_is"}
        What a failed run counts in a summary of solver runs: its limit, or its own cost as it is; empty: there is no summary.
    """

    room = "benchmill.costs"

    phrase: str
    caption: str
    levels: Literal["", "targets", "budgets"] = ""
    traced: bool = False
    rate: bool = False
    stated: bool = False
    fixed_aggregate: bool = False
    summarised: Literal["", "limit", "as_is"] = ""
    function: str = "costs"

    @property
    def running_times(self) -> bool:
        """Return True if its costs are the evaluations that trials take to targets."""
        return self.traced and self.levels == "targets"

    @property
    def values(self) -> bool:
        """Return True if its costs are the values that trials reach within budgets."""
        return self.levels == "budgets"


_CRITERION = "if it reached {targets} (in {values}) with a feasible point, or as its source states"
_BARBOSA = ("barbosa2010",)
_BERTHOLD = ("berthold2013",)
_INTEGRATED = "integrated over time up to {until}, in seconds; {gap_is}"

_ALL = (
    Measure(
        "fixed_target",
        "evaluations to a target",
        phrase="the evaluations of a trial until its best value first is at or below the target, for {n_targets} ({targets}), "
        "compared with {values}; infinite where it never is",
        caption="{n_targets}: {targets}",
        levels="targets",
        traced=True,
    ),
    Measure(
        "fixed_budget",
        "value at a budget",
        phrase="the best value of a trial after {budgets} {unit}; a trial that stopped earlier keeps its last",
        caption="best value at {budgets} {unit}",
        levels="budgets",
        traced=True,
    ),
    Measure(
        "given",
        "stated cost",
        phrase="the {stated}",
        caption="{stated}",
        stated=True,
        summarised="limit",
    ),
    Measure(
        "gap",
        "gap at the end of a solver run",
        phrase="the difference of value and bound when a solver run ends, divided by {relative_to}; infinite without one of "
        "them, 0 of a solved run that states no bound",
        caption="gap between value and bound, divided by {relative_to}",
        summarised="as_is",
    ),
    Measure(
        "primal_integral",
        "primal integral of a solver run",
        module="benchmill.costs.integrals",
        function="primal",
        references=_BERTHOLD,
        phrase="the gap between the best value and the best-known one, " + _INTEGRATED,
        caption="primal integral in seconds{weights}",
        summarised="as_is",
    ),
    Measure(
        "dual_integral",
        "dual integral of a solver run",
        module="benchmill.costs.integrals",
        function="dual",
        references=_BERTHOLD,
        phrase="the gap between the best-known value and the bound, " + _INTEGRATED,
        caption="dual integral in seconds{weights}",
        summarised="as_is",
    ),
    Measure(
        "primal_dual_integral",
        "primal-dual integral of a solver run",
        module="benchmill.costs.integrals",
        function="primal_dual",
        references=_BERTHOLD,
        phrase="the gap between the best value and the bound, " + _INTEGRATED,
        caption="primal-dual integral in seconds{weights}",
        summarised="as_is",
    ),
    Measure(
        "feasible_rate",
        "feasible rate",
        references=_BARBOSA,
        phrase="the share of the runs on a problem that found a feasible point; the cost is 1 / rate, infinite where no run did",
        caption="1 / feasible rate",
        rate=True,
        fixed_aggregate=True,
    ),
    Measure(
        "success_rate",
        "success rate",
        references=_BARBOSA,
        phrase="the share of the runs on a problem that succeeded " + _CRITERION + "; the cost is 1 / rate, infinite where "
        "no run did",
        caption="1 / success rate",
        levels="targets",
        rate=True,
        fixed_aggregate=True,
    ),
    Measure(
        "success_performance",
        "success performance",
        references=_BARBOSA,
        phrase="the mean evaluations of the successful runs over the success rate, a run being successful "
        + _CRITERION
        + "; of published tables it is {published}",
        caption="mean evaluations of the successful runs over the success rate",
        levels="targets",
        fixed_aggregate=True,
    ),
)

#: In the order in which people should see them.
MEASURES = {measure.name: measure for measure in _ALL}

#: What ECDF curves and tables of running times are made of, tables of values reached, and what a source may state by itself.
RUNNING_TIMES = "fixed_target"
VALUES = "fixed_budget"
STATED = "given"
#: What value and bound of a solver run leave open.
GAP = MEASURES["gap"].name
