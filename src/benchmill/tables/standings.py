"""Where the algorithms stand: ranks by every criterion side by side, who dominates whom, and the Pareto fronts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.tables.select import at, grouped, rows_of
from benchmill.text import display
from benchmill.text.display import Cell, Column, Section, Table

#: Criterion -> heading and what is ranked; in the order of the columns.
_HEADINGS = {
    "auc": ("AUC", "area under the profile"),
    "auc_log": ("log AUC", "area under the profile over log τ"),
    "rho_1": ("ρ(1)", "value of the profile at τ = 1"),
    "wins": ("wins", "number of problems on which the algorithm is (tied) best"),
    "win_probability": ("P(win)", "expected share of problems on which one run of each makes it best"),
    "rho_tau_max": ("ρ(τ_max)", "share of problems solved within τ_max"),
    "rho_tau_max_tau_star": ("ρ(τ_max), τ*", "the same, ties broken by τ*"),
    "tau_star": ("τ*", "smallest τ at which the profile reaches 1 (of a smooth one: almost)"),
    "reliability": ("R", "largest ratio"),
    "average_rank": ("mean rank", "mean over the problems of the rank of the cost"),
    "mean_rate": ("mean rate", "mean over the problems of the rate"),
    "optiprofiler_score": ("log₂ score", "score of OptiProfiler"),
    "rank_sum": ("rank sum", "sum of ranks in all measures"),
}

#: Criteria that say nothing beside another one where no weights, and no smooth profiles, tell them apart.
_REPEATS = {"wins": "rho_1", "reliability": "tau_star"}
_PLACE = ("variant", "measure", "dimension", "target")


def ranks(standings: pa.Table, settings: Mapping[str, Any] | None = None) -> Table:
    """Make the table of ranks: a section a variant and measure, a row an algorithm, a column a criterion.

    Parameters
    ----------
    standings : pyarrow.Table
        Profiles of single dimensions or targets are passed over where there are profiles of all problems.
    settings : mapping, optional
        `algorithms`: all of the study, for names that stay the same in all tables.
    """
    rows = _pooled(rows_of(standings))
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *(row["algorithm"] for row in rows)])
    rank = {_key(row): row["rank"] for row in rows}
    used = {row["criterion"] for row in rows}
    for criterion, other in _REPEATS.items():
        if all(row["rank"] == rank.get(_key({**row, "criterion": other})) for row in rows if row["criterion"] == criterion):
            used.discard(criterion)
    if all((row["n_added"] or 1) == 1 for row in rows):
        used.discard("rank_sum")  # over one measure it repeats the ranks there
    criteria = [name for name in _HEADINGS if name in used]
    sections = []
    for group, mine in grouped([row for row in rows if row["measure"] is not None], list(_PLACE)):
        lines = []
        for name in {row["algorithm"]: None for row in mine}:
            cells = [
                {**group, "criterion": c, "algorithm": name, **({"measure": None} if c == "rank_sum" else {})} for c in criteria
            ]
            lines.append((name, [rank.get(_key(cell)) for cell in cells]))
        lines.sort(key=lambda line: ([(r is None, r or 0) for r in line[1]], natural_key(line[0])))
        sections.append(
            Section(
                f"{_heading(group)} ({display.count(mine[0]['n_problems'])} problems)",
                tuple((Cell(shown[name]), *(Cell(display.count(r), r, r == 1) for r in found)) for name, found in lines),
            )
        )
    return Table(
        name="standings",
        title="Standings",
        caption=(
            "Ranks of the algorithms by what the profiles say, in the order of the first column. "
            + "; ".join(f"{_HEADINGS[name][0]}: {_HEADINGS[name][1]}" for name in criteria)
            + ". Ties, also of infinite values, share the smallest rank; ranks are of unrounded values."
        ),
        columns=(Column("algorithm", "l", key=True), *(Column(_HEADINGS[name][0], "r", _HEADINGS[name][1]) for name in criteria)),
        sections=tuple(sections),
        place="results",
    )


def dominance(profile_pairs: pa.Table, fronts: pa.Table, settings: Mapping[str, Any] | None = None) -> Table:
    """Make the table of dominance: for each algorithm whom it dominates, who dominates it, and its Pareto fronts.

    Parameters
    ----------
    profile_pairs, fronts : pyarrow.Table
        Profiles of single dimensions or targets are passed over where there are profiles of all problems.
    settings : mapping, optional
        As `ranks`.
    """
    won: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows_of(profile_pairs):
        if row["dominates"]:
            won.setdefault(tuple(row[name] for name in _PLACE), []).append(row)
    layers = _pooled(rows_of(fronts))
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *(row["algorithm"] for row in layers)])
    sections = []
    for group, members in grouped(layers, list(_PLACE)):
        pairs = won.get(tuple(group.values()), [])
        layer = {(row["algorithm"], row["front"]): row["layer"] for row in members}
        lines = []
        for name in sorted({row["algorithm"] for row in members}, key=natural_key):
            over, under = (
                sorted((row[other] for row in pairs if row[own] == name), key=natural_key)
                for own, other in (("algorithm_a", "algorithm_b"), ("algorithm_b", "algorithm_a"))
            )
            lines.append(
                (
                    Cell(shown[name]),
                    Cell(_names(over, shown), len(over)),
                    Cell(_names(under, shown), len(under)),
                    *(
                        Cell(display.count(layer[name, front]), layer[name, front], layer[name, front] == 1)
                        for front in ("wins_solved", "wins_tau_star")
                    ),
                )
            )
        sections.append(Section(_heading(group), tuple(lines)))
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


def _pooled(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the profiles of all problems; all rows where there are no such profiles."""
    of_all = [row for row in rows if row["dimension"] is None and row["target"] is None]
    return of_all or list(rows)


def _heading(group: Mapping[str, Any]) -> str:
    where = at({"dimension": group["dimension"], "target": group["target"]})
    return f"{display.words(group['variant'])}, {display.words(group['measure'])}, {where}"


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in (*_PLACE, "criterion", "algorithm"))


def _names(names: Sequence[str], shown: Mapping[str, str]) -> str:
    return display.listed([shown[name] for name in names]) if names else display.ABSENT
