"""Bayesian comparisons of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from benchmill.registry.inference import POSTERIORS
from benchmill.registry.tables import Kind
from benchmill.tables.fields import better_first, columns, cut, exhibit, section_of_pairs
from benchmill.text import display, labels
from benchmill.text.display import Table
from benchmill.text.frames import POINT, Frame, at, frame, groups, short_names


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


def _probability(name: str, row: Mapping[str, Any]) -> str:
    # not 1 or 0 where a sample says otherwise
    p = row[name]
    if p is None:
        return display.ABSENT
    if p in (0.0, 1.0):
        return f"{p:.0f}"
    return "<0.001" if p < 0.0005 else ">0.999" if p > 0.9995 else f"{p:.3f}"


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
