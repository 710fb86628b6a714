"""The files that hold tables, as rows of text with their lines."""

from __future__ import annotations

import csv
import html
import io
import itertools
import json
import math
import operator
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from benchmill.core import UserError, beside, natural_key, shown
from benchmill.readers.interface import Incomplete, Report, Texts, Written, flow
from benchmill.readers.text import UTF_16, ends_open, is_whole
from benchmill.text.display import plural
from benchmill.text.labels import named

if TYPE_CHECKING:
    import pandas as pd

#: Columns that a preset reads; None for all.
_Wanted = re.Pattern[str] | None

#: A column that no file has: the line of a row, in Parquet and Arrow its number.
LINE = "\0line"
#: Another one: the title above a row.
TITLE = "\0title"

#: What files begin with whose columns have types.
TYPED = _PARQUET, _ARROW, _WORKBOOK = b"PAR1", b"ARROW1", b"PK\x03\x04"
#: Bytes that the parts of a workbook may unpack to, at most, and how often its own size.
_MOST_UNPACKED, _MOST_TIMES = 2**30, 200

#: What may stand before a text: the mark of its encoding, and in JavaScript the name that a document gets.
_BEFORE = rb"(?:\xef\xbb\xbf)?(?:\s*window\.\w+ = (?={))?"
_SEPARATORS = "\t;,|"
#: What begins a table in LaTeX, and what stands in it for what its rows have.
_BEGINS_LATEX = re.compile(rb"\\begin\{(?:long)?tab")
_LATEX = {one["stands"].encode(): one["for"].encode() for one in beside.toml(__file__)["latex"]}
#: What begins a table of Markdown or of a database: a line of dashes and bars, perhaps below the names.
_FRAMED = re.compile(rb"(?:[^\n|]*\|[^\n]*\n+)?[ \t]*[-:+|][-:+| \t]*[|+][-:+| \t\r]*(?:\n|$)")
#: What Markdown has around a text in bold or as code, and HTML around one.
_MARKED = re.compile(r"\*\*|`|<(b|strong|i|em|u|code|span|font|a|mark|small)( [^<>|]*)?>([^<>|\n]*)</\1>", re.IGNORECASE)
#: Comments, the last of which stands right above a row.
_COMMENTED = re.compile(rb"(?:[#%][^\n]*\n|[ \t\r]*\n)*?(?P<names>[#%][^\n]*)\n(?P<row>[^#%\s][^\n]*)")
#: What pandas calls a column without a name; so it writes and reads its index.
_UNNAMED = "Unnamed: 0"
#: Columns without names that a spreadsheet leaves at the end of a first line.
_UNNAMED_AT_THE_END = re.compile(rb"[^\n]*[^;,\t\r\n](;;+|,,+|\t\t+)\r?\n")


@dataclass(frozen=True)
class File:
    """Rows as text with `LINE`; the last cell in `open_column` may be cut."""

    name: str
    frame: pd.DataFrame
    open_column: str | None = None


def is_text(data: bytes) -> bool:
    """Return True unless a file begins as JSON or with typed columns."""
    return not (data.startswith(TYPED) or begins_as_json(data))


def separator_of(header: str) -> str:
    """Return the likeliest separator of a line."""
    return max(_SEPARATORS, key=lambda c: (header.count(c), -_SEPARATORS.index(c)))


def has_separator(header: bytes) -> bool:
    """Return True if a line has a separator other than a blank."""
    return any(c.encode() in header for c in _SEPARATORS)


