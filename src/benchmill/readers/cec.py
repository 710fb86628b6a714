"""Result matrices of the CEC competitions: checkpoints by runs, one file (or an objective and a violation file) a problem."""

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import beside, schema
from benchmill.core.arrays import Array, Index
from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.core.options import Given, Written, option
from benchmill.readers import interface
from benchmill.readers.archive import SAME_CONTENT, Contents, View, plain_name
from benchmill.readers.interface import (
    PLACEHOLDER,
    Batch,
    Batches,
    Found,
    Incomplete,
    Proposal,
    Report,
    listed,
    place,
    renamed,
    rules,
    trace_rows,
)
from benchmill.readers.text import CUT_LINE, MATLAB, OF_MATLAB, decoded, ends_open, is_whole
from benchmill.text.labels import shown, stem

#: The function that a suite of thirty leaves out, by preset: entrants number the others as the suite does, or in a row.
_LEFT_OUT = {"cec2017": 2, "cec2024": 2}
#: An error of at most this counts as none, by the rules of the competitions.
PRECISION = 1e-8
#: In so many files, or more, no error ends above the optimum of its function.
_FILES_THAT_TELL = 5
#: Fractions of the budget that depend on the dimension: D^(k/5 - 3) for k = 0 to 15.
POWERS = "D^(k/5-3)"

_DATA = beside.toml(__file__)
#: Layouts of the competitions.
PRESETS: dict[str, Written] = _DATA["presets"]
for _preset in PRESETS.values():
    if isinstance(_preset["fractions"], dict):
        _preset["fractions"] = [k / _preset["fractions"]["of"] for k in range(1, _preset["fractions"]["of"] + 1)]

_WHOLE = {"type": "integer", "minimum": 1, "maximum": 2**62}
_WHOLE_OR_MAPPING = {"oneOf": [_WHOLE, {"type": "object", "additionalProperties": _WHOLE, "minProperties": 1}]}


@dataclass(frozen=True)
class Options(interface.Options):
    """The options of a source in this format."""

    preset: str | None = option(f"layout of a competition: {', '.join(PRESETS)}", None, enum=list(PRESETS))
    files: str | Sequence[str] | None = option(
        "what the file names mean: a pattern with {algorithm}, {function} (a number) or {problem}, and as needed {dimension} "
        "and {instance}; * is any text, and folders may stand before, as in `{dimension}D/*_F{function}.txt`; or a list of such "
        "patterns, of which the first match counts",
        None,
        **interface.NAMES,
    )
    violations: str | Sequence[str] | None = option(
        "the same for the files with constraint violations, if there are pairs of files", None, **interface.NAMES
    )
    rows: str | None = option("what a row is: checkpoints (the default) or runs", None, enum=["checkpoints", "runs"])
    fractions: Sequence[float] | str | None = option(
        f"the checkpoints as fractions of the budget, ascending up to 1; or {POWERS!r}, for k = 0 to 15",
        None,
        oneOf=[
            {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "minItems": 1},
            {"const": POWERS},
        ],
    )
    budget: int | Mapping[str, int] | None = option(
        "evaluations of a run: a number, or a mapping of dimensions to numbers", None, **_WHOLE_OR_MAPPING
    )
    budget_per_dimension: int | None = option(
        "evaluations of a run divided by the dimension, instead of `budget`", None, **_WHOLE
    )
    dimension: int | Mapping[str, int] | None = option(
        "number of variables if the file names do not give it: a number, or a mapping of functions to numbers",
        None,
        **_WHOLE_OR_MAPPING,
    )
    not_counted: int | None = option(
        "a function that the numbers in the file names leave out: with 2, function 3 is numbered 2, and so on",
        None,
        **_WHOLE,
    )
    runs: int | None = option("number of runs that a file should hold; differences are noted", None, **_WHOLE)
    problem: str | None = option(
        "name of a problem made from its number: f{function} by default", None, type="string", minLength=1
    )
    values: str | None = option(
        "difference: errors, distances to the optimum (the default); absolute: objective values",
        None,
        enum=["difference", "absolute"],
    )
    evaluations_row: bool | None = option(
        "whether a last row after the checkpoints holds the evaluations to an error of 1e-8", None, type="boolean"
    )
    statistics: Sequence[str] | None = option(
        "if a file holds statistics over its runs instead of the runs: a list such as [mean, median], in order; the mean is "
        "read, and needs `runs`",
        None,
        type="array",
        items={"enum": ["best", "worst", "mean", "median", "sd"]},
        contains={"const": "mean"},
        uniqueItems=True,
        minItems=1,
    )
    header: int = option("lines before the numbers", 0, minimum=0, maximum=1000)
    labels: int = option("words before the numbers of each line", 0, minimum=0, maximum=100)
    separator: str | None = option(
        "what separates two numbers; by default blanks, tabs, semicolons or commas", None, type="string", minLength=1
    )


