"""Expected running times: one row per problem and target, one column per algorithm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.text import display, labels, limits
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import algorithms, frame, groups, ordered, records
from benchmill.text.measures import called


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of one measure: one section per suite and dimension.

    Shows medians where the measure has no expected running times. The best of a row are marked, judged on unrounded values; a
    star marks who is better than every other algorithm, as in COCO (table `rank_sums`). Shown are the targets of
    `indicators.ert.shown`, by default the first, the middle and the last.
    """
    measure = settings["measure"]["name"]
    own = data["indicators"].filter(pc.equal(data["indicators"].column("measure"), measure))
    value = "ert" if own.column("ert").null_count < own.num_rows else "median"
    targets = sorted(pc.unique(own.column("target").drop_null()).to_pylist(), reverse=True)
    chosen = _chosen(targets, ((settings.get("indicators") or {}).get("ert") or {}).get("shown") or [])
    # a large study has many targets: no more becomes rows than is shown
    shown = pc.or_(pc.is_null(own.column("target")), pc.is_in(own.column("target"), pa.array(chosen, pa.float64())))
    found = frame(own.filter(shown).select(list(dict.fromkeys([*_COLUMNS, value]))))
    names = sorted({*algorithms(data), *pc.unique(own.column("algorithm")).to_pylist()}, key=natural_key)
    shown_names = display.short_names(names, 24)
    tests = frame(data.get("rank_sums"), measure) if value == "ert" else pd.DataFrame()
    rows = ordered(_with_stars(found, tests), _LINE)
    if settings.get("layout") == "blocks":
        aside = settings.get("not_competing") or ()
        caption = _caption(value, called(settings["measure"]), targets, chosen, found, tests, aside, blocks=True)
        return _blocks(rows, shown_names, settings["measure"], caption)
    rows = rows.assign(line=(~rows.duplicated(_LINE)).cumsum())
    judged = rows[value].where(rows[value].abs() < math.inf)
    if value == "ert":
        judged = judged.where(rows["n_successes"] > 0)
    rows["best"] = rows[value] == judged.groupby(rows["line"]).transform("min")
    rows["cell"] = [_cell(row, value) for row in records(rows)]
    wide = rows.pivot(index="line", columns="algorithm", values="cell")
    written = {name: wide[name].to_dict() for name in wide.columns}
    keys = [key for key in ("instance", "target", "at_budget") if found[key].notna().any()]
    several_suites = found["suite"].nunique(dropna=False) > 1
    sections = []
    for group, members in groups(rows, _LINE[:2]):
        lines = []
        for row in records(members.drop_duplicates("line")):
            cells = [written[name].get(row["line"]) if name in written else None for name in names]
            # a cell that pivoting made is no number
            own_cells = [cell if isinstance(cell, Cell) else Cell(display.ABSENT) for cell in cells]
            lines.append((_name(row["problem"], 24), *(_KEYS[key](row[key]) for key in keys), *own_cells))
        heading = [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
        if several_suites or not heading:
            heading.insert(0, display.short_names([group["suite"]])[group["suite"]] if group["suite"] is not None else "")
        sections.append(Section(", ".join(h for h in heading if h), tuple(lines)))
    columns = [Column("problem", "l", "problem", key=True)]
    columns += [Column("inst.", "l", "instance of the problem", key=True)] if "instance" in keys else []
    columns += [Column("target", "r", "value to reach", key=True)] if "target" in keys else []
    columns += [Column("budget", "r", "budget at which the value is read", key=True)] if "at_budget" in keys else []
    columns += [Column(shown_names[name], "r", _MEANING[value]) for name in names]
    return Table(
        name=f"ert_{labels.file_name(measure)}",
        title=f"{_TITLE[value]}, measure {called(settings['measure'])}",
        caption=_caption(value, called(settings["measure"]), targets, chosen, found, tests, settings.get("not_competing") or ()),
        columns=tuple(columns),
        sections=tuple(sections),
        place="appendix",
    )


#: What stands in the cells, by whether the table is of blocks.
_CELLS = {
    False: "The best of each row is bold. Successes/trials stand in brackets where a trial failed; ∞: no success.",
    True: "A block for each problem: the first row is the smallest of any algorithm to each target, in evaluations; below, each "
    "algorithm has the multiple of it that it needs (bold: it is the smallest; ∞: no success), and at the end successes/trials "
    "at the last target.",
}


def _blocks(rows: pd.DataFrame, shown_names: Mapping[str, str], measure: Mapping[str, Any], caption: str) -> Table:
    """Lay the table out as COCO does: for each problem targets as columns, and algorithms as rows."""
    targets = sorted(rows["target"].dropna().unique(), reverse=True)
    several = rows["suite"].nunique(dropna=False) > 1
    sections = []
    for group, members in groups(rows, ["suite", "dimension", "problem", "instance"]):
        reached = members[members["n_successes"] > 0]
        smallest = reached.groupby("target")["ert"].min().to_dict()
        cells = {(row["algorithm"], row["target"]): row for row in records(members)}
        tried = set(members.loc[members["n_trials"] > 0, "target"])
        best = {target: smallest.get(target, math.inf) if target in tried else None for target in targets}
        first = (Cell("best ERT"), *(Cell(display.number(best[target]), best[target]) for target in targets), Cell(""))
        lines = [first]
        for name, shown in shown_names.items():
            last = cells.get((name, targets[-1]))
            trials = f"{last['n_successes']}/{last['n_trials']}" if last and last["n_trials"] else display.ABSENT
            own = [_multiple(cells.get((name, target)), smallest.get(target)) for target in targets]
            lines.append((Cell(shown), *own, Cell(trials)))
        heading = [_name(group["suite"], 24).text] if several else []
        heading += [_name(group["problem"], 24).text]
        heading += [f"instance {_name(group['instance'], 12).text}"] if group["instance"] is not None else []
        heading += [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
        sections.append(Section(", ".join(heading), tuple(lines)))
    columns = [Column("algorithm", "l", key=True)]
    columns += [Column(display.target(t), "r", "ERT to the target, over the smallest of any algorithm") for t in targets]
    columns += [Column("succ.", "r", "successes and trials at the last target")]
    return Table(
        name=f"ert_{labels.file_name(measure['name'])}",
        title=f"{_TITLE['ert']}, measure {called(measure)}",
        caption=caption,
        columns=tuple(columns),
        sections=tuple(sections),
        place="appendix",
    )


def _multiple(row: Mapping[str, Any] | None, smallest: float | None) -> Cell:
    # nothing tried, or what failures spent is not known
    if row is None or not row["n_trials"] or (row["n_successes"] and row["ert"] is None):
        return Cell(display.ABSENT)
    if not row["n_successes"] or not smallest:
        return Cell("∞", math.inf)
    ratio = row["ert"] / smallest
    return Cell(display.number(ratio, 2) + row["star"], ratio, ratio == 1)


#: Of `indicators`, what cells and captions are made from, beside the value that is shown.
_COLUMNS = (
    *("suite", "problem", "dimension", "instance", "algorithm", "target", "at_budget"),
    *("n_trials", "n_successes", "n_missing", "ert", "ert_low", "ert_high", "budget_rule"),
    "failure_budget",
)
#: What makes a line; the first two make a section.
_LINE = ["suite", "dimension", "problem", "instance", "target", "at_budget"]
_TITLE = {"ert": "Expected running times", "median": "Median costs"}
_MEANING = {
    "ert": "expected running time",
    "median": "median cost; for failures see the caption",
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


def _with_stars(data: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Add a column `star`: the mark of an algorithm that is better than all others on a problem and target."""
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
    marks["star"] = pd.Series(["*" + (display.raised(power) if power > 1 else "") for power in powers], marks.index, object)
    return data.merge(marks, on=[*point, "algorithm"], how="left").fillna({"star": ""})


def _cell(row: Mapping[str, Any], value: str) -> Cell:
    if not row["n_trials"]:
        return Cell(display.ABSENT)
    text = display.measured(row["ert"], row["ert_low"], row["ert_high"]) if value == "ert" else display.number(row[value])
    text += row["star"]
    if row["n_successes"] < row["n_trials"]:
        text += f" ({row['n_successes']}/{row['n_trials']})"
    return Cell(text, row[value], row["best"])


def _name(name: str | None, limit: int) -> Cell:
    return Cell(display.ABSENT if name is None else display.short_names([name], limit)[name])


def _value(value: float | None) -> Cell:
    return Cell(display.target(value), value)


#: How the keys of a line are written, beside the problem.
_KEYS: dict[str, Callable[[Any], Cell]] = {"instance": lambda name: _name(name, 12), "target": _value, "at_budget": _value}


def _stopped(rows: pd.DataFrame) -> str:
    """Say which algorithms failed after less than the expected running time of another one."""
    longest = (
        rows["ert"]
        .where(np.isfinite(rows["ert"]))
        .groupby([rows[key] for key in _LINE], dropna=False, observed=True)
        .transform("max")
    )
    early = (rows["n_successes"] == 0) & (rows["failure_budget"] < longest)
    lines = int((~rows.duplicated(_LINE)).sum())
    return limits.stopped(early.groupby(rows["algorithm"].astype(str), sort=False).sum().to_dict(), lines, "row")


def _caption(
    value: str,
    measure: str,
    targets: Sequence[float],
    chosen: Sequence[float],
    rows: pd.DataFrame,
    tested: pd.DataFrame,
    not_competing: Sequence[str],
    *,
    blocks: bool = False,
) -> str:
    charged = _CHARGED[next(iter(rows["budget_rule"].dropna()), "own")]
    if value == "ert":
        head = f"Expected running time (ERT){', in evaluations' if targets else ''}, measure {measure}"
    else:
        head = f"{value.capitalize()} cost over the trials, {charged}, measure {measure}"
    said = _stopped(rows) if value == "ert" else ""
    parts = [said] if said else []
    parts.append(f"{head}. {_CELLS[blocks]}")
    if not blocks and value == "ert" and rows["ert_low"].notna().any():
        parts.append("Values are rounded to the second digit of half their interval, to two digits at least and four at most.")
    if not blocks and value == "ert" and (rows["ert"].isna() & (rows["n_trials"] > 0)).any():
        parts.append("A dash with successes/trials behind it: what a failure spent is not known.")
    if len(tested):
        best = f"the best without {display.listed(not_competing)} (not competing)" if not_competing else "the best"
        cells = display.plural(int(tested["n_cells"].iloc[0]), "cell")
        parts.append(
            f"A star: {best} is better than every other algorithm there by rank-sum tests (p at most "
            f"{display.target(tested['alpha'].iloc[0])} after Bonferroni’s correction over all {cells} of problems, dimensions "
            "and targets); *ᵏ: at most 10⁻ᵏ."
        )
    if len(chosen) < len(targets):
        parts.append(
            f"Shown are {len(chosen)} of {len(targets)} targets ({display.listed([display.target(t) for t in chosen])}); the "
            "file of indicators has all."
        )
    missing = int(rows["n_missing"].sum())
    if missing:
        parts.append(f"Over the rows shown {display.plural(missing, 'trial is', 'trials are')} missing and count neither way.")
    return " ".join(parts)
