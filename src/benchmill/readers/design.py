"""Which trials an experiment lacks, judged by its own design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from benchmill.labels import natural_key
from benchmill.readers.interface import Place

#: A cell of the design: algorithm, suite, problem, dimension.
Cell = tuple[str, str | None, str, int | None]
#: A grid that is filled to less than one cell in so many is none; then only the cells with trials are expected.
_MOST_EMPTY = 1000
#: How often each instance occurs in a cell.
Instances = Counter[str | None]


def missing(found: Mapping[Cell, Instances], absent: Counter[Place], full_grid: bool) -> tuple[int, Counter[Place], int]:
    """Compare the trials found with the design of the experiment they come from.

    Parameters
    ----------
    found : mapping of Cell to Counter
        How often each instance was run in each cell.
    absent : Counter of Place
        Trials that the source lists without data.
    full_grid : bool
        True: the design of an algorithm on a suite is the grid of all its problems with all its dimensions, and each cell is
        expected to hold the most common multiset of instances of these cells. False: the design of a problem (suite,
        problem, dimension) is the most common multiset of instances among the algorithms that have it, and every algorithm
        of a suite is expected to have every problem of the suite. Of equally common multisets the larger counts.

    Returns
    -------
    expected : int
        Number of trials of the design.
    missing : Counter of Place
        Trials expected and not found, in natural order. Trials in `absent` are expected where they are listed.
    unexpected : int
        Trials found beyond the design; `expected == found - unexpected + missing`.
    """
    listed: dict[Cell, Instances] = {cell: Counter(instances) for cell, instances in found.items()}
    for where, count in absent.items():
        listed.setdefault(where[:4], Counter())[where[4]] += count

    expected = _grid(listed) if full_grid else _table(listed)
    for where, count in absent.items():
        cell, instance = where[:4], where[4]
        expected[cell] |= Counter({instance: found.get(cell, Counter())[instance] + count})

    lacking: Counter[Place] = Counter()
    unexpected = 0
    for cell in sorted(expected, key=_order):
        have = found.get(cell, Counter())
        lack = expected[cell] - have
        for instance in sorted(lack, key=natural_key):
            lacking[(*cell, instance)] = lack[instance]
        unexpected += (have - expected[cell]).total()
    return sum(e.total() for e in expected.values()), lacking, unexpected


def _grid(listed: Mapping[Cell, Instances]) -> dict[Cell, Instances]:
    expected: dict[Cell, Instances] = {}
    for algorithm, suite in {cell[:2]: None for cell in listed}:
        cells = {cell: n for cell, n in listed.items() if cell[:2] == (algorithm, suite)}
        usual = _most_common(cells.values())
        problems, dimensions = {cell[2]: None for cell in cells}, {cell[3]: None for cell in cells}
        if len(problems) * len(dimensions) > _MOST_EMPTY * len(cells):
            expected |= {cell: Counter(usual) for cell in cells}
            continue
        for problem in problems:
            for dimension in dimensions:
                expected[(algorithm, suite, problem, dimension)] = Counter(usual)
    return expected


def _table(listed: Mapping[Cell, Instances]) -> dict[Cell, Instances]:
    by_problem: dict[tuple[str | None, str, int | None], list[Instances]] = {}
    for cell, instances in listed.items():
        by_problem.setdefault(cell[1:], []).append(instances)
    algorithms: dict[str | None, dict[str, None]] = {}
    for cell in listed:
        algorithms.setdefault(cell[1], {})[cell[0]] = None
    if sum(len(algorithms[problem[0]]) for problem in by_problem) > _MOST_EMPTY * len(listed):
        return {cell: Counter(instances) for cell, instances in listed.items()}
    return {
        (algorithm, *problem): Counter(usual)
        for problem, usual in ((p, _most_common(several)) for p, several in by_problem.items())
        for algorithm in algorithms[problem[0]]
    }


def _most_common(several: Iterable[Instances]) -> Instances:
    kinds: Counter[frozenset[tuple[str | None, int]]] = Counter(frozenset(instances.items()) for instances in several)

    if len(kinds) == 1:
        return Counter(dict(next(iter(kinds))))

    def weight(kind: frozenset[tuple[str | None, int]]) -> tuple[Any, ...]:
        size = sum(count for _, count in kind)
        return (-kinds[kind], -size, sorted((natural_key(instance), count) for instance, count in kind))

    return Counter(dict(sorted(kinds, key=weight)[0]))


def _order(cell: Cell) -> tuple[Any, ...]:
    algorithm, suite, problem, dimension = cell
    return (natural_key(algorithm), natural_key(suite), natural_key(problem), -1 if dimension is None else dimension)
