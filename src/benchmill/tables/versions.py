"""Tables and texts of a comparison of two versions of a solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.tables import html, markdown
from benchmill.tables.fields import Field, numbers, plain, said, words
from benchmill.text import labels, versions
from benchmill.text.display import Block, Table, p_value, plural, target

Found = Mapping[str, Any]


def ratios(found: Found) -> Table:
    """Return the ratio of NEW to BASE for each subset of the instances, with its interval."""
    rows = [row for row in (found["ratio"], *found["subsets"]) if row["instances"]]
    level = f"{100 * found['level']:g} %"
    if found["measure"]["targets"]:
        levels = ", ".join(target(value) for value in found["measure"]["targets"])
        caption = f"Geometric means of ERTs over the problems and targets ({levels}) that both reach, and their ratio."
    else:
        caption = (
            f"Shifted geometric means (shift {found['measure']['shift']:g}) and their ratio; a failure counts its limit. A "
            "bracket holds the instances that one of the two solves and that take the slower one at least so much."
        )
    fields = [
        words("instances", _subset),
        numbers("n", "instances", form=str),
        numbers("clusters", "clusters", form=str),
        numbers("BASE", "base"),
        numbers("NEW", "new"),
        numbers("ratio", "ratio", "NEW / BASE: above 1 NEW is worse"),
        numbers("from", "low"),
        numbers("to", "high"),
    ]
    return plain("versions", "NEW against BASE", f"{caption} Paired {level} intervals over clusters of instances.", fields, rows)


def _subset(row: Mapping[str, Any]) -> str:
    words = {"all": "solved by both", "reached": "reached by both"}
    return words.get(row["subset"], str(row["subset"]))


def changes(found: Found, kind: str, title: str) -> Table:
    """Return the instances of one list of changes: how their runs ended, and where that stands in the logs."""
    return plain(f"versions_{kind}", title, "", _instance(found, said("BASE", "base"), said("NEW", "new")), found[kind])


def _instance(found: Found, *own: Field) -> list[Field]:
    p = [numbers("p", "p", "adjusted (Holm)", p_value)] if found["seeds"] else []
    return [said("instance"), *own, *p, words("where", versions.listed_places, wrap=True)]


def instances(found: Found) -> Table:
    """Return the largest changes of instances, and all beyond noise."""
    fields = _instance(found, numbers("BASE", "base"), numbers("NEW", "new"), numbers("ratio", "ratio"))
    return plain("versions_instances", "Largest changes", "", fields, found["instances"])


def standing(found: Found) -> Table:
    """Return the order among the others, with BASE and with NEW."""
    order = found["standing"] or {"with_base": (), "with_new": (), "criterion": ""}
    rows = []
    with_base = {row["algorithm"]: row for row in order["with_base"]}
    for row in sorted(order["with_new"], key=lambda row: row["rank"]):
        before = with_base["BASE" if row["algorithm"] == "NEW" else row["algorithm"]]
        name = "NEW (BASE before)" if row["algorithm"] == "NEW" else row["algorithm"]
        rows.append({**row, "algorithm": name, "rank_before": before["rank"], "value_before": before["value"]})
    fields = [
        said("algorithm"),
        numbers("rank with BASE", "rank_before", form="{:g}".format),
        numbers("with NEW", "rank", form="{:g}".format),
        numbers("value with BASE", "value_before"),
        numbers("with NEW", "value"),
    ]
    return plain("versions_standing", "Among others", f"By {order['criterion']}.", fields, rows)


def blocks(found: Found) -> list[Block]:
    """Return all that is shown, in the order in which it matters: what is wrong, what is lost, then how fast."""
    told = versions.sentences(found)
    kinds = {"gained": "Gained", "otherwise": "Unsolved by both, and ended otherwise"}
    others = [changes(found, kind, heading) for kind, heading in kinds.items() if found[kind]]
    every = [
        Block("", (versions.rule_sentence(found), *found["notes"])),
        Block("Wrong answers", told["answers"], _if(found["wrong"], changes(found, "wrong", "Wrong answers of NEW"))),
        Block("Solved", told["solved"], _if(found["lost"], changes(found, "lost", "Lost"))),
        Block("How fast", told["ratio"], _if(found["ratio"]["instances"], ratios(found))),
        Block("Instance by instance", told["instances"], (*_if(found["instances"], instances(found)), *others), folded=True),
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
    return markdown.short(title(found), f"{compared(found)}.", blocks(found))


def as_html(found: Found) -> str:
    """Return all that is shown as a part of a page, for a notebook."""
    parts = [f"<p><b>{labels.html(title(found))}</b></p>", f"<p>{labels.html(compared(found))}.</p>"]
    for block in blocks(found):
        parts += [f"<p>{labels.html(sentence)}</p>" for sentence in block.sentences]
        parts += [html.render(table) for table in block.tables]
    return "\n".join(parts)
