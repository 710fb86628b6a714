"""The indicators, and what each needs and makes."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from benchmill.registry.entry import Entry, Function, Names, Registry, record


@record
class Indicator(Entry):
    """A section of `indicators` in a configuration, and what the workflow makes of it.

    Attributes
    ----------
    options : class, optional
        Settings that have a section of its name below `indicators`.
    function : callable, optional
        Makes it: `benchmill.indicators.job.Given` in, `benchmill.indicators.job.Made` out.
    needs : tuple of str
        What a job of it is given: tables of `costs`, `trials`, `traces`, and `ingest` for the reports; settings of the study, as
        `benchmill.workflow.jobs` names them. Empty where nothing is made.
    makes : mapping
        By name of the table what a row of it is; by default a row of `indicator_values`.
    each : str
        What there is one job for, as `benchmill.study.catalogue` names it: each `source`, or the sources together for each
        `measure`.
    section : str
        Where its settings stand, where that is not its own section.
    keys : tuple of str
        Those of them that matter to what it makes; empty: all.
    shown, explored : tuple of str
        The tables that tables, numbers, paper and page are made from; those that the page alone is made from.
    on_request : bool
        Whether it is made only for a figure that shows it, or where a file of it is asked for by name.
    """

    options: Any = None
    function: Function | None = None
    needs: Names = ()
    makes: Mapping[str, str] = field(default_factory=dict)
    each: str = "source"
    section: str = ""
    keys: Names = ()
    shown: Names = ()
    explored: Names = ()
    on_request: bool = False

    @property
    def settings_in(self) -> str:
        """The key of a study that holds its settings."""
        return self.section or f"indicators.{self.name}"

    @property
    def results(self) -> dict[str, tuple[str, str]]:
        """By name of a result its folder, whose first part is the name of its table, and what a row is."""
        if self.needs and not self.makes:
            return {self.name: (f"indicator_values/{self.name}", self.words)}
        return {name: (name, meaning) for name, meaning in self.makes.items()}

    def table(self, result: str) -> str:
        """Return the name of the table that a result of it is."""
        return self.results[result][0].partition("/")[0]


INDICATORS = Registry(
    Indicator,
    "benchmill.indicators",
    "benchmill.indicators.ert",
    "benchmill.indicators.curves",
    "benchmill.indicators.attainment",
    "benchmill.indicators.summary",
    "benchmill.indicators.kaplan_meier",
    "benchmill.indicators.density",
)
