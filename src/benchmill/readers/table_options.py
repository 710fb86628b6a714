"""The options of a source that is a table, and presets of them for the results of benchmark programs."""

import csv
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase, translate
from pathlib import Path

import pandas as pd

from benchmill.core import Given, UserError, Written, beside, shown
from benchmill.core.options import option
from benchmill.readers import blocks, interface, solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Report, Texts
from benchmill.readers.solver_runs import OUTCOMES, PROVEN
from benchmill.readers.table_cells import KEYS, NAMES, are_statistics
from benchmill.readers.table_files import LINE, File, loaded
from benchmill.readers.text import decoded, is_binary
from benchmill.text.display import capital
from benchmill.text.labels import named

#: Cells that the tables of a source may have unless its entry says otherwise.
_MOST_CELLS = 40_000_000
#: What stands in `outcomes` for all words that it does not name.
_OTHERS = "*"
#: What the columns of a wide table may be.
_SPREAD = [*KEYS, "evaluations"]
#: JSON schema of names of columns, each once.
_NAMES: Written = {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "uniqueItems": True}


#: How results of benchmark programs are read, by name.
PRESETS: dict[str, Written] = beside.toml(__file__)


@dataclass(frozen=True)
class Options(solver_runs.Repeated, blocks.Options):
    """The options of a source in this format."""

    columns: Given = option(
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
        "the benchmark program whose results it has, recognised from the contents if left out; none: as any table",
        None,
        enum=["none", *PRESETS],
    )
    records: str | None = option(
        "where the rows are in a JSON document: `results`, `benchmarks.stats.data`; * is every element of a list or value of "
        "an object, `a,b` at the end combines lists that belong together",
        None,
        type="string",
        minLength=1,
    )
    lines: str | None = option(
        "the lines of a text that hold its table, beginning with the one that has the names: 26-40",
        None,
        type="string",
        pattern="^[0-9]+-[0-9]+$",
    )
    constants: Given = option(
        f"values that hold for every row, such as {{suite: bbob}}; the names are {', '.join(NAMES)}",
        {},
        type="object",
        propertyNames={"enum": list(NAMES)},
        additionalProperties={"type": ["string", "number"]},
    )
    most_cells: int = option(
        "cells that the tables of the source may have; each takes up to 100 bytes of memory", _MOST_CELLS, minimum=1
    )
    direction: str | None = option("min: smaller values are better (the default); max: larger values", None, enum=["min", "max"])
    empty: str = option(
        "failure: an empty cost is a failed trial; missing: there was no trial; error: a mistake",
        "error",
        enum=["error", "failure", "missing"],
    )
    fill: Sequence[str] = option(
        "columns in which an empty cell repeats the one above, as merged cells of Excel and LaTeX do",
        (),
        **_NAMES,
    )
    wide: str | Given | None = option(
        "a table with a column for each algorithm (or problem, run, ...), whose cells are costs, or values beside evaluations: "
        "what the columns are, such as algorithm, or a mapping {key: algorithm, columns: [...], except: [...]}; by default all "
        "columns not named elsewhere. With `sd: [...]`, the columns are means, and these their standard deviations in the same "
        "order; the columns of `outcome: [...]` say how the runs ended",
        None,
        oneOf=[
            {"enum": _SPREAD},
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["key"],
                "properties": {
                    "key": {"enum": _SPREAD},
                    **{key: {**_NAMES, "items": {"type": "string"}} for key in ("columns", "except", "sd", "outcome")},
                },
            },
        ],
    )
    outcomes: Mapping[str, str] = option(
        "words that replace a cost, or are in the column outcome, and what they mean, such as {TIMEOUT: time_limit}; the "
        "outcomes are "
        + ", ".join(OUTCOMES)
        + ", and optimal: solved, and next to an objective value (best_value) a statement that it is the optimum; in the "
        "column outcome '*' is any other word, such as {'': solved, '*': error} of a column of error texts",
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
        "the number of time limits that a failure has instead of its time, such as 10 for PAR10",
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
        "unit of times that have no unit themselves: s, ms, us, ns, min, h or d; they are converted to seconds",
        None,
        enum=["s", "ms", "us", "ns", "min", "h", "d"],
    )
    decimal: str = option("the decimal mark of numbers: a point, or a comma (1,5)", ".", enum=[".", ","])
    header: Sequence[str] = option(
        "names of the columns of a table without a header line; further columns are named 1, 2, ...",
        (),
        **_NAMES,
    )
    titles: str | None = option(
        "if a line with a single cell is the title of the rows below it: what it names, such as algorithm", None, enum=list(KEYS)
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
        "the single character between two cells, a blank for any number of blanks; by default determined from the header",
        None,
        type="string",
        minLength=1,
        maxLength=1,
    )

    @property
    def program(self) -> Given:
        """Return what its preset says; nothing without one."""
        return PRESETS.get(self.preset or "", {})

    @property
    def wanted(self) -> re.Pattern[str] | None:
        """Return an expression for the columns that a preset reads."""
        names = [name for theirs in self.columns.values() for name in interface.listed(theirs)]
        patterns = map(translate, (*names, *self.program.get("only", {}), *self.where))
        return re.compile("|".join(patterns)) if self.program else None

    def meaning(self, word: str) -> str | None:
        """Return the outcome of a word, None where nothing states it."""
        meant = self.outcomes.get(word) or (word if word in (*OUTCOMES, PROVEN) else self.outcomes.get(_OTHERS))
        return "solved" if meant == PROVEN else meant

    def states_optimum(self, word: str) -> bool:
        """Return True if a word states a proven optimum."""
        return self.outcomes.get(word) == PROVEN or solver_runs.states_optimum(word)


