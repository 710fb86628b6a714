"""Algorithm runs of the Algorithm Selection Library: `algorithm_runs.arff`, with the limit from `description.txt` beside it."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmill.core import UserError, beside, shown
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers import text as texts
from benchmill.readers.archive import View, plain_name
from benchmill.readers.interface import Batches, Found, Report, rules
from benchmill.readers.text import in_utf_8, is_whole, lines_of


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    measure: str | None = option(
        "the column that is the cost, if a file has several; by default the first in description.txt",
        None,
        type="string",
        minLength=1,
    )


RULES = {**rules("aslib"), **solver_runs.RULES}

_STATUSES: dict[str, str] = beside.toml(__file__)["statuses"]
_KEYS = ("instance_id", "repetition", "algorithm", "runstatus")
_ATTRIBUTE = re.compile(r"^@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.+)$", re.IGNORECASE)
#: Multiples of the limit that are taken for a penalty; beyond ten only by the name of the measure.
_PENALTIES = (2, 5, 10)


def sniff(view: View) -> Found | None:
    """Recognise an ARFF file with the columns of algorithm runs."""
    names = [m.name for m in view.members if _is_runs(view, m.name)]
    texts = ("\n".join(lines_of(view.unpacked_head(name, 65536))) for name in names[:3])
    known = any(all(re.search(rf"(?im)^@attribute\s+['\"]?{key}\b", text) for key in _KEYS) for text in texts)
    return Found("aslib") if known else None


def _is_runs(view: View, name: str) -> bool:
    base = plain_name(name.lower())
    return view.kind == "file" or (base.endswith(".arff") and (len(view.members) == 1 or "algorithm_runs" in base))


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all runs of all files; a folder or an archive may hold several scenarios.

    The problem is `instance_id`, the suite the scenario, the run its repetition.
    """
    runs = solver_runs.Runs()
    names = solver_runs.chosen(view, options, [member.name for member in view.members if _is_runs(view, member.name)])
    if not names:
        raise UserError(f"{view.name}: there is no algorithm_runs.arff in it; say which file has the runs (`files: ...`).")
    abouts = {name: _description(view, name, options.measure, report) for name in names}
    for name, about in abouts.items():
        _read_file(name, in_utf_8(view.unpacked(name)), about, runs, options, report)
    yield solver_runs.trials(view, runs, options, report)


class _About(NamedTuple):
    """The contents of `description.txt`."""

    scenario: str | None
    limit: float
    measure: str | None
    quality: bool
    maximise: bool


def _description(view: View, name: str, chosen: str | None, report: Report) -> _About:
    folder, slash, _ = name.rpartition("/")
    path = f"{folder}{slash}description.txt"
    there = next((member.name for member in view.members if plain_name(member.name) == path), None)
    text = "\n".join(lines_of(view.unpacked(there))) if there else ""

    def listed(key: str) -> list[str]:
        member_name = re.search(rf"^{key}:[ \t]*(.*(?:\n[ \t]*-[ \t]+.*)*)$", text, re.MULTILINE)
        items = re.split(r",|(?:^|\n)[ \t]*-[ \t]+", member_name[1].strip().strip("[]")) if member_name else []
        return [item for item in (i.partition(" #")[0].strip().strip("'\"").strip() for i in items) if item]

    scenario, measure, limit = (
        next(iter(listed(key)), None) for key in ("scenario_id", "performance_measures", "algorithm_cutoff_time")
    )
    # One entry for each measure; the user may choose one that is not the first.
    measures = listed("performance_measures")
    if chosen and measures and chosen not in measures:
        raise UserError(
            f"{path}: `performance_measures` are {', '.join(map(shown, measures))}; correct the name of {shown(chosen)!r} in it, "
            "whose direction is not known."
        )
    at = measures.index(chosen) if chosen in measures else 0
    kind, maximise = ([*listed(key)[at : at + 1], ""][0] for key in ("performance_type", "maximize"))
    if limit and text.endswith(limit):
        report.add("cut_line", path, text.count("\n") + 1, f"the limit {shown(limit)!r} is the end of the file")
        limit = None
    quality = "quality" in kind
    seconds = np.nan if quality else texts.number(limit)
    return _About(scenario, seconds, measure, quality, maximise.lower() in ("true", "yes", "on"))


