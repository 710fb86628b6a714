"""Where the algorithms stand: ranks by every criterion, who dominates whom, and the Pareto fronts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from benchmill.registry.criteria import CRITERIA, DEFAULT, Criterion
from benchmill.tables.fields import heads, named, numbers, section
from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import at, frame, groups, records, short_names
from benchmill.text.leaders import caution

_RANK_SUM = Criterion("rank_sum", "sum of ranks in all measures", "", symbol="rank sum")
_PLACE = ["variant", "measure", "dimension", "target"]


def ranks(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of ranks: one section per variant and measure, one column per criterion, that of the leader first.

    Profiles of single dimensions or targets are passed over where there are profiles of all problems, here and in `dominance`.
    """
    rows = _pooled(frame(data["standings"]))
    shown = short_names(data, rows["algorithm"])
    used = set(rows["criterion"])
    # a criterion says nothing beside another one where no weights, and no smooth profiles, tell them apart
    for criterion, other in ((entry.name, entry.repeats) for entry in CRITERIA.values() if entry.repeats):
        both = _of(rows, criterion).merge(_of(rows, other), on=[*_PLACE, "algorithm"], how="left", suffixes=("", "_other"))
        if (both["rank"] == both["rank_other"]).fillna(False).all():
            used.discard(criterion)
    # a sum over the measures stands beside the ranks in each of them
    sums, rows = rows[rows["measure"].isna()], rows[rows["measure"].notna()]
    if (sums["n_added"] == 1).all():
        used -= set(sums["criterion"])  # over one measure it repeats the ranks there
    places = rows[_PLACE].drop_duplicates()
    rows = pd.concat([rows, places.merge(sums.drop(columns="measure"), on=[key for key in _PLACE if key != "measure"])])
    leaders = frame(data.get("leaders"))
    headline = str(leaders["criterion"].iloc[0]) if len(leaders) else DEFAULT
    entries = [entry for entry in (*CRITERIA.values(), _RANK_SUM) if entry.name in used]
    entries.sort(key=lambda entry: entry.name != headline)
    criteria = [entry.name for entry in entries]
    fields = (
        named("algorithm", shown),
        *(numbers(entry.symbol, entry.name, entry.words, display.count) for entry in entries),
    )
    added = settings.get("ranks") or [] if _RANK_SUM.name in used else []
    sections = []
    for group, members in groups(rows, _PLACE):
        wide = members.astype({"criterion": str}).pivot(index="algorithm", columns="criterion", values="rank")
        wide = wide.reindex(columns=criteria).reset_index().sort_values([*criteria, "algorithm"])
        heading = f"{_heading(group, settings)} ({display.count(members['n_problems'].iloc[0])} problems)"
        sections.append(section(heading, fields, wide, dict.fromkeys(criteria, 1)))
    return Table(
        name="standings",
        title="Standings",
        caption=(
            "Ranks of the algorithms by what the profiles say, in the order of the first column. "
            + "; ".join(f"{entry.symbol}: {entry.said}" for entry in entries)
            + (f"; with ranks from elsewhere: {display.listed([display.words(name) for name in added])}" if added else "")
            + ". Ties, also of infinite values, share the smallest rank; ranks are of unrounded values. They say what is so on "
            + f"these data. {caution(data.get('verdicts'))}".rstrip()
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="results",
    )


def dominance(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of dominance: for each algorithm whom it dominates, who dominates it, and its Pareto fronts."""
    pairs = frame(data["profile_pairs"])
    won = {tuple(place.values()): rows for place, rows in groups(pairs[pairs["dominates"]], _PLACE)}
    layers = _pooled(frame(data["fronts"]))
    shown = short_names(data, layers["algorithm"])
    sections = []
    for group, members in groups(layers, _PLACE):
        mine = won.get(tuple(group.values()), pairs.iloc[:0])
        over, under = (
            mine.sort_values(other, kind="stable").groupby(own, observed=True)[other].agg(list).to_dict()
            for own, other in (("algorithm_a", "algorithm_b"), ("algorithm_b", "algorithm_a"))
        )
        wide = members.astype({"front": str}).pivot(index="algorithm", columns="front", values="layer").reset_index()
        lines = [
            (
                Cell(shown[row["algorithm"]]),
                *(Cell(_names(others, shown), len(others)) for others in (d.get(row["algorithm"], []) for d in (over, under))),
                *(Cell(display.count(row[front]), row[front], row[front] == 1) for front in ("wins_solved", "wins_tau_star")),
            )
            for row in records(wide)
        ]
        sections.append(Section(_heading(group, settings), tuple(lines)))
    return Table(
        name="dominance",
        title="Dominance and Pareto fronts",
        caption=(
            "Who dominates whom: one algorithm dominates another if its profile is nowhere below on [1, τ_max] and somewhere "
            "above. Front ρ: of large ρ(1) and large ρ(τ_max); front τ*: of large ρ(1) and small τ* among algorithms with a "
            "finite one; 1 is on the Pareto front, 2 on the front of the others, and so on."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("dominates", "l", "algorithms whose profile is nowhere above and somewhere below", wrap=True),
            Column("dominated by", "l", "algorithms whose profile is nowhere below and somewhere above", wrap=True),
            Column("front ρ", "r", "number of the Pareto front of large ρ(1) and large ρ(τ_max)"),
            Column("front τ*", "r", "number of the Pareto front of large ρ(1) and small τ*"),
        ),
        sections=tuple(sections),
        place="appendix",
    )


def _pooled(data: pd.DataFrame) -> pd.DataFrame:
    of_all = data[data["dimension"].isna() & data["target"].isna()]
    return of_all if len(of_all) else data


def _of(data: pd.DataFrame, criterion: str) -> pd.DataFrame:
    return data.loc[data["criterion"] == criterion, [*_PLACE, "algorithm", "rank"]]


def _heading(group: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    where = at({key: group[key] for key in ("measure", "dimension", "target")}, settings)
    return f"{display.words(group['variant'])}, {display.words(group['measure'])}, {where}"


def _names(names: Sequence[str], shown: Mapping[str, str]) -> str:
    return display.listed([shown[name] for name in names]) if names else display.ABSENT
