"""Runs of solvers, read from logs or from a DataFrame."""

from __future__ import annotations

import copy
import glob
import os
import warnings
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa

from benchmill import archives, readers
from benchmill.core import Given, UserError, Written, natural_key, schema, shown
from benchmill.core.names import held_twice, lookalikes
from benchmill.exhibits.tables import build, forms
from benchmill.notebook import dataframes
from benchmill.notebook.arguments import in_own_words, look_at, looked_at
from benchmill.notebook.objects import Shown, in_order, plain
from benchmill.readers.interface import Incomplete
from benchmill.readers.table_cells import NAMES
from benchmill.text import claims, display

#: What says of a DataFrame which runs failed and how its numbers are meant, beside the columns.
_FAILURES = ("status", "solved", "failed", "limit", "wide", "empty", "direction", "decimal")
#: What its answers are checked by: a column, and a list of best-known values.
_CHECKS = ("objective", "best_known")
#: What to do where a DataFrame may well be read wrong.
_NAME_IT = (
    "It may mean more than is read: name it (status=... with solved=... or failed=..., limit=..., dimension=..., instance=..., "
    "run=..., n=..., or evaluations=... with value=...), choose the rows that belong together, or drop the column. "
    "`irregularities` of the runs says how it counts."
)
#: What becomes of rows of a DataFrame that repeat an earlier one.
_AGAIN = {
    "duplicate_row": "They are left out.",
    "repeated_row": "Each counts as a run: name what tells runs apart (run=... or seed=...), or drop them (drop_duplicates()).",
}
_Path = str | os.PathLike[str]
Paths = _Path | Sequence[_Path | Sequence[_Path]]


class Reported(Shown):
    """Sources with the reports of reading them."""

    @property
    @abstractmethod
    def reports(self) -> list[Written]:
        """The report of each source: what it holds, what is missing, and every rule that was applied."""

    @property
    def inventory(self) -> pd.DataFrame:
        """The contents of each source: one row per source."""
        return pd.DataFrame(
            [
                {
                    "source": report["source"],
                    "format": report["format"],
                    "algorithms": len(report["algorithms"]),
                    "problems": len(report["problems"]),
                    "dimensions": report["dimensions"],
                    **report["trials"],
                }
                for report in self.reports
            ]
        )

    @property
    def irregularities(self) -> pd.DataFrame:
        """Everything that was repaired, noted or refused: one row per rule and source, with the first place."""
        return pd.DataFrame(
            [{"source": report["source"], **item} for report in self.reports for item in report["irregularities"]],
            columns=["source", "rule", "outcome", "count", "file", "line", "detail"],
        )

    @property
    def table(self) -> display.Table:
        """The contents of each source, as a paper shows them."""
        return build("inventory", {"ingest": self.reports}, {})

    def _repr_html_(self) -> str:
        irregular = build("irregularities", {"ingest": self.reports}, {})
        return self.to_html() + (forms.html(irregular) if irregular.n_rows else "")


@dataclass(frozen=True, eq=False)
class Source:
    """The tables `trials`, `traces` and perhaps `costs` of one source, and the report of reading it."""

    name: str
    trials: pa.Table
    traces: pa.Table
    report: Given
    costs: pa.Table = None


