"""ECDF curves of many sources, of which no more than one is in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from benchmill.core import schema
from benchmill.core.arrays import Mask
from benchmill.core.groups import is_attribute
from benchmill.core.kept import Kept
from benchmill.indicators.areas import ecdf_curves, limits, offsets_of
from benchmill.indicators.ecdf import Options, Pairs, common, ecdf, members, pairs


class Found(NamedTuple):
    """Tables `ecdf` and `ecdf_curves`, and what `benchmill.indicators.ecdf.left_out` says."""

    curves: pa.Table
    described: pa.Table
    lost: list[dict[str, Any]]


class Sources:
    """Costs of one measure with targets, source by source; no algorithm is in two of them.

    `look` is given the costs of each source while they are in memory, and returns a table. `keys` has the pairs (`Pairs.keys`) of
    one source after the other.
    """

    def __init__(
        self,
        read: Sequence[Callable[[], pa.Table]],
        options: Options,
        reports: Sequence[Mapping[str, Any]] = (),
        look: Callable[[Pairs], pa.Table] | None = None,
        kept: Kept | None = None,
        digests: Sequence[str] = (),
    ) -> None:
        self._reports, self._kept = reports, kept or Kept()
        self._digests = digests or [""] * len(read)
        self._pairs = lru_cache(1)(partial(_read, read))

        def seen(number: int) -> list[pa.Table]:
            of = self._pairs(number)
            start, end = limits(of, options)
            return [of.keys, pa.table({"from": [float(start)], "to": [float(end)]}), *([] if look is None else [look(of)])]

        about = ("seen", options.x, sorted(options.area.items()), look is None)
        found = [self._kept.tables((*about, of), partial(seen, number)) for number, of in enumerate(self._digests)]
        self.keys = schema.concatenate(of_keys for of_keys, *_ in found)
        ends = pa.concat_tables([ends for _, ends, *_ in found])
        self.area = {"from": ends["from"][0].as_py(), "to": max(ends["to"].to_pylist())}
        self.looked = [table for _, _, *looked in found for table in looked]
        self._bounds = np.cumsum([0, *(of_keys.num_rows for of_keys, *_ in found)])

    def curves(self, aggregation: str, options: Options, seed: int = 1, within: Sequence[Mask] | None = None) -> list[Found]:
        """Return the curves of all sources as `ecdf` and `ecdf_curves` make them of all costs at once.

        `within` are masks (n_pairs,) of pairs that count: for each the curves are made. By default all pairs, once.
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
        for number in range(len(self._digests)):
            for counts, parts in zip(counting, made, strict=True):
                own = counts[self._bounds[number] : self._bounds[number + 1]]
                if own.any():
                    parts.append(self._made(number, own, aggregation, options, seed))
        return [
            Found(*_ordered(parts, curves.keys), common(self.keys.filter(pa.array(mask)), aggregation)[1])
            for parts, curves, mask in zip(made, every, chosen, strict=True)
        ]

    def _made(self, number: int, counts: Mask, aggregation: str, options: Options, seed: int) -> tuple[pa.Table, pa.Table]:
        """Return the curves of a source, of those of its pairs that count."""
        reports = self._reports[number : number + 1]

        def make() -> tuple[pa.Table, pa.Table]:
            own = self._pairs(number).within(counts)
            of_own = replace(options, groups=_those_of(own, options.groups))
            steps = ecdf(own, aggregation, of_own, seed)
            return steps, ecdf_curves(steps, own, aggregation, of_own, reports)

        counting = hashlib.sha256(np.packbits(counts).tobytes()).hexdigest()
        about = ("curves", self._digests[number], counting, aggregation, options, seed, reports)
        steps, described = self._kept.tables(about, make)
        return steps, described


def _read(read: Sequence[Callable[[], pa.Table]], number: int) -> Pairs:
    return pairs(read[number]())


def _those_of(own: Pairs, groups: Any) -> Any:
    """Return the groups without problems that a source does not have."""
    if not isinstance(groups, Mapping) or is_attribute(groups):
        return groups
    there = set(own.keys.column("problem").to_pylist())
    return {name: [problem for problem in problems if problem in there] for name, problems in groups.items()}


def _ordered(parts: Sequence[tuple[pa.Table, pa.Table]], keys: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return the curves of all sources in the order of their keys."""
    if not parts:
        return schema.TABLES["ecdf"].empty_table(), schema.TABLES["ecdf_curves"].empty_table()
    steps, described = (schema.concatenate(tables) for tables in zip(*parts, strict=True))
    place = {key: number for number, key in enumerate(zip(*(column.to_pylist() for column in keys.columns), strict=True))}
    of = zip(*(described.column(name).to_pylist() for name in keys.column_names), strict=True)
    order = np.argsort([place[key] for key in of], kind="stable")
    offsets = offsets_of(steps)
    rows = np.concatenate([np.arange(offsets[curve], offsets[curve + 1]) for curve in order])
    return steps.take(pa.array(rows)), described.take(pa.array(order))
