"""Backgrounds: the trials of many logs, and the rows of their traces that determine the evaluations to some targets."""

import json
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmill import __version__
from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.core.options import Given, Written, option
from benchmill.readers import interface
from benchmill.readers.archive import MOST_RATIO, RATIO_FREE, View
from benchmill.readers.interface import Batches, Found, Place, Report, renamed, rules
from benchmill.readers.text import decoded
from benchmill.text.labels import shown

#: The member that tells the format.
HEAD = "background.json"
TABLES = ("trials", "traces")

_LARGEST_HEAD = 2**26
#: Bytes that a cell of a table takes in memory.
_BYTES = 8
#: Characters of what a head says of an irregularity.
_LONGEST = 300
_STATUSES = {"solved", "failed", "ill_finalised"}

RULES = rules("background")


@dataclass(frozen=True)
class Options(interface.Options):
    """The keys that the entry of a background may have, beside those of every format."""

    any_version: bool = option(
        "whether to accept a background made by another version of benchmill, which may read logs differently", False
    )


class Head(NamedTuple):
    """The sources that a background was made from."""

    version: str
    algorithms: tuple[str, ...]
    irregularities: list[tuple[str, str, str, str, int]]
    """File of the log, rule, outcome, meaning, count."""
    missing: list[tuple[Place, int]]
    full_grid: bool
    cited: list[Written]
    """As `Report.made_of` has them."""


def sniff(view: View) -> Found | None:
    """Recognise the names of its members; a head that cannot be read is reported by `read`."""
    if not all(name in view for name in (HEAD, *(f"{name}.parquet" for name in TABLES))):
        return None
    try:
        return Found("background", _head(view).algorithms)
    except UserError:
        return Found("background")


def read(view: View, options: Options, report: Report) -> Batches:
    """Read the two tables, and repeat what the readers of the logs had to say."""
    head = _head(view)
    if head.version != __version__ and not options.any_version:
        raise UserError(
            f"{view.name}: benchmill {_short(head.version)} made this background, and this is {__version__}, which may read logs "
            "differently; make it again from the logs, or set `any_version: true` in its entry."
        )
    trials, traces = (_table(view, name) for name in TABLES)
    if trials["known_targets"].null_count or not _agree(trials, traces) or not _are_targets(trials):
        raise UserError(f"{view.name}: its tables are not those of a background; make it again from the logs.")
    names = renamed(pc.unique(trials["algorithm"]).to_pylist(), options.algorithm, view.name)
    suites = {name: options.suite for name in pc.unique(trials["suite"]).to_pylist()} if options.suite else {}
    known = sorted({target for text in pc.unique(trials["known_targets"]).to_pylist() for target in json.loads(text)})
    report.add("known_at_targets", view.name, None, f"{len(known)} targets{f', {known[0]:g} to {known[-1]:g}' if known else ''}")
    for file, rule, outcome, meaning, count in head.irregularities:
        report.add("of_the_logs", file, None, f"{rule} ({outcome}): {meaning}", count)
    for (algorithm, suite, problem, dimension, instance), count in head.missing:
        where = names.get(algorithm, algorithm), options.suite or suite, problem, dimension, instance
        report.absent[where] += count
    report.full_grid = head.full_grid
    report.made_of = [{**one, "algorithms": [names.get(name, name) for name in one["algorithms"]]} for one in head.cited]
    report.rows_read += traces.num_rows
    for column, called in (("algorithm", names), ("suite", suites)):
        trials, traces = (schema.renamed(table, column, called) for table in (trials, traces))
    yield trials, traces


def _head(view: View) -> Head:
    try:
        head = json.loads(decoded(view.head(HEAD, _LARGEST_HEAD)))
        sources = head["sources"]
        if len({str(source["name"]) for source in sources}) < len(sources):
            raise ValueError("two sources have one name")
        return Head(
            str(head["version"]),
            tuple(str(name) for source in sources for name in source["algorithms"]),
            [
                (_short(source["file"]), _short(one["rule"]), _short(one["outcome"]), _short(one["meaning"]), _count(one))
                for source in sources
                for one in source["irregularities"]
            ],
            [(_place(lack), _count(lack)) for source in sources for lack in source["missing"]],
            all(bool(source["full_grid"]) for source in sources),
            [
                {
                    "algorithms": [str(name) for name in source["algorithms"]],
                    **{key: shown(str(source[key])) for key in ("name", "sha256", "url") if source[key] is not None},
                    # a citation may be BibTeX, which has lines
                    **({"citation": str(source["citation"])} if source["citation"] else {}),
                }
                for source in sources
                if source["url"] or source["citation"]
            ],
        )
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError, RecursionError):
        raise UserError(f"{view.name}: {HEAD} is not the head of a background; make it again from the logs.") from None


def _short(text: str) -> str:
    return shown(text)[:_LONGEST]


def _count(one: Given) -> int:
    if not 0 < (count := int(one["count"])) < 2**63:
        raise ValueError(f"{count} is no count")
    return count


def _place(lack: Given) -> Place:
    suite, dimension, instance = lack["suite"], lack["dimension"], lack["instance"]
    if dimension is not None and not 0 < int(dimension) < 2**31:
        raise ValueError(f"{dimension} is no dimension")
    return (
        str(lack["algorithm"]),
        None if suite is None else str(suite),
        str(lack["problem"]),
        None if dimension is None else int(dimension),
        None if instance is None else str(instance),
    )


def _table(view: View, name: str) -> pa.Table:
    try:
        data = view.read(f"{name}.parquet")
        file = pq.ParquetFile(pa.BufferReader(data))
        # what is packed within Parquet, no limit of an archive sees
        cells = file.metadata.num_rows * file.metadata.num_columns
        if cells * _BYTES > RATIO_FREE + MOST_RATIO * len(data):
            raise UserError(
                f"{view.name}: {name}.parquet has {cells} cells in {len(data)} bytes, which no background needs; make it again "
                "from the logs."
            )
        return schema.check(file.read(), name, view.name)
    except (KeyError, OSError, pa.ArrowException) as error:
        raise UserError(
            f"{view.name}: {name}.parquet cannot be read ({shown(str(error))[:200]}); make the background again."
        ) from None


def _are_targets(trials: pa.Table) -> bool:
    try:
        lists = [json.loads(text) for text in pc.unique(trials["known_targets"]).to_pylist()]
    except (ValueError, RecursionError):
        return False
    return all(isinstance(targets, list) and all(isinstance(target, float) for target in targets) for targets in lists)


def _agree(trials: pa.Table, traces: pa.Table) -> bool:
    numbers, trial = trials["trial"].to_numpy(), traces["trial"].to_numpy()
    if not len(numbers) or (numbers != np.arange(len(numbers))).any() or not _STATUSES.issuperset(trials["status"].to_pylist()):
        return False
    if len(trial) and (trial[0] < 0 or trial[-1] >= len(numbers) or (trial[1:] < trial[:-1]).any()):
        return False
    budget = trials["budget"].to_numpy()
    at, value = (traces[name].to_numpy() for name in ("evaluations", "value"))
    falls = (at[1:] < at[:-1]) & (trial[1:] == trial[:-1])
    # NaN, where there is no budget, is above and below nothing
    return not (falls.any() or (budget <= 0).any() or (at > budget[trial]).any() or not np.isfinite(value).all())
