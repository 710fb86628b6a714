"""Rank the entries by the rule that a competition declares, and give its awards."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from benchmill.core import Array, UserError, natural_key
from benchmill.core.schema import Facts, Row
from benchmill.registry.criteria import named
from benchmill.text import prose
from benchmill.text.display import listed, plural


def standing(leaders: pd.DataFrame, measure: str, tie_breaks: Sequence[str]) -> list[Row]:
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
    ordered = ranks.loc[sorted(ranks.index, key=natural_key)].sort_values(by, kind="stable")
    places = np.arange(1, len(ordered) + 1) - ordered.groupby(by, sort=False).cumcount()
    return [
        {"place": place, "name": str(name), "values": {criterion: float(values.loc[name, criterion]) for criterion in by}}
        for name, place in places.items()
    ]


def in_part(ratios: pd.DataFrame, places: Sequence[Facts]) -> list[str]:
    """Say with a standing which entries have what counted as failed because of some of their runs."""
    lost = ratios.loc[np.isinf(ratios["cost"]) & (ratios["n_successes"] > 0), "algorithm"].astype(str).value_counts()
    pairs_of = [f"{plural(int(lost[row['name']]), 'pair')} of {row['name']}" for row in places if row["name"] in lost]
    return [f"Counted as failed, because some of the runs on them did: {listed(pairs_of)}."] if pairs_of else []


def moved(before: Sequence[Facts], after: Sequence[Facts]) -> list[Row]:
    """Return the places of all in two standings, in the order of the second; None where one has none."""
    old, new = ({row["name"]: row["place"] for row in rows} for rows in (before, after))
    return [{"name": name, "before": old.get(name), "after": new.get(name)} for name in dict.fromkeys([*new, *old])]


def contribution(factors: Mapping[str, Array]) -> Row | None:
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
    alone, faster = best[0], finite[names[0]].size
    factor = float(np.exp(best[1] / max(faster, 1)))
    text = prose.said(__file__, "Contribution", alone=alone, faster=faster, factor=factor)
    return {"award": "largest_contribution", "names": names, "text": text}


def lead(solved: Mapping[str, Mapping[str, int]], divided_by: str | None) -> Row | None:
    """Award the biggest lead: in which division the first solves most more than the second, as (1 + n₁) / (1 + n₂)."""
    leads = []
    for division, counts in solved.items():
        if len(counts) > 1:
            (first, most), (_, second) = sorted(counts.items(), key=lambda item: (-item[1], natural_key(item[0])))[:2]
            leads.append(((1 + most) / (1 + second), first, division, most, second))
    largest = max((one[0] for one in leads), default=1.0)
    best = [one for one in leads if one[0] == largest > 1]
    if not best:
        return None
    _, _, division, most, second = best[0]
    where = f" in {divided_by} {division}" if divided_by else ""
    return {
        "award": "biggest_lead",
        "names": sorted({one[1] for one in best}, key=natural_key),
        "text": f"it solves {plural(most, 'pair')}{where}, and the second there {second}.",
    }


def newcomer(places: Sequence[Facts], newcomers: Collection[str]) -> Row | None:
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
    return prose.said(__file__, "Rule", criterion=named(headline).words, measure=measure, further=further)
