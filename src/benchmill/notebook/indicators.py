"""Indicators of costs, the summary of solver runs, and performance profiles as objects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from benchmill.core import Amounts, Given, UserError, Written, groups, limits, schema
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, resolved
from benchmill.core.options import held, listed_targets
from benchmill.exhibits import tables
from benchmill.exhibits.tables.indicators import areas, areas_of_values
from benchmill.indicators import ecdf as distributions
from benchmill.indicators import ert as described
from benchmill.indicators import kaplan_meier as followed
from benchmill.indicators import summary as summarised
from benchmill.indicators.curves import ecdf_curves, lost_in, value_ecdf_curves
from benchmill.inference.rank_sum import COLUMNS, rank_sums
from benchmill.notebook.arguments import looked_at, made
from benchmill.notebook.costs import Costs, as_costs, competing
from benchmill.notebook.costs import costs as measured
from benchmill.notebook.objects import Drawn, Result, frame_of, image, names, of_exhibits, plain
from benchmill.notebook.runs import Runs, read
from benchmill.profiles import fit
from benchmill.profiles.measures import of_competing
from benchmill.registry import indicator_options
from benchmill.registry.measures import MEASURES, VALUES
from benchmill.registry.variants import DEFAULT, VARIANTS, usual_name
from benchmill.text import display, families, labels
from benchmill.text.claims import known
from benchmill.text.settings import Settings

#: What a column is called that has the values of all parameters but one.
_HELD = "other parameters"
#: Options of curves that those of values take, too.
OF_VALUES = ("aggregate", "weight", "groups", "bands", "level")


class Indicators(Result, Drawn):
    """Indicators of one measure, as `benchmill.indicators` and `benchmill.ert` make them."""

    usual = "scaling"

    frame = frame_of(
        "indicators",
        "One row per algorithm, problem and target or budget: `ert`, `success_rate`, `median`, ...",
    )

    rank_sums = frame_of(
        "rank_sums", "Tests whether the best of each problem and target is better than each other one; empty except for `ert`."
    )

    kind_of_table = "ert"


class Curves(Result, Drawn):
    """Curves, which are shown as a figure above their table."""

    @property
    def caption(self) -> str:
        """The caption of the curves: their problems and trials, and the conventions in force."""
        return self.caption_of()

    def _repr_html_(self) -> str:
        return image(self.figure(), self.caption) + self.to_html()


class Ecdf(Curves):
    """Distributions of running times, or of the values reached, as `benchmill.ecdf` makes them."""

    @property
    def usual(self) -> str:
        """The kind of figure that is drawn unless another is asked for."""
        return "value_ecdf" if self.of_values else "ecdf"

    @property
    def of_values(self) -> bool:
        """True if the curves are of values reached within budgets."""
        return "value_ecdf" in self.data

    @property
    def frame(self) -> pd.DataFrame:
        """The curves: one row per algorithm and step, with `x` and `fraction`."""
        return plain(self.data["value_ecdf" if self.of_values else "ecdf"])

    @property
    def measures(self) -> pd.DataFrame:
        """The share solved and areas of each curve, and what it is based on."""
        return plain(self.data["value_ecdf_curves" if self.of_values else "ecdf_curves"])

    @property
    def table(self) -> display.Table:
        """The measures, as a paper shows them."""
        results = tables.Results(self.data, Settings.parsed(of_exhibits(self.settings)))
        return areas_of_values(results) if self.of_values else areas(results)


class KaplanMeier(Result, Drawn):
    """Curves and restricted means of running times, as `benchmill.kaplan_meier` makes them."""

    usual = "kaplan_meier"

    frame = frame_of("kaplan_meier", "The curves: one row per panel, algorithm and step, with the share `unsolved`.")

    means = frame_of(
        "restricted_means",
        "One row per panel and algorithm: `horizon`, restricted `mean`, share `unsolved`, counts.",
    )

    kind_of_table = "restricted_means"


@looked_at
def kaplan_meier(costs: Costs | Any, *, cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS, **options: Any) -> KaplanMeier:
    """Follow running times up to a horizon, with failed runs as stopped: shares unsolved, and restricted means.

    Parameters
    ----------
    costs : Costs
        Running times, whose failures have limits or budgets (``limit=3600``); or a DataFrame as for `compare`.
    cluster_keys : sequence of str
        As in `compare`, for the intervals.
    **options
        `horizon` (by default the largest to which all were followed; NaN, and no mean, where no run is known to end after 0),
        `level` of the intervals.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": "p", "cost": [1.0, 3.0, 2.0, 9.0]})
    >>> bm.kaplan_meier(bm.costs(df, limit=5)).means["mean"].tolist()
    [2.0, 3.5]
    """
    measured_costs = as_costs(costs)
    chosen = made(followed.Options, options, "kaplan_meier")
    asked = names(cluster_keys)
    dealt = measured_costs.families(asked)
    return KaplanMeier(
        {
            **followed.kaplan_meier(
                [part.costs for part in measured_costs.parts],
                chosen,
                problem_keys=measured_costs.problem_keys,
                cluster_keys=resolved(asked, dealt),
            ),
            "families": dealt,
            "ingest": measured_costs.reports,
        },
        {**measured_costs.settings, "indicators": {"kaplan_meier": held(chosen)}},
    )


@looked_at
def indicators(costs: Costs | Any, **options: Any) -> Indicators:
    """Describe the costs of every algorithm on every problem: ERT, success rate, mean, median, quantiles, with intervals.

    `costs` are as for `compare`; `options` as in a configuration: `budget_rule`, `quantile_type`, `level`, ...

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": "p", "cost": [1.0, 3.0, 2.0, float("inf")]})
    >>> bm.indicators(df).frame["success_rate"].tolist()
    [1.0, 0.5]
    """
    measured_costs = as_costs(costs)
    measure, chosen = measured_costs.measure, made(indicator_options.Ert, options, "indicators")
    return Indicators(
        {
            "indicators": schema.concatenate(
                described.indicators(
                    [part.costs],
                    chosen,
                    report=part.report,
                    trials=part.trials,
                    problem_keys=measured_costs.problem_keys,
                    measures={measure["name"]: {key: measure.get(key) for key in ("exclude", "dimensions")}},
                    quantities={measure["name"]: measure.get("quantity", "cost")},
                )
                for part in measured_costs.parts
            ),
            "ingest": measured_costs.reports,
        },
        {**measured_costs.settings, "indicators": held(chosen)},
    )


@looked_at
def ert(costs: Costs | Any, *, alpha: float = 0.05, not_competing: Sequence[str] = (), **options: Any) -> Indicators:
    """Make the table of expected running times, what all runs spent over the successes; of values at budgets, that of medians.

    A dash stands where it is not known what a failure spent. `costs` and `options` are as for `indicators`.

    Parameters
    ----------
    alpha : float
        Level of the tests whether the best of a problem and target is better than every other; a star marks it.
    not_competing : sequence of str
        Algorithms that are shown, but are in no test.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": "p", "cost": [1.0, 3.0, 2.0, 9.0]})
    >>> bm.ert(bm.costs(df, limit=9)).frame["ert"].tolist()
    [2.0, 11.0]
    """
    measured_costs = as_costs(costs)
    aside = competing(measured_costs, not_competing)
    table = indicators(measured_costs, **options)
    if not MEASURES[measured_costs.measure["kind"]].running_times:
        return table
    return Indicators(
        {
            **table.data,
            "rank_sums": rank_sums(
                measured_costs.costs_of_trials.select(COLUMNS["costs"]),
                table.data["indicators"].select(COLUMNS["indicators"]),
                measure=measured_costs.measure["name"],
                problem_keys=measured_costs.problem_keys,
                alpha=alpha,
                not_competing=aside,
            ),
        },
        {**table.settings, "alpha": alpha, "not_competing": aside},
    )


@looked_at
def ecdf(
    data: Costs | Runs | Any,
    aggregate: str = "problem",
    *,
    targets: Sequence[float] | Amounts | None = None,
    budgets: Sequence[float] | None = None,
    seed: int = 1,
    **options: Any,
) -> Ecdf:
    """Make distributions of running times (the share of problems and targets solved by then), or of values reached in budgets.

    Parameters
    ----------
    data : Costs, Runs, path, or DataFrame
        Costs with targets or budgets; or runs (or what `read` takes), whose costs are then measured.
    aggregate : str
        What a curve is averaged over, see `benchmill.indicators.ecdf.ecdf`; of values `budget` for `target`.
    targets, budgets : sequence of float, optional
        Of runs; by default 51 targets from 100 to 1e-8. With budgets the curves are of values.
    seed : int
        For simulated restarts.
    **options
        As in a configuration: `x` (the unit), `weight`, `groups`, `restarts`, `bands`, `level`, `area_to`, `scale`.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> rows = [("A", "f1", 2, 1, 8.0), ("A", "f1", 2, 6, 0.5)]
    >>> df = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"])
    >>> bm.ecdf(df, targets=[5, 1]).frame[["x", "fraction"]]
         x  fraction
    0  3.0       1.0
    """
    measured_costs = _for_curves(data, targets, budgets, options)
    pairs = distributions.pairs([part.costs.select(distributions.COLUMNS) for part in measured_costs.parts])
    lost = lost_in(distributions.left_out(pairs, aggregate))
    if measured_costs.measure["kind"] == VALUES:
        if unknown := [name for name in options if name not in OF_VALUES]:
            raise UserError(
                f"ecdf: {unknown[0]} is for running times, and these costs are values at budgets; leave it out, or give targets."
            )
        # what a configuration sets of both is checked without the aggregation, which has other names for values
        chosen = made(indicator_options.Ecdf, options, "ecdf")
        curves = distributions.value_ecdf(pairs, aggregate, chosen)
        return Ecdf(
            {
                "value_ecdf": curves,
                "value_ecdf_curves": value_ecdf_curves(curves, pairs, aggregate, chosen, measured_costs.reports),
                "ingest": measured_costs.reports,
                "origins": {f"value_ecdf/{measured_costs.measure['name']}/{aggregate}.parquet": lost},
            },
            values_settings(measured_costs.settings["measure"], chosen, aggregate),
        )
    chosen = made(indicator_options.Ecdf, {**options, "aggregate": [aggregate]}, "ecdf")
    curves = distributions.ecdf(pairs, aggregate, chosen, seed)
    return Ecdf(
        {
            "ecdf": curves,
            "ecdf_curves": ecdf_curves(curves, pairs, aggregate, chosen, measured_costs.reports),
            "ingest": measured_costs.reports,
            "origins": {f"ecdf/{aggregate}.parquet": lost},
        },
        {
            "measure": measured_costs.settings["measure"],
            "indicators": {"ecdf": {**held(chosen), "targets": list(measured_costs.measure["targets"])}},
            "aggregation": aggregate,
        },
    )


def _for_curves(data: Any, targets: Any, budgets: Any, options: Given) -> Costs:
    chosen = made(indicator_options.Ecdf, {key: value for key, value in options.items() if key == "scale"}, "ecdf")
    measured_costs = data if isinstance(data, Costs | Runs) else read(data)
    if isinstance(measured_costs, Runs) and budgets is not None:
        if targets is not None:
            raise UserError("ecdf: both targets and budgets are given; call ecdf once for each.")
        measured_costs = measured(measured_costs, budgets=budgets, name="quality")
    elif isinstance(measured_costs, Runs):
        measured_costs = measured(
            measured_costs,
            targets=listed_targets(chosen.targets if targets is None else targets),
            scale=chosen.scale,
            name="ecdf",
        )
    elif targets is not None or budgets is not None:
        raise UserError("ecdf: targets and budgets are for runs, and these costs have their own; give runs, or leave them out.")
    if not (MEASURES[measured_costs.measure["kind"]].running_times or measured_costs.measure["kind"] == VALUES):
        raise UserError("ecdf: these are not costs with targets or budgets; give runs, or costs(runs, targets=[...]).")
    groups.check(options.get("groups"), measured_costs.reports, "ecdf")
    return measured_costs


def values_settings(measure: Given, chosen: indicator_options.Ecdf, aggregate: str) -> Written:
    """Return the settings of distributions of values: of the options those that count."""
    kept = {key: value for key, value in held(chosen).items() if key in OF_VALUES}
    return {"measure": measure, "indicators": {"ecdf": {**kept, "aggregate": [aggregate]}}, "aggregation": aggregate}


# ---- solver runs ------------------------------------------------------------------------------


class Outcomes(Result):
    """A table of how solver runs ended."""

    kind_of_table = "outcomes"


class SummaryOfGaps(Result):
    """The summary of a measure that failed runs have too, such as gaps and integrals."""

    frame = frame_of(
        "summary",
        "One row per solver, subset and way to count failures: outcomes, means, PAR, rank.",
    )

    @looked_at
    def classes(self, value: str = "solved", unsolved: str | None = None) -> pd.DataFrame:
        """Return one column of `frame` as a table: rows are solvers, columns all problems and the classes (`by`).

        `unsolved` is what a failure counts, by default the first way in `frame`. Raises UserError if there is no such column.
        """
        frame = self.frame
        known(value, list(frame), "column", "classes")
        unsolved = known(
            unsolved or frame["unsolved"].iloc[0], list(frame["unsolved"].unique()), "way to count failures", "classes"
        )
        rows = frame[frame["unsolved"] == unsolved]
        rows = rows[~rows["subset"].astype(str).str.startswith("[") & (rows["subset"] != "affected")].astype(
            {"subset": str, "algorithm": str}
        )
        return (
            rows.pivot(index="algorithm", columns="subset", values=value)
            .reindex(index=rows["algorithm"].unique(), columns=rows["subset"].unique())
            .rename_axis(columns=None)
        )

    def __repr__(self) -> str:
        families_said = families.sentence(self._data.get("families"))
        return f"{families_said}\n\n{super().__repr__()}" if families_said else super().__repr__()

    kind_of_table = "summary"


class Summary(SummaryOfGaps, Drawn):
    """The summary of solver runs in which a failure counts its limit, as `benchmill.summary` makes it."""

    usual = "outcomes"

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the runs as a table of its own."""
        return Outcomes(self._data, self._settings)

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n\n{self.outcomes!r}"

    def _repr_html_(self) -> str:
        families_said = families.sentence(self._data.get("families"))
        return (
            (f"<p>{labels.html(families_said)}</p>\n" if families_said else "")
            + self.to_html()
            + tables.forms.html(self.outcomes.table)
        )


