"""The indicators that a study can set options of, and the ways to choose sets of targets.

Adding a section to `indicators` of a configuration is one line here and a class of options in the module that computes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Indicator(Entry):
    """What has a section of its own below `indicators`; the name of the entry is that of the section.

    Attributes
    ----------
    options : str
        The class of the module that has the options of the section.
    """

    options: str = "Options"

    @property
    def option_class(self) -> type:
        """The options of the section."""
        found: type = getattr(self.load(), self.options)
        return found


_ALL = (
    Indicator("ert", "tables of expected running times", "benchmill.indicators.ert", options="Tables"),
    Indicator(
        "values",
        "budgets at which the values reached are described (mean, median, quantiles, ECDF), beside those of the fixed-budget "
        "measures; unlike these they may be values that are maximised and whose optimum is not known",
        "benchmill.indicators.ert",
        options="Values",
    ),
    Indicator("ecdf", "distributions of running times", "benchmill.indicators.ecdf", ("hansen2021",)),
    Indicator(
        "value_ecdf",
        "distributions of the values reached, for every measure of kind `fixed_budget`",
        "benchmill.indicators.ecdf",
        ("wang2022",),
        options="OfValues",
    ),
    Indicator(
        "attainment",
        "empirical attainment curves, and the area over the convergence curve (AOCC): the ECDF over infinitely many targets; "
        "made where a study has an ECDF",
        "benchmill.indicators.attainment",
        ("lopezibanez2025",),
    ),
    Indicator(
        "summary",
        "summary of solver runs: outcomes, shifted geometric means, PAR, the virtual best solver and what each adds to it",
        "benchmill.indicators.summary",
    ),
    Indicator(
        "densities",
        "density of the costs of every measure, by problem and target or budget",
        "benchmill.indicators.density",
    ),
)

#: Sections of `indicators`, in the order in which people should see them.
INDICATORS = {indicator.name: indicator for indicator in _ALL}

_TARGETS = "benchmill.indicators.targets"

#: Ways to choose a set of targets: classes of options with a method `chosen(candidates)`.
TARGET_SETS = {
    entry.name: entry
    for entry in (
        Indicator("all", "all targets of the ECDF", _TARGETS, options="All"),
        Indicator("fixed", "these targets", _TARGETS, options="Fixed"),
        Indicator(
            "between_limits",
            "targets that some trial reaches, and not every trial with its first evaluation",
            _TARGETS,
            options="BetweenLimits",
        ),
        Indicator(
            "budgets",
            "targets that a reference just fails to reach within given budgets",
            _TARGETS,
            ("hansen2021",),
            options="OfBudgets",
        ),
    )
}
