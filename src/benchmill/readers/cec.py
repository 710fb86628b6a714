"""Result matrices of the CEC competitions: checkpoints by runs, one file (or an objective and a violation file) a problem."""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Given, Index, Mask, Numbers, UserError, Written, beside, natural_key, schema, shown
from benchmill.core.options import option
from benchmill.readers.archive import SAME_CONTENT, Contents, View, plain_name
from benchmill.readers.interface import (
    NAMES,
    PLACEHOLDER,
    Batch,
    Batches,
    Found,
    Incomplete,
    Proposal,
    Report,
    Texts,
    listed,
    place,
    renamed,
    rules,
    trace_rows,
)
from benchmill.readers.interface import Options as SourceOptions
from benchmill.readers.text import CUT_LINE, MATLAB, OF_MATLAB, decoded, ends_open, is_whole
from benchmill.text.labels import stem

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

_SCHEMAS = _DATA["schemas"]
_WHOLE = _SCHEMAS["whole"]


@dataclass(frozen=True)
class Options(SourceOptions):
    """The options of a source in this format."""

    preset: str | None = option(f"layout of a competition: {', '.join(PRESETS)}", None, enum=list(PRESETS))
    files: str | Sequence[str] | None = option(
        "what the file names mean: a pattern with {algorithm}, {function} (a number) or {problem}, and as needed {dimension} "
        "and {instance}; * is any text, and folders may stand before, as in `{dimension}D/*_F{function}.txt`; or a list of such "
        "patterns, of which the first match counts",
        None,
        **NAMES,
    )
    violations: str | Sequence[str] | None = option(
        "the same for the files with constraint violations, if there are pairs of files", None, **NAMES
    )
    rows: str | None = option("what a row is: checkpoints (the default) or runs", None, enum=["checkpoints", "runs"])
    fractions: Sequence[float] | str | None = option(
        f"the checkpoints as fractions of the budget, ascending up to 1; or {POWERS!r}, for k = 0 to 15",
        None,
        **_SCHEMAS["fractions"],
    )
    budget: int | Mapping[str, int] | None = option(
        "evaluations of a run: a number, or a mapping of dimensions to numbers", None, **_SCHEMAS["whole_or_mapping"]
    )
    budget_per_dimension: int | None = option(
        "evaluations of a run divided by the dimension, instead of `budget`", None, **_WHOLE
    )
    dimension: int | Mapping[str, int] | None = option(
        "number of variables if the file names do not give it: a number, or a mapping of functions to numbers",
        None,
        **_SCHEMAS["whole_or_mapping"],
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
        **_SCHEMAS["statistics"],
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
_WITH_COMMA = "(?i)[-+]?[0-9]+(,[0-9]+)?([ed][-+]?[0-9]+)?|[-+]?inf|nan"
#: A number whose comma, now a point, may have stood between thousands.
_THOUSANDS = r"[-+]?[1-9][0-9]{0,2}\.[0-9]{3}"
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
    return [c.strip() for c in line.split(separator)] if separator else [c for c in re.split(r"[\s;,]+", line) if c]


def _rows(lines: list[str], separator: str | None = None, labels: int = 0) -> tuple[list[list[str]], bool]:
    if separator != "," and any("," in line for line in lines):
        rows = [(_cells(line, separator) if separator else line.replace(";", " ").split())[labels:] for line in lines]
        numbers = all(re.fullmatch(_WITH_COMMA, cell) for row in rows for cell in row)
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
    total = budget or (per_dimension or 0) * (dimension or 0)
    if isinstance(fractions, str):
        fractions = [float(dimension or 1) ** (k / 5 - 3) for k in range(16)]
    return np.maximum(np.round(np.array(fractions) * total), 1).astype(np.int64)


class _Key(NamedTuple):
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
    pairs: dict[_Key, Texts] = {}
    for member in view.members:
        names = member.name, plain_name(member.name)
        fitting = ((which, _key(name, which, options, view.name)) for which in ("violations", "files") for name in names)
        which, key = next((fit for fit in fitting if fit[1]), ("", None))
        if key is None:
            report.add("file_not_matched", member.name, None)
        elif (first := pairs.setdefault(key, {}).setdefault(which, member.name)) != member.name:
            report.add("several_files", member.name, None, first=first)
    called = renamed([key.algorithm for key in pairs], options.algorithm, view.name)
    _ask_for_numbers(pairs, options, report)
    if all(key.dimension is None for key in pairs) or isinstance(options.dimension, Mapping):
        report.full_grid = False
    for pair in pairs.values():
        if options.violations and len(pair) == 1:
            which, file = pair.popitem()
            report.add("half_pair", file, None, lacking="violations" if which == "files" else "objective values")

    contents = Contents(view, report)
    optima = {_problem(number, options): at for number, at in enumerate(_DATA["optima"].get(options.preset, ()), 1)}
    ends: dict[str, list[Any]] = {}
    read_of = Counter[_Key]()
    for key in sorted(
        filter(pairs.get, pairs),
        key=lambda k: (natural_key(k.problem), k.dimension or 0, *map(natural_key, (k.instance, k.algorithm))),
    ):
        matrices = [one for _, file in sorted(pairs[key].items()) if (one := _matrix(view, file, options, report))]
        if len(matrices) < len(pairs[key]):
            continue
        matrix = matrices[0]
        # what is 0 everywhere is alike by itself
        contents.compare(matrix.file, among=None if np.unique(matrix.values).size > 1 else key)
        if matrices[-1].values.shape != matrix.values.shape:
            what = f"it has {_shape(matrix)}, but {shown(matrices[-1].file)} {_shape(matrices[-1])}"
            report.add("wrong_shape", matrix.file, None, what)
            continue
        if any(one.open_run for one in matrices):
            matrices = [
                replace(one, values=one.values[:, :-1], lines=one.lines[:-1], evaluations=one.evaluations[:-1])
                for one in matrices
            ]
        algorithm, optimum = called[key.algorithm], optima.get(key.problem, np.nan)
        trials, traces = _tables(key, algorithm, matrices, options, optimum, report)
        read_of[key] = trials.num_rows
        best = pc.min(trials["best_value"]).as_py()
        if options.values is None and key.problem in optima and best is not None:
            ends.setdefault(algorithm, []).append((best, optimum, matrix.file))
        yield trials, traces
    for algorithm, its in ends.items():
        telling = [file for best, optimum, file in its if optimum > 0 or best < 0]
        if len(telling) >= _FILES_THAT_TELL and all(best >= optimum - PRECISION for best, optimum, _ in its):
            report.ask(
                {"values": "absolute"},
                f"Are the values of {shown(algorithm)} objective values? Those of all {len(its)} files end above their optima.",
                "values_in_doubt",
                (telling[0], None),
                algorithm=algorithm,
                files=len(its),
            )
    # statistics stand for all runs that the layout promises
    promised = (options.runs or 0) if options.statistics is None else 1
    for key in pairs:
        for _ in range(promised - read_of[key]):
            report.expect((called[key.algorithm], options.suite, key.problem, key.dimension, key.instance))


def _ask_for_numbers(pairs: Mapping[_Key, Texts], options: Options, report: Report) -> None:
    left_out = _LEFT_OUT.get(str(options.preset))
    if left_out is None or options.not_counted is not None:
        return
    for algorithm in dict.fromkeys(key.algorithm for key in pairs):
        files_of = {key.problem: its["files"] for key, its in pairs.items() if key.algorithm == algorithm and "files" in its}
        if files_of.keys() == {_problem(number, options) for number in range(1, 30)}:
            first, last, skipped = (_problem(number, options) for number in (1, 29, left_out))
            report.ask(
                {"not_counted": left_out},
                f"The suite leaves out function {left_out} of 30. Is {shown(files_of[skipped])} of function {left_out + 1}?",
                "numbered_in_a_row",
                (files_of[skipped], None),
                algorithm=algorithm,
                first=first,
                last=last,
                skipped=skipped,
            )


# ---- the layout -----------------------------------------------------------------------------------------------------


_BUDGETS = {"budget", "budget_per_dimension"}


def _layout(view: View, options: Options) -> Options:
    """Return the options with those of their preset, checked."""
    given = {key for key, value in vars(options).items() if value is not None}
    if given & _BUDGETS:
        given |= _BUDGETS
    chosen = replace(options, **{key: value for key, value in PRESETS.get(str(options.preset), {}).items() if key not in given})
    lacking = [name for name in ("files", "fractions") if getattr(chosen, name) is None]
    if chosen.budget is None and chosen.budget_per_dimension is None:
        lacking.append("budget")
    if lacking:
        shapes = (
            f"{shown(member.name)} has {len(sample.cells)} x {len(sample.cells[0])} numbers"
            for member in view.members
            if _USUAL_NAME.search(plain_name(member.name)) and (sample := _sample(view, member.name))
        )
        raise Incomplete(
            f"{view.name}: the layout of the matrices is not known ({next(shapes, 'presets are ' + ', '.join(PRESETS))})",
            f"choose a `preset`, or say {', '.join(f'`{name}`' for name in lacking)}",
        )
    fractions = [1.0] if isinstance(chosen.fractions, str) else list(chosen.fractions or ())
    if fractions != sorted(set(fractions)) or fractions[-1] != 1:
        raise UserError(f"{view.name}: `fractions` are {fractions}; expected ascending numbers that end in 1.")
    if chosen.statistics is not None and chosen.runs is None:
        raise UserError(f"{view.name}: `statistics` need the number of `runs` that they are over; add it.")
    return chosen


#: A number, with Fortran's exponents too.
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?|(?i:nan|inf(?:inity)?))")