def spread(wide: str | Given | None) -> Given:
    """Return the option `wide` as a mapping, empty without one."""
    return {"key": wide} if isinstance(wide, str) else wide or {}


# ---- presets: results of benchmark programs -------------------------------------------------------------------------

#: A row, with its line, or its number where it has no line of its own.
Row = tuple[int, Texts]

#: Options beside which a file is not looked at for a preset.
_OWN = ("records", "wide", "header", "titles", "separator")
#: Roles of columns of which one says what is compared.
_VALUES = {"cost", "mean", "value", "evaluations"}
#: Bytes and files that are looked at.
_HEAD, _MOST_FILES = 2**16, 20
#: Cells that a message names.
_MOST_NAMED = 6


def fits(preset: str, data: bytes, name: str = "") -> bool:
    """Return True if a text, or a file by its name, is of the program of a preset."""
    program, text = PRESETS[preset], decoded(data)
    return re.fullmatch(program.get("files", "-"), name) is not None or (
        bool(program.get("found"))
        and all(re.search(pattern, text) for pattern in program["found"])
        and not any(re.search(pattern, text) for pattern in program.get("lacks", ()))
    )


def preset_of(view: View) -> str | None:
    """Return the preset that a source is of; of a folder by its first files."""
    if view.kind != "file" and any(member.name.endswith("/sample.json") for member in view.members):
        return "criterion" if any(member.name.endswith("/benchmark.json") for member in view.members) else None
    for member in view.members[:_MOST_FILES]:
        if view.kind == "file" or re.search(r"\.(json|txt|csv|bench|out|res)(\.(gz|bz2|xz|zst))?$", member.name, re.IGNORECASE):
            data = view.unpacked_head(member.name, _HEAD)
            if not is_binary(data) and (named := next((name for name in PRESETS if fits(name, data)), None)):
                return named
    return None


def with_preset(view: View, options: Options, report: Report) -> Options:
    """Return the options, completed by those of the preset that they name or that the source has."""
    own = any(getattr(options, name) for name in _OWN) or _VALUES & {*options.columns}
    options = replace(options, preset=options.preset or (None if own else preset_of(view)))
    if program := options.program:
        report.add("preset", view.name, None, f"`preset: {options.preset}`, {program['title']}")
        report.measure = program.get("measure", {})
    changed: Written = {}
    for name in [one.name for one in fields(options) if one.name in program]:
        value, given = program[name], getattr(options, name)
        if isinstance(value, Mapping):
            changed[name] = {**value, **given}
        elif given == getattr(Options(), name):
            changed[name] = value
    return replace(options, **changed)


