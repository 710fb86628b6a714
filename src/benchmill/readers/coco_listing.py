"""The `.info` files of COCO: the trials that they list, by function, dimension and data file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchmill.core.errors import UserError
from benchmill.core.natural_order import natural_key
from benchmill.readers import rows as row_reader
from benchmill.readers.archive import View
from benchmill.readers.interface import Report
from benchmill.readers.listing import Listing, keys_of
from benchmill.text.labels import shown

#: Trials that `.info` files may list, beyond one for so many bytes of data files: a block and its row are longer.
_LISTED_ANYWAY = 100_000
_BYTES_A_TRIAL = 16

# Blanks before a header are those of its line: a search across lines takes for ever on a file of blank ones.
_BEGIN = rb"^(?:\xef\xbb\xbf)?[ \t\r]*(?:suite\s*=[^\r\n]*)?"
FIRST = re.compile(_BEGIN + rb"funcId\s*=\s*\d+\s*,\s*DIM\s*=\s*\d+\s*,\s*Precision\s*=", re.MULTILINE)
INDICATOR = re.compile(_BEGIN + rb"algorithm\s*=[^\r\n]*\bindicator\s*=", re.MULTILINE)
_INDICATED = re.compile(r"function\s*=\s*([0-9]{1,18})\s*,\s*dim\s*=\s*([0-9]{1,18})\s*,(.*)")
_NAMED_SUITE = re.compile(r"([\w-]+?)_f[0-9]+_d[0-9]+_\w+\.t?dat")
_DATA = re.compile(r"\.t?dat$", re.IGNORECASE)
_INTEGER = re.compile(r"^[0-9]{1,18}$")


@dataclass(slots=True)
class Entry:
    """A trial as `.info` lists it."""

    instance: str
    evaluations: int | None
    final: float | None
    precision: float
    file: str
    line: int


@dataclass
class Unit:
    """A data file (its `.dat` and `.tdat`) with the trials that `.info` lists for it."""

    cell: Cell
    dat: str
    tdat: str
    algorithm: str
    file: str
    line: int
    entries: list[Entry] = field(default_factory=list)


@dataclass
class Cell:
    """A function in a dimension."""

    suite: str
    function: int
    dimension: int
    indicator: bool = False
    units: dict[tuple[str, str], Unit] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """The name of the function."""
        return f"f{self.function}"

    @property
    def function_of(self) -> tuple[str, int, int]:
        """The function whose instances have one optimum: with constraints and two objectives by dimension, too."""
        varies = self.indicator or "constrained" in self.suite
        return self.suite, self.function, self.dimension if varies else 0


def infos(view: View, suite_given: str | None, report: Report) -> list[Cell]:
    """Return the functions and dimensions that `.info` files list, in natural order."""
    cells: dict[tuple[str, int, int], Cell] = {}
    files = _Names(view)
    data_bytes = sum(member.size for member in view.members if member.name.lower().endswith((".dat", ".tdat")))
    allowed = _LISTED_ANYWAY + data_bytes // _BYTES_A_TRIAL
    listed = 0
    for member in view.members:
        if not member.name.lower().endswith(".info"):
            continue
        data = view.read(member.name)
        info = Listing(member.name, report, "info_unreadable", "trial", "final")
        if not info.looks(data, (FIRST, INDICATOR), "no line with `funcId`, `DIM` and `Precision`, or with `indicator`"):
            continue
        listed += data.count(b",")
        if listed > allowed:
            raise UserError(
                f"{member.name}: the `.info` files list more trials than the data files can hold ({data_bytes} bytes); "
                "give the data files with them, or the `.info` files that belong to these."
            )
        _info(info, data, files, suite_given, cells)
    return sorted(cells.values(), key=lambda c: (natural_key(c.suite), c.function, c.dimension))


def _info(info: Listing, data: bytes, files: _Names, suite_given: str | None, cells: dict[tuple[str, int, int], Cell]) -> None:
    keys: dict[str, str] | None = None
    for number, line in info.lines(data):
        found = keys_of(line) if "=" in line else {}
        if {"indicator", "algorithm"} <= found.keys():
            keys = found
            continue
        if "funcId" in line and "=" in line:
            keys = found
            bad = [
                k
                for k in ("funcId", "DIM", "Precision")
                if not (row_reader.NUMBER if k == "Precision" else _INTEGER).fullmatch(keys.get(k, ""))
            ]
            if bad or not 0 < int(keys["DIM"]) < 2**31:
                info.wrong(number, f"no usable number is given for {(bad or ['DIM'])[0]!r}")
                keys = None
            continue
        if keys is None:
            info.wrong(number, "a line without a readable header above it")
            continue
        indicator = "indicator" in keys
        if indicator:
            match = _INDICATED.match(line)
            if not match or not 0 < int(match[2]) < 2**31:
                info.wrong(number, f"{shown(line)[:80]!r} names no `function` and `dim`")
                continue
            function, dimension, line = int(match[1]), int(match[2]), match[3]
            named = _NAMED_SUITE.search(line)
            suite = suite_given or keys.get("suite") or (named[1] if named else "bbob-biobj")
            algorithm, below, precision = keys.get("algorithm", ""), keys.get("folder", ""), 0.0
        else:
            function, dimension = int(keys["funcId"]), int(keys["DIM"])
            suite = suite_given or keys.get("suite") or ("bbob-noisy" if 101 <= function <= 130 else "bbob")
            algorithm, below, precision = keys.get("algId", ""), "", float(keys["Precision"])
        cell = cells.setdefault((suite, function, dimension), Cell(suite, function, dimension, indicator))
        for path, stated in info.runs(number, line, _DATA, below):
            dat, tdat = files.pair(path)
            unit = cell.units.setdefault((dat, algorithm), Unit(cell, dat, tdat, algorithm, info.name, number))
            if stated:
                unit.entries.append(Entry(*stated, precision, info.name, number))


class _Names:
    """Finds data files by the names that `.info` gives them."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._folded: dict[str, str] = {}
        for member in view.members:
            self._folded.setdefault(member.name.casefold(), member.name)

    def pair(self, path: str) -> tuple[str, str]:
        stem = _DATA.sub("", path)
        return self._find(f"{stem}.dat"), self._find(f"{stem}.tdat")

    def _find(self, name: str) -> str:
        return name if name in self._view else self._folded.get(name.casefold(), name)


def strays(view: View, cells: list[Cell], report: Report) -> None:
    """Report the data files that no `.info` names."""
    named = {name for c in cells for u in c.units.values() for name in (u.dat, u.tdat)}
    for member in view.members:
        if member.name not in named and member.name.lower().endswith((".dat", ".tdat")):
            report.add("file_not_listed", member.name, None, "no `.info` names this file")
