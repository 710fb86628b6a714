"""Walk through the traces of one source piece by piece, so that they never have to fit into memory."""

import json
import warnings
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Index, Mask, MaybeArray, UserError, Whole, reals, schema

#: A table `traces`, or an iterable of its pieces in order (`benchmill.core.storage.pieces` of its file).
Traces: TypeAlias = pa.Table | Iterable[pa.RecordBatch | pa.Table]

#: How values are compared with a target: as logged, as the distance to the optimum, or as that divided by the optimum's size.
Scale = Literal["logged", "distance", "relative"]
SCALES = get_args(Scale)
#: The same for the reader of a configuration.
SCALE = """Compare targets with the values as logged, with the distance to the known optimum, or with that distance divided by
the size of the optimum (`relative`)."""

#: The columns of `traces` that `pieces` looks at.
COLUMNS = ["trial", "evaluations", "value", "on_target", "violation"]

_ROWS_A_PIECE = 1 << 16


class Piece(NamedTuple):
    """Consecutive rows of `traces`: rows `offsets[i]` to `offsets[i + 1]` belong to trial `trial[i]`."""

    trial: Index
    offsets: Index
    evaluations: Index
    value: Array


def pieces(traces: Traces, trials: pa.Table, scale: str, *, on_target: bool, targets: MaybeArray = None) -> Iterator[Piece]:
    """Yield the traces as arrays on the scale (see `scaled`); a trial may go on in the next piece.

    Infeasible rows have the worst possible value; so have, with `on_target`, rows that were recorded for their number of
    evaluations alone. `targets` are those that alone are looked for.

    Raises
    ------
    UserError
        Rows are not sorted by trial and evaluations, belong to no trial, or are known at other targets alone.
    """
    check_numbering(trials)
    _check_known(trials, scale, targets)
    last_trial, last_evaluations = -1, 0
    worst = np.where(larger_is_better(trials, scale), -np.inf, np.inf)
    for piece in _tables(traces):
        if not piece.num_rows:
            continue
        trial = piece.column("trial").to_numpy()
        evaluations = piece.column("evaluations").to_numpy()
        begins = np.append(True, trial[1:] != trial[:-1])
        wrong = np.append(False, (evaluations[1:] < evaluations[:-1]) & ~begins[1:])
        wrong[0] = trial[0] == last_trial and evaluations[0] < last_evaluations
        first = np.flatnonzero(begins)
        wrong[first] |= np.diff(trial[first], prepend=last_trial) < 0
        if wrong.any() or trial[-1] >= trials.num_rows:
            at = int(trial[np.argmax(wrong)] if wrong.any() else trial[-1])
            raise UserError(
                f"traces: rows of trial {at} are out of order or belong to no trial; expected rows sorted by trial and "
                "evaluations, of one source; read its logs again."
            )
        last_trial, last_evaluations = int(trial[-1]), int(evaluations[-1])
        value = scaled(piece.column("value").to_numpy(), trial, trials, scale)
        violation = piece.column("violation")
        unusable = np.zeros(trial.size, bool)
        if violation.null_count < len(violation):
            unusable |= pc.fill_null(violation, 0.0).to_numpy() > 0
        if on_target and not pc.all(piece.column("on_target")).as_py():
            unusable |= ~schema.flags(piece, "on_target")
        if unusable.any():
            value = np.where(unusable, worst[trial], value)
        yield Piece(trial[first].astype(np.int64), np.append(first, trial.size), evaluations, value)


def _tables(traces: Traces) -> Iterator[pa.Table]:
    for piece in [traces] if isinstance(traces, pa.Table) else traces:
        table = pa.Table.from_batches([piece]) if isinstance(piece, pa.RecordBatch) else piece
        for start in range(0, table.num_rows, _ROWS_A_PIECE):
            yield table.slice(start, _ROWS_A_PIECE).select(COLUMNS)


def _check_known(trials: pa.Table, scale: str, targets: MaybeArray) -> None:
    """Raise if traces are known at some targets alone, and something else is asked of them."""
    column = trials.column("known_targets")
    for text in pc.unique(column.drop_null()).to_pylist():
        asked = None if targets is None or scale != "logged" else reals(targets).ravel()
        unknown = None if asked is None else asked[~np.isin(asked, json.loads(text))]
        if unknown is not None and not unknown.size:
            continue
        where, _ = place(trials, int(np.argmax(np.asarray(pc.fill_null(pc.equal(column, text), False), bool))))
        what = "anything else (values at budgets, other scales)" if unknown is None else f"the target {unknown[0]:g}"
        raise UserError(
            f"{where}: it comes from a background, which knows the evaluations to {len(json.loads(text))} targets and "
            f"not {what}; leave that out, make the background again with these targets, or list the logs themselves as a source."
        )


