"""Which ranks each algorithm can have by the primary analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import frame, records, short_names


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one row per algorithm, by the net share of wins; those that can be the best are marked."""
    rows = frame(data["rank_sets"])
    rows = rows.sort_values(["rank_low", "rank_high", "net_share"], ascending=[True, True, False], kind="stable")
    shown = short_names(data, rows["algorithm"])
    lines = [
        (
            Cell(shown[row["algorithm"]], best=row["can_be_best"]),
            Cell(display.number(row["net_share"]), row["net_share"]),
            Cell(_ranks(row["rank_low"], row["rank_high"])),
            Cell(display.p_value(row["p_best"]), row["p_best"]),
        )
        for row in records(rows)
    ]
    first = next(iter(records(rows)), None)
    over = "" if first is None else _over(first)
    return Table(
        name="rank_sets",
        title="Ranks with their uncertainty",
        caption=(
            f"The ranks that each algorithm can have by the primary analysis{over}. The rank of an algorithm is one more than "
            "the number of algorithms that are better by the net share of wins; all sets hold together. Bold: algorithms that "
            "can be the best; p is of the hypothesis that no other is better, by flips of the signs of clusters, adjusted for "
            "the pairs of the algorithm."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("net share", "r", "mean net share of wins over the others"),
            Column("ranks", "r", "the ranks that it can have"),
            Column("p (best)", "r", "p value of the hypothesis that no other is better"),
        ),
        sections=(Section("", tuple(lines)),),
        place="statistics",
    )


def _ranks(low: int, high: int) -> str:
    return display.count(low) if low == high else f"{display.count(low)}–{display.count(high)}"


def _over(row: Mapping[str, Any]) -> str:
    return (
        f" of the measure {display.words(row['measure'])}, over {display.plural(row['n_clusters'], 'cluster')}, with a chance of "
        f"at least {display.target(1 - row['alpha'])}"
    )