RULES = {**rules("cec"), **SAME_CONTENT, "cut_line": CUT_LINE}

_PART: dict[str, str] = _DATA["parts"]
#: A name that ends in a function and a dimension, or names an objective file of a constrained problem.
_LIKELY = re.compile(r"(?:^|/)[^/]*[0-9]+_[DFS]?#?[0-9]+[^/0-9]*\.(?:txt|dat|csv|mat)$|_RC[0-9]+_+F[^/]*\.txt$", re.IGNORECASE)
#: A name that tells a function and maybe a dimension, in any of the usual ways; of files that the source's entry has to explain.
_USUAL_NAME = re.compile(
    r"(?:^|/)[^/]*[0-9]+[_-][DFS]?#?[0-9]+[^/0-9]*\.(?:txt|dat|csv|mat)$|_RC[0-9]+_+F[^/]*\.txt$", re.IGNORECASE
)
#: A folder of all files of a dimension, and of no algorithm.
_OF_DIMENSION = re.compile(r"(?:D|dim)?[-_ ]?[0-9]+[-_ ]?(?:D|dim)?", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s;,]+")
_WITH_COMMA = re.compile(r"[-+]?[0-9]+(,[0-9]+)?([eEdD][-+]?[0-9]+)?|[-+]?inf|nan", re.IGNORECASE)
#: A number whose comma, now a point, may have stood between thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3}")
_NUMERIC = re.compile(r"[-+0-9.eE\s;,infaINFA]+")


def sniff(view: View) -> Found | None:
    """Recognise files of numbers alone, in two rows and columns or more, whose names end in two numbers."""
    for member in view.members:
        if not _LIKELY.search(plain_name(member.name)):
            continue
        lines = [line for line in decoded(view.unpacked_head(member.name, 65536)).splitlines() if line.strip()]
        whole = lines[:-1] if len(lines) > 2 else lines
        if len(lines) < 2 or not all(_NUMERIC.fullmatch(line) for line in whole):
            return None
        widths = {len(row) for row in _rows(whole)[0]}
        return Found("cec") if len(widths) == 1 and widths.pop() > 1 else None
    return None


def _cells(line: str, separator: str | None) -> list[str]:
    return [c.strip() for c in line.split(separator)] if separator else [c for c in _SEPARATOR.split(line) if c]


def _rows(lines: list[str], separator: str | None = None, labels: int = 0) -> tuple[list[list[str]], bool]:
    if separator != "," and any("," in line for line in lines):
        rows = [(_cells(line, separator) if separator else line.replace(";", " ").split())[labels:] for line in lines]
        numbers = all(_WITH_COMMA.fullmatch(cell) for row in rows for cell in row)
        if numbers and any("," in cell for row in rows for cell in row) and (separator or min(map(len, rows)) > 1):
            return [[cell.replace(",", ".") for cell in row] for row in rows], True
    return [_cells(line, separator)[labels:] for line in lines], False


def _checkpoints(fractions: Sequence[float] | str | None) -> int:
    return 16 if isinstance(fractions, str) else len(fractions or ())


def _evaluations(options: Options, dimension: int | None, where: str) -> Index:
    """Return evaluations at the checkpoints."""
    per_dimension, stated, fractions = options.budget_per_dimension, options.budget, options.fractions
    if dimension is None and (per_dimension or isinstance(stated, Mapping) or isinstance(fractions, str)):
        raise UserError(f"{where}: the dimension is not known; put {{dimension}} into `files`, or say `dimension`.")
    budget = stated.get(str(dimension)) if isinstance(stated, Mapping) else stated
    if budget is None and stated is not None:
        raise UserError(f"{where}: `budget` has no number for dimension {dimension}; add it, or say `budget_per_dimension`.")
    total = float(budget if budget is not None else int(per_dimension or 0) * (dimension or 0))
    if isinstance(fractions, str):
        fractions = [float(dimension or 1) ** (k / 5 - 3) for k in range(16)]
    return np.maximum(np.round(np.array(fractions) * total), 1).astype(np.int64)


