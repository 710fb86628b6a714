"""What each solver took on each instance, and how it failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.tables.solver_runs import limits_told
from benchmill.text import display, labels, measures
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import best, frame, groups, records, short_names

#: Outcome of a failed run -> its letter; a time limit that is known is printed instead.
_LETTERS = {"timeout": "t", "memory": "m", "error": "e", "wrong": "w", "other": "o", "missing": display.ABSENT}
_INSTANCE = ["suite", "problem", "dimension", "instance"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one row per instance, one column per solver, the smallest cost of a competing solver marked.

    Below stand the shifted geometric means as multiples of the best, and the runs solved.
    """
    measure, called = settings["measure"]["name"], measures.with_unit(settings["measure"])
    runs = frame(data["solver_runs"], measure)
    runs = runs[runs["role"] != "virtual_best"]
    summary = frame(data["summary"], measure)
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
        smallest = best(pd.Series([cell.value for name, cell in cells.items() if name in competing and cell.best], dtype=float))
        found = [cells.get(name, Cell(display.ABSENT)) for name in names]
        marked = [
            Cell(cell.text, cell.value, cell.best and cell.value == smallest and name in competing)
            for name, cell in zip(names, found, strict=True)
        ]
        lines.append((Cell(_words(group, several)), *marked))
    ratios = (Cell("SGM, multiple of the best"), *(Cell(display.number(row["sgm_ratio"]), row["sgm_ratio"]) for row in solvers))
    most = best(pd.Series([row["solved"] for row in solvers if row["algorithm"] in competing], dtype=float), largest=True)
    solved = [
        Cell(display.count(row["solved"]), row["solved"], row["solved"] == most and row["algorithm"] in competing)
        for row in solvers
    ]
    letters = "; ".join(f"{letter}: {words}" for letter, words in _meanings(runs))
    guests = [shown[name] for name in names if name not in competing]
    cut = limits_told(of_all, shown)
    outside = f" Not competing: {display.listed(guests)}." if guests else ""
    return Table(
        name=f"times_{labels.file_name(measure)}",
        title=f"Every instance, measure {called}",
        caption=(
            f"{cut}{' ' if cut else ''}The measure {called} of every solver on every instance, solvers in the order of their "
            "shifted geometric means. Of several runs on an instance the mean of those that solve it, with how many do where "
            "not all. The smallest of a competing solver is bold where all its runs solve the instance."
            f"{f' {letters}.' if letters else ''}{outside} Last: the shifted geometric mean (SGM), a failure counting its limit, "
            "as a multiple of the smallest, and the runs solved."
        ),
        columns=(
            Column("instance", "l", key=True),
            *(Column(shown[name], "r", name) for name in names),
        ),
        sections=(Section("", tuple(lines)), Section("all instances", (ratios, (Cell("solved"), *solved)))) if lines else (),
        place="appendix",
    )


def _cell(rows: pd.DataFrame) -> Cell:
    """Return the mean of the runs on an instance; `best` where all solve it."""
    solved = rows["outcome"] == "solved"
    if not solved.any():
        failed = [_failure(row) for row in records(rows)]
        return Cell("/".join(dict.fromkeys(failed)))
    weights = rows.loc[solved, "weight"]
    mean = float((rows.loc[solved, "cost"] * weights).sum() / weights.sum())
    text = _time(mean)
    if solved.all():
        return Cell(text, mean, True)
    return Cell(f"{text} ({display.count(int(solved.sum()))}/{display.count(len(rows))})", mean)


def _failure(row: Mapping[str, Any]) -> str:
    if row["outcome"] == "timeout" and row["limit"] is not None:
        return f">{_time(row['limit'])}"
    return _LETTERS[row["outcome"]]


def _time(value: float) -> str:
    return display.target(float(f"{value:.4g}"))


def _meanings(runs: pd.DataFrame) -> list[tuple[str, str]]:
    there = {
        _failure(row): row["outcome"]
        for row in records(runs[runs["outcome"] != "solved"][["outcome", "limit"]].drop_duplicates())
    }
    words = {
        "timeout": "time limit",
        "memory": "memory limit",
        "error": "error",
        "wrong": "wrong answer",
        "other": "failed otherwise",
        "missing": "no run",
    }
    limits = [("> and a number", "failed at that time limit")] if any(letter.startswith(">") for letter in there) else []
    return limits + [(_LETTERS[name], said) for name, said in words.items() if _LETTERS[name] in there]


def _words(group: Mapping[str, Any], several: list[str]) -> str:
    parts = [str(group["problem"])] if group["problem"] is not None else []
    if "suite" in several and group["suite"] is not None:
        parts.insert(0, str(group["suite"]))
    if "dimension" in several and group["dimension"] is not None:
        parts.append(f"{group['dimension']}-D")
    if "instance" in several and group["instance"] is not None:
        parts.append(f"instance {group['instance']}")
    return labels.shown(", ".join(parts))
