"""List the runs that a reader of the page can filter and trace back to their logs: one row per trial, its costs by measure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import beside, keys, limits, natural_order, schema
from benchmill.core.arrays import Array, Index, Mask
from benchmill.exhibits.sentences.settings import Settings
from benchmill.page import explorer, trajectories
from benchmill.page.arrays import Packed, Store
from benchmill.registry.indicator_options import Ecdf
from benchmill.registry.measures import STATED
from benchmill.text import display, labels
from benchmill.text.frames import frame, numbered
from benchmill.text.measures import UNKNOWN

#: Heads of columns by their names, of numbers with their meanings.
_WORDS, _NUMBERS = beside.toml(__file__).values()

#: What of the two tables is looked at.
TRIALS = [
    *("algorithm", "trial", "suite", "problem", "dimension", "instance", "run", "status", "outcome", "seed", "budget"),
    *("runtime_s", "time_limit_s", "best_value", "optimum", "value_kind", "maximise", "dual_bound", "violation", "nodes"),
    *("iterations", "n", "version", "source"),
]
COSTS = ["algorithm", "trial", "measure", "target", "at_budget", "cost", "budget", "limit", "larger", "n"]

_POINT = ["target", "at_budget"]
_Point = tuple[float | None, float | None]

#: Runs, and costs of them, of a study that the page carries itself; those of a larger one stand in a file beside it.
MOST_WITHIN = 200_000, 4_000_000

#: Irregularities that are carried at most.
MOST_MET = 20_000

#: Letters that what the logs of a study say may take, packed; and first and last lines of a run that are tried until they fit.
MOST_LINES = 1_500_000
_CUTS = ((3, 16), (2, 4), (1, 1), (1, 0))


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


def evidence(study: Mapping[str, Any], why: Mapping[str, Any]) -> Packed:
    """Return what the page carries of the runs of a study (`runs`: see `listed`) and of what `benchmill why` answers (`why`)."""
    return {"runs": listed(study), "why": Store().packed(why) if why else ""}


def listed(study: Mapping[str, Any]) -> Listed | None:
    """Return the runs of a study as the page's script reads them; None without any.

    `study["listed"]` has `trials` and `costs`, or functions that each give a part of them, or `n`, the number of too many;
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
    store = Store()
    config = Settings.parsed(study["config"])
    parts = [lambda: inputs["costs"]] if isinstance(inputs["costs"], pa.Table) else inputs["costs"]
    n_costs, measures = _measures(parts, trials, config, store)
    stated = {
        "n": len(trials),
        "measures": [settings for settings, _ in measures],
        "problem_keys": list(config.problem_keys),
        "dimensions": sorted(map(int, set(trials["dimension"].dropna()))),
        "not_competing": [algorithms.index(name) for name in config.not_competing if name in algorithms],
    }
    trials["in_source"] = (
        trials["algorithm"]
        .astype(object)
        .map({name: report["source"] for report in study.get("reports") or [] for name in report["algorithms"]})
    )
    places = _places(trials)
    lines = _lines(trials["in_source"], places, inputs.get("excerpts") or {})
    runs = store.packed({**_rows(study, trials, places, algorithms, store), "costs": [costs for _, costs in measures]})
    if len(trials) > MOST_WITHIN[0] or n_costs > MOST_WITHIN[1]:
        # the end of a block has the checksum of its content
        stated["beside"] = {"length": len(runs), "end": runs[-24:]}
    breaks, read = _trajectories(trials, inputs.get("traces"), [settings for settings, _ in measures], config.indicators.ecdf)
    return Listed({**stated, "lines": bool(lines), **read}, runs, lines, breaks)


