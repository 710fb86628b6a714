"""Success performance: the mean evaluations of the successful runs divided by the success rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.core.traces import Traces, check_numbering, place
from benchmill.costs import fixed_target
from benchmill.costs.rows import cost_table
from benchmill.costs.summaries import counted, split, without


def costs(
    trials: pa.Table,
    traces: Traces | None,
    *,
    measure: str,
    targets: Sequence[float] = (1e-4,),
    scale: str = "distance",
    published: str = "printed",
) -> pa.Table:
    """Evaluations to success of every run; the trials of a problem become one cost M n / s.

    Barbosa, Bernardino, Barreto 2010, equation (5): M is the mean of the evaluations of the s successful of the n runs.

    Parameters
    ----------
    trials, traces
        Tables of one source; `traces` may come in pieces, see `benchmill.costs.costs`.
    measure : str
        Name of the measure.
    targets, scale
        As for the kind `fixed_target`, for sources with a trace. With `scale="relative"` the criterion is that of the
        paper's remark 1.
    published : {"printed", "recomputed"}
        For summaries that print a success performance beside mean and success rate, which need not agree: `printed` takes
        it as it stands (M is then the printed number times s / n), `recomputed` takes the printed mean for M.

    Returns
    -------
    pyarrow.Table
        Table `costs`: one row per trial and target, ordered by trial, then target as given; a summary has one row of its
        successful runs, with cost M, and one of the others.

    Raises
    ------
    UserError
        `published` is none of the two; a summary does not state what it needs, or only some of the trials are summaries;
        and as for the kind `fixed_target`.
    """
    if published not in ("printed", "recomputed"):
        raise UserError(f"measure {measure!r}: published is {published!r}, expected 'printed' or 'recomputed'.")
    check_numbering(trials)
    s = counted(trials, "n_successes")
    printed = trials.column("success_performance").to_numpy(zero_copy_only=False).astype(float)
    if np.isnan(s).all() and np.isnan(printed).all():
        return fixed_target.costs(trials, traces, measure=measure, targets=targets, scale=scale)

    mean = trials.column("cost").to_numpy(zero_copy_only=False).astype(float)
    n = trials.column("n").to_numpy().astype(float)
    value = printed * s / n if published == "printed" else mean
    lacking = "success performance" if published == "printed" else "mean number of evaluations"
    for wrong, what in (
        (np.isnan(s), "success rate"),
        ((s > 0) & ~(np.isfinite(value) & (value > 0)), lacking),
    ):
        if wrong.any():
            source, problem = place(trials, int(np.argmax(wrong)))
            raise UserError(
                f"{source}: {problem} states no {what}, which measure {measure!r} of kind 'success_performance' needs with "
                f"published: {published}; correct the table, or choose the other kind of `published`."
            )
    parts, cost = split(without(trials, "cost_sd") if published == "printed" else trials, value, s)
    return cost_table(parts, cost[:, None], measure)
