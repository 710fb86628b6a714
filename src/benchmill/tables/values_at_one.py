"""The plain and the probabilistic profile at τ = 1 side by side: Table 2 of Barreto, Bernardino, Barbosa 2010."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.tables.select import rows_of
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table


def build(profile_measures: pa.Table, measure: str, settings: Mapping[str, Any] | None = None) -> Table:
    """Make the table: a row an algorithm, by rho(1), ties broken by the probabilistic profile.

    Parameters
    ----------
    profile_measures : pyarrow.Table
        Profiles of all problems: the first variant that counts wins, and the first that has win probabilities.
    measure : str
    settings : mapping, optional
        `algorithms`: all of the study, for names that stay the same in all tables.
    """
    rows = [row for row in rows_of(profile_measures, measure) if row["dimension"] is None and row["target"] is None]
    plain = _first([row for row in rows if row["wins"] is not None])
    smooth = _first([row for row in rows if row["win_probability"] is not None])
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *plain])
    key = {name: (-row["rho_1"], -smooth[name]["rho_1"] if name in smooth else 0.0) for name, row in plain.items()}
    lines = []
    for name in sorted(plain, key=lambda name: (key[name], natural_key(name))):
        own, other = plain[name], smooth.get(name)
        lines.append(
            (
                Cell(shown[name]),
                Cell(display.share(own["rho_1"]), own["rho_1"]),
                Cell(display.share(other["rho_1"] if other else None), other["rho_1"] if other else None),
                Cell(display.count(rank := 1 + sum(k < key[name] for k in key.values())), rank),
                Cell(display.share(other["win_probability"] if other else None), other["win_probability"] if other else None),
            )
        )
    n = next((row["n_problems"] for row in plain.values()), 0)
    return Table(
        name=f"values_at_one_{labels.file_name(measure)}",
        title=f"Profiles at τ = 1, {display.words(measure)}",
        caption=(
            "The profile and the probabilistic profile at τ = 1 "
            f"for the measure {display.words(measure)}. ρ(1): share of problems on which the "
            "algorithm is (tied) best; expected ρ(1): that of the probabilistic profile, the expected share on which one run "
            "costs at most the best mean; #: rank by ρ(1), ties "
            "broken by the expected one; P(win): expected share of problems on which one run of each algorithm makes it best."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("ρ(1)", "r", "share of problems on which the algorithm is (tied) best"),
            Column("expected ρ(1)", "r", "expected share of problems on which one run costs at most the best mean"),
            Column("#", "r", "rank by ρ(1), ties broken by the expected one"),
            Column("P(win)", "r", "expected share of problems on which one run of each makes it best"),
        ),
        sections=(Section(f"{display.count(n)} problems", tuple(lines)),),
        place="appendix",
    )


def _first(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Rows of the first variant, by algorithm."""
    return {row["algorithm"]: row for row in rows if row["variant"] == rows[0]["variant"]}
