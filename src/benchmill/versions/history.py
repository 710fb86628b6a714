"""A history of comparisons, one line of JSON each, and where the ratio changes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd

from benchmill.core import intervals
from benchmill.core.errors import UserError
from benchmill.inference.change_points import AUTOCORRELATION, FEWEST, autocorrelation, change_points
from benchmill.report.page import small
from benchmill.tables.fields import alone, columns
from benchmill.text import labels
from benchmill.text.display import Block, number, p_phrase, plural
from benchmill.text.frames import records
from benchmill.versions.sentences import ENTRY

#: The chance of any change where there is none, at all looks together: one after each line.
ALPHA = 0.05
#: An autocorrelation from which on it is told.
_CORRELATED = 0.5


def entry(found: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Return the line of a comparison, called by a commit or a date."""
    return {
        "label": label,
        "benchmill": found["benchmill"],
        "measure": found["measure"]["name"],
        "base": found["base"]["digest"],
        "new": found["new"]["digest"],
        **{key: found["ratio"][key] for key in ("ratio", "low", "high")},
        "base_solved": found["base"]["solved"],
        "new_solved": found["new"]["solved"],
        "instances": found["ratio"]["instances"],
    }


def append(path: str | os.PathLike[str], line: Mapping[str, Any]) -> None:
    """Add a line to a history, or raise UserError."""
    file = Path(path)
    if file.exists() and (read(file)["label"] == line["label"]).any():
        raise UserError(f"{file}: there is a line {line['label']!r} already; give another --label.")
    jsonschema.validate(dict(line), ENTRY)
    try:
        with file.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(json.dumps(dict(line), sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")
    except OSError as error:
        raise UserError(f"{file}: it cannot be written ({error.strerror}); name another file with --history.") from None


def read(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Return a history, a row for each line, or raise UserError."""
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; `benchmill compare BASE NEW --history {file}` makes it.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: it cannot be read as text ({error}).") from None
    rows = []
    for place, text in enumerate(lines, 1):
        try:
            rows.append(json.loads(text))
            jsonschema.validate(rows[-1], ENTRY)
        except (ValueError, jsonschema.ValidationError) as error:
            what = str(error).splitlines()[0]
            raise UserError(f"{file}:{place}: this is no line of a history ({what}); take it out.") from None
    return pd.DataFrame(rows, columns=ENTRY["required"])


@dataclass(frozen=True)
class Trend:
    """The changes in a history: `points` with the level of each line and its part, `changes`, and sentences."""

    points: pd.DataFrame
    changes: pd.DataFrame
    text: str


def trend(path: str | os.PathLike[str]) -> Trend:
    """Find where the ratio of a history changes, as one sees it who has looked after each line.

    A level is a ratio times the level of its BASE; lines whose BASE no line leads to are left out. Raises UserError if there are
    several measures, or no ratio.
    """
    rows = read(path)
    if rows["measure"].nunique() > 1:
        named = ", ".join(map(str, rows["measure"].unique()))
        raise UserError(f"{path}: it has lines of several measures ({named}), which have no common course; keep a file for each.")
    known, found = rows[rows["ratio"].notna()].to_dict("records"), []
    levels = {str(row["base"]): 1.0 for row in known[:1]}
    for row in (row for row in known if row["base"] in levels):
        of_base = levels[row["base"]]
        levels.setdefault(row["new"], of_base * row["ratio"])
        found.append({"label": row["label"], **{key: of_base * row[name] for key, name in _SCALED if not pd.isna(row[name])}})
    if not found:
        raise UserError(f"{path}: no line has a ratio, so there is no course; add comparisons with solved instances.")
    points = pd.DataFrame(found, columns=["label", "level", "low", "high"])
    log = np.log(points["level"].to_numpy(float))
    changes = change_points(log, ALPHA)
    part = np.searchsorted([change.at for change in changes], np.arange(len(points)), side="right")
    points["part"] = part
    points["part_level"] = np.exp(pd.Series(log).groupby(part).transform("mean").to_numpy())
    listed = pd.DataFrame(
        [
            {
                "after": points["label"][change.at - 1],
                "at": points["label"][change.at],
                "factor": points["part_level"][change.at] / points["part_level"][change.at - 1],
                "p": change.p,
            }
            for change in changes
        ],
        columns=["after", "at", "factor", "p"],
    )
    return Trend(points, listed, _told(points, listed, len(rows) - len(points)))


def page(found: Trend) -> str:
    """Return a trend as a page: what is said of it, and a row for each comparison, with what has changed since the one before."""
    changed = {row["at"]: f"× {number(row['factor'])} (p {p_phrase(row['p'])})" for row in found.changes.to_dict("records")}
    rows = ({**row, "change": changed.get(row["label"], "")} for row in records(found.points))
    blocks = [Block("", found.text.splitlines()), Block("Comparisons", (), (alone("trend", columns("trend"), rows),))]
    return small(
        "The course of the cost",
        "Levels are ratios to the first BASE.",
        blocks,
        [("trend.svg", "the level of each version, the first BASE having 1")],
    )


#: Columns of a point, and of a line what times the level of its BASE they are.
_SCALED = (("level", "ratio"), ("low", "low"), ("high", "high"))


def _told(points: pd.DataFrame, changes: pd.DataFrame, left_out: int) -> str:
    n = len(points)
    lines = [
        f"{plural(n, 'comparison')}, from {labels.shown(points['label'].iloc[0])} to {labels.shown(points['label'].iloc[-1])}."
    ]
    if left_out:
        lines.append(f"{plural(left_out, 'line')} left out: without a ratio, or with a BASE that no line before leads to.")
    if n < FEWEST:
        return "\n".join([*lines, f"No change can be shown by fewer than {FEWEST} comparisons.\n"])
    if changes.empty:
        lines.append("No change of the level is shown.")
    lines += [
        f"Between {labels.shown(change['after'])} and {labels.shown(change['at'])}: {number(change['factor'])} times the "
        f"cost, {'more' if change['factor'] > 1 else 'less'} than before (p {p_phrase(change['p'])})."
        for change in changes.to_dict("records")
    ]
    return "\n".join([*lines, *_noise(points)]) + "\n"


def _noise(points: pd.DataFrame) -> list[str]:
    residuals = np.log(points["level"] / points["part_level"]).to_numpy()
    levels = int(points["part"].iloc[-1]) + 1
    spread = np.sqrt((residuals**2).sum() / max(1, len(points) - levels))
    said = [
        f"At most {100 * ALPHA:g} % of courses without a change show one at any of their looks, one after each comparison "
        f"(spending of alpha; normal noise; an autocorrelation of up to {AUTOCORRELATION} is allowed for)."
    ]
    # half an interval of 95 % is about two standard errors
    error = (np.log(points["high"] / points["low"]) / (2 * float(intervals.quantile(1e9, 0.95)))).median()
    if spread > 0 and not np.isnan(error):
        said.append(
            f"Where nothing changes, the level varies by {number(100 * spread)} % from comparison to comparison (standard "
            f"deviation), and the intervals over instances tell of {number(100 * error)} %. What is more, all instances of a "
            "comparison share: it is in the test, and in no interval."
        )
    correlation = autocorrelation(residuals, levels)
    if correlation > _CORRELATED:
        said.append(
            f"Comparisons depend on those before them (autocorrelation {correlation:.2f}); the test allows for that, and so it "
            "sees less."
        )
    return said