class _Sample(NamedTuple):
    cells: Numbers
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
                return _Sample(np.array(rows), header, labels, [line.split()[0].lower() for line in lines[header:]])
    return None


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
    usual = layout.get("rows", "checkpoints")
    for rows in (usual, "runs" if usual == "checkpoints" else "checkpoints"):
        cells = sample.cells.T if rows == "runs" else sample.cells
        checkpoints, runs = cells.shape
        if checkpoints not in (count, count + 1):
            continue
        more: Written = {"rows": rows} if rows != usual else {}
        questions = []
        last = map(_number, cells[-1].tolist())
        expected = layout.get("evaluations_row") or runs == layout.get("runs")
        if checkpoints > count and not (expected and all(number >= 1 and number.is_integer() for number in last)):
            continue
        if (checkpoints > count) != layout.get("evaluations_row", False):
            more["evaluations_row"] = checkpoints > count
        if runs != layout.get("runs", runs):
            if usual_ones := _DATA["usual_statistics"].get(str(runs)):
                stated = [_DATA["statistics"].get(word, "") for word in sample.words] if sample.labels else []
                is_certain = rows == "runs" and "mean" in stated and "" not in stated
                more["statistics"] = stated if is_certain else usual_ones
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
    function, dimension = parts.get("function", ""), options.dimension
    if function:
        function = str(int(function) + (int(function) >= (options.not_counted or np.inf)))
        # of the algorithm j2020 `j20201` is function 1
        if 0 < len(_DATA["optima"].get(options.preset, ())) < int(function):
            return None
    problem = parts.get("problem") or _problem(function, options)
    if "dimension" in parts:
        dimension = int(parts["dimension"])
    elif isinstance(dimension, Mapping):
        dimension = dimension.get(function or problem)
    folders = [folder for folder in path[:-1] if not _OF_DIMENSION.fullmatch(folder)]
    return _Key(parts.get("algorithm") or [stem(source), *folders][-1], problem, dimension, parts.get("instance"))


