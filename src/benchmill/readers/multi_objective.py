"""Runs of several objectives as traces of one value: a quality indicator of all points that were evaluated so far."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmill.core import Array, UserError, shown
from benchmill.readers import table_files
from benchmill.readers.interface import Report, place
from benchmill.readers.rows import number

#: The indicators, in words.
INDICATORS = {
    "hypervolume": "hypervolume",
    "igd_plus": "inverted generational distance plus (IGD+)",
    "epsilon": "additive epsilon indicator",
}

#: Columns of a file with a reference set that are no objectives: the points of a row with them are for such problems alone.
_KEYS = ("problem", "dimension")

#: Numbers of an array that is made of points and a reference set together.
_NUMBERS_AT_ONCE = 4_000_000


def hypervolume(points: Array, reference: Array) -> Array:
    """Return the hypervolume of the points so far, after each of them.

    The hypervolume of a set is the volume of what it dominates and what dominates the reference point (Zitzler and Thiele 1998).
    A point that is not better than the reference point in every objective adds nothing.

    Notes
    -----
    Exact. With two objectives the points that nothing dominates are kept as a staircase, and a point adds the area between the
    steps that it replaces: O(n log n). With m objectives a point adds its box less the hypervolume of its overlaps with what is
    there (While et al. 2012), which in turn is a sum over the last objective: the extent of each point, times what the point adds
    to those of larger extent in the other m - 1 objectives.

    References
    ----------
    E. Zitzler and L. Thiele. Multiobjective optimization using evolutionary algorithms: a comparative case
    study. PPSN V, 292-301, 1998.

    L. While, L. Bradstreet, L. Barone. A fast way of calculating exact hypervolumes. IEEE Transactions on Evolutionary
    Computation 16(1), 86-95, 2012.
    """
    extents = np.asarray(reference, float) - points
    return np.asarray(np.cumsum(_added(np.where((extents > 0).all(axis=1, keepdims=True), extents, 0.0))))


def _added(boxes: Array) -> Array:
    if boxes.shape[1] == 2:
        return _added_in_the_plane(boxes)
    added = np.zeros(len(boxes))
    front = boxes[:0]
    for i in np.flatnonzero(boxes[:, 0] > 0).tolist():
        box = boxes[i]
        if not (front >= box).all(axis=1).any():
            added[i] = max(box.prod() - _volume(np.minimum(front, box)), 0.0)
            front = np.vstack([front[~(front <= box).all(axis=1)], box])
    return added


def _volume(boxes: Array) -> float:
    by_last = boxes[np.argsort(-boxes[:, -1], kind="stable")]
    return float(by_last[:, -1] @ _added(by_last[:, :-1]))


def _added_in_the_plane(boxes: Array) -> Array:
    added = np.zeros(len(boxes))
    widths: list[float] = []  # of the steps, ascending
    heights: list[float] = []  # descending
    for i, (width, height) in enumerate(boxes.tolist()):
        at = bisect_left(widths, width)
        if width <= 0 or (at < len(widths) and heights[at] >= height):
            continue
        covered = heights[at] if at < len(widths) else 0.0
        right, first, area = width, at, 0.0
        while first and heights[first - 1] <= height:
            first -= 1
            area += (right - widths[first]) * (height - covered)
            right, covered = widths[first], heights[first]
        left = widths[first - 1] if first else 0.0
        added[i] = area + (right - left) * (height - covered)
        behind = at + (at < len(widths) and widths[at] == width)
        widths[first:behind], heights[first:behind] = [width], [height]
    return added


def igd_plus(points: Array, reference_set: Array) -> Array:
    r"""Return the inverted generational distance plus of the points so far, after each of them.

    The mean over the reference set of the distance to the nearest point, of which only objectives count in which the point is
    worse (Ishibuchi et al. 2015): :math:`d^+(r, a) = \sqrt{\sum_k \max(a_k - r_k, 0)^2}`. It is 0 if every point of the reference
    set is reached or dominated.
    """
    return _so_far(points, reference_set, lambda worse: np.sqrt((np.maximum(worse, 0.0) ** 2).sum(axis=2)), np.mean)


def epsilon(points: Array, reference_set: Array) -> Array:
    r"""Return the additive epsilon indicator of the points so far, after each of them.

    The least number that, subtracted from every objective of the points, makes them reach or dominate the whole reference set
    (Zitzler et al. 2003): :math:`\max_r \min_a \max_k (a_k - r_k)`. It is negative if the points are better than the whole
    reference set.
    """
    return _so_far(points, reference_set, lambda worse: worse.max(axis=2), np.max)


def _so_far(points: Array, reference_set: Array, distance: Callable[[Array], Array], of_all: Callable[..., Array]) -> Array:
    """Return after each point what the distances of the reference set to the nearest point so far amount to."""
    share = max(1, _NUMBERS_AT_ONCE // reference_set.size)
    nearest = np.full((1, len(reference_set)), np.inf)
    values = np.empty(len(points))
    for begin in range(0, len(points), share):
        some = slice(begin, begin + share)
        nearest = np.minimum.accumulate(np.vstack([nearest[-1:], distance(points[some, None, :] - reference_set)]))
        values[some] = of_all(nearest[1:], axis=1)
    return values


@dataclass(frozen=True)
class Indicator:
    """An indicator with what it compares points with.

    Attributes
    ----------
    point : sequence of float, mapping of str to such, or None
        The reference point: of all problems, or by problem.
    sets : mapping of (str, str) to array, or None
        The reference set, by problem and dimension; an empty text stands for all. Arrays have a row for each point.
    """

    name: str
    point: Sequence[float] | Mapping[str, Sequence[float]] | None
    sets: Mapping[tuple[str, str], Array] | None
    where: str

    @property
    def maximise(self) -> bool:
        """True where larger values are better."""
        return self.name == "hypervolume" and self.sets is None

    def of(self, points: Array, signs: Array, problem: str, dimension: int) -> Array:
        """Return the values of a run of a problem, after each of its points.

        The hypervolume, or where there is a reference set by how much it falls short of that of the set.
        """
        what = f"{shown(problem)} in dimension {dimension}"
        against = None
        if self.sets is not None:
            keys = ((problem, str(dimension)), (problem, ""), ("", str(dimension)), ("", ""))
            against = next((self.sets[key] for key in keys if key in self.sets), None)
            if against is None:
                raise UserError(f"{self.where}: it has no points for {what}; add them, or leave the column `problem` out.")
            self._check(f"{self.where}: the reference set", against.shape[1], len(signs), what)
            against = against * signs
        if self.name != "hypervolume":
            assert against is not None
            return (igd_plus if self.name == "igd_plus" else epsilon)(points * signs, against)
        point = self.point.get(problem) if isinstance(self.point, Mapping) else self.point
        if point is None:
            raise UserError(f"`reference_point` has none for {shown(problem)}; add it.")
        self._check("`reference_point`", len(point), len(signs), what)
        reference = np.array(point, float) * signs
        reached = hypervolume(points * signs, reference)
        return reached if against is None else hypervolume(against, reference)[-1] - reached

    def _check(self, name: str, there: int, needed: int, what: str) -> None:
        if there != needed:
            raise UserError(f"{name} has {there} objectives, but the logs of {what} have {needed}; give as many, in their order.")


def reference_sets(path: str, report: Report) -> dict[tuple[str, str], Array]:
    """Return the reference sets in a table (a column an objective, perhaps `problem` and `dimension`) by the last two."""
    file = table_files.read_beside(path, "reference set", "reference_set", report)
    name, table = file.name, file.frame
    lines = table[table_files.LINE].tolist()
    objectives = [column for column in table.columns if column not in (*_KEYS, table_files.LINE)]
    if objectives and all(number(column) is not None for column in objectives):
        raise UserError(f"{name}:1: there is no header; name the objectives in the first line, such as `f1,f2`.")
    import pandas as pd

    cells = table[objectives]
    points = cells.map(lambda cell: number(str(cell))).to_numpy(float)
    wrong = np.argwhere(~np.isfinite(points))
    if len(wrong):
        i, k = wrong[np.argmin(wrong[:, 1])].tolist()
        what = f"{shown(str(cells.iat[i, k]))!r} in {shown(objectives[k])!r}"
        raise UserError(f"{place(name, lines[i])}: {what} is no number; correct it.")
    problem, dimension = (table[key].str.strip() if key in table else pd.Series("", table.index) for key in _KEYS)
    return {key: points[its] for key, its in table.groupby([problem, dimension], sort=False).indices.items()}
