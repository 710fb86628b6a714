"""Which trials an experiment lacks, judged by its own design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

from benchmill.core.natural_order import natural_key
from benchmill.readers.interface import Place

#: A cell of the design: algorithm, suite, problem, dimension.
Cell = tuple[str, str | None, str, int | None]
#: A design may lack so many trials whatever there is, beyond that so many for each trial that is there or listed.
MOST_MISSING = 10_000
_MISSING_EACH = 10
#: How often each instance occurs in a cell.
Instances = Counter[str | None]


class Design(NamedTuple):
    """How many trials are expected, and which are missing."""

    expected: int
    """Number of trials of the design."""
    missing: Counter[Place]
    """Trials expected and not found, in natural order."""
    unexpected: int
    """Trials found beyond the design."""
    too_sparse: int
    """Trials that designs would expect which are too empty to be meant, and which are therefore not expected; mostly 0."""


def missing(found: Mapping[Cell, Instances], absent: Counter[Place], full_grid: bool, most_missing: int | None = None) -> Design:
    """Compare the trials found with the design of the experiment they come from."""
    told: dict[Cell, Instances] = {}
    for where, count in absent.items():
        told.setdefault(where[:4], Counter())[where[4]] += count
    listed = {**found, **{cell: found.get(cell, Counter()) + instances for cell, instances in told.items()}}

    groups: dict[Any, list[Cell]] = {}
    for cell in listed:
        groups.setdefault(cell[:2] if full_grid else cell[1], []).append(cell)
    plans = [_plan(listed, cells, full_grid) for cells in groups.values()]
    given = sum(instances.total() for instances in listed.values())
    allowed = max(MOST_MISSING, _MISSING_EACH * given) if most_missing is None else most_missing
    each = _MISSING_EACH if most_missing is None else 0
    too_many = sum(max(0, plan.size - plan.given) for plan in plans) > allowed
    expected: dict[Cell, Instances] = {}
    too_sparse = 0
    for plan in plans:
        if too_many and plan.size - plan.given > each * plan.given:
            too_sparse += plan.size
            expected |= {cell: Counter(listed[cell]) for cell in plan.cells}
        else:
            expected |= plan.fill()
    for where, count in absent.items():
        cell, instance = where[:4], where[4]
        # `|=` would go over all instances of the cell each time
        expected[cell][instance] = max(expected[cell][instance], found.get(cell, Counter())[instance] + count)

    lacking: Counter[Place] = Counter()
    unexpected = 0
    # most cells are as they are expected to be
    for cell in sorted((cell for cell in expected if expected[cell] != found.get(cell)), key=_order):
        have = found.get(cell, Counter())
        lack = expected[cell] - have
        for instance in sorted(lack, key=natural_key):
            lacking[(*cell, instance)] = lack[instance]
        unexpected += (have - expected[cell]).total()
    return Design(sum(e.total() for e in expected.values()), lacking, unexpected, too_sparse)


class _Plan(NamedTuple):
    """A design that is not written out yet."""

    cells: list[Cell]
    """The cells it is drawn from."""
    given: int
    """Trials in them."""
    size: int
    """Trials that it expects."""
    algorithms: list[str]
    usual: Iterable[tuple[tuple[Any, ...], Instances]]
    """Suite, problem and dimension of its cells, with the instances that each algorithm should have there."""

    def fill(self) -> dict[Cell, Instances]:
        """Write it out."""
        return {(algorithm, *place): Counter(usual) for place, usual in self.usual for algorithm in self.algorithms}


def _plan(listed: Mapping[Cell, Instances], cells: list[Cell], full_grid: bool) -> _Plan:
    """Return the design of some cells: all problems in all dimensions, or what the other algorithms of the suite have."""
    algorithms, suites, problems, dimensions = (list(dict.fromkeys(axis)) for axis in zip(*cells, strict=True))
    given = sum(listed[cell].total() for cell in cells)
    if full_grid:
        usual = _most_common(listed[cell] for cell in cells)
        grid = ((place, usual) for place in product(suites, problems, dimensions))
        return _Plan(cells, given, len(problems) * len(dimensions) * usual.total(), algorithms, grid)
    by_problem: dict[tuple[Any, ...], list[Instances]] = {}
    for cell in cells:
        by_problem.setdefault(cell[1:], []).append(listed[cell])
    of_problem = {place: _most_common(several) for place, several in by_problem.items()}
    size = len(algorithms) * sum(instances.total() for instances in of_problem.values())
    return _Plan(cells, given, size, algorithms, of_problem.items())


def _most_common(several: Iterable[Instances]) -> Instances:
    kinds: Counter[frozenset[tuple[str | None, int]]] = Counter(frozenset(instances.items()) for instances in several)

    def weight(kind: frozenset[tuple[str | None, int]]) -> tuple[Any, ...]:
        return -kinds[kind], -sum(count for _, count in kind), sorted((natural_key(i), count) for i, count in kind)

    usual = min(kinds, key=weight) if len(kinds) > 1 else next(iter(kinds))
    return Counter(dict(usual))


def _order(cell: Cell) -> tuple[Any, ...]:
    algorithm, suite, problem, dimension = cell
    return (natural_key(algorithm), natural_key(suite), natural_key(problem), -1 if dimension is None else dimension)
