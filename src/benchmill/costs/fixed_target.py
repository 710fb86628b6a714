"""Fixed target: the evaluations a trial needs to reach a value (vertical reading of a convergence graph)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.core.options import TARGETS, TARGETS_MEANING, option
from benchmill.core.traces import SCALE, Scale, Traces, check_scale, check_traced, larger_is_better, pieces, place
from benchmill.costs import options
from benchmill.costs.rows import cost_table


@dataclass(frozen=True, kw_only=True)
class Options(options.Options):
    """What a study can set of the kind.

    Distances have a sign: beyond a stated optimum (a best known value) is closer still. Values that are logged as differences
    stay as they are.
    """

    targets: tuple[float, ...] = option(TARGETS_MEANING, [10.0, 1.0, 0.1, 1e-3, 1e-5, 1e-7], **TARGETS)
    target_titles: tuple[str, ...] = option(
        "What the targets are called in headings of figures and tables, one title for each; by default `target 10⁻⁷` and so on.",
        (),
        items={"type": "string", "minLength": 1},
    )
    scale: Scale = option(SCALE, "logged")
    aggregate: Literal["ert", "success_performance", "mean", "median", "single"] = option(
        "How the trials of a problem become one cost.", "ert"
    )

    def __post_init__(self) -> None:
        wanted = np.asarray(self.targets, float).ravel()
        if not wanted.size or np.isnan(wanted).any() or np.unique(wanted).size < wanted.size:
            raise UserError(f"targets are {list(self.targets)}, expected at least one number and none twice.")
        if self.target_titles and len(self.target_titles) != wanted.size:
            raise UserError(
                f"target_titles has {len(self.target_titles)} titles for {wanted.size} targets; give one for each, or none."
            )


def hitting_times(
    offsets: npt.ArrayLike,
    evaluations: npt.ArrayLike,
    values: npt.ArrayLike,
    targets: npt.ArrayLike,
    *,
    maximise: bool = False,
) -> npt.NDArray[np.float64]:
    """First recorded evaluation at which each trial is at least as good as each target.

    Parameters
    ----------
    offsets : (n_trials + 1,) array_like of int
        Rows `offsets[i]` to `offsets[i + 1]` of the trace belong to trial i; a trial may have none.
    evaluations : (n_rows,) array_like
        Ascending within a trial.
    values : (n_rows,) array_like
        Need not improve from row to row; NaN reaches nothing.
    targets : (n_targets,) array_like
        In any order, ties allowed.
    maximise : bool
        A target is reached by `value >= target` instead of `value <= target`.

    Returns
    -------
    (n_trials, n_targets) array
        Evaluations; inf where the target is not reached.

    Raises
    ------
    ValueError
        A target is NaN.
    """
    bounds = np.asarray(offsets, np.int64)
    # level of a row: how many of the targets its value reaches. Within a trial only new highest levels matter; each (trial,
    # target) is then a binary search, whatever the number of rows
    _, highest, t = _levels(bounds, values, targets, maximise)
    easiest_first = np.argsort(-t, kind="stable")
    wanted = np.arange(bounds.size - 1)[:, None] * (t.size + 1) + np.arange(1, t.size + 1)
    row = bounds[0] + np.searchsorted(highest, wanted, side="left")
    hit = row < bounds[1:, None]
    times = np.full(wanted.shape, np.inf)
    times[hit] = np.asarray(evaluations)[row[hit]]
    result = np.empty_like(times)
    result[:, easiest_first] = times
    return result


def decisive(
    offsets: npt.ArrayLike,
    values: npt.ArrayLike,
    targets: npt.ArrayLike,
    *,
    maximise: bool = False,
) -> npt.NDArray[np.bool_]:
    """Rows of traces that `hitting_times` hang on: those at which a trial first is at least as good as some target.

    Parameters
    ----------
    offsets, values, targets, maximise
        As for `hitting_times`.

    Returns
    -------
    (n_rows,) array of bool
        At most one row a trial and target. The hitting times of these rows alone are those of all rows.
    """
    trial, highest, t = _levels(np.asarray(offsets, np.int64), values, targets, maximise)
    before = np.maximum(np.append(0, highest[:-1]), trial * (t.size + 1))
    return np.asarray(highest > before)


def _levels(
    bounds: npt.NDArray[np.int64], values: npt.ArrayLike, targets: npt.ArrayLike, maximise: bool
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """By row its trial, and how many targets were reached so far; and the targets, as they are minimised.

    The number of targets has the trial's number as leading digit, so that one running maximum serves all trials.
    """
    sign = -1.0 if maximise else 1.0
    v, t = sign * np.asarray(values, float), sign * np.asarray(targets, float)
    if np.isnan(t).any():
        raise ValueError("a target must be a number")
    level = t.size - np.searchsorted(np.sort(t), v, side="left")
    trial = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    return trial, np.maximum.accumulate(trial * (t.size + 1) + level[bounds[0] : bounds[-1]]), t


def costs(trials: pa.Table, traces: Traces | None, measure: str, options: Options) -> pa.Table:
    """Evaluations to each target, for every trial of one source.

    A target is reached at the first recorded evaluation with value <= target (>= where larger values are better), by a
    feasible point, within the trial's own budget. Rows that were recorded for their number of evaluations alone (the
    `.tdat` of COCO) do not count, as in COCO's own processing: their printed digits may meet a target that the logger
    had not seen reached. Other trials fail: cost inf, with the budget they spent. So does a trial without a trace.

    Raises
    ------
    UserError
        An unknown optimum, a source that only states costs, or a trace of means over several runs.
    """
    wanted, scale = np.asarray(options.targets, float).ravel(), options.scale
    check_scale(trials, scale, measure)
    larger = larger_is_better(trials, scale)
    times = np.full((trials.num_rows, wanted.size), np.inf)
    has_rows = np.zeros(trials.num_rows, bool)
    for piece in pieces(traces if traces is not None else [], trials, scale, on_target=True, targets=wanted):
        has_rows[piece.trial] = True
        for maximise in np.unique(larger[piece.trial]):
            of = larger[piece.trial] == maximise
            found = hitting_times(piece.offsets, piece.evaluations, piece.value, wanted, maximise=bool(maximise))
            times[piece.trial[of]] = np.minimum(times[piece.trial[of]], found[of])
    check_traced(trials, has_rows, measure)
    means = has_rows & (trials.column("n").to_numpy() > 1)
    if means.any():
        source, problem = place(trials, int(np.argmax(means)))
        raise UserError(
            f"{source}: the values on {problem} are means over several runs, which do not tell when a run reached a target; use "
            f"kind: fixed_budget with aggregate: mean for measure {measure!r}, or leave the source out."
        )
    budget = trials.column("budget").cast(pa.float64()).to_numpy(zero_copy_only=False)
    # an unknown budget is NaN and limits nothing
    times[times > budget[:, None]] = np.inf
    return cost_table(trials, times, measure, targets=wanted)
