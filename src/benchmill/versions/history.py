"""A history of comparisons, one line of JSON each, and where the ratio changes."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd

from benchmill.core import Given, UserError, Written, intervals, natural_key, shown
from benchmill.exhibits.tables.fields import alone, columns
from benchmill.inference.change_points import AUTOCORRELATION, FEWEST, LARGEST, autocorrelation, change_points
from benchmill.page.page import small
from benchmill.text import prose
from benchmill.text.display import Block, apart, p_phrase
from benchmill.text.frames import Row, records
from benchmill.versions.sentences import ENTRY

#: The chance of any change where there is none, at all looks together: one after each line.
ALPHA = 0.05


def entry(result: Given, label: str) -> Written:
    """Return the line of a comparison, called by a commit or a date."""
    return {
        "label": label,
        "benchmill": result["benchmill"],
        "measure": result["measure"]["name"],
        "base": result["base"]["digest"],
        "new": result["new"]["digest"],
        **{key: result["ratio"][key] for key in ("ratio", "low", "high")},
        "base_solved": result["base"]["solved"],
        "new_solved": result["new"]["solved"],
        "instances": result["ratio"]["instances"],
        "classes": {
            row["class"]: {key: row[key] for key in ("ratio", "low", "high")}
            for row in (result["classes"] or {"rows": ()})["rows"]
        },
    }


def append(path: str | os.PathLike[str], line: Given) -> None:
    """Add a line to a history, or raise UserError."""
    file = Path(path)
    if file.exists() and any(other["label"] == line["label"] for other in read(file)):
        raise UserError(f"{file}: there is a line {line['label']!r} already; give another --label.")
    jsonschema.validate(dict(line), ENTRY)
    try:
        with file.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(json.dumps(dict(line), sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")
    except OSError as error:
        raise UserError(f"{file}: it cannot be written ({error.strerror}); name another file with --history.") from None


def read(path: str | os.PathLike[str]) -> list[Written]:
    """Return the lines of a history, a file or all `*.jsonl` of a folder in the order of their names, or raise UserError."""
    file = Path(path)
    files = sorted(file.glob("*.jsonl"), key=lambda one: natural_key(one.name)) if file.is_dir() else [file]
    try:
        lines = [(one, place, text) for one in files for place, text in enumerate(one.read_text("utf-8").splitlines(), 1)]
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; `benchmill compare BASE NEW --history {file}` makes it.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: it cannot be read as text ({error}).") from None
    rows = []
    for one, place, text in lines:
        try:
            rows.append({"classes": {}, **json.loads(text)})
            jsonschema.validate(rows[-1], ENTRY)
        except (ValueError, TypeError, jsonschema.ValidationError) as error:
            raise UserError(f"{one}:{place}: this is no line of a history ({str(error).splitlines()[0]}); take it out.") from None
    return rows


@dataclass(frozen=True)
class Trend:
    """The changes in a history: `points` with the level of each line and its part, `changes`, and sentences.

    Both have the column `class`, which is empty where all instances are meant.
    """

    points: pd.DataFrame
    changes: pd.DataFrame
    text: str


def trend(path: str | os.PathLike[str]) -> Trend:
    """Find where the ratio of a history changes, as one sees it who has looked after each line.

    A level is a ratio times the level of its BASE; lines whose BASE no line leads to are left out. Classes share half of the
    error. Raises UserError if there are several measures, or no ratio.
    """
    rows = read(path)
    if len(named := dict.fromkeys(row["measure"] for row in rows)) > 1:
        raise UserError(
            f"{path}: it has lines of several measures ({', '.join(named)}), which have no common trend; keep a file for each."
        )
    names = sorted({name for row in rows for name in row["classes"]}, key=natural_key)
    courses = {
        name: _course([(row, row["classes"].get(name, {"ratio": None}) if name else row) for row in rows])
        for name in ("", *names)
    }
    if courses[""].empty:
        raise UserError(f"{path}: no line has a ratio, so there is no trend; add comparisons with solved instances.")
    alphas = {"": ALPHA / 2 if names else ALPHA, **dict.fromkeys(names, ALPHA / 2 / max(len(names), 1))}
    parts = [_parts(course.assign(**{"class": name}), alphas[name]) for name, course in courses.items() if len(course)]
    points, changes = (pd.concat(each, ignore_index=True) for each in zip(*parts, strict=True))
    return Trend(points, changes, _told(points, changes, {name: len(rows) - len(course) for name, course in courses.items()}))


def _course(lines: Sequence[tuple[Row, Row]]) -> pd.DataFrame:
    """Return the levels of lines, each next to its ratio."""
    # a ratio of 0 has no logarithm
    known, rows = [(line, part) for line, part in lines if part["ratio"]], []
    levels = {line["base"]: 1.0 for line, _ in known[:1]}
    for line, part in known:
        if line["base"] in levels:
            times = levels[line["base"]] * np.array([part[key] for key in ("ratio", "low", "high")], float)
            levels.setdefault(line["new"], times[0])
            rows.append([line["label"], *times])
    return pd.DataFrame(rows, columns=["label", "level", "low", "high"])


def _parts(points: pd.DataFrame, alpha: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a course with its parts, and the changes between these, with intervals at the level of their tests."""
    log, n = np.log(points["level"].to_numpy(float)), len(points)
    changes = change_points(log, alpha)
    at, levels = [change.at for change in changes], len(changes) + 1
    part = np.searchsorted(at, np.arange(n), side="right")
    points = points.assign(part=part, part_level=np.exp(pd.Series(log).groupby(part).transform("mean").to_numpy()))
    residuals = log - np.log(points["part_level"].to_numpy(float))
    r = min(max(AUTOCORRELATION, autocorrelation(residuals, levels)), LARGEST)
    spread = np.sqrt((residuals**2).sum() / max(1, n - levels) * (1 + r) / (1 - r))
    tests, size = np.array([change.tests for change in changes]), np.bincount(part)
    error = intervals.quantile(max(1, n - levels), 1 - alpha / tests) * spread * np.sqrt(1 / size[:-1] + 1 / size[1:])
    before, after = (points.iloc[np.array(at, int) - back].reset_index(drop=True) for back in (1, 0))
    factor = after["part_level"] / before["part_level"]
    return points, pd.DataFrame(
        {
            **{"class": after["class"], "after": before["label"], "at": after["label"], "factor": factor},
            **{"low": factor * np.exp(-error), "high": factor * np.exp(error), "p": [change.p for change in changes]},
        }
    )