@dataclass(frozen=True)
class _Key:
    algorithm: str
    problem: str
    dimension: int | None
    instance: str | None


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all matrices, by natural order of problem, dimension, instance and algorithm.

    Each run is a trial whose trace has the checkpoints at which it improved; `budget` is the last checkpoint. Values are compared
    by violation first, where there are violations.
    """
    options = _layout(view, options)
    objective: dict[_Key, str] = {}
    violation: dict[_Key, str] = {}
    for member in view.members:
        for which, members in (("violations", violation), ("files", objective)):
            key = _key(member.name, which, options, view.name) or _key(plain_name(member.name), which, options, view.name)
            if key is None:
                continue
            if key in members:
                report.add("several_files", member.name, None, f"{shown(members[key])} is of the same algorithm and problem")
            else:
                members[key] = member.name
            break
        else:
            report.add("file_not_matched", member.name, None, "the name does not fit")
    names = renamed(list(dict.fromkeys(k.algorithm for k in [*objective, *violation])), options.algorithm, view.name)
    _ask_for_numbers(objective, options, report)
    if all(key.dimension is None for key in objective) or isinstance(options.dimension, Mapping):
        report.full_grid = False
    there = dict.fromkeys([*objective, *violation], 0)
    for key in [k for k in objective if options.violations and k not in violation]:
        report.add("half_pair", objective.pop(key), None, "there is no file of its violations")
    for key in [k for k in violation if k not in objective]:
        report.add("half_pair", violation[key], None, "there is no file of its objective values")

    contents = Contents(view, report)
    optima = {_problem(str(number), options): at for number, at in enumerate(_DATA["optima"].get(options.preset, ()), 1)}
    ends: dict[str, list[tuple[float, float, str]]] = {}
    for key in sorted(
        objective, key=lambda k: (natural_key(k.problem), k.dimension or 0, *map(natural_key, (k.instance, k.algorithm)))
    ):
        matrix = _matrix(view, objective[key], options, report)
        beside = _matrix(view, violation[key], options, report) if options.violations else None
        if matrix is None or (options.violations and beside is None):
            continue
        # what is 0 everywhere is alike by itself
        contents.compare(objective[key], among=None if np.unique(matrix.values).size > 1 else key)
        if beside is not None and beside.values.shape != matrix.values.shape:
            report.add(
                "wrong_shape", objective[key], None, f"it has {_shape(matrix)}, but {shown(violation[key])} {_shape(beside)}"
            )
            continue
        if matrix.open_run or (beside is not None and beside.open_run):
            matrix = _without_last_run(matrix)
            beside = _without_last_run(beside) if beside is not None else None
        tables = _tables(key, names[key.algorithm], matrix, beside, options, optima.get(key.problem, np.nan), report)
        there[key] = tables[0].num_rows
        if options.values is None and key.problem in optima and (best := pc.min(tables[0]["best_value"]).as_py()) is not None:
            ends.setdefault(names[key.algorithm], []).append((best, optima[key.problem], objective[key]))
        yield tables
    for algorithm, its in ends.items():
        telling = [file for best, optimum, file in its if optimum > 0 or best < 0]
        if len(telling) >= _FILES_THAT_TELL and all(best >= optimum - PRECISION for best, optimum, _ in its):
            report.ask(
                {"values": "absolute"},
                f"Are the values of {shown(algorithm)} objective values? Those of all {len(its)} files end above their optima.",
                "values_in_doubt",
                (telling[0], None),
                f"{shown(algorithm)} ends at or above the optimum in all {len(its)} files",
            )
    # statistics stand for all runs that the layout promises
    promised = (options.runs or 0) if options.statistics is None else 1
    for key, count in there.items():
        for _ in range(promised - count):
            report.expect((names[key.algorithm], options.suite, key.problem, key.dimension, key.instance))


def _ask_for_numbers(files: Mapping[_Key, str], options: Options, report: Report) -> None:
    left_out = _LEFT_OUT.get(str(options.preset))
    if left_out is None or options.not_counted is not None:
        return
    for algorithm in dict.fromkeys(key.algorithm for key in files):
        files_of = {key.problem: file for key, file in files.items() if key.algorithm == algorithm}
        if files_of.keys() == {_problem(str(number), options) for number in range(1, 30)}:
            first, last, skipped = (_problem(str(number), options) for number in (1, 29, left_out))
            report.ask(
                {"not_counted": left_out},
                f"The suite leaves out function {left_out} of 30. Is {shown(files_of[skipped])} of function {left_out + 1}?",
                "numbered_in_a_row",
                (files_of[skipped], None),
                f"{shown(algorithm)} has {first} to {last}: they are other functions if {skipped} was not counted",
            )


# ---- the layout -----------------------------------------------------------------------------------------------------


def _layout(view: View, options: Options) -> Options:
    """Return the options with those of their preset, checked."""
    preset = {key: value for key, value in PRESETS.get(str(options.preset), {}).items() if getattr(options, key) is None}
    if options.budget is not None or options.budget_per_dimension is not None:
        preset = {key: value for key, value in preset.items() if key not in ("budget", "budget_per_dimension")}
    chosen = replace(options, **preset)
    lacking = [name for name in ("files", "fractions") if getattr(chosen, name) is None]
    if chosen.budget is None and chosen.budget_per_dimension is None:
        lacking.append("budget")
    if lacking:
        shapes = (
            f"{shown(member.name)} has {len(sample.rows)} x {len(sample.rows[0])} numbers"
            for member in view.members
            if _USUAL_NAME.search(plain_name(member.name)) and (sample := _sample(view, member.name))
        )
        raise Incomplete(
            f"{view.name}: the layout of the matrices is not known ({next(shapes, 'presets are ' + ', '.join(PRESETS))})",
            f"choose a `preset`, or say {', '.join(f'`{name}`' for name in lacking)}",
        )
    fractions = chosen.fractions if isinstance(chosen.fractions, str) else list(chosen.fractions or ())
    if not isinstance(fractions, str) and (fractions != sorted(set(fractions)) or fractions[-1] != 1):
        raise UserError(f"{view.name}: `fractions` are {fractions}; expected ascending numbers that end in 1.")
    if chosen.statistics is not None and chosen.runs is None:
        raise UserError(f"{view.name}: `statistics` need the number of `runs` that they are over; add it.")
    return chosen


#: A number, with Fortran's exponents too.
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?|(?i:nan|inf(?:inity)?))")


@dataclass(frozen=True)
class _Sample:
    rows: list[list[str]]
    header: int
    labels: int
    words: list[str]
    """First word of each line."""


def _sample(view: View, file: str) -> _Sample | None:
    lines = [line for line in decoded(view.unpacked(file)).splitlines() if line.strip()]
    for header in range(min(3, len(lines))):
        for labels in range(4):
            rows, _ = _rows(lines[header:], labels=labels)
            numbers = (
                rows[0] and len({len(row) for row in rows}) == 1 and all(_NUMBER.fullmatch(cell) for row in rows for cell in row)
            )
            # the numbers of runs, and evaluations, are words before the values too
            if numbers and not _counts_up(np.array([_number(row[0]) for row in rows])):
                return _Sample(rows, header, labels, [line.split()[0].lower() for line in lines[header:]])
    return None


#: The order of statistics in the tables that the reports ask for, by how many there are.
_USUAL_STATISTICS = {1: ["mean"], 2: ["mean", "median"], 5: ["best", "worst", "median", "mean", "sd"]}


def propose(view: View, options: Given) -> Iterator[Proposal]:
    """Propose presets of the first matrix's shape, with rows exchanged, statistics or names of files where these differ."""
    name = next((m.name for m in view.members if _USUAL_NAME.search(plain_name(m.name))), None)
    presets = {options["preset"]: PRESETS[options["preset"]]} if options.get("preset") in PRESETS else PRESETS
    sample = _sample(view, name) if name else None
    if name is None or sample is None:
        return
    shapes = [
        fit
        for preset, layout in presets.items()
        for fit in _fits(plain_name(name), sample, {**layout, **options}, {} if "preset" in options else {"preset": preset})
    ]
    # what takes the least to say first: the preset of a competition alone, before one of another with its layout changed
    yield from sorted(
        [proposal for is_exact, proposal in shapes if is_exact] or [proposal for _, proposal in shapes],
        key=lambda proposal: len(proposal.options),
    )