def read(
    name: str,
    data: bytes,
    report: Report,
    header: Sequence[str],
    separator: str | None,
    records: str | None = None,
    wanted: _Wanted = None,
) -> File:
    """Read a file in any of these formats but a workbook, by the options of its source; `wanted` are columns of a preset."""
    if data.startswith(TYPED):
        return _typed(name, data)
    data = plain(name, data)
    if begins_as_json(data):
        # planning imports this module, and has no use for pandas otherwise
        import pandas as pd

        rows, lines = _records(name, data, records, header, wanted, report)
        return File(name, pd.DataFrame(rows, dtype="str").fillna("").assign(**{LINE: lines}))
    file = _text(name, data, report, header, separator)
    frame, first = file.frame, file.frame.iloc[:, 0]
    commented = first.str.startswith("#")
    if commented.any() and not commented.all():
        raise UserError(
            f"{name}:{frame[LINE][commented].iat[0]}: the line begins with '#' as comments do, and other rows do not; leave it "
            "out, or write the name in it without that."
        )
    if first.name == _UNNAMED and first.tolist() == [str(i) for i in range(len(frame))]:
        report.add("index_column", name, 1, "the first column numbers the rows from 0")
        return replace(file, frame=frame.drop(columns=_UNNAMED))
    return file


def read_beside(path: str, what: str, option: str, report: Report) -> File:
    """Read a table that an option of a source names."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the {what} cannot be read ({error.strerror}); correct `{option}`.") from None
    data, separator = without_workbook(path, data, None, None if has_separator(data.partition(b"\n")[0]) else " ")
    return read(Path(path).name, data, report, (), separator)


def without_workbook(name: str, data: bytes, sheet: str | None, separator: str | None) -> tuple[bytes, str | None]:
    """Return a workbook's sheet as CSV, and its separator; any other file as it is."""
    return (_workbook(name, data, sheet), ",") if data.startswith(_WORKBOOK) else (data, separator)


def titled(name: str, data: bytes, separator: str | None, no_header: bool) -> tuple[bytes, dict[int, str]]:
    """Empty the lines of a single cell, and return by its line the title above each other row."""
    if not is_text(data):
        raise UserError(f"{name}: `titles` are lines of a text, and this file is not one; leave `titles` out.")
    rows = [row.strip() for row in plain(name, data).split(b"\n")]
    character = (separator or separator_of(max(rows, key=len).decode("utf-8", "replace"))).encode()
    titles: dict[int, str] = {}
    title = None
    for line, row in enumerate(rows, 1):
        if row and len(row.split(None if character == b" " else character)) == 1:
            title, rows[line - 1] = row.decode("utf-8", "replace").strip('"'), b""
        elif row and title is None and (no_header or titles):
            raise UserError(
                f"{name}:{line}: the row has no title above it, a line of a single cell; correct it or leave out `titles`."
            )
        elif row:
            titles[line] = title or ""
    return b"\n".join(rows), titles


def in_lines(name: str, data: bytes, lines: str) -> bytes:
    """Return a text with nothing but some of its lines, in their places."""
    rows = plain(name, data).split(b"\n")
    first, last = map(int, lines.split("-"))
    if not 0 < first < last <= len(rows):
        raise UserError(f"{name}: `lines` is {lines}, and the file has {len(rows)} lines; say where the table stands in it.")
    return b"\n".join(row if first <= number <= last else b"" for number, row in enumerate(rows, 1))


def tables_in(text: str) -> Texts:
    """Return the lines of tables within a text, each with its separator: lines of as many cells below one of names alone."""
    tables = {}
    taken: set[int] = set()
    rows = text.splitlines()
    for separator in ("|", "\t", ";", ",", " "):
        cells = [row.strip().strip("|").split(None if separator == " " else separator) for row in rows]
        first = 0
        for last in range(1, len(rows) + 1):
            # a line of dashes is within what is above it
            if last < len(rows) and (_is_drawn(cells[last]) or len(cells[last]) == len(cells[first])):
                continue
            names, *below = cells[first:last]
            below, lines = [row for row in below if not _is_drawn(row)], range(first, last)
            is_wide = len(names) > (2 if separator == " " else 1)
            if is_wide and len(below) > 1 and taken.isdisjoint(lines) and _is_header(names, below):
                tables[f"{first + 1}-{last}"] = separator
                taken.update(lines)
            first = last
    return {lines: tables[lines] for lines in sorted(tables, key=natural_key)}


