"""Runs of solvers: how they ended and what each solver adds to the others, and their means, by what a failure counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.text import display, labels, measures
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import best, frame, records, short_names

#: What a failure counts -> how a heading says it.
_UNSOLVED = {
    "limit": "a failure counts its limit",
    "x2": "a failure counts twice its limit",
    "x10": "a failure counts ten times its limit",
    "all_solved": "only instances that all solve",
}
_COUNTS = ("solved", "timeout", "memory", "error", "wrong", "other", "missing")


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of means: one section per way to count failures and subset, one row per solver, best mean first.

    The smallest mean of a section is marked; the virtual best solver and those that do not compete stand last.
    """
    measure, called = settings["measure"]["name"], measures.with_unit(settings["measure"])
    rows = frame(data["summary"], measure)
    shown = short_names(data, [name for name in rows["algorithm"] if name is not None])
    sections = []
    subsets = list(dict.fromkeys(rows["subset"].astype(str)))
    of_all = [("all", unsolved) for unsolved in _UNSOLVED]
    for subset, unsolved in [*of_all, *((subset, "limit") for subset in subsets if subset != "all")]:
        part = rows[(rows["subset"] == subset) & (rows["unsolved"] == unsolved)]
        if not len(part):
            continue
        own = part[part["rank"].notna()]
        marks = {key: best(own[key]) for key in ("sgm", "mean", "median", "par2", "par10")}
        number = display.plural(int(part["instances"].max()), "instance")
        where = f"{_UNSOLVED[unsolved]} ({number})" if subset == "all" else f"{_words(subset)} ({number}; {_UNSOLVED[unsolved]})"
        sections.append(Section(where, tuple(_means(row, shown, marks) for row in records(_in_order(part)))))
    first = rows.iloc[0] if len(rows) else {"shift": 0.0, "level": 0.95, "left_out": 0}
    lost = int(first["left_out"])
    left = (
        f" {display.plural(lost, 'instance')} without a run of some solver {'is' if lost == 1 else 'are'} left out."
        if lost
        else ""
    )
    return Table(
        name=f"summary_{labels.file_name(measure)}",
        title=f"Summary of solver runs, measure {called}",
        caption=(
            f"Means of the measure {called} over the instances. SGM: shifted geometric mean, with a shift of "
            f"{display.target(float(first['shift']))}; beside it Student's interval of level {first['level']:g} over "
            "whole instances. Ratio: SGM over the smallest of a competing solver, with its interval; there are neither ratios "
            "nor ranks where a mean is not known, as the limit of a failure is not. PAR2 and PAR10: mean in which a failure "
            "counts two and ten times its limit. The virtual best solver takes, on each instance, the solver that is best there. "
            "An interval [t, limit] holds the instances that some solver solves and that take the slowest one t or more."
            f"{left}"
        ),
        columns=(
            Column("solver", "l", key=True),
            Column("solved", "r", "runs that solve their instance"),
            Column("SGM", "r", "shifted geometric mean"),
            Column("interval", "r", "interval of the shifted geometric mean"),
            Column("ratio", "r", "to the smallest shifted geometric mean"),
            Column("interval", "r", "interval of the ratio"),
            Column("#", "r", "rank by the shifted geometric mean"),
            Column("mean", "r", "arithmetic mean"),
            Column("median", "r", "median of the runs"),
            Column("PAR2", "r", "mean, failures count twice their limit"),
            Column("PAR10", "r", "mean, failures count ten times their limit"),
        ),
        sections=tuple(sections),
        place="results",
    )


