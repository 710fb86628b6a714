"""Logs of MIP, LP and CP solvers, as the solver prints them: `benchmill.readers.solver_logs` knows how each one writes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import NamedTuple

import numpy as np

from benchmill.core import UserError, shown
from benchmill.core.options import option
from benchmill.readers import solver_runs
from benchmill.readers.archive import View, plain_name
from benchmill.readers.interface import Batches, Found, Incomplete, Proposal, Report, place, rules
from benchmill.readers.solver_logs import (
    CRASHES,
    FATAL,
    GOES_ON,
    MADE_UP,
    Dialect,
    Log,
    Run,
    dialect_of,
    dialects_in,
    lines,
    parsed,
)
from benchmill.readers.text import is_binary, lines_of
from benchmill.text.display import plural


@dataclass(frozen=True)
class Options(solver_runs.Options):
    """The options of a source in this format."""

    named_by: tuple[str, ...] = option(
        "what makes the name of an algorithm",
        ("solver", "version", "settings"),
        minItems=1,
        uniqueItems=True,
        items={"enum": ["solver", "version", "settings", "time_limit", "file"]},
    )
    unnamed: str | None = option(
        "how to name the problems of a file with several runs if its log states neither a name nor a fingerprint: by the "
        "file, the number of the run in it, or both",
        None,
        enum=["file", "number", "file and number"],
    )


RULES = {**rules("mip_log"), **solver_runs.RULES}


_FRAME = lines(r"^@01[ \t]+(.*)$")
_SUFFIXES = re.compile(
    r"(\.(mps|lp|cip|opb|wbo|fzn|zpl|nl|pip|rew|rlp|osil|gms|sav|w?cnf|xml|dimacs|qplib|mof\.json))?(\.(gz|bz2|xz|zst|Z|zip))?$",
    re.I,
)


#: What colours a terminal, and any number.
_COLOUR, _NUMBER = re.compile(r"\x1b\[[0-9;]*m"), re.compile(r"[0-9]+")
#: Characters of a solver's error that are told.
_LONGEST = 200
#: What an algorithm is called that no line of the log names.
_UNKNOWN = "unknown solver"
#: Names of logs that are no problem's.
_NO_NAME = re.compile(
    r"highs|gurobi|gurobi_?cl|cplex|scip|cbc|xpress|copt|mosek|mipcl|glop|cp-?sat|ipopt|knitro|baron|couenne|bonmin|glp(?:k|sol)|clp"
    r"|lp_?solve|minizinc|log|std(?:out|err)|out(?:put)?|solver|readme",
    re.I,
)


def _name(path: str) -> str:
    base = path.strip().strip("'\"").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _SUFFIXES.sub("", base) or base


def _name_of_file(name: str, solver: str = "") -> str:
    """Return the name without suffixes, and without that of the solver, as in `day1.scip.log`."""
    base = _name(re.sub(r"(?:\.(?:log|out|txt|md|rst|jsonl?|json-stream|sol|res))+$", "", plain_name(name), flags=re.IGNORECASE))
    own = re.escape(solver).replace(r"\-", "[_-]?") or "(?!)"
    return _name(re.sub(rf"(?i)^{own}\d*[._-]|[._-]{own}\d*(?=[._-]|$)", "", base))


def sniff(view: View) -> Found | None:
    """Recognise a file with a frame `@01` or with the banner of a solver, among the first twenty of a folder or an archive."""
    heads = (view.unpacked_head(member.name, 65536) for member in view.members[:20])
    return Found("mip_log") if any(_is_known(_bare("\n".join(lines_of(head)))) for head in heads if not is_binary(head)) else None


def _is_known(text: str) -> bool:
    return bool(dialect_of(text) or (_FRAME.search(text) and lines(r"^@03 \d+").search(text)))


def _alike(rows: Sequence[str]) -> str:
    """Return what all rows but blank ones begin with, each number as 0."""
    return commonprefix([_NUMBER.sub("0", row[:_LONGEST]) for row in rows if row.strip()])  # noqa: RUF071


def _bare(text: str) -> str:
    """Return a text without colours, what all lines begin with, numbers aside, or 3 or 4 blanks, if a log comes to light."""
    bare = _COLOUR.sub("", text)
    # a stamp, then the blanks behind it, which empty lines lack
    for shortest in (2, 1):
        # the last line may be cut; few lines show it where all begin differently
        rows = bare.split("\n")[:-1]
        alike = _alike(rows[:50]) and _alike(rows)
        if len(alike) < shortest:
            break
        bare = lines(f"^{re.escape(alike).replace('0', '[0-9]+')}").sub("", bare)
    if not _is_known(bare):
        # as a block of code within a text
        bare = next(filter(_is_known, (lines(blanks).sub("", bare) for blanks in ("^ {4}", "^ {3}"))), bare)
    # what begins a log is no stamp where it names another solver: MiniZinc's stream has the words of those that it calls
    return bare if bare != text and _is_known(bare) and dialect_of(text) in (None, dialect_of(bare)) else text


def read(view: View, options: Options, report: Report) -> Batches:
    """Read all runs, in natural order of their problem, then in order of appearance.

    The algorithm is the solver with its version and the settings that the log states (`named_by`); the problem is the name of the
    model's file without suffixes, from the frame where there is one.
    """
    runs = solver_runs.Runs()
    for name in solver_runs.chosen(view, options, [member.name for member in view.members]):
        data = view.unpacked(name)
        if is_binary(data):
            report.add("not_a_log", name, None, "it holds binary data")
            continue
        printed = "\n".join(row.rstrip() for row in lines_of(data))
        first, text = printed.partition("\n")[0], _bare(printed)
        if text != printed:
            report.add("not_bare", name, 1, f"{shown(first[:80])!r}")
        last = text.rpartition("\n")[2]
        if last and not last.startswith(("@04 ", "=ready=")):
            report.add("cut_line", name, text.count("\n") + 1, f"{shown(last[:80])!r}")
            text = text.removesuffix(last)
        logs = list(_logs(name, text, report))
        for log, problem in zip(logs, _problems(name, logs, options, report), strict=True):
            _add(name, log, problem, runs, report)
    names = _names(runs, options, report)
    _ask_about_names(runs, names, options, report)
    runs.algorithm = names
    yield solver_runs.trials(view, runs, options, report)


class _Log(NamedTuple):
    line: int
    text: Log
    framed: bool
    solver: Dialect | None
    run: Run
    problem: str | None


def _logs(name: str, text: str, report: Report) -> Iterator[_Log]:
    previous, version = None, None
    parts = list(_parts(name, text))
    for line, part, framed in parts:
        solver = dialect_of(part)
        if framed is None and previous and solver in (None, previous):
            solver = previous  # a process says which solver it is before its first run
            version = None if solver.pattern("session").search(part) else version
        else:
            version = None
        if solver is None and (framed or not part.first(FATAL)):
            report.add("not_a_log", name, line, "no known solver printed it")
            if not framed:
                continue
        report.rows_read += part.count("\n")
        run = parsed(solver, part) if solver else Run()
        run.version = version = run.version or version
        previous = solver
        # a log of its own that ends there may have been cut
        alone = len(parts) == 1 and not (solver and solver.pattern("session").search(part))
        kept = framed is not None or solver is None or alone or run.trouble or run.problem or run.verdict
        if not kept and solver and solver.shows_model(part) is False:
            report.add("no_model", name, line, solver.name)
        else:
            stated = framed or run.problem
            named = stated and (framed or not MADE_UP.search(stated.strip("'\"")))
            yield _Log(line, part, framed is not None, solver, run, _name(stated) if stated and named else None)


def _problems(name: str, logs: Sequence[_Log], options: Options, report: Report) -> list[str]:
    # of a model that is solved again only the fingerprint stands there
    known = {log.run.model: log.problem for log in logs if log.run.model and log.problem}
    unnamed = [log for log in logs if not log.problem and log.run.model not in known]
    solver = next((log.solver.name for log in logs if log.solver), "")
    file, models = _name_of_file(name, solver), {log.run.model for log in unnamed}
    by_file = len(logs) == 1 or (len(unnamed) == len(logs) and len(models) == 1 and None not in models)
    by_file = by_file and (None in models or not _NO_NAME.fullmatch(file))
    names: list[str] = []
    for number, log in enumerate(logs, 1):
        if problem := log.problem or known.get(log.run.model or ""):
            names.append(problem)
        elif not by_file and None not in models and not options.unnamed:
            names.append(str(log.run.model))
            report.add("model_by_fingerprint", name, log.line, names[-1])
        elif by_file or options.unnamed:
            words = {"file": file, "number": str(number), "file and number": f"{file} {number}"}
            names.append(file if by_file else words[str(options.unnamed)])
            if _NO_NAME.fullmatch(names[-1]):
                raise UserError(
                    f"{name}:{log.line}: the log does not say which problem was solved, and {shown(names[-1])!r}, the name of "
                    "the file, is that of none; give the file the name of its problem, or leave it out (`files`)."
                )
            report.add("name_from_file", name, log.line, shown(names[-1]))
        else:
            sizes = ", ".join(dict.fromkeys(f"of {one.run.size}" for one in unnamed if one.run.size))
            raise Incomplete(
                f"{place(name, log.line)}: {plural(len(unnamed), 'run')} of this file {'is' if len(unnamed) == 1 else 'are'} of "
                f"models without a name or a fingerprint in the log{f' ({sizes})' if sizes else ''}",
                "say what their problems are called (`unnamed: file` where all are of one model, `unnamed: number` where a run "
                "is of the same model as those with its number in other files, else `unnamed: file and number`)",
            )
    return names


def _parts(name: str, text: str) -> Iterator[tuple[int, Log, str | None]]:
    frames = [(frame.start(), frame[1].rstrip("= ")) for frame in _FRAME.finditer(text)]
    begins = frames or [(at, None) for at in _begins(name, text)]
    line, counted = 1, 0
    for (at, framed), (end, _) in zip(begins, [*begins[1:], (len(text), None)], strict=True):
        line, counted = line + text.count("\n", counted, at), at
        yield line, Log(text[at:end]), framed


def _begins(name: str, text: str) -> list[int]:
    """Return where the runs of a file without frames begin."""
    begins = [0]
    several = [solver.name for solver in dialects_in(text) if solver.pattern("version").search(text)]
    if len(several) > 1:
        raise UserError(f"{name}: it has runs of {' and '.join(several)}; give the runs of each solver a file of their own.")
    if (solver := dialect_of(text)) is None:
        return begins
    kinds = ("begins", "solves", "closes", "again")
    events = [(m.start(), what) for what in kinds for m in solver.pattern(what).finditer(text)]
    events += [(m.start(), "session") for m in solver.pattern("session").finditer(text) if m["log"]]
    seen = set[str]()
    earliest = min(events, default=(0, ""))[0]
    events += [(m.end(), "session") for m in solver.pattern("ends").finditer(text)][:-1]
    for at, what in sorted(events):
        if (
            (what == "session" and at > max(begins[-1], earliest))
            or (what == "begins" and (seen or "solves" not in solver.entry) and at > earliest)
            or (what == "again" and "closes" in seen)
        ):
            begins.append(at)
            seen = set()
        seen |= {what} & {"solves", "closes"}
    return [
        at
        for at, end in zip(begins, [*begins[1:], len(text)], strict=True)
        if not at or not solver.pattern("joins").search(text[at:end])
    ]


def _add(name: str, log: _Log, problem: str, runs: solver_runs.Runs, report: Report) -> None:
    line, part, framed, solver, run, _ = log
    what = f"{solver.name if solver else 'a run'} on {shown(problem)}"
    started, ended = (framed and part.first(mark) for mark in (r"^@03\b", r"^@04\b"))
    outcome, crash = run.verdict, part.first_of(CRASHES)
    if outcome is None or (started and not ended and not crash):
        outcome = crash or ("error" if ended else "truncated")
    elif solver_runs.OUTCOMES[outcome] and part.first(FATAL):
        report.add("crashed", name, line, f"{what}: its solver says {outcome!r}")
        outcome = "error"
    if outcome == "wrong":
        report.add("contradicts_itself", name, line, what)
    if run.trouble:
        report.add(run.trouble[0], name, line, f"{what}: {shown(run.trouble[1][:_LONGEST])}")
    if outcome == "truncated":
        report.add("truncated_log", name, line, what)
    elif run.verdict is None:
        report.add("no_verdict", name, line, what)
    if GOES_ON in part:
        report.add("resumed", name, line, what)
    limit = part.of(r"^@05 (\S+)$") if np.isnan(run.limit) and framed else run.limit
    if outcome == "time_limit" and run.time < limit / 2:
        limit = np.nan  # it ended at another one, which it does not state, or on another clock
    runs.add(
        **vars(run)
        | {
            "algorithm": solver.name if solver else _UNKNOWN,
            "problem": problem,
            "outcome": outcome,
            "limit": limit,
            "course": run.course if solver else None,
            "maximise": _maximises(run) if run.maximise is None else run.maximise,
            "settings": ", ".join(f"{key}={value}" for key, value in sorted(run.settings.items())) or None,
            "file": name,
            "line": line,
        }
    )


def _maximises(run: Run) -> bool:
    pairs = np.concatenate([run.course[:, 1:], [[run.value, run.bound]]])
    value, bound = pairs[np.isfinite(pairs).all(axis=1)].T
    values, bounds = (column[np.isfinite(column)] for column in pairs.T)
    for less, more in ((value, bound), (np.append(values[:-1], bounds[1:]), np.append(values[1:], bounds[:-1]))):
        apart = (more - less) / np.maximum(1.0, np.abs(less))
        above, below = np.sum(apart > 1e-6), np.sum(apart < -1e-6)
        if above != below:
            return bool(above > below)
    return False


def _names(runs: solver_runs.Runs, options: Options, report: Report) -> list[str]:
    parts = options.named_by

    def name(row: int, with_limit: bool) -> str:
        solver, limit, settings = runs.algorithm[row], runs.limit[row], runs.settings[row]
        texts = {"solver": solver, "version": runs.version[row], "file": _name_of_file(runs.file[row])}
        inside = [settings] if "settings" in parts and settings else []
        if (with_limit or "time_limit" in parts) and not np.isnan(limit):
            inside.append(f"time limit {limit:g} s")
        outside = " ".join(text for part in parts if (text := texts.get(part)))
        return f"{outside} ({', '.join(inside)})" if outside and inside else outside or ", ".join(inside) or solver

    plain = [name(row, False) for row in range(len(runs))]
    several = solver_runs.several(runs, plain, runs.problem, runs.limit, "several_limits", report)
    return [name(row, True) if algorithm in several else algorithm for row, algorithm in enumerate(plain)]


def _ask_about_names(runs: solver_runs.Runs, names: list[str], options: Options, report: Report) -> None:
    if isinstance(options.algorithm, str):
        return
    known_names = dict(options.algorithm or {})
    solvers, named = runs.algorithm, "version" in options.named_by
    stated = {solver for solver, version in zip(solvers, runs.version, strict=True) if version and named}
    unsure: dict[str, int] = {}
    for row, (name, solver, version) in enumerate(zip(names, solvers, runs.version, strict=True)):
        left_out = report.selection is not None and not report.selection.names("algorithm", name)
        if (solver == _UNKNOWN or (solver in stated and not version)) and name not in known_names and not left_out:
            unsure.setdefault(name, row)
    for name, row in unsure.items():
        unknown = solvers[row] == _UNKNOWN
        near = [other for other, solver in zip(names, solvers, strict=True) if unknown or solver == solvers[row]]
        others = [other for other in dict.fromkeys(near) if other not in unsure]
        raise Incomplete(
            f"{place(runs.file[row], runs.line[row])}: the log of {plural(names.count(name), 'run')} "
            + ("does not say which solver ran" if unknown else f"states no version of {solvers[row]}, as others do"),
            f"say which algorithm it was (`algorithm: {{{name}: ...}}`)",
            [
                Proposal({"algorithm": {**known_names, **{one: one for one in unsure}, name: other}})
                for other in (others if unknown else [*others, name])
            ],
        )