def _is_drawn(row: Sequence[str]) -> bool:
    """Return True for a line of dashes."""
    return bool(text := "".join(row)) and not text.strip("-:=+ \t")


def _is_header(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return True if names have letters, and one of the columns below them has numbers alone."""
    number = re.compile(r"[\s*]*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*(?:[nuµm]?s|sec|min|h|%)?[\s*]*").fullmatch
    columns = zip(*below, strict=True)
    # an index that pandas writes has no name
    named = names if names[0].strip() else names[1:]
    return all(re.search("[A-Za-z]", name) for name in named) and any(all(map(number, cells)) for cells in columns)


def cells(data: bytes) -> int:
    """Return about how many cells a file holds, 0 where it cannot be read."""
    if data.startswith(_WORKBOOK):
        return _unpacked(data) // 8
    if data.startswith(TYPED):
        try:
            if data.startswith(_ARROW):
                return math.prod(pa.ipc.open_file(pa.BufferReader(data)).read_all().shape)
            metadata = pq.read_metadata(pa.BufferReader(data))
        except (pa.ArrowInvalid, OSError):
            return 0
        return int(metadata.num_rows * metadata.num_columns)
    if begins_as_json(data):
        return max(data.count(b":"), data.count(b","))
    first = data[: 2**16].lstrip(b"\r\n").partition(b"\n")[0]
    return data.count(b"\n") * (max(*(first.count(c.encode()) for c in _SEPARATORS), len(first.split()) - 1) + 1)


def plain(name: str, data: bytes) -> bytes:
    """Return a text in UTF-8 without what may precede it."""
    if data.startswith(UTF_16):
        try:
            return data.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise UserError(f"{name}: it begins as a text in UTF-16 and is none; save the table in UTF-8.") from None
    text = re.sub(_BEFORE, b"", data, count=1)
    if not _BEGINS_LATEX.search(text):
        return _with_names(text)
    for pattern, replacement in _LATEX.items():
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    # the rows of its tables in their lines
    return b"\n".join(row.strip() if b"|" in row else b"" for row in text.split(b"\n"))


def _with_names(text: bytes) -> bytes:
    """Return a text whose names are a comment right above its first row with these as a line of their own."""
    match = _COMMENTED.match(text)
    if match is None:
        return text
    names, row = match["names"].lstrip(b"#% \t"), match["row"]
    separator = separator_of(row.decode("utf-8", "replace")) if has_separator(row) else None
    cells = [[cell.strip() for cell in line.decode("utf-8", "replace").split(separator)] for line in (names, row)]
    is_header = 1 < len(cells[0]) == len(cells[1]) and _is_header(cells[0], cells[1:])
    return text[: match.start("names")] + names + text[match.end("names") :] if is_header else text


def _typed(name: str, data: bytes) -> File:
    try:
        source = pa.BufferReader(data)
        table = pa.ipc.open_file(source).read_all() if data.startswith(_ARROW) else pq.read_table(source)
        columns = [pc.fill_null(column.cast(pa.string()), "") for column in table.columns]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise UserError(
            f"{name}: it cannot be read as a table in Parquet or Arrow ({shown(str(error))}); get it again."
        ) from None
    frame = pa.table(columns, names=table.column_names).to_pandas()
    return File(name, frame.assign(**{LINE: range(1, len(frame) + 1)}))


def _unpacked(data: bytes) -> int:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            return sum(part.file_size for part in parts.infolist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return 0


def _workbook(name: str, data: bytes, sheet: str | None) -> bytes:
    """Return a sheet of a workbook as CSV."""
    size = _unpacked(data)
    if size > _MOST_UNPACKED or size > max(2**26, _MOST_TIMES * len(data)):
        raise UserError(f"{name}: the workbook unpacks to {size} bytes, more than a table may; save the sheet as CSV.")
    import pandas as pd

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            about = b"".join(parts.read(part) for part in parts.namelist() if part.startswith("xl/workbook"))
        # formulas that a program left to be computed are read, and not what it wrote for their values
        how = {"data_only": b'fullCalcOnLoad="1"' not in about}
        book = pd.read_excel(
            io.BytesIO(data), sheet_name=None, engine="openpyxl", header=None, dtype=object, na_filter=False, engine_kwargs=how
        )
    except ImportError:
        raise UserError(
            f"{name}: it is a workbook of Excel, which openpyxl reads; run `pip install 'benchmill[excel]'`, or save the sheet "
            "as CSV."
        ) from None
    except Exception as error:  # whatever a damaged workbook raises inside of the library
        raise UserError(f"{name}: the workbook cannot be read ({shown(str(error))}); save the sheet as CSV.") from None
    sheets = [str(one) for one in book]
    if sheet not in sheets and (sheet is not None or len(sheets) != 1):
        sheets_there = f"no sheet {sheet!r}" if sheet is not None else f"{len(sheets)} sheets"
        raise UserError(
            f"{name}: the workbook has {sheets_there}; name one of {', '.join(map(named, sheets))} in the source's entry "
            "(`sheet: ...`)."
        )
    cells = book[sheet or sheets[0]].map(_cell)
    filled = (cells != "").to_numpy()
    # rows without cells have an empty line, what is right of all others is left out
    cells = cells.loc[:, np.cumsum(filled.any(0)[::-1])[::-1] > 0]
    rows = [row if some else [] for row, some in zip(cells.to_numpy().tolist(), filled.any(1), strict=True)]
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue().encode()


def _cell(cell: Any) -> str:
    if isinstance(cell, float):
        # pandas has no number for an error such as #DIV/0!
        return "#ERROR!" if cell != cell else str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return "" if cell is None else " ".join((cell.isoformat() if hasattr(cell, "isoformat") else str(cell)).split())


def without_frame(rows: Sequence[str]) -> list[str | None]:
    """Return rows without the frame of Markdown, which need not be closed, and of databases; None for `|---|---|`."""
    plain = [row.strip() for row in rows]
    # a dash alone may stand for no number
    drawn = [_is_drawn(row.split("|")) and (number == 1 or re.search("[-:]-", row)) for number, row in enumerate(plain)]
    if not any(re.search("[|+]", row) for row in itertools.compress(plain, drawn)):
        return list(rows)
    return [None if is_rule else row.removeprefix("|").removesuffix("|") for row, is_rule in zip(plain, drawn, strict=True)]


def _text(name: str, data: bytes, report: Report, header: Sequence[str], separator: str | None) -> File:
    data = whole = data if b"\n" in data else data.replace(b"\r", b"\n")  # lines as on an old Macintosh
    before, _, last = _checked(name, data).rpartition(b"\n")
    if blanks := separator == " ":
        # a line of dashes is no row
        rows = [line if line.strip(b"-:=+ \t\r") else b"" for line in data.split(b"\n")]
        data, separator = b"\n".join(b"\t".join(row.split()) for row in rows), "\t"
    skipped = 0
    while data.startswith((b"#", b"%", b"\n", b"\r")):
        data, skipped = data.partition(b"\n")[2], skipped + 1
    lines = [skipped + i for i, line in enumerate(data.split(b"\n"), 1) if line.strip(b"\r")]
    if separator in (None, "|") and _FRAMED.match(data.lstrip(b"\r\n")):
        framed = without_frame([row for row in data.decode().splitlines() if row.strip()])
        lines = [line for line, row in zip(lines, framed, strict=True) if row is not None]
        # what Markdown, and HTML in it, sets in bold or as code
        plain = re.sub(_MARKED, r"\3", "".join(f"{row}\n" for row in framed if row is not None))
        data = re.sub("&(amp|lt|gt|nbsp);", lambda entity: html.unescape(entity[0]), plain).encode()
        separator, last = "|", b"" if last.rstrip().endswith(b"|") else last
    if not header and (unnamed := _UNNAMED_AT_THE_END.match(data.lstrip(b"\r\n"))):
        # a line that ends so is whole
        data, last = _without(unnamed[1], data), b""
    first = data.lstrip(b"\r\n").partition(b"\n")[0]
    if not first.strip():
        raise UserError(f"{name}: the table has no header line; expected a first line with the names of the columns.")
    bad = []

    def remember(row: pa_csv.InvalidRow) -> str:
        bad.append(row)
        return "error"

    try:
        separator = separator or separator_of(first.decode())
        # in Markdown a bar within a cell has a backslash before it
        parse = pa_csv.ParseOptions(delimiter=separator, escape_char=separator == "|" and "\\", invalid_row_handler=remember)
        generated = pa_csv.read_csv(io.BytesIO(first + b"\n"), pa_csv.ReadOptions(use_threads=False), parse).column_names
        names = _named(f"{name}:{lines[0]}", generated, header)
        table = pa_csv.read_csv(
            io.BytesIO(data),
            pa_csv.ReadOptions(
                use_threads=False,
                block_size=max(1 << 20, min(len(data) + 1, 1 << 30)),
                column_names=names if header else None,
            ),
            parse,
            # which leaves them as they are
            pa_csv.ConvertOptions(column_types=dict.fromkeys(names if header else generated, pa.string())),
        )
    except (pa.ArrowInvalid, ValueError) as error:
        if not bad:
            raise UserError(
                f"{name}: it cannot be read as a table ({shown(str(error))}); check `separator` and quotes."
            ) from None
        row = bad[0]
        line = lines[min(row.number, len(lines)) - 1] if row.number else lines[0] + 1
        what = f"the row has {plural(row.actual_columns, 'cell')}, the header {row.expected_columns}"
        if not (last.strip() and line == lines[-1] and row.actual_columns < row.expected_columns):
            if within := " or ".join(f"`lines: {lines}`" for lines in tables_in(whole.decode())):
                raise Incomplete(
                    f"{name}:{line}: {what}",
                    f"correct the row or `separator`, or say in which lines the table to read stands, {within}",
                ) from None
            raise UserError(f"{name}:{line}: {what}; correct the row or `separator`.") from None
        report.add("cut_line", name, line, what)
        return _text(name, before + b"\n", report, header, " " if blanks else separator)
    begin = 0 if header else 1
    if len(lines) - begin != table.num_rows:
        # quoted cells hold line breaks
        lines = _first_lines(data, skipped)
        table = pa.table([pc.replace_substring_regex(cells, r"\s*\n\s*", " ") for cells in table.columns], table.column_names)
    if len(lines) - begin != table.num_rows:
        raise UserError(f"{name}: quoted cells hold line breaks, and other cells quotes; remove these.")
    frame = table.rename_columns(names).to_pandas().assign(**{LINE: lines[begin:]})
    text = last.decode()
    is_open = len(frame) > 0 and text.strip() and ends_open(text) and not (blanks and text[-1].isspace())
    cell = text.split(None if blanks else separator)[-1] if is_open else ""
    others = frame[names[-1]][:-1].str.strip()
    return File(name, frame, names[-1] if is_open and not is_whole(cell, others) else None)


def _without(ends: bytes, data: bytes) -> bytes:
    """Return lines without an end that all of them have."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return (
        b"\n".join(line.removesuffix(ends) for line in lines)
        if all(line.endswith(ends) for line in filter(None, lines))
        else data
    )


