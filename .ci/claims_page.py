"""Write the table of conventions in docs/inference.md from their registry."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from benchmill.registry.bibliography import CITATION, REFERENCES
from benchmill.registry.conventions import MOST_LEFT_OUT, PARTS, Convention, in_order

HERE = Path(__file__).parents[1]
PAGE = HERE / "docs/inference.md"
BEGIN, END = "<!-- the conventions, written by .ci/claims_page.py -->\n", "<!-- end of the conventions -->\n"


def drawn() -> str:
    """The table, and what is combined with what."""
    lines = ["| changes | convention | why another author could choose so |", "| --- | --- | --- |"]
    for group, members in groupby(in_order(), key=lambda convention: convention.group):
        for number, convention in enumerate(members):
            lines.append(f"| {group if number == 0 else ''} | {convention.words} (`{convention.name}`) | {_why(convention)} |")
    crossed = ", ".join(f"`{convention.name}`" for convention in in_order() if convention.crossed)
    text = (
        f"Each is taken alone. Every one that changes {' or '.join(PARTS)} is combined with {crossed}, too. Of more than "
        f"{MOST_LEFT_OUT} other algorithms the {MOST_LEFT_OUT} with the largest net share of wins are left out in turn, of more "
        f"than {MOST_LEFT_OUT} clusters those that speak most for the claim.\n"
    )
    return "\n".join(lines) + "\n\n" + text


def _why(convention: Convention) -> str:
    return " ".join([convention.why, *(f"[{_short(key)}]" for key in CITATION.findall(convention.citation))])


def _short(key: str) -> str:
    reference = REFERENCES[key]
    return f"{reference.authors[0].rpartition(' ')[2]} {reference.year}"


def page(text: str) -> str:
    """The text of docs/inference.md with the table as it is."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{drawn()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
