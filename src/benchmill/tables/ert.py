"""Expected running times: a row a problem and target, a column an algorithm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.tables.select import best_of, grouped, name_cell, rows_of
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table


def build(
    indicators: pa.Table, measure: str, settings: Mapping[str, Any] | None = None, rank_sums: pa.Table | None = None
) -> Table:
    """Make the table of one measure.

    Shows the expected running time where the measure has one, else (fixed budgets, stated costs) the
    median. Where not all trials succeeded, successes and trials stand behind the value. The best of a
    row is marked, ties all of them, judged on unrounded values; a row that nobody solved has no best. A star stands behind it
    where it is better than every other algorithm, as in COCO. Values have the digits that their bootstrap interval leaves them.

    Parameters
    ----------
    indicators : pyarrow.Table
        `indicators` of all sources of the study.
    measure : str
        Rows of other measures are passed over.
    settings : mapping, optional
        `algorithms` (columns; default: all found), `shown` (targets to show; default or empty: the
        first, the middle and the last where there are more than three), `value` (column to show).
    rank_sums : pyarrow.Table, optional
        The tests behind the stars; none without it.

    Returns
    -------
    Table
        One section a suite and dimension. A cell without any trial is an en dash.
    """
    settings = settings or {}
    own = indicators.filter(pc.equal(indicators.column("measure"), measure))
    found = set(pc.unique(own.column("algorithm")).to_pylist())
    names = sorted({*(settings.get("algorithms") or []), *found}, key=natural_key)
    shown_names = display.short_names(names, 24)
    value = settings.get("value") or ("ert" if own.column("ert").null_count < own.num_rows else "median")
    targets = sorted(pc.unique(own.column("target").drop_null()).to_pylist(), reverse=True)
    chosen = _chosen(targets, settings.get("shown") or [])
    # a large study has many targets: no more becomes rows than is shown
    shown = pc.or_(pc.is_null(own.column("target")), pc.is_in(own.column("target"), pa.array(chosen, pa.float64())))
    rows = rows_of(own.filter(shown).select(list(dict.fromkeys([*_COLUMNS, value]))))
    tests = _stars(rank_sums, measure) if value == "ert" else {}
    several_suites = len({row["suite"] for row in rows}) > 1
    by_instance = any(row["instance"] is not None for row in rows)
    by_target = any(row["target"] is not None for row in rows)
    by_budget = any(row["at_budget"] is not None for row in rows)
    sections = []
    for group, members in grouped(rows, ["suite", "dimension"]):
        lines = []
        for key, cells in grouped(members, ["problem", "instance", "target", "at_budget"]):
            line = [name_cell(key["problem"], limit=24)]
            line += [name_cell(key["instance"], limit=12)] if by_instance else []
            line += [Cell(display.target(key["target"]), key["target"])] if by_target else []
            line += [Cell(display.target(key["at_budget"]), key["at_budget"])] if by_budget else []
            point = (group["suite"], group["dimension"], key["problem"], key["instance"], key["target"])
            lines.append((*line, *_values(cells, names, value, tests.get(point, {}))))
        heading = [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
        if several_suites or not heading:
            heading.insert(0, display.short_names([group["suite"]])[group["suite"]] if group["suite"] is not None else "")
        sections.append(Section(", ".join(h for h in heading if h), tuple(lines)))
    columns = [Column("problem", "l", "problem", key=True)]
    columns += [Column("inst.", "l", "instance of the problem", key=True)] if by_instance else []
    columns += [Column("target", "r", "value to reach", key=True)] if by_target else []
    columns += [Column("budget", "r", "budget at which the value is read", key=True)] if by_budget else []
    columns += [Column(shown_names[name], "r", _MEANING[value]) for name in names]
    return Table(
        name=f"ert_{labels.file_name(measure)}",
        title=f"{_TITLE[value]}, measure {display.words(measure)}",
        caption=_caption(value, measure, targets, chosen, rows, rows_of(rank_sums, measure)[:1]),
        columns=tuple(columns),
        sections=tuple(sections),
        place="appendix",
    )


#: Of `indicators`, what cells and captions are made from, beside the value that is shown.
_COLUMNS = (
    *("suite", "problem", "dimension", "instance", "algorithm", "target", "at_budget"),
    *("n_trials", "n_successes", "n_missing", "ert", "ert_low", "ert_high", "budget_rule"),
)
_TITLE = {"ert": "Expected running times", "median": "Median costs", "mean": "Mean costs"}
_MEANING = {
    "ert": "expected running time, in evaluations",
    "median": "median cost; for failures see the caption",
    "mean": "mean cost; for failures see the caption",
}
#: How a failure counts, by the budget rule of the indicators.
_CHARGED = {
    "own": "a failure with its own budget",
    "max": "a failure with the largest budget of the algorithm on the problem",
    "common": "all trials cut at one common budget",
}


def _chosen(targets: Sequence[float], wanted: Sequence[float]) -> list[float]:
    if wanted:
        return [t for t in targets if any(abs(t - w) <= 1e-12 * abs(w) for w in wanted)]
    return list(targets) if len(targets) <= 3 else [targets[0], targets[len(targets) // 2], targets[-1]]


def _stars(rank_sums: pa.Table | None, measure: str) -> dict[tuple[Any, ...], dict[str, str]]:
    """By problem and target the mark of the best algorithm, if it is better than all others."""
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows_of(rank_sums, measure):
        found.setdefault(tuple(row[key] for key in ("suite", "dimension", "problem", "instance", "target")), []).append(row)
    marks = {}
    for point, rows in found.items():
        p = max(row["p_adjusted"] for row in rows)
        if all(row["significant"] for row in rows):
            # a power of ten that is reached exactly counts, whatever the logarithm rounds to
            power = math.floor(-math.log10(p) + 1e-9) if p > 0 else 9
            marks[point] = {rows[0]["best"]: "*" + (display.raised(power) if power > 1 else "")}
    return marks


def _values(cells: Sequence[Mapping[str, Any]], names: Sequence[str], value: str, stars: Mapping[str, str]) -> list[Cell]:
    found = {cell["algorithm"]: cell for cell in cells}
    solved = [cell[value] for cell in cells if value != "ert" or cell["n_successes"]]
    best = best_of(solved)
    line = []
    for name in names:
        cell = found.get(name)
        if cell is None or not cell["n_trials"]:
            line.append(Cell(display.ABSENT))
            continue
        text = display.measured(cell["ert"], cell["ert_low"], cell["ert_high"]) if value == "ert" else display.number(cell[value])
        text += stars.get(name, "")
        if cell["n_successes"] < cell["n_trials"]:
            text += f" ({cell['n_successes']}/{cell['n_trials']})"
        line.append(Cell(text, cell[value], best is not None and cell[value] == best))
    return line


def _caption(
    value: str,
    measure: str,
    targets: Sequence[float],
    chosen: Sequence[float],
    rows: Sequence[Mapping[str, Any]],
    tested: Sequence[Mapping[str, Any]],
) -> str:
    charged = _CHARGED[next((row["budget_rule"] for row in rows if row["budget_rule"]), "own")]
    if value == "ert":
        head = (
            f"Expected running time (ERT), in evaluations, "
            f"for the measure {display.words(measure)}: evaluations of all trials until the "
            f"target, {charged}, over the number of successes"
        )
    else:
        head = f"{value.capitalize()} cost over the trials, {charged}, for the measure {display.words(measure)}"
    parts = [f"{head}. The best of each row is bold. Successes/trials stand in brackets where a trial failed; ∞: no success."]
    if value == "ert" and any(row["ert_low"] is not None for row in rows):
        parts.append("Values are rounded to the second digit of half their bootstrap interval, to four digits at most.")
    if value == "ert" and tested:
        parts.append(
            "A star: the best is better than every other algorithm on that problem and target, by pairwise two-sided rank-sum "
            "tests on the trials, the largest p times the number of problems (of the dimension and target, solved by any; "
            f"Bonferroni) being at most {display.target(tested[0]['alpha'])}; *ᵏ: at most 10⁻ᵏ. Trials are compared up to the "
            "smallest budget of a failure of the two; those undecided there are tied."
        )
    if len(chosen) < len(targets):
        parts.append(
            f"Shown are {len(chosen)} of {len(targets)} targets ({display.listed([display.target(t) for t in chosen])}); the "
            "file of indicators has all."
        )
    missing = sum(row["n_missing"] for row in rows)
    if missing:
        parts.append(f"Over the rows shown {display.plural(missing, 'trial is', 'trials are')} missing and count neither way.")
    return " ".join(parts)
