"""Tables of what readers repaired, noted or refused, and of missing trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

from benchmill.core.natural_order import natural_key
from benchmill.tables.fields import heads, numbers, said, section, words
from benchmill.text import display, labels
from benchmill.text.display import Table
from benchmill.text.frames import frame

#: Problems of a source whose missing trials have a row of their own; the others are counted in one row.
_MOST_ROWS = 200

#: What the kinds of contradictions between sources mean; the rules of a source explain themselves.
_CONTRADICTIONS = {
    "infeasible": "no solution against a solution",
    "optima": "two optima",
    "better": "better than an optimum",
    "bound": "a bound against a solution",
}


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of irregularities: one section per source, one row per rule; contradictions between sources come last."""
    fields = (
        words("rule", lambda row: row["rule"], key=True, wrap=True),
        said("outcome"),
        numbers("cases", "count", form=display.count),
        said("first at", "where", wrap=True),
        said("what", wrap=True),
    )
    sections = []
    total: dict[str, int] = {"repaired": 0, "noted": 0, "refused": 0}
    for report in sorted(data["ingest"], key=lambda r: natural_key(r["source"])):
        rows = []
        for item in report.get("irregularities") or []:
            total[item["outcome"]] = total.get(item["outcome"], 0) + item["count"]
            where = display.ABSENT
            if item.get("file"):
                where = item["file"] if item.get("line") is None else f"{item['file']}, line {item['line']}"
            rows.append({**item, "where": where, "what": _cut(item.get("detail") or "", 300)})
        if rows:
            sections.append(section(_of_source(report), fields, rows))
    between = _between(data["contradictions"]) if "contradictions" in data else []
    told = ""
    if between:
        problems = sum(row["count"] for row in between)
        told = f" Between sources, what runs claim of a problem contradicts each other on {display.count(problems)}."
        sections.append(section("between sources", fields, between))
    counted = display.listed([f"{display.count(n)} {outcome}" for outcome, n in total.items()])
    return Table(
        name="irregularities",
        title="Irregularities of the logs",
        caption=(
            f"What the logs have that their format does not allow or leaves open: {counted}. A repair follows the rule it is "
            "named by; what was refused is not "
            f"part of any number in this study. File and line are those of the first case.{told}"
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="appendix",
    )


def _of_source(report: Mapping[str, Any]) -> str:
    return f"source {display.short_names([report['source']])[report['source']]}"


def _between(contradictions: pa.Table) -> list[dict[str, Any]]:
    found = []
    rows = between_sources(contradictions)
    for kind, meaning in _CONTRADICTIONS.items():
        cases = rows[rows["kind"] == kind]
        if not len(cases):
            continue
        first = cases.iloc[0]
        what = (
            f"{first['problem']}: {first['claim']} by {first['algorithm']}, {first['other_claim']} by {first['other_algorithm']}"
        )
        where = f"{first['place']}; {first['other_place']}"
        rule = f"solvers_disagree ({meaning})"
        found.append({"rule": rule, "outcome": "noted", "count": len(cases), "where": where, "what": _cut(what, 300)})
    return found


def between_sources(contradictions: pa.Table) -> pd.DataFrame:
    """Return the contradictions between runs of different sources."""
    data = frame(contradictions)
    return data[data["in_source"].astype(str) != data["other_in_source"].astype(str)]


def missing(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of missing trials: one section per source, one row per problem and dimension."""
    fields = (
        words("suite", lambda row: row["suite"], key=True),
        words("problem", lambda row: row["problem"], key=True),
        numbers("dimension", "dimension", form=lambda value: display.ABSENT if value is None else str(value), key=True),
        numbers("missing", "count", "missing trials", display.count),
        said("instances", wrap=True),
    )
    nothing = dict.fromkeys(("suite", "problem", "instances"), display.ABSENT)
    sections = []
    for report in sorted(data["ingest"], key=lambda r: natural_key(r["source"])):
        cells: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for item in report.get("missing") or []:
            cells.setdefault((item.get("suite"), item.get("problem"), item.get("dimension")), []).append(item)
        ordered = sorted(cells.items(), key=lambda c: (natural_key(c[0][0]), natural_key(c[0][1]), c[0][2] or 0))
        # one row more for the rest only where that saves one
        named = len(ordered) if len(ordered) <= _MOST_ROWS + 1 else _MOST_ROWS
        rows: list[dict[str, Any]] = []
        for (suite, problem, dimension), items in ordered[:named]:
            instances = sorted({str(i["instance"]) for i in items if i.get("instance") is not None}, key=natural_key)
            listed = _cut(display.listed(instances, limit=20) if instances else display.ABSENT, 200)
            key = {"suite": _short(suite), "problem": _short(problem), "dimension": dimension}
            rows.append({**key, "count": sum(i["count"] for i in items), "instances": listed})
        if rest := ordered[named:]:
            n = sum(i["count"] for _, items in rest for i in items)
            what = f"{display.count(len(rest))} more, listed in ingest/{report['source']}.json"
            rows.append({**nothing, "problem": what, "dimension": None, "count": n})
        if rows:
            sections.append(section(_of_source(report), fields, rows))
    return Table(
        name="missing",
        title="Missing trials",
        caption="Trials that a source’s own design expects and that are not in its logs. They count neither as failures nor "
        "as successes.",
        columns=heads(fields),
        sections=tuple(sections),
        place="appendix",
    )


def _short(name: str | None) -> str:
    return display.ABSENT if name is None else display.short_names([name])[name]


def _cut(text: str, limit: int) -> str:
    text = labels.shown(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
