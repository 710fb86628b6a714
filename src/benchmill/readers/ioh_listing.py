"""The listings of IOHprofiler's logs, `.info` and `.json`: data files and their runs, by function and dimension."""

import json
import re
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from benchmill.core import Given, beside, shown
from benchmill.core.options import option
from benchmill.readers import blocks as data_files
from benchmill.readers import multi_objective
from benchmill.readers.archive import View
from benchmill.readers.interface import Report, Texts
from benchmill.readers.listing import DIMENSION, Listed, Listing, Read, Run, tell_unlisted
from benchmill.readers.text import decoded, in_utf_8

#: Bytes of a file by which it shows that it is a listing.
_BEGINNING = 65536
#: Whole numbers of a listing are smaller.
_LARGEST = 2**62
SECOND_OBJECTIVE = re.compile(r"^(F|f|y|raw_y|transformed_y|obj|objective)[_-]?([2-9]|1[0-9])$")
INFO = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t\r]*(?:suite\s*=[^\r\n]*)?"
    rb"funcId\s*=\s*[^,\r\n]+,(?:[^\r\n]*,)?\s*DIM\s*=\s*\d+\s*,(?![^\r\n]*Precision)",
    re.MULTILINE,
)
JSON = re.compile(rb'^\s*(?:\xef\xbb\xbf)?\s*\{.*"function_id"\s*:', re.DOTALL)
_DATA = re.compile(r"\.[ctid]?dat$", re.IGNORECASE)
_EVALUATIONS = frozenset(("function evaluation", "function evaluations", "evaluations"))


@dataclass(frozen=True)
class Options(data_files.Options):
    """The options of a source in this format."""

    direction: str | None = option(
        "`min` or `max`: whether smaller or larger values are better, if the log does not say", None, enum=["min", "max"]
    )
    value: str = option("`raw`, `transformed` (shifted and scaled by the instance), or the name of a column", "raw", minLength=1)
    values: str | None = option(
        "`absolute`, or `difference` if values are distances to the optimum, as raw values of BBOB are",
        None,
        enum=["absolute", "difference"],
    )
    indicator: str | None = option(
        "how logs of several objectives are read: as a quality indicator of all points up to each evaluation",
        None,
        enum=list(multi_objective.INDICATORS),
    )
    objectives: tuple[str, ...] = option(
        "the columns of the objectives; by default `raw_y` and similar ones (`F2`, `y3`, ...)",
        (),
        minItems=2,
        uniqueItems=True,
    )
    reference_point: Any = option(
        "the reference point of the hypervolume, a number for each objective; or a mapping of problems to reference points",
        None,
        **beside.toml(__file__),
    )
    reference_set: str | None = option(
        "path of a table with the points to compare with, relative to the configuration or absolute: a column for each "
        "objective, and perhaps `problem` and `dimension`",
        None,
        type="string",
        minLength=1,
    )
    precision: float | None = option(
        "the difference at or below which a trial is solved; 1e-8 for the suite BBOB, otherwise 0", None, type="number", minimum=0
    )


@dataclass(eq=False)
class Unit(Listed):
    """A function in a dimension: its data files and runs; the problem is named by `number_functions`."""

    function: str
    function_name: str
    maximise: bool | None
    exact: bool
    """True where the listing states the best raw value with all digits (`.json`) or the transformed one, rounded (`.info`)."""
    data: str
    senses: tuple[bool, ...] = ()
    """Which of several objectives are maximised, where they differ."""


def listings(view: View, options: Options, report: Report) -> list[Unit]:
    """Return the functions in their dimensions that listings name, with their runs."""
    units: dict[str, Unit] = {}
    read: Read = {}
    for member in view.members:
        lower = member.name.lower()
        listing = Listing(member.name, report, "listing_unreadable", "run", "value")
        if lower.endswith(".info"):
            data = in_utf_8(view.read(member.name))
            if listing.looks(data, (INFO,), "no line with `funcId`, `DIM` and `algId`") and not listing.again(data, read):
                for number, line, keys in listing.lines(data, _lacking):
                    for path, runs in listing.runs(number, line, _DATA):
                        maximised = keys.get("maximization", keys.get("maximisation", "")).casefold()
                        unit = Unit(
                            suite=options.suite or keys.get("suite") or None,
                            problem="",
                            function=keys["funcId"],
                            function_name=keys.get("funcName", ""),
                            dimension=int(keys["DIM"]),
                            algorithm=keys.get("algId", ""),
                            maximise=_MAXIMISES.get(maximised),
                            file=listing.name,
                            line=number,
                            exact=False,
                            data=path,
                        )
                        if (known := _added(units, unit, listing)) is not None:
                            known.runs += runs
        elif lower.endswith(".json"):
            data = in_utf_8(view.read(member.name))
            if JSON.search(data[:_BEGINNING]) and not listing.again(data, read):
                _json(listing, data, options, units)
    tell_unlisted(view, {name for unit in units.values() for name in files_of(view, unit)}, _DATA, report)
    return [unit for unit in units.values() if unit.runs]


def _added(units: dict[str, Unit], unit: Unit, listing: Listing) -> Unit | None:
    if listing.misplaces(unit.line, unit.data, unit.dimension):
        return None
    known = units.setdefault(unit.data, unit)
    listed_for = attrgetter("suite", "function", "function_name", "dimension", "algorithm", "maximise", "exact")
    if listed_for(known) != listed_for(unit):
        listing.wrong(unit.line, f"the data file {shown(unit.data)!r} is listed in {known.file} for something else")
        return None
    return known


