"""Collect what a study says in sentences: what can be claimed, which algorithm leads, and what is wrong with the data."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmill.text import display, labels


@dataclass(frozen=True)
class Statement:
    """A sentence or paragraph: its kind (`claim`, `runs`, `leader`, `pairs` or `data`) and its measure, if any."""

    kind: str
    text: str
    measure: str | None = None


def statements(study: Mapping[str, Any]) -> list[Statement]:
    """Return all statements of a study (see `benchmill.page.page.pages`), of each kind the first ones first."""
    primary = study.get("primary")
    order = list(dict.fromkeys([*([primary["measure"]] if primary else []), *(study["config"].get("measures") or {})]))
    return [
        *(Statement("claim", text, measure) for measure, text in _by_measure(study.get("verdicts"), order)),
        *(Statement("runs", text, measure) for measure, text in _by_measure(study.get("runs"), order)),
        *(Statement("leader", text, measure) for measure, text in _by_measure(study.get("summaries"), order)),
        *([Statement("pairs", primary["text"], primary["measure"])] if primary and primary["text"] else []),
        *(Statement("data", text) for text in _of_data(study.get("reports") or [])),
    ]


def _by_measure(texts: Mapping[str, Sequence[str]] | None, order: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return sentences with their measures, in the order of the measures."""
    by_measure = texts or {}
    place = {measure: i for i, measure in enumerate(order)}
    for measure in sorted(by_measure, key=lambda name: place.get(name, len(place))):
        yield from ((measure, text) for text in by_measure[measure])


def _of_data(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what is missing and irregular, or that nothing is; nothing without ingest reports."""
    if not reports:
        return []
    expected, missing, cut = (
        [report["trials"].get(key) for report in reports] for key in ("expected", "missing", "ill_finalised")
    )
    known = None not in expected and None not in missing
    total, n_cut = sum(n or 0 for n in missing), sum(n or 0 for n in cut)
    of_expected = f" of {display.count(sum(n or 0 for n in expected))} expected" if known else ""
    lacking = dict.fromkeys(name for report, n in zip(reports, missing, strict=True) if n for name in _incomplete(report))
    lost = (
        f"{display.count(total)}{of_expected} {'trials' if known or total > 1 else 'trial'} {'is' if total == 1 else 'are'} "
        f"missing ({display.listed(list(map(labels.shown, lacking)), limit=4)})."
    )
    rules: Counter[tuple[str, str]] = Counter()
    for one in (one for report in reports for one in report.get("irregularities") or []):
        rules[one["rule"], one["outcome"]] += one["count"] or 1
    named = [
        f"{display.words(rule)} ({outcome}, {'once' if n == 1 else f'{display.count(n)} times'})"
        for (rule, outcome), n in rules.most_common(3)
    ]
    more = f" and {display.plural(len(rules) - 3, 'other kind')}" if len(rules) > 3 else ""
    sentences = (
        lost if total else "All expected trials are present." if known else "",
        "" if known else "Not every source says how many trials to expect.",
        f"{display.plural(n_cut, 'trial')} ended without the last line that the logger writes (ill-finalised)." if n_cut else "",
        f"Irregularities in the logs: {', '.join(named)}{more}." if named else "No log was irregular.",
    )
    return [text for text in sentences if text]


def _incomplete(report: Mapping[str, Any]) -> list[str]:
    """Return the algorithms of a source that lack trials: all where it does not say which."""
    lacking = [place.get("algorithm") for place in report.get("missing") or []]
    return lacking if lacking and None not in lacking else report["algorithms"]
