"""Keep what a job made from part of its inputs for the next run: a study that gains an algorithm makes only the new part.

Each job has one folder below `.snakemake/kept`, which can be deleted at any time; what a run does not ask for again is left out.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmill import __version__
from benchmill.core.whole_file import whole_file

_DIGEST = hashlib.sha256().digest_size


class Kept:
    """Tables taken from a folder (none: nothing is kept) as long as nothing that they are made from has changed.

    `code` is a digest.
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
