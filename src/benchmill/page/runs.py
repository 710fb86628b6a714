"""List the runs that a reader of the page can filter and trace back to their logs: one row per trial, its costs by measure.

Their trajectories, break points of the best value so far, tell the cost at any target, or the value at any budget.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core import Array, Index, Mask, beside, limits, natural_key, schema, shown
from benchmill.core.best_so_far import improves, running_minimum
from benchmill.core.traces import are_distances, larger_is_better, pieces
from benchmill.exhibits.sentences.methods import Settings
from benchmill.exhibits.sentences.statements import Study
from benchmill.page import explorer
from benchmill.page.arrays import Packed, Store
from benchmill.registry.indicator_options import Ecdf
from benchmill.registry.measures import STATED
from benchmill.text import display, labels
from benchmill.text.frames import Frame, Row, frame, groups, numbered
from benchmill.text.measures import UNKNOWN

#: Heads of columns by their names, of numbers with their meanings; and what of tables is looked at, of trials also what a
#: source's trajectories are made from.
_WORDS, _NUMBERS, _COLUMNS = beside.toml(__file__).values()
TRIALS, COSTS, TRACED = _COLUMNS.values()

_POINT = ["target", "at_budget"]
_Point = tuple[float | None, float | None]

#: Runs, and costs of them, of a study that the page carries itself; those of a larger one stand in a file beside it.
MOST_WITHIN = 200_000, 4_000_000

#: Irregularities that are carried at most.
MOST_MET = 20_000

#: Letters that what the logs of a study say may take, packed; and first and last lines of a run that are tried until they fit.
MOST_LINES = 1_500_000
_CUTS = ((3, 16), (2, 4), (1, 1), (1, 0))

#: Break points of a study that the page carries at most, and how many it reads to thin them to that.
MOST_BREAKS, MOST_READ = 400_000, 4_000_000
#: Where there are more break points, their values stand on a grid: bits of a value that are kept, as many as fit.
MOST_EXACT, _BITS = 50_000, (10, 8, 5, 3)

#: What break points are asked for.
Of = Literal["targets", "budgets"]

#: The trials of one source, and what yields its traces piece by piece.
Source = tuple[pa.Table, Callable[[], Iterable[pa.Table]]]


class Listed(NamedTuple):
    """The runs of a study on the page, as blocks (`benchmill.page.arrays`), which are empty where they are not carried.

    Attributes
    ----------
    stated : dict
        What the page knows at once: `too_many`, their number; else `n`, `measures` (settings and `points`), `problem_keys`,
        `dimensions`, `not_competing`, scales of `trajectories`, why there are none (`without`), and the block's length and end
        in a file `beside`.
    block : str
        `columns` (`words` and `codes` from 1, 0 = empty, or `values`); `costs`, for every measure and point `cost` and
        `budget`;
        `met`, the irregularities with a place, `by_run` and `by_log` whose they are; `log`, that of each run.
    lines : str
        `excerpts`, each `[line, last line, first lines, last lines]`, and `of`, the place of each run among them (from 1; 0:
        none).
    trajectories : str
        For `targets` and `budgets` `n` of each run, `evaluations` and `value` run by run; `trial`, its number in its source.
    """

    stated: Packed
    block: str
    lines: str
    trajectories: str


def evidence(study: Study, why: Row) -> Packed:
    """Return what the page carries of the runs of a study (`runs`: see `listed`) and of what `benchmill why` answers (`why`)."""
    return {"runs": listed(study), "why": Store().packed(why) if why else ""}


def listed(study: Study) -> Listed | None:
    """Return the runs of a study as the page's script reads them; None without any.

    `study["listed"]` has `trials` and functions that each give a part of the `costs`, or `n`, the number of too many;
    `excerpts` and `traces` by source.
    """
    inputs = study.get("listed")
    if not inputs:
        return None
    if "trials" not in inputs:
        return Listed({"too_many": inputs["n"]}, "", "", "")
    algorithms = explorer.algorithms_of(study)
    trials = frame(inputs["trials"])
    if not len(trials):
        return None
    trials["algorithm"] = trials["algorithm"].cat.set_categories(algorithms, ordered=True)
    trials = trials.sort_values(
        ["suite", "problem", "dimension", "instance", "algorithm", "run"], na_position="first", kind="stable"
    ).reset_index(drop=True)
    trials[["file", "line"]] = trials["source"].astype(str).str.extract(r"(?s)^(.*?)(?::([0-9]+))?\Z")
    # NaN where only the file is known
    trials["line"] = trials["line"].astype(float)
    in_source = {name: report["source"] for report in study["reports"] for name in report["algorithms"]}
    trials["in_source"] = trials["algorithm"].astype(object).map(in_source)
    store, config = Store(), Settings.parsed(study["config"])
    n_costs, measures, costs = _measures(inputs["costs"], trials, config, store)
    stated = {
        "n": len(trials),
        "measures": measures,
        "problem_keys": list(config.problem_keys),
        "dimensions": sorted(map(int, set(trials["dimension"].dropna()))),
        "not_competing": [algorithms.index(name) for name in config.not_competing if name in algorithms],
    }
    lines = _lines(trials, inputs.get("excerpts") or {})
    runs = store.packed({**_rows(study, trials, algorithms, store), "costs": costs})
    if len(trials) > MOST_WITHIN[0] or n_costs > MOST_WITHIN[1]:
        # the end of a block has the checksum of its content
        stated["beside"] = {"length": len(runs), "end": runs[-24:]}
    breaks, read = _trajectories(trials, inputs.get("traces"), measures, config.indicators.ecdf)
    return Listed({**stated, "lines": bool(lines), **read}, runs, lines, breaks)


def _trajectories(trials: Frame, sources: Sequence[Source] | None, measures: Sequence[Row], ecdf: Ecdf) -> tuple[str, Packed]:
    """Return the block of the trajectories of all runs, in their order, and what is stated about it.

    They stand on the scale of the first measure of fixed targets, or the ECDF, and of fixed budgets.
    """
    scales: dict[Of, str] = {"targets": ecdf.scale} if ecdf.aggregate else {}
    scales |= {settings["read"]: settings["scale"] for settings in reversed(measures) if settings["read"]}
    targets = [point["target"] for settings in measures for point in settings["points"] if "target" in point]
    if not sources:
        why = "the traces of the runs have too many rows" if sources is None else "the runs have no traces"
        return "", {"trajectories": None, "without": dict.fromkeys(scales, why)}
    store = Store()
    content: Packed = {"trial": store.counts(trials["trial"].to_numpy(np.int64))}
    carried, without, off = dict[str, str](), dict[str, str](), 0.0
    known = _runs(trials)
    for kind, scale in scales.items():
        try:
            by_source, share = coarser(trajectories(sources, scale, kind), [*targets, *map(float, ecdf.targets)])
        except Untraced as reason:
            without[kind] = str(reason)
            continue
        carried[kind], off = scale, max(off, share)
        breaks = pd.concat(
            one.assign(algorithm=np.array(table["algorithm"].to_pylist(), object)[one["trial"]])
            for (table, _), one in zip(sources, by_source, strict=True)
        )
        breaks["row"] = known.get_indexer(_runs(breaks))
        # a break point of a trial that the study leaves out is of no row
        breaks = breaks.query("row >= 0").sort_values("row", kind="stable")
        content[kind] = {
            "n": store.counts(np.bincount(breaks["row"], minlength=len(trials))),
            "evaluations": store.put(breaks["evaluations"]),
            "value": store.put(breaks["value"]),
        }
    return store.packed(content) if carried else "", {"trajectories": carried or None, "without": without, "off": off}


class Untraced(Exception):
    """Why runs have no trajectories that tell the cost at any target, or the value at any budget."""


def trajectory(trials: pa.Table, traces: Iterable[pa.Table], scale: str, kind: Of) -> Frame:
    """Return the break points of the trials of one source, where the best value so far improves: `trial`, `evaluations`, `value`.

    A log may say for some of its rows how many evaluations there were and not when a value was reached, hence two kinds: a
    target is reached at the evaluations of the first that is at most it, as in `benchmill.costs.fixed_target`; the value at a
    budget is that of the last one up to it. Untraced where larger values are better, a needed optimum is not known, a trace is
    the mean of several runs, or the source knows the evaluations to some targets alone.
    """
    if trials.column("known_targets").null_count < trials.num_rows:
        raise Untraced("a source knows the evaluations to some targets alone")
    unknown = (are_distances(trials, scale) & ~are_distances(trials, "logged")) | (scale == "relative")
    several, budget = trials.column("n").to_numpy() > 1, schema.floats(trials, "budget")
    if larger_is_better(trials, scale).any():
        raise Untraced("larger values are better")
    if np.isnan(schema.floats(trials, "optimum")[unknown]).any():
        raise Untraced("an optimum is not known")
    parts = [pd.DataFrame({"trial": np.zeros(0, int), "evaluations": np.zeros(0, int), "value": np.zeros(0)})]
    for piece in pieces(traces, trials, scale, on_target=kind == "targets"):
        trial = np.repeat(piece.trial, np.diff(piece.offsets))
        if kind == "targets" and several[piece.trial].any():
            raise Untraced("a trace is the mean of several runs")
        parts.append(_breaks(pd.DataFrame({"trial": trial, "evaluations": piece.evaluations, "value": piece.value})))
    # a trial may go on in the next piece
    whole = _breaks(pd.concat(parts))
    # a target counts within the budget; one that is not known is NaN and limits nothing
    beyond = whole["evaluations"] > budget[whole["trial"]]
    return whole[np.isfinite(whole["value"]) & ~(beyond & (kind == "targets"))]


def _breaks(rows: Frame) -> Frame:
    trial = rows["trial"].to_numpy()
    rows = rows.assign(value=running_minimum(trial, rows["value"].to_numpy()))
    return rows[improves(trial, rows["value"].to_numpy())]


def coarser(by_source: list[Frame], targets: Sequence[float]) -> tuple[list[Frame], float]:
    """Return trajectories that fit into the page, and by which share of a value they are off at most; Untraced if none fit.

    A value falls to the grid below it, and never past one of `targets`: what is read there stays what it was. Break points that
    the grid makes one are one, the first.
    """
    if sum(map(len, by_source)) <= MOST_EXACT:
        return by_source, 0.0
    levels = np.sort(np.array(targets, float))
    least = np.append(-np.inf, np.nextafter(levels, np.inf))
    for bits in _BITS:
        thinned = []
        for one in by_source:
            value = one["value"].to_numpy()
            down = (value.view(np.int64) >> (52 - bits) << (52 - bits)).view(np.float64)
            coarse = np.where(value > 0, np.maximum(down, least[np.searchsorted(levels, value)]), value)
            thinned.append(_breaks(one.assign(value=coarse)))
        if sum(map(len, thinned)) <= MOST_BREAKS:
            return thinned, 2.0**-bits
    raise Untraced(f"the trajectories of the runs have more than {display.count(MOST_BREAKS)} break points")


def trajectories(sources: Sequence[Source], scale: str, kind: Of) -> list[Frame]:
    """Return those of all sources; Untraced where one or all have none, or there are more than a page reads."""
    by_source: list[Frame] = []
    for trials, traces in sources:
        by_source.append(trajectory(trials, traces(), scale, kind))
        if sum(map(len, by_source)) > MOST_READ:
            raise Untraced(f"the trajectories of the runs have more than {display.count(MOST_READ)} break points")
    if not any(map(len, by_source)):
        raise Untraced("the traces of the runs have no values")
    return by_source


def _rows(study: Study, trials: Frame, algorithms: Sequence[str], store: Store) -> Packed:
    """Return the columns of every run beside its costs."""
    log, logs = numbered(trials[["in_source", "file"]].astype(str), ["in_source", "file"])
    met = _met(study["reports"], logs, log, trials["line"])
    value, is_distance = trials["best_value"].astype(float), trials["value_kind"].astype(str) == "difference"
    sign = np.where(trials["maximise"].to_numpy(bool), -1.0, 1.0)
    columns = trials.assign(
        outcome=trials["outcome"].astype(object).fillna(trials["status"].astype(object)).astype(str).str.replace("_", " "),
        # what is missing to the known optimum; of distances these themselves
        distance=value.where(is_distance, sign * (value - trials["optimum"].astype(float))),
        best_value=value.where(~is_distance),
        irregularities=np.bincount(met["rows"], minlength=len(trials)),
        n=trials["n"] if (trials["n"] != 1).any() else np.nan,
    )
    *words, file = (
        _text(key, head, columns[key], algorithms if key == "algorithm" else (), store) for key, head in _WORDS.items()
    )
    *numbers, line = (_number(key, head, title, columns[key], store) for key, (head, title) in _NUMBERS.items())
    problem = trials["problem"].astype(str)
    attributes = [
        _text(f"attribute:{name}", name, problem.map({one: value for value, own in members.items() for one in own}), (), store)
        for name, members in study["groups"].items()
    ]
    return {
        "columns": [one for one in [*words, *attributes, *numbers, file, line] if one],
        "met": met["met"],
        "by_run": {key: store.put(met[key], "i") for key in ("rows", "which")},
        "by_log": {key: store.put(met[key], "i") for key in ("logs", "of_log")},
        "log": store.counts(log),
    }


def _text(key: str, head: str, values: pd.Series, order: Sequence[str], store: Store) -> Packed | None:
    texts = values.astype("category").cat.rename_categories(str).cat.remove_unused_categories()
    words = order or sorted(texts.cat.categories, key=natural_key)
    if not words:
        return None
    return {
        "key": key,
        "head": shown(head),
        "title": "as the log says; whether the run reaches the chosen target, its cost says" if key == "outcome" else "",
        "words": list(map(shown, words)),
        "codes": store.counts(texts.cat.set_categories(words).cat.codes.to_numpy(np.int64) + 1),
    }


def _number(key: str, head: str, title: str, values: pd.Series, store: Store) -> Packed | None:
    numbers = values.astype("Float64").to_numpy(float, na_value=np.nan)
    return None if np.isnan(numbers).all() else {"key": key, "head": head, "title": title, "values": store.put(numbers)}


def _measures(
    parts: Iterable[Callable[[], pa.Table]], trials: Frame, config: Settings, store: Store
) -> tuple[int, list[Packed], list[list[dict[str, int]]]]:
    """Return the number of costs; every measure; and of each the costs and budgets of the runs at each of its points."""
    of_measure: dict[str, _Costs] = {}
    runs, n_costs = _runs(trials), 0
    for part in parts:
        costs = frame(part())
        n_costs += len(costs)
        costs["row"] = runs.get_indexer(_runs(costs))
        if (costs["row"] < 0).any():
            raise ValueError("there are costs of trials that are not among the runs")
        for name, own in costs.groupby("measure", sort=False, observed=True):
            of_measure.setdefault(str(name), _Costs(len(trials))).add(own)
    instance = trials.groupby([*limits.INSTANCE], dropna=False, observed=True).ngroup().to_numpy()
    outcome = trials["outcome"].astype(object).where(trials["outcome"].notna(), None).tolist()
    counts = ~trials["algorithm"].isin(config.not_competing).to_numpy()
    # published means, of successes and of failures, are ambiguous: no run has one cost
    known = {name: costs for name, costs in of_measure.items() if not costs.ambiguous}
    measures, packed = [], []
    for name, costs in known.items():
        common = limits.Common.of(costs.limit, instance, counts, trials["algorithm"].cat.codes.to_numpy())
        measure = config.measures.get(name, UNKNOWN)
        # a floor is for distances: the library refuses it for other values below it
        floored = (
            measure.floor is not None and measure.scale == "logged" and (trials["value_kind"].astype(str) == "absolute").any()
        )
        points, cut, n_late = [], [], 0
        for (target, at_budget), values in costs.in_order():
            cost, budget, late = common.cut(*values)
            spent = limits.of_failures(budget, outcome, trials["time_limit_s"].to_numpy(float), measure.quantity)
            points.append(explorer.point_of({"target": target, "at_budget": at_budget}, measure))
            cut.append({"cost": store.put(cost), "budget": store.put(spent)})
            n_late += int(late.sum())
        packed.append(cut)
        measures.append(
            {
                "name": name,
                "label": measure.called or display.words(name),
                "kind": measure.kind.name or STATED,
                "aggregate": measure.aggregate or "mean",
                "missing": measure.missing,
                # what trajectories it can be read off
                "read": "targets" if measure.kind.running_times else "budgets" if measure.kind.values and not floored else None,
                "scale": measure.scale,
                "floor": measure.floor,
                "per_dimension": measure.per_dimension,
                "shift": measure.shift,
                "mean_shift": measure.mean_shift or 0.0,
                # costs are these values negated
                "larger": costs.larger,
                "points": points,
                # runs that succeeded after the smallest limit of their instance
                "late": n_late,
            }
        )
    return n_costs, measures, packed


class _Costs:
    """Costs of a measure at each of its points, by the row of the run: NaN where there is none."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._points: dict[_Point, tuple[Array, Mask]] = {}
        self.larger = self.ambiguous = False
        self.limit = np.full(n, np.nan)

    def add(self, costs: Frame) -> None:
        """Add costs of the runs of some rows."""
        self.larger |= bool(costs["larger"].eq(True).any())
        self.limit[costs["row"]] = costs["limit"]
        for point, own in groups(costs, _POINT):
            values, known = self._points.setdefault(
                (point["target"], point["at_budget"]), (np.full((2, self._n), np.nan), np.zeros(self._n, bool))
            )
            at = own["row"].to_numpy()
            self.ambiguous |= bool(known[at].any() or own["row"].duplicated().any())
            known[at] = True
            values[:, at] = own[["cost", "budget"]].to_numpy(float, na_value=np.nan).T

    def in_order(self) -> list[tuple[_Point, Array]]:
        """Return costs and budgets by point: targets falling, budgets rising, what has none first."""
        return [
            (point, self._points[point][0])
            for point in sorted(self._points, key=lambda p: (p[0] is not None, -(p[0] or 0), p[1] is not None, p[1] or 0))
        ]


