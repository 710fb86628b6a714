"""Write docs/files.md from the registry of results and the schemas of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmill.competition.exhibits import CHECK
from benchmill.core.schema import TABLES, TEXT
from benchmill.study.catalogue import RESULTS, Result
from benchmill.versions.sentences import SCHEMA

HERE = Path(__file__).parents[1]

HEAD = """\
# The files

Made by `make lock` from `src/benchmill/study/catalogue.toml` and `src/benchmill/core/schema.csv`; a test compares them.

Every file below can be asked for by name (`snakemake --cores all results/bbob/ratios/ert.parquet`), looked at, and used by
scripts of your own; the paths and the columns stay stable. `<study>`, `<measure>` and `<variant>` are the names in your
configuration; `<source>` is made from the name of a log folder or archive (its suffix cut off, unsafe characters replaced).

| file | one row (or what it is) |
| --- | --- |
"""

TAIL = """\

Each job leaves a note in `origins/` in the folder of its study (`results/origins/` for what is of all studies): a digest of
what was asked of it (settings and code), one of all that it read, and those of the files that it wrote. A run believes these
notes and nothing else ([what a run believes](scaling.md#what-a-run-believes)). Two records beside the configuration are inputs
that runs add to: `pens.yaml` has the place of each algorithm by study, and `tested/<study>.json` the clusters and runs of a
study for each time that it had grown when it was tested. Keep them with the configuration.

A Parquet file carries what it was made from: the metadata key `benchmill` holds JSON with the name of the table, the version, the
digest of every input and the settings (`benchmill.core.storage.origin_of(path)`). Text columns are dictionaries (pandas:
categorical).
The keys are `suite`, `problem`, `dimension`, `instance`, `algorithm` and `run`; `trial` joins `trials`, `traces` and `costs` of
one source. In ratios and indicators a key column that is not among the study's `problem_keys` is empty.

The figures of a study are `profile_<measure>_<variant>`, `ecdf_<aggregation>`, `critical_differences_<measure>`, and those it
asks for by their kind (`figures` in config/README.md). Its tables are `inventory`, `irregularities`, `missing`,
`ert_<measure>`, `profile_<measure>_<variant>`, `tests_<measure>` and others, as far as it has what they show.
"""

TITLES = {
    "trials": "A trial that is missing has no row: missing trials are listed in the ingest report and counted in `indicators`.",
    "traces": "Rows of a trial stand together, by increasing evaluations and strictly better values.",
}


def made(result: Result) -> str:
    """Say where a result is not made unasked."""
    return "; made for a figure that shows it, or by name" if result.on_request else ""


def shown_path(result: Result) -> str:
    """The path of a result as people read it, all its formats in one."""
    path = result.path.replace("{format}", "\0").replace("{", "<").replace("}", ">")
    return path.replace("\0", "{" + ",".join(result.formats) + "}")


def page() -> str:
    """The text of docs/files.md."""
    parts = [HEAD, *(f"| `{shown_path(result)}` | {result.meaning}{made(result)} |\n" for result in RESULTS.values()), TAIL]
    for name, schema in TABLES.items():
        parts.append(f"\n## {name}\n\n{TITLES.get(name, '')}\n".replace("\n\n\n", "\n"))
        parts.append("\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n")
        for field in schema:
            kind = "text" if field.type == TEXT else str(field.type).replace("double", "float64")
            kind += ", may be empty" if field.nullable else ""
            note = {key.decode(): value.decode() for key, value in field.metadata.items()}
            parts.append(f"| `{field.name}` | {kind} | {note['unit']} | {note['meaning']} |\n")
    return "".join([*parts, _keys("comparison", "compare", SCHEMA), _keys("check", "check-entry", CHECK)])


def _keys(what: str, command: str, schema: dict[str, Any]) -> str:
    """The keys of a file of JSON that a command writes and checks against its schema."""
    rows = "".join(f"| `{key}` | {child['description']} |\n" for key, child in schema["properties"].items())
    head = f"\n## JSON of a {what}\n\nWritten by `benchmill {command} --output FOLDER`.\n\n"
    return f"{head}| key | what it is |\n| --- | --- |\n{rows}"


if __name__ == "__main__":
    (HERE / "docs/files.md").write_text(page(), "utf-8")
