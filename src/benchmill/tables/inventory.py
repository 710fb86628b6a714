"""The data: what each source holds, and what is missing from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.core.natural_order import natural_key
from benchmill.tables.fields import alone, heads, lines, numbers, said, words
from benchmill.text import display
from benchmill.text.display import Table


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the inventory from the ingest reports, one row per source; missing and failed trials are counted apart."""
    ordered = sorted(data["ingest"], key=lambda report: natural_key(report["source"]))
    names = display.short_names(name for report in ordered for name in report["algorithms"])
    # a column of sources that only repeats the algorithms takes room and says nothing
    telling = any(_letters(report["source"]) != _letters("".join(report["algorithms"])) for report in ordered)
    fields = (
        words("algorithm", lambda row: _algorithms([names[n] for n in row["algorithms"]]), key=True),
        *([words("source", _source, "name of the source in the files of the study")] if telling else []),
        said("format"),
        numbers("probl.", "n_problems", "problems", display.count),
        numbers("dim.", "least_dimension", "dimensions", of=lambda row: _dimensions(row["dimensions"]), align="l"),
        numbers("trials", "found", "trials found, and after the stroke those the source’s own design expects", of=_found_of),
        numbers("miss.", "missing", "trials missing", display.count),
        numbers("ill-fin.", "ill_finalised", "trials whose log does not say how they ended", display.count),
        numbers("solved", "solved", "trials solved, as the source states", display.count),
        numbers("failed", "failed", "trials failed, as the source states", display.count),
        numbers("median", "median", "median budget of a trial, in evaluations", _evaluations),
        numbers("max", "max", "largest budget of a trial, in evaluations", _evaluations),
        words("SHA-256", lambda row: str(row["sha256"])[:8], "digest of the raw data, first eight digits"),
    )
    return Table(
        name="inventory",
        title="Data",
        caption=(
            "The data of the study, one row per source. Trials: found in the logs / expected by the source’s own design. "
            "Ill-finalised: the log does not say how the trial ended. Solved and failed: as the source itself states. Budgets: "
            "evaluations spent by a trial. SHA-256: first eight digits of the digest of the raw data."
        ),
        columns=heads(fields),
        sections=alone(lines(fields, map(_row, ordered))),
        place="data",
    )


def _algorithms(names: Sequence[str]) -> str:
    return display.listed(names, limit=2 if len(names) <= 2 else 1)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


_COUNTS = ("found", "expected", "missing", "ill_finalised", "solved", "failed")


def _row(report: Mapping[str, Any]) -> dict[str, Any]:
    budget = report.get("budget") or {}
    return {
        **{key: report[key] for key in ("source", "format", "dimensions", "sha256")},
        **{key: report["trials"].get(key) for key in _COUNTS},
        **{key: budget.get(key) for key in ("median", "max")},
        "algorithms": sorted(set(report["algorithms"]), key=natural_key),
        "n_problems": len(report["problems"]),
        "least_dimension": min((d for d in report["dimensions"] if d is not None), default=None),
    }


def _source(row: Mapping[str, Any]) -> str:
    return display.short_names([row["source"]], 18)[row["source"]]


def _evaluations(value: float | None) -> str:
    return display.count(value) if value is None or float(value).is_integer() else display.number(value)


def _found_of(row: Mapping[str, Any]) -> str:
    found, expected = row["found"], row["expected"]
    return display.count(found) if expected is None else f"{display.count(found)}/{display.count(expected)}"


def _dimensions(dimensions: Sequence[int | None]) -> str:
    known = sorted({d for d in dimensions if d is not None})
    if not known:
        return display.ABSENT
    return ", ".join(map(str, known)) if len(known) <= 4 else f"{known[0]}–{known[-1]} ({len(known)})"