def page(trend_found: Trend) -> str:
    """Return a trend as a page: what is said of it, and a row for each comparison, with what has changed since the one before."""
    changes_said = [f"{shown(row['class'])} {_changed(row)}".strip() for row in records(trend_found.changes)]
    changed = trend_found.changes.assign(said=changes_said).groupby("at")["said"].agg("; ".join)
    rows = ({**row, "change": changed.get(row["label"], "")} for row in records(trend_found.points) if not row["class"])
    blocks = [Block("", trend_found.text.splitlines()), Block("Comparisons", (), (alone("trend", columns("trend"), rows),))]
    return small(
        "The course of the cost",
        "Levels are ratios to the first BASE.",
        blocks,
        [("trend.svg", "the level of each version, the first BASE having 1; below it that of each class")],
    )


#: How a commit is written.
_COMMIT = re.compile("[0-9a-f]{7,40}")


def _changed(change: Row) -> str:
    factor, low, high = apart(change["factor"], change["low"], change["high"])
    return f"× {factor} ({low} to {high}, p {p_phrase(change['p'])})"


def _told(points: pd.DataFrame, changes: pd.DataFrame, left_out: Mapping[str, int]) -> str:
    own = points[points["class"] == ""]
    residuals = np.log(own["level"] / own["part_level"]).to_numpy()
    levels = int(own["part"].iloc[-1]) + 1
    between = dict.fromkeys(zip(changes["after"], changes["at"], strict=True))
    lines = prose.sentences(
        __file__,
        labels=own["label"].tolist(),
        fewest=FEWEST,
        left_out=left_out,
        changes=changes.to_dict("records"),
        changed=_changed,
        bisected=[ends for ends in between if all(map(_COMMIT.fullmatch, ends))],
        alpha=ALPHA,
        allowed=AUTOCORRELATION,
        spread=np.sqrt((residuals**2).sum() / max(1, len(own) - levels)),
        # half an interval of 95 % is about two standard errors
        error=(np.log(own["high"] / own["low"]) / (2 * float(intervals.quantile(1e9, 0.95)))).median(),
        correlation=autocorrelation(residuals, levels),
    )
    return "\n".join([*lines, ""])
