"""Sentences on which algorithm comes first by each criterion, and what is shown about it."""

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.text import display, frames, prose

#: Columns of the table `verdicts` that are read.
COLUMNS = ["analysis", "measure", "algorithm_a", "algorithm_b", "effect", "significant"]
#: Algorithms that are named one by one.
_MOST = 8
NOTHING = "no algorithm is shown to be better than another"


def first(rows: Sequence[frames.Row], criterion: str | None = None) -> list[str]:
    """Return those that come first by a criterion, by default the headline."""
    return [
        row["algorithm"]
        for row in rows
        if row["rank"] == 1 and (row["headline"] if criterion is None else row["criterion"] == criterion)
    ]


def headline(rows: Sequence[frames.Row]) -> str:
    """Return the criterion that the leader of a measure is named by."""
    return str(next(row["criterion"] for row in rows if row["headline"]))


def shown(verdicts: pa.Table | None, measure: str | None = None) -> str:
    """Say what the primary analysis shows, or of another measure the secondary one; empty if nothing was tested."""
    pairs = _pairs(verdicts, measure)
    primary, rest = (pairs[pairs["analysis"] == analysis] for analysis in ("primary", "secondary"))
    return prose.said(
        __file__,
        primary=len(primary),
        secondary=len(rest),
        n=int(rest["significant"].sum()),
        better=shown_better(primary),
        able=can_be_best(primary),
        nothing=NOTHING,
        most=_MOST,
    )


def of_table(verdicts: pa.Table | None, measure: str) -> str:
    """Return the same as the end of a sentence about who comes first."""
    verdict = shown(verdicts, measure) or "nothing is claimed"
    return f"but {verdict}" if verdict == NOTHING else f"and {verdict}"


def caution(verdicts: pa.Table | None, called: Callable[[str], str] = display.words) -> str:
    """Return the same as a sentence; `called` says what a measure is called."""
    verdict = shown(verdicts)
    measure = next(iter(_pairs(verdicts, None).query("analysis == 'primary'")["measure"]), "")
    return f"By the primary analysis (measure {called(str(measure))}) {verdict}." if verdict else ""


def can_be_best(pairs: Any) -> list[str] | None:
    """Return the algorithms that none is shown to be better than; None if not all pairs are compared."""
    names = list(dict.fromkeys(str(name) for column in ("algorithm_a", "algorithm_b") for name in pairs[column].unique()))
    if len(pairs) < len(names) * (len(names) - 1) // 2:
        return None
    worse = {pair[1] for pair in shown_better(pairs)}
    return [name for name in names if name not in worse]


def _pairs(verdicts: pa.Table | None, measure: str | None) -> Any:
    table = schema.TABLES["verdicts"].empty_table() if verdicts is None else verdicts
    compared = pc.and_(pc.is_valid(table.column("algorithm_a")), pc.is_valid(table.column("effect")))
    return frames.frame(table.select(COLUMNS).filter(compared), measure)


def shown_better(pairs: Any) -> list[tuple[str, str]]:
    """Return the pairs that are shown to differ, the better one first."""
    significant = pairs[pairs["significant"].astype(bool)]
    rows = zip(significant["algorithm_a"].astype(str), significant["algorithm_b"].astype(str), significant["effect"], strict=True)
    return [(a, b) if effect > 0 else (b, a) for a, b, effect in rows]
