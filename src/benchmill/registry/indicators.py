"""The indicators, what each needs and makes, and the ways to choose sets of targets.

Adding an indicator is one line here and one module, which has a class of options and the function `job`
(`benchmill.indicators.job`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class OptionSet(Entry):
    """A set of options that a configuration can give.

    Attributes
    ----------
    options : str
        The class of the module that has the options.
    """

    options: str = "Options"

    @property
    def option_class(self) -> type:
        """The options."""
        found: type = getattr(self.load(), self.options)
        return found


#: The table of an indicator that names none of its own.
USUAL_TABLE = "indicator_values"


@dataclass(frozen=True, kw_only=True)
class Indicator(OptionSet):
    """A section of `indicators` in a configuration, and what the workflow makes of it.

    Attributes
    ----------
    needs : tuple of str
        What a job of it is given: tables of `costs`, `trials`, `traces`, and `ingest` for the reports; settings of the study, as
        `benchmill.workflow.parameters` names them. Empty where nothing is made.
    makes : mapping
        By name of the table what a row of it is; by default a row of `indicator_values`.
    each : str
        What there is one job for, as `benchmill.workflow.catalogue` names it: each `source`, or the sources together for each
        `measure`.
    function : str
        What makes it, in the module.
    own_section : bool
        Whether there is a section of its name below `indicators`.
    section : str
        Where its settings stand, where that is not its own section.
    keys : tuple of str
        Those of them that matter to what it makes; empty: all.
    shown, explored : tuple of str
        The tables that tables, numbers, paper and page are made from; those that the page alone is made from.
    """

    needs: tuple[str, ...] = ()
    makes: Mapping[str, str] = field(default_factory=dict)
    each: str = "source"
    function: str = "job"
    own_section: bool = True
    section: str = ""
    keys: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    explored: tuple[str, ...] = ()

    @property
    def settings_in(self) -> str:
        """The key of a study that holds its settings."""
        return self.section or f"indicators.{self.name}"

    @property
    def results(self) -> dict[str, tuple[str, str]]:
        """By name of a result its folder, whose first part is the name of its table, and what a row is."""
        if self.needs and not self.makes:
            return {self.name: (f"{USUAL_TABLE}/{self.name}", self.words)}
        return {name: (name, meaning) for name, meaning in self.makes.items()}

    def table(self, result: str) -> str:
        """The name of the table that a result of it is."""
        return self.results[result][0].partition("/")[0]

    @property
    def make(self) -> Callable[[Any], Any]:
        """Return the function that makes it: `benchmill.indicators.job.Given` in, `benchmill.indicators.job.Made` out."""
        found: Callable[[Any], Any] = getattr(self.load(), self.function)
        return found


_ALL = (
    Indicator(
        "indicators",
        "expected running times, success rates and statistics of costs",
        "benchmill.indicators.ert",
        own_section=False,
        section="indicators",
        keys=("budget_rule", "common_budget", "quantile_type", "par_factor", "intervals"),
        needs=("costs", "trials", "ingest", "problem_keys", "measures"),
        makes={"indicators": "an algorithm × problem × measure × target or budget"},
        shown=("indicators",),
    ),
    Indicator("ert", "tables of expected running times", "benchmill.indicators.ert", options="Tables"),
    Indicator(
        "values",
        "budgets at which the values reached are described (mean, median, quantiles, ECDF), beside those of the fixed-budget "
        "measures; unlike these they may be values that are maximised and whose optimum is not known",
        "benchmill.indicators.ert",
        options="Values",
    ),
    Indicator(
        "ecdf",
        "distributions of running times",
        "benchmill.indicators.curves",
        ("hansen2021",),
        function="of_running_times",
        each="aggregation",
        keys=("target_set", "x", "weight", "groups", "restarts", "bands", "area"),
        needs=("costs", "ingest", "target_sets", "seed"),
        makes={
            "ecdf": "an algorithm × step of its ECDF",
            "ecdf_curves": "a curve: the trials and targets behind it, the area under it",
        },
        explored=("ecdf",),
    ),
    Indicator(
        "target_sets",
        "how algorithms rank over sets of targets",
        "benchmill.indicators.targets",
        own_section=False,
        each="ecdf",
        section="indicators.ecdf",
        keys=("x", "weight", "area"),
        needs=("costs", "ingest", "sets"),
        makes={
            "target_sets": "a target of a set on a problem",
            "target_sensitivity": "an algorithm × set of targets × dimension: area under its ECDF, rank",
        },
    ),
    Indicator(
        "value_ecdf",
        "distributions of the values reached, for every measure of kind `fixed_budget`",
        "benchmill.indicators.curves",
        ("wang2022",),
        options="OfValues",
        function="of_values",
        each="value aggregation",
        section="indicators.ecdf",
        keys=("weight", "groups", "bands"),
        needs=("costs", "ingest", "measures"),
        makes={
            "value_ecdf": "an algorithm × step of its ECDF of values reached",
            "value_ecdf_curves": "a curve of these: what is behind it",
        },
        explored=("value_ecdf",),
    ),
    Indicator(
        "attainment",
        "empirical attainment curves, and the area over the convergence curve (AOCC): the ECDF over infinitely many targets; "
        "made where a study has an ECDF",
        "benchmill.indicators.attainment",
        ("lopezibanez2025",),
        each="traced source",
        needs=("trials", "traces", "ingest", "problem_keys"),
        makes={
            "attainment": "an algorithm × problem × share of trials × improvement of that share",
            "convergence": "an algorithm × problem: area over the convergence curve (AOCC)",
        },
    ),
    Indicator(
        "summary",
        "summary of solver runs: outcomes, shifted geometric means, PAR, the virtual best solver and what each adds to it",
        "benchmill.indicators.summary",
        ("achterberg2007", "achterberg2013"),
        each="summary",
        needs=("costs", "trials", "missing", "shift", "sources", "cluster_keys", "not_competing", "as_is"),
        makes={
            "summary": "studies of solver runs: an algorithm × subset of instances × what a failure counts: outcomes, means",
            "solver_runs": "studies of solver runs: an algorithm × run: cost, limit, outcome; the virtual best solver's too",
        },
        shown=("summary",),
    ),
    Indicator(
        "kaplan_meier",
        "Kaplan and Meier's curves and restricted means of running times, in which a failed run was stopped at its budget",
        "benchmill.indicators.kaplan_meier",
        ("kaplan1958", "royston2013"),
        each="followed",
        needs=("costs", "problem_keys", "cluster_keys"),
        makes={
            "kaplan_meier": "measures that `indicators.kaplan_meier` names: a panel × algorithm × step of its curve",
            "restricted_means": "measures that `indicators.kaplan_meier` names: a panel × algorithm: its restricted mean",
        },
        shown=("restricted_means",),
    ),
    Indicator(
        "densities",
        "density of the costs of every measure, by problem and target or budget",
        "benchmill.indicators.density",
        needs=("costs", "ingest", "problem_keys"),
        makes={"densities": "a point or bar of the density of an algorithm's costs"},
    ),
)

#: By name, in the order in which people should see them.
INDICATORS = {indicator.name: indicator for indicator in _ALL}

_TARGETS = "benchmill.indicators.targets"

#: Ways to choose a set of targets: classes of options with a method `chosen(candidates)`.
TARGET_SETS = {
    entry.name: entry
    for entry in (
        OptionSet("all", "all targets of the ECDF", _TARGETS, options="All"),
        OptionSet("fixed", "these targets", _TARGETS, options="Fixed"),
        OptionSet(
            "between_limits",
            "targets that some trial reaches, and not every trial with its first evaluation",
            _TARGETS,
            options="BetweenLimits",
        ),
        OptionSet(
            "budgets",
            "targets that a reference just fails to reach within given budgets",
            _TARGETS,
            ("hansen2021",),
            options="OfBudgets",
        ),
    )
}