def _trajectories(
    trials: pd.DataFrame,
    sources: Sequence[trajectories.Source] | None,
    measures: Sequence[Mapping[str, Any]],
    ecdf: Ecdf,
) -> tuple[str, Packed]:
    """Return the block of the trajectories of all runs, in their order, and what is stated about it.

    They stand on the scale of the first measure of fixed targets, or the ECDF, and of fixed budgets.
    """
    scales: dict[trajectories.Of, str] = {"targets": ecdf.scale} if ecdf.aggregate else {}
    scales |= {settings["read"]: settings["scale"] for settings in reversed(measures) if settings["read"]}
    targets = [point["target"] for settings in measures for point in settings["points"] if "target" in point]
    if not sources:
        return "", {
            "trajectories": None,
            "without": dict.fromkeys(
                scales, "the traces of the runs have too many rows" if sources is None else "the runs have no traces"
            ),
        }
    store = Store()
    content: Packed = {"trial": store.counts(trials["trial"].to_numpy(np.int64))}
    without, off = {}, 0.0
    known = pd.MultiIndex.from_arrays([trials["algorithm"].astype(str), trials["trial"].astype(int)])
    for kind, scale in scales.items():
        courses = trajectories.trajectories(sources, scale, kind)
        thinned = courses if isinstance(courses, str) else trajectories.coarser(courses, [*targets, *map(float, ecdf.targets)])
        if isinstance(thinned, str):
            without[kind] = thinned
            continue
        courses, off = thinned[0], max(off, thinned[1])
        parts = []
        for (table, _), one in zip(sources, courses, strict=True):
            algorithm = np.asarray(table.column("algorithm").cast(pa.string()).to_pylist(), object)
            row = known.get_indexer(pd.MultiIndex.from_arrays([algorithm[one.trial], one.trial]))
            parts.append(pd.DataFrame({"row": row, "evaluations": one.evaluations, "value": one.value}))
        # a break point of a trial that the study leaves out is of no row
        breaks = pd.concat(parts).query("row >= 0").sort_values("row", kind="stable")
        content[kind] = {
            "n": store.counts(np.bincount(breaks["row"], minlength=len(trials))),
            "evaluations": store.put(breaks["evaluations"]),
            "value": store.put(breaks["value"]),
        }
    carried = {kind: scale for kind, scale in scales.items() if kind in content}
    return store.packed(content) if carried else "", {"trajectories": carried or None, "without": without, "off": off}


def _rows(
    study: Mapping[str, Any], trials: pd.DataFrame, places: tuple[pd.Series, pd.Series], algorithms: Sequence[str], store: Store
) -> Packed:
    """Return the columns of every run beside its costs."""
    file, line = places
    log, logs = numbered(pd.DataFrame({"in_source": trials["in_source"].astype(str), "file": file}), ["in_source", "file"])
    outcome = trials["status"].astype(str).where(trials["outcome"].isna(), trials["outcome"].astype(object)).astype(str)
    met = _met(study.get("reports") or [], logs, log, line)
    value, is_distance = trials["best_value"].astype(float), trials["value_kind"].astype(str) == "difference"
    sign = np.where(trials["maximise"].to_numpy(bool), -1.0, 1.0)
    columns: Packed = {
        **{key: trials[key] for key in (*_WORDS, *_NUMBERS) if key in trials},
        "outcome": outcome.str.replace("_", " "),
        "file": file,
        "line": line,
        # what is missing to the known optimum; of distances these themselves
        "distance": value.where(is_distance, sign * (value - trials["optimum"].astype(float))),
        "best_value": value.where(~is_distance),
        "irregularities": np.bincount(met["rows"], minlength=len(trials)).astype(float),
        "n": trials["n"] if (trials["n"] != 1).any() else np.full(len(trials), np.nan),
    }
    words = [_text(key, head, columns[key], algorithms if key == "algorithm" else None, store) for key, head in _WORDS.items()]
    numbers = [_number(key, head, title, columns[key], store) for key, (head, title) in _NUMBERS.items()]
    problem = trials["problem"].astype(str)
    attributes = [
        _text(f"attribute:{name}", name, problem.map({one: value for value, own in members.items() for one in own}), None, store)
        for name, members in (study.get("groups") or {}).items()
    ]
    return {
        "columns": [one for one in [*words[:-1], *attributes, *numbers[:-1], words[-1], numbers[-1]] if one],
        "met": met["met"],
        "by_run": {key: store.put(met[key], "i") for key in ("rows", "which")},
        "by_log": {key: store.put(met[key], "i") for key in ("logs", "of_log")},
        "log": store.counts(log),
    }


def _text(key: str, head: str, values: pd.Series, order: Sequence[str] | None, store: Store) -> Packed | None:
    texts = values if isinstance(values.dtype, pd.CategoricalDtype) else values.astype("category")
    texts = texts.cat.rename_categories(texts.cat.categories.astype(str)).cat.remove_unused_categories()
    words = list(order) if order is not None else sorted(texts.cat.categories, key=natural_order.natural_key)
    if not words:
        return None
    return {
        "key": key,
        "head": labels.shown(head),
        "title": "as the log says; whether the run reaches the chosen target, its cost says" if key == "outcome" else "",
        "words": [labels.shown(word) for word in words],
        "codes": store.counts(texts.cat.set_categories(words).cat.codes.to_numpy(np.int64) + 1),
    }


