"""Keep what a job has made of a part of its inputs for the next run: a study that gains an algorithm makes the new part alone.

Each job has one file below `.snakemake/parts`, which can be deleted at any time; what a run does not ask for again is left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmill import __version__
from benchmill.core.whole_file import whole_file

#: The length of the list of what is in a file is written in so many digits, at its end.
_DIGITS = 12


class Kept:
    """Tables taken from a file (none: nothing is kept) as long as nothing that they are made from has changed.

    `code` is a digest.
    """

    def __init__(self, path: Path | None = None, code: str = "") -> None:
        self._path, self._code = path, code
        self._before = b""
        self._places: dict[str, tuple[int, int, str]] = {}
        self._now: dict[str, bytes] = {}
        if path is not None and path.exists():
            self._before = path.read_bytes()
            try:
                size = int(self._before[-_DIGITS:])
                self._places = json.loads(self._before[-_DIGITS - size : -_DIGITS])
            except ValueError:
                # damaged: all is made anew
                self._places = {}

    def tables(self, made_from: Sequence[Any], make: Callable[[], Sequence[pa.Table]]) -> list[pa.Table]:
        """Return the tables that `make` returns, or that it returned when the `repr` of `made_from` was the same."""
        if self._path is None:
            return list(make())
        key = hashlib.sha256(repr((__version__, pa.__version__, self._code, *made_from)).encode()).hexdigest()
        content = self._found(key)
        if content is not None:
            self._now[key] = content
            number, _, streams = content.partition(b"\n")
            source = pa.BufferReader(streams)
            return [pa.ipc.open_stream(source).read_all() for _ in range(int(number))]
        sink = pa.BufferOutputStream()
        # in one piece, as they are read again
        made = [table.unify_dictionaries().combine_chunks() for table in make()]
        sink.write(json.dumps(len(made)).encode() + b"\n")
        for table in made:
            with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
                stream.write_table(table)
        self._now[key] = sink.getvalue().to_pybytes()
        return made

    def _found(self, key: str) -> bytes | None:
        if key not in self._places:
            return None
        start, end, digest = self._places[key]
        content = self._before[start:end]
        return content if hashlib.sha256(content).hexdigest() == digest else None

    def write(self) -> None:
        """Keep what was asked for, and nothing else."""
        if self._path is None or not self._now or self._now.keys() == self._places.keys():
            return
        places, end = {}, 0
        for key, content in self._now.items():
            places[key] = (end, end + len(content), hashlib.sha256(content).hexdigest())
            end += len(content)
        listed = json.dumps(places).encode()
        with whole_file(self._path) as part, part.open("wb") as file:
            file.writelines(self._now.values())
            file.write(listed + f"{len(listed):0{_DIGITS}}".encode())
