"""Rows of typed columns that leave nothing to parse, to repair or to ask: they need not go through text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmill.core import schema
from benchmill.core.natural_order import natural_key
from benchmill.readers import table_checks, table_files
from benchmill.readers.archive import View
from benchmill.readers.interface import Report
from benchmill.readers.statuses import OUTCOMES
from benchmill.readers.table_names import KEYS, VIRTUAL, larger_is_better
from benchmill.readers.table_options import Options

#: What a column of names may be.
_NAMING = (pa.types.is_dictionary, pa.types.is_string, pa.types.is_large_string, pa.types.is_integer)
#: Multiples of a limit that may stand for a failure.
_PENALTIES = (2, 5, 10)


@dataclass(frozen=True)
class _Words:
    """A column of names: its distinct words in natural order, and the place of each row's among them."""

    words: pa.Array
    places: npt.NDArray[np.int64]


def trials(view: View, options: Options, report: Report) -> pa.Table | None:
    """Return the trials of one Arrow or Parquet file of costs as the reader of text would; None where that has to look closer.

    That is where a column is not read, a cell is empty, a name has blanks or signs beyond ASCII, runs are numbered twice, a cost
    is negative or may stand for a failure, or the entry says more than names of columns, outcomes and a limit.
    """
    table = _columns(view, options)
    if table is None:
        return None
    keys = {name: _words(table[name]) for name in table.column_names if name in KEYS[:-1]}
    named = {name: key for name, key in keys.items() if key is not None}
    if len(named) < len(keys) or table_checks.names_total(named["problem"].words.to_pylist()):
        return None
    if any(re.fullmatch(VIRTUAL, name, re.IGNORECASE) for name in named["algorithm"].words.to_pylist()):
        return None
    ended = _ended(table, options)
    run = _runs(table, list(named.values()))
    if run is None or ended is None:
        return None
    place = _combined([named[name] for name in ("suite", "problem", "dimension") if name in named])
    order = np.argsort(place, kind="stable")
    name = view.members[0].name
    _note_limits(name, table, ended, report)
    report.rows_read += table.num_rows
    return schema.table(
        "trials",
        {
            **{key: one.words.take(pa.array(one.places[order])) for key, one in named.items()},
            **{key: values.take(pa.array(order)) for key, values in ended.items()},
            "run": run[order],
            "trial": np.arange(table.num_rows),
            "n": 1,
            "value_kind": "absolute",
            "maximise": options.direction == "max",
            "source": pc.binary_join_element_wise(name, pa.array(order + 1).cast(pa.string()), ":"),
        },
    )


def _columns(view: View, options: Options) -> pa.Table | None:
    """Return the columns by benchmill's names where all are read and no cell is empty."""
    followed = ("columns", "outcomes", "time_limit", "direction", "most_cells", "most_algorithms", "most_missing", "strict")
    if len(view.members) != 1 or options != Options(**{name: getattr(options, name) for name in followed}):
        return None
    data = view.unpacked(view.members[0].name)
    if not data.startswith(table_files.TYPED[:2]) or table_files.cells(data) > options.most_cells:
        return None
    try:
        source = pa.BufferReader(data)
        table = pq.read_table(source) if data.startswith(table_files.TYPED[0]) else pa.ipc.open_file(source).read_all()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
        return None
    called = {theirs: ours for ours, theirs in options.columns.items() if isinstance(theirs, str)}
    names = [called.get(name, name) for name in table.column_names]
    read = {*KEYS, "cost", "outcome", "time_limit"} - ({"time_limit"} if options.time_limit else set())
    if not {"algorithm", "problem", "cost"} <= {*names} <= read or len(called) != len(options.columns):
        return None
    if len({*names}) < len(names) or not table.num_rows or any(column.null_count for column in table.columns):
        return None
    sizes = table.column(names.index("dimension")) if "dimension" in names else None
    if sizes is not None and not (pa.types.is_integer(sizes.type) and pc.min(sizes).as_py() >= 1):
        return None
    cost = table.column_names[names.index("cost")]
    if options.direction is None and larger_is_better(cost):
        return None
    return table.rename_columns(names)


def _words(column: pa.ChunkedArray) -> _Words | None:
    """Return a column of names, None where one has to be looked at as text."""
    if not any(is_kind(column.type) for is_kind in _NAMING):
        return None
    coded = column.dictionary_encode().unify_dictionaries().combine_chunks()
    words = [str(word) for word in coded.dictionary.to_pylist()]
    if any(not word.isascii() or not word or word != word.strip() for word in words) or len({*words}) < len(words):
        return None
    order = sorted(range(len(words)), key=lambda i: natural_key(words[i]))
    rank = np.empty(len(words), np.int64)
    rank[order] = np.arange(len(words))
    kept = pa.array([words[i] for i in order], pa.string())
    return _Words(kept, rank[coded.indices.to_numpy(zero_copy_only=False)])


def _combined(keys: Sequence[_Words]) -> npt.NDArray[np.int64]:
    """Number the combinations of words, the first of which varies slowest."""
    found = keys[0].places
    for key in keys[1:]:
        found = found * len(key.words) + key.places
    return found