#: How a listing states whether larger values are better.
_MAXIMISES = {"t": True, "true": True, "1": True, "f": False, "false": False, "0": False}


def _lacking(keys: Texts) -> str:
    return "" if (keys.get("funcId") and DIMENSION.fullmatch(keys.get("DIM", ""))) else "`funcId` or `DIM` is not given"


def _json(listing: Listing, data: bytes, options: Options, units: dict[str, Unit]) -> None:
    try:
        document = json.loads(decoded(data))
    except (ValueError, RecursionError) as error:
        listing.wrong(getattr(error, "lineno", None), f"it is not JSON ({getattr(error, 'msg', 'it is nested too deeply')})")
        return
    if not isinstance(document, dict):
        listing.wrong(None, "it is not a JSON object")
        return
    several = _several_objectives(document, options)
    if (several is None) != (options.indicator is None):
        listing.report.add("one_objective" if several is None else "multi_objective", listing.name, None, several or "")
        return
    function, maximise = document.get("function_id"), document.get("maximization")
    if type(function) not in (int, str) or not isinstance(document.get("scenarios"), list):
        listing.wrong(None, "`function_id` or `scenarios` is not given")
        return
    senses = tuple(each is True for each in _of(document, "maximization", list))
    for scenario in document["scenarios"]:
        path, dimension = _of(scenario, "path", str), _of(scenario, "dimension", int)
        beside = listing.beside(path) if path else None
        if not 0 < dimension < 2**31 or beside is None or not isinstance(scenario.get("runs"), list):
            listing.wrong(None, "a scenario has no usable `dimension`, `path` or `runs`")
            continue
        unit = _added(
            units,
            Unit(
                suite=options.suite or _of(document, "suite", str) or None,
                problem="",
                function=str(function),
                function_name=str(document.get("function_name") or ""),
                dimension=dimension,
                algorithm=str(_of(document, "algorithm", dict).get("name") or ""),
                maximise=any(senses) if senses else maximise if isinstance(maximise, bool) else None,
                senses=senses,
                file=listing.name,
                line=None,
                exact=True,
                data=beside,
            ),
            listing,
        )
        if unit is None:
            continue
        for run in scenario["runs"]:
            run = run if isinstance(run, dict) else {}
            if _whole(run.get("instance")) is None:
                listing.wrong(None, f"a run of {shown(path)!r} has no `instance`")
                # It keeps its place among the runs, since blocks are matched by their order.
                unit.runs.append(Run(""))
                continue
            best = _of(run, "best", dict)
            value, seed = best.get("y"), run.get("seed")
            unit.runs.append(
                Run(
                    str(run["instance"]),
                    file=listing.name,
                    evaluations=_whole(run.get("evals"), 0),
                    value=float(value) if isinstance(value, float | int) and abs(value) < 1e308 else None,
                    at=_whole(best.get("evals"), 0),
                    seed=_whole(int(seed) if isinstance(seed, float) and seed.is_integer() else seed),
                )
            )


def _of(document: Any, key: str, kind: Any) -> Any:
    """Return what an object of JSON has at a key, if it is of a kind, and nothing of that kind otherwise."""
    found = document.get(key) if isinstance(document, dict) else None
    return found if type(found) is kind else kind()


def _whole(value: Any, least: int = 1 - _LARGEST) -> int | None:
    """Return a value if it is a whole number of at least `least`."""
    return value if type(value) is int and least <= value < _LARGEST else None


def _several_objectives(listing: Given, options: Options) -> str | None:
    if isinstance(listing.get("maximization"), list):
        return "`maximization` is a list"
    for attribute in _of(listing, "attributes", list):
        if isinstance(attribute, str) and SECOND_OBJECTIVE.match(attribute) and options.value in ("raw", "transformed"):
            return (
                f"the column {shown(attribute)!r} is another objective: say what to make of them with `indicator` "
                f"({', '.join(multi_objective.INDICATORS)}), or name the one to read with `value`"
            )
    runs = [run for scenario in _of(listing, "scenarios", list) for run in _of(scenario, "runs", list)]
    several = any(isinstance(_of(run, "best", dict).get("y"), list) for run in runs)
    return "a best value is a list" if several else None


def number_functions(units: list[Unit], report: Report) -> None:
    """Give each unit its `problem`: `f` and a number, or the text in its place."""
    called: dict[Any, dict[str, Unit]] = {}
    for unit in units:
        called.setdefault((unit.suite, unit.function), {}).setdefault(unit.function_name, unit)
    for (_, function), several in called.items():
        if len(several) > 1:
            one, other = list(several)[:2]
            report.add(
                "one_number_several_functions", several[other].file, several[other].line, function=function, one=one, other=other
            )
    for unit in units:
        unit.problem = f"f{int(unit.function)}" if re.fullmatch("[0-9]{1,18}", unit.function) else unit.function
        if len(called[unit.suite, unit.function]) > 1 and unit.function_name:
            unit.problem += f"_{unit.function_name}"


def files_of(view: View, unit: Unit) -> list[str]:
    """Return the data files of a unit that are there, those with every improvement first."""
    if unit.exact:
        return [unit.data] if unit.data in view else []
    stem = _DATA.sub("", unit.data)
    return [name for name in (f"{stem}.dat", f"{stem}.cdat", f"{stem}.tdat", f"{stem}.idat") if name in view]


@cache
def column_names(header: str) -> list[str] | None:
    """Return the names of the columns, if the line is a header."""
    header = header.strip()
    names = re.findall(r'"([^"]*)"', header) if header.startswith('"') else header.split()
    return [n.strip() for n in names] if names and names[0].strip() in _EVALUATIONS else None
