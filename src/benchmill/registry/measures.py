"""The kinds of measure: how a trial becomes a cost."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from benchmill.core import Names, record
from benchmill.core.options import option
from benchmill.registry.entry import Entry, Function, Registry

#: Budgets: multiples of the dimension, or evaluations under that name.
Budgets = Sequence[float] | Mapping[str, Sequence[float]]


def amounts(budgets: Budgets) -> Sequence[float]:
    """Return budgets as numbers, whatever their unit."""
    return budgets["evaluations"] if isinstance(budgets, Mapping) else budgets


@record
class Described:
    """Options of a measure of any kind that texts speak of."""

    label: str | None = option("What the measure is called on axes and in captions; by default its name.", None, minLength=1)
    unit: str | None = option(
        """The unit of its costs, for axes. Stated costs of solver runs are in seconds (`s`) where their format or the entry of
        their source says so.""",
        None,
        minLength=1,
    )
    missing: Literal["common", "failure", "error"] = option(
        "What to do with a problem on which an algorithm has no trial: leave it out (`common`), count it as a failure, or stop.",
        "common",
    )
    exclude: Names = option(
        "Names of problems that the measure leaves out, such as one without a feasible solution.",
        (),
        uniqueItems=True,
        items={"type": "string", "minLength": 1},
    )
    dimensions: tuple[int, ...] | None = option(
        "Dimensions that the measure is about; by default all. Algorithms without trials there are not in it.",
        None,
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "minimum": 1},
    )
    described: bool = option(
        """Whether the measure is only described: `indicators` have it, but there are no ratios, profiles, tests, claims or
        standings of it. Values at budgets may then be maximised even if their optimum is unknown.""",
        False,
    )


@record
class Measure(Entry):
    """A kind of measure; its cost is minimised, and infinite for a failure.

    Attributes
    ----------
    function : callable
        Makes the table `costs` of trials, traces, the name of the measure and its options.
    options : class
        Its settings: `benchmill.costs.options.Options`, or a class that adds to these.
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
    aggregate : str
        How the trials of a problem become one cost, where its definition says it; empty: a measure says it.
    summarised : {"", "limit", "as_is"}
        What a failed run counts in a summary of solver runs: its limit, or its own cost as it is; empty: there is no summary.
    limited : str
        What different limits do to costs that are summarised as they are, and what to do about it.
    """

    function: Function
    options: Any
    phrase: str
    caption: str
    levels: Literal["", "targets", "budgets"] = ""
    traced: bool = False
    rate: bool = False
    stated: bool = False
    aggregate: str = ""
    summarised: Literal["", "limit", "as_is"] = ""
    limited: str = "costs at different limits cannot be compared: compare at one limit"

    @property
    def running_times(self) -> bool:
        """Return True if its costs are the evaluations that trials take to targets."""
        return self.traced and self.levels == "targets"

    @property
    def values(self) -> bool:
        """Return True if its costs are the values that trials reach within budgets."""
        return self.levels == "budgets"


MEASURES = Registry(
    Measure,
    "benchmill.measures",
    "benchmill.costs.fixed_target",
    "benchmill.costs.fixed_budget",
    "benchmill.costs.given",
    "benchmill.costs.gap",
    "benchmill.costs.integrals",
    "benchmill.costs.rates",
)

#: What ECDF curves and tables of running times are made of, tables of values reached, and what a source may state by itself.
RUNNING_TIMES = "fixed_target"
VALUES = "fixed_budget"
STATED = "given"
#: What value and bound of a solver run leave open.
GAP = "gap"