def _first_lines(data: bytes, skipped: int) -> list[int]:
    """Return the lines in which rows begin whose quoted cells may hold line breaks."""
    rows = data.split(b"\n")
    within = itertools.accumulate((row.count(b'"') % 2 for row in rows), operator.xor, initial=0)
    return [skipped + i for i, (row, inside) in enumerate(zip(rows, within, strict=False), 1) if row.strip(b"\r") and not inside]


def _checked(name: str, data: bytes) -> bytes:
    if b"\0" in data:
        raise UserError(f"{name}: it holds binary data; expected a table in CSV, TSV, JSON lines, Parquet or Arrow.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{name}:{line}: the text is not in UTF-8; save the table in UTF-8.") from None
    return data


def _named(where: str, columns: Sequence[str], header: Sequence[str]) -> list[str]:
    if len(header) > len(columns):
        raise UserError(f"{where}: the row has {len(columns)} cells, `header` {len(header)} names; correct one of them.")
    given = [*header, *(str(i) for i in range(1, len(columns) - len(header) + 1))] if header else columns
    names = [name.strip() for name in given]
    names[0] = names[0] or _UNNAMED
    if double := sorted(name for name, count in Counter(names).items() if count > 1):
        raise Incomplete(
            f"{where}: the column {double[0]!r} occurs more than once",
            "rename one of them, or say in which lines the table stands, that of the names first (`lines: first-last`); if the "
            "first line has no names, name the columns, as in `header: [problem, algorithm, cost]`",
        )
    return names