def _fits(name: str, sample: _Sample, layout: Given, preset: Written) -> Iterator[tuple[bool, Proposal]]:
    count, own = _checkpoints(layout.get("fractions")), listed(layout.get("files", []))
    fitting = (text for text in (*own, *_DATA["usual_files"]) if _pattern(text, "files").fullmatch(name.rsplit("/", 1)[-1]))
    if not count or (pattern := next(fitting, None)) is None:
        return
    shape = (len(sample.rows), len(sample.rows[0]))
    usual = layout.get("rows", "checkpoints")
    for rows in (usual, "runs" if usual == "checkpoints" else "checkpoints"):
        checkpoints, runs = shape[::-1] if rows == "runs" else shape
        if checkpoints not in (count, count + 1):
            continue
        more: Written = {"rows": rows} if rows != usual else {}
        questions = []
        last = [_number(row[-1]) for row in sample.rows] if rows == "runs" else [_number(c) for c in sample.rows[-1]]
        expected = layout.get("evaluations_row") or runs == layout.get("runs")
        if checkpoints > count and not (expected and all(number >= 1 and number.is_integer() for number in last)):
            continue
        if (checkpoints > count) != layout.get("evaluations_row", False):
            more["evaluations_row"] = checkpoints > count
        if runs != layout.get("runs", runs):
            if runs in _USUAL_STATISTICS:
                stated = [_DATA["statistics"].get(word, "") for word in sample.words] if sample.labels else []
                is_certain = rows == "runs" and "mean" in stated and "" not in stated
                more["statistics"] = stated if is_certain else _USUAL_STATISTICS[runs]
                if not is_certain and runs > 1:
                    questions.append(
                        f"Are the numbers of a checkpoint over all runs {', '.join(more['statistics'])}, in this order?"
                    )
            else:
                more["runs"] = runs
        more |= {} if pattern in own else {"files": pattern}
        more |= {"header": sample.header} if sample.header else {}
        more |= {"labels": sample.labels} if sample.labels else {}
        yield "runs" not in more and "statistics" not in more, Proposal(preset | more, tuple(questions))