def rows_by_preset(options: Options, view: View, name: str, data: bytes, report: Report) -> list[Row] | None:
    """Return the rows of a file that is no table, by the preset of its source."""
    program = options.program
    if "row" in program:
        return list(_of_lines(program, name, data, report))
    if "form" not in program:
        return None
    try:
        return list(enumerate(_FORMS[program["form"]](view, name, data), 1))
    except (ValueError, KeyError, TypeError, RecursionError):
        what = f"it is no file of {program['title']}, it may be cut or edited; get it again from the program that wrote it"
        raise UserError(f"{name}: {what}.") from None


def reduced(file: File, options: Options, report: Report) -> File:
    """Return a file with the rows and columns that its preset reads."""
    frame, program, wanted = file.frame, options.program, options.wanted or re.compile("")

    def tell(which: pd.Series, what: str) -> None:
        n = int(which.sum())
        report.add("preset", file.name, int(frame.loc[which, LINE].iloc[0]), f"{n} rows {what}, and are left out", n)

    if "statistics" in program and (made := are_statistics(frame[program["statistics"]])).any():
        tell(made, "are means, medians or the like of others")
        frame = frame[~made]
    problem, own = interface.listed(options.columns.get("problem", ())), interface.listed(program["columns"].get("problem", ()))
    if "results" in program and problem == own:
        by_problem = frame.groupby([*own, *interface.listed(options.columns["dimension"])])
        results = (*program["results"], *own, LINE)
        if apart := [c for c in frame if c not in results and by_problem[c].nunique().max() > 1]:
            what = f"problems of one name and dimension differ in {', '.join(map(shown, apart))}"
            report.ask(
                {"columns": {"problem": [*own, *apart]}},
                f"{capital(what)}. Are they different problems?",
                "key_not_used",
                (file.name, 1),
                what,
            )
    for column in [c for c in frame if "above" in program and c != LINE and not wanted.match(c)]:
        cells = frame.groupby([c for c in program["columns"]["problem"] if c in frame], sort=False)[column].unique()
        if (several := cells[cells.map(len) > 1]).size:
            raise UserError(
                f"{file.name}: runs of one benchmark differ in {named(column)} ({', '.join(map(shown, several.iloc[0]))}); "
                f"say what it tells, such as `columns: {{algorithm: {shown(column)}}}`, or give the results of each a file of "
                "its own."
            )
    for column, cells in [(c, cells) for c, cells in program.get("only", {}).items() if c in frame and c not in options.where]:
        other = ~frame[column].isin(cells)
        if other.any():
            others = frame.loc[other, column].unique()[:_MOST_NAMED].tolist()
            what = f"have another {named(column)} than {' or '.join(cell or 'none' for cell in cells)}"
            what += f" ({', '.join(map(shown, others))})"
            tell(other, what)
        if other.all():
            raise UserError(
                f"{file.name}: {other.sum()} rows {what}, and are left out; choose some, as in "
                f"`{interface.flow({'where': {column: others[-1]}})}`, or read it as any table with `preset: none`."
            )
        frame = frame[~other]
    value = options.columns.get("value")
    if isinstance(value, str) and value in frame and frame[value].str.startswith("[").any():
        raise UserError(
            f"{file.name}: {named(value)} has several values in a cell; say which of them is compared, as in "
            f"`preset: {options.preset}` with `columns: {{value: {value}.1}}`."
        )
    return replace(file, frame=frame[[c for c in frame if c == LINE or wanted.match(c)]])


def with_columns(options: Options, frame: pd.DataFrame) -> Options:
    """Return the options of a preset for the columns that its files have; any others as they are."""
    columns = dict(options.columns)
    for name, theirs in options.program.get("columns", {}).items():
        if columns[name] == theirs and isinstance(theirs, list):
            columns[name] = [column for pattern in theirs for column in frame if fnmatchcase(column, pattern)]
        elif columns[name] == theirs and theirs not in frame:
            del columns[name]
    return replace(options, columns=columns, outcomes={} if options.program and "outcome" not in columns else options.outcomes)


