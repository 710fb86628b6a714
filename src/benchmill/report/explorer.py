"""The data that the page carries, so that profiles can be computed anew in it: compact, exact, in one JSON text.

Numbers travel as the bytes of NumPy arrays in base 64, so that the page computes with the very numbers of the
Parquet files. A matrix has one row an algorithm and one column a problem. What other modules of the page read:

`arrays`
    Texts `<type>:<base 64>`, type `d` (float64), `i` (int32) or `h` (uint16), little-endian; everything else refers to them by
    number. Equal arrays are there once.
`studies`
    See `_study`.
`tables`
    Large tables of the article, by their ids; see `benchmill.report.folded`.
`version`
    Of benchmill, for the names of downloads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import __version__
from benchmill.core import groups, keys, schema
from benchmill.core.natural_order import natural_key
from benchmill.registry.measures import STATED
from benchmill.registry.variants import VARIANTS
from benchmill.report import folded
from benchmill.report.arrays import Store
from benchmill.text import display, labels
from benchmill.text.appearance import appearance
from benchmill.text.display import Table

#: A measure with more cells (algorithms times problems) is not carried; the page says so.
MOST_CELLS = 2_000_000

#: ECDF steps of a study that the page carries at most; curves are thinned until they fit.
MOST_STEPS = 150_000
_THINNING = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.1)

#: Aggregations of the ECDF that the page shows (over targets, or budgets for that of values); it makes those of groups itself.
_AGGREGATIONS = ["target", "budget", "problem", "dimension"]

_PROBLEM_KEYS = ["suite", "problem", "dimension", "instance"]
_POINT = ["target", "at_budget"]

#: Settings of a Dolan–Moré profile that the page knows how to apply, and those that change no curve.
_APPLIED = {"variant", "name", "measures", "by", "weights", "tau_max", "unsolved"}
_IDLE = {"bands", "bootstrap", "intervals", "level", "resamples"}

_MEASURE_COLUMNS = (
    "auc",
    "auc_normalised",
    "rank_auc",
    "rho_1",
    "rank_rho_1",
    "rho_tau_max",
    "rank_rho_tau_max",
    "tau_star",
    "auc_log",
    "rank_auc_log",
    "front_wins_solved",
    "reliability",
    "wins",
    "tau_max",
)


def payload(studies: Sequence[Mapping[str, Any]], tables: Mapping[str, Table] | None = None) -> str:
    """The JSON text that the page carries, safe inside a `script` element.

    Parameters
    ----------
    studies : sequence of mapping
        As for `benchmill.report.page.render`; of each `name`, `title`, `config`, `verdicts`, and `data`: tables by the names of
        `benchmill.core.schema.TABLES`, as far as they are there (`ratios`, `profiles` and `profile_measures` of variants that
        the page
        cannot compute or that have bands, `ecdf`, `value_ecdf` (by measure), `indicators`, `tests`, `ranks`, `comparisons`). A
        study without `data` is not explorable.
    tables : mapping, optional
        Large tables of the article, by their ids on the page.

    Returns
    -------
    str
        ASCII; the same text for the same input. Without a study to explore, a JSON text with an empty list.
    """
    store = Store()
    found = [_study(study, number, store) for number, study in enumerate(studies, 1) if study.get("data")]
    large = {place: folded.folded(table, store) for place, table in (tables or {}).items()}
    carried = {"studies": found, "tables": large, "arrays": store.texts, "version": __version__}
    text = json.dumps(carried, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    # a `<` could end the element that holds the text
    return text.replace("<", "\\u003c")


def computes(variant: Mapping[str, Any]) -> bool:
    """Whether the page computes this profile variant anew when solvers are switched; others are shown as in the files."""
    extra = {key for key, value in variant.items() if key not in _APPLIED | _IDLE and value not in (None, False, [], {})}
    return VARIANTS[variant["variant"]].of_shares and not extra and variant.get("weights") in (None, "equal", "dimension")


def _study(study: Mapping[str, Any], number: int, store: Store) -> dict[str, Any]:
    data, config = study["data"], study["config"]
    names = sorted(_algorithms(data, study.get("reports") or []), key=natural_key)
    looks = appearance(names, study.get("looks"), config.get("appearance"))
    at = {name: i for i, name in enumerate(names)}
    settings = config.get("measures") or {}
    variants = list(config.get("profiles") or [])
    problems = _words(data, "problem")
    suites, shown_problems = _words(data, "suite"), display.short_names(problems, 40)
    ecdf_settings = (config.get("indicators") or {}).get("ecdf") or {}
    measures = [
        _matrix(rows, name, {**settings.get(name, {}), "name": name}, at, problems, suites, store, "cost")
        for name, rows in _by_measure(data.get("ratios"))
    ]
    return {
        "name": study["name"],
        "title": labels.shown(study.get("title") or study["name"]),
        "id": f"s{number}",
        "algorithms": [_looks(name, looks[name]) for name in names],
        "problems": [shown_problems[problem] for problem in problems],
        "problem_names": problems,
        "suites": [labels.shown(suite) for suite in suites],
        "groups": _groups(ecdf_settings.get("groups"), suites, problems),
        "measures": measures,
        "variants": [
            {
                "name": variant["name"],
                "label": display.words(variant["name"]),
                "variant": variant["variant"],
                "computed": computes(variant),
                "by": list(variant.get("by") or []),
                "measures": list(variant.get("measures") or []),
                "weights": variant.get("weights") or "equal",
                "tau_max": variant.get("tau_max"),
                "unsolved": variant.get("unsolved") or "keep",
            }
            for variant in variants
        ],
        "given": _given(data, [v["name"] for v in variants if not computes(v) or v.get("bands")], at, store),
        "ecdf": _ecdf(data.get("ecdf"), at, problems, suites, store),
        "value_ecdf": [
            {"name": name, "label": display.words(name), **found}
            for name, rows in (data.get("value_ecdf") or {}).items()
            if (found := _ecdf(rows, at, problems, suites, store))
        ],
        "ecdf_x": ecdf_settings.get("x", "evaluations_per_dimension"),
        # pairs of problem and target that weigh by their trials: a mean of curves would weigh them the same
        "ecdf_pooled": ecdf_settings.get("weight") == "pooled",
        "indicators": [
            _matrix(rows, name, {**settings.get(name, {}), "name": name}, at, problems, suites, store, _statistic(rows))
            for name, rows in _by_measure(data.get("indicators"))
            # the page takes the smallest for the best
            if rows.column("larger").null_count == rows.num_rows
        ],
        "tests": [{**row, "words": display.method_name(row["method"])} for row in _rows(data.get("tests"))],
        "ranks": _rows(data.get("ranks"), at),
        "comparisons": _comparisons(data.get("comparisons"), at, store),
        "verdicts": {name: [labels.shown(p) for p in paragraphs] for name, paragraphs in (study.get("verdicts") or {}).items()},
        "ingest": _ingest(study.get("reports") or []),
    }


def _algorithms(data: Mapping[str, Any], reports: Iterable[Mapping[str, Any]]) -> set[str]:
    names = {name for report in reports for name in report["algorithms"]}
    for table in _tables(data, "ratios", "profiles", "ecdf", "value_ecdf", "indicators"):
        names |= set(pc.unique(table.column("algorithm").cast(pa.string())).to_pylist())
    return names


def _tables(data: Mapping[str, Any], *names: str) -> Iterator[pa.Table]:
    """The tables of some names that are there; of one that is stored by measure all."""
    for name in names:
        found = data.get(name)
        yield from found.values() if isinstance(found, Mapping) else [found] if found is not None else []


def _looks(name: str, look: Any) -> dict[str, Any]:
    return {
        "name": name,
        "label": look.label,
        "title": labels.shown(name),
        "colour": look.colour,
        "dashes": list(look.dashes),
        "marker": look.marker,
        "filled": look.filled,
    }


def _words(data: Mapping[str, Any], column: str) -> list[str]:
    """Distinct values of a text key in all tables of the study, in natural order."""
    found: set[str] = set()
    for table in _tables(data, "ratios", "ecdf", "value_ecdf", "indicators"):
        found |= set(pc.unique(table.column(column).cast(pa.string())).to_pylist())
    return sorted(found - {None}, key=natural_key)


def function_groups(suites: Sequence[str], problems: Sequence[str]) -> list[dict[str, Any]]:
    """Groups of functions that the field has names for: those of BBOB, where every suite is one of its family.

    Returns
    -------
    list of dict
        `label` and `problems` (positions in `problems`); empty where a suite or a problem is not of the family.
    """
    name = groups.of_suites(suites)
    found = groups.members(name, problems) if name else {}
    if not name or {problem for own in found.values() for problem in own} != set(problems):
        return []
    at = {problem: i for i, problem in enumerate(problems)}
    return [{"label": label, "problems": [at[p] for p in own]} for label, own in found.items() if own]


def _groups(configured: Any, suites: Sequence[str], problems: Sequence[str]) -> list[dict[str, Any]]:
    """The groups that the study names, or those that the field has names for."""
    if not isinstance(configured, Mapping):
        return function_groups(suites, problems)
    found = [
        {"label": labels.shown(name), "problems": [i for i, problem in enumerate(problems) if problem in members]}
        for name, members in configured.items()
    ]
    return [group for group in found if group["problems"]]


def _by_measure(table: pa.Table | None) -> list[tuple[str, pa.Table]]:
    if table is None or not table.num_rows:
        return []
    of_row = table.column("measure").cast(pa.string())
    return [(name, table.filter(pc.equal(of_row, name))) for name in pc.unique(of_row).to_pylist()]


def _statistic(rows: pa.Table) -> str:
    """What stands for a cell of the indicators: ERT for fixed targets, the median otherwise."""
    return "ert" if rows.column("ert").null_count == 0 else "median"


def _matrix(
    rows: pa.Table,
    name: str,
    settings: Mapping[str, Any],
    at: Mapping[str, int],
    problems: Sequence[str],
    suites: Sequence[str],
    store: Store,
    value: str,
) -> dict[str, Any]:
    """A measure as matrices of algorithms by problems; a cell without a trial is NaN."""
    column, cells = keys.cells(rows, _PROBLEM_KEYS + _POINT)
    level, levels = keys.cells(cells, _POINT)
    shape = (len(at), cells.num_rows)
    out: dict[str, Any] = {
        "name": name,
        "label": display.words(name),
        "kind": settings.get("kind", STATED),
        "aggregate": settings.get("aggregate"),
        "missing": settings.get("missing", "common"),
        "per_dimension": bool(settings.get("per_dimension")),
        "statistic": value,
        "n": shape[1],
        "points": [_point(row) for row in levels.to_pylist()],
    }
    if shape[0] * shape[1] > MOST_CELLS:
        return {**out, "too_large": shape[0] * shape[1]}
    algorithm = np.array([at[a] for a in rows.column("algorithm").cast(pa.string()).to_pylist()], np.int64)
    matrix = np.full(shape, np.nan)
    matrix[algorithm, column] = rows.column(value).to_numpy(zero_copy_only=False)
    counts = {}
    for count in ("n_trials", "n_successes"):
        counts[count] = np.zeros(shape, np.int64)
        counts[count][algorithm, column] = rows.column(count).to_numpy()
    instances = _codes(cells, "instance")
    return {
        **out,
        "suite": store.put(_places(cells, "suite", suites), "i"),
        "problem": store.put(_places(cells, "problem", problems), "i"),
        "dimension": store.put(cells.column("dimension").fill_null(-1).to_numpy(), "i"),
        "instance": store.put(instances[0], "i"),
        "instances": instances[1],
        "point": store.put(level, "i"),
        "value": store.put(matrix),
        "n_trials": store.counts(counts["n_trials"]),
        "n_successes": store.counts(counts["n_successes"]),
        "excluded": _excluded(rows, column, counts["n_trials"], algorithm, settings) if value == "cost" else [],
    }


def _excluded(
    rows: pa.Table,
    column: npt.NDArray[np.int64],
    n_trials: npt.NDArray[np.int64],
    algorithm: npt.NDArray[np.int64],
    settings: Mapping[str, Any],
) -> list[int]:
    """Problems that the settings leave out, whichever algorithms are compared; not those left out for a missing trial."""
    included = np.ones(n_trials.shape[1], bool)
    included[column] = rows.column("included").to_numpy(zero_copy_only=False)
    everywhere = (n_trials[np.unique(algorithm)] > 0).all(axis=0)
    named = np.zeros(n_trials.shape[1], bool)
    exclude = settings.get("exclude")
    if isinstance(exclude, list):
        named[column] = np.isin(np.array(rows.column("problem").cast(pa.string()).to_pylist()), [str(e) for e in exclude])
    return [int(i) for i in np.flatnonzero(~included & (everywhere | named))]


def _codes(table: pa.Table, name: str) -> tuple[npt.NDArray[np.int64], list[str]]:
    words = [word for word in pc.unique(table.column(name).cast(pa.string())).to_pylist() if word is not None]
    words.sort(key=natural_key)
    return _places(table, name, words), [labels.shown(word) for word in words]


def _places(table: pa.Table, name: str, words: Sequence[str]) -> npt.NDArray[np.int64]:
    """Position of each value in `words`; -1 for an empty key."""
    place = {word: i for i, word in enumerate(words)}
    return np.array([place.get(word, -1) for word in table.column(name).cast(pa.string()).to_pylist()], np.int64)


def _point(row: Mapping[str, Any]) -> dict[str, Any]:
    if row["target"] is not None:
        return {"target": row["target"], "label": f"target {display.target(row['target'])}"}
    if row["at_budget"] is not None:
        return {"at_budget": row["at_budget"], "label": f"budget {display.target(row['at_budget'])}"}
    return {"label": "all"}


def _given(data: Mapping[str, Any], variants: Sequence[str], at: Mapping[str, int], store: Store) -> list[dict[str, Any]]:
    """Curves and measures of the variants that the page shows as they are: one entry a measure, variant and panel."""
    if "profiles" not in data:
        return []
    curves, numbers = data["profiles"], data.get("profile_measures")
    idle = {"tau", "rho", "rho_low", "rho_high", "algorithm"}
    panel_keys = [name for name in schema.TABLES["profiles"].names if name not in idle]
    curves = curves.filter(pc.is_in(curves.column("variant").cast(pa.string()), pa.array(variants, pa.string())))
    if not curves.num_rows:
        return []
    panel, panels = keys.cells(curves, panel_keys)
    order, offsets = keys.starts(panel, panels.num_rows)
    rows_of = _measure_rows(numbers, panel_keys, at)
    found = []
    for row, start, end in zip(panels.to_pylist(), offsets[:-1], offsets[1:], strict=True):
        mine = curves.take(pa.array(order[start:end]))
        code, algorithms = keys.cells(mine, ["algorithm"])
        by_curve, starts = keys.starts(code, algorithms.num_rows)
        split = {key: value for key, value in row.items() if key not in ("measure", "variant") and value is not None}
        found.append(
            {
                "measure": row["measure"],
                "variant": row["variant"],
                "label": _panel_label(split),
                "algorithms": [at[a] for a in algorithms.column("algorithm").cast(pa.string()).to_pylist()],
                "starts": [int(s) for s in starts],
                "tau": store.put(mine.column("tau").to_numpy()[by_curve]),
                "rho": store.put(mine.column("rho").to_numpy()[by_curve]),
                **_band(mine, "rho", by_curve, store),
                "rows": rows_of.get(tuple(row.values()), []),
            }
        )
    return found


def _band(table: pa.Table, name: str, rows: npt.NDArray[np.int64], store: Store) -> dict[str, int]:
    """Both ends of the band around a column, where there is one; in chosen rows."""
    ends = {end: table.column(f"{name}_{end}") for end in ("low", "high")}
    if any(column.null_count == len(column) for column in ends.values()):
        return {}
    return {end: store.put(column.to_numpy(zero_copy_only=False)[rows]) for end, column in ends.items()}


def _measure_rows(numbers: pa.Table | None, panel_keys: Sequence[str], at: Mapping[str, int]) -> dict[Any, list[dict[str, Any]]]:
    found: dict[Any, list[dict[str, Any]]] = {}
    if numbers is None or any(key not in numbers.column_names for key in panel_keys):
        return found
    for row in numbers.to_pylist():
        values = {column: _plain(row[column]) for column in (*_MEASURE_COLUMNS, "n_problems", "n_unsolved") if column in row}
        found.setdefault(tuple(row[key] for key in panel_keys), []).append({"algorithm": at[row["algorithm"]], **values})
    return found


def _panel_label(split: Mapping[str, Any]) -> str:
    parts = [
        f"target {display.target(value)}"
        if key == "target"
        else f"{key.replace('_', ' ')} {labels.shown(str(value)) if isinstance(value, str) else display.target(value)}"
        for key, value in split.items()
    ]
    return ", ".join(parts) or "all problems"


def _plain(value: Any) -> Any:
    """A number as JSON has it; infinities and NaN as text."""
    if isinstance(value, float) and not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _ecdf(
    table: pa.Table | None, at: Mapping[str, int], problems: Sequence[str], suites: Sequence[str], store: Store
) -> dict[str, Any] | None:
    """All curves, thinned where they are too many: of the rows whose fraction is in the same interval of `step`, the first.

    The last row of a curve is always kept. Rows that are kept are kept exactly, so that a curve is nowhere more
    than `step` too low and nowhere too high.
    """
    if table is None:
        return None
    table = table.filter(pc.is_in(table.column("aggregation").cast(pa.string()), pa.array(_AGGREGATIONS)))
    if not table.num_rows:
        return None
    curve, curves = keys.cells(table, ["aggregation", "suite", "problem", "dimension", "algorithm"])
    order, offsets = keys.starts(curve, curves.num_rows)
    x, fraction = table.column("x").to_numpy()[order], table.column("fraction").to_numpy()[order]
    within = np.ones(x.size, bool)
    within[offsets[:-1]] = False
    if (np.diff(x, prepend=x[:1])[within] < 0).any():
        return None  # values to be maximised fall from step to step; the page draws steps that rise
    first = np.zeros(x.size, bool)
    first[offsets[:-1]] = True
    last = np.append(first[1:], True)
    kept, step = np.ones(x.size, bool), 0.0
    for step in _THINNING:
        if step:
            interval = np.floor(fraction / step)
            kept = first | last | np.append(True, interval[1:] != interval[:-1])
        if kept.sum() <= MOST_STEPS:
            break
    sizes = np.add.reduceat(kept.astype(np.int64), offsets[:-1])
    aggregations = sorted(pc.unique(curves.column("aggregation").cast(pa.string())).to_pylist())
    return {
        "step": step,
        "aggregations": aggregations,
        "aggregation": _places(curves, "aggregation", aggregations).tolist(),
        "suite": _places(curves, "suite", suites).tolist(),
        "problem": _places(curves, "problem", problems).tolist(),
        "dimension": curves.column("dimension").fill_null(-1).to_pylist(),
        "algorithm": [at[a] for a in curves.column("algorithm").cast(pa.string()).to_pylist()],
        "size": sizes.tolist(),
        "x": store.put(x[kept]),
        "fraction": store.put(fraction[kept]),
        **_band(table, "fraction", order[kept], store),
    }


def _rows(table: pa.Table | None, at: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    rows = [{key: _plain(value) for key, value in row.items()} for row in table.to_pylist()] if table is not None else []
    return [{**row, "algorithm": at[row["algorithm"]]} for row in rows] if at else rows


def _comparisons(table: pa.Table | None, at: Mapping[str, int], store: Store) -> list[dict[str, Any]]:
    """All pairs: one entry a measure, method and point, with columns."""
    if table is None or not table.num_rows:
        return []
    part, parts = keys.cells(table, ["measure", "method", "correction", *_POINT])
    order, offsets = keys.starts(part, parts.num_rows)
    found = []
    for row, start, end in zip(parts.to_pylist(), offsets[:-1], offsets[1:], strict=True):
        mine = table.take(pa.array(order[start:end]))
        found.append(
            {
                "measure": row["measure"],
                "method": row["method"],
                "words": display.comparison_name(row["method"]),
                "correction": row["correction"],
                "point": _point(row),
                "a": store.put([at[a] for a in mine.column("algorithm_a").cast(pa.string()).to_pylist()], "i"),
                "b": store.put([at[b] for b in mine.column("algorithm_b").cast(pa.string()).to_pylist()], "i"),
                **{
                    name: store.put(mine.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False))
                    for name in ("difference", "p", "p_adjusted", "msd")
                },
                "significant": store.put(
                    mine.column("significant").fill_null(False).to_numpy(zero_copy_only=False).astype(int), "h"
                ),
            }
        )
    return found


def _ingest(reports: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    missing = [report["trials"].get("missing") for report in reports]
    return {
        "sources": len(reports),
        "irregularities": sum(len(report.get("irregularities") or []) for report in reports),
        "missing": sum(n for n in missing if n is not None),
    }
