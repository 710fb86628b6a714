r"""`numbers.tex`: the headline numbers of a study by name, for `\benchmill{study/trials/found}` in a paper."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.core.whole_file import write_text
from benchmill.registry.inference import EQUIVALENCE
from benchmill.tables import profiles, sources
from benchmill.tables.fields import FORMS
from benchmill.tables.verdicts import gated
from benchmill.text import display, labels
from benchmill.text.frames import Frame, frame, ordered, records

_ACCESSOR = r"""\providecommand{\benchmill}[1]{%
  \ifcsname benchmill@#1\endcsname\csname benchmill@#1\endcsname\else\benchmillmissing{#1}\fi}
\protected\def\benchmillmissing#1{%
  \PackageError{benchmill}{There is no number called `#1'}{%
    All names are listed at the top of the numbers.tex files; a study, measure or algorithm may have been renamed.}%
  \textbf{??}}
"""

#: With more pairs than these their numbers are in the tables alone: TeX has room for some hundred thousand names.
MOST_PAIRS = 300

#: What is told of a solver where a failure counts its limit; of other conventions all but PAR, or the last ones.
_NOT_TOLD = {"limit": (), "as_is": ("par2", "par10")}
_OF_EVERY_CONVENTION = ("mean", "sgm", "sgm_ratio", "rank")

_WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_TOPICS: dict[str, dict[str, Any]] = _WORDS["topic"]


def _names() -> dict[str, str]:
    found = _WORDS["data"] | _WORDS["listed"]
    for topic in _TOPICS.values():
        for path, specs in ((topic["path"].rpartition("/")[0], topic.get("shared", [])), (topic["path"], topic["numbers"])):
            for name, _, meaning, *more in specs:
                found[f"{path}/{more[1] if more[1:] else name}".rstrip("/")] = more[0] if more else meaning
    return {**_WORDS["sentences"], **found, **_WORDS["primary"]}


#: The names there can be, by topic, and what each prints; `<…>` stands for one part. The page docs/numbers.md is made from this.
NAMES = _names()


@dataclass(frozen=True)
class Number:
    """A number: name, text, unrounded value (NaN if unknown) and meaning."""

    key: str
    text: str
    value: float
    meaning: str


def build(
    study: str,
    data: Mapping[str, pa.Table],
    reports: Sequence[Mapping[str, Any]] = (),
    sentences: Mapping[str, str] | None = None,
) -> list[Number]:
    """Collect the sentences (by name) and headline numbers of a study, in a fixed order with unique keys."""
    found: list[Number] = []

    def named(*parts: str) -> str:
        return "/".join(labels.file_name(part) for part in (study, *parts))

    def add(parts: Sequence[str], text: str, value: float | None, meaning: str) -> None:
        if value is not None:
            found.append(Number(named(*parts), text, float(value), meaning))

    for name, text in (sentences or {}).items():
        add((name,), text, math.nan, _WORDS["sentences"][name])
    _data_numbers(add, reports)
    if "contradictions" in data:
        n = len(sources.between_sources(data["contradictions"]))
        add(("contradictions",), display.count(n), n, _WORDS["data"]["contradictions"])
    many = max(_n_pairs(data.get(name)) for name in ("comparisons", "posteriors", "verdicts")) > MOST_PAIRS
    for name, topic in _TOPICS.items():
        if many and topic.get("pairs"):
            continue
        rows = ordered(_rows(topic["table"], data), topic["order"]) if topic["order"] else _rows(topic["table"], data)
        for row in records(rows):
            row["group"] = labels.point(row)
            key = [name if name != "restricted_means" else "restricted_mean", *(row[column] for column in topic["key"])]
            for path, specs in ((key[:-1], topic.get("shared", [])), (key, topic["numbers"])):
                for column, form, meaning, *more in specs:
                    if row[column] is not None and _told(name, row, column):
                        where = topic["where"].format(**row)
                        text = FORMS[form](row[column]) if form else profiles.written(column, row)
                        last = more[1:] or [column]
                        add((*path, *filter(None, last)), text, row[column], f"{meaning} ({where})")
    _primary_numbers(add, data.get("verdicts"))
    unique: dict[str, Number] = {}
    for item in found:
        if unique.setdefault(item.key, item).text != item.text:
            raise ValueError(f"two numbers are called {item.key!r}: {unique[item.key].value} and {item.value}")
    return list(unique.values())


def render(numbers: Sequence[Number]) -> str:
    r"""Return LaTeX: names and meanings as comments, the command `\benchmill`, the definitions."""
    lines = [
        "% Numbers of the study, each under a name: after \\input of this file,",
        "% \\benchmill{name} prints it. The unrounded value stands behind each definition.",
        "%",
        *(f"%   {item.key}  --  {display.tex(item.meaning)}" for item in numbers),
        "",
        _ACCESSOR,
        *(rf"\expandafter\def\csname benchmill@{one.key}\endcsname{{{display.tex(one.text)}}}% {one.value!r}" for one in numbers),
    ]
    return "\n".join([*lines, ""])


def write(numbers: Sequence[Number], path: str | Path) -> None:
    """Write `numbers.tex`, which appears complete or not at all."""
    write_text(path, render(numbers))


def _rows(table: str, data: Mapping[str, pa.Table]) -> Frame:
    """Return the rows of a table that numbers are made from."""
    rows = frame(data.get(table))
    if not len(rows):
        return rows
    if table == "profile_measures":
        return profiles.with_ends(rows, frame(data.get("profile_intervals")))
    if table == "summary":
        return gated(rows[rows["subset"] == "all"], data.get("verdicts"))
    if table == "comparisons":
        several = rows.groupby(["measure", "method"], observed=True)["correction"].transform("nunique") > 1
        method = rows["method"].astype(str)
        return rows.assign(named=method.where(~several, method + "-" + rows["correction"].astype(str)))
    return rows


def _told(topic: str, row: Mapping[str, Any], column: str) -> bool:
    if topic != "summary" or column in ("instances", "left_out", *_OF_EVERY_CONVENTION):
        return True
    return row["unsolved"] in _NOT_TOLD and column not in _NOT_TOLD[row["unsolved"]]


def _primary_numbers(add: Any, verdicts: pa.Table | None) -> None:
    """Add the statements of the primary analysis and of equivalence, in either order of a pair."""
    if verdicts is None:
        return
    of = pc.is_in(verdicts["analysis"].cast(pa.string()), pa.array(["primary", EQUIVALENCE]))
    pairs = verdicts.filter(pc.and_(of, pc.is_valid(verdicts["algorithm_a"])))
    if _n_pairs(pairs) > MOST_PAIRS:
        return
    for row in records(frame(pairs)):
        pair = (row["algorithm_a"], row["algorithm_b"])
        good = row["analysis"] == EQUIVALENCE
        where = f"{EQUIVALENCE if good else 'primary analysis'}, {row['measure']}"
        what = (
            "costs of the second over those of the first, geometric mean"
            if good
            else "net share of wins of the first over the second"
        )
        for names, sign in ((pair, 1.0), (pair[::-1], -1.0)):
            key = (*names, "as_good") if good else names
            ends = ("effect_low", "effect_high")[:: int(sign)]
            for name, column, meaning in (
                ("effect", "effect", what),
                ("effect_low", ends[0], "lower end of its interval"),
                ("effect_high", ends[1], "upper end of its interval"),
            ):
                value = None if row[column] is None else sign * row[column]
                value = math.exp(value) if good and value is not None else value
                add((*key, name), display.number(value), value, f"{meaning} ({where})")
            text = display.p_value(row["p_adjusted"])
            add((*key, "p_adjusted"), text, row["p_adjusted"], f"its adjusted p value ({where})")
            if good:
                add((*key, "margin"), display.target(row["margin"]), row["margin"], f"the margin in per cent ({where})")


def _n_pairs(table: pa.Table | None) -> int:
    if table is None:
        return 0
    return len(frame(table, columns=["algorithm_a", "algorithm_b"]).dropna().drop_duplicates())


def _data_numbers(add: Any, reports: Sequence[Mapping[str, Any]]) -> None:
    if not reports:
        return
    names = sorted({name for report in reports for name in report["algorithms"]}, key=natural_key)
    problems = {(suite, problem) for report in reports for suite in report["suites"] or [None] for problem in report["problems"]}
    meanings = _WORDS["data"]
    for name, number in (("sources", len(reports)), ("algorithms", len(names)), ("problems", len(problems))):
        add((name,), display.count(number), number, meanings[name])
    for what in ("found", "expected", "missing", "ill_finalised", "solved", "failed"):
        counts = [report["trials"].get(what) for report in reports]
        meaning = meanings[f"trials/{what}"]
        if None in counts:
            add(("trials", what), "unknown", math.nan, f"{meaning} (not every source says)")
        else:
            add(("trials", what), display.count(sum(counts)), sum(counts), meaning)
    for outcome in ("repaired", "noted", "refused"):
        n = sum(i["count"] for report in reports for i in report.get("irregularities") or [] if i["outcome"] == outcome)
        add(("irregularities", outcome), display.count(n), n, meanings[f"irregularities/{outcome}"])
    for report in reports:
        if len(report["algorithms"]) == 1:
            n = sum(r["trials"]["found"] for r in reports if r["algorithms"] == report["algorithms"])
            add(("trials", report["algorithms"][0], "found"), display.count(n), n, meanings["trials/<algorithm>/found"])
