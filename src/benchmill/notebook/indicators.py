"""Indicators of costs: expected running times, statistics, and distributions of running times, as objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from benchmill import tables
from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.core.options import held, listed_targets, made
from benchmill.indicators import ecdf as distributions
from benchmill.indicators import ert as described
from benchmill.indicators.areas import ecdf_curves
from benchmill.inference.rank_sum import COLUMNS, rank_sums
from benchmill.notebook.costs import Costs, as_costs
from benchmill.notebook.costs import costs as measured
from benchmill.notebook.objects import Result, in_own_words, plain
from benchmill.notebook.runs import Runs
from benchmill.registry.measures import MEASURES
from benchmill.tables import areas
from benchmill.text.display import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What tells the curves of one panel from those of another.
_PANEL = ("suite", "group", "problem", "dimension", "target")


@dataclass(frozen=True, eq=False)
class Indicators(Result):
    """Indicators of one measure, as `benchmill.indicators` and `benchmill.ert` make them.

    Attributes
    ----------
    data : dict
        The tables `indicators` and, of `ert`, `rank_sums`; and `ingest`, the reports of the sources.
    settings : dict
        `measure`, `problem_keys` and `indicators`, as in a configuration.
    """

    @property
    def frame(self) -> pd.DataFrame:
        """A row an algorithm, problem and target or budget: `ert`, `success_rate`, `median`, intervals, counts, ..."""
        return plain(self.data["indicators"])

    @property
    def rank_sums(self) -> pd.DataFrame:
        """Whether the best algorithm of each problem and target is better than each other one; empty but for `ert`."""
        return plain(self.data.get("rank_sums"))

    @property
    def table(self) -> Table:
        """Expected running times, or medians where there are none: a row a problem and target, a column an algorithm."""
        return tables.build("ert", self.data, self.settings)


@dataclass(frozen=True, eq=False)
class Ecdf(Result):
    """Distributions of running times, as `benchmill.ecdf` makes them.

    Attributes
    ----------
    data : dict
        The tables `ecdf` and `ecdf_curves`; `ingest`, the reports of the sources; `origins`, what was left out.
    settings : dict
        `measure` and `indicators`, as in a configuration.
    """

    @property
    def frame(self) -> pd.DataFrame:
        """The curves: a row an algorithm and step, with `x` and `fraction`."""
        return plain(self.data["ecdf"])

    @property
    def measures(self) -> pd.DataFrame:
        """What each curve stands on and comes to: a row a curve, with the share solved and areas."""
        return plain(self.data["ecdf_curves"])

    @property
    def table(self) -> Table:
        """The measures, as a paper shows them."""
        return areas.build(self.data, self.settings)

    @property
    def caption(self) -> str:
        """What the curves show, over which targets and problems they are averaged, and which conventions are in force."""
        from benchmill import figures

        return figures.caption("ecdf", self.data, self.settings)

    def plot(self, ax: Axes | None = None, *, palette: Any = None, legend: bool = True, **panel: Any) -> Axes:
        """Draw the curves into axes, in the style that is in force.

        Parameters
        ----------
        ax, palette, legend
            As for `Profile.plot`.
        **panel
            `suite`, `group`, `problem`, `dimension` and `target`, as far as they tell the curves of one panel from others.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        UserError
            There are several panels, and none is named.
        """
        from benchmill.figures import curves
        from benchmill.notebook import plot

        if unknown := [name for name in panel if name not in _PANEL]:
            raise TypeError(f"plot() got an unexpected keyword argument {unknown[0]!r}")
        data = plot.one_panel(self.data["ecdf"], panel, _PANEL)
        axes = plot.axes_of(ax)
        curves.ecdf_plot(data, palette=palette, ax=axes)
        unit = self.settings["indicators"]["ecdf"]["x"].replace("_per_", "/")
        return plot.labelled(axes, unit, "share of (problem, target) pairs", legend)

    def figure(self, **settings: Any) -> Figure:
        """The figure of a paper, with all panels: `paper`, `width`, `context` and `highlight` as in a configuration."""
        from benchmill import figures

        return figures.draw("ecdf", self.data, {**self.settings, **settings})[0]

    def _repr_html_(self) -> str:
        from benchmill.notebook import plot

        return plot.image(self.figure(), self.caption) + self.to_html()


def indicators(costs: Costs | Any, **options: Any) -> Indicators:
    """Describe the costs of every algorithm on every problem: ERT, success rate, mean, median, quantiles, with intervals.

    Parameters
    ----------
    costs : Costs
        What `costs` gives; or a DataFrame with the columns `algorithm`, `problem` and `cost`.
    **options
        What a configuration can set of indicators: `budget_rule` (what a failure is charged), `quantile_type`, `par_factor`,
        ``intervals={"level": 0.95}``, ...

    Returns
    -------
    Indicators

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": "p", "cost": [1.0, 3.0, 2.0, float("inf")]})
    >>> bm.indicators(df).frame[["algorithm", "n_trials", "success_rate", "median"]]
      algorithm  n_trials  success_rate  median
    0         A         2           1.0     2.0
    1         B         2           0.5     inf
    """
    of = as_costs(costs)
    with in_own_words():
        chosen = made(described.Options, options, "indicators")
        found = [
            described.indicators(
                [part.costs],
                chosen,
                report=part.report,
                trials=part.trials,
                problem_keys=of.problem_keys,
            )
            for part in of.parts
        ]
    return Indicators(
        {"indicators": schema.concatenate(found), "ingest": of.reports}, {**of.settings, "indicators": held(chosen)}
    )


def ert(costs: Costs | Any, *, alpha: float = 0.05, **options: Any) -> Indicators:
    """Make the table of expected running times; of values at budgets, that of medians.

    The expected running time is what all runs spent over the number of successes. What a failure spent is the limit of a cost
    that was stated; where it is not known there is no expected running time, which is shown as a dash.

    Parameters
    ----------
    costs, **options
        As for `indicators`.
    alpha : float
        Level of the tests whether the best algorithm of a problem and target is better than every other; a star marks it.

    Returns
    -------
    Indicators
        With `rank_sums`.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": "p", "cost": [1.0, 3.0, 2.0, 9.0]})
    >>> print(bm.ert(bm.costs(df, limit=9)).to_markdown().splitlines()[-1])
    | p | **2.0** | 11.0 (1/2) |
    """
    of = as_costs(costs)
    found = indicators(of, **options)
    if not MEASURES[of.measure["kind"]].running_times:
        return found
    with in_own_words():
        tested = rank_sums(
            of.costs_of_trials.select(COLUMNS["costs"]),
            found.data["indicators"].select(COLUMNS["indicators"]),
            measure=of.measure["name"],
            problem_keys=of.problem_keys,
            alpha=alpha,
        )
    return Indicators({**found.data, "rank_sums": tested}, {**found.settings, "alpha": alpha})


def ecdf(
    data: Costs | Runs, aggregate: str = "problem", *, targets: Sequence[float] | None = None, seed: int = 1, **options: Any
) -> Ecdf:
    """Make distributions of running times: the share of problems and targets that an algorithm has solved by then.

    Parameters
    ----------
    data : Costs or Runs
        Costs with targets; or runs, whose costs are then measured.
    aggregate : {"trial", "target", "problem_per_target", "problem", "group", "dimension"}
        What a curve is averaged over: see `benchmill.indicators.ecdf.ecdf`.
    targets : sequence of float, optional
        Of runs; by default those of a configuration, 51 from 100 to 1e-8. ``{"from": 10, "to": 1e-3, "number": 11}`` is a list
        with logarithmic spacing.
    seed : int
        For simulated restarts.
    **options
        What a configuration can set of the ECDF: `x` (the unit), `weight`, `groups`, `restarts`, `bands`, `area`, `scale`.

    Returns
    -------
    Ecdf

    Raises
    ------
    UserError
        The costs are not those of targets, a dimension is not known, or an option is not allowed.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> rows = [("A", "f1", 2, 1, 8.0), ("A", "f1", 2, 6, 0.5), ("B", "f1", 2, 1, 9.0), ("B", "f1", 2, 10, 2.0)]
    >>> df = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"])
    >>> runs = bm.read(df, evaluations="evaluations", value="value")
    >>> bm.ecdf(runs, targets=[5, 1]).frame[["algorithm", "x", "fraction"]]
      algorithm    x  fraction
    0         A  3.0       1.0
    1         B  5.0       0.5
    """
    with in_own_words():
        area = {"from": 1, "to": None, **options.pop("area", {})}
        chosen = made(distributions.Options, {**options, "area": area, "aggregate": [aggregate]}, "ecdf")
        if chosen.target_set is not None:
            raise UserError("ecdf: target_set is for a configuration; give the targets themselves (targets=[...]).")
        if isinstance(data, Runs):
            wanted = listed_targets(chosen.targets if targets is None else targets)
            of = measured(data, targets=wanted, scale=chosen.scale, name="ecdf")
        elif targets is not None:
            raise UserError("ecdf: targets are for runs, and these costs have their own; give runs, or leave targets out.")
        else:
            of = data
        if not isinstance(of, Costs) or not MEASURES[of.measure["kind"]].running_times:
            raise UserError("ecdf: these are not costs with targets; give runs, or costs(runs, targets=[...]).")
        pairs = distributions.pairs([part.costs.select(distributions.COLUMNS) for part in of.parts])
        curves = distributions.ecdf(pairs, aggregate, chosen, seed)
        described_curves = ecdf_curves(curves, pairs, aggregate, chosen, of.reports)
        lost = distributions.left_out(pairs, aggregate)
    note = {"left_out": lost, "n_left_out": sum(panel["n_left_out"] for panel in lost)}
    every = {**held(chosen), "targets": list(of.measure["targets"])}
    settings = {"measure": of.settings["measure"], "indicators": {"ecdf": every}, "aggregation": aggregate}
    tables_of = {"ecdf": curves, "ecdf_curves": described_curves, "ingest": of.reports}
    return Ecdf({**tables_of, "origins": {f"ecdf/{aggregate}.parquet": note}}, settings)
