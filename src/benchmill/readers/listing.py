"""The listings of COCO's and IOHprofiler's logs: below a header of keys, data files with the runs that are in each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from benchmill.core import shown
from benchmill.readers import rows as row_reader
from benchmill.readers.archive import View
from benchmill.readers.interface import Found, Report, Texts
from benchmill.readers.text import decoded, lines_of

_KEY = re.compile(r"\b(\w+)\s*=\s*('(?:[^']*)'|\"(?:[^\"]*)\"|[^,']*)")
DIMENSION = re.compile(r"0*[1-9][0-9]{0,8}")
_RUN = re.compile(r"^(-?[0-9]{1,18})(?::(?:([0-9]+)\|([^|:]+))?)?$")


def keys_of(line: str) -> Texts:
    """Return the keys of a header and their values."""
    return {key: value.strip().strip("'\"") for key, value in _KEY.findall(line)}


def keys_at(head: bytes, match: re.Match[bytes]) -> Texts:
    """Return the keys of the header that begins at a match."""
    return keys_of(decoded(head[match.start() :]).lstrip().split("\n", 1)[0])


def tell_unlisted(view: View, named: set[str], data: re.Pattern[str], report: Report) -> None:
    """Report the data files that none of the listings has named."""
    for member in view.members:
        if member.name not in named and data.search(member.name):
            report.add("file_not_listed", member.name, None)


def found(format: str, algorithm: str) -> Found:
    """Return the first look at a source whose first header names an algorithm, or none."""
    return Found(format, (algorithm,) if algorithm else ())


@dataclass(slots=True)
class Run:
    """A run as a listing states it; None for what it does not state.

    Attributes
    ----------
    at
        Evaluations after which it had its `value`.
    precision
        A difference to the optimum at or below which it is solved.
    listed
        False where its data alone tell of it.
    """

    instance: str
    evaluations: int | None = None
    value: float | None = None
    line: int | None = None
    file: str = ""
    at: int | None = None
    seed: int | None = None
    precision: float = 0.0
    listed: bool = True


@dataclass(eq=False)
class Listed:
    """A function in a dimension, where it is listed, with the runs that are."""

    suite: str | None
    problem: str
    dimension: int
    algorithm: str
    file: str
    line: int | None
    runs: list[Run] = field(default_factory=list, kw_only=True)

    @property
    def cell(self) -> tuple[str | None, str, int]:
        """The function in its dimension."""
        return self.suite, self.problem, self.dimension


OfFormat = TypeVar("OfFormat", bound=Listed)


@dataclass
class Draft(Generic[OfFormat]):
    """A trial that is to be: a run, and its blocks in data files."""

    unit: OfFormat
    run: Run
    blocks: list[int]

    @property
    def what(self) -> str:
        """The run in words."""
        return f"instance {self.run.instance} of {shown(self.unit.problem)} in dimension {self.unit.dimension}"


#: The listings that were read, by their folders and contents.
Read = dict[tuple[str, bytes], str]


@dataclass(frozen=True)
class Listing:
    """A file that lists data files.

    Attributes
    ----------
    rule
        Names what of it cannot be understood.
    run, value
        Words for a run, and for the value that is stated of it.
    """

    name: str
    report: Report
    rule: str
    run: str
    value: str

    def wrong(self, line: int | None, what: str) -> None:
        """Report a part that cannot be understood."""
        self.report.add(self.rule, self.name, line, what)

    def looks(self, data: bytes, known: tuple[re.Pattern[bytes], ...], lacking: str) -> bool:
        """Tell whether the file is text with a line that is known; report one that is not."""
        if b"\0" not in data and any(pattern.search(data) for pattern in known):
            return True
        self.wrong(1, f"the file holds {'binary data' if bytes(1) in data else lacking}")
        return False

    def again(self, data: bytes, read: Read) -> bool:
        """Tell whether the file is a copy of one beside it among those that were `read`; report one that is."""
        first = read.setdefault((self.name.rpartition("/")[0], data), self.name)
        if first != self.name:
            self.wrong(None, f"it is the same as {first}, which lists its runs")
        return first != self.name

    def misplaces(self, number: int | None, file: str, dimension: int) -> bool:
        """Tell whether the name of a data file states another dimension than where it is listed; report one that does."""
        # both loggers state it
        stated = re.search(r"_DIM([0-9]{1,9})(?:_[^/\\]*)?\.[a-z]*dat$", file, re.IGNORECASE)
        if stated is None or int(stated[1]) == dimension:
            return False
        self.wrong(number, f"{shown(file)!r} is listed in dimension {dimension}, and its name says {int(stated[1])}")
        return True

    def lines(self, data: bytes, lacking: Callable[[Texts], str]) -> Iterator[tuple[int, str, Texts]]:
        """Yield the lines with runs, their numbers, and the keys of the header above, of which `lacking` says what it lacks."""
        keys: Texts | None = None
        for number, line in enumerate(map(str.strip, lines_of(data)), 1):
            if not line or line.startswith("%"):
                continue
            stated = keys_of(line) if "=" in line else {}
            if stated and ("funcId" in line or {"indicator", "algorithm"} <= stated.keys()):
                keys = stated
                if what := lacking(keys):
                    self.wrong(number, what)
                    keys = None
            elif keys is None:
                self.wrong(number, "a line without a readable header above it")
            else:
                yield number, line, keys

    def beside(self, item: str) -> str | None:
        """Return the name of a member by its path from the folder of this file; None if it lies outside the source."""
        parts = [p for p in f"{self.name.rpartition('/')[0]}/{item}".replace("\\", "/").split("/") if p not in ("", ".")]
        return None if ".." in parts or item.startswith(("/", "\\")) or not parts else "/".join(parts)

    def runs(self, number: int, line: str, data: re.Pattern[str], below: str = "") -> list[tuple[str, list[Run]]]:
        """Return the data files of a line with the runs that are listed for each."""
        files: list[tuple[str, list[Run]]] = []
        runs: list[Run] | None = None
        for item in filter(None, map(str.strip, line.split(","))):
            run = _RUN.match(item)
            if run is None and data.search(item):
                runs = None
                if (file := self.beside(f"{below}/{item}" if below else item)) is None:
                    self.wrong(number, f"the data file {shown(item)!r} lies outside of the source")
                else:
                    runs = []
                    files.append((file, runs))
            elif run and runs is not None:
                value = row_reader.number(run[3]) if run[3] else None
                if run[3] and value is None:
                    self.wrong(number, f"the {self.run} {shown(item)!r} has no number as {self.value}; its end is unknown")
                runs.append(
                    Run(str(int(run[1])), int(run[2]) if run[2] and len(run[2]) <= 18 else None, value, number, self.name)
                )
            else:
                self.wrong(number, f"{shown(item)[:80]!r} is no {self.run} (`instance:evaluations|{self.value}`) of a data file")
        return files
