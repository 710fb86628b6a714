"""Keep tables as Parquet files that appear complete or not at all, are checked on every write and read, and name their origin."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmill import __version__
from benchmill.core import AnyPath, Names, UserError, delete
from benchmill.core.schema import TABLES, Facts, Row, check, concatenate
from benchmill.core.whole_file import whole_file

METADATA_KEY = b"benchmill"

#: Columns of which each value is stored once, beside those that are dictionaries in Arrow: those whose values are few.
_REPEATED = {"traces": ("dimension", "run", "violation"), "ecdf": ("fraction",)}

#: How numbers are stored of which few are equal.
_ENCODED = {
    "traces": {"trial": "DELTA_BINARY_PACKED", "evaluations": "DELTA_BINARY_PACKED", "value": "BYTE_STREAM_SPLIT"},
    "densities": dict.fromkeys(("left", "right", "height"), "BYTE_STREAM_SPLIT"),
}

#: What packs a table: of that with by far the most rows, what unpacks in two thirds of the time for 3 to 5 % more bytes.
_PACKED = {"traces": "lz4"}

#: Rows that Parquet keeps together.
_GROUP = 2**18


def made_from(inputs: Iterable[AnyPath], settings: Facts, known: Mapping[str, str] | None = None) -> Row:
    """Describe what a file is made from: the digest of every input, the settings, the version.

    A path is recorded from below the results, any other by its last part, behind its number where an input before it has the
    same. `known` are digests of inputs by their paths; settings must survive JSON.
    """
    digests = {}
    for number, path in enumerate(dict.fromkeys(map(str, inputs)), 1):
        name = "/".join(below_results(path) or Path(path).parts[-1:])
        digests[f"{number}/{name}" if name in digests else name] = (known or {}).get(path) or digest(path)
    return {"version": __version__, "inputs": dict(sorted(digests.items())), "settings": dict(settings)}


#: The parts of the folder of the results; those of a workflow that is a module of another may be kept elsewhere.
_RESULTS: Names = ("results",)


def keep_results_in(folder: str) -> None:
    """Let the results of this process be those below a folder."""
    global _RESULTS
    _RESULTS = Path(folder).parts


def below_results(path: AnyPath) -> Names:
    """Return the parts of a path below the folder of the results; none if it is elsewhere."""
    parts = Path(path).parts
    begin = next((end for end in range(len(parts), 0, -1) if parts[max(end - len(_RESULTS), 0) : end] == _RESULTS), len(parts))
    return parts[begin:]


def digest(path: AnyPath, known: Mapping[str, str] | None = None) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files below a folder, some of which are `known`."""
    path = Path(path)
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    known = known or {}
    total = hashlib.sha256()
    for parts, where in sorted(_below(str(path))):
        total.update(f"{'/'.join(parts)}\0{known.get(where) or digest(where)}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def files_below(folder: AnyPath) -> Iterator[str]:
    """Yield the paths of all files below a folder, in no order; links to folders are not followed."""
    return (path for _, path in _below(str(folder)))


def _below(root: str) -> Iterator[tuple[Names, str]]:
    """Yield the parts of names and the paths of the files below a folder."""
    folders: list[tuple[Names, str]] = [((), root)]
    while folders:
        above, folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(((*above, entry.name), entry.path))
                elif entry.is_file():
                    yield (*above, entry.name), entry.path


def write(data: pa.Table | Iterable[pa.Table], name: str, path: AnyPath, origin: Facts | None = None) -> None:
    """Check a table, or tables one below the other.

    And write them as one Parquet file with a note of their origin (`made_from`).
    """
    with writer(name, path, origin) as append:
        for group in [data] if isinstance(data, pa.Table) else _groups(data):
            append(group)


def _groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    waiting: list[pa.Table] = []
    for table in tables:
        if waiting and sum(part.num_rows for part in (*waiting, table)) > _GROUP:
            yield concatenate(waiting).combine_chunks()
            waiting = []
        waiting.append(table)
    if waiting:
        yield concatenate(waiting).combine_chunks()


@contextmanager
def writer(
    name: str, path: AnyPath, origin: Facts | None = None, *, repeated: Sequence[str] = ()
) -> Iterator[Callable[[pa.Table], None]]:
    """Write one table piece by piece, by what the `with` block is given; values of columns in `repeated` are stored once each."""
    table_schema = TABLES[name].with_metadata(
        {METADATA_KEY: json.dumps({"table": name, **(origin or {})}, sort_keys=True, ensure_ascii=False).encode()}
    )
    once = [*(field.name for field in table_schema if pa.types.is_dictionary(field.type)), *_REPEATED.get(name, ()), *repeated]
    # closed before the file takes its place, also when that fails
    with (
        whole_file(path) as part,
        pq.ParquetWriter(
            part,
            table_schema,
            compression=_PACKED.get(name, "zstd"),
            use_dictionary=once,
            column_encoding={k: v for k, v in _ENCODED.get(name, {}).items() if k not in once},
            # minima and maxima of pages are for readers that look for single rows, which no stage does
            write_statistics=False,
        ) as file,
    ):

        def append(data: pa.Table) -> None:
            check(data, name)
            if data.num_rows:
                file.write_table(data.replace_schema_metadata(table_schema.metadata).unify_dictionaries())

        yield append


@contextmanager
def _opened(path: AnyPath, name: str) -> Iterator[pq.ParquetFile]:
    """Open a table and check its columns."""
    schema = TABLES[name]
    try:
        file = pq.ParquetFile(path)
        stored = file.schema_arrow
        if stored.names != schema.names or any(stored.field(f.name).type != f.type for f in schema):
            check(file.read(), name, str(path))
        yield file
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise UserError(f"{path}: there is no such file; `snakemake --cores all` makes it.") from None
        raise UserError(f"{path}: cannot be read as a Parquet table ({error}); {delete(path)}.") from None


def read(path: AnyPath, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table, or some of its columns, and check it.

    Raises
    ------
    UserError
        The file is not Parquet, is cut short, or is not a table of this schema.
    """
    with _opened(path, name) as file:
        data = file.read(columns=columns)
    return check(data, name, str(path)) if columns is None else data.select(columns)


def rows(path: AnyPath, name: str) -> int:
    """Count the rows of a table without reading them."""
    with _opened(path, name) as file:
        return int(file.metadata.num_rows)


def pieces(path: AnyPath, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """Yield a table piece by piece, in order; see `read`."""
    with _opened(path, name) as file:
        for group in range(file.num_row_groups):
            piece = file.read_row_group(group, columns=columns)
            yield check(piece, name, str(path)) if columns is None else piece.select(columns)


def origin_of(path: AnyPath) -> Row:
    """Return what `write` noted of the origin of a file; empty without such a note."""
    note = (pq.read_schema(path).metadata or {}).get(METADATA_KEY)
    return json.loads(note) if note else {}


# --- what a job keeps for the next run -----------------------------------------------------------

_DIGEST = hashlib.sha256().digest_size


class Kept:
    """Tables that a job has made from part of its inputs, taken from a folder as long as nothing that they are made from changes.

    A study that gains an algorithm makes only the new part. Each job has one folder below `.snakemake/kept`, which can be deleted
    at any time; without a folder nothing is kept. `code` is a digest; what a run does not ask for again is left out.
    """

    def __init__(self, folder: Path | None = None, code: str = "") -> None:
        self._folder, self._code, self._asked = folder, code, set[Path]()

    def tables(self, made_from: Sequence[Any], make: Callable[[], Sequence[pa.Table]]) -> list[pa.Table]:
        """Return the tables that `make` returns, or that it returned when the `repr` of `made_from` was the same."""
        if self._folder is None:
            return list(make())
        path = self._folder / hashlib.sha256(repr((__version__, pa.__version__, self._code, *made_from)).encode()).hexdigest()
        self._asked.add(path)
        content = path.read_bytes() if path.exists() else b""
        # what is damaged is made anew
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            source, tables = pa.BufferReader(content[_DIGEST:]), []
            while source.tell() < source.size():
                tables.append(pa.ipc.open_stream(source).read_all())
            return tables
        sink = pa.BufferOutputStream()
        # in one piece, as they are read again
        made = [table.unify_dictionaries().combine_chunks() for table in make()]
        for table in made:
            with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
                stream.write_table(table)
        content = sink.getvalue().to_pybytes()
        with whole_file(path) as part:
            part.write_bytes(hashlib.sha256(content).digest() + content)
        return made

    def leave_out(self) -> None:
        """Delete what was not asked for."""
        if self._folder is not None:
            for path in {*self._folder.glob("*")} - self._asked:
                path.unlink(missing_ok=True)