# ---- JSON: records at a path into a document, or one record a line ---------------------------------------------------

#: The line of a record, or its number where it has no line of its own, the columns of what it stands in, and the record.
Record = tuple[int, Written, Any]

_BEGINS = re.compile(
    _BEFORE + rb'\s*(?:(?:\[\s*)*\{\s*"|\[\s*(?:\[\s*)*(?:"(?:[^"\\\n]|\\.)*"|[-0-9][0-9.eE+-]*|null|true|false)\s*,)'
)
#: What is no text in JSON, as it stands there.
_PLAIN: dict[Any, str] = {True: "true", False: "false", None: ""}
#: Every element of a list, or every value of an object, in a path.
_EACH = "*"
#: Columns made of the place of a record: its key in an object, its number in a list.
_KEY, _INDEX = "key", "index"
#: A text with a letter that stands for no number.
_LETTERS = "^(?!-?Infinity$|NaN$).*[A-Za-z]"
#: Paths that a question names.
_MOST_PATHS = 6


def begins_as_json(data: bytes) -> bool:
    """Return True if a text begins as JSON with records in it."""
    return _BEGINS.match(data) is not None


def _records(
    name: str, data: bytes, path: str | None, header: Sequence[str], wanted: _Wanted, report: Report
) -> tuple[list[Written], list[int]]:
    """Return the records of a file and their lines; of the enclosing objects only the columns `wanted` (None: all)."""
    parts, called = _parts(path or ""), named(path or "")
    try:
        document = loaded(name, data)
    except (ValueError, RecursionError):
        numbered = list(_json_lines(name, data, report))
        document = [one for _, one in numbered]
    else:
        parts = parts if path is not None else _parts(_sure_path(name, document))
        numbered = [(0, one) for one in (document if isinstance(document, list) and not parts else [document])]
    records: list[Record] = []
    try:
        for line, one in numbered:
            around = {_INDEX: str(line)} if line and wanted and wanted.match(_INDEX) else {}
            for record in _walk(one, parts, around, wanted) if parts else [(around, one)]:
                records.append((line or len(records) + 1, *record))
    except ValueError:
        raise UserError(f"{name}: lists of {called} have not the same length; name one of them in `records`.") from None
    there = [record for record in records if record[2] is not ...]
    if document and not there:
        paths = paths_in(document)
        hint = f"paths of it are {', '.join(paths[:_MOST_PATHS])}" if paths else "leave `records` out"
        raise UserError(f"{name}: `records` is {called}, and no record is at that path; {hint}.")
    if lacking := [number for number, _, one in records if one is ...]:
        report.add(
            "record_without_path",
            name,
            lacking[0],
            f"{len(lacking)} of {len(records)} records have nothing at {called}, and are left out",
            len(lacking),
        )
    return _as_rows(name, there, header, [part for part in _parts(path or "") if part != _EACH][-1:], wanted)