def _runs(table: pa.Table, keys: Sequence[_Words]) -> npt.NDArray[np.int32] | None:
    """Return the number of each run, as stated or counted; None where it has to be asked about."""
    if np.prod([float(len(key.words)) for key in keys]) * table.num_rows > 2**62:
        return None
    code = _combined(keys)
    if "run" not in table.column_names:
        return np.asarray(pd.Series(code).groupby(code, sort=False).cumcount() + 1, np.int32)
    if not pa.types.is_integer(table["run"].type):
        return None
    run = np.asarray(table["run"], np.int64)
    least, most = int(run.min()), int(run.max())
    if least < 0 or most > table.num_rows:
        return None
    run = run + (least == 0)
    again = code * (most + 2) + run
    return run.astype(np.int32) if pd.unique(again).size == again.size else None


def _ended(table: pa.Table, options: Options) -> dict[str, pa.Array] | None:
    """Return cost and status, and of solvers outcome, proof and limit; None where a number may mean something else."""
    kind = table["cost"].type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        return None
    cost = np.asarray(table["cost"].cast(pa.float64()), float)
    of_solvers = options.outcomes or options.time_limit or {"outcome", "time_limit"} & {*table.column_names}
    stands = np.isfinite(cost) & (np.abs(cost) >= table_checks.INFINITY)
    if stands.any() or (cost == -np.inf).any() or (of_solvers and (options.direction or cost.min() < 0)):
        return None
    if of_solvers:
        return _of_solvers(table, cost, options)
    if options.direction != "max" and table_checks.repeated(cost) is not None:
        return None
    return {"cost": pa.array(cost), "status": _coded(np.isfinite(cost), ("failed", "solved"))}


def _of_solvers(table: pa.Table, cost: npt.NDArray[np.float64], options: Options) -> dict[str, pa.Array] | None:
    outcomes, limit, stated = list(OUTCOMES), np.full(len(cost), np.nan), "outcome" in table.column_names
    if options.time_limit:
        limit[:] = options.time_limit
    elif "time_limit" in table.column_names:
        if not pa.types.is_floating(table["time_limit"].type) and not pa.types.is_integer(table["time_limit"].type):
            return None
        limit = np.asarray(table["time_limit"].cast(pa.float64()), float)
    reached, proven = np.isfinite(cost) & (cost >= limit), np.zeros(len(cost), bool)
    code = np.where(reached, outcomes.index("time_limit"), outcomes.index("solved"))
    code[np.isinf(cost)] = outcomes.index("unknown")
    if stated:
        said = _words(table["outcome"])
        meant = [options.meaning(word) for word in said.words.to_pylist()] if said else [None]
        if said is None or None in meant:
            return None
        code = np.array([outcomes.index(str(one)) for one in meant])[said.places]
        proven = np.array([options.claims_optimum(word) for word in said.words.to_pylist()])[said.places]
    solved = code == outcomes.index("solved")
    well = np.array([OUTCOMES[name] is True for name in outcomes])[code]
    odd = (limit <= 0) | (limit >= table_checks.INFINITY) | (well & ~(cost < limit) & ~(np.isnan(limit) & np.isfinite(cost)))
    if odd.any() or any((cost == multiple * limit).any() for multiple in _PENALTIES) or (options.outcomes and not stated):
        return None
    status = np.array([0 if OUTCOMES[name] is None else 1 if OUTCOMES[name] else 2 for name in outcomes])[code]
    limits = pa.array(limit, from_pandas=True)
    return {
        "cost": pa.array(np.where(well, cost, np.inf)),
        "status": _coded(status, ("ill_finalised", "solved", "failed")),
        "outcome": _coded(code, outcomes),
        "proven": pa.array(proven & solved),
        "sense_open": pa.repeat(True, len(cost)),
        "time_limit_s": limits,
        "cost_budget": limits,
        "runtime_s": pa.array(np.where(np.isinf(cost), np.nan, cost), from_pandas=True),
    }


def _coded(places: npt.NDArray[Any], words: Sequence[str]) -> pa.Array:
    """Return words by their places, coded in the order in which they appear."""
    codes, present = pd.factorize(places.astype(np.int32))
    return pa.DictionaryArray.from_arrays(codes.astype(np.int32), pa.array([words[place] for place in present], pa.string()))


def _note_limits(name: str, table: pa.Table, found: Mapping[str, pa.Array], report: Report) -> None:
    """Note the runs that reach their limit and whose outcome is not stated."""
    if "outcome" in table.column_names or "outcome" not in found:
        return
    censored = np.flatnonzero(np.asarray(pc.equal(found["outcome"].cast(pa.string()), "time_limit")))
    if censored.size:
        row = int(censored[0])
        cell = table["cost"][row].cast(pa.string()).as_py()
        what = f"the time reaches the limit of {found['time_limit_s'][row].as_py():g}: {cell}"
        report.add("censored", name, row + 1, what, censored.size)
