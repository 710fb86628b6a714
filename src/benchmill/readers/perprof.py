"""Tables of perprof: one file per solver, `problem status time ...` in columns, with a YAML head between lines `---`."""

import re
from dataclasses import dataclass

from benchmill.core import UserError, beside, shown
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View
from benchmill.readers.interface import Batches, Found, Report, place, rules
from benchmill.readers.solver_logs import number
from benchmill.readers.text import is_binary, is_whole, lines_of


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    outcomes: dict[str, str] = option(
        "a mapping of the words of a table to outcomes, such as {timeout: time_limit}; other words that do not mean success "
        "are unknown",
        {},
        additionalProperties={"enum": list(solver_runs.OUTCOMES)},
    )


RULES = {**rules("perprof"), **solver_runs.RULES}

#: The words of success where the head states none, as in `read_table` of perprof.
_SUCCESS = "c,converged,solved,success"
_COLUMNS: dict[str, int] = beside.toml(__file__)["columns"]
_HEAD_KEYS = frozenset(("algname", "success", "free_format", "maxtime", *(f"col_{name}" for name in _COLUMNS)))


def sniff(view: View) -> Found | None:
    """Recognise a file whose head between `---` names a solver or the words of success."""
    for name in _tables(view)[:3]:
        data = view.unpacked_head(name, 4096)
        lines = [] if is_binary(data) else lines_of(data)
        pairs, begin = _head(lines)
        head = dict(pairs)
        if begin <= len(lines) and {"algname", "success", "free_format", "col_name"} & set(head):
            return Found("perprof", (head["algname"],) if head.get("algname") else ())
    return None


def _tables(view: View) -> list[str]:
    return solver_runs.by_suffix(view, (".table",)) or [member.name for member in view.members]


def _head(lines: list[str]) -> tuple[list[tuple[str, str]], int]:
    """Return what the head states and the number of lines up to its end; only blank lines and comments come before it."""
    marks = [at for at, line in enumerate(lines) if line.strip() == "---"]
    if not marks or _rows(lines[: marks[0]]):
        return [], 0
    end = marks[1] if len(marks) > 1 else len(lines)
    pairs: list[tuple[str, str]] = []
    for line in lines[marks[0] + 1 : end]:
        key, colon, value = f"{line} ".partition(" #")[0].partition(":")
        if colon and not key.lstrip().startswith("#"):
            pairs.append((key.strip(), value.strip().strip("'\"").strip()))
        elif pairs and key.lstrip().startswith("- "):
            # an item of a list, below its key
            name, before = pairs.pop()
            pairs.append((name, f"{before},{key.lstrip()[2:]}"))
    return pairs, end + 1


def _rows(lines: list[str]) -> list[list[str]]:
    return [row for row in map(str.split, lines) if row and not row[0].startswith("#")]


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all tables; of a folder or an archive those with the suffix `.table`, if there are any."""
    runs = solver_runs.Runs()
    for name in solver_runs.chosen(view, options, _tables(view)):
        data = view.unpacked(name)
        if is_binary(data):
            raise UserError(f"{name}: it holds binary data; expected a table of perprof.")
        lines = lines_of(data)
        pairs, begin = _head(lines)
        head = dict(pairs)
        if double := [key for key, value in pairs if head[key] != value]:
            one, other, *_ = (at for at, line in enumerate(lines[:begin], 1) if line.partition(":")[0].strip() == double[0])
            raise UserError(f"{place(name, one)} and {place(name, other)}: the head has {double[0]!r} twice; keep one.")
        for key in sorted(set(head) - _HEAD_KEYS):
            report.add("head_key_not_used", name, 1, key=key)
        stated = {key: head.get(f"col_{key}") for key in _COLUMNS}
        column: dict[str, int | None] = {}
        for key, text in stated.items():
            if text is None:
                # what the head puts into the usual column of another is not the other as well
                column[key] = None if str(_COLUMNS[key]) in stated.values() else _COLUMNS[key]
            elif text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= 1000:
                column[key] = int(text)
            else:
                raise UserError(f"{place(name, 1)}: col_{key} is {shown(text)!r}; expected the number of a column, from 1.")
        success = {word.strip().strip("'\"") for word in head.get("success", _SUCCESS).strip("[]").split(",")}
        names = [line.split()[1] for line in lines if re.match(r"#Name\s+\S", line)]
        if not (algorithm := head.get("algname") or " ".join(names[-1:])):
            algorithm = name.rpartition("/")[2].rpartition(".")[0] or name
            report.add("name_from_file", name, None, shown(algorithm))
        limit = number(head.get("maxtime"))
        for at, line in enumerate(lines[begin:], begin + 1):
            cells = line.split()
            if not cells or cells[0].startswith("#"):
                continue
            if at == len(lines) and not _is_whole(line, lines[begin:-1]):
                report.add("cut_line", name, at, f"{shown(line)!r}")
                continue
            cell_of = {key: cells[nth - 1] if nth and nth <= len(cells) else None for key, nth in column.items()}
            problem, status, time = cell_of["name"], cell_of["exit"], number(cell_of["time"])
            solved = status in success
            if problem is None or status is None or (solved and not time >= 0):
                report.add("malformed_line", name, at, f"{shown(line)!r}")
                continue
            report.rows_read += 1
            runs.add(
                algorithm=algorithm,
                problem=problem,
                outcome="solved" if solved else options.outcomes.get(status, "unknown"),
                proves=False,
                time=time,
                limit=limit,
                value=number(cell_of["fval"]),
                violation=number(cell_of["primal"]),
                file=name,
                line=at,
            )
    yield solver_runs.trials(view, runs, options, report)


def _is_whole(last: str, before: list[str]) -> bool:
    rows = _rows(before)
    cells = last.split()
    return bool(rows) and len(rows[-1]) == len(cells) and (last[-1].isspace() or is_whole(cells[-1], (row[-1] for row in rows)))
