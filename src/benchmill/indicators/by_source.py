"""ECDF curves of many sources, of which no more than one is in memory.

A curve is of one algorithm, and a study has each algorithm from one source. So curves are made source by source; what they depend
on beside their own costs is found in a first pass: which problems all algorithms have, and where areas end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.groups import is_attribute
from benchmill.indicators.areas import ecdf_curves, limits, offsets_of
from benchmill.indicators.ecdf import Options, Pairs, common, ecdf, members, pairs

Mask = npt.NDArray[np.bool_]


class Found(NamedTuple):
    """Tables `ecdf` and `ecdf_curves`, and what `benchmill.indicators.ecdf.left_out` says."""

    curves: pa.Table
    described: pa.Table
    lost: list[dict[str, Any]]


class Sources:
    """Costs of one measure with targets, source by source.

    Parameters
    ----------
    read : sequence of callable
        Each gives the costs of a source; no algorithm is in two of them.
    options : Options
        Of the curves: unit and area count here.
    reports : sequence of mapping
        Ingest reports in the same order, for `n_missing`.
    look : callable, optional
        Is given the costs of each source while they are in memory.

    Attributes
    ----------
    keys : pyarrow.Table
        The pairs (`Pairs.keys`) of all sources, one source after the other.
    area : dict
        Where areas begin and end (`benchmill.indicators.areas.limits`).
    looked : list
        What `look` returned.
    """

    def __init__(
        self,
        read: Sequence[Callable[[], pa.Table]],
        options: Options,
        reports: Sequence[Mapping[str, Any]] = (),
        look: Callable[[Pairs], Any] | None = None,
    ) -> None:
        self._read, self._reports = read, reports
        self.looked: list[Any] = []
        found, ends = [], []
        for of in self._sources():
            found.append(of.keys)
            ends.append(limits(of, options))
            if look is not None:
                self.looked.append(look(of))
        self.keys = schema.concatenate(found)
        self.area = {"from": ends[0][0], "to": max(end for _, end in ends)}
        self._bounds = np.cumsum([0, *(table.num_rows for table in found)])

    def _sources(self) -> Iterator[Pairs]:
        return (pairs(read()) for read in self._read)

    def curves(self, aggregation: str, options: Options, seed: int = 1, within: Sequence[Mask] | None = None) -> list[Found]:
        """The curves of all sources as `ecdf` and `ecdf_curves` make them of all costs at once.

        Parameters
        ----------
        aggregation, options, seed
            As for these.
        within : sequence of (n_pairs,) arrays of bool, optional
            Pairs that count: for each such choice the curves are made. By default all pairs, once.
        """
        options = replace(options, area=self.area)
        chosen = [np.ones(self.keys.num_rows, bool)] if within is None else within
        every = [members(self.keys.filter(pa.array(mask)), aggregation, options.groups) for mask in chosen]
        counting = []
        for mask, curves in zip(chosen, every, strict=True):
            counts = np.zeros(mask.size, bool)
            counts[np.flatnonzero(mask)[curves.rows]] = True
            counting.append(counts)
        made: list[list[tuple[pa.Table, pa.Table]]] = [[] for _ in chosen]
        for number, of in enumerate(self._sources()):
            for counts, parts in zip(counting, made, strict=True):
                own = of.within(counts[self._bounds[number] : self._bounds[number + 1]])
                if own.keys.num_rows:
                    of_own = replace(options, groups=_those_of(own, options.groups))
                    steps = ecdf(own, aggregation, of_own, seed)
                    parts.append((steps, ecdf_curves(steps, own, aggregation, of_own, self._reports[number : number + 1])))
        return [
            Found(*_ordered(parts, curves.keys), common(self.keys.filter(pa.array(mask)), aggregation)[1])
            for parts, curves, mask in zip(made, every, chosen, strict=True)
        ]


def _those_of(own: Pairs, groups: Any) -> Any:
    """The groups without problems that a source does not have; it is known that some source has them."""
    if not isinstance(groups, Mapping) or is_attribute(groups):
        return groups
    there = set(own.keys.column("problem").to_pylist())
    return {name: [problem for problem in problems if problem in there] for name, problems in groups.items()}


def _ordered(parts: Sequence[tuple[pa.Table, pa.Table]], keys: pa.Table) -> tuple[pa.Table, pa.Table]:
    """The curves of all sources in the order of their keys."""
    if not parts:
        return schema.TABLES["ecdf"].empty_table(), schema.TABLES["ecdf_curves"].empty_table()
    steps, described = (schema.concatenate(tables) for tables in zip(*parts, strict=True))
    place = {key: number for number, key in enumerate(zip(*(column.to_pylist() for column in keys.columns), strict=True))}
    of = zip(*(described.column(name).to_pylist() for name in keys.column_names), strict=True)
    order = np.argsort([place[key] for key in of], kind="stable")
    offsets = offsets_of(steps)
    rows = np.concatenate([np.arange(offsets[curve], offsets[curve + 1]) for curve in order])
    return steps.take(pa.array(rows)), described.take(pa.array(order))
