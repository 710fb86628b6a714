"""Two versions of a solver on the instances that both have."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from scipy import stats

from benchmill import __version__
from benchmill.core import (
    Array,
    Index,
    Mask,
    UserError,
    Written,
    contradictions,
    intervals,
    keys,
    limits,
    natural_key,
    quietly,
    replicates,
    schema,
    seeds,
)
from benchmill.indicators import summary as summarised
from benchmill.indicators.intervals import ratio_of_means
from benchmill.indicators.solver_runs import INSTANCE, compared
from benchmill.inference import clusters as over_clusters
from benchmill.inference import families, rank_sum
from benchmill.inference.corrections import holm, smallest_adjusted
from benchmill.inference.moderated import Moderated, moderated
from benchmill.notebook.costs import Costs
from benchmill.readers.interface import place
from benchmill.registry.measures import RUNNING_TIMES
from benchmill.text import families as family_text
from benchmill.text import prose
from benchmill.text.display import words
from benchmill.text.frames import Row, records
from benchmill.versions.sentences import OUTCOMES_OF_A_RULE

_POWER = 0.8
#: Noise that all runs of a side share, as a standard deviation of the logarithm of times.
SHARED = 0.02
#: The most instances that are listed for the size of their change alone.
_LARGEST = 10
#: Of random flips and of the tests of families.
_SEED = 1


BASE, NEW = "BASE", "NEW"


@dataclass(frozen=True)
class Side:
    """One of the two: its costs, which algorithm is meant, and whether it says what is wrong."""

    role: str
    path: str
    of: Costs
    algorithm: str
    digest: str
    judges: bool

    @property
    def name(self) -> str:
        """Return the file or folder, without the way to it."""
        return os.path.basename(os.path.abspath(self.path))


@dataclass(frozen=True)
class Pair:
    """Both versions on the instances that they have in common.

    `rows` has a row per run (and target): its instance `cell`, `new`, `n`, `cost`, `limit`, `outcome`, `place`, and `solved`, by
    its own limit; `costs` and `trials` are the same rows. `cluster` is that of each instance, and `classes`, where they are asked
    for, its `class` by something, and its `cluster` by what is left without that which a class shares.
    """

    costs: pa.Table
    trials: pa.Table
    rows: pd.DataFrame
    cells: pa.Table
    cluster: Index
    by: str = ""
    classes: pd.DataFrame | None = None

    def column(self, name: str) -> Array:
        """Return a column of the rows as numbers."""
        return np.asarray(self.rows[name], float)

    @property
    def success(self) -> Mask:
        """Return whether each row succeeds."""
        return np.isfinite(self.column("cost"))

    @property
    def at(self) -> Index:
        """Return the instance and version of each row, 2 · instance + 1 for NEW."""
        return np.asarray(2 * self.rows["cell"] + self.rows["new"], np.int64)

    @property
    def share(self) -> Array:
        """Return the share of the runs of each instance that succeed, (n_cells, 2)."""
        return self.mean(self.success)

    @property
    def names(self) -> npt.NDArray[np.object_]:
        """Return each instance in words."""
        return _described(self.cells)

    @property
    def several(self) -> Index:
        """Return the instances with two runs a side, none of which stands for several."""
        runs = np.bincount(self.at, minlength=2 * self.cells.num_rows).reshape(-1, 2)
        return np.flatnonzero(((runs > 1) & (self.total(1.0) == runs)).all(axis=1))

    def starts(self) -> tuple[Index, Index]:
        """Return the order of the rows by instance and version, and where each of these starts."""
        return keys.starts(self.at, 2 * self.cells.num_rows)

    def total(self, values: Array | Mask | float) -> Array:
        """Return the weighted sum over the runs of each instance, (n_cells, 2)."""
        return np.asarray(np.bincount(self.at, self.column("n") * values, 2 * self.cells.num_rows).reshape(-1, 2), float)

    def mean(self, values: Array | Mask) -> Array:
        """Return the weighted mean of the runs of each instance, (n_cells, 2)."""
        return self.total(values) / self.total(1.0)

    def some(self, which: Mask) -> Mask:
        """Return whether some run of each instance is among these, (n_cells, 2)."""
        return np.asarray(self.total(which) > 0, bool)

    def ert(self) -> Array:
        """Return the expected running times of each instance, (n_cells, 2)."""
        order, offsets = self.starts()
        cost, limit, n = (self.column(name)[order] for name in ("cost", "limit", "n"))
        return replicates.ert(cost, limit, offsets, n).reshape(-1, 2)


def described(cell: Row) -> str:
    """Return an instance in a few words: the problem, then what else it has."""
    rest = {key: value for key, value in cell.items() if key not in ("problem", "suite") and value is not None}
    if "target" in rest:
        rest["target"] = f"{rest['target']:g}"
    others = ", ".join(f"{key} {value}" for key, value in rest.items())
    head = f"{cell['problem']}" if cell.get("suite") is None else f"{cell['suite']}/{cell['problem']}"
    return f"{head}, {others}" if others else head


def _described(cells: pa.Table) -> npt.NDArray[np.object_]:
    return np.array([described(row) for row in cells.to_pylist()], object)


def _known(**numbers: float) -> Written:
    return {name: schema.known(value) for name, value in numbers.items()}


def compared_sides(base: Side, new: Side, notes: list[str], *, cluster_keys: Sequence[str], level: float, by: Any) -> Written:
    """Return all that is found, as `benchmill.versions.sentences.SCHEMA` has it; `notes` are what reading has noted.

    `cluster_keys` are as in `benchmill.compare`, `level` is that of the intervals, `by` deals instances to classes.
    """
    measure = base.of.measure
    timed, targets = measure["kind"] == RUNNING_TIMES, [float(value) for value in measure.get("targets") or ()]
    _check(base, new)
    if base.digest == new.digest:
        notes.insert(0, "BASE and NEW have the same contents, byte for byte: this compares logs with a copy of themselves.")
    pair, apart = _paired(base, new, [*base.of.problem_keys, "target"] if timed else list(INSTANCE), cluster_keys, by, notes)
    runs, share = pair.total(1.0), pair.share
    # seeds of all instances may be others; of some alone a run has left no trace
    fewer = pair.names[runs[:, 1] < np.minimum(runs[:, 0], runs[:, 1].max())].tolist()
    is_time = not timed and measure["quantity"] in ("cost", "rate")
    shift = 0.0 if timed else float(measure["mean_shift"])
    notes += prose.sentences(__file__, "Fewer", names=fewer)
    if not timed:
        notes += _common_factor(pair, is_time)
    d = over_clusters.means(share[:, [1]] - share[:, [0]], pair.cluster)
    flips = over_clusters.flips(d, seeds.stream(_SEED, "versions"), 1 - level)
    ratios, log, inside = _of_ert(pair, level) if timed else _of_means(pair, shift, level)
    return {
        "benchmill": __version__,
        **{
            side.role.lower(): {
                "name": side.name,
                "algorithm": side.algorithm,
                "digest": side.digest,
                "runs": int(runs[:, i].sum()) // max(1, len(targets)),
                "solved": float(share[:, i].sum()),
            }
            for i, side in enumerate((base, new))
        },
        "level": level,
        "seeds": bool((runs > 1).all(axis=1).any()),
        "common": pair.cells.num_rows,
        **apart,
        "fewer": fewer,
        "measure": {
            "name": measure.get("label") or measure["name"],
            "kind": measure["kind"],
            "unit": measure.get("unit"),
            "shift": shift,
            "targets": targets,
        },
        **_endings(pair),
        **_checked(base, new, pair),
        "solved": {
            **_known(difference=flips.effect[0], low=flips.low[0], high=flips.high[0], p=flips.p[0]),
            "p_min": 2.0 ** (1 - len(d)),
            "changed": int(np.count_nonzero(d)),
        },
        "ratio": ratios[0],
        "subsets": ratios[1:],
        "classes": _by_class(pair, log, inside, shift, ratios[0]["unsolved"], level),
        "power": _power(ratios[0], level, is_time),
        **_instances(pair, shift, level),
        "notes": [*notes, *_as_read(base), *_as_read(new)],
        "rule": None,
        **{outcome: [] for outcome in OUTCOMES_OF_A_RULE},
    }


def _check(base: Side, new: Side) -> None:
    one, other = base.of.measure, new.of.measure
    if one["kind"] != other["kind"]:
        raise UserError(
            f"measure: BASE is measured by kind: {one['kind']} and NEW by kind: {other['kind']}; name a measure that both have "
            "(--measure)."
        )
    if differing := next((key for key in one if key not in _WORDS and other.get(key) != one[key]), None):
        raise UserError(
            f"{differing}: BASE is measured with {one[differing]} and NEW with {other.get(differing)}; give both the same "
            "measure (--measure)."
        )
    if os.path.abspath(base.path) == os.path.abspath(new.path) and base.algorithm == new.algorithm:
        raise UserError(
            f"BASE and NEW are the same algorithm {new.algorithm!r} of the same {new.name}, so there is nothing to compare; give "
            "two files, or two algorithms (--base-algorithm, --algorithm)."
        )
    if None not in (units := (one.get("unit"), other.get("unit"))) and units[0] != units[1]:
        raise UserError(f"unit: the costs of BASE are in {units[0]} and those of NEW in {units[1]}; convert one of the two.")


def _as_read(side: Side) -> list[str]:
    reports = [report for report in side.of.reports if side.algorithm in report["algorithms"]] or side.of.reports
    rules = [rule for report in reports for rule in report["irregularities"]]
    return prose.sentences(__file__, "As read", role=side.role, rules=rules, place=place)


#: Factors by which costs in different units differ, how many instances show one, and from which factor on all are asked about.
_UNITS, _SHOW_IT, _MOVED = (60.0, 1000.0, 3600.0, 1e6), 5, 1.05


def _common_factor(pair: Pair, is_time: bool) -> list[str]:
    """Ask about units, or about the machine, if nearly all costs differ by the same factor."""
    cost = pair.mean(pair.column("cost"))
    solved = ((pair.share == 1) & (cost > 0)).all(axis=1)
    if solved.sum() < _SHOW_IT:
        return []
    low, middle, high = np.quantile(np.log(cost[solved, 1] / cost[solved, 0]), [0.1, 0.5, 0.9])
    near = [unit for unit in _UNITS if abs(abs(middle) - np.log(unit)) < np.log(1.3) and high - low <= np.log(4)]
    return prose.sentences(
        __file__,
        "Factor",
        unit=next(iter(near), None),
        moved=abs(middle) > np.log(_MOVED) and high - low < abs(middle),
        n=int(solved.sum()),
        typical=np.exp(middle),
        least=np.exp(low),
        most=np.exp(high),
        is_time=is_time,
    )


#: What of a measure is a word and no number.
_WORDS = ("name", "label", "unit", "title", "target_titles", "exclude", "missing")


def _paired(
    base: Side, new: Side, columns: list[str], cluster_keys: Sequence[str], by: Any, notes: list[str]
) -> tuple[Pair, Written]:
    costs, trials, sources = [], [], []
    for side in (base, new):
        for part in side.of.parts:
            own = part.costs.filter(pa.array(schema.says(part.costs, "algorithm", side.algorithm)))
            if own.num_rows:
                costs.append(schema.replaced(own, algorithm=side.role))
                trials.append(part.trials.take(own["trial"]))
                sources.append(part.trials)
    whole, runs = schema.concatenate(costs), schema.concatenate(trials)
    is_new = schema.says(whole, "algorithm", NEW)
    cell, cells = keys.cells(whole, columns)
    has = np.zeros((cells.num_rows, 2), bool)
    has[cell, is_new.astype(int)] = True
    only_base, only_new = (_described(cells)[~has[:, other]].tolist() for other in (1, 0))
    both = pa.array(has[cell].all(axis=1))
    cost, limit = whole.column("cost").to_numpy(), limits.stopped_at(whole)
    solved = np.isfinite(cost)
    if not pc.any(both).as_py():
        raise UserError(
            f"BASE and NEW have no instance in common: BASE has {only_base[0]!r}, NEW has {only_new[0]!r} (suite, problem, "
            "dimension and instance must agree); give logs of the same problems, or correct the names with options of the "
            "sources (-o)."
        )
    notes += prose.sentences(__file__, "Absent", only_base=only_base, only_new=only_new)
    if "target" not in columns and base.of.measure["quantity"] in ("cost", "rate"):
        cost, limit = _cut(cost, schema.floats(whole, "budget"), cell, is_new, notes)
    rows = pd.DataFrame(
        {
            "new": is_new.astype(int),
            "n": whole["n"].to_numpy(),
            "cost": cost,
            "limit": limit,
            "solved": solved,
            "outcome": pc.coalesce(*(runs[name].cast(pa.string()) for name in ("outcome", "status"))).to_pylist(),
            "place": runs["source"].to_pylist(),
        }
    )[both.to_numpy(zero_copy_only=False)]
    whole = schema.replaced(whole, cost=cost, budget=pa.array(limit, from_pandas=True)).filter(both)
    whole = schema.replaced(whole, trial=np.arange(len(rows)))
    cell, cells = keys.cells(whole, columns)
    rows = rows.reset_index(drop=True).assign(cell=cell)
    pair = Pair(whole, runs.filter(both), rows, cells, np.zeros(0, np.int64))
    changes = np.subtract(*pair.mean(_log_costs(pair.column("cost"), pair.column("limit"))).T)
    folders = families.log_folders(sources)
    dealt = families.of_cells(changes[:, None], cells, cluster_keys, folders, _SEED)
    pair = replace(pair, cluster=keys.of_clusters(cells, keys.resolved(cluster_keys, dealt)))
    notes[:0] = filter(None, [family_text.sentence(dealt, flipped=False)])
    if by is not None:
        problems = cells.to_pylist()
        dealt_by = families.classes(by, problems, folders)
        words = np.array([str(keys.value(one, dealt_by)) for one in problems], object)
        # what a class has in common is asked about, and makes nothing depend on each other within it
        own = changes - pd.Series(changes).groupby(words).transform("mean").to_numpy()
        left = keys.resolved(cluster_keys, families.of_cells(own[:, None], cells, cluster_keys, folders, _SEED))
        classes = pd.DataFrame({"class": words, "cluster": keys.of_clusters(cells, left)})
        pair = replace(pair, by=dealt_by.name, classes=classes)
    return pair, {"only_base": only_base, "only_new": only_new}


def _log_costs(cost: Array, limit: Array) -> Array:
    known = np.where(np.isfinite(cost), cost, limit)
    known = np.where(np.isfinite(known), known, np.nanmax(known, initial=1.0, where=np.isfinite(known)))
    return np.log(np.maximum(known, np.finfo(float).tiny))


def _cut(cost: Array, limit: Array, cell: Index, new: Mask, notes: list[str]) -> tuple[Array, Array]:
    """Cut both versions at the smallest limit known on an instance."""
    common = limits.Common.of(limit, cell, np.ones(limit.size, bool))
    known, differs = ~np.isnan(limit), common.differs
    late = np.isfinite(cost) & (cost > common.smallest)
    if differs.any() or late.any():
        base, of_new = ([f"{value:g}" for value in np.unique(limit[known & differs & side])] for side in (~new, new))
        n = np.unique(cell[differs]).size
        notes.append(prose.said(__file__, "Limits", differs=n, base=base, new=of_new, late=int(late.sum())))
    cost = np.where(late, np.inf, cost)
    return cost, np.where(known | late, np.fmin(limit, common.smallest), np.nan)


# ---- what is found --------------------------------------------------------------------------------------------------


def _of_means(pair: Pair, shift: float, level: float) -> tuple[list[Written], Array, Mask]:
    """Return the rows of `ratios`, what the first is made of, (n_cells, 2), and of which instances."""
    runs = compared([pair.costs], [pair.trials], shift=shift)
    log = runs.cells["limit"].log
    brackets = summarised.subsets(runs, summarised.USUAL.brackets).items()
    subsets = {(name, "limit"): inside for name, inside in brackets if name != "all"}
    subsets["all", summarised.ALL_SOLVED] = (runs.share == 1).all(axis=1)
    rows = [
        _ratio(subset, unsolved, log[inside], shift, pair.cluster[inside], level)
        for (subset, unsolved), inside in subsets.items()
    ]
    # without limits there is a number of those that both solve alone
    first = -1 if rows[0]["ratio"] is None and rows[-1]["ratio"] is not None else 0
    rows.insert(0, rows.pop(first))
    return rows, log, [*subsets.values()][first]


def _of_ert(pair: Pair, level: float) -> tuple[list[Written], Array, Mask]:
    ert = pair.ert()
    inside = np.asarray((np.isfinite(ert) & (ert > 0)).all(axis=1), bool)
    log = np.log(np.where(inside[:, None], ert, 1.0))
    dimension = np.array(pair.cells.column("dimension").to_pylist() if "dimension" in pair.cells.column_names else [], object)
    parts = {"reached": inside} | {f"dimension {one}": inside & (dimension == one) for one in sorted({*dimension} - {None})}
    return [_ratio(name, "all_solved", log[rows], 0.0, pair.cluster[rows], level) for name, rows in parts.items()], log, inside


def _by_class(pair: Pair, log: Array, inside: Mask, shift: float, unsolved: str, level: float) -> Written | None:
    """Return the ratio of each class of instances, with intervals that hold for all at once (Bonferroni at half the error)."""
    if pair.classes is None:
        return None
    names, cluster = (pair.classes[column].to_numpy() for column in ("class", "cluster"))
    within = 1 - (1 - level) / (2 * max(len({*names[inside]}), 1))
    rows = []
    # a class of which all is lost has no ratio, and is one of them
    for name in sorted({*names}, key=natural_key):
        mine = names == name
        row = _ratio(name, unsolved, log[mine & inside], shift, cluster[mine & inside], within)
        base_solved, new_solved = pair.share[mine].sum(axis=0)
        rows.append({"class": row.pop("subset"), **row, "base_solved": base_solved, "new_solved": new_solved})
    return {"by": pair.by, "rows": rows}


@quietly()
def _ratio(subset: str, unsolved: str, log: Array, shift: float, cluster: Index, level: float) -> Written:
    """Return a row of `ratios` of log(cost + shift) of BASE and NEW, (n, 2); of a mean of 0 nothing is a multiple."""
    row: Written = {"subset": subset, "unsolved": unsolved, "instances": len(log), "clusters": np.unique(cluster).size}
    if not len(log) or np.isnan(log).any():
        return row | dict.fromkeys(("base", "new", "ratio", "low", "high"))
    mean = np.exp(log.mean(axis=0)) - shift
    # what rounding leaves of costs that are all 0
    mean[np.abs(mean) <= 1e-14 * shift] = 0.0
    low, high = ratio_of_means(log, shift, np.unique(cluster, return_inverse=True)[1], level) if mean.all() else (np.nan, np.nan)
    return row | _known(base=mean[0], new=mean[1], ratio=mean[1] / mean[0], low=low, high=high)


@np.errstate(invalid="ignore")
def _power(ratio: Row, level: float, is_time: bool) -> Written:
    """Return what the interval could have missed, by its width, and how often shared noise makes it leave 1 out."""
    if ratio["low"] is None:
        return {"wanted": _POWER, **dict.fromkeys(("seen", "hidden", "shared"))}
    df = ratio["clusters"] - 1
    below, above = np.log(ratio["ratio"] / ratio["low"]), np.log(ratio["high"] / ratio["ratio"])
    # the shorter side is Student's; a slowdown is seen when the side below leaves out 1
    error = np.minimum(below, above) / intervals.quantile(df, level)
    needed = below + error * intervals.quantile(df, 2 * _POWER - 1)
    shared = 2 * stats.t.sf(np.minimum(below, above) / np.hypot(error, np.sqrt(2) * SHARED), df) if is_time else np.nan
    return {"wanted": _POWER, **_known(seen=np.exp(needed), hidden=ratio["high"], shared=shared)}


def _endings(pair: Pair) -> Written:
    """Return the instances whose runs end otherwise, and what their tests could show."""
    rows, success, share = pair.rows, pair.success, pair.share
    p, least = p_of_endings(pair)
    outcome = rows["outcome"].to_numpy(object)
    # what a crash loses, no limit does
    before = pair.mean(pair.column("solved"))
    never = (before[:, 0] == 1) & (before[:, 1] == 0) & ((share[:, 0] == 1) | (pair.mean(outcome == "time_limit")[:, 1] < 1))
    wholly = never | ((share[:, 0] == 1) & (share[:, 1] == 0))
    then, now = np.where(wholly[:, None], [1.0, 0.0], share).T
    # a run that was cut at the smaller limit did not end so
    outcome = np.where(success, "solved", np.where(np.isin(outcome, _SUCCESSES), _CUT, outcome))
    wrong = pair.some(outcome == "wrong")
    # runs that fail come first in NEW, where their lines are wanted
    ordered = rows.assign(outcome=outcome, success=success).sort_values(["cell", "new", "success"], kind="stable")
    ends = ordered.groupby(["cell", "new"])
    counts = ends["outcome"].value_counts().unstack(fill_value=0)
    said = counts.apply(_ended, axis=1).unstack()
    shares = counts.div(counts.sum(axis=1), axis=0)
    differ = (shares.xs(0, level="new") != shares.xs(1, level="new")).any(axis=1)
    changes = pd.DataFrame(
        {
            **{"instance": pair.names, "base": said[0], "new": said[1], "base_share": then, "new_share": now, "p": p},
            **_places(ends),
        }
    )
    of_endings = changes[differ].groupby(["base", "new"])["instance"].agg(instances="size", names=list).reset_index()
    return {
        "wrong": records(changes[wrong[:, 1] & ~wrong[:, 0]]),
        "lost": records(changes[now < then]),
        "gained": records(changes[now > then]),
        "otherwise": records(changes[(then == now) & differ & ~share.any(axis=1)]),
        "endings": records(of_endings.sort_values("instances", ascending=False, kind="stable")),
        "p_min": least,
    }


def _places(runs: Any) -> Written:
    """Return the places of the first runs of each instance."""
    first = runs["place"].first().unstack()
    return {"base_place": first[0], "new_place": first[1]}


def p_of_endings(pair: Pair) -> tuple[Array, float | None]:
    """Return adjusted p of how the runs of each instance end (NaN without two runs a side), and the smallest there could be."""
    (order, offsets), several = pair.starts(), pair.several
    p = np.full(pair.cells.num_rows, np.nan)
    failed = (~pair.success).astype(float)[order]
    # nothing is cut: how a run ends is known of all
    p[several] = holm(rank_sum.of_cells(failed, failed, offsets, 2 * several, 2 * several + 1)[0])
    runs = np.unique(np.diff(offsets).reshape(-1, 2)[several], axis=0)
    least = min((2 / comb(int(n + m), int(n)) for n, m in runs), default=None)
    return p, None if least is None else smallest_adjusted(least, several.size, "bonferroni")


#: Outcomes of runs that succeed, and what such a run is that was cut at the smaller of two limits.
_SUCCESSES, _CUT = ("solved", "infeasible", "unbounded"), "later than the smaller limit"


def _ended(counts: pd.Series) -> str:
    there = counts[counts > 0]
    return ", ".join(f"{n} {words(outcome)}" if there.size > 1 else words(outcome) for outcome, n in there.items())


def _instances(pair: Pair, shift: float, level: float) -> Written:
    cost, success, share = pair.column("cost"), pair.success, pair.share
    mean = pair.ert() if "target" in pair.cells.column_names else pair.mean(np.where(success, cost, pair.column("limit")))
    with quietly():
        change = np.log(mean[:, 1] + shift) - np.log(mean[:, 0] + shift)
        ratio = mean[:, 1] / mean[:, 0]
    p, low, high = np.full((3, pair.cells.num_rows), np.nan)
    tested = pair.several[(share[pair.several] == 1).all(axis=1)]
    if tested.size and (cost > 0).any():
        changes = _changes(pair, tested)
        p[tested] = holm(changes.p)
        low[tested], high[tested] = np.exp(changes.interval(level))
    size = np.where(np.isnan(change), 0.0, np.abs(change))
    largest = np.argsort(-size, kind="stable")
    listed = (p <= 1 - level)[largest] | ((size[largest] > 0) & (np.arange(size.size) < _LARGEST))
    runs = pair.rows.assign(cost=pair.rows["cost"].astype(object).where(success, None)).groupby(["cell", "new"])
    each = runs["cost"].agg(list).unstack()
    numbers = pd.DataFrame({"base": mean[:, 0], "new": mean[:, 1], "ratio": ratio, "low": low, "high": high, "p": p})
    rows = pd.DataFrame(
        {
            "instance": pair.names,
            **numbers.replace([np.inf, -np.inf], np.nan),
            **{"beyond_noise": p <= 1 - level, "base_runs": each[0], "new_runs": each[1]},
            **_places(runs),
        }
    )
    return {
        "tested": int(tested.size),
        "hidden": _hidden(ratio, share, pair.cluster, level),
        "instances": records(rows.iloc[largest[listed]]),
    }


def _changes(pair: Pair, tested: Index) -> Moderated:
    cost = pair.column("cost")
    # a clock that shows 0 has not shown the least time that it can
    log = np.log(np.where(pair.success, np.maximum(cost, cost[cost > 0].min()), 1.0))
    mean = pair.mean(log)
    return moderated(
        mean[tested], np.bincount(pair.rows["cell"], (log - mean.ravel()[pair.at]) ** 2)[tested], pair.total(1.0)[tested]
    )


def _hidden(ratio: Array, share: Array, cluster: Index, level: float) -> Written:
    """Return the largest ratio of an instance that NEW solves, and the share that can be beyond it."""
    inside = share.any(axis=1)
    n, beyond = (np.unique(cluster[which]).size for which in (inside, inside & (share[:, 1] < 1)))
    # a time of 0 has no ratio that could be a limit
    largest = float(np.nanmax(ratio[inside & (share[:, 1] == 1)], initial=-np.inf))
    lost = float(stats.beta.ppf(level, beyond + 1, n - beyond)) if beyond < n else 1.0
    return {
        "largest": schema.known(largest),
        "beyond": beyond,
        "clusters": n,
        "share": lost if np.isfinite(largest) else None,
    }


# ---- answers, and what nothing was there to check with --------------------------------------------------------------


def _checked(base: Side, new: Side, pair: Pair) -> Written:
    """Return answers that cannot all be true, and which answers of NEW could be checked."""
    apart = _apart(base, new)
    # of what BASE says of itself nobody knows which half NEW should agree with
    doubtful = apart.keys() & (_apart(base).keys() - _apart(new).keys())
    proof, solution = _stated(pair)
    cell, solved = pair.rows["cell"], np.asarray(pair.rows["solved"], bool)
    known = np.isfinite(schema.floats(pair.trials, "best_value")) & np.isfinite(schema.floats(pair.trials, "optimum"))
    by_proof, by_any = (pair.some(stated)[cell, 0] for stated in (proof, proof | solution))
    against = (proof & by_any) | (solution & by_proof)
    in_doubt = np.array([tuple(row.get(key) for key in _KEYS) in doubtful for row in pair.cells.to_pylist()], bool)
    both, given = pair.some(solved).T
    # what is doubtful is told by itself
    open_ = pair.some(solved & ~known & ~against & (not new.judges))[:, 1] & ~in_doubt
    return {
        "contradictions": [text for key, text in apart.items() if key not in doubtful],
        "answers": {
            "given": int(given.sum()),
            "checked": int((given & ~open_ & ~in_doubt).sum()),
            "unchecked": pair.names[open_ & both].tolist(),
            "alone": pair.names[open_ & ~both].tolist(),
            "doubtful": [text for key, text in apart.items() if key in doubtful],
        },
    }


_KEYS = ("suite", "problem", "instance")


def _apart(*sides: Side) -> dict[tuple[Any, ...], str]:
    """Return by instance the answers of runs of some sides that cannot all be true."""
    trials = {
        side.role: schema.concatenate(
            part.trials.filter(pa.array(schema.says(part.trials, "algorithm", side.algorithm))).select(
                list(contradictions.COLUMNS)
            )
            for part in side.of.parts
        )
        for side in sides
    }
    return {
        tuple(row[key] for key in _KEYS): f"{described({key: row[key] for key in INSTANCE if key in row})}: {row['in_source']} "
        f"states {row['claim']} ({row['place']}), {row['other_in_source']} {row['other_claim']} ({row['other_place']})"
        for row in contradictions.of_sources(trials).to_pylist()
    }


def _stated(pair: Pair) -> tuple[Mask, Mask]:
    """Return which runs state a proof, and which a solution that a proof may refute."""
    values = schema.floats(pair.trials, "best_value")
    proven, unsensed = (schema.flags(pair.trials, name) for name in ("proven", "sense_open"))
    nothing = np.zeros(len(values))
    stated = contradictions.of_runs(
        nothing.astype(int), pair.rows["outcome"].to_numpy(object), proven, values, nothing, nothing > 0, unsensed
    )
    return stated.infeasible | (stated.optimal & np.isfinite(values)), stated.solution
