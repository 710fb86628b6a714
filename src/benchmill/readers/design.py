"""Which trials an experiment lacks, judged by its own design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
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

    plans = _grids(listed) if full_grid else _tables(listed)
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
    fill: Callable[[], dict[Cell, Instances]]
    """Writes it out."""


def _grids(listed: Mapping[Cell, Instances]) -> list[_Plan]:
    groups: dict[tuple[str, str | None], list[Cell]] = {}
    for cell in listed:
        groups.setdefault(cell[:2], []).append(cell)
    plans = []
    for (algorithm, suite), cells in groups.items():
        usual = _most_common(listed[cell] for cell in cells)
        axes = [algorithm], [suite], list({cell[2]: None for cell in cells}), list({cell[3]: None for cell in cells})
        size = len(axes[2]) * len(axes[3]) * usual.total()
        plans.append(_Plan(cells, _total(listed, cells), size, partial(_filled, axes, usual)))
    return plans


def _filled(axes: tuple[list[Any], ...], usual: Instances) -> dict[Cell, Instances]:
    return {cell: Counter(usual) for cell in product(*axes)}


def _tables(listed: Mapping[Cell, Instances]) -> list[_Plan]:
    suites: dict[str | None, list[Cell]] = {}
    for cell in listed:
        suites.setdefault(cell[1], []).append(cell)
    plans = []
    for cells in suites.values():
        algorithms = list({cell[0]: None for cell in cells})
        by_problem: dict[tuple[str | None, str, int | None], list[Instances]] = {}
        for cell in cells:
            by_problem.setdefault(cell[1:], []).append(listed[cell])
        usual = {problem: _most_common(several) for problem, several in by_problem.items()}
        size = len(algorithms) * sum(instances.total() for instances in usual.values())
        plans.append(_Plan(cells, _total(listed, cells), size, partial(_written, algorithms, usual)))
    return plans


def _written(algorithms: list[str], usual: Mapping[tuple[str | None, str, int | None], Instances]) -> dict[Cell, Instances]:
    return {(algorithm, *problem): Counter(instances) for problem, instances in usual.items() for algorithm in algorithms}


def _total(listed: Mapping[Cell, Instances], cells: Iterable[Cell]) -> int:
    return sum(listed[cell].total() for cell in cells)


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
