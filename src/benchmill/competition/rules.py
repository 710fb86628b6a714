"""Find the rules of a competition that an entry's runs break."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.competition.options import Options, end_of
from benchmill.core import Array, Index, contradictions, keys, limits, natural_key, schema, shown
from benchmill.core.ranks import midranks
from benchmill.core.schema import Facts
from benchmill.text import prose
from benchmill.text.display import count, listed, number

#: What tells problems that are compared apart, targets aside.
PLACE = ["suite", "problem", "dimension", "instance"]
#: What two runs have in common that are the same run, beside their costs: where it stands, and all that it reached and took.
SAME = (*PLACE, "budget", "best_value", "violation", "runtime_s", "cost", "status")
#: From this share on, runs that another entry has too are told.
_MANY_SAME = 0.5
#: From this rank correlation on, costs like those of another entry are told.
_MUCH_ALIKE = 0.95
#: The shortest time of a run (s), below the ticks of clocks.
_SHORTEST = 1e-9
#: Costs that two entries have in common, at least, for their likeness to be judged.
_FEWEST = 20
#: Width of one ratio of costs (of its logarithm), pairs that are in it, at least, and their least share: of honest solvers that
#: were compared 6 % are in one.
_ONE_RATIO, _FEWEST_IN_RATIO, _MANY_IN_RATIO = 0.002, 5, 0.1
_CELL = list(keys.OF_PROBLEMS)
#: What tells apart the problems of answers.
_ANSWERED = ("suite", "problem", "instance")
#: Columns of the table `costs` that are read.
COSTS = [*_CELL, "trial", "cost"]
#: Columns of the table `trials` that tell a run without a time.
TIMED = ["runtime_s", "cost", "status"]
#: What stands for every irregularity, and every gap, among those that break.
ALL = "all"
#: What `all` leaves out: runs that the organiser has left out, and attributes that the organiser's table lacks.
_ORGANISERS = ("not_chosen", "not_in_study", "attribute_missing")
#: What stands for runs that others have and an entry lacks.
GAPS = "gaps"


@dataclass(frozen=True)
class Finding:
    """Finding of a check: the key of the rule (or a word for what is always asked), a sentence.

    And whether it keeps the entry out.
    """

    rule: str
    text: str
    breaks: bool = True


def found(rule: str, part: str, breaks: bool = True, **facts: Any) -> Finding:
    """Return a finding in the words of a part of the template."""
    return Finding(rule, prose.said(__file__, part, **facts), breaks)


def ahead(now: datetime.datetime, moment: str | None) -> bool:
    """Return True if a moment of the rules has not passed; False if there is none."""
    return moment is not None and now <= end_of(moment)


def late(now: datetime.datetime, deadline: str | None, known: bool, not_competing: bool) -> list[Finding]:
    """Return the finding on the deadline of an entry that is checked at a time; one that a published state has is not late."""
    if known or deadline is None or ahead(now, deadline):
        return []
    return [found("deadline", "Late", not not_competing, day=now.date(), deadline=deadline, not_competing=not_competing)]


def of_report(report: Facts, allowed: Sequence[str], breaking: Sequence[str]) -> list[Finding]:
    """Return the findings of an ingest report: repairs, refusals, notes that may break, and runs missing by the log's design."""
    findings, trials = [], report["trials"]
    for entry in report["irregularities"]:
        named = entry["rule"] in breaking or (ALL in breaking and entry["rule"] not in _ORGANISERS)
        breaks = (entry["outcome"] != "noted" or named) and entry["rule"] not in allowed
        findings.append(found("logs", "Irregularity", breaks, one=entry))
    return findings + [found("logs", part, trials=trials) for part in ("missing", "ill_finalised") if trials[part]]


def of_trials(trials: pa.Table, rules: Options) -> list[Finding]:
    """Return the findings of the rules in the runs of an entry."""
    frame = trials.select([*PLACE, "seed", "budget", "runtime_s", "cost", "status", "source"]).to_pandas()
    frame["problem"] = frame["problem"].astype(str)
    budget = rules.budget
    if isinstance(budget, Mapping):
        budget = budget["per_dimension"] * frame["dimension"].astype(float)
    solved = frame[frame["status"] != "failed"]
    # a clock may show 0
    ticked = solved[solved["runtime_s"] > 0]
    n = untimed(trials)
    return [
        *([found("least_cost", "Untimed", False, n=n)] if n else []),
        *_coverage(frame, rules),
        *_beyond("budget", frame, "budget", budget, count, "evaluations"),
        *_beyond("time_limit", frame, "runtime_s", rules.time_limit, number, "s"),
        *_beyond("least_cost", solved, "budget", 1.0, count, "evaluations", sign=-1),
        *_beyond("least_cost", ticked, "runtime_s", _SHORTEST, number, "s", sign=-1),
        *_beyond("least_cost", solved, "cost", rules.least_cost, number, "as the least cost", sign=-1),
    ]


