"""Tables of a comparison of two versions of a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmill.tables import html, markdown
from benchmill.text import labels, versions
from benchmill.text.display import Block, Cell, Column, Section, Table, number, p_value, plural, target

Found = Mapping[str, Any]


def _table(name: str, title: str, caption: str, columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> Table:
    return Table(name, title, caption, tuple(columns), (Section("", tuple(rows)),))


def _of(value: float | None) -> Cell:
    return Cell(number(value), value)


def ratios(found: Found) -> Table:
    """The ratio of NEW to BASE for each subset of the instances, with its interval."""
    rows = [
        (
            Cell(_subset(row)),
            Cell(str(row["instances"]), row["instances"]),
            Cell(str(row["clusters"]), row["clusters"]),
            *(_of(row[name]) for name in ("base", "new", "ratio", "low", "high")),
        )
        for row in (found["ratio"], *found["subsets"])
        if row["instances"]
    ]
    level = f"{100 * found['level']:g} %"
    if found["measure"]["targets"]:
        levels = ", ".join(target(value) for value in found["measure"]["targets"])
        caption = f"Geometric means of ERTs over the problems and targets ({levels}) that both reach, and their ratio."
    else:
        caption = (
            f"Shifted geometric means (shift {found['measure']['shift']:g}) and their ratio; a failure counts its limit. A "
            "bracket holds the instances that one of the two solves and that take the slower one at least so much."
        )
    return _table(
        "versions",
        "NEW against BASE",
        f"{caption} Paired {level} intervals over clusters of instances.",
        [
            Column("instances", "l"),
            Column("n"),
            Column("clusters"),
            Column("BASE"),
            Column("NEW"),
            Column("ratio", meaning="NEW / BASE: above 1 NEW is worse"),
            Column("from"),
            Column("to"),
        ],
        rows,
    )


def _subset(row: Mapping[str, Any]) -> str:
    words = {"all": "solved by both", "reached": "reached by both"}
    return words.get(row["subset"], str(row["subset"]))


def changes(found: Found, kind: str, title: str) -> Table:
    """The instances of one list of changes: how their runs ended, and where that stands in the logs."""
    seeds = found["seeds"]
    columns = [Column("instance", "l"), Column("BASE", "l"), Column("NEW", "l")]
    columns += [Column("p", meaning="adjusted (Holm)")] if seeds else []
    rows = [
        (
            Cell(row["instance"]),
            Cell(str(row["base"])),
            Cell(str(row["new"])),
            *((Cell(p_value(row["p"]), row["p"]),) if seeds else ()),
            Cell(versions.listed_places(row)),
        )
        for row in found[kind]
    ]
    return _table(f"versions_{kind}", title, "", [*columns, Column("where", "l", wrap=True)], rows)


def instances(found: Found) -> Table:
    """The instances that changed beyond noise; without seeds the largest changes."""
    seeds = found["seeds"]
    rows = [
        (
            Cell(row["instance"]),
            *(_of(row[name]) for name in ("base", "new", "ratio")),
            *((Cell(p_value(row["p"]), row["p"]),) if seeds else ()),
            Cell(versions.listed_places(row)),
        )
        for row in found["instances"]
    ]
    columns = [Column("instance", "l"), Column("BASE"), Column("NEW"), Column("ratio")]
    columns += [Column("p", meaning="adjusted (Holm)")] if seeds else []
    title = "Changed beyond noise" if seeds else "Largest changes"
    return _table("versions_instances", title, "", [*columns, Column("where", "l", wrap=True)], rows)


def standing(found: Found) -> Table:
    """The order among the others, with BASE and with NEW."""
    order = found["standing"] or {"with_base": (), "with_new": (), "criterion": ""}
    rows: list[tuple[Cell, ...]] = []
    with_base = {row["algorithm"]: row for row in order["with_base"]}
    for row in sorted(order["with_new"], key=lambda row: row["rank"]):
        before = with_base["BASE" if row["algorithm"] == "NEW" else row["algorithm"]]
        name = "NEW (BASE before)" if row["algorithm"] == "NEW" else row["algorithm"]
        rows.append(
            (
                Cell(name),
                *(Cell(f"{one['rank']:g}", one["rank"]) for one in (before, row)),
                *(_of(one["value"]) for one in (before, row)),
            )
        )
    heads = ("rank with BASE", "with NEW", "value with BASE", "with NEW")
    columns = [Column("algorithm", "l"), *map(Column, heads)]
    return _table("versions_standing", "Among others", f"By {order['criterion']}.", columns, rows)


def blocks(found: Found) -> list[Block]:
    """All that is shown, in the order in which it matters: what is wrong, what is lost, then how fast."""
    said = versions.sentences(found)
    kinds = {"gained": "Gained", "otherwise": "Unsolved by both, and ended otherwise"}
    others = [changes(found, kind, words) for kind, words in kinds.items() if found[kind]]
    every = [
        Block("", (versions.rule_sentence(found), *found["notes"])),
        Block("Wrong answers", said["answers"], _if(found["wrong"], changes(found, "wrong", "Wrong answers of NEW"))),
        Block("Solved", said["solved"], _if(found["lost"], changes(found, "lost", "Lost"))),
        Block("How fast", said["ratio"], _if(found["ratio"]["instances"], ratios(found))),
        Block("Instance by instance", said["instances"], (*_if(found["instances"], instances(found)), *others), folded=True),
        Block("Among others", said["standing"], _if(found["standing"], standing(found)), folded=True),
    ]
    return [block for block in every if block.sentences or block.tables]


def _if(there: Any, table: Table) -> tuple[Table, ...]:
    return (table,) if there else ()


def title(found: Found) -> str:
    """A heading that says what was found."""
    return f"NEW against BASE: {versions.headline(found)}"


def compared(found: Found) -> str:
    """What the two are."""
    return "; ".join(
        f"{role} is {found[key]['algorithm']} ({found[key]['name']}, {plural(found[key]['runs'], 'run')})"
        for role, key in (("BASE", "base"), ("NEW", "new"))
    )


def as_markdown(found: Found) -> str:
    """What is shown as Markdown, short enough for a comment."""
    return markdown.short(title(found), f"{compared(found)}.", blocks(found))


def as_html(found: Found) -> str:
    """What is shown as a part of a page, for a notebook."""
    parts = [f"<p><b>{labels.html(title(found))}</b></p>", f"<p>{labels.html(compared(found))}.</p>"]
    for block in blocks(found):
        parts += [f"<p>{labels.html(sentence)}</p>" for sentence in block.sentences]
        parts += [html.render(table) for table in block.tables]
    return "\n".join(parts)