def _parts(path: str) -> list[str]:
    """Return the keys of a path; a point within a key has a backslash before it."""
    return [part.replace("\\.", ".") for part in re.split(r"(?<!\\)\.", path) if part]


def loaded(name: str, data: bytes, line: int = 1) -> Any:
    """Return a document of JSON with its numbers as they are written, which begins in a line of its file.

    Raises
    ------
    ValueError, RecursionError
        It is none.
    UserError
        An object has a key twice, with different values.
    """

    def once(pairs: list[tuple[str, Any]]) -> Written:
        result = dict(pairs)
        if len(result) < len(pairs) and any(result[key] != value for key, value in pairs):
            raise _contradiction(name, data.decode("utf-8", "replace"), line)
        return result

    return json.loads(data, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=once)


def _contradiction(name: str, text: str, line: int) -> UserError:
    """Return the error about the first key that an object of JSON has twice."""
    objects: list[dict[str, int]] = []
    for token in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]', text):
        if token[0] in "{}":
            objects = [*objects, {}] if token[0] == "{" else objects[:-1]
        elif token[2] and (first := objects[-1].setdefault(key := json.loads(f'"{token[1]}"'), token.start())) != token.start():
            one, other = (line + text.count("\n", 0, at) for at in (first, token.start()))
            return UserError(f"{name}:{one} and {name}:{other}: both have the key {named(key)} of one object; keep one.")
    raise AssertionError("no key is there twice")


