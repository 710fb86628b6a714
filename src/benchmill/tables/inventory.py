"""The data: what each source holds, and what is missing from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.core.natural_order import natural_key
from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the inventory from the ingest reports: one row per source.

    A trial that is missing is not a trial that failed: both are counted, apart.
    """
    ordered = sorted(data["ingest"], key=lambda report: natural_key(report["source"]))
    names = display.short_names(name for report in ordered for name in report["algorithms"])
    # a column of sources that only repeats the algorithms takes room and says nothing
    telling = any(_letters(report["source"]) != _letters("".join(report["algorithms"])) for report in ordered)
    lines = []
    for report in ordered:
        trials, budget = report["trials"], report.get("budget") or {}
        lines.append(
            (
                Cell(_algorithms([names[n] for n in sorted(set(report["algorithms"]), key=natural_key)])),
                *([Cell(display.short_names([report["source"]], 18)[report["source"]])] if telling else []),
                Cell(str(report["format"])),
                Cell(display.count(len(report["problems"])), len(report["problems"])),
                Cell(_dimensions(report["dimensions"]), min((d for d in report["dimensions"] if d is not None), default=None)),
                Cell(_found_of(trials), trials.get("found")),
                _number(trials.get("missing")),
                _number(trials.get("ill_finalised")),
                _number(trials.get("solved")),
                _number(trials.get("failed")),
                _evaluations(budget.get("median")),
                _evaluations(budget.get("max")),
                Cell(str(report["sha256"])[:8]),
            )
        )
    return Table(
        name="inventory",
        title="Data",
        caption=(
            "The data of the study, one row per source. Trials: found in the logs / expected by the source’s own design. "
            "Ill-finalised: the log does not say how the trial ended. Solved and failed: as the source itself states. Budgets: "
            "evaluations spent by a trial. SHA-256: first eight digits of the digest of the raw data."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            *([Column("source", "l", "name of the source in the files of the study")] if telling else []),
            Column("format", "l"),
            Column("probl.", "r", "problems"),
            Column("dim.", "l", "dimensions"),
            Column("trials", "r", "trials found, and after the stroke those the source’s own design expects"),
            Column("miss.", "r", "trials missing"),
            Column("ill-fin.", "r", "trials whose log does not say how they ended"),
            Column("solved", "r", "trials solved, as the source states"),
            Column("failed", "r", "trials failed, as the source states"),
            Column("median", "r", "median budget of a trial, in evaluations"),
            Column("max", "r", "largest budget of a trial, in evaluations"),
            Column("SHA-256", "l", "digest of the raw data, first eight digits"),
        ),
        sections=(Section("", tuple(lines)),) if lines else (),
        place="data",
    )


def _algorithms(names: Sequence[str]) -> str:
    """Two names; of more the first and how many others there are, so that the table keeps to the width of a page."""
    return display.listed(names, limit=2 if len(names) <= 2 else 1)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _number(value: int | None) -> Cell:
    return Cell(display.count(value), value)


def _evaluations(value: float | None) -> Cell:
    whole = value is None or float(value).is_integer()
    return Cell(display.count(value) if whole else display.number(value), value)


def _found_of(trials: Mapping[str, Any]) -> str:
    found, expected = trials.get("found"), trials.get("expected")
    return display.count(found) if expected is None else f"{display.count(found)}/{display.count(expected)}"


def _dimensions(dimensions: Sequence[int | None]) -> str:
    known = sorted({d for d in dimensions if d is not None})
    if not known:
        return display.ABSENT
    return ", ".join(map(str, known)) if len(known) <= 4 else f"{known[0]}–{known[-1]} ({len(known)})"
