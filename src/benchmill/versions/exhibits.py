"""Tables and texts of a comparison of two versions of a solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.tables import forms
from benchmill.tables.fields import alone, columns
from benchmill.text import labels
from benchmill.text.display import Block, Table, listed, number, plural, target
from benchmill.versions import sentences as versions

Found = Mapping[str, Any]

#: Names of instances that a table of endings lists.
_NAMES = 5
_SUBSETS = {"all": "solved by both", "reached": "reached by both"}


def ratios(found: Found) -> Table:
    """Return the ratio of NEW to BASE for each subset of the instances, with its interval."""
    rows = [row for row in (found["ratio"], *found["subsets"]) if row["instances"]]
    if found["measure"]["targets"]:
        levels = ", ".join(target(value) for value in found["measure"]["targets"])
        means = f"Geometric means of ERTs over the problems and targets ({levels}) that both reach, and their ratio."
    else:
        means = (
            f"Shifted geometric means (shift {found['measure']['shift']:g}) and their ratio; a failure counts its limit. A "
            "bracket holds the instances that one of the two solves and that take the slower one at least so much."
        )
    written = ({**row, "subset": _SUBSETS.get(row["subset"], str(row["subset"]))} for row in rows)
    return alone("versions", columns("versions"), written, means=means, level=f"{100 * found['level']:g} %")


def changes(found: Found, kind: str, heading: str) -> Table:
    """Return one list of changes: how runs ended, and where that stands."""
    return _of_instances("versions_changes", found, kind, change=kind, heading=heading)


def classes(found: Found) -> Table:
    """Return the ratio of NEW to BASE for each class of instances."""
    words = {"by": found["classes"]["by"], "level": f"{50 + 50 * found['level']:g} %"}
    return alone("versions_classes", columns("versions_classes", **words), found["classes"]["rows"], **words)


def endings(found: Found) -> Table:
    """Return how many instances ended otherwise, from what to what."""
    which = {"which": lambda row: listed([labels.shown(name) for name in row["names"]], limit=_NAMES)}
    return alone("versions_endings", columns("versions_endings", of=which), found["endings"])


def _runs(row: Mapping[str, Any]) -> str:
    """Write the cost of every run of both, a dash for a failure."""
    sides = ([number(cost) for cost in row[side]] for side in ("base_runs", "new_runs"))
    return " → ".join(", ".join(side) for side in sides)


def _of_instances(table: str, found: Found, kind: str, **words: str) -> Table:
    told = {"where": versions.listed_places, "runs": _runs}
    fields = columns(table, of=told, without=() if found["seeds"] else ("p", "runs"))
    return alone(table, fields, found[kind], **words)


def standing(found: Found) -> Table:
    """Return the order among the others, with BASE and with NEW."""
    order = found["standing"] or {"with_base": (), "with_new": (), "criterion": ""}
    rows = []
    with_base = {row["algorithm"]: row for row in order["with_base"]}
    for row in sorted(order["with_new"], key=lambda row: row["rank"]):
        before = with_base["BASE" if row["algorithm"] == "NEW" else row["algorithm"]]
        name = "NEW (BASE before)" if row["algorithm"] == "NEW" else row["algorithm"]
        rows.append({**row, "algorithm": name, "rank_before": before["rank"], "value_before": before["value"]})
    return alone("versions_standing", columns("versions_standing"), rows, criterion=order["criterion"])


def blocks(found: Found) -> list[Block]:
    """Return all that is shown: what is wrong, what is lost, then how fast."""
    told = versions.sentences(found)
    kinds = {"gained": "Gained", "otherwise": "Unsolved by both, and ended otherwise"}
    others = [changes(found, kind, heading) for kind, heading in kinds.items() if found[kind]]
    largest = _of_instances("versions_instances", found, "instances")
    every = [
        Block("", (versions.rule_sentence(found), *found["notes"])),
        Block("Wrong answers", told["answers"], _if(found["wrong"], changes(found, "wrong", "Wrong answers of NEW"))),
        Block(
            "Solved",
            told["solved"],
            (*_if(found["endings"], endings(found)), *_if(found["lost"], changes(found, "lost", "Lost"))),
        ),
        Block("How fast", told["ratio"], _if(found["ratio"]["instances"], ratios(found))),
        Block("By class", told["classes"], (classes(found),) if found["classes"] else ()),
        Block("Instance by instance", told["instances"], (*_if(found["instances"], largest), *others), folded=True),
        Block("Among others", told["standing"], _if(found["standing"], standing(found)), folded=True),
    ]
    return [block for block in every if block.sentences or block.tables]


def _if(there: Any, table: Table) -> tuple[Table, ...]:
    return (table,) if there else ()


def title(found: Found) -> str:
    """Return a heading that says what was found."""
    return f"NEW against BASE: {versions.headline(found)}"


def compared(found: Found) -> str:
    """Say what the two are."""
    return "; ".join(
        f"{role} is {found[key]['algorithm']} ({found[key]['name']}, {plural(found[key]['runs'], 'run')})"
        for role, key in (("BASE", "base"), ("NEW", "new"))
    )


def as_markdown(found: Found) -> str:
    """Return all that is shown as Markdown, short enough for a comment."""
    return forms.comment(title(found), f"{compared(found)}.", blocks(found))


def as_html(found: Found) -> str:
    """Return all that is shown as a part of a page, for a notebook."""
    parts = [f"<p><b>{labels.html(title(found))}</b></p>", f"<p>{labels.html(compared(found))}.</p>"]
    for block in blocks(found):
        parts += [f"<p>{labels.html(sentence)}</p>" for sentence in block.sentences]
        parts += [forms.html(table) for table in block.tables]
    return "\n".join(parts)