def untimed(trials: pa.Table) -> int:
    """Return how many runs solved in 0 s: nothing says how much faster than others they are."""
    frame = trials.select(TIMED).to_pandas()
    return int(((frame["runtime_s"] == 0) & (frame["cost"] == 0) & (frame["status"] != "failed")).sum())


def _coverage(frame: pd.DataFrame, rules: Options) -> list[Finding]:
    seeds = {_cell(*key): own for key, own in frame.groupby(["problem", "dimension"], dropna=False)["seed"]}
    asked = [
        _cell(problem, dimension)
        for problem in rules.problems or sorted(frame["problem"].unique())
        for dimension in (rules.dimensions or sorted(frame.loc[frame["problem"] == problem, "dimension"].unique()) or [None])
    ]
    absent, findings = [one for one in asked if one not in seeds], list[Finding]()
    for key, those in (("problems", frame["problem"]), ("dimensions", frame["dimension"].dropna().astype(int))):
        lacking = absent if (key == "problems") == bool(rules.problems) else []
        more = sorted(map(str, set(those) - set(getattr(rules, key) or those)), key=natural_key)
        if lacking or more:
            findings.append(found(key, "Coverage", key=key, absent=lacking, more=more))
    if few := [f"{one} ({len(seeds[one])})" for one in asked if one in seeds and len(seeds[one]) < (rules.trials or 0)]:
        findings.append(found("trials", "Few", trials=rules.trials, few=few))
    # a lucky seed may not count twice
    again = frame.duplicated([*PLACE, "seed"])
    other = [
        one for one, own in seeds.items() if again[own.index].any() or own.isna().any() or set(own) != {*(rules.seeds or ())}
    ]
    if rules.seeds and other:
        findings.append(found("seeds", "Seeds", seeds=list(map(str, rules.seeds)), other=other))
    return findings


def _cell(problem: str, dimension: float | None) -> str:
    return problem if pd.isna(dimension) else f"{problem} in dimension {dimension:.0f}"


def _beyond(
    key: str, frame: pd.DataFrame, column: str, limit: Any, words: Callable[[float], str], unit: str, sign: int = 1
) -> list[Finding]:
    """Return findings of runs that spent more than allowed, or an unknown amount; with `sign` -1, less than any can."""
    if not np.any(limit):
        return []
    findings, spent = [], frame[column].to_numpy(float, na_value=np.nan)
    at = np.broadcast_to(np.asarray(limit, float), spent.shape)
    # a run that is stopped takes somewhat longer than it may
    if n := int(np.count_nonzero(sign * spent > sign * at * (1 + limits.SAME * (key == "time_limit")))):
        worst = int(np.nanargmax(sign * spent / at))
        amounts = {"spent": words(spent[worst]), "limit": words(at[worst]), "source": frame["source"].iloc[worst]}
        findings.append(found(key, "Beyond", n=n, of=len(frame), less=sign < 0, unit=unit, **amounts))
    if sign > 0 and (unknown := int(np.count_nonzero(np.isnan(spent) | np.isnan(at)))):
        findings.append(found(key, "Unknown", n=unknown, unit=unit, of_dimension=np.isnan(at).any()))
    return findings


def refuted(trials: Mapping[str, pa.Table], own: str) -> list[Finding]:
    """Return findings of answers that cannot be true beside others, one per problem, whichever others disagree there."""
    findings: dict[tuple[Any, ...], Finding] = {}
    for other in trials:
        for row in contradictions.of_sources({own: trials[own], other: trials[other]}).to_pylist():
            if own in (row["in_source"], row["other_in_source"]):
                findings.setdefault(tuple(row[key] for key in _ANSWERED), found("contradictions", "Refuted", row=row))
    return list(findings.values())


def runs(trials: pa.Table, costs: pa.Table) -> pd.DataFrame:
    """Return the runs that could hardly be equal by chance: where each is, and everything it reached and took.

    They have a number of three digits or more: a cost at any target, a time, or a value within known evaluations.
    """
    course = costs.select(["trial", "cost"]).to_pandas()
    course = course.assign(telling=_telling(course["cost"])).groupby("trial").agg({"cost": tuple, "telling": "any"})
    course = course.reindex(range(trials.num_rows))
    value, timed, stated = (_telling(trials[name].to_pandas()) for name in ("best_value", "runtime_s", "cost"))
    said = words(trials, SAME)
    kept = course["telling"].isin([True]) | stated | (timed & said["status"].ne("failed")) | (value & said["budget"].ne(""))
    return said.assign(course=course["cost"].astype(str))[kept]