def _problem(number: object, options: Options) -> str:
    return (options.problem or "f{function}").replace("{function}", str(number))


# ---- a file ---------------------------------------------------------------------------------------------------------


@dataclass
class _Matrix:
    file: str
    values: Array
    """(checkpoints, runs)."""
    evaluations: Array
    """By run the row beyond the checkpoints; empty where there is none."""
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
        if all(re.fullmatch(_THOUSANDS, cell) for row in rows for cell in row if "." in cell):
            report.add("not_a_number", file, first, "its commas may stand between thousands or before decimals; write it without")
            return None
        report.add("decimal_comma", file, first, line=lines[first - 1].strip()[:60])
    report.rows_read += len(rows)
    # Whatever separates two numbers ends one.
    ended = (
        not ends_open(text) or not rows or numbers[-1] < len(lines) or lines[-1][-1] in (" \t" if options.separator else " \t;,")
    )
    open_end = not ended and not (rows[-1] and is_whole(rows[-1][-1], itertools.chain(*rows[:-1], rows[-1][:-1])))
    if open_end and (not of_checkpoints or (rows[-1] and len(rows[-1]) == len(rows[0]))):
        report.add("cut_line", file, numbers[-1], end=lines[-1][-60:])
        if not of_checkpoints:
            rows, numbers, open_end = rows[:-1], numbers[:-1], False
    if not rows:
        report.add("wrong_shape", file, None, "there is no number in it")
        return None
    width = len(rows[0])
    if odd := [(at, len(row)) for at, row in zip(numbers, rows, strict=True) if len(row) != width or not row]:
        report.add("wrong_shape", file, odd[0][0], f"the row has {odd[0][1]} numbers, the first one {width}")
        return None
    if wrong := [(at, cell) for at, row in zip(numbers, rows, strict=True) for cell in row if not _NUMBER.fullmatch(cell)]:
        report.add("not_a_number", file, wrong[0][0], cell=wrong[0][1])
        return None
    values = np.array([[_number(cell) for cell in row] for row in rows], float)
    if not of_checkpoints:
        values = values.T
    count, extra = _checkpoints(options.fractions), np.empty(0)
    if options.evaluations_row and values.shape[0] == count + 1:
        values, extra = values[:-1], values[-1]
        if open_end:
            extra[-1], open_end = np.nan, False
    statistics = options.statistics or ()
    if values.shape[0] != count or (statistics and values.shape[1] != len(statistics)):
        wanted = f"{count} checkpoints" + (f" and {len(statistics)} statistics" if statistics else "")
        side = "rows" if of_checkpoints else "columns"
        turned = "; its rows and columns may be exchanged (`rows`)" if values.shape[1] == count else ""
        report.add("wrong_shape", file, None, rows=len(rows), columns=width, wanted=wanted, side=side, turned=turned)
        return None
    places = [numbers[count - 1]] * values.shape[1] if of_checkpoints else numbers
    if statistics:
        at = statistics.index("mean")
        if open_end and at == len(statistics) - 1:
            return None
        if len(statistics) > 1:
            report.add("other_statistics", file, None, statistics=", ".join(statistics))
        return _Matrix(file, values[:, [at]], extra, [places[at]], numbers if of_checkpoints else [places[at]])
    if options.runs is not None and values.shape[1] != options.runs:
        report.add("runs_differ", file, None, runs=values.shape[1], expected=options.runs)
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
    return bool(numbers.size > 1 and counts and (numbers[1:] > numbers[:-1]).all())


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


