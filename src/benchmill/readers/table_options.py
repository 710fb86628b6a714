"""The options of a source that is a table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmill.core.options import option
from benchmill.readers import blocks, interface, statuses
from benchmill.readers.statuses import OUTCOMES, PROVEN
from benchmill.readers.table_names import KEYS, NAMES

#: Cells that the tables of a source may have unless its entry says otherwise.
_MOST_CELLS = 40_000_000
#: What stands in `outcomes` for all words that it does not name.
_OTHERS = "*"
_COLUMNS = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}


#: How results of benchmark programs are read, by name.
PRESETS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("table_presets.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Options(blocks.Options):
    """The options of a source in this format."""

    columns: Mapping[str, Any] = option(
        "a mapping of benchmill's names to the names in the file, such as {algorithm: solver, cost: time}; benchmill's names are "
        + ", ".join(NAMES),
        {},
        type="object",
        propertyNames={"enum": list(NAMES)},
        additionalProperties={
            "description": "the name of a column, or a list of columns whose cells are joined with a blank",
            **interface.NAMES,
        },
    )
    preset: str | None = option(
        "the benchmark program whose results it has, told from the contents where it is left out; none: as any table",
        None,
        enum=["none", *PRESETS],
    )
    records: str | None = option(
        "where the rows are in a document of JSON: `results`, `benchmarks.stats.data`; * is every element of a list or value of "
        "an object, `a,b` at the end takes lists together that belong together",
        None,
        type="string",
        minLength=1,
    )
    lines: str | None = option(
        "the lines of a text in which its table stands, the one with the names first: 26-40",
        None,
        type="string",
        pattern="^[0-9]+-[0-9]+$",
    )
    constants: Mapping[str, Any] = option(
        f"values that hold for every row, such as {{suite: bbob}}; the names are {', '.join(NAMES)}",
        {},
        type="object",
        propertyNames={"enum": list(NAMES)},
        additionalProperties={"type": ["string", "number"]},
    )
    most_cells: int = option(
        "cells that the tables of the source may have; each takes up to 100 bytes of memory", _MOST_CELLS, minimum=1
    )
    direction: str | None = option("min: smaller values are better (the default); max: larger are", None, enum=["min", "max"])
    empty: str = option(
        "failure: an empty cost is a failed trial; missing: there was no trial; error: a mistake",
        "error",
        enum=["error", "failure", "missing"],
    )
    wide: str | Mapping[str, Any] | None = option(
        "a table with a column for each algorithm (or problem, run, ...), whose cells are costs: what the columns are, such as "
        "algorithm, or a mapping {key: algorithm, columns: [...], except: [...]}; by default all columns not named elsewhere. "
        "With `sd: [...]`, the columns are means, and these their standard deviations in the same order",
        None,
        oneOf=[
            {"enum": list(KEYS)},
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["key"],
                "properties": {"key": {"enum": list(KEYS)}, "columns": _COLUMNS, "except": _COLUMNS, "sd": _COLUMNS},
            },
        ],
    )
    outcomes: Mapping[str, str] = option(
        "words in place of a cost, or in the column outcome, and what they mean, such as {TIMEOUT: time_limit}; the outcomes are "
        + ", ".join(OUTCOMES)
        + ", and optimal: solved, and beside an objective value (best_value) a claim that it is the optimum; in the column "
        "outcome '*' is any other word, such as {'': solved, '*': error} of a column of error texts",
        {},
        type="object",
        minProperties=1,
        propertyNames={"description": "words are text: write 'True' in quotes", "type": "string"},
        additionalProperties={"enum": [*OUTCOMES, PROVEN]},
    )
    time_limit: float | None = option(
        "time limit of all runs, on the scale of the costs; a cost that reaches it is a failure",
        None,
        type="number",
        exclusiveMinimum=0,
    )
    penalty: float | None = option(
        "the number of time limits that stand for a failure in place of its time, such as 10 for PAR10",
        None,
        type="number",
        exclusiveMinimum=1,
    )
    lookup: str | None = option(
        "path of a second table, relative to the configuration or absolute, that says more about the rows: `columns` can name "
        "its columns too; its rows are found by the one column that both tables have",
        None,
        type="string",
        minLength=1,
    )
    unit: str | None = option(
        "unit of times without a unit of their own: s, ms, us, ns, min, h or d; they are turned into seconds",
        None,
        enum=["s", "ms", "us", "ns", "min", "h", "d"],
    )
    decimal: str = option("what stands before the decimals of numbers: a point, or a comma (1,5)", ".", enum=[".", ","])
    header: Sequence[str] = option(
        "names of the columns of a table without a header line; further columns are called 1, 2, ...",
        (),
        type="array",
        items={"type": "string", "minLength": 1},
        minItems=1,
        uniqueItems=True,
    )
    titles: str | None = option(
        "a line of a single cell is the title of the rows below it: what it names, such as algorithm", None, enum=list(KEYS)
    )
    file_pattern: str | None = option(
        "names of the files to read, with parts that hold for all of their rows: runs_{problem}_{algorithm}.txt; {} matches "
        f"anything; the parts are {', '.join(KEYS)}",
        None,
        type="string",
        pattern=r"\{",
    )
    sheet: str | None = option(
        "the sheet of a workbook (.xlsx) that has several; reading one needs openpyxl", None, type="string", minLength=1
    )
    separator: str | None = option(
        "the one character between two cells, a blank for any number of blanks; by default told from the header",
        None,
        type="string",
        minLength=1,
        maxLength=1,
    )

    @property
    def meanings(self) -> dict[str, str]:
        """Return what words stand for, also in place of a cost."""
        return {word: "solved" if meant == PROVEN else meant for word, meant in self.outcomes.items() if word != _OTHERS}

    def meaning(self, word: str) -> str | None:
        """Return the outcome of a word, None where nothing states it."""
        meant = self.outcomes.get(word) or (word if word in (*OUTCOMES, PROVEN) else self.outcomes.get(_OTHERS))
        return "solved" if meant == PROVEN else meant

    def claims_optimum(self, word: str) -> bool:
        """Return True if a word claims a proven optimum."""
        return self.outcomes.get(word) == PROVEN or statuses.claims_optimum(word)