def words(table: pa.Table, columns: Sequence[str]) -> pd.DataFrame:
    """Return columns as text, what is not known as an empty one."""
    return table.select(columns).cast(pa.schema([(name, pa.string()) for name in columns])).to_pandas().fillna("")


def _telling(numbers: pd.Series[Any]) -> pd.Series[bool]:
    """Return which numbers have three digits or more before the zeros at their end."""
    known = numbers.astype(float).abs()
    known = known.where(np.isfinite(known) & (known > 0), 1.0)
    digits = 10 * known / 10.0 ** np.floor(np.log10(known))
    return (digits - digits.round()).abs() > 1e-6


def duplicates(runs_of: Mapping[str, pd.DataFrame], own: str, most: float = _MANY_SAME) -> list[Finding]:
    """Return findings of runs that other entries have too, or the entry itself on another instance, whatever their seeds.

    One for each other entry that has at least half of the runs, or more than the share `most`, which breaks the rules; else one
    for all others together.
    """
    mine, marks = runs_of[own], partial(pd.util.hash_pandas_object, index=False)
    if mine.empty:
        return [found("duplicates", "Undecided", False)]
    again = mine.assign(mark=marks(mine.drop(columns="instance"))).groupby("mark")["instance"].transform("nunique") > 1
    same = {f"“{shown(name)}”": marks(mine).isin(marks(runs)) for name, runs in runs_of.items() if name != own}
    same = {name: theirs for name, theirs in same.items() if theirs.any()}
    every = {"there again on another instance": again, **{f"those of {name}": theirs for name, theirs in same.items()}}
    if all(theirs.mean() <= most for theirs in same.values()) and len(same) > 1:
        every[f"those of {listed(list(same))}"] = pd.concat(same, axis=1).any(axis=1)
    return [
        found("duplicates", "Same", bool(what.mean() > most), same=what.sum(), n=len(mine), words=words)
        for words, what in every.items()
        if what.mean() > most or what.mean() >= _MANY_SAME
    ]


def alike(costs: Mapping[str, pa.Table], own: str, most: float, most_same: float = _MANY_SAME) -> list[Finding]:
    """Return findings: entries whose costs the own ones are in one ratio, the one they are most like, and what is undecided.

    They are the costs of all targets and runs, runs of a cell in their order. More than the share `most_same`, and a tenth, of
    one ratio (within 0.2 %, equal pairs once), or a rank correlation above `most`, breaks the rules: neither numbers of
    evaluations that were divided by a constant nor ones that were changed a little in every run hide a copy.
    """
    places, _ = keys.together(list(costs.values()), _CELL)
    ordered = {name: _ordered(cell, schema.floats(costs[name], "cost")) for name, cell in zip(costs, places, strict=True)}
    findings, likeness, few = list[Finding](), list[tuple[float, str, int]](), list[str]()
    for name in (name for name in ordered if name != own):
        both = pd.concat([ordered[own], ordered[name]], axis=1, join="inner").to_numpy()
        n, ratio, n_compared = _in_one_ratio(both)
        if n >= _FEWEST_IN_RATIO and n > max(most_same, _MANY_IN_RATIO) * n_compared:
            findings.append(found("duplicates", "One ratio", n=n, of=n_compared, ratio=ratio, name=name))
        if len(both) < _FEWEST or not (np.ptp(both, axis=0) > 0).all():
            few.append(f"“{shown(name)}”")
        else:
            likeness.append((float(np.asarray(np.corrcoef(midranks(both.T)))[0, 1]), name, len(both)))
    if few:
        findings.append(found("most_alike", "Unlike", False, names=few, fewest=_FEWEST))
    nearest, name, n = max(likeness, default=(0.0, "", 0))
    if nearest >= _MUCH_ALIKE:
        findings.append(found("most_alike", "Alike", nearest > most, name=name, n=n, nearest=nearest, most=most))
    return findings


def _ordered(cell: Index, cost: Array) -> pd.Series[float]:
    """Return finite costs by their cell and their place among those of the cell."""
    costs = pd.DataFrame({"cell": cell, "cost": cost})
    costs = costs[np.isfinite(cost)].sort_values(["cell", "cost"])
    return costs.set_index(["cell", costs.groupby("cell").cumcount()])["cost"]


def _in_one_ratio(both: Array) -> tuple[int, float, int]:
    """Return how many pairs of costs, equal ones once, are in the ratio that most are in, that ratio, and how many there are."""
    pairs = np.unique(both[(both > 0).all(axis=1)], axis=0)
    if not len(pairs):
        return 0, np.nan, 0
    logs = np.sort(np.log(pairs[:, 0] / pairs[:, 1]))
    within = np.searchsorted(logs, logs + _ONE_RATIO, side="right") - np.arange(logs.size)
    first = within.argmax()
    return int(within[first]), float(np.exp(np.median(logs[first : first + within[first]]))), logs.size
