"""Time reading logs: benchmill beside cocopp, iohinspector and a bare scan with pyarrow, interleaved in one run.

Each measurement is a process of its own: imports and a warm-up of them are left out, processor time (user and system, all
threads) and peak memory of the reading are taken. Packages that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def benchmill(path):
    """Read into Parquet tables, a report and the lines behind each trial, as the workflow does."""
    from benchmill import readers
    from benchmill.registry.formats import FORMATS

    for one in (FORMATS["coco"], FORMATS["ioh"]):
        one.load()
    with tempfile.TemporaryDirectory() as out:
        files = [os.path.join(out, name) for name in ("trials", "traces", "report", "excerpts")]
        yield
        report = readers.ingest(path, files, name="x")
    yield report["trials"]["found"]


def cocopp(path):
    """Load data sets as for post-processing."""
    import warnings

    warnings.simplefilter("ignore")
    import cocopp as other

    with tempfile.TemporaryDirectory() as out:
        if path.is_file():
            path = Path(shutil.copy(path, out))  # it is unpacked beside itself
        yield
        number = sum(d.nbRuns() for d in other.load(str(path)))
    yield number


def iohinspector(path):
    """Load a frame of improvements."""
    import iohinspector as other

    yield
    manager = other.DataManager()
    manager.add_folder(str(path))
    frame = manager.load(monotonic=True, include_meta_data=True)
    yield frame["data_id"].n_unique()


def data_files(path):
    """Data files of a folder with their separator and the places of the wanted columns: 1 and 3, or 1 and 2 of two."""
    for file in sorted(Path(path).rglob("*dat")):
        if file.suffix in (".dat", ".tdat") and file.stat().st_size:
            with file.open("rb") as opened:
                opened.readline()
                second = opened.readline()
            if second:
                yield file, "\t" if b"\t" in second else " ", [0, 2 if len(second.split()) > 2 else 1]


def pyarrow_scan(path):
    """Two columns of every data file with `pyarrow.csv` on one thread, and nothing made of them."""
    from pyarrow import csv

    options = csv.ReadOptions(use_threads=False, autogenerate_column_names=True, skip_rows=1)
    yield
    rows = 0
    for file, separator, columns in data_files(path):
        table = csv.read_csv(
            file,
            options,
            csv.ParseOptions(delimiter=separator, invalid_row_handler=lambda row: "skip"),
            csv.ConvertOptions(include_columns=[f"f{column}" for column in columns]),
        )
        rows += table.num_rows
    yield rows


def polars_scan(path):
    """Two columns of every data file with polars, and nothing made of them."""
    import polars

    yield
    rows = 0
    for file, separator, columns in data_files(path):
        table = polars.read_csv(
            file, separator=separator, columns=columns, has_header=False, skip_rows=1, comment_prefix="%",
            truncate_ragged_lines=True, ignore_errors=True,
        )  # fmt: skip
        rows += table.height
    yield rows


READERS = {
    "benchmill": benchmill,
    "cocopp": cocopp,
    "iohinspector": iohinspector,
    "pyarrow scan": pyarrow_scan,
    "polars scan": polars_scan,
}


def peak():
    """Peak memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(reader, path):
    """Read once and print what it took."""
    steps = READERS[reader](path)
    next(steps)
    import pyarrow as pa

    pa.array([1])  # pyarrow looks for pandas at its first array
    before, start, wall = peak(), time.process_time(), time.perf_counter()
    count = next(steps)
    print(
        json.dumps(
            {"cpu": time.process_time() - start, "wall": time.perf_counter() - wall, "peak": peak(), "before": before, "n": count}
        )
    )


def compare(path, rounds, only):
    """Measure all readers in turn, several times, and print medians and ratios."""
    size = sum(f.stat().st_size for f in path.rglob("*") if f.is_file()) if path.is_dir() else path.stat().st_size
    results = {}
    failed = set()
    for _ in range(rounds):
        for reader in only or READERS:
            if reader in failed:
                continue
            command = [sys.executable, __file__, "--one", reader, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            try:
                result = json.loads(done.stdout.strip().split("\n")[-1])
                if not result["n"]:
                    raise ValueError
                results.setdefault(reader, []).append(result)
            except ValueError:
                failed.add(reader)
                print(f"{reader} left out: {(done.stderr.strip() or 'no output').splitlines()[-1][:100]}")
    print(f"\n{path.name}: {size / 1e6:.1f} MB, {rounds} rounds")
    print(f"{'':14}{'CPU s':>8}{'wall s':>8}{'MB/s':>8}{'peak MB':>9}{'imports MB':>11}{'read':>9}{'CPU / benchmill':>17}")
    for reader, runs in results.items():
        cpu, wall, top, before = (statistics.median(r[k] for r in runs) for k in ("cpu", "wall", "peak", "before"))
        ratio = statistics.median(r["cpu"] / o["cpu"] for r, o in zip(runs, results["benchmill"], strict=True))
        print(f"{reader:14}{cpu:8.3f}{wall:8.3f}{size / 1e6 / cpu:8.1f}{top:9.0f}{before:11.0f}{runs[0]['n']:9}{ratio:17.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="folders with logs, or archives")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=READERS, help="these readers alone, benchmill among them")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.one, arguments.paths[0])
    else:
        for folder in arguments.paths:
            compare(folder, arguments.rounds, arguments.only)