@functools.cache
def _pattern(pattern: str, option: str) -> re.Pattern[str]:
    parts = re.split(r"(\{[^{}]*\}|\*)", pattern)
    names = [part[1:-1] for part in parts if part.startswith("{")]
    if {*names} - {*_PART} or len(set(names)) < len(names) or len({"function", "problem"} & set(names)) != 1:
        raise UserError(
            f"{option}: {pattern!r} must have either {{function}} or {{problem}}, and may have {{algorithm}}, {{dimension}} and "
            "{instance}, each once; correct the pattern."
        )
    return re.compile(
        "".join(_PART[p[1:-1]] if p.startswith("{") else "[^/]*" if p == "*" else re.escape(p) for p in parts), re.IGNORECASE
    )


def _key(name: str, which: str, options: Options, source: str) -> _Key | None:
    path = name.split("/")
    # a pattern may tell as many folders as it has
    matches = (
        _pattern(text, which).fullmatch("/".join(path[-1 - text.count("/") :])) for text in listed(getattr(options, which) or [])
    )
    if (match := next(filter(None, matches), None)) is None:
        return None
    parts = match.groupdict()
    stated, left_out = parts.get("function"), options.not_counted
    function = str(int(stated) + (left_out is not None and int(stated) >= left_out)) if stated else None
    # of the algorithm j2020 `j20201` is function 1
    if function and 0 < len(_DATA["optima"].get(options.preset, ())) < int(function):
        return None
    problem = parts.get("problem") or _problem(function or "", options)
    dimension: int | None = int(parts["dimension"]) if parts.get("dimension") else None
    if dimension is None:
        dimension = (
            options.dimension.get(function or problem or "") if isinstance(options.dimension, Mapping) else options.dimension
        )
    folders = [folder for folder in path[:-1] if not _OF_DIMENSION.fullmatch(folder)]
    return _Key(parts.get("algorithm") or [stem(source), *folders][-1], problem, dimension, parts.get("instance"))