@looked_at
def summary(
    costs: Costs | Any,
    *,
    by: Any = None,
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS,
    not_competing: Sequence[str] = (),
    **options: Any,
) -> Summary | SummaryOfGaps:
    """Summarise runs of solvers: who solves what, shifted geometric means, PAR, ranks, and the virtual best solver.

    Without the limit of a failure there is neither a mean nor a rank. Of gaps and integrals (``kind="gap"``) there is no PAR.

    Parameters
    ----------
    costs : Costs
        Stated costs, such as times, with their limit (``limit=3600``) and ``mean_shift=...``; or a DataFrame as for `compare`.
    by : str, path or mapping, optional
        What deals problems to classes, each of which is summarised too (`classes`): ``"family"`` by their names, ``"folder"``, a
        key such as ``"suite"``, a mapping or Series of problems to classes, or the path of a table of `problem` and class.
    cluster_keys : sequence of str
        As in `compare`, for the intervals.
    not_competing : sequence of str
        Algorithms that are shown, but have no rank and are no part of the virtual best.
    **options
        `brackets`, `level` of the intervals.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": ["p", "q"] * 2, "cost": [10.0, 90.0, 30.0, 100.0]})
    >>> s = bm.summary(bm.costs(df, limit=100), brackets=[]).frame.query("subset == 'all' and unsolved == 'limit'")
    >>> s[["algorithm", "solved", "par10"]]
          algorithm  solved  par10
    0             A       2   50.0
    1             B       1  515.0
    2  virtual best       2   50.0
    """
    measured_costs = as_costs(costs)
    kind = MEASURES[measured_costs.measure["kind"]]
    if not kind.summarised:
        raise UserError(
            f"summary: these are costs of the kind {kind.name}, expected stated costs of solver runs; give "
            "costs(runs, kind='given')."
        )
    if "measures" in options:
        raise UserError("summary: measures is for a configuration; give the costs of one measure.")
    chosen = made(indicator_options.Summary, options, "summary")
    asked = names(cluster_keys)
    dealt = measured_costs.families(asked)
    return shown(
        {
            **summarised.summary(
                [part.costs for part in measured_costs.parts],
                [part.trials for part in measured_costs.parts],
                replace(chosen, as_is=kind.summarised == "as_is", quantity=measured_costs.measure.get("quantity", "cost")),
                shift=measured_costs.measure["mean_shift"],
                missing=measured_costs.measure["missing"],
                cluster_keys=resolved(asked, dealt),
                not_competing=competing(measured_costs, not_competing),
                by=None if by is None else measured_costs.classes(by),
            ),
            "families": dealt,
            "ingest": measured_costs.reports,
        },
        {**measured_costs.settings, "indicators": {"summary": held(chosen)}},
    )


