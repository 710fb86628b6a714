"""Costs and failures of each solver on each instance."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from benchmill.registry.tables import Kind
from benchmill.tables.fields import columns, exhibit, spaced
from benchmill.tables.solver_runs import limits_told
from benchmill.text import display, labels, measures
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import Frame, best, frame, groups, records, short_names

#: Outcome of a failed run -> its letter and its meaning; a time limit that is known is printed instead.
_LETTERS = {
    "timeout": ("t", "time limit"),
    "memory": ("m", "memory limit"),
    "error": ("e", "error"),
    "wrong": ("w", "wrong answer"),
    "other": ("o", "failed otherwise"),
    "missing": (display.ABSENT, "no run"),
}
_INSTANCE = ["suite", "problem", "dimension", "instance"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one row per instance, one column per solver; below, means as multiples of the best, and runs solved."""
    measure = settings["measure"]
    runs, summary = (frame(data[name], measure["name"]) for name in ("solver_runs", "summary"))
    runs = runs[runs["role"] != "virtual_best"]
    of_all = summary[(summary["subset"] == "all") & (summary["unsolved"] == "limit") & (summary["role"] != "virtual_best")]
    solvers = sorted(
        records(of_all),
        key=lambda row: (row["role"] == "not_competing", row["rank"] is None, row["rank"] or 0.0, row["algorithm"]),
    )
    names = [row["algorithm"] for row in solvers]
    shown = short_names(data, names, 20)
    competing = {row["algorithm"] for row in solvers if row["role"] != "not_competing"}
    several = [key for key in _INSTANCE if key == "problem" or runs[key].nunique(dropna=False) > 1]
    lines = []
    for group, members in groups(runs, _INSTANCE):
        cells = {name: _cell(rows) for name, rows in members.groupby("algorithm", observed=True)}
        found = [cells.get(name, Cell(display.ABSENT)) for name in names]
        lines.append((Cell(_words(group, several)), *_marked(found, names, competing)))
    ratios = [Cell(display.number(row["sgm_ratio"]), row["sgm_ratio"]) for row in solvers]
    solved = [Cell(display.count(row["solved"]), row["solved"], True) for row in solvers]
    last = (
        (Cell("SGM, multiple of the best"), *ratios),
        (Cell("solved"), *_marked(solved, names, competing, largest=True)),
    )
    guests = display.listed([shown[name] for name in names if name not in competing])
    limits, letters = limits_told(of_all, shown), _letters(runs)
    table = exhibit(
        "times",
        columns("times"),
        (Section("", tuple(lines)), Section("all instances", last)) if lines else (),
        measure,
        unit=measures.with_unit(measure),
        limits=f"{limits} " if limits else "",
        letters=spaced(f"{letters}." if letters else ""),
        outside=f" Not competing: {guests}." if len(competing) < len(names) else "",
    )
    return replace(table, columns=(*table.columns, *(Column(shown[name], "r", name) for name in names)))


def _marked(cells: list[Cell], names: list[str], competing: Collection[str], largest: bool = False) -> list[Cell]:
    """Return the cells, of those that may be best the best one of a competing solver marked."""
    import pandas as pd

    own = [cell.value for cell, name in zip(cells, names, strict=True) if cell.best and name in competing]
    top = best(pd.Series(own, dtype=float), largest)
    return [replace(c, best=c.best and c.value == top and name in competing) for c, name in zip(cells, names, strict=True)]


def _cell(rows: Frame) -> Cell:
    """Return the mean of the runs on an instance; `best` where all solve it."""
    solved = rows["outcome"] == "solved"
    if not solved.any():
        return Cell("/".join(dict.fromkeys(map(_failure, records(rows)))))
    weights = rows.loc[solved, "weight"]
    mean = float((rows.loc[solved, "cost"] * weights).sum() / weights.sum())
    text = _time(mean)
    if solved.all():
        return Cell(text, mean, True)
    return Cell(f"{text} ({display.count(int(solved.sum()))}/{display.count(len(rows))})", mean)


def _failure(row: Mapping[str, Any]) -> str:
    if row["outcome"] == "timeout" and row["limit"] is not None:
        return f">{_time(row['limit'])}"
    return _LETTERS[row["outcome"]][0]


def _time(value: float) -> str:
    # without zeros that the source need not have stated
    return display.target(float(f"{value:.4g}"))


def _letters(runs: Frame) -> str:
    """Say what the letters that occur stand for."""
    failed = records(runs.loc[runs["outcome"] != "solved", ["outcome", "limit"]].drop_duplicates())
    there = {_failure(row) for row in failed}
    limits = ["> and a number: failed at that time limit"] if any(letter.startswith(">") for letter in there) else []
    return "; ".join(limits + [f"{letter}: {words}" for letter, words in _LETTERS.values() if letter in there])


def _words(group: Mapping[str, Any], several: list[str]) -> str:
    written = {"suite": "{}", "problem": "{}", "dimension": "{}-D", "instance": "instance {}"}
    return labels.shown(", ".join(written[key].format(group[key]) for key in several if group[key] is not None))


ENTRIES = (
    Kind(
        name="solver_times",
        words="every instance of solver runs",
        build=build,
        section="solver runs",
        file="times_{measure}",
        each="measure",
        tables=("solver_runs/{measure}", "summary/{measure}"),
        summarised=True,
    ),
)
