"""The sentences and tables of a comparison of two versions, and the rule by which it is judged."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmill.core import Given, UserError, shown
from benchmill.exhibits.tables import forms
from benchmill.exhibits.tables.fields import alone, columns
from benchmill.text import prose
from benchmill.text.display import Block, Table, apart, count, listed, number, p_value, plural
from benchmill.text.frames import Row
from benchmill.text.labels import html

#: JSON schemas of `comparison.json`, and of a line of a history.
SCHEMA, ENTRY = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")).values()

#: Every part of a rule has one of these outcomes. The exit status is 1, 2 and 0: that of the first that any part has.
OUTCOMES_OF_A_RULE = ("met", "undecided", "not_met")

_PART = re.compile(r"(wrong|lost|missing|regression|(regression|slower)\s*>\s*(\d+(?:\.\d+)?)\s*%)")


@dataclass(frozen=True)
class Part:
    """A part of a rule: its kind, and the ratio that `regression` and `slower` exceed."""

    kind: str
    limit: float

    def __str__(self) -> str:
        return f"{self.kind}>{100 * (self.limit - 1):g}%" if self.kind in ("regression", "slower") else self.kind


def rule(text: str) -> tuple[Part, ...]:
    """Read a rule such as `regression>5%,wrong,lost`, or raise UserError."""
    parts: dict[str, Part] = {}
    for piece in (piece.strip() for piece in text.split(",")):
        match = _PART.fullmatch(piece)
        if match is None:
            raise UserError(f"--fail-on: found {piece!r}, expected {', '.join(_JUDGES)} (with any number), with commas between.")
        kind = match[2] or match[1]
        if kind in parts:
            raise UserError(f"--fail-on: {piece!r} is given twice; leave one out.")
        parts[kind] = Part(kind, 1 + float(match[3] or 0) / 100)
    return tuple(parts.values())


def judged(result: Given, parts: Sequence[Part]) -> dict[str, list[str]]:
    """Return the parts of a rule by their outcome, a sentence each."""
    gone, of_others = _missing(result), {}
    reasons: dict[str, list[str]] = {outcome: [] for outcome in OUTCOMES_OF_A_RULE}
    for part in parts:
        outcome, why = next(judge for name, judge in _JUDGES.items() if name.startswith(part.kind))(result, part.limit)
        # a run that crashed, or took too long, may have left no row
        if outcome == "not_met" and part.kind != "wrong" and gone[0] == "met":
            of_others[str(part)] = why.removesuffix(".")
        else:
            reasons[outcome].append(f"{part}: {why}")
    if of_others:
        reasons["undecided"].append(f"{', '.join(of_others)}: {gone[1]} Of the others: {'; '.join(of_others.values())}.")
    return reasons


def _regression(result: Given, limit: float) -> tuple[str, str]:
    ratio = result["ratio"]
    low = ratio["low"]
    if low is None:
        return "undecided", f"there is no interval of the ratio ({_why(result, ratio)})."
    if low > limit:
        return "met", f"the interval of the ratio begins at {apart(low, limit=limit)[0]}, above {limit:g}."
    # what counts its limit is in the ratio
    if ratio["unsolved"] == "all_solved" and (lost := [one for one in result["lost"] if _wholly(one)]):
        return "undecided", f"the ratio is of what both solve, and NEW never solves {_named(lost)} that BASE always solves."
    return "not_met", "the interval of the ratio begins at {}; it ends at {}.".format(*apart(low, ratio["high"], limit=limit))


def _slower(result: Given, limit: float) -> tuple[str, str]:
    if not result["tested"]:
        return (
            "undecided",
            "no instance has two runs of each that all succeed, so no change of an instance can be told from noise.",
        )
    if slower := [one for one in result["instances"] if (one["low"] or 0) > limit]:
        return "met", f"NEW needs more than {limit:g} times as much, beyond noise, on {_named(slower)}."
    if lost := [one for one in result["lost"] if one["base_share"] == 1]:
        return "undecided", f"how much more NEW needs on {_named(lost)} is not known: it fails there, and BASE never does."
    out = count(result["common"] - result["tested"])
    rest = "" if out == "0" else f" ({out} of {count(result['common'])} not tested, as some run fails or is alone)"
    return "not_met", (
        f"it is shown of none of {plural(result['tested'], 'instance')} that NEW needs more than {limit:g} times as much{rest}."
    )


def _wrong(result: Given, _: float) -> tuple[str, str]:
    if wrong := len(result["wrong"]) + len(result["contradictions"]):
        verbs = ("is", "contradicts") if wrong == 1 else ("are", "contradict")
        return "met", f"{plural(wrong, 'answer')} of NEW {verbs[0]} wrong or {verbs[1]} another."
    answers = result["answers"]
    if not answers["given"]:
        return "not_met", "NEW gives no answer."
    unchecked = " ".join([*_said(result, "Not checked"), *answers["doubtful"]])
    if answers["unchecked"] or answers["doubtful"] or not answers["checked"]:
        return "undecided", f"not checked. {unchecked}"
    return "not_met", f"answers of NEW to {plural(answers['checked'], 'instance')} agree with what is known. {unchecked}".rstrip()


def _lost(result: Given, _: float) -> tuple[str, str]:
    losses, partly = _said(result, "Losses"), [one for one in result["lost"] if not _wholly(one)]
    if losses:
        return "met", " ".join(losses)
    if not partly:
        return "not_met", "NEW solves every instance that BASE solves, in no fewer of its runs."
    least = min(result["p_min"] or 1.0, result["solved"]["p_min"] or 1.0)
    if least > 1 - result["level"]:
        return "undecided", (
            f"NEW solves fewer of its runs of {_named(partly)}, and so few runs and instances cannot tell a loss from noise: the "
            f"smallest p is {p_value(least)}."
        )
    # no limit explains these, and few runs of one instance can never show it
    if crashed := [one for one in partly if one["base_share"] == 1 and "limit" not in one["new"]]:
        return "undecided", f"NEW fails in some runs of {_named(crashed)}, at no limit, where BASE fails in none."
    # NEW could do no worse there, and that is not met: only a fall on many instances could have been shown
    never, changed = [one for one in partly if one["new_share"] == 0], result["solved"]["changed"]
    if never and 2.0 ** (1 - changed) > 1 - result["level"]:
        return "undecided", (
            f"NEW never solves {_named(never)} that BASE solves in some of its runs: so few runs cannot tell that from noise, "
            f"and neither can the test of the {plural(changed, 'cluster')} whose share of solved runs has changed."
        )
    return "not_met", f"NEW solves fewer of its runs of {_named(partly)}, which is not shown to be more than noise."


def _missing(result: Given, _: float = 0.0) -> tuple[str, str]:
    return "met" if result["only_base"] or result["fewer"] else "not_met", " ".join(_said(result, "Missing"))


#: How a part is written: what judges it.
_JUDGES = {"regression>5%": _regression, "slower>100%": _slower, "wrong": _wrong, "lost": _lost, "missing": _missing}


def _named(instances: Sequence[Row]) -> str:
    return f"{plural(len(instances), 'instance')} ({listed([shown(one['instance']) for one in instances], limit=10)})"


def _why(result: Given, row: Row) -> str:
    """Say why a ratio has no interval."""
    return " ".join(_said(result, "Why", row=row))


def _wholly(change: Row) -> bool:
    return bool(change["base_share"] == 1 and change["new_share"] == 0)


def _said(result: Given, part: str, **facts: Any) -> list[str]:
    """Return the sentences of a part of the template; which instances are lost for certain it is told."""
    wholly = [change for change in result["lost"] if _wholly(change)]
    clear = [one for one in result["lost"] if not _wholly(one) and one["p"] is not None and one["p"] <= 1 - result["level"]]
    given = {"wholly": wholly, "clear": clear, "named": _named, "why": _why, "said": _said, "with_interval": _with_interval}
    return prose.sentences(__file__, part, result=result, **given, **facts)


def headline(result: Given) -> str:
    """Return the comparison in a few words."""
    return " ".join(_said(result, "Headline"))


def _classes(result: Given) -> list[str]:
    """Say which classes carry a change."""
    if result["classes"] is None:
        return []
    changed: dict[str, list[str]] = {"more": [], "less": []}
    unknown: dict[str, list[str]] = {}
    for row in result["classes"]["rows"]:
        name = shown(row["class"])
        if row["low"] is None:
            unknown.setdefault(_why(result, row), []).append(name)
        elif row["low"] > 1 or row["high"] < 1:
            changed["more" if row["low"] > 1 else "less"].append(f"{name} × {_with_interval(row)}")
    return _said(result, "By class", changed=changed, unknown=unknown)


def _with_interval(row: Row, before: str = " (") -> str:
    """Write a ratio with its interval, so that one sees on which side of 1 each end lies."""
    ratio, low, high = apart(row["ratio"], row["low"], row["high"])
    return f"{ratio}{before}{low} to {high})"


# ---- tables, and all that is shown ------------------------------------------------------------

_SUBSETS = {"all": "solved by both", "reached": "reached by both"}
#: Lists of changes, and what heads each.
_CHANGES = {
    "wrong": "Wrong answers of NEW",
    "lost": "Lost",
    "gained": "Gained",
    "otherwise": "Unsolved by both, and ended otherwise",
}


def ratios(result: Given) -> Table:
    """Return the ratio of NEW to BASE for each subset of the instances, with its interval."""
    rows = (
        {**row, "subset": _SUBSETS.get(row["subset"], str(row["subset"]))}
        for row in (result["ratio"], *result["subsets"])
        if row["instances"]
    )
    return alone("versions", columns("versions"), rows, of=result["measure"], level=result["level"])


def _runs(row: Row) -> str:
    """Write the cost of every run of both, a dash for a failure."""
    return " → ".join(", ".join(map(number, row[side])) for side in ("base_runs", "new_runs"))


def _where(change: Row) -> str:
    """Return where the logs have the runs of a change."""
    return ", ".join(str(place) for place in (change["base_place"], change["new_place"]) if place)


def _of_instances(table: str, result: Given, rows: Sequence[Row], **words: str) -> Table:
    return alone(
        table,
        columns(table, of={"where": _where, "runs": _runs}, without=() if result["seeds"] else ("p", "runs")),
        rows,
        **words,
    )


def shown_of(result: Given) -> tuple[str, str, list[Block]]:
    """Return a heading that says what was found, what the two are, and all that is shown: what is wrong, lost, how fast."""
    changes = {
        kind: _of_instances("versions_changes", result, result[kind], change=kind, heading=heading)
        for kind, heading in _CHANGES.items()
    }
    fields = columns("versions_endings", of={"which": lambda row: listed([shown(name) for name in row["names"]], limit=5)})
    of_classes = result["classes"] or {"by": "", "rows": ()}
    words = {"by": of_classes["by"], "level": f"{50 + 50 * result['level']:g} %"}
    classes = alone("versions_classes", columns("versions_classes", **words), of_classes["rows"], **words)
    every = [
        Block("", (*_said(result, "Rule"), *result["notes"])),
        Block("Wrong answers", _said(result, "Wrong answers"), (changes["wrong"],)),
        Block("Solved", _said(result, "Solved"), (alone("versions_endings", fields, result["endings"]), changes["lost"])),
        Block("How fast", _said(result, "How fast"), (ratios(result),)),
        Block("By class", _classes(result), (classes,)),
        Block(
            "Instance by instance",
            _said(result, "Instance by instance"),
            (_of_instances("versions_instances", result, result["instances"]), changes["gained"], changes["otherwise"]),
            folded=True,
        ),
    ]
    every = [replace(block, tables=[table for table in block.tables if table.n_rows]) for block in every]
    every_shown = [block for block in every if block.sentences or block.tables]
    return f"NEW against BASE: {headline(result)}", " ".join(_said(result, "Sides")), every_shown


def against(results: Mapping[str, Given]) -> tuple[str, str, list[Block]]:
    """Return a heading, what BASE is, and a table of the versions that were each compared with it, by what they are called."""
    first = next(iter(results.values()))
    level = f"{100 * (1 - (1 - first['level']) * len(results)):g} %"
    rows = [
        {"version": name, **one["ratio"], "base_solved": one["base"]["solved"], "new_solved": one["new"]["solved"]}
        | {kind: len(one[kind]) for kind in ("lost", "gained")}
        | {"wrong": len(one["wrong"]) + len(one["contradictions"])}
        for name, one in results.items()
    ]
    lines = [" ".join(_said(one, "Line", name=name)) for name, one in results.items()]
    table = alone("versions_against", columns("versions_against"), rows, level=level)
    introduction = " ".join(_said(first, "Against", all_at=level))
    return f"{plural(len(results), 'version')} against BASE", introduction, [Block("", lines, (table,))]


def as_html(result: Given) -> str:
    """Return all that is shown as a part of a page, for a notebook."""
    title, introduction, every = shown_of(result)
    parts = [f"<p><b>{html(title)}</b></p>", f"<p>{html(introduction)}</p>"]
    for block in every:
        parts += [f"<p>{html(sentence)}</p>" for sentence in block.sentences]
        parts += map(forms.html, block.tables)
    return "\n".join(parts)
