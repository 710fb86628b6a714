"""The tables of a study as people read them: one object is made into LaTeX, CSV, Markdown and HTML."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmill.core.errors import UserError
from benchmill.core.whole_file import write_text
from benchmill.registry.measures import MEASURES
from benchmill.registry.tables import KINDS
from benchmill.tables import asked, forms, latex, numbers
from benchmill.tables.profiles import summary
from benchmill.tables.solver_runs import sentences as runs
from benchmill.tables.verdicts import primary, verdict
from benchmill.text import display, frames
from benchmill.text.sentences import leader

__all__ = ["FORMATS", "KINDS", "build", "latex", "leader", "numbers", "primary", "runs", "summary", "verdict", "write"]

#: How a table is written, by the suffix of the file.
FORMATS: dict[str, Callable[[display.Table], str]] = {
    ".tex": latex.render,
    ".csv": forms.csv,
    ".md": forms.markdown,
    ".txt": lambda table: f"{table.caption}\n",
}


def build(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any]) -> display.Table:
    """Make a table of a study: `kind` is a key of `KINDS`.

    `data` are Arrow tables by schema, with `ingest`, `config` and `origins`; `settings` have `measure`, `profile` and
    `indicators` as far as needed, and `asked` (values of `benchmill.tables.asked.Asked`). Raises UserError if a kind or a value
    is not there.
    """
    if kind not in KINDS:
        raise UserError(f"tables: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    if settings.get("asked"):
        plain = {key: value for key, value in settings.items() if key != "asked"} | {"asked_for": settings["asked"]}
        of = list(dict.fromkeys(name.split("/")[0] for name in KINDS[kind].tables))
        return asked.ordered(build(kind, asked.chosen(data, of, settings["asked"]), plain), data, settings["asked"])
    table: display.Table = KINDS[kind].build(
        data, {**settings, "control": frames.control(settings, frames.algorithms(data)) or settings.get("control")}
    )
    measure = settings.get("measure") or {}
    if KINDS[kind].budgets and "kind" in measure and MEASURES[measure["kind"]].values and measure.get("per_dimension", True):
        table = replace(table, caption=f"{table.caption} Budgets are in evaluations/dimension.")
    floored = display.floored(data.get("indicators"), [measure] if measure else [])
    return replace(table, caption=f"{table.caption} {floored}") if floored else table


def write(table: display.Table, path: str | Path, layout: Mapping[str, Any] | None = None) -> None:
    """Write a table in the format of the file's suffix; `layout` has keywords of `benchmill.tables.latex.render`."""
    path = Path(path)
    text = latex.render(table, **(layout or {})) if path.suffix == ".tex" else FORMATS[path.suffix](table)
    write_text(path, text)