def check_numbering(trials: pa.Table) -> None:
    """Raise unless `trials` numbers its rows from 0, as the trials of one source do."""
    if not np.array_equal(trials.column("trial").to_numpy(), np.arange(trials.num_rows)):
        raise UserError(
            "trials: column 'trial' does not count the rows from 0; costs are computed for one source at a time, "
            "from the trials as they were read."
        )


def refuse(trials: pa.Table, wrong: Mask, measure: str, message: str, **known: object) -> None:
    """Raise an error if a trial is wrong; `{problem}` of the message stands for the problem of the first one."""
    if wrong.any():
        source, problem = place(trials, int(np.argmax(wrong)))
        raise UserError(f"{source}: {message.format(problem=problem, measure=measure, **known)}.")


def check_scale(trials: pa.Table, scale: str, measure: str) -> None:
    """Raise unless the values of all trials can be put on the scale; warn where a relative distance is taken for absolute."""
    if scale not in SCALES:
        raise UserError(f"measure {measure!r}: scale is {scale!r}, expected one of {', '.join(SCALES)}.")
    if scale != "logged":
        refuse(
            trials,
            (schema.says(trials, "value_kind", "absolute") | (scale == "relative")) & np.isnan(schema.floats(trials, "optimum")),
            measure,
            "the optimum of {problem} is not known, so measure {measure!r} cannot use the distance to it; set scale: logged, "
            "state the optimum, or leave the problem out with `exclude`",
        )
    if scale == "relative" and (zero := schema.floats(trials, "optimum") == 0).any():
        source, problem = place(trials, int(np.argmax(zero)))
        warnings.warn(
            f"{source}: the optimum of {problem} is 0, so measure {measure!r} takes the distance to it as the relative one.",
            stacklevel=3,
        )


def check_traced(trials: pa.Table, has_rows: Mask, measure: str) -> None:
    """Raise if a trial has a stated cost and no trace."""
    refuse(
        trials,
        ~pc.is_null(trials.column("cost")).to_numpy(zero_copy_only=False) & ~has_rows,
        measure,
        "the source states the cost of {problem} and has no trace of it, so measure {measure!r} cannot be read off; "
        "use kind: given",
    )


def place(trials: pa.Table, row: int) -> tuple[str, str]:
    """Tell where a trial was read from, and its problem and dimension."""
    dimension = trials.column("dimension")[row].as_py()
    problem = f"problem {trials.column('problem')[row].as_py()}"
    return str(trials.column("source")[row].as_py()), problem if dimension is None else f"{problem} in dimension {dimension}"


def are_distances(trials: pa.Table, scale: str) -> Mask:
    """Return True for trials whose values on the scale are distances to an optimum."""
    return np.full(trials.num_rows, True) if scale != "logged" else ~schema.says(trials, "value_kind", "absolute")


def larger_is_better(trials: pa.Table, scale: str) -> Mask:
    """Return True for trials whose larger values are better on the scale; distances are always minimised."""
    return schema.flags(trials, "maximise") & schema.says(trials, "value_kind", "absolute") & (scale == "logged")


def scaled(value: Array, trial: Whole, trials: pa.Table, scale: str) -> Array:
    """Return values as logged, as `distance` to the optimum f*, or `relative`.

    As that over `|f*|` (where f* is 0 the distance itself).

    The distance keeps its sign: a value better than a best known one is negative and reaches every target. The relative one is
    that of remark 1 in Barbosa, Bernardino, Barreto 2010, with `|f*|` as many optima are negative.
    """
    if scale == "logged":
        return value
    optimum = schema.floats(trials, "optimum")
    gap = value - optimum[trial]
    distance = np.where(
        schema.says(trials, "value_kind", "absolute")[trial], np.where(schema.flags(trials, "maximise")[trial], -gap, gap), value
    )
    return distance / np.where(optimum == 0, 1.0, np.abs(optimum))[trial] if scale == "relative" else distance
