"""A background: what a study needs from the logs of many others, in one small file that replaces the logs."""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import __version__, readers
from benchmill.core import UserError, Written, schema, storage
from benchmill.core.traces import larger_is_better, pieces
from benchmill.core.whole_file import whole_file
from benchmill.costs.fixed_target import decisive
from benchmill.readers.background import HEAD, TABLES
from benchmill.readers.selection import OF_STUDY
from benchmill.registry import formats
from benchmill.registry.measures import MEASURES
from benchmill.study import sources
from benchmill.study.study import Study
from benchmill.workflow import remote


def targets_of(study: Study) -> list[float]:
    """Return all targets of the measures of a study on the scale of the logs, the easiest of minimised values first."""
    measures = [one for one in study.measures.values() if MEASURES[one["kind"]].running_times and one["scale"] == "logged"]
    return sorted({float(target) for measure in measures for target in measure["targets"]}, reverse=True)


def make(study: Study, targets: Sequence[float], path: Path, progress: Callable[[str], None] = lambda name: None) -> None:
    """Read all sources of a study, and write the rows that determine the evaluations to targets.

    Raises
    ------
    UserError
        There is no target, a source cannot be read, or states costs or means over several runs.
    """
    if not targets:
        raise UserError(f"{path}: the study looks for no target on the scale of its logs; name some with --targets.")
    with tempfile.TemporaryDirectory() as folder, whole_file(path) as part:
        there, made, number = Path(folder), [], 0
        files = [there / name for name in (HEAD, *(f"{name}.parquet" for name in TABLES))]
        with (
            storage.writer("trials", files[1]) as write_trials,
            # of the values of traces there are as many as targets
            storage.writer("traces", files[2], repeated=["value"]) as write_traces,
        ):
            for source in study.sources:
                progress(source.name)
                trials, traces, report = _read(source, study, there)
                irregularities = [
                    {key: one[key] for key in ("rule", "outcome", "meaning", "count")} for one in report["irregularities"]
                ]
                made.append(
                    {
                        "name": source.name,
                        "file": report["path"],
                        "url": source.url,
                        "citation": source.citation,
                        "options": source.options,
                        "full_grid": formats.named(source.format).full_grid,
                        "trials": report["trials"]["found"],
                        "irregularities": irregularities,
                        **{key: report[key] for key in ("sha256", "bytes", "format", "algorithms", "missing")},
                    }
                )
                known = json.dumps([float(target) for target in targets])
                write_trials(_numbered(schema.replaced(trials, known_targets=known), number))
                for kept in _decisive(traces, trials, targets):
                    write_traces(_numbered(kept, number))
                number += trials.num_rows
        head = {"version": __version__, "scale": "logged", "targets": list(targets), "sources": made}
        files[0].write_text(json.dumps(head, indent=1, sort_keys=True) + "\n", "utf-8")
        with zipfile.ZipFile(part, "w") as archive:
            for file in files:
                # a time of its own would make the file another one each time
                member = zipfile.ZipInfo(file.name)
                member.compress_type = zipfile.ZIP_DEFLATED if file.name == HEAD else zipfile.ZIP_STORED
                archive.writestr(member, file.read_bytes())


def _read(source: sources.Source, study: Study, folder: Path) -> tuple[pa.Table, Iterable[pa.Table], Written]:
    if source.url and not source.paths[0].exists():
        remote.fetch(source.entry["path"], source.paths[0], source.sha256, source.name)
    files = [folder / f"source.{name}" for name in (*TABLES, "json")]
    digests = {str(path): readers.source_digest(path) for path in source.paths}
    for path, sha256 in digests.items():
        remote.verify(path, source.sha256, source.name, sha256)
    options = {**source.options, OF_STUDY: {**study.taken, "algorithms": study.settings["algorithms"]}}
    report = readers.ingest(
        [str(path) for path in source.paths], files, name=source.name, format=source.format, options=options, digests=digests
    )
    trials = storage.read(files[0], "trials")
    if trials["known_targets"].null_count < trials.num_rows:
        raise UserError(f"source {source.name}: it is a background itself; make one from the logs.")
    if trials["cost"].null_count < trials.num_rows or pc.any(pc.greater(trials["n"], 1)).as_py():
        raise UserError(
            f"source {source.name}: it states costs, or means over several runs, and has no traces of them; a background is made "
            "of traces, so leave the source out, and list it in the study as it is."
        )
    return trials, storage.pieces(files[1], "traces"), report


def _decisive(traces: Iterable[pa.Table], trials: pa.Table, targets: Sequence[float]) -> Iterable[pa.Table]:
    """Return the rows at which some trial first reaches a target, each with the hardest target reached in place of its value.

    The evaluations to all targets are the same, and the file is a third as large.
    """
    larger, ordered = larger_is_better(trials, "logged"), np.sort(np.asarray(targets, float))
    for table in traces:
        kept, reached = [np.zeros(0, bool)], [np.zeros(0)]
        for piece in pieces(table, trials, "logged", on_target=True, targets=targets):
            of_row = np.repeat(larger[piece.trial], np.diff(piece.offsets))
            least, most = (decisive(piece.offsets, piece.value, targets, maximise=maximise) for maximise in (False, True))
            kept.append(np.where(of_row, most, least))
            # of a row that reaches none it does not matter: it is not kept
            largest, smallest = np.searchsorted(ordered, piece.value, "right") - 1, np.searchsorted(ordered, piece.value)
            reached.append(ordered[np.clip(np.where(of_row, largest, smallest), 0, ordered.size - 1)])
        rows = np.concatenate(kept)
        yield schema.replaced(table.filter(pa.array(rows)), value=np.concatenate(reached)[rows])


def _numbered(table: pa.Table, first: int) -> pa.Table:
    return schema.replaced(table, trial=pc.add(table["trial"], pa.scalar(first, table["trial"].type)))
