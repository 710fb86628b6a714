"""Sentences on who comes first by which criterion, and what is shown of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import schema
from benchmill.text import display
from benchmill.text.frames import frame

Row = Mapping[str, Any]

#: Columns of the table `verdicts` that are read.
_COLUMNS = ["analysis", "measure", "algorithm_a", "algorithm_b", "effect", "significant"]
#: Algorithms that are named one by one.
_MOST = 8
NOTHING = "no algorithm is shown to be better than another"


def first(rows: Sequence[Row], criterion: str | None = None) -> list[str]:
    """Return those that come first by a criterion, by default the headline."""
    return [
        row["algorithm"]
        for row in rows
        if row["rank"] == 1 and (row["headline"] if criterion is None else row["criterion"] == criterion)
    ]


def headline(rows: Sequence[Row]) -> str:
    """Return the criterion that the leader of a measure is named by."""
    return str(next(row["criterion"] for row in rows if row["headline"]))


def verdict(
    leading: Sequence[str],
    partners: int,
    better: Collection[tuple[str, str]],
    able: Sequence[str] | None,
    shown: Mapping[str, str] | None = None,
) -> str:
    """Say what is shown of the algorithms that come first, as the end of a sentence.

    The first one is compared with `partners` others; `better` are pairs that differ, the better one first; `able` can be the
    best, None where not all pairs are compared.
    """
    names = shown or {}
    if not partners:
        return "and nothing is tested, so nothing is claimed"
    if not better:
        return f"but {NOTHING}"
    best = "" if able is None else f"{_named(able, names, _MOST)} can be the best" if able else "none can be the best"
    if len(leading) > 1:
        differ = f"{display.plural(len(better), 'pair')} of algorithms {'differs' if len(better) == 1 else 'differ'}"
        return f"and {best or differ}"
    beaten = [worse for one, worse in better if one == leading[0]]
    losing = [one for one, worse in better if worse == leading[0]]
    if losing:
        said = f"but {_named(losing, names)} {'is' if len(losing) == 1 else 'are'} shown to be better than it"
    elif not beaten:
        said = "but it is not shown to be better than any other"
    else:
        n = "each of the others" if len(beaten) == partners > 1 else _of(beaten, partners, names)
        said = f"and it is shown to be better than {n}"
    return f"{said}; {best}" if best and able != list(leading) else said


def _of(beaten: Sequence[str], partners: int, names: Mapping[str, str]) -> str:
    share = f"{'one' if len(beaten) == 1 else display.count(len(beaten))} of the {display.count(partners)} others"
    if len(beaten) > 2:
        return share
    return _named(beaten, names) + (f", {share}" if partners > len(beaten) else "")


def of_table(leading: Sequence[str], verdicts: pa.Table | None, measure: str, shown: Mapping[str, str] | None = None) -> str:
    """Say what the table `verdicts` shows of the algorithms that come first by a measure."""
    pairs = _pairs(verdicts, measure)
    primary = pairs[pairs["analysis"] == "primary"]
    if not len(primary):
        about = pairs[pairs["algorithm_a"].isin(leading) | pairs["algorithm_b"].isin(leading)]
        if not len(about):
            return verdict(leading, 0, (), None)
        found = shown_better(about)
        counts = [sum(pair[end] in leading for pair in found) for end in (0, 1)]
        return (
            f"and the secondary analysis shows {'it' if len(leading) == 1 else 'them'} better in {display.count(counts[0])} and "
            f"worse in {display.count(counts[1])} of {display.plural(len(about), 'comparison')}"
        )
    partners = int(((primary["algorithm_a"] == leading[0]) | (primary["algorithm_b"] == leading[0])).sum())
    return verdict(leading, partners, shown_better(primary), can_be_best(primary), shown)


def caution(verdicts: pa.Table | None, measure: str | None = None) -> str:
    """Say which algorithms can be the best by the primary analysis; empty if nothing was tested."""
    pairs = _pairs(verdicts, measure)
    primary = pairs[pairs["analysis"] == "primary"]
    if not len(primary):
        return ""
    by = f"By the primary analysis (measure {display.words(str(primary['measure'].iloc[0]))})"
    better, able = shown_better(primary), can_be_best(primary)
    if not better:
        return f"{by} {NOTHING}."
    if able is None:
        return f"{by} {display.out_of(len(better), len(primary), 'pair')} {'differs' if len(better) == 1 else 'differ'}."
    return f"{by} {_named(able, {}, _MOST)} can be the best." if able else f"{by} none can be the best."


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
    return frame(table.select(_COLUMNS).filter(compared), measure)


def shown_better(pairs: Any) -> list[tuple[str, str]]:
    """Return the pairs that are shown to differ, the better one first."""
    found = pairs[pairs["significant"].astype(bool)]
    rows = zip(found["algorithm_a"].astype(str), found["algorithm_b"].astype(str), found["effect"], strict=True)
    return [(a, b) if effect > 0 else (b, a) for a, b, effect in rows]


def _named(algorithms: Sequence[str], shown: Mapping[str, str], limit: int = 4) -> str:
    return display.listed([shown.get(name, name) for name in algorithms], limit=limit)
