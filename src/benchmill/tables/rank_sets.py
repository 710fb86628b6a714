"""Which ranks each algorithm can have by the primary analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.tables.fields import heads, numbers, section, words
from benchmill.text import display
from benchmill.text.display import Table
from benchmill.text.frames import frame, records, short_names


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one row per algorithm, by the net share of wins; those that can be the best are marked."""
    rows = frame(data["rank_sets"])
    rows = rows.sort_values(["rank_low", "rank_high", "net_share"], ascending=[True, True, False], kind="stable")
    shown = short_names(data, rows["algorithm"])
    fields = (
        words("algorithm", lambda row: shown[row["algorithm"]], key=True, bold=lambda row: row["can_be_best"]),
        numbers("net share", "net_share", "mean net share of wins over the others"),
        words("ranks", lambda row: _ranks(row["rank_low"], row["rank_high"]), "the ranks that it can have", align="r"),
    )
    first = next(iter(records(rows)), None)
    over = "" if first is None else _over(first)
    return Table(
        name="rank_sets",
        title="Ranks with their uncertainty",
        caption=(
            f"The ranks that each algorithm can have by the primary analysis{over}. The rank of an algorithm is one more than "
            "the number of algorithms that are better by the net share of wins; all sets hold together, by the pairs that the "
            "primary analysis shows to differ. Bold: algorithms that can be the best, as none is shown to be better."
        ),
        columns=heads(fields),
        sections=(section("", fields, rows),),
        place="statistics",
    )


def _ranks(low: int, high: int) -> str:
    return display.count(low) if low == high else f"{display.count(low)}–{display.count(high)}"


def _over(row: Mapping[str, Any]) -> str:
    return (
        f" of the measure {display.words(row['measure'])}, over {display.plural(row['n_clusters'], 'cluster')}, with a chance of "
        f"at least {display.target(1 - row['alpha'])}"
    )
