"""Find the rules of a competition that an entry's runs break."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
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


def of_report(report: Mapping[str, Any], allowed: Sequence[str], breaking: Sequence[str] = ()) -> list[Finding]:
    """Return the findings of an ingest report: repairs, refusals, notes that may break, and runs missing by the log's design."""
    found = []
    for entry in report["irregularities"]:
        told = f"{entry['rule']}, {plural(entry['count'], 'time')}. {entry['meaning']}"
        first = next(iter(entry["examples"]), None)
        if first is not None:
            place = first["file"] if first["line"] is None else f"{first['file']}:{first['line']}"
            told += f" First: {place}: {first['detail']}"
        named = entry["rule"] in breaking or (ALL in breaking and entry["rule"] not in _ORGANISERS)
        strict = entry["outcome"] != "noted" or named
        breaks = strict and entry["rule"] not in allowed
        found.append(Finding("logs", f"{entry['outcome']}: {told}", breaks))
    trials = report["trials"]
    if trials["missing"]:
        found.append(
            Finding("logs", f"{plural(trials['missing'], 'run')} of {trials['expected']} are missing, by the logs' own design.")
        )
    if trials["ill_finalised"]:
        found.append(Finding("logs", f"{plural(trials['ill_finalised'], 'run')} did not end as the log says they should."))
    return found


def of_trials(trials: pa.Table, rules: Options) -> list[Finding]:
    """Return the findings of the rules in the runs of an entry."""
    frame = trials.select(["problem", "dimension", "seed", "budget", "runtime_s", "source"]).to_pandas()
    frame["problem"] = frame["problem"].astype(str)
    return [*_coverage(frame, rules), *_limits(frame, rules)]


def _coverage(frame: pd.DataFrame, rules: Options) -> list[Finding]:
    found = []
    there = frame.groupby(["problem", "dimension"], dropna=False).size()
    problems = rules.problems or sorted(frame["problem"].unique())
    asked = [
        (problem, dimension)
        for problem in problems
        for dimension in (rules.dimensions or sorted(frame.loc[frame["problem"] == problem, "dimension"].unique()) or [None])
    ]
    counted = {(problem, None if pd.isna(dimension) else int(dimension)): int(n) for (problem, dimension), n in there.items()}
    asked = [(problem, None if pd.isna(dimension) else int(dimension)) for problem, dimension in asked]
    absent = [_cell(*cell) for cell in asked if cell not in counted]
    told: dict[str, list[str]] = {"problems": [], "dimensions": []}
    if absent:
        told["problems" if rules.problems else "dimensions"].append(f"There are no runs on {listed(absent, limit=6)}.")
    for key, those in (("problems", frame["problem"]), ("dimensions", frame["dimension"].dropna().astype(int))):
        if more := sorted(set(those) - set(getattr(rules, key) or those), key=lambda one: natural_key(str(one))):
            named = listed([str(one) for one in more], limit=6)
            told[key].append(f"There are runs on {key} that the rules do not name ({named}); leave them out.")
    found += [Finding(key, " ".join(texts)) for key, texts in told.items() if texts]
    if rules.trials:
        few = [f"{_cell(*cell)} ({counted[cell]})" for cell in asked if 0 < counted.get(cell, 0) < rules.trials]
        if few:
            found.append(
                Finding("trials", f"Expected {rules.trials} runs on each problem, found fewer on {listed(few, limit=6)}.")
            )
    if rules.seeds:
        wanted = set(rules.seeds)
        wrong = []
        for (problem, dimension), own in frame.groupby(["problem", "dimension"], dropna=False)["seed"]:
            if set(own.dropna().astype(int)) != wanted or own.isna().any():
                wrong.append(_cell(str(problem), None if pd.isna(dimension) else int(dimension)))
        if wrong:
            seeds = listed([str(seed) for seed in rules.seeds], limit=6)
            found.append(
                Finding("seeds", f"Expected just the seeds {seeds}, found others, or none stated, on {listed(wrong, limit=6)}.")
            )
    return found


def _limits(frame: pd.DataFrame, rules: Options) -> list[Finding]:
    found = []
    if rules.budget:
        per = frame["dimension"].astype(float) if rules.budget_per_dimension else 1.0
        spent = frame["budget"].astype(float)
        limit = rules.budget * per
        found += _beyond("budget", frame, spent, limit, "evaluations")
    if rules.time_limit:
        found += _beyond("time_limit", frame, frame["runtime_s"].astype(float), rules.time_limit, "s")
    return found


