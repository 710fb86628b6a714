"""Small logs in COCO's formats, and what a reader makes of them."""

import io
import tarfile
import zipfile

from benchmill import readers
from benchmill.core import storage

OPTIMA = {1: 79.48, 2: 394.48, 3: -247.11, 4: -152.04, 5: 0.0}


def header(instance, new=False):
    if new:
        return (
            f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({OPTIMA[instance]:.12e}) + sum g_i+ | "
            "measured fitness | best measured fitness or single-digit g-values | x1 | x2...\n"
        )
    return (
        f"% function evaluation | noise-free fitness - Fopt ({OPTIMA[instance]:.12e}) | best noise-free fitness - Fopt | "
        "measured fitness | best measured fitness | x1 | x2...\n"
    )


def block(instance, rows, new=False):
    """A block of rows `(evaluations, best difference)` with two variables."""
    lines = [header(instance, new)]
    for evaluations, value in rows:
        second = "0" if new else f"{value:+.9e}"
        lines.append(f"{evaluations} {second} {value:+.9e} +1.000000000e+02 +1.000000000e+02 +1.0000e+00 -2.0000e+00\n")
    return "".join(lines)


def info(function, dimension, entries, algorithm="Walker", data=None, suite=None):
    """Three lines of an `.info` file."""
    start = f"suite = '{suite}', " if suite else ""
    data = data or f"data_f{function}/bbobexp_f{function}_DIM{dimension}.dat"
    return (
        f"{start}funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, algId = '{algorithm}'\n"
        f"% a comment, with = and commas\n{data}, {', '.join(entries)}\n"
    )


#: One function in two dimensions with two instances each.
SMALL = {
    "W/bbobexp_f1.info": info(1, 2, ["1:40|-1.0e-08", "2:50|1.5e-03"]) + info(1, 3, ["1:60|3.0e-01", "2:60|4.0e-01"]),
    "W/data_f1/bbobexp_f1_DIM2.dat": block(1, [(1, 30.0), (4, 2.5), (9, 0.0)]) + block(2, [(1, 20.0), (7, 1.5e-3)]),
    "W/data_f1/bbobexp_f1_DIM2.tdat": block(1, [(1, 30.0), (2, 28.0), (40, 0.0)])
    + block(2, [(1, 20.0), (2, 20.0), (10, 1.5e-3), (50, 1.5e-3)]),
    "W/data_f1/bbobexp_f1_DIM3.dat": block(1, [(3, 8.0), (5, 0.3)]) + block(2, [(2, 0.4)]),
    "W/data_f1/bbobexp_f1_DIM3.tdat": block(1, [(1, 9.0), (60, 0.3)]) + block(2, [(1, 5.0), (60, 0.4)]),
}


def folder(path, files):
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def tar(path, files, mode="w:gz"):
    with tarfile.open(path, mode) as archive:
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def one_sentence(error):
    """Check that a message can be shown as it stands."""
    assert str(error).endswith((".", "?"))
    assert "\n" not in str(error)


class Result:
    """The tables and the report of an ingest."""

    def __init__(self, path, out, name="w", format=None, **options):
        self.files = [out / "trials.parquet", out / "traces.parquet", out / "report.json"]
        self.report = readers.ingest(path, self.files, name=name, format=format, options=options)
        self.trials = storage.read(self.files[0], "trials").to_pylist()
        self.traces = storage.read(self.files[1], "traces")

    def column(self, name):
        return [t[name] for t in self.trials]

    def trace(self, number):
        rows = [r for r in self.traces.to_pylist() if r["trial"] == number]
        return [(r["evaluations"], r["value"]) for r in rows]

    def counts(self):
        """Rule to number of occurrences."""
        return {entry["rule"]: entry["count"] for entry in self.report["irregularities"]}

    def first(self, rule):
        """File and line of the first occurrence."""
        entry = next(e for e in self.report["irregularities"] if e["rule"] == rule)
        return entry["file"], entry["line"]
