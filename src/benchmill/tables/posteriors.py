"""Bayesian comparisons of all pairs, as a table and in sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any

from benchmill.core.natural_order import natural_key
from benchmill.core.step_functions import TOLERANCE
from benchmill.registry.inference import POSTERIORS
from benchmill.registry.tables import Kind
from benchmill.tables.fields import better_first, columns, cut, exhibit, section_of_pairs
from benchmill.text import display, labels
from benchmill.text.display import Table
from benchmill.text.frames import POINT, Frame, at, by_method, frame, groups, short_names


def posteriors(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one section per method and target, the surest pairs first."""
    measure = settings["measure"]["name"]
    pairs = frame(data["posteriors"], measure)
    fields = columns(
        "posteriors",
        short_names(data, [*pairs["algorithm_a"], *pairs["algorithm_b"]], 24),
        {name: partial(_probability, name) for name in _SIDES},
        bold={name: partial(_sure, name) for name in _SIDES},
    )
    sections = []
    parts = groups(pairs, ["method", *POINT])
    for group, members in parts:
        surest = members[["a_better", "equal", "b_better"]].max(axis=1).fillna(-1.0)
        members = members.assign(surest=surest).sort_values(
            ["surest", "algorithm_a", "algorithm_b"], ascending=[False, True, True]
        )
        rope = display.target(members["rope"].iloc[0])
        heading = f"{POSTERIORS[group['method']].words}, {at(group, settings)}, equal within ±{rope}"
        effect, file = members["a_better"] - members["b_better"], f"posteriors/{labels.file_name(measure)}.parquet"
        sections.append(section_of_pairs(heading, fields, members, effect, settings.get("control"), _likely_first, file, {}))
    scale = display.listed(sorted(pairs["normalisation"].unique()))
    words = {"scale": scale, "cautions": _cautions(pairs), "cut": cut(rows for _, rows in parts)}
    return exhibit("posteriors", fields, sections, settings["measure"], **words)


_SIDES = ("better", "equal", "worse")


def _likely_first(row: Mapping[str, Any]) -> dict[str, Any]:
    found, turn = better_first(row, (row["a_better"] or 0.0) - (row["b_better"] or 0.0))
    better, worse = (row["a_better"], row["b_better"])[::turn]
    return {**found, "better": better, "worse": worse}


def _sure(name: str, row: Mapping[str, Any]) -> bool:
    return row[name] is not None and row[name] >= 1 - row["alpha"]


def _cautions(pairs: Frame) -> str:
    chosen = [POSTERIORS[name] for name in pairs["method"].unique()]
    of_blocks = [one.words for one in chosen if not one.of_clusters]
    takes = "takes" if len(of_blocks) == 1 else "take"
    return f" The {display.listed(of_blocks)} {takes} problems for independent." if of_blocks else ""


def said(rows: Sequence[Mapping[str, Any]], leader: str, shown: Mapping[str, str], better: Collection[tuple[str, str]]) -> str:
    """Say what the Bayesian comparisons of one target or budget allow to claim, method by method.

    Statements hold all at once; who is better is said only of pairs that tests show to differ, in `better` the better one first.
    """
    text = ""
    for method, members in by_method(rows):
        sure = 1 - members[0]["alpha"]
        defined = [row for row in members if row["equal"] is not None]
        name = f" By the {POSTERIORS[method].words} "
        if not defined:
            text += f"{name}nothing can be said: it needs {POSTERIORS[method].needs}."
            continue
        held = _together(defined, members[0]["alpha"], better)
        equal = [row for row in held if row["equal"] >= sure]
        decided = [row for row in held if row["equal"] < sure]
        beaten, like = (
            [shown[name] for name in sorted({*chain(*map(_pair, chosen))} - {leader}, key=natural_key)]
            for chosen in (
                [row for row in decided if leader in _pair(row) and row[f"{'ab'[_pair(row).index(leader)]}_better"] >= sure],
                [row for row in equal if leader in _pair(row)],
            )
        )
        n, m = len(decided), len(equal)
        alike = f"{m or 'none'} {'is' if m < 2 else 'are'} practically equal (within ±{display.target(members[0]['rope'])})"
        text += f"{name}with a probability of at least {display.target(sure)} for all at once, "
        if better:
            tested = display.out_of(n, len(better), "pair")
            text += f"{tested} shown to differ {'is' if n < 2 else 'are'} decided for the same one"
        else:
            text += "nothing is claimed of who is better, since no pair is shown to differ"
        text += f", and of {display.plural(len(defined), 'pair')} {alike}"
        if beaten or like:
            parts = [f"practically better than {display.listed(beaten)}"] if beaten else []
            parts += [f"practically equal to {display.listed(like)}"] if like else []
            text += f"; {shown[leader]} is {' and '.join(parts)}"
        text += "."
    return text


def _together(rows: Sequence[Mapping[str, Any]], alpha: float, better: Collection[tuple[str, str]]) -> list[Mapping[str, Any]]:
    """Return the rows whose statements hold all at once: errors add up to alpha at most, however they depend."""

    def surest(row: Mapping[str, Any]) -> float:
        sides = (side for side, pair in (("a_better", _pair(row)), ("b_better", _pair(row)[::-1])) if pair in better)
        return float(max(row[side] for side in ("equal", *sides)))

    errors = sorted(((1 - surest(row), place) for place, row in enumerate(rows)))
    totals = accumulate(error for error, _ in errors)
    kept = {place for total, (_, place) in zip(totals, errors, strict=True) if total <= alpha + TOLERANCE}
    return [row for place, row in enumerate(rows) if place in kept]


def _probability(name: str, row: Mapping[str, Any]) -> str:
    # not 1 or 0 where a sample says otherwise
    p = row[name]
    if p is None:
        return display.ABSENT
    if p in (0.0, 1.0):
        return f"{p:.0f}"
    return "<0.001" if p < 0.0005 else ">0.999" if p > 0.9995 else f"{p:.3f}"


def _pair(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["algorithm_a"], row["algorithm_b"]


ENTRIES = (
    Kind(
        name="posteriors",
        words="Bayesian comparisons",
        build=posteriors,
        section="tests",
        file="posteriors_{measure}",
        each="measure",
        tables=("posteriors/{measure}",),
        needs="inference.bayes",
        budgets=True,
    ),
)