def outcomes(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of outcomes: one row per solver, most solved runs first."""
    measure, called = settings["measure"]["name"], measures.called(settings["measure"])
    rows = frame(data["summary"], measure)
    part = rows[(rows["subset"] == "all") & (rows["unsolved"] == "limit")]
    shown = short_names(data, [name for name in part["algorithm"] if name is not None])
    most = best(part.loc[part["role"] != "virtual_best", "solved"], largest=True)
    lines = []
    for row in records(_in_order(part, by="solved")):
        counts = [
            Cell(display.count(row[name]), row[name], name == "solved" and row[name] == most and row["role"] != "virtual_best")
            for name in _COUNTS
        ]
        lines.append(
            (
                Cell(_name(row, shown)),
                Cell(display.count(row["n"]), row["n"]),
                *counts,
                Cell(display.count(row["unique"]), row["unique"]),
                Cell(display.number(row["adds_mean"], 4), row["adds_mean"]),
                Cell(display.number(row["lead"]), row["lead"]),
                Cell(labels.shown(row["lead_problem"] or display.ABSENT)),
            )
        )
    doubtful = [shown[row["algorithm"]] for row in records(part) if row["contradicted"]]
    doubt = f" Claims of {display.listed(doubtful)} and of other solvers cannot all be true." if doubtful else ""
    return Table(
        name=f"outcomes_{labels.file_name(measure)}",
        title=f"Outcomes of solver runs, measure {called}",
        caption=(
            f"How the runs ended (measure {called}), and what each solver adds to the others. Wrong: the claim "
            "contradicts the best-known value. Missing: instances without a run. Alone: instances that no other competing solver "
            "solves. Adds: what the mean cost of the virtual best solver rises by without it, a failure counting its limit. "
            "Lead: largest factor between the shifted costs of the next best solver and its own, and where."
            f"{doubt}"
        ),
        columns=(
            Column("solver", "l", key=True),
            Column("runs", "r"),
            *(Column(name, "r") for name in _COUNTS),
            Column("alone", "r", "instances that no other competing solver solves"),
            Column("adds", "r", "to the mean cost of the virtual best solver without it"),
            Column("lead", "r", "largest factor to the next best solver"),
            Column("where", "l", "instance of that factor", wrap=True),
        ),
        sections=(Section("", tuple(lines)),) if lines else (),
        place="results",
    )


def _means(row: Mapping[str, Any], shown: Mapping[str, str], marks: Mapping[str, float]) -> tuple[Cell, ...]:
    marked = {key: row[key] == value and row["rank"] is not None for key, value in marks.items()}
    return (
        Cell(_name(row, shown)),
        Cell(display.count(row["solved"]), row["solved"]),
        Cell(display.number(row["sgm"], 4), row["sgm"], marked["sgm"]),
        Cell(_between(row["sgm_low"], row["sgm_high"]), row["sgm_low"]),
        Cell(display.number(row["sgm_ratio"]), row["sgm_ratio"]),
        Cell(_between(row["sgm_ratio_low"], row["sgm_ratio_high"]), row["sgm_ratio_low"]),
        Cell(display.number(row["rank"], 2), row["rank"]),
        *(Cell(display.number(row[key], 4), row[key], marked[key]) for key in ("mean", "median", "par2", "par10")),
    )


def _between(low: float | None, high: float | None) -> str:
    return display.ABSENT if low is None or high is None else f"{display.number(low)}–{display.number(high)}"


def _name(row: Mapping[str, Any], shown: Mapping[str, str]) -> str:
    return f"{shown[row['algorithm']]} (not competing)" if row["role"] == "not_competing" else shown[row["algorithm"]]


def _in_order(part: pd.DataFrame, by: str = "sgm") -> pd.DataFrame:
    """Ranked solvers first, by their means or by the runs that they solve; the virtual best one last."""
    last = part["role"].map({"not_competing": 1, "virtual_best": 2}).fillna(0).astype(float)
    key = -part["solved"].astype(float) if by == "solved" else part[by]
    return part.assign(last=last, key=key).sort_values(["last", "key", "algorithm"], kind="stable").drop(columns=["last", "key"])


def _words(subset: str) -> str:
    return "instances that the solvers went through differently" if subset == "affected" else f"instances in {subset}"
