"""Backgrounds: the trials of many logs, and the rows of their traces that determine the evaluations to some targets."""

import json
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmill import __version__
from benchmill.core import UserError, Written, beside, schema, shown
from benchmill.core.options import option
from benchmill.readers.archive import MOST_RATIO, RATIO_FREE, View
from benchmill.readers.interface import Batches, Found, Report, renamed, rules
from benchmill.readers.interface import Options as SourceOptions
from benchmill.readers.text import decoded

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

_HEAD = beside.toml(__file__)


@dataclass(frozen=True)
class Options(SourceOptions):
    """The keys that the entry of a background may have, beside those of every format."""

    any_version: bool = option(
        "whether to accept a background made by another version of benchmill, which may read logs differently", False
    )


def sniff(view: View) -> Found | None:
    """Recognise the names of its members; a head that cannot be read is reported by `read`."""
    if not all(name in view for name in (HEAD, *(f"{name}.parquet" for name in TABLES))):
        return None
    try:
        return Found("background", tuple(name for source in _head(view)["sources"] for name in source["algorithms"]))
    except UserError:
        return Found("background")


def read(view: View, options: Options, report: Report) -> Batches:
    """Read the two tables, and repeat what the readers of the logs had to say."""
    head = _head(view)
    if head["version"] != __version__ and not options.any_version:
        raise UserError(
            f"{view.name}: benchmill {_short(head['version'])} made this background, and this is {__version__}, which may read "
            "logs differently; make it again from the logs, or set `any_version: true` in its entry."
        )
    trials, traces = (_table(view, name) for name in TABLES)
    if (known := _targets(trials)) is None or not _agree(trials, traces):
        raise UserError(f"{view.name}: its tables are not those of a background; make it again from the logs.")
    names = renamed(pc.unique(trials["algorithm"]).to_pylist(), options.algorithm, view.name)
    suites = {name: options.suite for name in pc.unique(trials["suite"]).to_pylist()} if options.suite else {}
    report.add("known_at_targets", view.name, None, f"{len(known)} targets{f', {known[0]:g} to {known[-1]:g}' if known else ''}")
    for source in head["sources"]:
        for one in source["irregularities"]:
            what = f"{_short(one['rule'])} ({_short(one['outcome'])}): {_short(one['meaning'])}"
            report.add("of_the_logs", _short(source["file"]), None, what, one["count"])
        for lack in source["missing"]:
            algorithm, suite = names.get(lack["algorithm"], lack["algorithm"]), options.suite or lack["suite"]
            report.absent[algorithm, suite, lack["problem"], lack["dimension"], lack["instance"]] += lack["count"]
        if source["url"] or source["citation"]:
            said = {key: shown(source[key]) for key in ("name", "sha256", "url") if source[key] is not None}
            cited = {"citation": source["citation"]} if source["citation"] else {}
            report.made_of.append({"algorithms": [names.get(name, name) for name in source["algorithms"]], **said, **cited})
    report.full_grid = all(source["full_grid"] for source in head["sources"])
    report.rows_read += traces.num_rows
    for column, called in (("algorithm", names), ("suite", suites)):
        trials, traces = (schema.renamed(table, column, called) for table in (trials, traces))
    yield trials, traces


def _head(view: View) -> Written:
    import jsonschema

    try:
        head: Written = json.loads(decoded(view.head(HEAD, _LARGEST_HEAD)))
        jsonschema.Draft202012Validator(_HEAD).validate(head)
        if len({source["name"] for source in head["sources"]}) < len(head["sources"]):
            raise ValueError("two sources have one name")
    except (ValueError, RecursionError, jsonschema.ValidationError):
        raise UserError(f"{view.name}: {HEAD} is not the head of a background; make it again from the logs.") from None
    return head


def _short(text: str) -> str:
    return shown(text)[:_LONGEST]


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


def _targets(trials: pa.Table) -> list[float] | None:
    """Return the targets at which costs are known, ascending; None where they are no numbers."""
    try:
        targets = sorted({target for text in pc.unique(trials["known_targets"]).to_pylist() for target in json.loads(text)})
    except (TypeError, ValueError, RecursionError):
        return None
    return targets if all(isinstance(target, float) for target in targets) else None


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
