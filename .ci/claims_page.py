"""The section of docs/rules.md about the conventions of claims, from their registry; `.ci/config_page.py` writes the page."""

from __future__ import annotations

from itertools import groupby

from benchmill.registry.bibliography import CITATION, REFERENCES
from benchmill.registry.conventions import MOST_LEFT_OUT, PARTS, Convention, in_order


def section() -> str:
    """The table of the conventions, and what is combined with what."""
    lines = ["## Conventions of claims\n", "A [claim](inference.md#claims) is examined under each of these, one at a time.\n"]
    lines += ["| changes | convention | why another author might choose it |", "| --- | --- | --- |"]
    for group, members in groupby(in_order(), key=lambda convention: convention.group):
        for number, convention in enumerate(members):
            lines.append(f"| {group if number == 0 else ''} | {convention.words} (`{convention.name}`) | {_why(convention)} |")
    crossed = ", ".join(f"`{convention.name}`" for convention in in_order() if convention.crossed)
    text = (
        f"Every one that changes {' or '.join(PARTS)} is also combined with {crossed}. With more than {MOST_LEFT_OUT} other "
        f"algorithms, the {MOST_LEFT_OUT} with the largest net share of wins are left out in turn; with more than "
        f"{MOST_LEFT_OUT} clusters, those that support the claim most.\n"
    )
    return "\n".join(lines) + "\n\n" + text


def _why(convention: Convention) -> str:
    return " ".join([convention.why, *(f"[{_short(key)}]" for key in CITATION.findall(convention.citation))])


def _short(key: str) -> str:
    reference = REFERENCES[key]
    return f"{reference.authors[0].rpartition(' ')[2]} {reference.year}"
