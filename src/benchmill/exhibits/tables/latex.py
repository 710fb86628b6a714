"""Tables as LaTeX: `tabular` with `booktabs`, without float or label.

What does not fit in type of 8 pt is set in 7 pt, or in parts that repeat the key columns. Long tables are parts that break over
pages; in a float, parts taller than the page are an error.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from benchmill.core import UserError, beside
from benchmill.text import display
from benchmill.text.display import Cell, Column, Table
from benchmill.text.widths import PRESETS

#: Printed lines from which a table is no float: it breaks over pages.
LONG = 45

#: Points of a column and of a line of text, the gap of a column of a table, and the most a column of prose takes.
_WIDTHS_OF_PAGE = (PRESETS["ieee"]["column"], PRESETS["ieee"]["text"])
#: Sizes of type that are tried, in points.
_SIZES = (8, 7)
_GAP = 6.0
_WRAP = 140.0

#: Widths of Computer Modern Roman by character, in thousandths of the type size (cmr10.tfm); at 8 pt the
#: letters are 1/16 wider.
_WIDTHS = {character: int(width) for width, characters in beside.toml(__file__).items() for character in characters}
_POINTS = 8 * 17 / 16 / 1000


_ACROSS = r"""\ifdim\linewidth<%.0fpt\PackageError{benchmill}{The table %s was ordered for the width of the text}%%
{Put it into a table*, or order it with `width: column`.}\fi"""

#: In a float (where `\@captype` is defined) the parts of a table stand in a box, so that their height is known.
_BOXED = r"\ifcsname @captype\endcsname\setbox0=\vbox\bgroup\fi"
_UNBOXED = r"""\par\ifcsname @captype\endcsname\egroup
\ifdim\dimexpr\ht0+\dp0\relax>\textheight
\PackageError{benchmill}{The table %s is taller than the page, so that a float cuts it off}{Input it in the text,
 outside of a float, where it breaks over pages, or order a table with fewer rows or columns (tables: in the study).}\fi
