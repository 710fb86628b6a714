"""Find the rules of a competition that an entry's runs break."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.competition.options import Options
from benchmill.core import problem_values
from benchmill.core.natural_order import natural_key
from benchmill.core.ranks import midranks
from benchmill.text.display import count, listed, number, plural
from benchmill.text.labels import shown

#: What two runs have in common that are the same run: where it stands, and all that it reached and took.
SAME = ("suite", "problem", "dimension", "instance", "seed", "budget", "best_value", "violation", "runtime_s", "cost", "status")
#: From this share on, runs that another entry has too are told.
_MANY_SAME = 0.5
#: From this rank correlation on, costs like those of another entry are told.
_MUCH_ALIKE = 0.95
#: Costs that two entries have in common, at least, for their likeness to be judged.
_FEWEST = 20
_CELL = list(problem_values.KEYS)
#: Columns of the table `costs` that `alike` reads.
COSTS = [*_CELL, "cost"]
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


def passed(now: datetime.datetime, moment: str | None) -> bool:
    """Return True if a moment of the rules has passed: a day in UTC, or a time with its zone; False where there is none."""
    if moment is None:
        return False
    if "T" not in moment:
        return now.astimezone(datetime.UTC).date().isoformat() > moment
    return now > datetime.datetime.fromisoformat(moment)


def late(now: datetime.datetime, deadline: str | None, known: bool, not_competing: bool) -> list[Finding]:
    """Return the finding on the deadline of an entry that is checked at a time; one that a published state has is not late."""
    if known or not passed(now, deadline):
        return []
    text = f"It came on {now:%Y-%m-%d}, after the deadline {deadline}"
    if not_competing:
        return [Finding("deadline", f"{text}, and does not compete.", breaks=False)]
    return [Finding("deadline", f"{text}; with `not_competing: true` in its sheet it is shown and not ranked.")]


def of_report(report: Mapping[str, Any], allowed: Sequence[str], breaking: Sequence[str]) -> list[Finding]:
    """Return the findings of an ingest report: repairs, refusals, notes that may break, and runs missing by the log's design."""
    found = []
    for entry in report["irregularities"]:
        told = f"{entry['rule']}, {plural(entry['count'], 'time')}. {entry['meaning']}"
        first = next(iter(entry["examples"]), None)
        if first is not None:
            place = first["file"] if first["line"] is None else f"{first['file']}:{first['line']}"
            told += f" First: {place}: {first['detail']}"
        named = entry["rule"] in breaking or (ALL in breaking and entry["rule"] not in _ORGANISERS)
        breaks = (entry["outcome"] != "noted" or named) and entry["rule"] not in allowed
        found.append(Finding("logs", f"{entry['outcome']}: {told}", breaks))
    trials = report["trials"]
    for key, words in (
        ("missing", f"of {trials.get('expected')} are missing, by the logs' own design."),
        ("ill_finalised", "did not end as the log says they should."),
    ):
        if trials[key]:
            found.append(Finding("logs", f"{plural(trials[key], 'run')} {words}"))
    return found


def of_trials(trials: pa.Table, rules: Options) -> list[Finding]:
    """Return the findings of the rules in the runs of an entry."""
    frame = trials.select(["problem", "dimension", "seed", "budget", "runtime_s", "source"]).to_pandas()
    frame["problem"] = frame["problem"].astype(str)
    per = frame["dimension"].astype(float) if rules.budget_per_dimension else 1.0
    budget = rules.budget and rules.budget * per
    return [
        *_coverage(frame, rules),
        *_beyond("budget", frame, "budget", budget, count, "evaluations"),
        *_beyond("time_limit", frame, "runtime_s", rules.time_limit, number, "s"),
    ]


def _coverage(frame: pd.DataFrame, rules: Options) -> list[Finding]:
    seeds = {_cell(*key): own for key, own in frame.groupby(["problem", "dimension"], dropna=False)["seed"]}
    asked = [
        _cell(problem, dimension)
        for problem in rules.problems or sorted(frame["problem"].unique())
        for dimension in (rules.dimensions or sorted(frame.loc[frame["problem"] == problem, "dimension"].unique()) or [None])
    ]
    told: dict[str, list[str]] = {"problems": [], "dimensions": []}
    if absent := [one for one in asked if one not in seeds]:
        told["problems" if rules.problems else "dimensions"].append(f"There are no runs on {listed(absent, limit=6)}.")
    for key, those in (("problems", frame["problem"]), ("dimensions", frame["dimension"].dropna().astype(int))):
        if more := sorted(map(str, set(those) - set(getattr(rules, key) or those)), key=natural_key):
            told[key].append(f"There are runs on {key} that the rules do not name ({listed(more, limit=6)}); leave them out.")
    found = [Finding(key, " ".join(texts)) for key, texts in told.items() if texts]
    if few := [f"{one} ({len(seeds[one])})" for one in asked if one in seeds and len(seeds[one]) < (rules.trials or 0)]:
        found.append(Finding("trials", f"Expected {rules.trials} runs on each problem, found fewer on {listed(few, limit=6)}."))
    if rules.seeds and (wrong := [one for one, own in seeds.items() if own.isna().any() or set(own) != set(rules.seeds)]):
        named = listed([str(seed) for seed in rules.seeds], limit=6)
        told_where = f"found others, or none stated, on {listed(wrong, limit=6)}."
        found.append(Finding("seeds", f"Expected just the seeds {named}, {told_where}"))
    return found


