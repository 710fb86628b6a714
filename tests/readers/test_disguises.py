"""What an archive, a packing, a byte order mark, line ends and names of folders must not change: every format, whole samples."""

import bz2
import gzip
import lzma

import pyarrow as pa
import pytest

from benchmill.core import UserError
from tests.fuzz.samples import READERS
from tests.readers.making import Result, folder, tar, zipped

#: Formats whose files do not name each other, so that each may be packed.
ONE_BY_ONE = ("cec", "gams_trace", "gams_solvetrace", "mip_log", "aslib", "benchexec", "perprof", "table")


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as packed:
        packed.write(data)
    return sink.getvalue().to_pybytes()


def each(change, suffix=""):
    """A folder with every file changed, and named so."""
    return lambda path, files: folder(path / "s", {name + suffix: change(data) for name, data in files.items()})


def text(change):
    return each(lambda data: data if b"\0" in data or data.startswith(b"PK") else change(data))


ALL = {
    "Windows line ends": text(lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")),
    "a byte order mark": text(lambda data: b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf")),
    "names with blanks": lambda path, files: folder(path / "ein Ordner – ü 中", files),
    "an archive in another folder": lambda path, files: zipped(path / "s 1.zip", {f"dé é/{n}": d for n, d in files.items()}),
    "a tar": lambda path, files: tar(path / "s.tar.xz", files, "w:xz"),
}
PACKED = {
    "gzip": each(gzip.compress, ".gz"),
    "bzip2": each(bz2.compress, ".bz2"),
    "xz": each(lzma.compress, ".xz"),
    "zstd": each(zstd, ".zst"),
    "gzip in a zip": lambda path, files: zipped(path / "s.zip", {f"{n}.GZ": gzip.compress(d) for n, d in files.items()}),
}
CASES = [(format, name) for format in READERS for name in (*ALL, *(PACKED if format in ONE_BY_ONE else ()))]


def read(path, out, format, options):
    result = Result(path, out, format=format, **options)
    trials = [{key: value for key, value in trial.items() if key != "source"} for trial in result.trials]
    return trials, result.traces.num_rows


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """By format the samples with files of a folder that can be read, and what they hold."""
    found = {}
    for format, of_format in READERS.items():
        for files, options in of_format:
            path = tmp_path_factory.mktemp("sample")
            files = {name: data if isinstance(data, bytes) else data.encode() for name, data in files.items()}
            try:
                held = read(folder(path / "s", files), path / "out", format, options)
            except UserError:
                continue
            if len(found.setdefault(format, [])) < 3:
                found[format].append((files, options, held))
    return found


def test_every_format_has_a_sample(samples):
    assert set(samples) == set(READERS)


@pytest.mark.parametrize(("format", "name"), CASES)
def test_a_disguise_changes_nothing(tmp_path, samples, format, name):
    for number, (files, options, held) in enumerate(samples[format]):
        path = tmp_path / str(number)
        path.mkdir()
        assert read((ALL | PACKED)[name](path, files), path / "out", format, options) == held


def test_a_file_beside_its_packed_copy_is_noted(tmp_path):
    table = b"problem,algorithm,cost\np,A,1\n"
    result = Result(
        folder(tmp_path / "s", {"t.csv": table, "t.csv.gz": gzip.compress(table)}),
        tmp_path / "out",
        format="table",
        repetitions=True,
    )
    assert len(result.trials) == 2
    assert result.counts() == {"same_content": 1, "repeated_row": 1}