@looked_at
def compare_factors(
    data: pd.DataFrame,
    factors: str | Sequence[str],
    *,
    level: float = 0.95,
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS,
    **columns: Any,
) -> pd.DataFrame:
    """Compare the values of each parameter of a sweep where all others agree: main effects, with intervals that hold jointly.

    A block is a problem under one combination of the other parameters; those count on which each value has a run. Costs are
    shifted geometric means over the blocks, a failure counting its limit, with the intervals of `summary`.

    Parameters
    ----------
    data : DataFrame
        A row a run, with a column for each parameter. All that differ have to be named.
    factors : sequence of str
        The columns of the parameters.
    level : float
        Of all intervals at once: of all pairs of values of a parameter by the largest of their statistics, of several parameters
        by Bonferroni's correction.
    cluster_keys : sequence of str
        As in `compare`: blocks of a problem, or of a family where that matters, belong together.
    **columns
        As of `costs`: ``cost="seconds"``, ``run="seed"``, ``limit=600``, ``mean_shift=1``, ...

    Returns
    -------
    DataFrame
        A row a parameter and value: `blocks`, runs `solved`, mean `sgm`, and its `ratio` to that of the best value (1 for equal
        ones), from `low` to `high` (NaN where one failure more would change it by much).

    Raises
    ------
    UserError
        There is no such column, a parameter has one value, its values never meet in a block, or there is no interval.

    Examples
    --------
    >>> import itertools
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> rows = [(p, c, e, (p + 1) * (2 if c else 1)) for p, c, e in itertools.product(range(12), (0, 1), "ab")]
    >>> df = pd.DataFrame(rows, columns=["problem", "cuts", "emphasis", "cost"])
    >>> bm.compare_factors(df, ["cuts", "emphasis"], limit=100, mean_shift=0)[["factor", "value", "blocks", "ratio"]].round(3)
         factor value  blocks  ratio
    0      cuts     0      24    1.0
    1      cuts     1      24    2.0
    2  emphasis     a      24    1.0
    3  emphasis     b      24    1.0
    """
    rows = []
    _check_sweep(data, names(factors), columns)
    for name in names(factors):
        held = data.reindex(columns=[other for other in (*names(factors), columns.get("instance", "instance")) if other != name])
        measured_costs = measured(
            data.assign(**{_HELD: [str(tuple(one)) for one in held.astype(str).to_numpy().tolist()]}),
            **{**columns, "algorithm": name, "instance": _HELD},
        )
        rows_of_factor = summary(
            measured_costs, cluster_keys=cluster_keys, brackets=[], level=1 - (1 - level) / len(names(factors))
        ).frame.query("subset == 'all' and unsolved == 'limit' and role != 'virtual_best'")
        if len(rows_of_factor) < 2 or rows_of_factor["sgm_ratio_low"].isna().all():
            raise UserError(
                f"factors: {name!r}: on no problem all its values have runs where the other parameters agree; add runs, or leave "
                "it out."
                if rows_of_factor.empty
                else f"factors: {name!r} has one value alone; leave it out."
                if len(rows_of_factor) < 2
                else f"factors: the values of {name!r} have no interval, which takes 10 clusters of problems, and a limit of "
                "each failure; add problems, or give limit=..."
            )
        rows.append(rows_of_factor.assign(factor=name))
    kept = {
        **{"factor": "factor", "algorithm": "value", "instances": "blocks", "solved": "solved", "sgm": "sgm"},
        **{"sgm_ratio": "ratio", "sgm_ratio_low": "low", "sgm_ratio_high": "high"},
    }
    return pd.concat(rows, ignore_index=True)[list(kept)].rename(columns=kept)