def _read_file(name: str, data: bytes, about: _About, runs: solver_runs.Runs, options: Options, report: Report) -> None:
    # a look at what has another format does not wait for it
    import pandas as pd

    from benchmill.readers.table_cells import larger_is_better

    lines = lines_of(data)
    columns, relation, begin = _header(name, data, lines)
    measure = _measure(name, columns, about, options)
    if about.measure is None and larger_is_better(measure):
        raise UserError(
            f"{name}: by its name larger values of {shown(measure)!r} are better; put the scenario's description.txt beside it."
        )
    rows = _rows(name, columns, lines, begin, report)
    line, text = [*rows], pd.DataFrame([*rows.values()], columns=columns, dtype=str)
    numbers = text[[measure, "repetition"]].apply(pd.to_numeric, errors="coerce").to_numpy(float)
    value, repetition = np.where(np.isfinite(numbers), numbers, np.nan).T
    status = text["runstatus"].str.lower().to_numpy(object)
    missing = text[measure].isin(("?", "")).to_numpy(bool)
    bad = (np.isnan(value) & ~missing) | (repetition != np.round(repetition))

    def tell(rule: str, which: np.ndarray, words: Callable[[int], str], each: bool = False) -> None:
        rows = np.flatnonzero(which).tolist()
        for row in rows if each else rows[:1]:
            report.add(rule, name, line[row], words(row), 1 if each else len(rows))

    tell("malformed_line", bad, lambda row: f"{measure} is {shown(text[measure][row])!r}", True)
    lost = missing & (status == "ok") & ~bad
    tell("measure_missing", lost, lambda row: f"{measure} of {shown(text['algorithm'][row])} is missing", True)
    for word in sorted({s for s in status if s not in _STATUSES}):
        tell("unknown_status", status == word, lambda row: shown(status[row]))
    outcome = np.array([_STATUSES.get(s, "unknown") for s in status], dtype=object)

    limit = float(options.time_limit or np.nan) if np.isnan(about.limit) else about.limit
    named, failed = re.findall(r"(?i)\APAR([0-9]{1,9})\Z", measure), outcome != "solved"
    # without a limit nothing is equal to a multiple of it
    penalised = np.isin(value, np.array([*_PENALTIES, *map(int, named)]) * limit) & (not about.quality)
    if named and np.isnan(limit):
        penalised = failed
    called_ok = penalised & ~failed & ~bad
    tell("penalised_ok", called_ok, lambda row: f"{measure} is {value[row]:g}, the limit {limit:g} s", True)
    outcome[called_ok] = "time_limit"
    tell("penalised_time", penalised & failed & ~bad, lambda row: f"{measure} is {value[row]:g}")

    scenario = about.scenario or re.sub(r"(?i)^algorithm_runs_", "", relation) or None
    report.rows_read += len(value)
    of_file = {
        "limit": limit,
        "file": name,
        "suite": scenario,
        "maximise": about.maximise,
        "quality": about.quality,
        "proves": not about.quality,
        "value" if about.quality else "time": np.where(penalised, np.nan, value),
    }
    named_runs = text[["algorithm", "instance_id"]].set_axis(["algorithm", "problem"], axis=1)
    read = named_runs.assign(outcome=outcome, run=repetition, line=line, **of_file)
    read = read[~bad & ~lost].astype({"run": int})
    runs.extend(len(read), **read.to_dict("list"))


def _header(name: str, data: bytes, lines: list[str]) -> tuple[list[str], str, int]:
    if b"\0" in data:
        raise UserError(f"{name}: it holds binary data; expected an ARFF file.")
    columns: list[str] = []
    relation = ""
    for number, text in enumerate(map(str.strip, lines), 1):
        word = text.split(maxsplit=1)[0].lower() if text else ""
        if word == "@relation":
            relation = text.partition(" ")[2].strip().strip("'\"")
        elif word == "@attribute" and (match := _ATTRIBUTE.match(text)):
            columns.append(match[1].strip("'\""))
        elif word == "@data":
            break
        elif text and not text.startswith("%"):
            raise UserError(f"{name}:{number}: {shown(text[:80])!r} is no line of an ARFF header; expected @ATTRIBUTE or @DATA.")
    else:
        raise UserError(f"{name}: there is no @DATA in it; expected an ARFF file.")
    columns = [column.lower() if column.lower() in _KEYS else column for column in columns]
    if lacking := [key for key in _KEYS if key not in columns]:
        raise UserError(f"{name}: there is no attribute {lacking[0]!r}; expected an ARFF file of algorithm runs.")
    if double := next((c for c in columns if columns.count(c) > 1), None):
        raise UserError(f"{name}: the attribute {shown(double)!r} occurs more than once; rename one of them.")
    return columns, relation, number


def _measure(name: str, columns: list[str], about: _About, options: Options) -> str:
    measures = [column for column in columns if column not in _KEYS]
    wanted = options.measure or (about.measure if about.measure in measures else None)
    if wanted is None and len(measures) == 1:
        return measures[0]
    if wanted is None or wanted not in measures:
        state = f"`measure` is {wanted!r}" if wanted else "it has several measures"
        raise UserError(f"{name}: {state}; set `measure` to one of {', '.join(map(shown, measures)) or 'none'}.")
    return str(wanted)


def _rows(name: str, columns: list[str], lines: list[str], begin: int, report: Report) -> dict[int, list[str]]:
    """Return the rows behind the header by their lines."""
    quote = "'" if any("'" in line for line in lines[begin:]) else '"'
    rows: dict[int, list[str]] = {}
    for number, line in enumerate(lines[begin:], begin + 1):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        cells = next(csv.reader([line.strip()], quotechar=quote, skipinitialspace=True))
        fits = len(cells) == len(columns)
        if number == len(lines) and not (fits and is_whole(cells[-1], (row[-1] for row in rows.values()))):
            report.add("cut_line", name, number, f"{shown(line[:80])!r}")
        elif not fits:
            report.add("malformed_line", name, number, f"{len(cells)} cells, expected {len(columns)}")
        else:
            rows[number] = [cell.strip() for cell in cells]
    return rows
