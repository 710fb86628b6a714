"""Rows of results that are no table: those of asv and Criterion, and lines of a text."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchmill.core.errors import UserError
from benchmill.readers.archive import View
from benchmill.readers.interface import Report
from benchmill.text.labels import shown

#: A row, with its line, or its number where it has no line of its own.
Row = tuple[int, dict[str, str]]


def asv(view: View, name: str, data: bytes) -> Iterator[Row]:
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


def criterion(view: View, name: str, data: bytes) -> Iterator[Row]:
    """Yield the time of an iteration for each sample of a baseline."""
    folder, baseline = name.rpartition("/")[0], name.split("/")[-2]
    about = _loaded(f"{folder}/benchmark.json", view.unpacked(f"{folder}/benchmark.json"))
    found = _loaded(name, data)
    for number, (iterations, time) in enumerate(zip(found["iters"], found["times"], strict=True), 1):
        row = {"full_id": about["full_id"], "baseline": baseline}
        yield number, row | {"time": repr(float(time) / float(iterations))}


def of_lines(said: Mapping[str, Any], name: str, data: bytes, report: Report) -> Iterator[Row]:
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
FORMS: dict[str, Callable[[View, str, bytes], Iterator[Row]]] = {"asv": asv, "criterion": criterion}