def _cell(problem: str, dimension: float | None) -> str:
    return problem if pd.isna(dimension) else f"{problem} in dimension {dimension:.0f}"


def _beyond(key: str, frame: pd.DataFrame, column: str, limit: Any, words: Callable[[float], str], unit: str) -> list[Finding]:
    """Return findings of runs that spent more than they may, or of which that is not known."""
    if not np.any(limit):
        return []
    found, spent = [], frame[column].to_numpy(float, na_value=np.nan)
    at = np.broadcast_to(np.asarray(limit, float), spent.shape)
    if n := int(np.count_nonzero(spent > at)):
        worst = int(np.nanargmax(spent / at))
        amounts = f"{words(spent[worst])} of {words(at[worst])} {unit} ({frame['source'].iloc[worst]})"
        found.append(Finding(key, f"{plural(n, 'run')} of {len(frame)} spent more than they may, such as {amounts}."))
    if unknown := int(np.count_nonzero(np.isnan(spent) | np.isnan(at))):
        what = "the dimension, on which the budget depends" if np.isnan(at).any() else f"how many {unit} they took"
        told = f"Of {plural(unknown, 'run')} the logs do not say {what}, so the rule cannot be held."
        found.append(Finding(key, told))
    return found


def duplicates(trials: pa.Table, others: Mapping[str, pa.Table], most: float = _MANY_SAME) -> list[Finding]:
    """Return findings of runs that another entry has too, or the entry itself on another instance.

    One for each other entry that has at least half of the runs, or more than the share `most`, which breaks the rules. Runs
    that reached nothing of their own do not count.
    """
    own, found = _telling(trials), []
    anywhere = own.groupby([name for name in SAME if name not in ("instance", "seed")])["instance"]
    repeated = int((anywhere.transform("nunique") > 1).sum())
    reached = "in all that they reached and took"
    if repeated > most * len(own):
        text = f"{repeated} of {plural(len(own), 'run')} are there again on another instance, {reached}."
        found.append(Finding("duplicates", text))
    for name, table in others.items():
        same = len(own.merge(_telling(table).drop_duplicates()))
        many = same > most * len(own)
        if len(own) and (many or same >= _MANY_SAME * len(own)):
            text = f"{same} of {plural(len(own), 'run')} are those of “{name}”, {reached}."
            found.append(Finding("duplicates", text, breaks=many or same == len(own)))
    return found


def _telling(trials: pa.Table) -> pd.DataFrame:
    """Return, as words, the runs that could hardly be equal by chance: with a time or a value of their own."""
    value, timed, stated = (pc.fill_null(pc.is_finite(trials[name]), False) for name in ("best_value", "runtime_s", "cost"))
    solved = pc.not_equal(trials["status"].cast(pa.string()), "failed")
    kept = pc.or_(pc.or_(stated, pc.and_(timed, solved)), pc.and_(value, pc.is_valid(trials["budget"])))
    words = trials.select(SAME).filter(kept).cast(pa.schema([(name, pa.string()) for name in SAME]))
    return words.to_pandas().fillna("")


def alike(costs: Mapping[str, pa.Table], own: str, most: float) -> list[Finding]:
    """Return findings: the entry whose costs, over all targets and runs, are most like the own ones, and what is undecided.

    That is the largest rank correlation, runs of a cell in their order, so that neither numbers of evaluations that were divided
    by a constant nor ones that were changed a little in every run hide a copy. Above `most` it breaks the rules.
    """

    def ordered(table: pa.Table) -> pd.Series[float]:
        frame = table.select([*_CELL, "cost"]).to_pandas().astype(dict.fromkeys(_CELL, object)).fillna(dict.fromkeys(_CELL, ""))
        frame = frame[np.isfinite(frame["cost"])].sort_values("cost", kind="stable")
        return frame.assign(n=frame.groupby(_CELL).cumcount()).set_index([*_CELL, "n"])["cost"]

    mine, nearest, few = ordered(costs[own]), (-1.0, "", 0, 0.0), list[str]()
    for name in (name for name in costs if name != own):
        both = pd.concat([mine, ordered(costs[name])], axis=1, join="inner").to_numpy()
        if len(both) < _FEWEST or not (np.ptp(both, axis=0) > 0).all():
            few.append(f"“{shown(name)}”")
            continue
        found = float(np.asarray(np.corrcoef(midranks(both.T)))[0, 1])
        factor = float(np.median(both[:, 0] / both[:, 1])) if (both > 0).all() else np.nan
        nearest = max(nearest, (found, name, len(both), factor))
    told = (
        f"Whether its costs go as those of {listed(few, limit=6)} is undecided: fewer than {_FEWEST} are of both, or all are "
        "equal."
    )
    undecided = [Finding("most_alike", told, breaks=False)] if few else []
    found, name, n, factor = nearest
    if found < _MUCH_ALIKE:
        return undecided
    by = "" if np.isnan(factor) else f", and are {number(factor)} times as large in the middle"
    text = f"Its costs go as those of “{shown(name)}”: {n} of both have a rank correlation of {found:.4f}{by}."
    copied = Finding("most_alike", f"{text[:-1]}; at most {most:g} is allowed." if found > most else text, breaks=found > most)
    return [copied, *undecided]
