"""The settings of a study, and what its results are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmill.core.natural_order import natural_key
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of settings, every default filled in."""
    lines = tuple(
        (Cell(key), Cell(value if len(value) <= 400 else value[:399] + "…")) for key, value in _flat(data["config"], "")
    )
    return Table(
        name="settings",
        title="Settings",
        caption="The settings of the study, every default filled in.",
        columns=(Column("key", "l", key=True, wrap=True), Column("value", "l", wrap=True)),
        sections=(Section("", lines),) if lines else (),
        place="appendix",
    )


def origins(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of origins: one section per result, one row per input with its digest."""
    made_from = data["origins"]
    sections = []
    versions = sorted({str(origin["version"]) for origin in made_from.values() if "version" in origin})
    for result in sorted(made_from, key=natural_key):
        inputs = made_from[result].get("inputs") or {}
        lines = tuple((Cell(labels.shown(name)), Cell(str(inputs[name]))) for name in sorted(inputs, key=natural_key))
        if lines:
            sections.append(Section(labels.shown(result), lines))
    return Table(
        name="origins",
        title="Versions and digests",
        caption=(
            f"What each result is made from, with the SHA-256 digest of every input; made by benchmill "
            f"{display.listed(versions)}."
            if versions
            else "What each result is made from, with the SHA-256 digest of every input."
        ),
        columns=(Column("input", "l", key=True, wrap=True), Column("SHA-256", "l", wrap=True)),
        sections=tuple(sections),
        place="appendix",
    )


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
