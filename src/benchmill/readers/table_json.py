"""Tables in JSON: records at a path into a document, or one record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmill.core.errors import UserError
from benchmill.readers.interface import Incomplete, Report, flow
from benchmill.text.labels import shown

#: The line of a record, or its number where it has no line of its own, the columns of what it stands in, and the record.
Record = tuple[int, dict[str, Any], Any]

_BEGINS = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*(?:(?:\[\s*)*\{\s*"|\[\s*(?:\[\s*)*(?:"(?:[^"\\\n]|\\.)*"|[-0-9][0-9.eE+-]*|null|true|false)\s*,)'
)
#: What is no text in JSON, as it stands there.
_PLAIN: dict[Any, str] = {True: "true", False: "false", None: ""}
#: Every element of a list, or every value of an object, in a path.
_EACH = "*"
#: Columns made of the place of a record: its key in an object, its number in a list.
_KEY, _INDEX = "key", "index"
#: Paths that a question names.
_MOST_PATHS = 6


def begins(data: bytes) -> bool:
    """Return True if a text begins as JSON with records in it."""
    return _BEGINS.match(data) is not None


def records(
    name: str, data: bytes, path: str | None, header: Sequence[str], wanted: re.Pattern[str] | None, report: Report
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the records of a file and their lines; of what they stand in only the columns `wanted` (None: all)."""
    try:
        document = _loaded(data)
    except (ValueError, RecursionError):
        found = list(_of_lines(name, data, path, wanted, report))
    else:
        parts = _parts(_sure_path(name, document) if path is None else path)
        apart = document if isinstance(document, list) else [document]
        records = _walk(document, parts, {}, wanted) if parts else (({}, one) for one in apart)
        try:
            found = [(number, *record) for number, record in enumerate(records, 1)]
        except ValueError:
            raise UserError(
                f"{name}: lists of {shown(path or '')!r} have not the same length; name one of them in `records`."
            ) from None
        if not found and document:
            paths = paths_in(document)
            hint = f"paths of it are {', '.join(paths[:_MOST_PATHS])}" if paths else "leave `records` out"
            raise UserError(f"{name}: `records` is {shown(path or '')!r}, and no record is at that path; {hint}.")
    return _as_rows(name, found, header, next((part for part in reversed(_parts(path or "")) if part != _EACH), None))


def _parts(path: str) -> list[str]:
    return [part for part in path.split(".") if part]


def _loaded(text: bytes) -> Any:
    # numbers stay as they are written
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)


def _sure_path(name: str, document: Any) -> str:
    """Return where the records of a document are, if nothing else can be meant."""
    paths = paths_in(document)
    if len(paths) == 1 and paths[0] == _EACH:
        return _EACH
    if not paths:
        return ""
    listed = " or ".join(f"`{flow({'records': path})}`" for path in paths[:_MOST_PATHS])
    raise Incomplete(f"{name}: it is an object of JSON with its rows within it", f"say where they are, {listed}")


def paths_in(value: Any, before: str = "") -> list[str]:
    """Return the paths of an object to lists and objects of records, the outermost first."""
    if not isinstance(value, dict):
        return []
    if value and all(isinstance(one, dict) for one in value.values()) and (len(value) > 1 or not before):
        # records by name, unless there are records within them
        within = {path for one in value.values() for path in paths_in(one, ".")}
        if within == {f".{_EACH}"} and not before:
            return [f"{_EACH}.{_EACH}"]
        if not within:
            return [f"{before}{_EACH}" if before in ("", ".") else before.removesuffix(".")]
    found = []
    for key, one in value.items():
        if isinstance(one, list) and any(isinstance(element, dict | list) for element in one):
            found.append(f"{before}{key}")
        elif isinstance(one, dict):
            found += paths_in(one, f"{before}{key}.")
    return found


