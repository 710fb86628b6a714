"""Fuzz targets: whatever the bytes, a result that adds up, or one sentence.

Each target takes bytes and returns nothing; anything but a `UserError` that comes out of it is a bug. `python -m tests.fuzz` runs
them, guided by coverage where atheris is installed.
"""

import contextlib
import os
import shutil
import tarfile
import tempfile
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.readers.archive import open_view
from benchmill.study import study as config
from benchmill.workflow import commands
from tests.fuzz import samples
from tests.readers.making import one_sentence

#: Where the samples are written: in memory, where the machine has such a folder.
_PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def reader(format, options, data):
    """Read a sample as a format with the options of a source, then as whatever it looks like."""
    with tempfile.TemporaryDirectory(dir=_PLACE) as place:
        path = _written(Path(place), samples.unpack(data))
        for named, chosen in ((format, options), (None, {})):
            try:
                _read(path, Path(place), named, chosen)
            except UserError as error:
                one_sentence(error)


def inspection(format, options, data):
    """Read a sample as a format, and write nothing."""
    with tempfile.TemporaryDirectory(dir=_PLACE) as place:
        try:
            report = readers.examine(_written(Path(place), samples.unpack(data)), format=format, options=options)
            assert report["trials"]["found"] > 0
        except UserError as error:
            one_sentence(error)


def _written(place, files):
    if len(files) == 1:
        name, content = next(iter(files.items()))
        path = place / (Path(name).name or "x")
        try:
            path.write_bytes(content)
            return path
        except OSError:  # a name that is too long, or `..`
            pass
    path = place / "source.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    return path


def _read(path, place, format, options):
    files = [place / f"out.{kind}" for kind in ("trials", "traces", "report")]
    report = readers.ingest(path, files, name="x", format=format, options=options)
    trials, traces = storage.read(files[0], "trials"), storage.read(files[1], "traces")
    consistent(report, trials, traces)


def consistent(report, trials, traces):
    """Check what is true of every source that was read, whatever was in it."""
    counts = report["trials"]
    assert counts["found"] == trials.num_rows > 0
    assert counts["found"] == counts["solved"] + counts["failed"] + counts["ill_finalised"]
    assert counts["expected"] == counts["found"] - counts["unexpected"] + counts["missing"]
    assert report["rows"]["kept"] == traces.num_rows
    number = traces["trial"].to_numpy()
    assert np.all(np.diff(number) >= 0)
    assert not len(number) or (number[0] >= 0 and number[-1] < trials.num_rows)
    evaluations = traces["evaluations"].to_numpy()
    assert np.all(evaluations >= 0)
    assert np.all(np.diff(evaluations)[np.diff(number) == 0] >= 0), "evaluations of a trial must not fall"
    if len(number):
        value = traces["value"].to_numpy()
        assert not np.isnan(value).any(), "a trace holds NaN"
        maximise = np.array(trials["maximise"].to_pylist(), bool)[number]
        # Rows recorded at numbers of evaluations may come from a second file, whose digits differ.
        reached = traces["on_target"].to_numpy()
        if traces["violation"].null_count == traces.num_rows:
            loss = np.where(maximise, -value, value)[reached]
            assert np.all(np.diff(loss)[np.diff(number[reached]) == 0] <= 0), "the best so far must not get worse"
        budget = _numbers(trials["budget"])[number]
        assert np.all((evaluations <= budget) | np.isnan(budget)), "a trace goes beyond the budget of its trial"
    for column in ("budget", "cost", "runtime_s", "time_limit_s", "n", "nodes", "iterations"):
        if column in trials.column_names:
            values = trials[column].drop_null()
            assert not len(values) or pc.min(values).as_py() >= 0, f"{column} is negative"
            assert not pa.types.is_floating(values.type) or not pc.any(pc.is_nan(values)).as_py(), f"{column} is NaN"


def _numbers(column):
    return column.cast(pa.float64()).fill_null(np.nan).to_numpy()


def archive(data):
    """Open bytes as an archive, and read all that it lets be read."""
    with tempfile.TemporaryDirectory(dir=_PLACE) as place:
        path = Path(place) / "x.tgz"
        path.write_bytes(data)
        try:
            with open_view(path) as view:
                for member in view.members:
                    assert not member.name.startswith("/")
                    assert ".." not in member.name.split("/")
                    assert len(view.read(member.name)) == member.size
        except UserError as error:
            one_sentence(error)
        assert [entry.name for entry in Path(place).iterdir()] == ["x.tgz"], "something was written"


class _Look:
    format, algorithms = "table", ()


def configuration(data):
    """Take text for a configuration, as the workflow does with what Snakemake has read, and for one whose sources change."""
    text = data.decode("utf-8", "replace")
    try:
        content = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return  # it ends where Snakemake reads it
    if not isinstance(content, dict):
        return
    studies = content.get("studies")
    study = studies.get("s") if isinstance(studies, dict) else None
    if isinstance(study, dict) and study.get("sources"):
        with contextlib.suppress(UserError):
            commands.with_sources(text, "s", [{"path": "x"}], "config.yaml")
    place = Path(tempfile.mkdtemp(dir=_PLACE))
    try:
        (place / "sheet.yaml").write_bytes(data)
        (place / "x").write_text("x")
        for settings in (content, {"studies": {"s": {"sources": "sheet.yaml"}}}):
            config.read_studies(
                settings,
                [place],
                look=lambda path, format: _Look(),
                options_of=lambda format: {},
                figures_of=lambda study: [],
            )
    except UserError as error:
        for line in str(error).splitlines():
            assert line.endswith((".", ":", "?")), line
    finally:
        shutil.rmtree(place)


def all_targets():
    """Name to function and samples. A format with several sets of options has one target a set."""
    found = {"archive": (archive, samples.archives()), "configuration": (configuration, samples.configurations())}
    for format in samples.READERS:
        by_options = {}
        for data, options in samples.readers(format):
            by_options.setdefault(repr(options), (options, []))[1].append(data)
        for number, (options, seeds) in enumerate(by_options.values()):
            found[f"{format}_{number}" if number else format] = (partial(reader, format, options), seeds)
    return found