class Runs(Reported):
    """Runs that `benchmill.read` has read, by source in the order given."""

    sources: tuple[Source, ...]

    def __post_init__(self) -> None:
        for other, number, one, name in held_twice([source.report["algorithms"] for source in self.sources]):
            raise UserError(
                f"{self.sources[other].name!r} and {self.sources[number].name!r} "
                + (f"both hold the algorithm {shown(one)!r}" if one == name else f"hold {one!a} and {name!a}, which look alike")
                + ", and an algorithm belongs to one source: if they are parts of one campaign, give their paths as a list in "
                "the list, read([[one, other]]); if not, read one by itself with another name (algorithm=...), and add the two, "
                "read(...) + read(...)."
            )
        for one, name in lookalikes(problem for source in self.sources for problem in source.report["problems"]):
            raise UserError(f"the problems {one!a} and {name!a} look alike; write the name the same way everywhere.")

    def __add__(self, other: Runs) -> Runs:
        """Return the runs of both."""
        if not isinstance(other, Runs):
            raise UserError(f"found a {type(other).__name__} beside runs, expected runs; give it to read(...) first.")
        return Runs((*self.sources, *other.sources))

    @property
    def trials(self) -> pd.DataFrame:
        """One row per trial."""
        return plain(in_order(schema.concatenate(source.trials for source in self.sources), self.reports))

    @property
    def traces(self) -> pd.DataFrame:
        """One row per improvement within a trial; `trial` counts the trials of a source from 0."""
        return plain(schema.concatenate(source.traces for source in self.sources))

    @property
    def reports(self) -> list[Written]:
        """The report of each source."""
        return [copy.deepcopy(dict(source.report)) for source in self.sources]


class Inspection(Reported):
    """The reports of `benchmill.inspect`, with `study` and `checks` for a configuration."""

    found: tuple[Given, ...]

    @property
    def reports(self) -> list[Written]:
        """The report of each source."""
        return copy.deepcopy([dict(report) for report in self.found])


@looked_at
def fetch(*names: str, cache: str | os.PathLike[str] | None = None, mirror: str | None = None) -> list[str]:
    """Fetch data from public archives by their names, unless they are here, and return the paths, which `read` takes.

    Names are such as ``"coco:bbob/2009/*"``; docs/data.md lists their kinds. `cache` and `mirror` are by default what
    `BENCHMILL_CACHE` and `BENCHMILL_MIRROR` name. Raises UserError if a file is not there or not the one that the archive states.

    Examples
    --------
    >>> import benchmill as bm
    >>> bm.fetch("coco:bbob/2009/BFGSS")
    Traceback (most recent call last):
        ...
    benchmill.core.UserError: coco:bbob/2009/BFGSS: the archive has nothing by that name; did you mean coco:bbob/2009/BFGS?
    """
    at = archives.store(cache, mirror)
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise UserError(f"fetch: found {wrong[0]!r}, expected a name such as 'coco:bbob/2009/*'.")
    entries = {entry.name: entry for name in names for entry in archives.find(name, at)}
    return [str(archives.fetch(entry, at)) for entry in entries.values()]


def read(source: Any, *, format: str | None = None, **options: Any) -> Runs:
    """Read runs: raw logs in any format that benchmill knows, or a DataFrame; warn where that may be meant otherwise.

    Parameters
    ----------
    source : path, sequence of paths, or DataFrame
        Folders, archives and files, or patterns. Each is a source of its own; those in a list within the list are parts of one.
    format : str, optional
        Name of the format; by default it is told from the contents.
    **options
        Of files, as the entry of a source. Of a DataFrame, names of columns, such as ``cost="seconds"``, and what `costs` takes.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"solver": ["A", "B"], "model": ["p1", "p1"], "seconds": [1.5, 3.0]})
    >>> bm.read(df, algorithm="solver", problem="model", cost="seconds").trials[["algorithm", "cost", "status"]]
      algorithm  cost  status
    0         A   1.5  solved
    1         B   3.0  solved
    """
    look_at("read", {"format": "" if format is None else format})
    if isinstance(source, str | os.PathLike) or _are_paths(source):
        with in_own_words():
            return Runs(tuple(_source(readers.load(path, format=format, options=options)) for path in _paths(source)))
    if format is not None:
        raise UserError(f"read: format is {format!r}, and a DataFrame has none; leave it out.")
    look_at("read", {name: value for name, value in options.items() if value is not None})
    for name in options:
        claims.known(name, [*NAMES, *_FAILURES, *_CHECKS], "keyword", "read")
    rows = source.index if isinstance(source, pd.DataFrame) else pd.RangeIndex(2**31)
    with in_own_words(rows=rows):
        columns = {**options, "best_value": options.get("objective", options.get("best_value"))}
        named = {name: column for name, column in columns.items() if name in NAMES and column is not None}
        failures = {name: options[name] for name in _FAILURES if name in options}
        view, chosen = dataframes.source(source, named, **failures)
        if options.get("best_known") is not None:
            chosen["best_known"] = os.path.expanduser(os.fspath(options["best_known"]))
        try:
            loaded = readers.load(view, name="data", format="table", options=chosen)
            loaded[2]["order"] = {
                name: [*map(str, source[column].cat.categories)]
                for name, column in chosen["columns"].items()
                if isinstance(source, pd.DataFrame) and getattr(source.dtypes.get(column), "ordered", False)
            }
            return Runs((_source(loaded, rows),))
        except Incomplete as error:
            # what an entry in a configuration could say does not help here
            raise UserError(
                f"{error.found}; correct them, or say "
                f"{'which of them are failures (failed=[...])' if failures.get('status') is None else 'solved=... or failed=...'}"
                "."
            ) from None


