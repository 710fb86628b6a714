"""Tables of the data: sources, irregularities, missing trials, settings, origins; and published numbers, recomputed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa

from benchmill.core import beside, natural_key, shown
from benchmill.exhibits.tables.fields import Results, alone, columns, exhibit, kinds, section
from benchmill.text import display, frames

#: What a row of missing trials is of.
_CELL = ("suite", "problem", "dimension")
#: Problems of a source whose missing trials have a row of their own; the others are counted in one row.
_MOST_ROWS = 200

#: What the kinds of contradictions between sources mean (the rules of a source explain themselves); and how quantities are
#: written of which papers print numbers.
_CONTRADICTIONS, _QUANTITIES = beside.toml(__file__).values()


def inventory(results: Results) -> display.Table:
    """Make the inventory, one row per source."""
    reports = _reports(results)
    names, cut = (display.short_names((name for report in reports for name in report["algorithms"]), room) for room in (32, 24))
    full = [f"{short} is {shown(name)}" for name, short in cut.items() if "…" in short]
    # a column of sources that only repeats the algorithms takes room and says nothing
    telling = any(_letters(report["source"]) != _letters("".join(report["algorithms"])) for report in reports)
    fields = columns(
        "inventory",
        of={
            # two names; of more the first and how many others there are, so that the table keeps to the width of a page
            "algorithm": lambda row: display.listed(
                [names[n] for n in row["algorithms"]], limit=2 if len(row["algorithms"]) <= 2 else 1
            ),
            "source": lambda row: display.short(row["source"], 18),
            "least_dimension": lambda row: _dimensions(row["dimensions"]),
            "found": _found_of,
            "sha256": lambda row: str(row["sha256"])[:8],
        },
        without=() if telling else ("source",),
    )
    return alone("inventory", fields, map(_row, reports), full=full)


def _reports(results: Results) -> list[frames.Row]:
    return sorted(results.data["ingest"], key=lambda report: natural_key(report["source"]))


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _row(report: frames.Row) -> frames.Row:
    return {
        **dict.fromkeys(("expected", "missing", "ill_finalised", "solved", "failed", "median", "max")),
        **report["trials"],
        **(report.get("budget") or {}),
        **{key: report[key] for key in ("source", "format", "dimensions", "sha256")},
        "algorithms": sorted(set(report["algorithms"]), key=natural_key),
        "n_problems": len(report["problems"]),
        "least_dimension": min((d for d in report["dimensions"] if d is not None), default=None),
    }


def _found_of(row: frames.Row) -> str:
    have, expected = row["found"], row["expected"]
    return display.count(have) if expected is None else f"{display.count(have)}/{display.count(expected)}"


def _dimensions(dimensions: Sequence[int | None]) -> str:
    known = sorted({d for d in dimensions if d is not None})
    if not known:
        return display.ABSENT
    return ", ".join(map(str, known)) if len(known) <= 4 else f"{known[0]}–{known[-1]} ({len(known)})"


def irregularities(results: Results) -> display.Table:
    """Make the table of irregularities: one section per source, contradictions between sources last."""
    fields = columns("irregularities")
    sections = []
    total: dict[str, int] = {"repaired": 0, "noted": 0, "refused": 0}
    for report in _reports(results):
        rows = []
        for item in report.get("irregularities") or []:
            total[item["outcome"]] = total.get(item["outcome"], 0) + item["count"]
            line = "" if item.get("line") is None else f", line {item['line']}"
            where = f"{item['file']}{line}" if item.get("file") else display.ABSENT
            rows.append({**item, "where": where, "what": _cut(item.get("detail") or "", 300)})
        if rows:
            sections.append(section(_of_source(report), fields, rows))
    between = _between(results.data["contradictions"]) if "contradictions" in results.data else []
    if between:
        sections.append(section("between sources", fields, between))
    counted = [f"{display.count(n)} {outcome}" for outcome, n in total.items()]
    return exhibit("irregularities", fields, sections, counted=counted, problems=sum(row["count"] for row in between))


def _of_source(report: frames.Row) -> str:
    return f"source {display.short(report['source'])}"


def _between(contradictions: pa.Table) -> list[frames.Row]:
    between: list[frames.Row] = []
    rows = between_sources(contradictions)
    for kind, meaning in _CONTRADICTIONS.items():
        cases = rows[rows["kind"] == kind]
        for first in cases.head(1).to_dict("records"):
            answers = f"{first['claim']} by {first['algorithm']}, {first['other_claim']} by {first['other_algorithm']}"
            where, what = f"{first['place']}; {first['other_place']}", _cut(f"{first['problem']}: {answers}", 300)
            rule = f"solvers_disagree ({meaning})"
            between.append({"rule": rule, "outcome": "noted", "count": len(cases), "where": where, "what": what})
    return between


def between_sources(contradictions: pa.Table) -> frames.Frame:
    """Return the contradictions between runs of different sources."""
    data = frames.frame(contradictions)
    return data[data["in_source"].astype(str) != data["other_in_source"].astype(str)]


def missing(results: Results) -> display.Table:
    """Make the table of missing trials: one section per source, one row per problem and dimension."""
    fields = columns("missing")
    sections = []
    for report in _reports(results):
        lacking = sorted(report.get("missing") or [], key=lambda item: [natural_key(str(item.get(k) or "")) for k in _CELL])
        ordered = [(key, list(items)) for key, items in groupby(lacking, key=lambda item: [item.get(k) for k in _CELL])]
        # one row more for the rest only where that saves one
        named = len(ordered) if len(ordered) <= _MOST_ROWS + 1 else _MOST_ROWS
        rows: list[frames.Row] = []
        for (suite, problem, dimension), items in ordered[:named]:
            instances = sorted({str(i["instance"]) for i in items if i.get("instance") is not None}, key=natural_key)
            listed = _cut(display.listed(instances, limit=20) if instances else display.ABSENT, 200)
            key = {"suite": display.short(suite), "problem": display.short(problem), "dimension": dimension}
            rows.append({**key, "count": sum(i["count"] for i in items), "instances": listed})
        if rest := ordered[named:]:
            n = sum(i["count"] for _, items in rest for i in items)
            what = f"{display.count(len(rest))} more, listed in ingest/{report['source']}.json"
            absent = dict.fromkeys(("suite", "instances"), display.ABSENT)
            rows.append({**absent, "problem": what, "dimension": None, "count": n})
        if rows:
            sections.append(section(_of_source(report), fields, rows))
    return exhibit("missing", fields, sections)


def _cut(text: str, limit: int) -> str:
    text = shown(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def settings_of_study(results: Results) -> display.Table:
    """Make the table of settings that numbers depend on, every default filled in."""
    rows = (
        {"key": key, "value": value if len(value) <= 400 else value[:399] + "…"} for key, value in _flat(results.about.config, "")
    )
    return alone("settings", columns("settings"), rows)


def origins(results: Results) -> display.Table:
    """Make the table of origins: one section per result, one row per input with its digest."""
    made_from = results.data["origins"]
    fields = columns("origins")
    sections = []
    for result in sorted(made_from, key=natural_key):
        if inputs := made_from[result].get("inputs") or {}:
            rows = ({"input": shown(name), "SHA-256": inputs[name]} for name in sorted(inputs, key=natural_key))
            sections.append(section(shown(result), fields, rows))
    versions = sorted({str(origin["version"]) for origin in made_from.values() if "version" in origin})
    return exhibit("origins", fields, sections, versions=versions)


def _flat(value: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _flat(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for place, inner in enumerate(value, 1):
            yield from _flat(inner, f"{key}[{place}]")
    elif isinstance(value, list | tuple):
        yield key, ", ".join(_plain(item) for item in value) or display.ABSENT
    else:
        yield key, _plain(value)


def _plain(value: Any) -> str:
    if value is None or value == "" or value == {}:
        return display.ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)


def reproduction(published: pa.Table) -> display.Table:
    """Make the table of published numbers and recomputed ones, a section per place in a paper; input data are only counted."""
    data = frames.frame(published)
    counts = data["verdict"].value_counts()
    forms = {
        "quantity": lambda row: _written(row["quantity"]),
        "printed": lambda row: _number(row["printed"]),
        "value": lambda row: _number(row["recomputed"]),
        "reason": lambda row: row["reason"],
    }
    fields = columns("reproduction", of=forms)
    listed = data[data["verdict"] != "input"].groupby(["paper", "place"], sort=False, observed=True)
    sections = (section(f"{paper}, {place}", fields, rows) for (paper, place), rows in listed)
    counts_listed = [
        f"{display.count(counts[name])} {name}"
        for name in ("reproduced", "misprint", "not recomputable", "differs")
        if counts.get(name, 0)
    ]
    return exhibit("reproduction", fields, sections, verdicts=counts_listed, inputs=counts.get("input", 0))


def _written(quantity: str) -> str:
    for pattern, written in _QUANTITIES.items():
        quantity = re.sub(pattern, written, quantity)
    return quantity


def _number(text: str | None) -> str:
    return "∞" if text == "inf" else text or display.ABSENT


ENTRIES = kinds(inventory=inventory, irregularities=irregularities, missing=missing, settings=settings_of_study, origins=origins)
