"""What a profile says in numbers: area, wins, reliability, share solved, and ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from benchmill.tables.fields import heads, numbers, section, words
from benchmill.text import display, labels, variants
from benchmill.text.display import Table
from benchmill.text.frames import at, best, frame, groups, short_names
from benchmill.text.measures import called


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of one measure and variant: one section per group, the largest area over log tau first."""
    measure, variant = settings["measure"]["name"], settings["profile"]["name"]
    spans = frame(data.get("profile_intervals"), measure, variant)
    rows = with_ends(frame(data["profile_measures"], measure, variant), spans)
    shown = short_names(data, rows["algorithm"])
    finite = not len(rows) or bool((rows["tau_max"] < math.inf).all())
    end = "the largest finite ratio unless the study sets it" if finite else "not finite here"
    # a smooth profile reaches 1 nowhere; and where wins are not counted, rho(1) is no share of wins
    epsilon = float(rows["epsilon"].max()) if len(rows) else 0.0
    reached = f"ρ(τ) ≥ {1 - epsilon:g}" if epsilon else "ρ(τ) = 1"
    unbounded = ", and where a cost has no upper end" if epsilon else ""
    counted = not len(rows) or bool(rows["wins"].notna().all())
    won = "share of problems on which the algorithm is (tied) best"
    at_one = won if counted else "value of the profile at τ = 1, no share of wins"
    called_so = settings["profile"].get("title") or display.words(variant)

    def four(value: float | None) -> str:
        return display.number(value, 4)

    def measured(form: Callable[..., str], name: str) -> Callable[[Mapping[str, Any]], str]:
        return lambda row: form(row[name], *ends_of(row)[name])

    def whose(row: Mapping[str, Any]) -> str:
        return labels.with_role(shown[row["algorithm"]], "" if row["rank_auc"] is not None else "not_competing")

    share = display.measured_share
    of_largest = numbers("AUC/max", "auc_normalised", "area divided by the largest", of=measured(share, "auc_normalised"))
    fields = (
        words("algorithm", whose, key=True),
        numbers("log AUC", "auc_log", "area under the profile over ln τ, from τ = 1 to τ_max", four),
        numbers("#", "rank_auc_log", "rank by the area over log τ", display.count),
        numbers("AUC", "auc", "area under the profile over [1, τ_max]", of=measured(area, "auc")),
        replace(of_largest, marked="auc"),
        numbers("#", "rank_auc", "rank by area", display.count),
        numbers("ρ(1)", "rho_1", at_one, of=measured(share, "rho_1")),
        numbers("#", "rank_rho_1", "rank by ρ(1)", display.count),
        numbers("ρ(τ_max)", "rho_tau_max", "share of problems solved within τ_max", display.share),
        numbers("#", "rank_rho_tau_max", "rank by ρ(τ_max)", display.count),
        numbers("τ*", "tau_star", f"smallest τ with {reached}", four),
        numbers("R", "reliability", "largest ratio of the algorithm", four),
    )
    sections = []
    for group, members in groups(rows, ["dimension", "target"]):
        ranked, first = members[members["rank_auc"].notna()], members.iloc[0]
        marked = ("auc", "auc_log", "rho_1", "rho_tau_max", "tau_star")
        marks = {key: best(ranked[key], largest=key != "tau_star") for key in marked}
        problems = f"{display.plural(first['n_problems'], 'problem')}, {display.count(first['n_unsolved'])} solved by none"
        heading = f"{at(group, settings)} ({problems}; τ_max = {four(first['tau_max'])})"
        sections.append(section(heading, fields, _in_order(members), marks, lambda row: row["rank_auc"] is not None))
    return Table(
        name=f"profile_{labels.file_name(measure)}_{labels.file_name(variant)}",
        title=f"Profile measures, {called(settings['measure'])}, {called_so}",
        caption=(
            f"Measures of the performance profiles ({called_so}), measure {called(settings['measure'])}. log AUC: area under the "
            f"profile over ln τ, by which the rows stand. AUC: area over [1, τ_max], τ_max being {end}, also divided by the "
            f"largest. ρ(1): {at_one}. ρ(τ_max): share solved. τ*: smallest τ with {reached}. R: largest ratio{unbounded}. "
            f"{'AUC, AUC/max and ρ(1) are rounded to the second digit of half their interval. ' if len(spans) else ''}"
            "#: rank by the column before it."
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="results",
    )


def summary(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Say what the profiles of one measure and variant show, a sentence a group."""
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
            f"{'comes' if len(first['rank_auc_log']) == 1 else 'come'} first, untested (`compare` tests); ρ(1) is largest for "
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
    """Return the measures of profiles with the ends of their intervals, as `auc_low`, `auc_high` and so on."""
    if not len(intervals):
        return measures.assign(**{f"{name}_{end}": math.nan for name in _MEASURED for end in ("low", "high")})
    intervals = intervals.astype({key: measures[key].dtype for key in _PLACE})
    for name in _MEASURED:
        own = intervals.loc[intervals["quantity"] == name, [*_PLACE, "low", "high"]]
        measures = measures.merge(own.rename(columns={"low": f"{name}_low", "high": f"{name}_high"}), on=_PLACE, how="left")
    return measures


def ends_of(row: Mapping[str, Any]) -> dict[str, tuple[float | None, float | None]]:
    """Return the intervals in a row of `with_ends` by quantity; None where there is none."""
    return {name: (row[f"{name}_low"], row[f"{name}_high"]) for name in _MEASURED}


def area(value: float, low: float | None, high: float | None) -> str:
    """Write an area under a profile with the digits that its interval leaves it, or four."""
    return display.number(value, 4) if low is None else display.measured(value, low, high)


def _in_order(measures: pd.DataFrame) -> pd.DataFrame:
    return measures.sort_values(["rank_auc_log", "algorithm"])
