"""Costs of trials: one module a kind of measure, one row per trial and target or budget.

A cost is minimised and `inf` is a failure. The kinds are found by name in `KINDS`; each is a module with one function
`costs(trials, traces, *, measure, ...)` whose keywords are the settings of the measure in a study.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.errors import UserError
from benchmill.core.traces import Traces, check_numbering

#: Kind of measure -> the module that computes it, imported when it is asked for.
KINDS = {
    "fixed_target": "benchmill.costs.fixed_target",
    "fixed_budget": "benchmill.costs.fixed_budget",
    "given": "benchmill.costs.given",
    "feasible_rate": "benchmill.costs.feasible_rate",
    "success_rate": "benchmill.costs.success_rate",
    "success_performance": "benchmill.costs.success_performance",
}


def costs(
    kind: str, trials: pa.Table, traces: Traces | None, measure: str, settings: Mapping[str, Any], without: str | None = None
) -> pa.Table:
    """Costs of one measure from the trials and traces of one source.

    Parameters
    ----------
    kind : str
        Key of `KINDS`.
    trials : pyarrow.Table
        Table `trials` of one source.
    traces : pyarrow.Table or iterable of record batches or tables
        Table `traces` of the same source, sorted by trial, whole or in pieces (a trial may go on in the next one); None for a
        kind that reads no traces.
    measure : str
        Name of the measure in the study.
    settings : mapping
        Keywords of the kind, e.g. `{"targets": [10, 1], "scale": "logged"}`, and of every kind `exclude`: names of problems
        that the measure leaves out, and `dimensions`: those that it is about. Nothing is measured on other trials, so nothing
        need be known of them (an optimum, say).
    without : str, optional
        Of a measure that the study has not named itself: how to do without it, which messages then advise.

    Returns
    -------
    pyarrow.Table
        Table `costs`, ordered by trial, then target or budget as given; without rows for the problems left out.

    Raises
    ------
    UserError
        The kind or a setting is unknown, a setting is missing, or the kind cannot be computed from these logs.
    """
    if kind not in KINDS:
        raise UserError(f"measure {measure!r}: there is no kind {kind!r} of measure; choose one of {', '.join(KINDS)}.")
    settings = dict(settings)
    exclude, dimensions = settings.pop("exclude", ()), settings.pop("dimensions", None)
    function = importlib.import_module(KINDS[kind]).costs
    keywords = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY and p.name != "measure"]
    unknown = [name for name in settings if name not in {p.name for p in keywords}]
    if unknown:
        raise UserError(
            f"measure {measure!r}: the kind {kind!r} has no setting {unknown[0]!r}; it has {', '.join(p.name for p in keywords)}."
        )
    absent = [p.name for p in keywords if p.default is p.empty and p.name not in settings]
    if absent:
        raise UserError(f"measure {measure!r}: the kind {kind!r} needs the setting {absent[0]!r}; add it to the study.")
    try:
        return _of_problems(function, trials, traces, exclude, dimensions, {"measure": measure, **settings})
    except UserError as error:
        if without is None:
            raise
        # a message says after a semicolon what to do, which is of measures that stand in the study
        raise UserError(f"{str(error).rpartition('; ')[0] or error}; {without}.") from None


def _of_problems(
    function: Callable[..., Any],
    trials: pa.Table,
    traces: Traces | None,
    exclude: Sequence[object],
    dimensions: Sequence[int] | None,
    settings: Mapping[str, Any],
) -> pa.Table:
    """What the kind makes of the trials that the measure is about."""
    if not exclude and dimensions is None:
        return cast(pa.Table, function(trials, traces, **settings))
    check_numbering(trials)
    out = pc.is_in(trials.column("problem").cast(pa.string()), pa.array([str(name) for name in exclude], pa.string()))
    if dimensions is not None:
        out = pc.or_(out, pc.invert(pc.is_in(trials.column("dimension"), pa.array(dimensions, pa.int32()))))
    kept = np.flatnonzero(~np.asarray(out, bool))
    table = function(
        _numbered(trials.take(pa.array(kept)), np.arange(kept.size)),
        None if traces is None else _of_trials(traces, kept, trials.num_rows),
        **settings,
    )
    return _numbered(table, kept[table.column("trial").to_numpy()])


def _numbered(table: pa.Table, trial: np.ndarray) -> pa.Table:
    """The table with other numbers of its trials."""
    at = table.schema.get_field_index("trial")
    return table.set_column(at, table.schema.field(at), pa.array(trial, pa.int32()))


def _of_trials(traces: Traces, kept: np.ndarray, n_trials: int) -> Iterator[pa.Table]:
    """The traces of some trials, numbered by their place among these."""
    number = np.full(n_trials, -1)
    number[kept] = np.arange(kept.size)
    for piece in [traces] if isinstance(traces, pa.Table) else traces:
        table = pa.Table.from_batches([piece]) if isinstance(piece, pa.RecordBatch) else piece
        trial = number[table.column("trial").to_numpy()]
        yield _numbered(table.filter(pa.array(trial >= 0)), trial[trial >= 0])