def inspect(source: Paths, *, format: str | None = None, **options: Any) -> Inspection:
    """Read logs and say what is in them and what is irregular, without keeping them; parameters as for `read`, of files.

    Examples
    --------
    >>> import benchmill as bm
    >>> bm.inspect("data/ioh/*.zip").inventory[["source", "format", "expected", "found", "missing"]]
            source format  expected  found  missing
    0       CMA-ES    ioh       480    480        0
    1  Nelder-Mead    ioh       480    480        0
    """
    if not (isinstance(source, str | os.PathLike) or _are_paths(source)):
        raise UserError(f"inspect: found a {type(source).__name__}, expected a path or a list of paths.")
    with in_own_words():
        return Inspection(tuple(readers.examine(path, format=format, options=options) for path in _paths(source)))


def _are_paths(source: Any) -> bool:
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(i, str | os.PathLike) or _are_paths(i) for i in source)
    )


def _paths(source: Any) -> list[str | list[str]]:
    paths: list[str | list[str]] = []
    for item in [source] if isinstance(source, str | os.PathLike) else source:
        if not isinstance(item, str | os.PathLike):
            paths.append([path for each in item for path in _matched(each)])
        else:
            paths += _matched(item)
    return paths


def _matched(item: _Path) -> list[str]:
    path = os.path.expanduser(os.fspath(item))
    # an empty path is the folder that one is in, which nobody means
    if path and (os.path.exists(path) or not glob.has_magic(path)):
        return [path]
    matches = sorted(glob.glob(path, recursive=True), key=natural_key)
    if not matches:
        raise UserError(
            f"{path or 'an empty path'}: no file or folder matches; give a path as seen from {os.getcwd()!r}, or an absolute one."
        )
    return matches


def _source(loaded: tuple[pa.Table, pa.Table, Written], rows: pd.Index | None = None) -> Source:
    """Return a source as it was read; `rows` are those of a DataFrame."""
    trials, traces, report = loaded
    for doubt in readers.doubts(report):
        warnings.warn(f"{report['source']}: {doubt['detail']}. {doubt['meaning'] if rows is None else _NAME_IT}", stacklevel=4)
    for one in report["irregularities"]:
        if rows is not None and one["rule"] in _AGAIN:
            repeated = f"{one['count']}, first row {rows.tolist()[one['line'] - 1]!r} ({one['detail']}). {_AGAIN[one['rule']]}"
            warnings.warn(f"{report['source']}: rows that repeat an earlier one: {repeated}", stacklevel=4)
        if rows is not None and one["outcome"] == "refused":
            warnings.warn(f"{report['source']}: {one['meaning']} Rows: {one['count']}, such as {one['detail']}.", stacklevel=4)
    return Source(report["source"], trials, traces, report)
