"""Tables of indicators: expected running times, areas under curves, quantiles of costs, and restricted means of running times."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import beside, keys, natural_key, replicates, shown
from benchmill.core.limits import costs_of
from benchmill.exhibits.tables.fields import Field, Results, columns, exhibit, kinds, section
from benchmill.exhibits.tables.verdicts import opened
from benchmill.text import display, labels, limits
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import (
    Frame,
    Row,
    algorithms,
    at,
    best,
    frame,
    groups,
    head,
    n_missing,
    named,
    numbered,
    ordered,
    records,
)
from benchmill.text.measures import Measure

#: Of `indicators`, what cells and captions are made from, beside the value that is shown; what makes a line of which the first
#: two make a section; what tells curves apart, beside the algorithm; what makes a problem; and how all that is said.
_COLUMNS, _LINE, _PANEL, _PROBLEM, _MEANING, _CHARGED, _HEADING, _QUANTILES = beside.toml(__file__).values()


def ert(results: Results) -> Table:
    """Make the table of one measure: one section per suite and dimension; medians where there are no ERTs.

    The best of a row is marked, judged on unrounded values; a star marks who beats every other one, as in COCO. Of many targets
    it shows the first, the middle and the last, unless some are asked for.
    """
    data, about, asked = results.data, results.about, results.about.asked
    own = data["indicators"].filter(pc.equal(data["indicators"].column("measure"), about.measure.name))
    value = "ert" if own.column("ert").null_count < own.num_rows else "median"
    targets = sorted(pc.unique(own.column("target").drop_null()).to_pylist(), reverse=True)
    few = len(targets) <= 3 or (asked and asked.targets)
    chosen = targets if few else [targets[0], targets[len(targets) // 2], targets[-1]]
    # a large study has many targets: no more becomes rows than is shown
    shown = pc.or_(pc.is_null(own.column("target")), pc.is_in(own.column("target"), pa.array(chosen, pa.float64())))
    shown_rows = frame(own.filter(shown).select(list(dict.fromkeys([*_COLUMNS, value]))))
    names = sorted({*algorithms(data), *pc.unique(own.column("algorithm")).to_pylist()}, key=natural_key)
    tests = results.rows("rank_sums" if value == "ert" else "")
    is_open = data.get("verdicts") is None or opened(data["verdicts"])
    rows = ordered(_with_stars(shown_rows, tests if is_open else tests[:0]), _LINE)
    blocks = asked if asked and asked.layout == "blocks" else None
    in_full = value == "ert" and not blocks
    caption = {
        "value": value,
        "stopped": _stopped(shown_rows) if value == "ert" else "",
        "charged": _CHARGED[next(iter(shown_rows["budget_rule"].dropna()), "own")],
        "targets": targets,
        "shown": chosen,
        "blocks": bool(blocks),
        "rounded": in_full and shown_rows["ert_low"].notna().any(),
        "unknown": in_full and (shown_rows["ert"].isna() & (shown_rows["n_trials"] > 0)).any(),
        "missing": n_missing(shown_rows),
        "tested": head(tests),
        "open": is_open,
        "not_competing": about.not_competing,
    }
    short = display.short_names(names, 24)
    if blocks:
        first = [name for name in names if name == about.control]
        order = blocks.algorithms or [*first, *(name for name in names if name not in first)]
        marked = {name: Cell(short.get(name, name), best=name in first) for name in order}
        return _blocks(rows, marked, about.measure, caption, 2 if blocks.width == "text" else 1)
    judged = rows[value].where(rows[value].abs() < math.inf)
    if value == "ert":
        judged = judged.where(rows["n_successes"] > 0)
    rows["best"] = rows[value] == judged.groupby(numbered(rows, _LINE)[0]).transform("min")
    rows["cell"] = [_cell(row, value) for row in records(rows)]
    without = [key for key in ("instance", "target", "at_budget") if shown_rows[key].isna().all()]
    # together, so that no two become the same
    problems, instances = (
        display.short_names(shown_rows[key].dropna().unique(), room) for key, room in (("problem", 24), ("instance", 12))
    )
    cut = {
        "problem": lambda row: problems[row["problem"]],
        "instance": lambda row: instances.get(row["instance"], display.ABSENT),
    }
    fields = [
        *columns("ert", of=cut, without=without),
        *(Field(Column(short[name], "r", _MEANING[value]), partial(_of_algorithm, name)) for name in names),
    ]
    sections = []
    for group, members in groups(rows, _LINE[:2]):
        lines = [{**line, "cells": dict(zip(own["algorithm"], own["cell"], strict=True))} for line, own in groups(members, _LINE)]
        heading = [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
        if shown_rows["suite"].nunique(dropna=False) > 1 or not heading:
            heading.insert(0, display.short(group["suite"]) if group["suite"] is not None else "")
        sections.append(section(", ".join(h for h in heading if h), fields, lines))
    return exhibit("ert", fields, sections, about.measure, **caption)


def _blocks(rows: Frame, names: Mapping[str, Cell], measure: Measure, caption: Row, beside: int) -> Table:
    """Lay the table out as the COCO platform does: for each problem targets are columns, and algorithms rows.

    So many blocks stand `beside` each other; `names` are what algorithms are called, in their order.
    """
    targets = sorted(rows["target"].dropna().unique(), reverse=True)
    keys = [
        key for key in ("suite", "problem", "instance", "dimension") if key == "problem" or rows[key].nunique(dropna=False) > 1
    ]
    sections_of_problems = []
    for group, members in groups(rows, ["suite", "dimension", "problem", "instance"]):
        smallest = members[members["n_successes"] > 0].groupby("target")["ert"].min().to_dict()
        cells = {(row["algorithm"], row["target"]): row for row in records(members)}
        tried = set(members.loc[members["n_trials"] > 0, "target"])
        best = [smallest.get(target, math.inf) if target in tried else None for target in targets]
        named = ", ".join(f"{group[key]}-D" if key == "dimension" else display.short(group[key], 12) for key in keys)
        block = [[Cell(named), *(Cell(_plainly(value, 3), value) for value in best), Cell(""), Cell("")]]
        for name, cell in names.items():
            last = cells.get((name, targets[-1]))
            trials = f"{last['n_successes']}/{last['n_trials']}" if last and last["n_trials"] else display.ABSENT
            own = [_multiple(cells.get((name, target)), smallest.get(target)) for target in targets]
            block.append([cell, *own, Cell(trials), Cell("")])
        sections_of_problems.append(block)
    half = -(-len(sections_of_problems) // beside)
    empty = [[Cell("")] * (len(targets) + 3)] * (len(names) + 1)
    sides = [sections_of_problems[i : i + half] for i in range(0, len(sections_of_problems), half)]
    sections = (
        # no gap behind the last
        Section("", tuple(tuple(chain.from_iterable(lines))[:-1] for lines in zip(*blocks, strict=True)))
        for blocks in zip_longest(*sides, fillvalue=empty)
    )
    head = "Δf" if measure.scale == "distance" or set(rows["suite"].dropna().astype(str)) == {"bbob"} else "target"
    columns = [
        Column(head, "l", "the problem with the smallest ERT of any algorithm, then the algorithms", key=True),
        *(Column(display.target(t), "r", "ERT to the target, over the smallest of any algorithm") for t in targets),
        Column("succ.", "r", "successes and trials at the last target"),
        Column("", "l"),
    ]
    return replace(exhibit("ert", (), sections, measure, **caption), columns=tuple(columns * len(sides))[:-1])


def _plainly(value: float | None, digits: int = 2) -> str:
    """Write a number to this many digits; up to a hundred thousand without a power of ten."""
    return (
        f"{float(f'{value:.{digits - 1}e}'):.0f}"
        if value is not None and 10**digits <= value < 1e5
        else display.number(value, digits)
    )


def _multiple(row: Row | None, smallest: float | None) -> Cell:
    # nothing tried, or what failures spent is not known
    if row is None or not row["n_trials"] or (row["n_successes"] and row["ert"] is None):
        return Cell(display.ABSENT)
    if not row["n_successes"] or not smallest:
        return Cell("∞", math.inf)
    ratio = row["ert"] / smallest
    return Cell(_plainly(ratio) + row["star"], ratio, ratio == 1)


def _of_algorithm(name: str, row: Row) -> Cell:
    cell: Cell = row["cells"].get(name, Cell(display.ABSENT))
    return cell


def _with_stars(data: Frame, tests: Frame) -> Frame:
    """Add a column `star`: who is better than all others on a problem and target."""
    if not len(tests):
        return data.assign(star="")
    point = ["suite", "dimension", "problem", "instance", "target"]
    # the largest p of a point decides for all algorithms there
    worst = tests.sort_values("p_adjusted", ascending=False, kind="stable").drop_duplicates(point)
    worst = worst[worst["significant"]]
    # a power of ten that is reached exactly counts, whatever the logarithm rounds to
    powers = [math.floor(-math.log10(p) + 1e-9) if p > 0 else 9 for p in worst["p_adjusted"]]
    marks = worst[[*point, "best"]].rename(columns={"best": "algorithm"})
    marks = marks.astype({key: data[key].dtype for key in marks.columns})
    # of text also where no algorithm is better than all others
    stars = ["*" + (display.raised(power) if power > 1 else "") for power in powers]
    marks = marks.assign(star=stars).astype({"star": object})
    return data.merge(marks, on=[*point, "algorithm"], how="left").fillna({"star": ""})


def _cell(row: Row, value: str) -> Cell:
    if not row["n_trials"]:
        return Cell(display.ABSENT)
    text = display.measured(row["ert"], row["ert_low"], row["ert_high"]) if value == "ert" else display.number(row[value])
    some = f" ({row['n_successes']}/{row['n_trials']})" if row["n_successes"] < row["n_trials"] else ""
    return Cell(f"{text}{row['star']}{some}", row[value], row["best"])


def _stopped(rows: Frame) -> str:
    """Say which algorithms failed after less than almost the longest run of another one took to succeed."""
    longest = rows["q98_successful"].groupby([rows[key] for key in _LINE], dropna=False, observed=True).transform("max")
    early = (rows["n_successes"] == 0) & (rows["failure_budget"] < longest) & rows["crashed"].isna()
    by = early.rename("n_stopped").groupby(rows["algorithm"].astype(str), sort=False).sum().reset_index().to_dict("records")
    return limits.differing(by, int((~rows.duplicated(_LINE)).sum()), "row")


def areas(results: Results) -> Table:
    """Make the table of the ECDF curves of one aggregation, the largest area first."""
    rows = frame(results.data["ecdf_curves"]).sort_values("area_log", ascending=False, kind="stable")
    fields = columns("ecdf", results.names(rows))
    sections = [
        section(
            named(group, (), _HEADING),
            fields,
            members,
            {name: best(members[name], largest=True) for name in ("solved", "area_log", "area")},
        )
        for group, members in groups(rows, _PANEL)
    ]
    first = rows.iloc[0]
    return exhibit("ecdf", fields, sections, first=first, **_averaged(str(first["aggregation"])))


def areas_of_values(results: Results) -> Table:
    """Make the table of the ECDF curves of values of one measure and aggregation."""
    rows = frame(results.data["value_ecdf_curves"])
    fields = columns("value_ecdf", results.names(rows))
    sections = (
        section(named(group, (), _HEADING), fields, members) for group, members in groups(rows, [*_PANEL[:-1], "at_budget"])
    )
    left_out = sum(origin.get("n_left_out", 0) for origin in results.data.get("origins", {}).values())
    return exhibit(
        "value_ecdf", fields, sections, results.measure, left_out=left_out, **_averaged(str(rows["aggregation"].iloc[0]))
    )


def _averaged(aggregation: str) -> Row:
    return {"aggregation": labels.file_name(aggregation), "over": display.words(aggregation)}


def quantiles(results: Results) -> Table:
    """Make the table of quantiles (type 7); failures are infinite."""
    costs, _ = costs_of(results.data["costs"], results.measure.name)
    problem_keys = [name for name in _PROBLEM if name in (results.about.problem_keys or _PROBLEM)]
    cell, cells = keys.cells(costs, [*problem_keys, "target", "at_budget"])
    rows = frame(costs).assign(cell=cell)
    fields = columns("quantiles", results.names(rows))
    sections = []
    for group, (_, members) in zip(cells.to_pylist(), rows.groupby("cell"), strict=True):
        rows_of_problem = [
            {
                **dict(zip(_QUANTILES, replicates.quantiles(own, list(_QUANTILES.values()))[:, 0].tolist(), strict=True)),
                "algorithm": name,
                "runs": len(own),
            }
            for name, own in members.groupby("algorithm", observed=True)["cost"]
        ]
        level = at({key: group[key] for key in ("target", "at_budget")}, results.measure)
        where = keys.described({key: shown(str(group[key])) if group[key] is not None else None for key in problem_keys})
        heading = where if level == "all problems" else f"{where}, {level}"
        sections.append(section(heading, fields, rows_of_problem, {"median": min(row["median"] for row in rows_of_problem)}))
    return exhibit("quantiles", fields, sections, results.measure)


def restricted_means(results: Results) -> Table:
    """Make the table: a section per suite, dimension and target, the smallest mean first and marked."""
    measure, rows = results.measure, results.rows("restricted_means")
    fields = columns("restricted_means", results.names(rows), {"interval": _interval})
    sections = []
    for group, members in groups(rows, ["suite", "dimension", "target", "horizon"]):
        # a mean that is not known says nothing of who is first
        least = {"mean": best(members["mean"])} if members["mean"].notna().all() else {}
        target = None if group["target"] is None else display.target(group["target"])
        where = keys.described({"suite": group["suite"], "dimension": group["dimension"], "target": target})
        until = (
            f"horizon {display.number(group['horizon'])}" if group["horizon"] else "no horizon: no run is known to end after 0"
        )
        heading = ", ".join(part for part in (where, until) if part)
        sections.append(section(heading, fields, members.sort_values("mean", kind="stable"), least))
    return exhibit(
        "restricted_means",
        fields,
        sections,
        measure,
        level=rows["level"].iloc[0] if len(rows) else None,
    )


def _interval(row: Row) -> str:
    if row["low"] is None or row["high"] is None:
        return display.ABSENT
    return f"{display.number(row['low'])} to {display.number(row['high'])}"


ENTRIES = kinds(ert=ert, restricted_means=restricted_means, quantiles=quantiles)