def _runs(rows: Frame) -> pd.MultiIndex:
    """Name the trial of each row: an algorithm is of one source, in which trials have numbers."""
    return pd.MultiIndex.from_arrays([rows["algorithm"].astype(str), rows["trial"].astype(np.int64)])


def _lines(trials: Frame, excerpts: Mapping[str, Callable[..., pa.Table]]) -> str:
    """Pack what the logs say: as many lines of each place as a page can carry."""
    if not excerpts:
        return ""
    place, types = ["in_source", "file", "line"], {"in_source": str, "file": str, "line": float}
    stand = pd.concat(frame(read(columns=["file", "line"])).assign(in_source=name) for name, read in excerpts.items())
    known = pd.MultiIndex.from_frame(stand[place].astype(types))
    # of places that begin no trial of the study nothing is carried
    used, of = np.unique(known.get_indexer(pd.MultiIndex.from_frame(trials[place].astype(types))), return_inverse=True)
    of = of + int(used[0] >= 0)
    used = used[used >= 0]

    def packed(n: int, first: int, last: int) -> str:
        columns = ["line", "last_line", "first", *(["last"] if last else [])]
        lines = []
        # one source at a time: the lines of all are far more than a page carries
        for source, own in stand.iloc[used[:n]].groupby("in_source", sort=False):
            table = excerpts[str(source)](columns=columns).take(pa.array(own.index))
            lines += [
                [begin, end, _cut(head, first), "".join(_cut(text, -last) for text in tail)]
                for begin, end, head, *tail in zip(*(table[name].to_pylist() for name in columns), strict=True)
            ]
        store = Store()
        return store.packed({"excerpts": lines, "of": store.counts(of)})

    for cut in _CUTS:
        # a few of many lines tell that all are far too many
        if len(packed(used.size // 32, *cut)) * 16 <= MOST_LINES and len(packed_lines := packed(used.size, *cut)) <= MOST_LINES:
            return packed_lines
    return ""


def _cut(text: str, lines: int) -> str:
    """Return the first lines of a text, or (a negative number) its last ones, made harmless."""
    return "\n".join(map(_harmless, text.split("\n", lines)[:lines] if lines > 0 else text.rsplit("\n", -lines)[lines:]))


_harmless = lru_cache(2**16)(labels.line)


def _met(reports: Sequence[Row], logs: Frame, log: Index, line: pd.Series) -> dict[str, list[Any]]:
    """Return what readers met, and in which runs: those whose part of a log it is in, else in which logs."""
    found: dict[str, list[Any]] = {"met": [], "rows": [], "which": [], "logs": [], "of_log": []}
    number = {place: i for i, place in enumerate(logs.itertuples(index=False, name=None))}
    begins = dict(iter(line.groupby(log)))
    for report in reports:
        for rule in report.get("irregularities") or []:
            for example in rule.get("examples") or [rule]:
                at, n = number.get((str(report["source"]), str(example["file"]))), len(found["met"])
                if at is None or n == MOST_MET:
                    continue
                own = begins[at]
                if example["line"] is None or own.isna().any():
                    found["logs"].append(at)
                    found["of_log"].append(n)
                else:
                    before = own[own <= example["line"]]
                    rows = before.index[before == before.max()]
                    found["rows"].extend(rows)
                    found["which"].extend([n] * len(rows))
                found["met"].append(
                    {
                        "rule": rule["rule"].replace("_", " "),
                        "outcome": rule["outcome"],
                        "meaning": shown(rule["meaning"]),
                        "detail": shown(str(example["detail"])),
                        "line": example["line"],
                    }
                )
    return found
