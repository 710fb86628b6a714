"""What is read of the results of benchmark programs: presets of the options of a table, as a file beside this one has them."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from fnmatch import fnmatchcase, translate
from typing import Any

import pandas as pd

from benchmill.core.errors import UserError
from benchmill.readers.archive import View
from benchmill.readers.interface import Report
from benchmill.readers.table_files import LINE, File
from benchmill.readers.table_options import PRESETS, Options
from benchmill.text.labels import shown

#: A row, with its line, or its number where it has no line of its own.
Row = tuple[int, dict[str, str]]

#: Options beside which a file is not looked at for a preset.
_OWN = ("records", "wide", "header", "titles", "separator")
#: Roles of columns of which one says what is compared.
_VALUES = {"cost", "mean", "value", "evaluations"}
#: Bytes and files that are looked at.
_HEAD, _MOST_FILES = 2**16, 20


def fits(preset: str, data: bytes) -> bool:
    """Return True if a text is of the program of a preset."""
    said, text = PRESETS[preset], data.decode("utf-8", "replace")
    return (
        bool(said.get("found"))
        and all(re.search(pattern, text) for pattern in said["found"])
        and not any(re.search(pattern, text) for pattern in said.get("lacks", ()))
    )


def of(view: View) -> str | None:
    """Return the preset that a source is of; of a folder by its first files."""
    if view.kind != "file" and any(member.name.endswith("/sample.json") for member in view.members):
        return "criterion" if any(member.name.endswith("/benchmark.json") for member in view.members) else None
    for member in view.members[:_MOST_FILES]:
        if view.kind == "file" or re.search(r"\.(json|txt|csv|bench|out|res)(\.(gz|bz2|xz|zst))?$", member.name, re.IGNORECASE):
            data = view.unpacked_head(member.name, _HEAD)
            if b"\0" not in data and (named := next((name for name in PRESETS if fits(name, data)), None)):
                return named
    return None


def chosen(view: View, options: Options, report: Report) -> Options:
    """Return the options with those of the preset that they name, or that the source is of, where they say nothing else."""
    own = any(getattr(options, name) for name in _OWN) or _VALUES & {*options.columns}
    preset = options.preset or (None if own else of(view))
    if preset is None or preset == "none":
        return options
    report.add("preset", view.name, None, f"`preset: {preset}`, {PRESETS[preset]['title']}")
    report.measure = PRESETS[preset].get("measure", {})
    said: dict[str, Any] = {"preset": preset}
    for field in fields(options):
        value, given = PRESETS[preset].get(field.name), getattr(options, field.name)
        if isinstance(value, Mapping) and given:
            value = None if field.name == "where" and "where" in {*given} else {**value, **given}
        elif given != getattr(Options(), field.name):
            value = None
        if value is not None:
            said[field.name] = value
    return replace(options, **said)


def is_of(preset: str, name: str, data: bytes) -> bool:
    """Return True if a file in a folder is one that a preset reads."""
    form = PRESETS[preset].get("form")
    return name.endswith("/sample.json") if form == "criterion" else fits(preset, data)


def rows(options: Options, view: View, name: str, data: bytes, report: Report) -> list[Row] | None:
    """Return the rows of a file that is no table, by the preset of its source."""
    said = PRESETS.get(options.preset or "", {})
    if "row" in said:
        return list(_of_lines(said, name, data, report))
    return list(_FORMS[said["form"]](view, name, data)) if "form" in said else None


def wanted(options: Options) -> re.Pattern[str] | None:
    """Return an expression for the columns that a preset reads."""
    if options.preset not in PRESETS:
        return None
    names = [n for named in options.columns.values() for n in ([named] if isinstance(named, str) else named)]
    return re.compile(
        "|".join(translate(name) for name in (*names, *PRESETS[options.preset or ""].get("only", {}), *options.where))
    )


def reduced(file: File, options: Options, report: Report) -> File:
    """Return a file with the rows and columns that its preset reads."""
    frame, pattern = file.frame, wanted(options)
    for column, cells in PRESETS[options.preset or ""].get("only", {}).items():
        other = ~frame[column].isin(cells)
        if other.any():
            what = f"{other.sum()} rows have another {shown(column)!r} than {' or '.join(cells)}, and are left out"
            report.add("preset", file.name, int(frame.loc[other, LINE].iloc[0]), what, int(other.sum()))
        frame = frame[~other]
    return replace(file, frame=frame[[c for c in frame if c == LINE or (pattern is not None and pattern.match(c))]])


def with_columns(options: Options, frame: pd.DataFrame) -> Options:
    """Return the options of a preset for the columns that its files have."""
    columns = dict(options.columns)
    for name, theirs in PRESETS[options.preset or ""]["columns"].items():
        if columns[name] != theirs:
            continue
        if isinstance(theirs, list):
            columns[name] = [column for pattern in theirs for column in frame if fnmatchcase(column, pattern)]
        elif theirs not in frame:
            del columns[name]
    return replace(options, columns=columns, outcomes=options.outcomes if "outcome" in columns else {})


# ---- results that are no table --------------------------------------------------------------------------------------


def _asv(view: View, name: str, data: bytes) -> Iterator[Row]:
    """Yield a row for each sample of each case, or for its result, where samples were not recorded; none of a case left out."""
    document = _loaded(name, data)
    names = document["result_columns"]
    number = 0
    for benchmark, values in document["results"].items():
        found = dict(zip(names, values if isinstance(values, list) else [values], strict=False))
        cases = [", ".join(case) for case in itertools.product(*(found.get("params") or []))]
        results, samples = found.get("result") or [None] * len(cases), found.get("samples") or []
        if len(results) != max(len(cases), 1):
            raise UserError(f"{name}: {shown(benchmark)!r} has {len(results)} results for {len(cases)} cases; run it again.")
        kind = re.match(r"(?:.*\.)?([A-Za-z]+?)(?:_|[A-Z]|$)", benchmark)
        for i, (case, result) in enumerate(itertools.zip_longest(cases, results, fillvalue="")):
            times = samples[i] if i < len(samples) and samples[i] else [result]
            for time in times if result != "NaN" else ():
                number += 1
                row = {"benchmark": f"{benchmark}({case})" if case else benchmark, "kind": kind[1].lower() if kind else ""}
                yield number, row | {"commit": document["commit_hash"][:8], "seconds": "" if time is None else time}


def _criterion(view: View, name: str, data: bytes) -> Iterator[Row]:
    """Yield the time of an iteration for each sample of a baseline."""
    folder, baseline = name.rpartition("/")[0], name.split("/")[-2]
    about = _loaded(f"{folder}/benchmark.json", view.unpacked(f"{folder}/benchmark.json"))
    found = _loaded(name, data)
    for number, (iterations, time) in enumerate(zip(found["iters"], found["times"], strict=True), 1):
        row = {"full_id": about["full_id"], "baseline": baseline}
        yield number, row | {"time": repr(float(time) / float(iterations))}


def _of_lines(said: Mapping[str, Any], name: str, data: bytes, report: Report) -> Iterator[Row]:
    """Yield a row for each line that a preset's expression fits, with what lines above it said of it."""
    above: dict[str, str] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if "above" in said and (match := re.match(said["above"], line)):
            above |= match.groupdict()
        elif match := re.match(said["row"], line):
            yield number, above | {key: cell or "" for key, cell in match.groupdict().items()}
        elif "failed" in said and re.match(said["failed"], line):
            report.add("failed_benchmark", name, number, shown(line[:100]))


def _loaded(name: str, data: bytes) -> Any:
    try:
        return json.loads(data, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise UserError(f"{name}: it is no JSON document, it may be cut; get it again from the program that wrote it.") from None


#: By form, what turns a file into rows.
_FORMS: dict[str, Callable[[View, str, bytes], Iterator[Row]]] = {"asv": _asv, "criterion": _criterion}