def _problem(number: str, options: Options) -> str:
    return (options.problem or "f{function}").replace("{function}", number)


# ---- a file ---------------------------------------------------------------------------------------------------------


@dataclass
class _Matrix:
    file: str
    values: Array
    """(checkpoints, runs)."""
    evaluations: Array | None
    """By run the row beyond the checkpoints."""
    lines: list[int]
    """Line of each run, or of the last checkpoint for all."""
    row_lines: list[int]
    """Line of each checkpoint, or of each run where rows are runs."""
    open_run: bool = False
    """True where the last value of the last run may be cut."""


def _shape(matrix: _Matrix) -> str:
    return f"{matrix.values.shape[0]} checkpoints and {matrix.values.shape[1]} runs"


def _matrix(view: View, file: str, options: Options, report: Report) -> _Matrix | None:
    of_checkpoints = options.rows != "runs"
    data = view.unpacked(file)
    if data.startswith(MATLAB):
        report.add("not_a_number", file, None, OF_MATLAB)
        return None
    text = decoded(data)
    lines = text.splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if number > options.header and line.strip()]
    rows, commas = _rows([lines[number - 1] for number in numbers], options.separator, options.labels)
    if commas:
        first = next(number for number in numbers if "," in lines[number - 1])
        if all(_THOUSANDS.fullmatch(cell) for row in rows for cell in row if "." in cell):
            report.add("not_a_number", file, first, "its commas may stand between thousands or before decimals; write it without")
            return None
        report.add("decimal_comma", file, first, f"{shown(lines[first - 1].strip()[:60])!r}")
    report.rows_read += len(rows)
    # Whatever separates two numbers ends one.
    ended = (
        not ends_open(text) or not rows or numbers[-1] < len(lines) or lines[-1][-1] in (" \t" if options.separator else " \t;,")
    )
    open_end = not ended and not (rows[-1] and is_whole(rows[-1][-1], itertools.chain(*rows[:-1], rows[-1][:-1])))
    if open_end and (not of_checkpoints or (rows[-1] and len(rows[-1]) == len(rows[0]))):
        report.add("cut_line", file, numbers[-1], f"{shown(lines[-1][-60:])!r} is the end of the file")
        if not of_checkpoints:
            rows, numbers, open_end = rows[:-1], numbers[:-1], False
    widths = [len(row) for row in rows]
    if not rows or len(set(widths)) > 1 or not widths[0]:
        odd = next((i for i, width in enumerate(widths) if width != widths[0] or not width), None)
        what = "there is no number in it" if odd is None else f"the row has {widths[odd]} numbers, the first one {widths[0]}"
        report.add("wrong_shape", file, None if odd is None else numbers[odd], what)
        return None
    if odd_cell := next(((i, cell) for i, row in enumerate(rows) for cell in row if not _NUMBER.fullmatch(cell)), None):
        report.add("not_a_number", file, numbers[odd_cell[0]], f"found {shown(odd_cell[1])!r}, expected a number")
        return None
    values = np.array([[_number(cell) for cell in row] for row in rows], float)
    if not of_checkpoints:
        values = values.T
    count, extra = _checkpoints(options.fractions), None
    if options.evaluations_row and values.shape[0] == count + 1:
        values, extra = values[:-1], values[-1]
        if open_end:
            extra[-1], open_end = np.nan, False
    statistics = options.statistics
    per_file = None if statistics is None else len(statistics)
    if values.shape[0] != count or (per_file is not None and values.shape[1] != per_file):
        wanted = f"{count} checkpoints" + (f" and {per_file} statistics" if per_file is not None else "")
        side = "rows" if of_checkpoints else "columns"
        turned = "; its rows and columns may be exchanged (`rows`)" if values.shape[1] == count else ""
        report.add(
            "wrong_shape", file, None, f"it has {len(rows)} rows and {widths[0]} columns, expected {wanted} in the {side}{turned}"
        )
        return None
    places = [numbers[count - 1]] * values.shape[1] if of_checkpoints else numbers
    if statistics is not None:
        at = statistics.index("mean")
        if open_end and at == len(statistics) - 1:
            return None
        if len(statistics) > 1:
            report.add("other_statistics", file, None, f"of {', '.join(statistics)}, the mean is read")
        return _Matrix(file, values[:, [at]], None, [places[at]], numbers if of_checkpoints else [places[at]])
    if options.runs is not None and values.shape[1] != options.runs:
        report.add("runs_differ", file, None, f"it has {values.shape[1]} runs, expected {options.runs}")
    # with violations the values of a run may well rise
    if options.violations is None and _counts_up(values[:, 0]):
        side, option = ("column", "labels") if of_checkpoints else ("row", "header")
        report.add(
            "wrong_shape", file, None, f"its first {side} counts up, as evaluations do and no run; leave it out (`{option}: 1`)"
        )
        return None
    if (n := _runs_of_statistics(values)) is not None:
        report.add(
            "wrong_shape",
            file,
            None,
            f"numbers {n + 1} to {values.shape[1]} of a checkpoint are statistics of the first {n}; leave them out",
        )
        return None
    return _Matrix(file, values, extra, places, numbers, open_end)


