"""The tables of a study as a person reads them: one module a topic, all giving `benchmill.display.Table`.

One object feeds the LaTeX file and the HTML page, so that both always show the same rows. Adding a
kind is one function and one line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmill.display import Table
from benchmill.errors import UserError
from benchmill.tables import (
    ert,
    inventory,
    irregularities,
    latex,
    numbers,
    profile_measures,
    quantiles,
    settings,
    standings,
    tests,
)

__all__ = ["KINDS", "build", "latex", "numbers", "verdict"]

_Builder = Callable[[Mapping[str, Any], Mapping[str, Any]], Table]


def _names(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """The algorithms of the study, where the ingest reports are given, so that names are cut alike in all its tables."""
    return {"algorithms": [name for report in data.get("ingest") or [] for name in report["algorithms"]]}


def _ert(data: Mapping[str, Any], chosen: Mapping[str, Any]) -> Table:
    shown = ((chosen.get("indicators") or {}).get("ert") or {}).get("shown") or []
    return ert.build(data["indicators"], chosen["measure"]["name"], {**_names(data), "shown": shown})


KINDS: dict[str, _Builder] = {
    "inventory": lambda data, _: inventory.build(data["ingest"]),
    "profile_measures": lambda data, chosen: profile_measures.build(
        data["profile_measures"], chosen["measure"]["name"], chosen["profile"]["name"], _names(data)
    ),
    "standings": lambda data, _: standings.ranks(data["standings"], _names(data)),
    "dominance": lambda data, _: standings.dominance(data["profile_pairs"], data["fronts"], _names(data)),
    "tests": lambda data, chosen: tests.omnibus(data["tests"], chosen["measure"]["name"]),
    "ranks": lambda data, chosen: tests.average_ranks(data["ranks"], chosen["measure"]["name"], _names(data)),
    "comparisons": lambda data, chosen: tests.pairwise(data["comparisons"], chosen["measure"]["name"], _names(data)),
    "ert": _ert,
    "quantiles": lambda data, chosen: quantiles.build(
        data["costs"], chosen["measure"]["name"], {**_names(data), "problem_keys": chosen.get("problem_keys")}
    ),
    "irregularities": lambda data, _: irregularities.build(data["ingest"]),
    "missing": lambda data, _: irregularities.missing(data["ingest"]),
    "settings": lambda data, _: settings.build(data["config"]),
    "origins": lambda data, _: settings.origins(data["origins"]),
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
        `config`: the study, every default filled in; `origins`: name of a result to what `benchmill.schema.origin_of` says of it.
    settings : mapping
        `measure` and `profile` (each with its `name`) and `indicators`, as far as the kind needs them.

    Returns
    -------
    Table
        `benchmill.tables.latex.write` stores it; its `name` is a good name for the file.

    Raises
    ------
    UserError
        There is no such kind.
    """
    if kind not in KINDS:
        raise UserError(f"tables: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    return KINDS[kind](data, settings)


def verdict(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """What the tests of a measure allow one to claim, in words: one paragraph a target or budget.

    Parameters
    ----------
    data : mapping
        `tests`, and where there `ranks`, `comparisons` and `assumptions`.
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
    )
