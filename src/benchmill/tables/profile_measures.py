"""What a profile says in numbers: area, wins, reliability, share solved, and the ranks by each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.text import display, labels, variants
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import at, best, frame, groups, records, short_names
from benchmill.text.measures import called


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of one measure and variant: one row per algorithm, one section per group, largest area over log tau first.

    What has an interval is printed with the digits that it leaves.
    """
    measure, variant = settings["measure"]["name"], settings["profile"]["name"]
    spans = frame(data.get("profile_intervals"), measure, variant)
    rows = with_ends(frame(data["profile_measures"], measure, variant), spans)
    shown = short_names(data, rows["algorithm"])
    sections = []
    for group, members in groups(rows, ["dimension", "target"]):
        keys = ("auc", "auc_log", "rho_1", "rho_tau_max", "tau_star")
        ranked = members[members["rank_auc"].notna()]
        marks = {key: best(ranked[key], largest=key != "tau_star") for key in keys}
        lines = []
        for row in records(_in_order(members)):
            ends = ends_of(row)
            own = row["rank_auc"] is not None
            marked = {key: own and row[key] == value for key, value in marks.items()}
            lines.append(
                (
                    Cell(labels.with_role(shown[row["algorithm"]], "" if own else "not_competing")),
                    Cell(display.number(row["auc_log"], 4), row["auc_log"], marked["auc_log"]),
                    Cell(display.count(row["rank_auc_log"]), row["rank_auc_log"]),
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
        first = members.iloc[0]
        words = f"{display.plural(first['n_problems'], 'problem')}, {display.count(first['n_unsolved'])} solved by none"
        sections.append(Section(f"{at(group, settings)} ({words}; τ_max = {display.number(first['tau_max'], 4)})", tuple(lines)))
    finite = not len(rows) or bool((rows["tau_max"] < math.inf).all())
    end = "the largest finite ratio unless the study sets it" if finite else "not finite here"
    # a smooth profile reaches 1 nowhere; and where wins are not counted, rho(1) is no share of wins
    epsilon = float(rows["epsilon"].max()) if len(rows) else 0.0
    reached = f"ρ(τ) ≥ {1 - epsilon:g}" if epsilon else "ρ(τ) = 1"
    unbounded = ", and where a cost has no upper end" if epsilon else ""
    counted = not len(rows) or bool(rows["wins"].notna().all())
    won = "share of problems on which the algorithm is (tied) best"
    at_one = won if counted else "value of the profile at τ = 1, no share of wins"
    words = settings["profile"].get("title") or display.words(variant)
    return Table(
        name=f"profile_{labels.file_name(measure)}_{labels.file_name(variant)}",
        title=f"Profile measures, {called(settings['measure'])}, {words}",
        caption=(
            f"Measures of the performance profiles ({words}), measure {called(settings['measure'])}. log AUC: area under the "
            f"profile over ln τ, by which the rows stand. AUC: area over [1, τ_max], τ_max being {end}, also divided by the "
            f"largest. ρ(1): {at_one}. ρ(τ_max): share solved. τ*: smallest τ with {reached}. R: largest ratio{unbounded}. "
            f"{'AUC, AUC/max and ρ(1) are rounded to the second digit of half their interval. ' if len(spans) else ''}"
            "#: rank by the column before it."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            Column("log AUC", "r", "area under the profile over ln τ, from τ = 1 to τ_max"),
            Column("#", "r", "rank by the area over log τ"),
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


def summary(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """What the profiles of one measure and variant show, in words: a sentence a group of problems.

    Names every algorithm that shares a first place.

    Parameters
    ----------
    data : mapping
        `profile_measures`.
    settings : mapping
        `measure` and `profile`, each with its `name`.
    """
    rows = frame(data["profile_measures"], settings["measure"]["name"], settings["profile"]["name"])
    shown = short_names(data, rows["algorithm"])
    found = []
    part = f", {variants.part_of(settings['profile'])}" if settings["profile"].get("problems") else ""
    for group, members in groups(rows, ["dimension", "target"]):
        first = {
            key: [shown[name] for name in _in_order(members)["algorithm"][members[key] == 1]]
            for key in ("rank_auc_log", "rank_auc", "rank_rho_1", "rank_rho_tau_max")
        }
        named = {key: display.listed(names, limit=4) for key, names in first.items()}
        top = members.loc[members["rank_auc"].notna(), ["rho_1", "rho_tau_max"]].max()
        lost = int(members["n_unsolved"].iloc[0])
        where = at(group, settings)
        text = (
            f"{where[0].upper()}{where[1:]}{part}: by the area under the profile over log τ, {named['rank_auc_log']} "
            f"{'comes' if len(first['rank_auc_log']) == 1 else 'come'} first; ρ(1) is largest for "
            f"{named['rank_rho_1']} ({display.share(top['rho_1'])}), ρ(τ_max) for {named['rank_rho_tau_max']} "
            f"({display.share(top['rho_tau_max'])})."
        )
        if first["rank_auc"] != first["rank_auc_log"]:
            text += f" The criteria disagree: by the area over τ itself it is {named['rank_auc']}."
        elif not set(first["rank_auc_log"]) <= set(first["rank_rho_1"]):
            text += " The criteria disagree about who leads."
        none = f"{display.plural(lost, 'problem')} of {display.count(members['n_problems'].iloc[0])}"
        found.append(f"{text} {none} {'is' if lost == 1 else 'are'} solved by none." if lost else text)
    return found


#: What has an interval where the variant has bands.
_MEASURED = ("auc", "auc_normalised", "rho_1")
_PLACE = ["measure", "variant", "dimension", "target", "algorithm"]


def with_ends(measures: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """The measures of profiles with the ends of their intervals, as `auc_low`, `auc_high` and so on."""
    if not len(intervals):
        return measures.assign(**{f"{name}_{end}": math.nan for name in _MEASURED for end in ("low", "high")})
    intervals = intervals.astype({key: measures[key].dtype for key in _PLACE})
    for name in _MEASURED:
        own = intervals.loc[intervals["quantity"] == name, [*_PLACE, "low", "high"]]
        measures = measures.merge(own.rename(columns={"low": f"{name}_low", "high": f"{name}_high"}), on=_PLACE, how="left")
    return measures


def ends_of(row: Mapping[str, Any]) -> dict[str, tuple[float | None, float | None]]:
    """The intervals in a row of `with_ends`, by quantity; of None where there is none."""
    return {name: (row[f"{name}_low"], row[f"{name}_high"]) for name in _MEASURED}


def area(value: float, low: float | None, high: float | None) -> str:
    """An area under a profile with the digits that its interval leaves it, or four."""
    return display.number(value, 4) if low is None else display.measured(value, low, high)


def _in_order(measures: pd.DataFrame) -> pd.DataFrame:
    """Largest area over log tau first, names in natural order where it is the same."""
    return measures.sort_values(["rank_auc_log", "algorithm"])