\unvbox0 \fi"""


def render(
    table: Table,
    *,
    widths: tuple[float, float] = _WIDTHS_OF_PAGE,
    height: float = PRESETS["ieee"]["height"],
    width: str | None = None,
) -> str:
    r"""Return a table as LaTeX, after a comment with its title, caption and package.

    A table wider than a column (`widths`: of column and text, in points) stands there twice: LaTeX takes what fits `\linewidth`.
    One of the `width` `column` or `text` stands there for it alone, in one piece, or raises UserError, as one does that is higher
    than the points of a float.
    """
    head = [f"% {display.tex(table.title)}", f"% {display.tex(table.caption)}", "% needs: booktabs"]
    if not table.n_rows:
        return "\n".join([*head, r"\emph{There are no rows.}", ""])
    # a table begins its own paragraph
    body = [r"\par\begingroup\setlength{\parindent}{0pt}\setlength{\tabcolsep}{3pt}"]
    column, text = widths
    if width:
        _refuse_large(table, width, *widths, height)
        lines = [text if width == "text" else column]
    else:
        lines = [text, column]
    layouts = {line: _layout(table, line) for line in lines}
    pages = [table] if width else _pages(table)
    stacked = len(pages) > 1 or any(len(parts) > 1 for _, parts in layouts.values())
    body += [_BOXED] if stacked else []
    if len({str(layout) for layout in layouts.values()}) == 1:
        if width == "text":
            body += [_ACROSS % (text - 1, table.name)]
        body += _set(pages, layouts[lines[0]])
    else:
        # a point less, for what the class rounds
        body += [rf"\ifdim\linewidth<{text - 1:.0f}pt"]
        body += [*_set(pages, layouts[column]), r"\else", *_set(pages, layouts[text]), r"\fi"]
    body += [_UNBOXED % table.name] if stacked else []
    return "\n".join([*head, *body, r"\par\endgroup", ""])


def _refuse_large(table: Table, width: str, column: float, text: float, height: float) -> None:
    """Raise an error that says what would fit, if a table does not."""
    line = column if width == "column" else text
    size, parts = _layout(table, line)
    if len(parts) > 1:
        most = max(map(len, split(table, line, _SIZES[-1])))
        instead = "`width: text` (in a table*), or " if width == "column" and len(split(table, text, _SIZES[-1])) == 1 else ""
        raise UserError(
            f"tables: {table.name}: {len(table.columns)} columns do not fit into {width} of {line:.0f} pt, expected about "
            f"{most}; order {instead}fewer algorithms or targets."
        )
    # headings and rules, and what \\addlinespace leaves between sections
    rows, beside = _height(table) - sum(not s.heading for s in table.sections), 3 * size + 4 * (len(table.sections) - 1)
    if rows > (most := int((height - beside) / (1.2 * size))):
        raise UserError(
            f"tables: {table.name}: {rows} lines do not fit into a float of {height:.0f} pt, expected at most {most}; order "
            "fewer problems, targets or algorithms, or leave `width` out and input the table outside of a float, where it breaks "
            "over pages."
        )


def _layout(table: Table, line: float) -> tuple[int, list[list[int]]]:
    """Return the size of the type and the columns of each part: smaller type before fewer columns."""
    parts = {size: split(table, line, size) for size in _SIZES}
    size = next((size for size in _SIZES if len(parts[size]) == 1), _SIZES[0])
    return size, parts[size]


def _set(pages: Sequence[Table], layout: tuple[int, list[list[int]]]) -> list[str]:
    size, parts = layout
    body = [rf"\fontsize{{{size}}}{{{1.2 * size:.1f}}}\selectfont"]
    for place, (page, columns) in enumerate(product(pages, parts)):
        # not \medskip, which acmart warns of
        body += [r"\par\ifvmode\vskip\medskipamount\fi"] if place else []
        body += _part(page, columns, size / _SIZES[0])
    return body


def _pages(table: Table) -> list[Table]:
    """Return a table of more than `LONG` lines as tables of about that many, none with rows of two sections."""
    if _height(table) <= LONG:
        return [table]
    pages = []
    for section in table.sections:
        lines = np.array([_lines(table, row) for row in section.rows])
        # the part in which each row begins
        parts = (np.cumsum(lines) - lines) // LONG
        rows = [tuple(section.rows[i] for i in np.flatnonzero(parts == part)) for part in np.unique(parts)]
        pages += [replace(table, sections=(replace(section, rows=own),)) for own in rows]
    return pages


def is_long(table: Table) -> bool:
    """Return True if a table is too long for a float: more than `LONG` printed lines in all its parts."""
    # no row takes less than a line: a large table need not be measured
    return table.n_rows + len(table.sections) > LONG or _height(table) * max(1, len(split(table))) > LONG


def _height(table: Table) -> int:
    return sum(_lines(table, row) for row in table.rows) + len(table.sections)


def _lines(table: Table, row: Sequence[Cell]) -> int:
    """Return how many lines a row takes: more than one where a name or prose breaks."""
    # words do not fill their lines: a fifth is lost
    return max(max(1, math.ceil(1.2 * _length(cell.text) / _WRAP)) if column.align == "l" and _length(cell.text) > _WRAP else 1
               for cell, column in zip(row, table.columns, strict=True))  # fmt: skip


def split(table: Table, line: float = _WIDTHS_OF_PAGE[1], size: int = _SIZES[0]) -> list[list[int]]:
    """Return the columns of each part: all key columns, and others in as few equal parts as fit."""
    widths = np.array([(_width(table, i) - _GAP) * size / _SIZES[0] + _GAP for i in range(len(table.columns))])
    is_key = np.array([column.key for column in table.columns], bool)
    keys, others = np.flatnonzero(is_key), np.flatnonzero(~is_key)
    room, parts = line - widths[keys].sum(), [others]
    while len(parts) < others.size and any(widths[part].sum() > room for part in parts):
        parts = np.array_split(others, len(parts) + 1)
    return [sorted([*keys.tolist(), *part.tolist()]) for part in parts]


def _width(table: Table, i: int) -> float:
    column, cells = table.columns[i], [row[i] for row in table.rows]
    widest = max((_length(cell.text) * (1.17 if cell.best else 1.0) for cell in cells), default=0.0)
    if column.align == "l":
        widest = min(widest, _WRAP)
    return max(widest, min(_length(column.header), _WRAP)) + _GAP


def _wraps(table: Table, i: int) -> bool:
    column = table.columns[i]
    return column.wrap or (column.align == "l" and any(_length(row[i].text) > _WRAP for row in table.rows))


@lru_cache(2**16)
def _length(text: str) -> float:
    """Return the points that a text takes in type of 8 pt, as LaTeX will print it."""
    total = 0.0
    for c in text:
        width: float | None = _WIDTHS.get(c)
        if width is None:
            printed = display.tex(c)
            width = _length(printed) / _POINTS if printed.startswith("[U+") else 700
        total += width * _POINTS
    return total


def _part(table: Table, columns: Sequence[int], scale: float) -> list[str]:
    wraps = {i: _wraps(table, i) for i in columns}
    spec = "".join(rf"p{{{scale * (_width(table, i) - _GAP):.0f}pt}}" if wraps[i] else table.columns[i].align for i in columns)
    lines = [
        rf"\begin{{tabular}}{{@{{}}{spec}@{{}}}}",
        r"\toprule",
        _row(_header(table.columns[i]) for i in columns),
        r"\midrule",
    ]
    for place, section in enumerate(table.sections):
        if place:
            lines.append(r"\addlinespace")
        if section.heading:
            # \rlap: a heading must not widen the columns below it
            lines.append(
                rf"\multicolumn{{{len(columns)}}}{{@{{}}l@{{}}}}{{\rlap{{\textit{{{display.tex(section.heading)}}}}}}}\\"
            )
        lines += [_row(_cell(row[i], wraps[i]) for i in columns) for row in section.rows]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    # a row that starts like an argument would be read as one by the \\ or rule before it
    return f"{'{}' if row[:1] in ('[', '*') else ''}{row} \\\\"


def _header(column: Column) -> str:
    if _length(column.header) > _WRAP:
        return rf"\multicolumn{{1}}{{p{{{_WRAP:.0f}pt}}}}{{{_prose(column.header)}}}"
    text = display.tex(column.header)
    return rf"\multicolumn{{1}}{{c}}{{{text}}}" if column.align == "r" else text


def _cell(cell: Cell, wrapped: bool) -> str:
    if wrapped:
        return _prose(cell.text)
    text = display.tex(cell.text)
    return rf"\textbf{{\boldmath {text}}}" if cell.best else text


def _prose(text: str) -> str:
    # ragged without \raggedright, which would change the meaning of \\ in the last column
    return rf"\rightskip=0pt plus 1fil\relax\hspace{{0pt}}{display.breakable_tex(text)}"