# ---- results that are no table --------------------------------------------------------------------------------------


def _asv(view: View, name: str, data: bytes) -> Iterator[Texts]:
    """Yield a row for each sample of each case, or for its result, where samples were not recorded; none of a case left out."""
    document = loaded(name, data)
    # the first version of the format has no such names
    names = document.get("result_columns", ["result"])
    for benchmark, values in document["results"].items():
        found = (
            values
            if isinstance(values, dict)
            else dict(zip(names, values if isinstance(values, list) else [values], strict=False))
        )
        cases = [", ".join(case) for case in itertools.product(*(found.get("params") or []))]
        result, samples = found.get("result"), found.get("samples") or []
        results = result if isinstance(result, list) else [result] * len(cases)
        if len(results) != max(len(cases), 1):
            raise UserError(f"{name}: {shown(benchmark)!r} has {len(results)} results for {len(cases)} cases; run it again.")
        kind = re.match(r"(?:.*\.)?([A-Za-z]+?)(?:_|[A-Z]|$)", benchmark)
        for i, (case, result) in enumerate(itertools.zip_longest(cases, results, fillvalue="")):
            times = samples[i] if i < len(samples) and samples[i] else [result]
            for time in times if result != "NaN" else ():
                row = {"benchmark": f"{benchmark}({case})" if case else benchmark, "kind": kind[1].lower() if kind else ""}
                yield row | {"commit": document["commit_hash"][:8], "seconds": "" if time is None else time}


def _criterion(view: View, name: str, data: bytes) -> Iterator[Texts]:
    """Yield the time of an iteration for each sample of a baseline."""
    folder, baseline = name.rpartition("/")[0], name.split("/")[-2]
    about = loaded(f"{folder}/benchmark.json", view.unpacked(f"{folder}/benchmark.json"))
    document = loaded(name, data)
    # up to version 0.3 there are two lists without names
    all_iterations, times = document if isinstance(document, list) else (document["iters"], document["times"])
    for iterations, time in zip(all_iterations, times, strict=True):
        yield {"full_id": about["full_id"], "baseline": baseline, "time": repr(float(time) / float(iterations))}


def _criterion_csv(_: View, name: str, data: bytes) -> Iterator[Texts]:
    """Yield the time of an iteration for each sample of a raw.csv, whose folder is called after its baseline."""
    for row in csv.DictReader(decoded(data).splitlines()):
        yield {
            "case": "/".join(row[part] for part in ("group", "function", "value") if row[part]),
            "baseline": Path(name).parent.name or Path(name).stem,
            "time": repr(float(row["sample_measured_value"]) / float(row["iteration_count"])),
            "unit": row["unit"],
        }


def _of_lines(program: Given, name: str, data: bytes, report: Report) -> Iterator[Row]:
    """Yield a row for each line that a preset's expression fits, with what lines above it said of it."""
    above = {}
    for number, line in enumerate(decoded(data).splitlines(), 1):
        if "above" in program and (match := re.match(program["above"], line)):
            above[match["key"]] = match["value"]
        elif match := re.match(program["row"], line):
            # thousands have commas in the times of cargo
            row = {k: (cell or "").replace(",", "" if k == "time" else ",") for k, cell in match.groupdict().items()}
            above |= {k: row[k] for k in program.get("carried", ()) if row[k]}
            yield number, above | row | {k: above.get(k, "") for k in program.get("carried", ())}
        elif "failed" in program and re.match(program["failed"], line):
            report.add("failed_benchmark", name, number, shown(line[:100]))


#: By form, what turns a file into rows.
_FORMS: dict[str, Callable[[View, str, bytes], Iterator[Texts]]] = {
    "asv": _asv,
    "criterion": _criterion,
    "criterion_csv": _criterion_csv,
}
