"""Collect what a study says in sentences: what can be claimed, which algorithm leads, and what is wrong with the data."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmill.text import prose
from benchmill.text.frames import Row

#: A study as paper and page take it: see `benchmill.page.page.pages`.
Study = Mapping[str, Any]


@dataclass(frozen=True)
class Statement:
    """A sentence or paragraph: its kind (`claim`, `runs`, `leader`, `pairs` or `data`) and its measure, if any."""

    kind: str
    text: str
    measure: str | None = None


def statements(study: Study) -> list[Statement]:
    """Return all statements of a study (see `benchmill.page.page.pages`), of each kind the first ones first."""
    primary = study["primary"]
    order = list(dict.fromkeys([*([primary["measure"]] if primary else []), *(study["config"].get("measures") or {})]))
    place = {measure: i for i, measure in enumerate(order)}
    by_measure = [
        Statement(kind, text, measure)
        for kind, key in (("claim", "verdicts"), ("runs", "runs"), ("leader", "summaries"))
        for measure, texts in sorted(study[key].items(), key=lambda item: place.get(item[0], len(place)))
        for text in texts
    ]
    pairs = [Statement("pairs", primary["text"], primary["measure"])] if primary and primary["text"] else []
    return [*by_measure, *pairs, *(Statement("data", text) for text in _of_data(study["reports"]))]


def _of_data(reports: Sequence[Row]) -> list[str]:
    """Say what is missing and irregular, or that nothing is; nothing without ingest reports."""
    if not reports:
        return []
    expected, missing, cut = (
        [report["trials"].get(key) for report in reports] for key in ("expected", "missing", "ill_finalised")
    )
    irregular: Counter[tuple[str, str]] = Counter()
    for one in (one for report in reports for one in report.get("irregularities") or []):
        irregular[one["rule"], one["outcome"]] += one["count"] or 1
    lacking = dict.fromkeys(name for report, n in zip(reports, missing, strict=True) if n for name in _incomplete(report))
    return prose.sentences(
        __file__,
        known=None not in expected and None not in missing,
        expected=sum(filter(None, expected)),
        missing=sum(filter(None, missing)),
        lacking=lacking,
        cut=sum(filter(None, cut)),
        irregular=irregular,
    )


def _incomplete(report: Row) -> list[str]:
    """Return the algorithms of a source that lack trials: all where it does not say which."""
    lacking = [place.get("algorithm") for place in report.get("missing") or []]
    return lacking if lacking and None not in lacking else report["algorithms"]