def _check_sweep(data: pd.DataFrame, factors: Sequence[str], columns: Given) -> None:
    for name in factors:
        known(name, list(map(str, data.columns)), "column", "factors")
    keys = [one for key in ("suite", "problem", "dimension", "instance", "run") for one in names(columns.get(key, key))]
    again = data.duplicated([one for one in (*factors, *keys) if one in data]) & data[factors].notna().all(axis=1)
    # where columns have other names, the reader tells what it finds
    if {*names(columns.get("problem", "problem")), keys[-1]} <= {*data} and again.any():
        raise UserError(
            f"factors: row {int(again.to_numpy().argmax()) + 1} has the parameters, the problem and the run of an earlier row; "
            "name every parameter that differs, and the column that tells runs apart (run=...)."
        )


def shown(data: Written, settings: Written) -> Summary | SummaryOfGaps:
    """Return the object of a summary, by the kind of its measure."""
    result_class = SummaryOfGaps if MEASURES[settings["measure"]["kind"]].summarised == "as_is" else Summary
    return result_class(data, settings)


# ---- profiles ---------------------------------------------------------------------------------


class Profile(Curves):
    """Performance profiles of one measure, as `benchmill.profile` makes them."""

    usual = "profile"

    frame = frame_of("profiles", "The curves: one row per algorithm and break point, with `tau` and `rho`.")

    measures = frame_of("profile_measures", "Values read off the curves: areas, rho(1), rho(tau_max), tau*, and ranks.")

    pairs = frame_of("profile_pairs", "Pairs of curves: one row per ordered pair.")

    intervals = frame_of("profile_intervals", "Bootstrap intervals of areas and rho(1); empty without bands.")

    kind_of_table = "profile_measures"

    @property
    def sentences(self) -> list[str]:
        """Sentences on who comes first by which criterion."""
        return tables.summary(self.data, of_exhibits(self.settings))


