"""The tables of a study as people read them: one object becomes LaTeX, CSV, Markdown and HTML."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.core.options import Given
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import asked, forms, latex, numbers, profiles, solver_runs, verdicts
from benchmill.exhibits.tables.fields import Results
from benchmill.exhibits.tables.verdicts import primary
from benchmill.registry.tables import KINDS, Kind
from benchmill.text import display, frames
from benchmill.text.measures import floored
from benchmill.text.sentences import leader
from benchmill.text.settings import Settings

__all__ = ["FORMATS", "KINDS", "Results", "build", "latex", "leader", "numbers", "primary", "runs", "summary", "verdict", "write"]

#: How a table is written, by the suffix of the file.
FORMATS: dict[str, Callable[[display.Table], str]] = {
    ".tex": latex.render,
    ".csv": forms.csv,
    ".md": forms.markdown,
    ".txt": lambda table: f"{table.caption}\n",
}


def build(kind: str, data: frames.Data, settings: Given) -> display.Table:
    """Make a table of a study: `kind` is a key of `KINDS`.

    `data` are Arrow tables by schema, with `ingest`, `config` and `origins`; `settings` are those of
    `benchmill.text.settings.Settings`, as far as needed. Raises UserError if a kind, a key or a value is not there.
    """
    if kind not in KINDS:
        raise UserError(f"tables: there is no kind {kind!r}, expected one of {', '.join(KINDS)}; choose one of these.")
    about = Settings.parsed(settings)
    about = replace(about, control=frames.control(about.control, frames.algorithms(data)) or about.control)
    if about.asked is None:
        return _built(KINDS[kind], Results(data, about))
    tables_read = list(dict.fromkeys(name.split("/")[0] for name in KINDS[kind].tables))
    return asked.ordered(_built(KINDS[kind], Results(asked.chosen(data, tables_read, about.asked), about)), data, about.asked)


def _built(kind: Kind, results: Results) -> display.Table:
    table: display.Table = kind.build(results)
    measure = results.measure
    if kind.budgets and measure.kind.values and measure.per_dimension:
        table = replace(table, caption=f"{table.caption} Budgets are in evaluations/dimension.")
    floor_sentence = floored(results.data.get("indicators"), [measure])
    return replace(table, caption=f"{table.caption} {floor_sentence}") if floor_sentence else table


def runs(data: frames.Data, settings: Given) -> list[str]:
    """Say how runs of solvers end; `settings` as of `build`."""
    return solver_runs.sentences(Results(data, Settings.parsed(settings)))


def summary(data: frames.Data, settings: Given) -> list[str]:
    """Say what the profiles of one measure and variant show; `settings` as of `build`."""
    return profiles.summary(Results(data, Settings.parsed(settings)))


def verdict(data: frames.Data, settings: Given) -> list[str]:
    """Say what can be claimed of a measure; `settings` as of `build`."""
    return verdicts.verdict(Results(data, Settings.parsed(settings)))


def write(table: display.Table, path: str | Path, layout: Given | None = None) -> None:
    """Write a table in the format of the file's suffix; `layout` has keywords of `benchmill.exhibits.tables.latex.render`."""
    path = Path(path)
    write_text(path, latex.render(table, **(layout or {})) if path.suffix == ".tex" else FORMATS[path.suffix](table))
