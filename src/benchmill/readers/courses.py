"""The course of solver runs: best value and bound over the seconds, as the formats of solver runs collect it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core.best_so_far import running_minimum
from benchmill.readers.interface import Report, rules
from benchmill.text.labels import shown

if TYPE_CHECKING:
    from benchmill.readers.solver_runs import Runs

Array = npt.NDArray[np.float64]

RULES = rules("courses")

#: Relative difference that the fewest digits can make with which a solver prints a number (Gurobi: `-5.890e+08`).
_PRINTED = 1e-3


def columns(runs: Runs, time: Array, report: Report) -> dict[str, pa.Array]:
    """Return the columns `course_s`, `course_value` and `course_bound` of `trials`; null for a run without a course.

    The last moment of a run is its time with its last value and bound. As these have all their digits, nothing before is better
    than they are. Lines without a time, or with one that is negative or infinite, are left out.

    Parameters
    ----------
    time : (n_runs,) array
        Seconds that each run took; NaN where they are not known.
    """
    there = np.array([course is not None for course in runs.course])
    sign = np.where(runs.maximise, -1.0, 1.0)
    last = np.column_stack([time, np.asarray(runs.value, float), np.asarray(runs.bound, float)])
    parts = [np.zeros((0, 3))]
    for course, end in zip(runs.course, last, strict=True):
        if course is not None:
            parts += [np.reshape(course, (-1, 3)), end[None][: int(np.isfinite(end[0]))]]
    rows = np.concatenate(parts)
    sizes = [0 if c is None else len(c) + int(np.isfinite(t)) for c, t in zip(runs.course, time, strict=True)]
    trial = np.repeat(np.arange(len(runs)), sizes)
    timed = np.isfinite(rows[:, 0]) & (rows[:, 0] >= 0)
    rows, trial = rows[timed], trial[timed]
    stated = rows * np.column_stack([-np.ones(trial.size), sign[trial], -sign[trial]])
    stated[np.isnan(stated)] = np.inf
    best = np.column_stack([running_minimum(trial, column) for column in stated.T])
    inside = trial[1:] == trial[:-1]
    falls = _beyond(best, stated)
    falls[:, 0] &= np.append(inside, False)  # the time that a run took in all may be of another clock
    ends = np.column_stack([np.full(len(runs), np.nan), sign * last[:, 1], -sign * last[:, 2]])[trial]
    beyond = np.unique(trial[_beyond(best, ends).any(axis=1)])
    for rule, found in (("course_falls_back", np.unique(trial[falls.any(axis=1)])), ("course_beyond_end", beyond)):
        for run in found.tolist():
            what = f"{shown(runs.algorithm[run])} on {shown(runs.problem[run])}"
            report.add(rule, runs.file[run], runs.line[run], what)
    there[beyond] = False
    best = np.fmax(best, ends)
    kept = np.append(True, ~inside | (best[1:, 1:] != best[:-1, 1:]).any(axis=1))[: trial.size]
    kept &= there[trial] & np.isfinite(best[:, 1:]).any(axis=1)
    best, trial = best[kept], trial[kept]
    offsets = np.append(0, np.cumsum(np.bincount(trial, minlength=len(runs))))
    index = pa.array(offsets, pa.int32(), mask=np.append(~there, False))
    names = ("course_s", "course_value", "course_bound")
    of_column = (-best[:, 0], sign[trial] * best[:, 1], -sign[trial] * best[:, 2])
    return {
        name: pa.ListArray.from_arrays(index, pa.array(values, mask=np.isinf(values)))
        for name, values in zip(names, of_column, strict=True)
    }


def _beyond(better: Array, worse: Array) -> npt.NDArray[np.bool_]:
    there = np.isfinite(better) & np.isfinite(worse)
    a, b = np.where(there, better, 0.0), np.where(there, worse, 0.0)
    return np.asarray(a < b - _PRINTED * np.maximum(1.0, np.maximum(np.abs(a), np.abs(b))), bool)
