"""Rank the entries by the rule that a competition declares, and give its awards."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmill.core.arrays import Array
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.registry.criteria import named
from benchmill.text.display import listed, number, plural


def standing(leaders: pd.DataFrame, measure: str, tie_breaks: Sequence[str]) -> list[dict[str, Any]]:
    """Return the places of all that compete: by the headline of a measure, then by the tie breaks, one after the other.

    Equal ones share the smallest place; empty where nothing could be ranked.

    Raises
    ------
    UserError
        The measure does not have a criterion of the tie breaks.
    """
    own = leaders[leaders["measure"] == measure]
    if own.empty:
        return []
    by = list(dict.fromkeys([str(own.loc[own["headline"], "criterion"].iloc[0]), *tie_breaks]))
    ranks = own.pivot(index="algorithm", columns="criterion", values="rank")
    values = own.pivot(index="algorithm", columns="criterion", values="value")
    if unknown := [name for name in by if name not in ranks]:
        raise UserError(
            f"competition.tie_breaks: the measure {measure!r} has no {unknown[0]!r}; expected some of {', '.join(ranks.columns)}."
        )
    keys = {str(name): tuple(int(rank) for rank in row) for name, row in zip(ranks.index, ranks[by].to_numpy(), strict=True)}
    return [
        {
            "place": 1 + sum(other < keys[name] for other in keys.values()),
            "name": name,
            "values": {criterion: float(values.loc[name, criterion]) for criterion in by},
        }
        for name in sorted(keys, key=lambda name: (keys[name], natural_key(name)))
    ]


def in_part(ratios: pd.DataFrame, places: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say with a standing which entries have what counted as failed because of some of their runs."""
    lost = ratios.loc[np.isinf(ratios["cost"]) & (ratios["n_successes"] > 0), "algorithm"].astype(str).value_counts()
    pairs_of = [f"{plural(int(lost[row['name']]), 'pair')} of {row['name']}" for row in places if row["name"] in lost]
    return [f"Counted as failed, because some of the runs on them did: {listed(pairs_of)}."] if pairs_of else []


def moved(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the places of all in two standings, in the order of the second; None where one has none."""
    old, new = ({row["name"]: row["place"] for row in rows} for rows in (before, after))
    return [{"name": name, "before": old.get(name), "after": new.get(name)} for name in dict.fromkeys([*new, *old])]


def contribution(factors: Mapping[str, Array]) -> dict[str, Any] | None:
    """Award the largest contribution.

    Without whom the best of all entries together would lose most. None where nobody contributes.

    The `factors` of a name are those by which the best of all others is slower. Pairs that nobody else solves (infinite ones)
    count first, then the sum of the logarithms of the others.
    """
    finite = {name: own[np.isfinite(own)] for name, own in factors.items()}
    scores = {name: (own.size - finite[name].size, round(float(np.log(finite[name]).sum()), 12)) for name, own in factors.items()}
    best = max(scores.values(), default=(0, 0.0))
    if best <= (0, 0.0):
        return None
    names = sorted((name for name, score in scores.items() if score == best), key=natural_key)
    faster = finite[names[0]].size
    losses = [f"{plural(best[0], 'pair')} would be solved by no entry"] if best[0] else []
    if faster:
        losses.append(
            f"the best cost of {plural(faster, 'more pair' if losses else 'pair')} would be larger, by a factor of "
            f"{number(float(np.exp(best[1] / faster)))} (geometric mean)"
        )
    return {"award": "largest_contribution", "names": names, "text": f"without it {', and '.join(losses)}."}


def lead(solved: Mapping[str, Mapping[str, int]], divided_by: str | None) -> dict[str, Any] | None:
    """Award the biggest lead: in which division the first solves most more than the second, as (1 + n₁) / (1 + n₂)."""
    leads = []
    for division, counts in solved.items():
        ordered = sorted(counts.items(), key=lambda item: (-item[1], natural_key(item[0])))
        if len(ordered) > 1 and ordered[0][1] > ordered[1][1]:
            (first, most), (_, second) = ordered[:2]
            leads.append(((1 + most) / (1 + second), first, division, most, second))
    if not leads:
        return None
    largest = max(one[0] for one in leads)
    best = [one for one in leads if one[0] == largest]
    where = f" in {divided_by} {best[0][2]}" if divided_by else ""
    return {
        "award": "biggest_lead",
        "names": sorted({one[1] for one in best}, key=natural_key),
        "text": f"it solves {plural(best[0][3], 'pair')}{where}, and the second there {best[0][4]}.",
    }


def newcomer(places: Sequence[Mapping[str, Any]], newcomers: Collection[str]) -> dict[str, Any] | None:
    """Award the best place among those who take part for the first time."""
    own = [row for row in places if row["name"] in newcomers]
    if not own:
        return None
    return {
        "award": "best_newcomer",
        "names": [row["name"] for row in own if row["place"] == own[0]["place"]],
        "text": f"place {own[0]['place']} of {len(places)}.",
    }


def rule_in_words(measure: str, headline: str, tie_breaks: Sequence[str]) -> str:
    """Tell the rule of a standing in a sentence."""
    further = [named(name).words for name in tie_breaks if name != headline]
    ties = f", ties broken by the {', then the '.join(further)}" if further else ""
    return f"By the {named(headline).words}, measure {measure}{ties}; equal entries share a place."