def _number(cell: str) -> float:
    return float(cell.replace("D", "e").replace("d", "e") if cell[:1] not in "nNiI" and cell[1:2] not in "nNiI" else cell)


# ---- tables ---------------------------------------------------------------------------------------------------------


def _improvements(matrix: _Matrix, none: Mask, violation: Array, has_violation: bool, report: Report) -> tuple[Mask, Mask, Index]:
    """Return which cells are read, which of these are better than all before, and the rank of the best so far."""
    value = matrix.values
    # by violation, then by value; a cell without a value is last
    cells = np.stack([none, violation, np.where(none, 0.0, value)], axis=-1).reshape(-1, 3)
    rank = np.unique(cells, axis=0, return_inverse=True)[1].reshape(value.shape)
    best = np.minimum.accumulate(rank, axis=0)
    worse = (rank > best) & ~none
    rising = worse.any(axis=0)
    usable = ~none
    # a method that handles constraints may well return a point that is worse by violation than an earlier one
    independent = not has_violation and rising.size > 1 and rising.sum() * 2 > rising.size
    if independent and not report.is_off("columns_are_not_runs"):
        report.add("columns_are_not_runs", matrix.file, None, rising=rising.sum(), runs=rising.size)
        usable[:-1] = False
    else:
        for column in np.flatnonzero(rising).tolist():
            at_row = np.argmax(worse[:, column])
            report.add(
                "running_minimum",
                matrix.file,
                matrix.lines[column],
                run=column + 1,
                value=value[at_row, column],
                checkpoint=at_row + 1,
            )
    best = np.minimum.accumulate(np.where(usable, rank, rank.size), axis=0)
    return usable, usable & (np.diff(best, axis=0, prepend=rank.size) != 0), best


