"""What a profile says in numbers: area, wins, reliability, share solved, and the ranks by each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.tables.select import at, best_of, grouped, rows_of
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table


def build(
    profile_measures: pa.Table,
    measure: str,
    variant: str,
    settings: Mapping[str, Any] | None = None,
    profile_intervals: pa.Table | None = None,
) -> Table:
    """Make the table of one measure and variant: a row an algorithm, a section a group, best area first.

    What has a bootstrap interval is printed with the digits that it leaves.

    Parameters
    ----------
    profile_measures : pyarrow.Table
        Rows of other measures and variants are passed over.
    settings : mapping, optional
        `algorithms`: all of the study, for names that stay the same in all tables.
    profile_intervals : pyarrow.Table, optional
        Table of that name, where the variant has bands.
    """
    settings = settings or {}
    spans = intervals(profile_intervals, measure, variant)
    rows = [row for row in rows_of(profile_measures, measure) if row["variant"] == variant]
    shown = display.short_names([*(settings.get("algorithms") or []), *(row["algorithm"] for row in rows)])
    sections = []
    facts = []
    for group, members in grouped(rows, ["dimension", "target"]):
        ordered = _in_order(members)
        best = {
            "auc": best_of((r["auc"] for r in ordered), smallest=False),
            "rho_1": best_of((r["rho_1"] for r in ordered), smallest=False),
            "rho_tau_max": best_of((r["rho_tau_max"] for r in ordered), smallest=False),
            "tau_star": best_of(r["tau_star"] for r in ordered),
        }
        lines = []
        for row in ordered:
            ends = {name: spans.get((*place(row), name), (None, None)) for name in ("auc", "auc_normalised", "rho_1")}
            marked = {key: value is not None and row[key] == value for key, value in best.items()}
            lines.append(
                (
                    Cell(shown[row["algorithm"]]),
                    Cell(area(row["auc"], *ends["auc"]), row["auc"], marked["auc"]),
                    Cell(
                        display.measured_share(row["auc_normalised"], *ends["auc_normalised"]),
                        row["auc_normalised"],
                        marked["auc"],
                    ),
                    Cell(display.count(row["rank_auc"]), row["rank_auc"]),
                    Cell(display.measured_share(row["rho_1"], *ends["rho_1"]), row["rho_1"], marked["rho_1"]),
                    Cell(display.count(row["rank_rho_1"]), row["rank_rho_1"]),
                    Cell(display.share(row["rho_tau_max"]), row["rho_tau_max"], marked["rho_tau_max"]),
                    Cell(display.count(row["rank_rho_tau_max"]), row["rank_rho_tau_max"]),
                    Cell(display.number(row["tau_star"], 4), row["tau_star"], marked["tau_star"]),
                    Cell(display.number(row["reliability"], 4), row["reliability"]),
                )
            )
        first = ordered[0]
        facts.append(first)
        words = f"{display.count(first['n_problems'])} problems, {display.count(first['n_unsolved'])} solved by none"
        sections.append(Section(f"{at(group)} ({words}; τ_max = {display.number(first['tau_max'], 4)})", tuple(lines)))
    finite = all(math.isfinite(fact["tau_max"]) for fact in facts)
    end = "the largest finite ratio unless the study sets it" if finite else "not finite here"
    # a smooth profile reaches 1 nowhere; and where wins are not counted, rho(1) is no share of wins
    epsilon = max((fact["epsilon"] for fact in facts), default=0.0)
    reached = f"ρ(τ) ≥ {1 - epsilon:g}" if epsilon else "ρ(τ) = 1"
    unbounded = ", and where a cost has no upper end" if epsilon else ""
    counted = all(fact["wins"] is not None for fact in facts)
    won = "share of problems on which the algorithm is (tied) best"
    at_one = won if counted else "value of the profile at τ = 1, no share of wins"
    return Table(
        name=f"profile_{labels.file_name(measure)}_{labels.file_name(variant)}",
        title=f"Profile measures, {display.words(measure)}, {display.words(variant)}",
        caption=(
            f"Measures of the performance profiles ({display.words(variant)}) "
            f"for the measure {display.words(measure)}. AUC: area under "
            "the profile over [1, τ_max], "
            f"τ_max being {end}; failures add nothing; also divided by the largest. ρ(1): {at_one}. "
            f"ρ(τ_max): share solved within τ_max. τ*: smallest τ with {reached}, ∞ if there is none. R: reliability, the "
            f"largest ratio, ∞ with any failure{unbounded}. "
            f"{'AUC, AUC/max and ρ(1) are rounded to the second digit of half their bootstrap interval. ' if spans else ''}"
            "A # is the rank by the column before it, on unrounded values; ties share the smallest rank. A "
            "problem is here what the profile "
            "counts: with several targets, each pair of problem and target."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("AUC", "r", "area under the profile over [1, τ_max]"),
            Column("AUC/max", "r", "area divided by the largest"),
            Column("#", "r", "rank by area"),
            Column("ρ(1)", "r", at_one),
            Column("#", "r", "rank by ρ(1)"),
            Column("ρ(τ_max)", "r", "share of problems solved within τ_max"),
            Column("#", "r", "rank by ρ(τ_max)"),
            Column("τ*", "r", f"smallest τ with {reached}"),
            Column("R", "r", "largest ratio of the algorithm"),
        ),
        sections=tuple(sections),
        place="results",
    )


def summary(profile_measures: pa.Table, measure: str, variant: str, settings: Mapping[str, Any] | None = None) -> list[str]:
    """What the profiles of one measure and variant show, in words: a sentence a group of problems.

    Names every algorithm that shares a first place.
    """
    rows = [row for row in rows_of(profile_measures, measure) if row["variant"] == variant]
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *(row["algorithm"] for row in rows)])
    found = []
    for group, members in grouped(rows, ["dimension", "target"]):
        first = {
            key: display.listed([shown[row["algorithm"]] for row in _in_order(members) if row[key] == 1], limit=4)
            for key in ("rank_auc", "rank_rho_1", "rank_rho_tau_max")
        }
        top = {key: max(row[key] for row in members) for key in ("rho_1", "rho_tau_max")}
        lost = members[0]["n_unsolved"]
        text = (
            f"{at(group)[0].upper()}{at(group)[1:]}: by area {first['rank_auc']} comes first; ρ(1) is largest for "
            f"{first['rank_rho_1']} ({display.share(top['rho_1'])}), ρ(τ_max) for {first['rank_rho_tau_max']} "
            f"({display.share(top['rho_tau_max'])})."
        )
        none = f"{display.plural(lost, 'problem')} of {display.count(members[0]['n_problems'])}"
        found.append(f"{text} {none} {'is' if lost == 1 else 'are'} solved by none." if lost else text)
    return found


def intervals(
    profile_intervals: pa.Table | None, measure: str, variant: str
) -> dict[tuple[int | None, float | None, str, str], tuple[float, float]]:
    """Bootstrap intervals by dimension, target, algorithm and quantity; none without a table."""
    return {
        (*place(row), row["quantity"]): (row["low"], row["high"])
        for row in rows_of(profile_intervals, measure)
        if row["variant"] == variant
    }


def area(value: float, low: float | None, high: float | None) -> str:
    """An area under a profile with the digits that its interval leaves it, or four."""
    return display.number(value, 4) if low is None else display.measured(value, low, high)


def place(row: Mapping[str, Any]) -> tuple[int | None, float | None, str]:
    """Dimension, target and algorithm of a row."""
    return row["dimension"], row["target"], row["algorithm"]


def _in_order(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Largest area first, names in natural order where it is the same."""
    return sorted(rows, key=lambda r: (r["rank_auc"], natural_key(r["algorithm"])))
