"""The tables of a study as a person reads them: one module a topic, all giving `benchmill.text.display.Table`.

One object feeds the LaTeX, CSV and Markdown files and the HTML page, so that all always show the same rows. Adding a
kind is one function and one line in `KINDS`, adding a format one line in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmill.core.errors import UserError
from benchmill.core.whole_file import write_text
from benchmill.tables import (
    ert,
    inventory,
    irregularities,
    latex,
    markdown,
    numbers,
    posteriors,
    profile_measures,
    quantiles,
    settings,
    spreadsheet,
    standings,
    tests,
    values_at_one,
)
from benchmill.text import display
from benchmill.text.display import Table

__all__ = ["FORMATS", "KINDS", "build", "latex", "numbers", "summary", "verdict", "write"]

_Builder = Callable[[Mapping[str, Any], Mapping[str, Any]], Table]


def _names(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """The algorithms of the study, where the ingest reports are given, so that names are cut alike in all its tables."""
    return {"algorithms": [name for report in data.get("ingest") or [] for name in report["algorithms"]]}


def _ert(data: Mapping[str, Any], chosen: Mapping[str, Any]) -> Table:
    shown = ((chosen.get("indicators") or {}).get("ert") or {}).get("shown") or []
    return ert.build(data["indicators"], chosen["measure"]["name"], {**_names(data), "shown": shown}, data.get("rank_sums"))


KINDS: dict[str, _Builder] = {
    "inventory": lambda data, _: inventory.build(data["ingest"]),
    "profile_measures": lambda data, chosen: profile_measures.build(
        data["profile_measures"],
        chosen["measure"]["name"],
        chosen["profile"]["name"],
        _names(data),
        data.get("profile_intervals"),
    ),
    "values_at_one": lambda data, chosen: values_at_one.build(data["profile_measures"], chosen["measure"]["name"], _names(data)),
    "standings": lambda data, _: standings.ranks(data["standings"], _names(data)),
    "dominance": lambda data, _: standings.dominance(data["profile_pairs"], data["fronts"], _names(data)),
    "tests": lambda data, chosen: tests.omnibus(data["tests"], chosen["measure"]["name"]),
    "ranks": lambda data, chosen: tests.average_ranks(data["ranks"], chosen["measure"]["name"], _names(data)),
    "comparisons": lambda data, chosen: tests.pairwise(data["comparisons"], chosen["measure"]["name"], _names(data)),
    "posteriors": lambda data, chosen: posteriors.build(data["posteriors"], chosen["measure"]["name"], _names(data)),
    "ert": _ert,
    "quantiles": lambda data, chosen: quantiles.build(
        data["costs"], chosen["measure"]["name"], {**_names(data), "problem_keys": chosen.get("problem_keys")}
    ),
    "irregularities": lambda data, _: irregularities.build(data["ingest"], data.get("contradictions")),
    "missing": lambda data, _: irregularities.missing(data["ingest"]),
    "settings": lambda data, _: settings.build(data["config"]),
    "origins": lambda data, _: settings.origins(data["origins"]),
}


#: Kinds whose rows or columns are budgets, where the measure has some.
_BY_BUDGET = ("tests", "ranks", "comparisons", "posteriors", "quantiles")

#: How a table is written, by the suffix of the file.
FORMATS: dict[str, Callable[[Table], str]] = {
    ".tex": latex.render,
    ".csv": spreadsheet.render,
    ".md": markdown.render,
    ".txt": lambda table: f"{table.caption}\n",
}


def build(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make a table of a study.

    Parameters
    ----------
    kind : str
        Key of `KINDS`.
    data : mapping
        What the kind is made from: Arrow tables by the names of their schemas (`indicators` of all sources
        together); `ingest`: the ingest reports (where given, names are cut alike in all tables of the study);
        `config`: the study, every default filled in; `origins`: name of a result to what `benchmill.core.storage.origin_of` says
        of it.
    settings : mapping
        `measure` and `profile` (each with its `name`) and `indicators`, as far as the kind needs them.

    Returns
    -------
    Table
        `write` stores it; its `name` is a good name for the file.

    Raises
    ------
    UserError
        There is no such kind.
    """
    if kind not in KINDS:
        raise UserError(f"tables: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    table = KINDS[kind](data, settings)
    measure = settings.get("measure") or {}
    if kind in _BY_BUDGET and measure.get("kind") == "fixed_budget" and measure.get("per_dimension", True):
        table = replace(table, caption=f"{table.caption} Budgets are in evaluations/dimension.")
    floored = display.floored(data.get("indicators"), [measure] if measure else [])
    return replace(table, caption=f"{table.caption} {floored}") if floored else table


def write(table: Table, path: str | Path, siunitx: bool = False) -> None:
    """Write a table in the format of the file's suffix, one of `FORMATS`; the file appears complete or not at all.

    All formats have the same rows and the same rounding; `.txt` is the caption alone. `siunitx`: whether LaTeX aligns numbers
    at their points (see `benchmill.tables.latex.render`).
    """
    path = Path(path)
    text = latex.render(table, siunitx=True) if siunitx and path.suffix == ".tex" else FORMATS[path.suffix](table)
    write_text(path, text)


def summary(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """What the profiles of a measure show, in words.

    Parameters
    ----------
    data : mapping
        `profile_measures`.
    settings : mapping
        `measure` and `profile`, each with its `name`.
    """
    return profile_measures.summary(
        data["profile_measures"], settings["measure"]["name"], settings["profile"]["name"], _names(data)
    )


def verdict(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """What the tests of a measure allow one to claim, in words: one paragraph a target or budget.

    Parameters
    ----------
    data : mapping
        `tests`, and where there `ranks`, `comparisons`, `assumptions` and `posteriors`.
    settings : mapping
        `measure` with its `name`.
    """
    return tests.verdict(
        data["tests"],
        data.get("ranks"),
        data.get("comparisons"),
        settings["measure"]["name"],
        _names(data),
        data.get("assumptions"),
        data.get("posteriors"),
    )