def _tables(key: _Key, algorithm: str, matrices: list[_Matrix], options: Options, optimum: float, report: Report) -> Batch:
    matrix, evaluations = matrices[0], _evaluations(options, key.dimension, matrices[0].file)
    value = matrix.values
    difference = options.values != "absolute"
    error = value if difference else value - optimum
    all_values = np.stack([one.values for one in matrices])
    finite = np.isfinite(all_values)
    none, unset = (np.logical_or.reduce(each) for each in (~finite, finite & (all_values >= PLACEHOLDER)))
    # 0 where there is no matrix of them
    violation = np.where(finite[1:], np.maximum(all_values[1:], 0.0), np.inf).sum(axis=0)
    for rule, which, words in (("no_value", none, "has no value"), ("placeholder", unset, "stands for none")):
        if which.any():
            checkpoint, run = np.argwhere(which)[0].tolist()
            report.add(
                rule,
                matrix.file,
                matrix.row_lines[run if options.rows == "runs" else checkpoint],
                f"checkpoint {checkpoint + 1} of run {run + 1} {words}",
                count=int(which.sum()),
            )
    # here, and not when all is read: with a small violation a placeholder would count as better than what was measured
    none |= unset

    usable, kept, best = _improvements(matrix, none, violation, len(matrices) > 1, report)
    run, checkpoint = np.nonzero(kept.T)
    at_evaluations = _hits(matrix, error, evaluations, run, checkpoint, report)

    # the row in the matrix where each run is best
    where = np.argmax(best == best[-1], axis=0)
    runs = np.arange(value.shape[1])
    known = usable.any(axis=0)
    left = violation[where, runs]
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
        "status": np.where(known & (error[where, runs] <= PRECISION) & (left <= 0), "solved", "failed").tolist(),
        "source": [place(matrix.file, line) for line in matrix.lines],
    }
    steps = {"evaluations": at_evaluations, "value": value[checkpoint, run], "on_target": True}
    if len(matrices) > 1:
        columns["violation"], steps["violation"] = pa.array(left, mask=~known), violation[checkpoint, run]
    trials = schema.table("trials", columns)
    return trials, trace_rows(trials, run, steps)


def _hits(matrix: _Matrix, error: Array, evaluations: Index, run: Index, checkpoint: Index, report: Report) -> Index:
    """Return the evaluations of improvements, where a run states it those at which it reached the optimum."""
    at_evaluations, of_runs = evaluations[checkpoint].copy(), matrix.evaluations
    if not of_runs.size:
        return at_evaluations
    reached = error[checkpoint, run] <= PRECISION
    first = np.flatnonzero(reached & ~np.append(False, reached[:-1] & (run[1:] == run[:-1])))
    stated = of_runs[run[first]]
    until = evaluations[checkpoint[first]]
    after = np.append(0, evaluations)[checkpoint[first]]
    # a row of small numbers counts checkpoints: none of them can be the evaluations of a run
    counts = (of_runs > len(evaluations) + 1).any()
    possible = (after < stated) & (stated <= until) & (stated == np.floor(stated)) & counts
    at_evaluations[first[possible]] = stated[possible].astype(np.int64)
    if not possible.all():
        at = np.argmin(possible)
        report.add(
            "evaluations_disagree",
            matrix.file,
            None,
            run=run[first[at]] + 1,
            stated=stated[at],
            after=after[at],
            until=until[at],
            count=int((~possible).sum()),
        )
    return at_evaluations