def _number(key: str, head: str, title: str, values: Any, store: Store) -> Packed | None:
    numbers = np.asarray(pd.Series(values).astype("Float64").to_numpy(float, na_value=np.nan))
    return None if np.isnan(numbers).all() else {"key": key, "head": head, "title": title, "values": store.put(numbers)}


def _measures(
    parts: Sequence[Callable[[], pa.Table]], trials: pd.DataFrame, config: Settings, store: Store
) -> tuple[int, list[tuple[Packed, list[dict[str, int]]]]]:
    """Return the number of costs; and every measure with the costs and budgets of the runs at each of its points."""
    of_measure: dict[str, _Costs] = {}
    runs, n_costs = _runs(trials), 0
    for part in parts:
        table = part().unify_dictionaries()
        n_costs += table.num_rows
        rows = runs.get_indexer(_runs(table.select(["algorithm", "trial"]).to_pandas()))
        if (rows < 0).any():
            raise ValueError("there are costs of trials that are not among the runs")
        measure_column = table.column("measure").cast(pa.string())
        for name in measure_column.unique().to_pylist():
            own = np.asarray(pc.equal(measure_column, name), bool)
            of_measure.setdefault(name, _Costs(len(trials))).add(table.filter(pa.array(own)), rows[own])
    made = []
    instance = trials.groupby([*limits.INSTANCE], dropna=False, observed=True).ngroup().to_numpy()
    outcome = trials["outcome"].astype(object).where(trials["outcome"].notna(), None).tolist()
    counts = ~trials["algorithm"].isin(config.not_competing).to_numpy()
    for name, costs in of_measure.items():
        if costs.ambiguous:
            continue  # published means, of successes and of failures: no run has one cost
        common = limits.Common.of(costs.limit, instance, counts, trials["algorithm"].cat.codes.to_numpy())
        measure, cut = config.measures.get(name, UNKNOWN), []
        # a floor is for distances: the library refuses it for other values below it
        floored = (
            measure.floor is not None and measure.scale == "logged" and (trials["value_kind"].astype(str) == "absolute").any()
        )
        for point, values in costs.in_order():
            cost, budget, late = common.cut(*values)
            spent = limits.of_failures(budget, outcome, trials["time_limit_s"].to_numpy(float), measure.quantity)
            cut.append((point, cost, spent, late))
        stated = {
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
            "points": [explorer.point_of(dict(zip(_POINT, point, strict=True)), measure) for point, *_ in cut],
            # runs that succeeded after the smallest limit of their instance
            "late": sum(int(late.sum()) for *_, late in cut),
        }
        made.append((stated, [{"cost": store.put(cost), "budget": store.put(budget)} for _, cost, budget, _ in cut]))
    return n_costs, made


class _Costs:
    """Costs of a measure at each of its points, by the row of the run: NaN where there is none."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._points: dict[_Point, tuple[Array, Mask]] = {}
        self.larger = self.ambiguous = False
        self.limit = np.full(n, np.nan)

    def add(self, table: pa.Table, rows: Index) -> None:
        """Add costs of the runs of some rows."""
        self.larger |= bool(pc.any(table.column("larger")).as_py())
        self.limit[rows] = schema.floats(table, "limit")
        point, points = keys.cells(table, _POINT)
        values = [table.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False) for name in ("cost", "budget")]
        for number, key in enumerate(zip(*(points.column(name).to_pylist() for name in _POINT), strict=True)):
            filled_before, known = self._points.setdefault(key, (np.full((2, self._n), np.nan), np.zeros(self._n, bool)))
            own = np.flatnonzero(point == number)
            at = rows[own]
            self.ambiguous |= bool(known[at].any()) or np.unique(at).size < at.size
            known[at] = True
            for column, filled in zip(values, filled_before, strict=True):
                filled[at] = column[own]

    def in_order(self) -> list[tuple[_Point, Array]]:
        """Return costs and budgets by point: targets falling, budgets rising, what has none first."""
        return [
            (point, self._points[point][0])
            for point in sorted(self._points, key=lambda p: (p[0] is not None, -(p[0] or 0), p[1] is not None, p[1] or 0))
        ]


def _runs(rows: pd.DataFrame) -> pd.MultiIndex:
    """Name the trial of each row: an algorithm is of one source, in which trials have numbers."""
    return pd.MultiIndex.from_arrays([rows["algorithm"].astype(str), rows["trial"].astype(np.int64)])


def _places(trials: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return file and line of each trial; NaN where only the file is known."""
    places = trials["source"].astype(str).str.extract(r"(?s)^(?P<file>.*?)(?::(?P<line>[0-9]+))?\Z")
    return places["file"], places["line"].astype(float)


