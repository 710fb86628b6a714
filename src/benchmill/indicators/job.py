"""Inputs and results of the job of an indicator: the workflow runs all of them in one way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa

from benchmill.core import storage
from benchmill.core.kept import Kept
from benchmill.core.options import made

OptionsT = TypeVar("OptionsT")


@dataclass(frozen=True, kw_only=True)
class Given:
    """Inputs of one job of an indicator.

    Attributes
    ----------
    files : mapping
        By name of a table the files that the entry of the indicator needs: those of one source, or of all sources in the order of
        the study.
    settings : mapping
        What the study sets of the indicator, every default filled in.
    section : str
        Key of these settings in a configuration.
    aggregation : str
        What is averaged over, where there is a job for each aggregation.
    needed : mapping
        The settings of the study that the entry needs, by name.
    kept : Kept
        What an earlier run of the same job has made of parts of its files.
    """

    files: Mapping[str, Sequence[str]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    section: str = "indicators"
    reports: Sequence[Mapping[str, Any]] = ()
    aggregation: str = ""
    needed: Mapping[str, Any] = field(default_factory=dict)
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
    """Results of one job of an indicator.

    Attributes
    ----------
    tables : mapping
        By name a table, or its pieces in order.
    note : mapping
        What else the files say of what they were made from.
    """

    tables: Mapping[str, pa.Table | Iterable[pa.Table]]
    note: Mapping[str, Any] = {}