def _sure_path(name: str, document: Any) -> str:
    """Return where the records of a document are, if nothing else can be meant."""
    paths = paths_in(document) if isinstance(document, dict) else []
    if paths in ([], [_EACH]):
        return "".join(paths)
    listed = " or ".join(f"`{flow({'records': path})}`" for path in paths[:_MOST_PATHS])
    raise Incomplete(f"{name}: it is an object of JSON with its rows within it", f"say where they are, {listed}")


def paths_in(value: Any, before: str = "") -> list[str]:
    """Return the paths of an object to lists and objects of records, the outermost first."""
    if isinstance(value, list) and not before:
        return [*dict.fromkeys(path for one in value[:_MOST_PATHS] for path in paths_in(one) if path != _EACH)]
    if not isinstance(value, dict):
        return []
    if len(value) > 1 and all(isinstance(one, list) for one in value.values()) and not re.search("[.,]", "".join(value)):
        # columns, which lists of one length are
        plain = not any(isinstance(cell, list | dict) for one in value.values() for cell in one)
        if plain and len({*map(len, value.values())}) == 1:
            return [f"{before}{','.join(value)}"]
    if value and all(isinstance(one, dict) for one in value.values()) and (len(value) > 1 or not before):
        # records by name, unless there are records within them
        within = {path for one in value.values() for path in paths_in(one, ".")}
        if len(within) < 2 and (len(value) > 1 or not within or within == {f".{_EACH}"}):
            of_all = f"{before}{_EACH}{''.join(within)}"
            return [of_all if within or before in ("", ".") else before.removesuffix(".")]
    # lists of like records by name
    if len(value) > 1 and all(map(_are_objects, value.values())) and len({frozenset(one[0]) for one in value.values()}) == 1:
        return [f"{before}{_EACH}.{_EACH}"]
    paths = []
    for key, one in ((key.replace(".", "\\."), one) for key, one in value.items()):
        if isinstance(one, list) and any(isinstance(element, dict | list) for element in one):
            paths.append(f"{before}{key}")
            inner = (item for element in one[:_MOST_PATHS] if isinstance(element, dict) for item in element.items())
            paths += [f"{before}{key}." + name.replace(".", "\\.") for name, rows in inner if _are_objects(rows)]
        elif isinstance(one, dict):
            paths += paths_in(one, f"{before}{key}.")
    return [*dict.fromkeys(paths)]


