"""Which algorithms are as good as each other within the margin that a study states: statements of their own family.

`benchmill.inference.equivalence` tests them, over the clusters of the primary analysis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.core import keys
from benchmill.core.errors import UserError
from benchmill.inference.design import Design
from benchmill.inference.equivalence import Effect, Equivalence, equivalence
from benchmill.registry.inference import EQUIVALENCE, MARGINS
from benchmill.text import display, labels

#: What such rows of `verdicts` have for their method.
METHOD = "two_one_sided"
#: Name of the statement about all pairs, and last part of those about a pair.
AS_GOOD = "as_good"


def statements(
    designs: Sequence[Design],
    pairs: Sequence[tuple[str, str]],
    margin: float,
    effect: Effect,
    key: Mapping[str, Any],
    cluster_keys: Sequence[keys.Key],
) -> list[dict[str, Any]]:
    """Make the rows of `verdicts` about equivalence: one that sums up, then one for each pair; none without pairs.

    `margin` is in per cent, `key` has the columns that all rows share.
    """
    if not pairs:
        return []
    try:
        found = equivalence(designs, pairs, margin, effect=effect, cluster_keys=cluster_keys, alpha=key["alpha"])
    except UserError as error:
        raise UserError(f"primary.margin: {error} (`primary.margin_of` says what is compared.)") from None
    shared = {
        **key,
        "analysis": EQUIVALENCE,
        "family": f"as good within {display.target(margin)} %",
        "family_size": len(pairs),
        "criterion": MARGINS[effect],
        "method": METHOD,
        "margin": float(margin),
        "p_min": 2.0**-found.n_clusters,
    }
    rows = [_row(shared, pair, place, found, effect) for place, pair in enumerate(pairs)]
    equal = [f"{row['algorithm_a']} with {row['algorithm_b']}" for row in rows if row["significant"]]
    text = (
        f"Equivalence, measure {display.words(key['measure'])}, over {display.plural(found.n_clusters, 'cluster')}: "
        f"{display.out_of(len(equal), len(rows), 'pair')} {'is' if len(equal) < 2 else 'are'} shown to be as "
        f"good as each other within {display.target(margin)} % of the {MARGINS[effect]} (two one-sided tests, Holm, level "
        f"{display.target(key['alpha'])}){': ' if equal else ''}{display.listed(equal, limit=8) if equal else ''}."
    )
    failing = max(found.n_both_failed[place] for place, row in enumerate(rows) if row["significant"]) if equal else 0
    if failing:
        cells = f"{display.count(failing)} of {display.plural(key['n_cells'], 'cell')}"
        text += f" Two failures count as equal, as on up to {cells}."
    if 2.0**-found.n_clusters > key["alpha"]:
        text += " With so few clusters nothing could be shown, whatever the data."
    about_all = {**shared, "name": AS_GOOD, "p": None, "p_adjusted": None, "significant": bool(equal), "text": text}
    return [about_all, *rows]


def _row(shared: Mapping[str, Any], pair: tuple[str, str], place: int, found: Equivalence, effect: Effect) -> dict[str, Any]:
    numbers = {
        "effect": found.effect[place],
        "effect_low": found.low[place],
        "effect_high": found.high[place],
        "p": found.p[place],
        "p_adjusted": found.p_adjusted[place],
    }
    row = {
        **shared,
        "name": labels.statement(*pair, AS_GOOD),
        "algorithm_a": pair[0],
        "algorithm_b": pair[1],
        **{name: float(value) if math.isfinite(value) else None for name, value in numbers.items()},
        "significant": bool(found.p_adjusted[place] <= shared["alpha"]),
    }
    return {**row, "text": _text(row, int(found.n_one_failed[place]), int(found.n_both_failed[place]), effect)}


def _text(row: Mapping[str, Any], n_one_failed: int, n_both_failed: int, effect: Effect) -> str:
    a, b = row["algorithm_a"], row["algorithm_b"]
    claim = f"{a} is as good as {b} within {display.target(row['margin'])} %"
    told = f"adjusted p {display.p_phrase(row['p_adjusted'])}, one of {display.plural(row['family_size'], 'statement')}"
    if row["effect"] is None:
        of = "both fail on every cell" if n_both_failed else "there is no problem to compare them on"
        of = f"on {display.plural(n_one_failed, 'cell')} one of the two fails" if n_one_failed else of
        return f"It is not shown that {claim}: {of}, so there is no {row['criterion']}."
    size = f"{in_words(row, effect)}, {told} (equivalence)"
    if n_both_failed:
        size += (
            f"; on {display.count(n_both_failed)} of {display.plural(row['n_cells'], 'cell')} both fail, which counts as equal"
        )
    if row["significant"]:
        return f"{claim} on {row['population']}: {size}."
    return f"It is not shown that {claim}: {size}."


def in_words(row: Mapping[str, Any], effect: Effect) -> str:
    """Write the effect with its interval: a ratio of costs, or a net share."""
    level = f"{100 * (1 - 2 * row['alpha']):.3g} % interval"
    ends = row["effect"], row["effect_low"], row["effect_high"]
    if effect == "cost_ratio":
        value, low, high = (None if end is None else math.exp(min(end, 700.0)) for end in ends)
        what = f"costs of {row['algorithm_b']} over those of {row['algorithm_a']}, geometric mean"
    else:
        value, low, high = ends
        what = f"net share of wins of {row['algorithm_a']}"
    interval = f"{display.number(low)} to {display.number(high)}" if low is not None and high is not None else "none"
    return f"{what} {display.number(value)} ({level}: {interval})"