def _of_lines(name: str, data: bytes, path: str | None, wanted: re.Pattern[str] | None, report: Report) -> Iterator[Record]:
    """Yield the records of each line."""
    texts = data.split(b"\n")
    for number, raw in enumerate(texts, 1):
        if not raw.strip():
            continue
        if number == len(texts) > 1 and not raw.rstrip().endswith((b"}", b"]")):
            report.add("cut_line", name, number, f"{shown(raw[-60:].decode('utf-8', 'replace'))!r} is the end of the file")
            continue
        try:
            one = _loaded(raw)
        except (ValueError, RecursionError):
            whole = number == 1 or raw[:1].isspace() or raw.strip() in (b"{", b"[")
            what = "the file is no JSON document" if whole else "the line is no JSON object"
            raise UserError(
                f"{name}:{number}: {what}, it may be cut or edited; get it again from the program that wrote it."
            ) from None
        for outer, record in _walk(one, _parts(path), {}, wanted) if path else [({}, one)]:
            yield number, outer, record


def _walk(
    value: Any, parts: list[str], outer: dict[str, Any], wanted: re.Pattern[str] | None
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the records at a path, each with the plain columns of all that it stands in."""
    part = parts[0] if parts else ""
    if isinstance(value, list) or part == _EACH or (not parts and _holds_records(value)):
        rest = parts[1:] if part == _EACH else parts
        items = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
        for key, element in items:
            called = _KEY if isinstance(value, dict) else _INDEX
            told = not (called == _INDEX and isinstance(element, dict)) and (wanted is None or wanted.match(called))
            place = {called if called not in outer else f"{called} 2": str(key)} if told else {}
            yield from _walk(element, rest, outer | place, wanted) if rest else [(outer | place, element)]
    elif not parts:
        yield outer, value
    elif isinstance(value, dict):
        beside = _cells("", {key: one for key, one in value.items() if key != part})
        outer = outer | {key: one for key, one in beside if (wanted is None or wanted.match(key)) and not isinstance(one, list)}
        lists = {key: value[key] for key in part.split(",") if isinstance(value.get(key), list)}
        if "," in part and lists:
            # lists that belong together, element by element
            yield from ((outer, dict(zip(lists, cells, strict=True))) for cells in zip(*lists.values(), strict=True))
        elif part in value:
            yield from _walk(value[part], parts[1:], outer, wanted)


def _holds_records(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(one, dict | list) for one in value.values())


def _as_rows(name: str, found: list[Record], header: Sequence[str], last: str | None) -> tuple[list[dict[str, Any]], list[int]]:
    """Return records as cells; arrays by the names of the header, or of the first one where it has names alone."""
    names = [*header]
    if not names and found and isinstance(found[0][2], list) and all(map(_is_name, found[0][2])):
        names, found = found[0][2], found[1:]
    rows = []
    for number, outer, record in found:
        if isinstance(record, list):
            if names and len(record) != len(names):
                raise UserError(f"{name}:{number}: the array has {len(record)} cells, and {len(names)} names; correct `header`.")
            record = dict(zip(names or map(str, range(1, len(record) + 1)), record, strict=True))
        elif not isinstance(record, dict) and last is not None:
            record = {last: record}
        elif not isinstance(record, dict):
            raise UserError(f"{name}:{number}: the line is no JSON object or array; expected one for each row.")
        rows.append(outer | _row(name, number, record))
    return rows, [number for number, *_ in found]


def _is_name(cell: Any) -> bool:
    return isinstance(cell, str) and re.search("[A-Za-z]", cell) is not None and cell not in ("NaN", "Infinity", "-Infinity")


def _row(name: str, number: int, row: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a JSON object; objects within it give columns such as `config.size`."""
    cells = list(_cells("", row))
    keys = [key for key, _ in cells]
    if len({*keys}) < len(keys):
        double = next(key for key in keys if keys.count(key) > 1)
        raise UserError(f"{name}:{number}: the key {shown(double)!r} occurs twice; correct the line.")
    return {key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in cells}


def _cells(before: str, row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _cells(f"{before}{key.strip()}.", value)
        else:
            yield before + key.strip(), value if isinstance(value, list) else _PLAIN.get(value, value)
