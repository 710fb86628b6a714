"""Costs of trials: one module per kind of measure, one row per trial and target or budget."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Index, UserError
from benchmill.core.options import made
from benchmill.core.schema import replaced
from benchmill.core.traces import Traces, check_numbering
from benchmill.costs.options import Options
from benchmill.registry.measures import MEASURES


def costs(
    kind: str, trials: pa.Table, traces: Traces | None, measure: str, settings: Mapping[str, Any], without: str | None = None
) -> pa.Table:
    """Return the table `costs` of one measure from the trials and traces of one source, without the problems left out."""
    if kind not in MEASURES:
        raise UserError(f"measure {measure!r}: there is no kind {kind!r} of measure; choose one of {', '.join(MEASURES)}.")
    try:
        chosen = made(MEASURES[kind].options, settings, f"the kind {kind!r}")
    except UserError as error:
        raise UserError(f"measure {measure!r}: {error}") from None
    try:
        return _of_problems(MEASURES[kind].function, trials, traces, measure, chosen)
    except UserError as error:
        if without is None:
            raise
        # a message says after a semicolon what to do, which is of measures that stand in the study
        raise UserError(f"{str(error).rpartition('; ')[0] or error}; {without}.") from None


def _of_problems(
    function: Callable[..., Any], trials: pa.Table, traces: Traces | None, measure: str, chosen: Options
) -> pa.Table:
    """Return what the kind makes of the trials that the measure is about."""
    if not chosen.exclude and chosen.dimensions is None:
        return function(trials, traces, measure, chosen)
    check_numbering(trials)
    out = pc.is_in(trials["problem"].cast(pa.string()), pa.array([str(name) for name in chosen.exclude], pa.string()))
    if chosen.dimensions is not None:
        out = pc.or_(out, pc.invert(pc.is_in(trials["dimension"], pa.array(chosen.dimensions, pa.int32()))))
    kept = np.flatnonzero(~np.asarray(out, bool))
    table = function(
        replaced(trials.take(pa.array(kept)), trial=np.arange(kept.size)),
        None if traces is None else _of_trials(traces, kept, trials.num_rows),
        measure,
        chosen,
    )
    return replaced(table, trial=kept[table["trial"].to_numpy()])


def _of_trials(traces: Traces, kept: Index, n_trials: int) -> Iterator[pa.Table]:
    """Return the traces of some trials, numbered by their place among these."""
    number = np.full(n_trials, -1)
    number[kept] = np.arange(kept.size)
    for piece in [traces] if isinstance(traces, pa.Table) else traces:
        table = pa.Table.from_batches([piece]) if isinstance(piece, pa.RecordBatch) else piece
        trial = number[table["trial"].to_numpy()]
        yield replaced(table.filter(pa.array(trial >= 0)), trial=trial[trial >= 0])
