"""The costs of runs, one row per trial and target or budget."""

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Amounts, Given, Names, UserError, Written, groups, keys, schema
from benchmill.core.names import meant
from benchmill.core.options import held, properties
from benchmill.costs import costs as measured
from benchmill.costs.options import OfSolverRuns
from benchmill.inference import design, families
from benchmill.notebook.arguments import in_own_words, looked_at, made
from benchmill.notebook.objects import Drawn, in_order, names, own, plain
from benchmill.notebook.runs import Reported, Runs, Source, read
from benchmill.profiles import ratios as rating
from benchmill.readers.table_cells import NAMES
from benchmill.registry.measures import MEASURES, RUNNING_TIMES, VALUES, Budgets
from benchmill.text.claims import known

#: What measures are called that have no name, by what each trial has a cost for; others have the name of their kind.
_NAMES = {RUNNING_TIMES: "ert", VALUES: "quality", "given": "cost"}
#: What makes one cost of the trials of a problem, not the costs of trials.
_RATED = ("aggregate", "missing", "shift")


class Costs(Reported, Drawn):
    """The costs of one measure, by source, with its settings and what makes a problem."""

    usual = "scatter"

    parts: tuple[Source, ...]
    measure: Given
    problem_keys: Names

    @property
    def frame(self) -> pd.DataFrame:
        """One row per trial and target or budget: its `cost`, which is inf for a failure."""
        return plain(in_order(self.costs_of_trials, self.reports))

    @property
    def ratios(self) -> pd.DataFrame:
        """One row per algorithm and problem: its cost and ratio to the best; UserError where ratios are not defined."""
        return plain(in_order(self.rated, self.reports))

    @property
    def settings(self) -> Written:
        """Settings of the measure, and what makes a problem."""
        return {"problem_keys": list(self.problem_keys), "measure": own(self.measure)}

    @property
    def reports(self) -> list[Written]:
        """The report of each source."""
        return [own(part.report) for part in self.parts]

    @property
    def costs_of_trials(self) -> pa.Table:
        """Table `costs` of all sources."""
        return schema.concatenate(part.costs for part in self.parts)

    @cached_property
    def rated(self) -> pa.Table:
        """Table `ratios` for profiles."""
        return self.rating(profiled=True)

    @cached_property
    def ranked(self) -> pa.Table:
        """Table `ratios` for tests and ranks, which take costs that are not positive as well."""
        return self.rating(profiled=False)

    def families(self, cluster_keys: Sequence[str], seed: int = 1) -> pa.Table:
        """Return the table `families`: whether problems of a family are alike, with `family` among the cluster keys."""
        return families.of_designs(
            design.from_ratios(self.ranked, measure=self.measure["name"]),
            cluster_keys,
            families.log_folders(part.trials for part in self.parts),
            seed,
        )

    def classes(self, by: Any) -> keys.Family:
        """Return what deals the problems to classes; see `benchmill.inference.families.classes`."""
        return families.classes(
            by,
            keys.cells(self.costs_of_trials, ["suite", "problem", "dimension", "instance"])[1].to_pylist(),
            families.log_folders(part.trials for part in self.parts),
        )

    @property
    def data(self) -> Written:
        """The tables that figures are drawn from, and the reports."""
        return {"ratios": in_order(self.ranked, self.reports), "ingest": self.reports}

    def rating(self, profiled: bool, aside: Sequence[str] = ()) -> pa.Table:
        """Table `ratios`; the limits of those that stand aside cut nobody."""
        with in_own_words(
            "correct the cost if it is a mistake, give shift=... (a number added to every cost), or leave problems out with "
            "exclude=[...]"
        ):
            return rating.ratios(
                [(part.name, part.costs.select(rating.COLUMNS)) for part in self.parts],
                measure=self.measure["name"],
                problem_keys=self.problem_keys,
                profiled=profiled,
                not_competing=aside,
                **{key: self.measure[key] for key in _RATED if key in self.measure},
            )