def _counts_up(numbers: Array) -> bool:
    counts = (numbers == np.floor(numbers)).all() or numbers[-1] == 1
    return bool(numbers.size > 1 and counts and (np.diff(numbers) > 0).all())


def _runs_of_statistics(values: Array) -> int | None:
    """Return how many columns are runs, if those after them hold their mean, and their maximum or deviation; otherwise None."""
    for n in range(max(2, values.shape[1] - 8), values.shape[1] - 1 if (np.abs(values) < PLACEHOLDER).all() else 0):
        runs, more = np.hsplit(values, [n])
        statistics = np.stack([runs.mean(axis=1), runs.max(axis=1), runs.std(axis=1), runs.std(axis=1, ddof=1)])
        # statistics have fewer digits than runs
        near = np.abs(statistics[:, :, None] - more) <= 1e-3 * np.ptp(runs, axis=1)[:, None]
        mean, *others = near.all(axis=1).any(axis=1)
        if mean and any(others) and (np.ptp(runs, axis=1) > 0).sum() > 2:
            return n
    return None


def _without_last_run(matrix: _Matrix) -> _Matrix:
    return replace(
        matrix,
        values=matrix.values[:, :-1],
        evaluations=None if matrix.evaluations is None else matrix.evaluations[:-1],
        lines=matrix.lines[:-1],
        open_run=False,
    )


def _number(cell: str) -> float:
    return float(cell.replace("D", "e").replace("d", "e") if cell[:1] not in "nNiI" and cell[1:2] not in "nNiI" else cell)


# ---- tables ---------------------------------------------------------------------------------------------------------


