"""Pack the data from which the page recomputes profiles: exactly the numbers of the Parquet files."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import __version__
from benchmill.core import Index, beside, keys, natural_key, schema, shown
from benchmill.core import groups as named_groups
from benchmill.exhibits.sentences.methods import Settings
from benchmill.exhibits.sentences.statements import Study
from benchmill.page.arrays import Packed, Store
from benchmill.registry.inference import CORRECTIONS
from benchmill.registry.measures import STATED
from benchmill.text import display
from benchmill.text.appearance import Pen, appearance
from benchmill.text.frames import Data, Frame, Row, at, frame, groups, numbered, ordered, records, target_title
from benchmill.text.measures import UNKNOWN, Measure
from benchmill.text.variants import Profile

#: A measure with more cells (algorithms times problems) is not carried; the page says so.
MOST_CELLS = 2_000_000

#: ECDF steps of a study that the page carries at most. Where there are more, smaller steps than one of `_THINNING` are drawn
#: together: the finest with which the curves over all functions fit. Kinds of curve that still do not fit are left out.
MOST_STEPS = 300_000
_THINNING = (0.0005, 0.001, 0.002)

#: Aggregations of the ECDF that the page shows, those of most problems first; options of a Dolan–Moré profile that it knows how
#: to apply; columns of `profile_measures` that it shows; and what of tables it looks at where that is not all.
_AGGREGATIONS, _APPLIED, _SHOWN, _COLUMNS = beside.toml(__file__).values()
_CURVE = _COLUMNS["ecdf"][:5]

_POINT = ["target", "at_budget"]

#: The tables that `data` of a study has, and what of them is looked at.
TABLES: dict[str, list[str] | None] = {
    **dict.fromkeys(("ratios", "profiles", "profile_measures", "tests", "ranks", "rank_sets")),
    **_COLUMNS,
}


def payload(studies: Sequence[Study]) -> str:
    """Return the block that the explorable part of the page is made from.

    Parameters
    ----------
    studies : sequence of mapping
        See `benchmill.page.page.pages`; `data` has those of `TABLES` that are there, or the study is not explorable.
    """
    store = Store()
    packed_studies = [_study(study, number, store) for number, study in enumerate(studies, 1) if study["data"]]
    return store.packed({"studies": packed_studies, "version": __version__})


def computes(profile: Profile) -> bool:
    """Return True if the page recomputes this profile when solvers are switched; others are shown as in the files."""
    if not profile.entry.of_shares or profile.weights not in (None, "equal", "dimension"):
        return False
    others = [one.name for one in fields(profile.options) if one.name not in _APPLIED]
    return all(getattr(profile.options, name) in (None, False, (), [], {}) for name in others)


def algorithms_of(study: Study) -> list[str]:
    """Name the algorithms of a study in the order of the page."""
    return sorted({name for report in study["reports"] for name in report["algorithms"]}, key=natural_key)


def _study(study: Study, number: int, store: Store) -> Packed:
    data, config, names = study["data"], Settings.parsed(study["config"]), algorithms_of(study)
    reports = study["reports"]
    pens = appearance(names, study["pens"], config.appearance)
    in_sources = {new: old for old, new in (config.algorithms.get("rename") or {}).items()}
    profiles, ecdf = config.profiles, config.indicators.ecdf
    problems, suites = (_words(data, key) for key in ("problem", "suite"))
    shown_problems = display.short_names(problems, 40)
    words = {"algorithm": names, "problem": problems, "suite": suites}
    # the digest is another one where a result was made from other inputs
    inputs = {name: origin["inputs"] for name, origin in (data.get("origins") or {}).items() if origin}
    return {
        "name": study["name"],
        "title": shown(study["title"] or study["name"]),
        "id": f"s{number}",
        "algorithms": [
            {**_drawn(name, pens[name]), "source": in_sources.get(name, name), "aside": name in config.not_competing}
            for name in names
        ],
        "problems": [shown_problems[problem] for problem in problems],
        "problem_names": problems,
        "problem_shown": list(map(shown, problems)),
        "suites": list(map(shown, suites)),
        "attributes": _attributes(study["groups"], problems),
        "digest": hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:8],
        "groups": _groups(ecdf.groups, study["groups"], suites, problems),
        "measures": [_matrix(*one, words, store, "cost") for one in _by_measure(data.get("ratios"), config.measures, names)],
        "variants": [
            {
                "name": profile.name,
                "label": display.words(profile.name),
                "variant": profile.entry.name,
                "tau": profile.entry.tau,
                "computed": computes(profile),
                "by": list(profile.by),
                "measures": list(profile.measures or []),
                "weights": profile.weights or "equal",
                "tau_max": profile.tau_max,
                "unsolved": profile.unsolved,
            }
            for profile in profiles
        ],
        "given": _given(data, config, names, store),
        "ecdf": _ecdf(data.get("ecdf"), words, store),
        "ecdf_free": _free(ecdf.restarts, ecdf.weight, ecdf.scale, ecdf.targets),
        "value_ecdf": [
            {
                "name": name,
                "label": measure.called or display.words(name),
                "free": _free(0, ecdf.weight, measure.scale, measure.budgets),
                **curves,
            }
            for name, rows in (data.get("value_ecdf") or {}).items()
            for measure in [config.measures.get(name, UNKNOWN)]
            if (curves := _ecdf(rows, words, store))
        ],
        "ecdf_x": ecdf.x,
        # pairs of problem and target that weigh by their trials: a mean of curves would weigh them the same
        "ecdf_pooled": ecdf.weight == "pooled",
        "indicators": [
            # the page takes ERT for fixed targets, the median otherwise, and the smallest for the best
            _matrix(rows, name, measure, words, store, "ert" if rows["ert"].notna().all() else "median")
            for rows, name, measure in _by_measure(data.get("indicators"), config.measures, names)
            if rows["larger"].isna().all()
        ],
        "tests": [{**row, "words": display.method_name(row["method"])} for row in _rows(data.get("tests"))],
        "ranks": [{**row, "algorithm": names.index(row["algorithm"])} for row in _rows(data.get("ranks"))],
        "comparisons": _comparisons(data.get("comparisons"), names, store),
        "verdicts": {name: list(map(shown, paragraphs)) for name, paragraphs in study["verdicts"].items()},
        # what the page needs to test what a reader chooses
        "cluster_keys": list(config.cluster_keys),
        "families": _families(data.get("families"), words["problem"]),
        "alpha": config.inference.alpha,
        "design": config.inference.design,
        "ingest": {
            "sources": len(reports),
            "irregularities": sum(len(report.get("irregularities") or []) for report in reports),
            "missing": sum(report["trials"].get("missing") or 0 for report in reports),
        },
        "runs": (study["evidence"]["runs"] or [None])[0],
    }


def _families(families: pa.Table | None, problems: Sequence[str]) -> list[int]:
    """Return the family of each problem, numbered from 0; where none was found each is its own."""
    (key,) = keys.resolved([keys.FAMILY], families)
    number: dict[Any, int] = {}
    return [number.setdefault(keys.value({"problem": problem}, key), len(number)) for problem in problems]


def _free(restarts: int, weight: str, scale: str, levels: Sequence[float]) -> Packed:
    """Return what curves at other targets or budgets are made from, or `why` there are none."""
    if restarts:
        return {"why": "the curves have simulated restarts, which the workflow alone draws"}
    return {"weight": weight, "scale": scale, "levels": list(levels)}


def _words(data: Data, column: str) -> list[str]:
    """Return the distinct values of a text key in the tables, one of which is stored by measure, in natural order."""
    tables = [*(data.get(name) for name in ("ratios", "ecdf", "indicators")), *(data.get("value_ecdf") or {}).values()]
    words = (table.column(column).cast(pa.string()).unique().drop_null().to_pylist() for table in tables if table is not None)
    return sorted({*chain.from_iterable(words)}, key=natural_key)


def _drawn(name: str, pen: Pen) -> Packed:
    drawn = {key: getattr(pen, key) for key in ("label", "colour", "marker", "filled")}
    return {**drawn, "name": name, "title": shown(name), "dashes": list(pen.dashes)}


def _attributes(groups: Mapping[str, Mapping[str, Sequence[str]]], problems: Sequence[str]) -> list[Packed]:
    """Return the attributes of problems that are numbers: `name`, and `values` by problem, None for those without."""
    attributes = []
    for name, members in groups.items():
        values_of = {problem: value for value, own in members.items() for problem in own}
        values = pd.to_numeric(pd.Series(values_of, dtype=object), errors="coerce")
        if len(members) > 1 and values.notna().all():
            attributes.append({"name": shown(name), "values": list(map(values.astype(float).to_dict().get, problems))})
    return attributes


def _groups(
    configured: Any, attributes: Mapping[str, Mapping[str, Sequence[str]]], suites: Sequence[str], problems: Sequence[str]
) -> list[Packed]:
    """Return the groups that the study names (else those of BBOB), and those of its attributes."""
    named = {f"{name}: {value}": own for name, values in attributes.items() for value, own in values.items()}
    if isinstance(configured, Mapping):
        named = named if named_groups.is_attribute(configured) else {**configured, **named}
    elif name := named_groups.of_suites(suites):
        of_suite = named_groups.members(name, problems)
        named = {**of_suite, **named} if {one for own in of_suite.values() for one in own} == set(problems) else named
    problems_of = {name: np.flatnonzero(np.isin(problems, list(own))).tolist() for name, own in named.items()}
    return [{"label": shown(name), "problems": own} for name, own in problems_of.items() if own]


def point_of(row: Row, measure: Measure = UNKNOWN) -> Packed:
    """Return the target or the budget of a row with its words (the measure may title targets).

    `all` where it has neither.
    """
    if row["target"] is not None:
        return {"target": row["target"], "label": shown(target_title(row, [measure]))}
    if row["at_budget"] is not None:
        return {"at_budget": row["at_budget"], "label": f"budget {display.target(row['at_budget'])}"}
    return {"label": "all"}


def _by_measure(
    table: pa.Table | None, measures: Mapping[str, Measure], names: Sequence[str]
) -> list[tuple[pd.DataFrame, str, Measure]]:
    data = frame(table)
    # one without any trial is none of the page's algorithms
    data = data[data["algorithm"].isin(names)] if len(data) else data
    groups = data.groupby("measure", observed=True, sort=False) if len(data) else ()
    return [(rows, str(name), measures.get(str(name), UNKNOWN)) for name, rows in groups]


def _places(column: pd.Series, words: Sequence[str]) -> Index:
    """Return the position of each word in `words`; -1 for an empty key."""
    return np.asarray(column.cat.set_categories(words).cat.codes, np.int64)


def _matrix(rows: Frame, name: str, measure: Measure, words: Mapping[str, Sequence[str]], store: Store, value: str) -> Packed:
    """Put a measure into matrices of algorithms by problems; a cell without a trial is NaN."""
    column, cells = numbered(rows, ["suite", "problem", "dimension", "instance", *_POINT])
    level, levels = numbered(cells, _POINT)
    shape = (len(words["algorithm"]), len(cells))
    out: Packed = {
        "name": name,
        "label": measure.called or display.words(name),
        "kind": measure.kind.name or STATED,
        "aggregate": measure.aggregate or None,
        "missing": measure.missing,
        "per_dimension": measure.kind.values and measure.per_dimension,
        "statistic": value,
        "n": shape[1],
        "points": [point_of(row, measure) for row in records(levels)],
    }
    if shape[0] * shape[1] > MOST_CELLS:
        return {**out, "too_large": shape[0] * shape[1]}
    algorithm = _places(rows["algorithm"], words["algorithm"])

    def spread(name: str, empty: float | int) -> npt.NDArray[Any]:
        matrix = np.full(shape, empty)
        matrix[algorithm, column] = rows[name].to_numpy()
        return matrix

    counts = {name: spread(name, 0) for name in ("n_trials", "n_successes")}
    instances = cells["instance"].cat.remove_unused_categories()
    excluded = np.zeros(len(cells), bool)
    if value == "cost":
        # problems that a measure leaves out, whichever algorithms are compared
        named = rows["problem"].isin(list(map(str, measure.exclude)))
        of_cell = pd.DataFrame({"included": rows["included"], "named": named}).groupby(column).last()
        excluded = ~of_cell["included"] & (of_cell["named"] | (counts["n_trials"][np.unique(algorithm)] > 0).all(axis=0))
    return {
        **out,
        **{key: store.put(_places(cells[key], words[key]), "i") for key in ("suite", "problem")},
        "dimension": store.put(cells["dimension"].fillna(-1), "i"),
        "instance": store.put(instances.cat.codes, "i"),
        "instances": [shown(word) for word in instances.cat.categories],
        "point": store.put(level, "i"),
        "value": store.put(spread(value, np.nan)),
        **{name: store.counts(matrix) for name, matrix in counts.items()},
        "excluded": np.flatnonzero(excluded).tolist(),
    }


def _given(data: Data, config: Settings, algorithms: Sequence[str], store: Store) -> list[Packed]:
    """Return curves and measures of the variants that the page shows as they are, by measure, variant and panel."""
    if "profiles" not in data:
        return []
    variants = [one.name for one in config.profiles if not computes(one) or one.bands]
    panel_keys = [
        name for name in schema.TABLES["profiles"].names if name not in {"tau", "rho", "rho_low", "rho_high", "algorithm"}
    ]
    curves = data["profiles"]
    curves = frame(curves.filter(pc.is_in(curves["variant"].cast(pa.string()), pa.array(variants, pa.string()))))
    rows_of: dict[Any, list[Packed]] = {}
    for row in _rows(data.get("profile_measures")):
        values = {column: row[column] for column in _SHOWN if column in row}
        rows_of.setdefault(tuple(row[key] for key in panel_keys), []).append(
            {"algorithm": algorithms.index(row["algorithm"]), **values}
        )
    entries = []
    for row, rows in groups(curves, panel_keys):
        mine = ordered(rows, ["algorithm"])
        sizes = mine.groupby("algorithm", observed=True).size()
        entries.append(
            {
                "measure": row["measure"],
                "variant": row["variant"],
                "label": shown(at(row, config.measures.get(row["measure"], UNKNOWN))),
                "algorithms": list(map(algorithms.index, sizes.index)),
                "starts": [0, *sizes.cumsum().tolist()],
                "tau": store.put(mine["tau"]),
                "rho": store.put(mine["rho"]),
                **_band(mine, "rho", store),
                "rows": rows_of.get(tuple(row.values()), []),
            }
        )
    return entries


def _band(rows: Frame, name: str, store: Store) -> dict[str, int]:
    """Return both ends of the band around a column, where there is one."""
    ends = {end: rows[f"{name}_{end}"] for end in ("low", "high")}
    return {} if rows[f"{name}_low"].isna().all() else {end: store.shares(column) for end, column in ends.items()}


def _plain(value: Any) -> Any:
    """Write infinities and NaN as text."""
    if isinstance(value, float) and not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _ecdf(table: pa.Table | None, words: Mapping[str, Sequence[str]], store: Store) -> Packed | None:
    """Return the curves that fit into the page, or None without any.

    Of thinned curves the first row in each interval of `step` is kept, and the last: a curve is nowhere more than `step` too
    low and nowhere too high. `left_out` counts the steps of the curves that are not carried, by kind.
    """
    if table is None:
        return None
    table = table.filter(pc.is_in(table.column("aggregation").cast(pa.string()), pa.array(_AGGREGATIONS)))
    if not table.num_rows:
        return None
    data = frame(table)
    curve, curves = numbered(data, _CURVE)
    order = np.argsort(curve, kind="stable")
    curve, data = curve[order], data.iloc[order]
    first = np.diff(curve, prepend=-1) > 0
    last = np.append(first[1:], True)
    if (np.diff(data["x"], prepend=0.0)[~first] < 0).any():
        return None  # values to be maximised fall from step to step; the page draws steps that rise
    kinds = curves["aggregation"].cat.set_categories(_AGGREGATIONS).cat.remove_unused_categories()
    kind = kinds.cat.codes.to_numpy()[curve]
    over_functions = curves["aggregation"].isin(_AGGREGATIONS[:2]).to_numpy()[curve]
    kept, step = np.ones(len(data), bool), 0.0
    for step in _THINNING if len(data) > MOST_STEPS else ():
        interval = np.floor(data["fraction"].to_numpy() / step)
        kept = first | last | np.append(True, interval[1:] != interval[:-1])
        if kept[over_functions].sum() <= MOST_STEPS:
            break
    steps = np.bincount(kind, weights=kept)
    fit = np.cumsum(steps) <= MOST_STEPS
    left_out = pd.Series(steps[~fit], kinds.cat.categories[~fit], dtype=int).to_dict()
    kept &= fit[kind]
    carried = fit[kinds.cat.codes.to_numpy()]
    curves, kinds = curves[carried], kinds[carried].cat.remove_unused_categories()
    aggregations = list(kinds.cat.categories)
    if not aggregations:
        return None
    return {
        "step": step,
        "left_out": left_out,
        "aggregations": aggregations,
        "aggregation": kinds.cat.codes.tolist(),
        **{key: _places(curves[key], words[key]).tolist() for key in ("suite", "problem", "algorithm")},
        "dimension": curves["dimension"].fillna(-1).tolist(),
        "size": np.bincount(curve[kept], minlength=len(carried))[carried].tolist(),
        "x": store.put(data["x"][kept]),
        "fraction": store.put(data["fraction"][kept]),
        **_band(data[kept], "fraction", store),
    }


def _rows(table: pa.Table | None) -> list[Packed]:
    return [{key: _plain(value) for key, value in row.items()} for row in (table.to_pylist() if table is not None else [])]


def _comparisons(table: pa.Table | None, algorithms: Sequence[str], store: Store) -> list[Packed]:
    """Return all pairs as columns, by measure, method, point and stratum."""
    return [
        {
            **{key: row[key] for key in ("measure", "method", "correction")},
            "words": display.comparison_name(row["method"]),
            "by": CORRECTIONS[row["correction"]].words if row["correction"] in CORRECTIONS else row["correction"],
            "point": point_of(row),
            "stratum": row["stratum"],
            **{end: store.put(_places(rows[f"algorithm_{end}"], algorithms), "i") for end in "ab"},
            **{name: store.put(rows[name]) for name in ("difference", "p", "p_adjusted", "msd")},
            "significant": store.put(rows["significant"].eq(True), "h"),
        }
        for row, rows in groups(frame(table), ["measure", "method", "correction", *_POINT, "stratum"])
    ]