def _lines(in_source: pd.Series, places: tuple[pd.Series, pd.Series], excerpts: Mapping[str, Callable[..., pa.Table]]) -> str:
    """Pack what the logs say: as many lines of each place as a page can carry."""
    if not excerpts:
        return ""
    stand = [read(columns=["file", "line"]) for read in excerpts.values()]
    ends = np.cumsum([table.num_rows for table in stand])
    rows = schema.concatenate(stand)
    source = np.repeat(np.array(list(excerpts), object), np.diff(ends, prepend=0))
    known = pd.MultiIndex.from_arrays(
        [source, frame(rows.select(["file"]))["file"].astype(str), rows["line"].to_numpy().astype(float)]
    )
    # of places that begin no trial of the study nothing is carried
    place = known.get_indexer(pd.MultiIndex.from_arrays([in_source.astype(str), *places]))
    used, place_of_run = np.unique(place, return_inverse=True)
    place_of_run = place_of_run + int(used[0] >= 0)
    used = used[used >= 0]

    def said(n: int, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        # one source at a time: the lines of all are far more than a page carries
        for read, start, end in zip(excerpts.values(), [0, *ends[:-1]], ends, strict=True):
            own = used[:n][(used[:n] >= start) & (used[:n] < end)]
            if own.size:
                table = read(columns=columns).take(pa.array(own - start))
                yield from zip(*(table[name].to_pylist() for name in columns), strict=True)

    def packed(n: int, first: int, last: int) -> str:
        columns = ["line", "last_line", "first", *(["last"] if last else [])]
        lines = [
            [begin, end, _cut(head, first), "".join(_cut(text, -last) for text in tail)]
            for begin, end, head, *tail in said(n, columns)
        ]
        store = Store()
        return store.packed({"excerpts": lines, "of": store.counts(place_of_run)})

    for cut in _CUTS:
        # a few of many lines tell that all are far too many
        if len(packed(used.size // 32, *cut)) * 16 <= MOST_LINES and len(packed_lines := packed(used.size, *cut)) <= MOST_LINES:
            return packed_lines
    return ""


def _cut(text: str, lines: int) -> str:
    """Return the first lines of a text, or (a negative number) its last ones, made harmless."""
    return "\n".join(map(_harmless, text.split("\n", lines)[:lines] if lines > 0 else text.rsplit("\n", -lines)[lines:]))


_harmless = lru_cache(2**16)(labels.line)


def _met(reports: Sequence[Mapping[str, Any]], logs: pd.DataFrame, log: Index, line: pd.Series) -> Packed:
    """Return what readers met, and in which runs: those whose part of a log it is in, else in which logs."""
    met: list[dict[str, Any]] = []
    of_run: list[tuple[Index, Index]] = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    of_log: list[tuple[int, int]] = []
    number = {(str(source), str(file)): i for i, (source, file) in enumerate(zip(logs["in_source"], logs["file"], strict=True))}
    begins = dict(iter(line.groupby(log)))
    for report in reports:
        for rule in report.get("irregularities") or []:
            for example in rule.get("examples") or [rule]:
                at = number.get((str(report["source"]), str(example["file"])))
                if at is None or len(met) == MOST_MET:
                    continue
                own = begins[at]
                if example["line"] is None or own.isna().any():
                    of_log.append((at, len(met)))
                else:
                    before = own[own <= example["line"]]
                    rows = before.index[before == before.max()].to_numpy()
                    of_run.append((rows, np.full(rows.size, len(met))))
                met.append(
                    {
                        "rule": rule["rule"].replace("_", " "),
                        "outcome": rule["outcome"],
                        "meaning": labels.shown(rule["meaning"]),
                        "detail": labels.shown(str(example["detail"])),
                        "line": example["line"],
                    }
                )
    rows, which = (np.concatenate(parts) for parts in zip(*of_run, strict=True))
    places, entries = zip(*of_log, strict=True) if of_log else ((), ())
    return {"met": met, "rows": rows, "which": which, "logs": list(places), "of_log": list(entries)}