@looked_at
def costs(
    data: Any,
    *,
    targets: Sequence[float] | Amounts | None = None,
    budgets: Budgets | None = None,
    algorithm: str | None = None,
    problem: str | None = None,
    cost: str | None = None,
    suite: str | None = None,
    dimension: str | None = None,
    instance: str | None = None,
    run: str | None = None,
    status: str | None = None,
    solved: Any = None,
    failed: Any = None,
    limit: float | str | None = None,
    wide: str | Sequence[str] | None = None,
    empty: str = "error",
    direction: str | None = None,
    objective: str | None = None,
    best_known: str | os.PathLike[str] | None = None,
    kind: str | None = None,
    name: str | None = None,
    problem_keys: Sequence[str] = ("suite", "problem", "dimension"),
    **settings: Any,
) -> Costs:
    """Measure runs: evaluations to targets, values at budgets, or costs as they are stated.

    Parameters
    ----------
    data : Runs, path, or DataFrame
        What `read` gives, or takes. The parameters from `algorithm` to `best_known` are for a DataFrame.
    targets : sequence of float or mapping, optional
        A cost is the evaluations until a value; also ``{"from": 100, "to": 1e-8, "number": 51}``.
    budgets : sequence of float or mapping, optional
        A cost is the best value until then, in evaluations over the dimension; also ``{"evaluations": [1000, 5000]}``.
    algorithm, problem, cost, suite, dimension, instance, run : str, optional
        Names of columns, by default those of the parameters; also `evaluations` and `value` of improvements, `optimum`, `seed`.
        Smaller costs are better; inf is a failure.
    status : str, optional
        Column that says how each run ended.
    solved, failed : optional
        The values of `status` for success and failure; ``{"TO": "time_limit"}`` says how. Without `status`, `failed` stands
        in place of a cost, or is a column of truth values.
    limit : float or str, optional
        What costs were limited to, or its column: a cost that reaches it is a failure.
    wide : str or sequence of str, optional
        Columns that are algorithms; or what all other columns are, such as ``"algorithm"``.
    empty : {"error", "failure", "missing"}
        What an empty cost is.
    direction : {"min", "max"}, optional
        With "max" the cost is the reciprocal of the value, such as of an `accuracy` or `score`.
    objective, best_known : str, path, optional
        What answers are checked by: a column of values, and a list of best-known ones (`.solu` or CSV).
    kind, name : str, optional
        Kind of measure (`benchmill.registry.measures`), and its name.
    problem_keys : sequence of str
        What makes a problem, among suite, problem, dimension and instance.
    **settings
        As of a measure in a configuration: `aggregate`, `missing`, `exclude`, `dimensions`, `shift`, ...

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"solver": ["A", "B"], "model": ["p", "p"], "seconds": [1.0, 60.0], "state": ["ok", "timeout"]})
    >>> times = bm.costs(df, algorithm="solver", problem="model", cost="seconds", status="state", failed="timeout")
    >>> times.frame[["algorithm", "cost"]]
      algorithm  cost
    0         A   1.0
    1         B   inf
    """
    columns = {
        **{"algorithm": algorithm, "problem": problem, "cost": cost, "suite": suite, "dimension": dimension},
        **{"instance": instance, "run": run, "status": status, "solved": solved, "failed": failed, "limit": limit, "wide": wide},
        **{
            "objective": objective,
            "best_known": best_known,
            "direction": direction,
            "empty": None if empty == "error" else empty,
        },
        **{name: settings.pop(name) for name in (*NAMES, "decimal") if name in settings},
    }
    given = {key: value for key, value in columns.items() if value is not None}
    if isinstance(data, Runs) and given:
        raise UserError(f"costs: {next(iter(given))} is for a DataFrame, and these runs are read already; give it to read(...).")
    runs = data if isinstance(data, Runs) else read(data, **given)
    if targets is not None and budgets is not None:
        raise UserError("costs: both targets and budgets are given; call costs once for each.")
    kind = kind or _kind(runs, targets, budgets)
    known(kind, list(MEASURES), "kind of measure", "costs")
    settings |= {
        key: values if isinstance(values, Mapping) else tuple(map(float, values))
        for key, values in (("targets", targets), ("budgets", budgets))
        if values is not None
    }
    settings |= {key: tuple(names(settings[key])) for key in ("exclude",) if key in settings}
    if kind == "given" and direction == "max":
        settings = {"quantity": "rate", **settings}
    for one in settings:
        known(
            one,
            [*inspect.signature(costs).parameters, *NAMES, "decimal", *properties(MEASURES[kind].options)],
            "keyword",
            "costs",
        )
    options = made(MEASURES[kind].options, settings, "costs: a measure of the kind " + repr(kind))
    measure = {"name": name or _NAMES.get(kind, kind), "kind": kind, "aggregate": MEASURES[kind].aggregate, **held(options)}
    if isinstance(options, OfSolverRuns):
        measure["mean_shift"] = options.geometric_shift
    return Costs(_measured(runs, measure), measure, tuple(names(problem_keys)))


def _measured(runs: Runs, measure: Given) -> tuple[Source, ...]:
    settings = {key: value for key, value in measure.items() if key not in (*_RATED, "name", "kind")}
    parts = tuple(
        replace(
            source,
            traces=source.traces.slice(0, 0),
            costs=measured(measure["kind"], source.trials, source.traces, measure["name"], settings),
        )
        for source in runs.sources
    )
    groups.check_listed(measure["exclude"], [part.report for part in parts], f"measure {measure['name']!r}: exclude")
    for value in () if measure.get("dimensions") is None else measure["dimensions"]:
        known(str(value), [str(one) for part in parts for one in part.report["dimensions"]], "dimension", "costs: dimensions")
    return parts


def _kind(runs: Runs, targets: Any, budgets: Any) -> str:
    if targets is not None or budgets is not None:
        return RUNNING_TIMES if targets is not None else VALUES
    if any(source.trials["cost"].null_count for source in runs.sources):
        raise UserError("costs: the runs state no costs but have traces; give targets=[...] or budgets=[...].")
    return "given"


def competing(whose: Costs, asked: str | Sequence[str], where: str = "not_competing") -> list[str]:
    """Return the algorithms that names, or patterns with `*` and `?`, fit. Raises UserError for one that fits none."""
    there = sorted({str(name) for part in whose.parts for name in pc.unique(part.costs.column("algorithm")).to_pylist()})
    chosen: dict[str, None] = {}
    for name in names(asked):
        chosen |= dict.fromkeys(meant(name, there) or [known(name, there, "algorithm", where)])
    return list(chosen)


def as_costs(data: Any) -> Costs:
    """Return costs as they are, or those of a DataFrame whose columns have benchmill's names."""
    return data if isinstance(data, Costs) else costs(data)
