"""Inputs and results of the jobs of all indicators, and the trials that are missing behind a number."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Mask, Numbers, Ranks, Whole, record, schema, storage
from benchmill.core.groups import problems_of
from benchmill.core.options import made
from benchmill.core.storage import Kept

OptionsT = TypeVar("OptionsT")
#: What was read of each source.
Reports = Sequence[schema.Facts]
#: The problems of each group, or the name by which the field knows them.
Groups = Mapping[str, Sequence[str]] | str | None


@record
class Given:
    """Inputs of one job of an indicator.

    Attributes
    ----------
    files : mapping
        By name of a table the files that the entry needs: those of one source, or of all sources in the order of the study.
    settings, section : mapping, str
        What the study sets of the indicator, every default filled in, and the key of it.
    aggregation : str
        What is averaged over, where there is a job for each aggregation.
    needed : mapping
        The settings of the study that the entry needs, by name.
    kept : Kept
        What an earlier run of the same job has made of parts of its files.
    """

    files: Mapping[str, Sequence[str]]
    settings: schema.Facts = field(default_factory=dict)
    section: str = "indicators"
    reports: Reports = ()
    aggregation: str = ""
    needed: schema.Facts = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)

    def options(self, kind: type[OptionsT]) -> OptionsT:
        """Return the settings as an object of options."""
        return made(kind, self.settings, self.section)

    def read(self, name: str, columns: Sequence[str] | None = None) -> list[pa.Table]:
        """Return the tables of a name, whole or some of their columns."""
        return [storage.read(path, name, None if columns is None else list(columns)) for path in self.files[name]]

    def pieces(self, name: str) -> Iterator[pa.Table]:
        """Return the tables of a name piece by piece, so that they need not fit into memory."""
        return (piece for path in self.files[name] for piece in storage.pieces(path, name))


class Made(NamedTuple):
    """Results of one job of an indicator: tables by name, or their pieces in order, and what else their files say."""

    tables: Mapping[str, pa.Table | Iterable[pa.Table]]
    note: Mapping[str, Any] = {}


def lasts(*columns: Numbers) -> Mask:
    """Return which rows are the last of those that follow each other and are alike in some columns."""
    differ = [np.append(column[1:] != column[:-1], True)[: column.size] for column in columns]
    return np.asarray(np.logical_or.reduce(differ), bool)


def columns_of(data: pa.Table, rows: Whole | None = None) -> dict[str, pa.ChunkedArray]:
    """Return the columns of a table by name, or of some of its rows."""
    taken = data if rows is None else data.take(pa.array(rows))
    return dict(zip(taken.column_names, taken.columns, strict=True))


def within(
    report: schema.Facts | None, exclude: Iterable[Any] | None = None, dimensions: Collection[int] | None = None
) -> schema.Row:
    """Return a report of which only the missing trials are left that a measure is about."""
    kept, out = dict(report or {}), set(map(str, exclude or ()))
    kept["missing"] = [
        entry
        for entry in kept.get("missing", ())
        if str(entry.get("problem")) not in out and (dimensions is None or entry.get("dimension") in dimensions)
    ]
    return kept


def missing(
    cells: pa.Table,
    names: Sequence[str],
    sources: Sequence[pa.Table],
    reports: Reports,
    groups: Groups = None,
) -> Ranks:
    """Return the missing trials by cell: those that its source expects of its algorithm on the problems that its keys name.

    `groups` are as of `benchmill.indicators.ecdf.Options`, where `group` is among the names.
    """
    reported = sorted({str(entry["problem"]) for report in reports for entry in report.get("missing", [])})
    members = problems_of(groups, reported) if "group" in names else {}
    count: Counter[tuple[Any, ...]] = Counter()
    for table, report in zip(sources, reports, strict=False):
        algorithms = pc.unique(table["algorithm"].cast(pa.string())).to_pylist()
        for entry in report.get("missing", []):
            own = [entry["algorithm"]] if entry.get("algorithm") is not None else algorithms
            inside = [group for group, problems in members.items() if entry["problem"] in problems] if members else [None]
            instance = None if entry.get("instance") is None else str(entry["instance"])
            for algorithm, group in product(own, inside):
                row = {**entry, "instance": instance, "algorithm": algorithm, "group": group}
                count[tuple(row.get(name) for name in names)] += int(entry.get("count", 1))
    return np.array([count[row] for row in zip(*(cells[name].to_pylist() for name in names), strict=True)], np.int32)