@looked_at
def profile(
    costs: Costs | Any, variant: str = DEFAULT, *, seed: int = 1, not_competing: Sequence[str] = (), **options: Any
) -> Profile:
    """Make performance profiles.

    Parameters
    ----------
    costs : Costs
        What `costs` gives; or a DataFrame with the columns `algorithm`, `problem` and `cost`.
    variant : {"dolan_more", "probabilistic", "nested", "log_ratio", "data"}
    seed : int
        For bands, and some probabilistic profiles.
    not_competing : sequence of str
        Algorithms that are shown, but have no rank.
    **options
        As in a configuration: `by`, `weights`, `tau_max`, `unsolved`, `bands`, `model`, `rule`, ...

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": list("pqpq"), "cost": [1.0, 4.0, 2.0, float("inf")]})
    >>> bm.profile(df).measures[["algorithm", "rho_1", "rho_tau_max"]]
      algorithm  rho_1  rho_tau_max
    0         A    1.0          1.0
    1         B    0.0          0.5
    """
    measured_costs = as_costs(costs)
    if "by" in options:
        options["by"] = names(options["by"])
    chosen = {"variant": variant, **options}
    chosen["name"] = options.get("name") or usual_name(**chosen)
    aside, reads_costs = (
        competing(measured_costs, not_competing),
        variant in VARIANTS and VARIANTS[variant].reads_costs(bool(chosen.get("bands"))),
    )
    if variant in VARIANTS:
        made(VARIANTS[variant].options, {**options, "name": chosen["name"]}, f"profiles: the variant {variant!r}")
    groups.check(chosen.get("groups"), measured_costs.reports, "profiles")
    fitted = fit(
        measured_costs.rating(True, aside) if aside else measured_costs.rated,
        limits.costs_of(measured_costs.costs_of_trials, measured_costs.measure["name"], aside)[0] if reads_costs else None,
        measure=measured_costs.measure["name"],
        variant=variant,
        seed=seed,
        **{key: measured_costs.measure[key] for key in ("aggregate", "shift") if key in measured_costs.measure},
        **{key: value for key, value in chosen.items() if key != "variant"},
    )
    results = fitted.tables()
    results["profile_measures"] = of_competing(results["profile_measures"], aside)
    return Profile(
        {**results, "ingest": measured_costs.reports},
        {**measured_costs.settings, "profile": {"variant": variant, **held(fitted.options)}},
    )