def _are_objects(value: Any) -> bool:
    """Return True for a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _json_lines(name: str, data: bytes, report: Report) -> Iterator[tuple[int, Any]]:
    """Yield the line of each document of a text that has one in each line, and the document."""
    texts = data.split(b"\n")
    for number, raw in enumerate(texts, 1):
        if number == len(texts) > 1 and raw.strip() and not raw.rstrip().endswith((b"}", b"]")):
            report.add("cut_line", name, number, f"{shown(raw[-60:].decode('utf-8', 'replace'))!r} is the end of the file")
        elif raw.strip():
            try:
                yield number, loaded(name, raw, number)
            except (ValueError, RecursionError):
                whole = number == 1 or raw[:1].isspace() or raw.strip() in (b"{", b"[")
                what = "the file is no JSON document" if whole else "the line is no JSON object"
                raise UserError(
                    f"{name}:{number}: {what}, it may be cut or edited; get it again from the program that wrote it."
                ) from None


def _walk(value: Any, parts: list[str], outer: Written, wanted: _Wanted) -> Iterator[tuple[Written, Any]]:
    """Yield the records at a path, each with the plain columns of all enclosing objects."""
    part, *rest = parts or [""]
    records = isinstance(value, dict) and bool(value) and all(isinstance(one, dict | list) for one in value.values())
    if isinstance(value, list) or part == _EACH or (not parts and records):
        rest = rest if part == _EACH else parts
        items = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
        called = _KEY if isinstance(value, dict) else _INDEX
        taken = sum(name == called or name.startswith(f"{called} ") for name in outer)
        column = f"{called} {taken + 1}" if taken else called
        for key, element in items:
            is_wanted = wanted.match(called) if wanted else called == _KEY or not isinstance(element, dict)
            around = outer | {column: str(key)} if is_wanted else outer
            yield from _walk(element, rest, around, wanted) if rest else [(around, element)]
    elif not parts:
        yield outer, value
    elif isinstance(value, dict):
        beside = _flattened("", {key: one for key, one in value.items() if key != part})
        outer = outer | {key: one for key, one in beside if (wanted is None or wanted.match(key)) and not isinstance(one, list)}
        lists = {key: value[key] for key in part.split(",") if isinstance(value.get(key), list)}
        if "," in part and lists:
            # lists that belong together, element by element
            yield from ((outer, dict(zip(lists, cells, strict=True))) for cells in zip(*lists.values(), strict=True))
        elif part in value:
            yield from _walk(value[part], rest, outer, wanted)
        else:
            yield outer, ...


def _as_rows(
    name: str, records: list[Record], header: Sequence[str], last: list[str], wanted: _Wanted
) -> tuple[list[Written], list[int]]:
    """Return records as cells; arrays by the names of the header, or of the first one if it has only names."""
    names = [*header]
    first = records[0][2] if records else None
    if not names and isinstance(first, list) and all(isinstance(cell, str) and re.search(_LETTERS, cell) for cell in first):
        names, records = first, records[1:]
    rows = []
    for number, outer, record in records:
        if isinstance(record, list):
            if names and len(record) != len(names):
                raise UserError(f"{name}:{number}: the array has {len(record)} cells, and {len(names)} names; correct `header`.")
            record = dict(zip(names, record, strict=True)) if names else _counted(record)
        elif not isinstance(record, dict):
            if not last:
                raise UserError(f"{name}:{number}: the line is no JSON object or array; expected one for each row.")
            record = {last[0]: record}
        cells = list(_flattened("", record))
        # of lists within it columns such as `cost.1` are wanted
        inner = [one for key, cell in cells if isinstance(cell, list) for one in _flattened(f"{key}.", _counted(cell))]
        cells += [(key, cell) for key, cell in inner if wanted and wanted.fullmatch(key)]
        keys = [key for key, _ in cells]
        if len({*keys}) < len(keys):
            double = next(key for key in keys if keys.count(key) > 1)
            raise UserError(f"{name}:{number}: the key {named(double)} occurs twice; correct the line.")
        rows.append(outer | {key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in cells})
    return rows, [number for number, *_ in records]


def _counted(cells: Sequence[Any]) -> Written:
    """Return the elements of a list by their numbers."""
    return {str(number): cell for number, cell in enumerate(cells, 1)}


def _flattened(before: str, row: Written) -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _flattened(f"{before}{key.strip()}.", value)
        else:
            yield before + key.strip(), value if isinstance(value, list) else _PLAIN.get(value, value)