def _improvements(
    matrix: _Matrix, none: np.ndarray, violation: np.ndarray, has_violation: bool, report: Report
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which cells are read, which of these are better than all before, and the rank of the best so far."""
    value = matrix.values
    # by violation, then by value; a cell without a value is last
    cells = pd.DataFrame({"none": none.ravel(), "violation": violation.ravel(), "value": np.where(none, 0.0, value).ravel()})
    rank = np.asarray(cells.groupby(["none", "violation", "value"]).ngroup()).reshape(value.shape)
    best = np.minimum.accumulate(rank, axis=0)
    worse = (rank > best) & ~none
    rising = worse.any(axis=0)
    usable = ~none
    # a method that handles constraints may well return a point that is worse by violation than an earlier one
    independent = not has_violation and rising.size > 1 and rising.sum() * 2 > rising.size
    if independent and not report.is_off("columns_are_not_runs"):
        report.add(
            "columns_are_not_runs",
            matrix.file,
            None,
            f"{rising.sum()} of {rising.size} runs get worse; the last checkpoint is read",
        )
        usable[:-1] = False
    else:
        for column in np.flatnonzero(rising).tolist():
            at_row = int(np.argmax(worse[:, column]))
            report.add(
                "running_minimum",
                matrix.file,
                matrix.lines[column],
                f"run {column + 1} has {value[at_row, column]:.10g} at checkpoint {at_row + 1}, worse than before",
            )
    best = np.minimum.accumulate(np.where(usable, rank, rank.size), axis=0)
    return usable, usable & np.vstack([np.ones(value.shape[1], bool), best[1:] != best[:-1]]), best


def _tables(
    key: _Key, algorithm: str, matrix: _Matrix, beside: _Matrix | None, options: Options, optimum: float, report: Report
) -> Batch:
    file, evaluations = matrix.file, _evaluations(options, key.dimension, matrix.file)
    value = matrix.values
    difference = options.values != "absolute"
    error = value if difference else value - optimum
    none, unset = ~np.isfinite(value), np.isfinite(value) & (value >= PLACEHOLDER)
    violation = np.zeros_like(value)
    if beside is not None:
        none |= ~np.isfinite(beside.values)
        unset |= np.isfinite(beside.values) & (beside.values >= PLACEHOLDER)
        violation = np.where(np.isfinite(beside.values), np.maximum(beside.values, 0.0), np.inf)
    for rule, which, words in (("no_value", none, "has no value"), ("placeholder", unset, "stands for none")):
        if which.any():
            checkpoint, run = np.argwhere(which)[0].tolist()
            report.add(
                rule,
                file,
                matrix.row_lines[run if options.rows == "runs" else checkpoint],
                f"checkpoint {checkpoint + 1} of run {run + 1} {words}",
                count=int(which.sum()),
            )
    # here, and not when all is read: with a small violation a placeholder would count as better than what was measured
    none |= unset

    usable, kept, best = _improvements(matrix, none, violation, beside is not None, report)
    run, checkpoint = np.nonzero(kept.T)
    at_evaluations = _hits(matrix, error, evaluations, run, checkpoint, report)

    # the row in the matrix where each run is best
    where = np.argmax(best == best[-1], axis=0)
    runs = np.arange(value.shape[1])
    known = usable.any(axis=0)
    left = violation[where, runs]
    solved = known & (error[where, runs] <= PRECISION) & (left <= 0)
    columns: schema.Row = {
        **{name: getattr(key, name) for name in ("problem", "dimension", "instance")},
        "suite": options.suite,
        "algorithm": algorithm,
        "run": runs + 1,
        "trial": runs,
        "budget": evaluations[-1],
        "best_value": pa.array(value[where, runs], mask=~known),
        "optimum": None if difference or np.isnan(optimum) else optimum,
        "value_kind": "difference" if difference else "absolute",
        "maximise": False,
        "n": 1 if options.statistics is None else options.runs,
        "status": np.where(solved, "solved", "failed").tolist(),
        "source": [place(file, line) for line in matrix.lines],
    }
    steps = {"evaluations": at_evaluations, "value": value[checkpoint, run], "on_target": True}
    if beside is not None:
        columns["violation"], steps["violation"] = pa.array(left, mask=~known), violation[checkpoint, run]
    trials = schema.table("trials", columns)
    return trials, trace_rows(trials, run, steps)


def _hits(matrix: _Matrix, error: Array, evaluations: Index, run: Index, checkpoint: Index, report: Report) -> Index:
    """Return the evaluations of improvements, where a run states it those at which it reached the optimum."""
    at_evaluations, of_runs = evaluations[checkpoint].copy(), matrix.evaluations
    if of_runs is None:
        return at_evaluations
    reached = error[checkpoint, run] <= PRECISION
    first = np.flatnonzero(reached & ~np.append(False, reached[:-1] & (run[1:] == run[:-1])))
    stated = of_runs[run[first]]
    until = evaluations[checkpoint[first]]
    after = np.where(checkpoint[first] > 0, evaluations[checkpoint[first] - 1], 0)
    # a row of small numbers counts checkpoints: none of them can be the evaluations of a run
    counts = (of_runs > len(evaluations) + 1).any()
    possible = (after < stated) & (stated <= until) & (stated == np.floor(stated)) & counts
    at_evaluations[first[possible]] = stated[possible].astype(np.int64)
    if not possible.all():
        at = int(np.flatnonzero(~possible)[0])
        report.add(
            "evaluations_disagree",
            matrix.file,
            None,
            f"run {run[first[at]] + 1} states {stated[at]:.10g}, its checkpoints show between {after[at]} and {until[at]}",
            int((~possible).sum()),
        )
    return at_evaluations
