r"""`numbers.tex`: the headline numbers of a study by name, for `\benchmill{study/trials/found}` in a paper."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmill.core import beside
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import profiles, sources, verdicts
from benchmill.exhibits.tables.fields import FORMS
from benchmill.text import display, labels, prose
from benchmill.text.frames import Data, Frame, Row, frame, ordered, records

#: With more pairs than these their numbers are in the tables alone: TeX has room for some hundred thousand names.
MOST_PAIRS = 300

_WORDS = beside.toml(__file__)
_TOPICS = _WORDS["topic"]
#: What a column is called where a pair is turned round; what is not told of a solver where a failure counts its limit, and what
#: is told by every convention.
_TURNED, _NOT_TOLD, _OF_EVERY_CONVENTION = _WORDS["turned"], _WORDS["not_told"], _WORDS["of_every_convention"]


def _names() -> dict[str, str]:
    words = _WORDS["data"] | _WORDS["listed"]
    for topic in _TOPICS.values():
        for path, specs in ((topic["path"].rpartition("/")[0], topic.get("shared", [])), (topic["path"], topic["numbers"])):
            for name, _, meaning, *more in specs:
                words[f"{path}/{more[1] if more[1:] else name}".rstrip("/")] = more[0] if more else meaning
    return {**_WORDS["sentences"], **words}


#: The names there can be, by topic, and what each prints; `<…>` stands for one part. The page docs/numbers.md is made from this.
NAMES = _names()


@dataclass(frozen=True)
class Number:
    """A number: name, text, unrounded value (NaN if unknown), meaning, and whether it is one of very many, as an ERT is."""

    key: str
    text: str
    value: float
    meaning: str
    single: bool = False


def build(
    study: str,
    data: Data,
    reports: Sequence[Row] = (),
    sentences: Mapping[str, str] | None = None,
) -> list[Number]:
    """Collect the sentences (by name) and headline numbers of a study, in a fixed order with unique keys."""
    words = _WORDS["sentences"]
    numbers = [Number(labels.statement(study, name), text, math.nan, words[name]) for name, text in (sentences or {}).items()]
    for parts, n, meaning in _counts(reports, data.get("contradictions")):
        name, unknown = labels.statement(study, *parts), f"{meaning} (not every source says)"
        numbers.append(
            Number(name, "unknown", math.nan, unknown) if n is None else Number(name, display.count(n), float(n), meaning)
        )
    for topic in _TOPICS.values():
        # of thousands of algorithms there are millions of pairs, which are counted before anything is made of them
        if topic.get("pairs") and _n_pairs(data.get(topic["table"]), topic.get("analysis")) > MOST_PAIRS:
            continue
        rows = _rows(topic, data)
        if len(rows) > topic.get("most", math.inf):
            continue
        for row in records(ordered(rows, topic["order"]) if topic["order"] else rows):
            row["group"] = labels.point(row)
            columns = iter(topic["key"])
            key = [row[next(columns)] if part.startswith("<") else part for part in topic["path"].split("/")]
            for path, specs in ((key[:-1], topic.get("shared", [])), (key, topic["numbers"])):
                for column, form, meaning, *more in specs:
                    if row[column] is not None and _told(topic["table"], row, column):
                        where = topic["where"].format(**row)
                        text = FORMS[form](row[column]) if form else profiles.written(column, row)
                        name = labels.statement(study, *path, *filter(None, more[1:] or [column]))
                        numbers.append(Number(name, text, float(row[column]), f"{meaning} ({where})", "most" in topic))
    unique: dict[str, Number] = {}
    for item in numbers:
        if unique.setdefault(item.key, item).text != item.text:
            raise ValueError(f"two numbers are called {item.key!r}: {unique[item.key].value} and {item.value}")
    return list(unique.values())


def render(numbers: Sequence[Number]) -> str:
    r"""Return LaTeX: names and meanings as comments, the command `\benchmill`, the definitions."""
    return prose.whole(__file__, numbers=numbers)


def write(numbers: Sequence[Number], path: str | Path) -> None:
    """Write `numbers.tex`, which appears complete or not at all."""
    write_text(path, render(numbers))


def _rows(topic: Row, data: Data) -> Frame:
    """Return the rows of a table that numbers are made from."""
    import pandas as pd

    table = topic["table"]
    rows = frame(data.get(table), analysis=topic.get("analysis"))
    if not len(rows):
        return rows
    if table == "profile_measures":
        return profiles.with_ends(rows, frame(data.get("profile_intervals")))
    if table == "summary":
        return verdicts.gated(rows[rows["subset"] == "all"], data.get("verdicts"))
    if table == "comparisons":
        several = rows.groupby(["measure", "method"], observed=True)["correction"].transform("nunique") > 1
        method = rows["method"].astype(str)
        return rows.assign(named=method.where(~several, method + "-" + rows["correction"].astype(str)))
    if table == "verdicts":
        # each statement is followed by what it says of the pair turned round; log ratios become ratios
        ends = ["effect", "effect_low", "effect_high"]
        rows = rows[rows["algorithm_a"].notna()]
        other = rows.rename(columns=_TURNED)
        both = pd.concat([rows, other.assign(**{name: -other[name] for name in ends})]).sort_index(kind="stable")
        return both.assign(**{name: both[name].map(math.exp) for name in ends}) if both["margin"].notna().any() else both
    if topic.get("of"):
        return rows.assign(of=[place(row.values()) for row in records(rows[topic["of"]])])
    return rows


def place(keys: Iterable[Any]) -> str:
    """Name a problem or a curve by the keys that it has (not None); where a hyphen would be ambiguous, a digest will follow."""
    parts = [str(key) for key in keys if key is not None]
    return ("|" if any("-" in part for part in parts) else "-").join(parts)


def _told(table: str, row: Row, column: str) -> bool:
    if table == "indicators":
        return column == "ert" or row["ert"] is None
    if table != "summary" or column in _OF_EVERY_CONVENTION:
        return True
    return row["unsolved"] in _NOT_TOLD and column not in _NOT_TOLD[row["unsolved"]]


def _n_pairs(table: pa.Table | None, analysis: str | None) -> int:
    """Return the number of different pairs, which come in either order."""
    pairs = frame(table, columns=["algorithm_a", "algorithm_b"], analysis=analysis).dropna().drop_duplicates()
    return len({frozenset(pair) for pair in pairs.itertuples(index=False, name=None)})


def _counts(reports: Sequence[Row], contradictions: pa.Table | None) -> Iterator[tuple[list[str], int | None, str]]:
    """Yield name, number (None where not every source says it) and meaning of what the data have."""
    counts: dict[str, int | None] = {}
    if reports:
        met = [item for report in reports for item in report.get("irregularities") or []]
        problems = {(suite, one) for report in reports for suite in report["suites"] or [None] for one in report["problems"]}
        algorithms = {name for report in reports for name in report["algorithms"]}
        counts = {"sources": len(reports), "algorithms": len(algorithms), "problems": len(problems)}
        for what in ("found", "expected", "missing", "ill_finalised", "solved", "failed"):
            counted = [report["trials"].get(what) for report in reports]
            counts[f"trials/{what}"] = None if None in counted else sum(counted)
        for outcome in ("repaired", "noted", "refused"):
            counts[f"irregularities/{outcome}"] = sum(item["count"] for item in met if item["outcome"] == outcome)
    meanings = _WORDS["data"]
    for name, n in counts.items():
        yield name.split("/"), n, meanings[name]
    for own in (report["algorithms"] for report in reports):
        if len(own) == 1:
            n = sum(report["trials"]["found"] for report in reports if report["algorithms"] == own)
            yield ["trials", *own, "found"], n, meanings["trials/<algorithm>/found"]
    if contradictions is not None:
        yield ["contradictions"], len(sources.between_sources(contradictions)), meanings["contradictions"]