def _beyond(key: str, frame: pd.DataFrame, spent: Any, limit: Any, unit: str) -> list[Finding]:
    """Return findings of runs that spent more than they may, or of which that is not known."""
    found = []
    over = np.asarray(spent > limit)
    if over.any():
        worst = int(np.argmax(np.where(over, spent / limit, 0)))
        at = np.broadcast_to(np.asarray(limit, float), over.shape)[worst]
        words = count if unit == "evaluations" else number
        amounts = f"{words(float(spent.iloc[worst]))} of {words(float(at))} {unit}"
        told = f"{plural(int(over.sum()), 'run')} of {len(frame)} spent more than they may"
        found.append(Finding(key, f"{told}, such as {amounts} ({frame['source'].iloc[worst]})."))
    unknown = int(spent.isna().sum())
    if unknown:
        found.append(
            Finding(
                key, f"Of {plural(unknown, 'run')} the logs do not say how many {unit} they took, so the rule cannot be held."
            )
        )
    return found


def _cell(problem: str, dimension: int | None) -> str:
    return problem if dimension is None else f"{problem} in dimension {dimension}"


def digests(trials: pa.Table, by: Sequence[str] = SAME) -> list[str]:
    """Return a digest of every run, by all that it reached and took and by no name of an algorithm."""
    rows = trials.select(by).cast(pa.schema([(name, pa.string()) for name in by])).to_pydict()
    return [
        hashlib.sha256("\x1f".join("" if value is None else value for value in row).encode()).hexdigest()
        for row in zip(*rows.values(), strict=True)
    ]


def duplicates(trials: pa.Table, others: Mapping[str, pa.Table], most: float = _MANY_SAME) -> list[Finding]:
    """Return findings of runs that another entry has too, or the entry itself on another instance.

    One for each other entry that has at least half of the runs, or more than the share `most`, which breaks the rules. Runs
    that reached nothing of their own do not count.
    """
    told = _telling(trials)
    own = digests(told)
    found = []
    instance = told.column("instance").cast(pa.string()).to_pylist()
    places: dict[str, set[str | None]] = {}
    anywhere = digests(told, [name for name in SAME if name not in ("instance", "seed")])
    for run, place in zip(anywhere, instance, strict=True):
        places.setdefault(run, set()).add(place)
    repeated = sum(len(places[run]) > 1 for run in anywhere)
    if repeated > most * len(own):
        text = f"{repeated} of {plural(len(own), 'run')} are there again on another instance, in all that they reached and took."
        found.append(Finding("duplicates", text))
    for name, table in others.items():
        theirs = set(digests(_telling(table)))
        same = sum(digest in theirs for digest in own)
        many = same > most * len(own)
        if own and (many or same >= _MANY_SAME * len(own)):
            text = f"{same} of {plural(len(own), 'run')} are those of “{name}”, in all that they reached and took."
            found.append(Finding("duplicates", text, breaks=many or same == len(own)))
    return found


def alike(costs: Mapping[str, pa.Table], own: str, most: float) -> list[Finding]:
    """Return the finding on the entry whose costs, over all targets and runs, are most like the own ones.

    That is the largest rank correlation, runs of a cell in their order, so that neither numbers of evaluations that were divided
    by a constant nor ones that were changed a little in every run hide a copy. Above `most` it breaks the rules.
    """

    def ordered(table: pa.Table) -> pd.Series[float]:
        frame = table.select([*_CELL, "cost"]).to_pandas().astype(dict.fromkeys(_CELL, object)).fillna(dict.fromkeys(_CELL, ""))
        frame = frame[np.isfinite(frame["cost"])].sort_values("cost", kind="stable")
        return frame.assign(n=frame.groupby(_CELL).cumcount()).set_index([*_CELL, "n"])["cost"]

    mine, nearest = ordered(costs[own]), (-1.0, "", 0, 0.0)
    for name, table in costs.items():
        both = pd.concat([mine, ordered(table)], axis=1, join="inner").to_numpy()
        if name != own and len(both) >= _FEWEST and (np.ptp(both, axis=0) > 0).all():
            found = float(np.asarray(np.corrcoef(midranks(both.T)))[0, 1])
            factor = float(np.median(both[:, 0] / both[:, 1])) if (both > 0).all() else np.nan
            nearest = max(nearest, (found, name, len(both), factor))
    found, name, n, factor = nearest
    if found < _MUCH_ALIKE:
        return []
    by = "" if np.isnan(factor) else f", and are {number(factor)} times as large in the middle"
    text = f"Its costs go as those of “{shown(name)}”: {n} of both have a rank correlation of {found:.4f}{by}."
    return [Finding("most_alike", f"{text[:-1]}; at most {most:g} is allowed." if found > most else text, breaks=found > most)]


def _telling(trials: pa.Table) -> pa.Table:
    """Keep the runs that could hardly be equal by chance: with a time or a value of their own."""
    value = pc.fill_null(pc.is_finite(trials.column("best_value")), False)
    timed = pc.fill_null(pc.is_finite(trials.column("runtime_s")), False)
    stated = pc.fill_null(pc.is_finite(trials.column("cost")), False)
    unsolved = pc.equal(trials.column("status").cast(pa.string()), "failed")
    telling = pc.or_(pc.or_(stated, pc.and_(timed, pc.invert(unsolved))), pc.and_(value, pc.is_valid(trials.column("budget"))))
    return trials.filter(telling)
