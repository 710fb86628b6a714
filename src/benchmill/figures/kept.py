"""Drawings that are put back instead of made again, because nothing that they show has changed.

Snakemake starts a figure anew when one of its inputs is new, and among these is the record of looks of all studies.
Most figures come out as they were. So each drawing is kept with a digest of all that it was drawn from, and where that is
the same the drawing that was kept takes its place. What is kept can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.font_manager import findfont

import benchmill
from benchmill.core.whole_file import whole_file, write_text
from benchmill.figures import style

_NOTE = "drawn_from.json"


def drawn_from(kind: str, settings: Mapping[str, Any], code: str, looks: Mapping[str, int], files: Iterable[str | Path]) -> str:
    """Digest of everything that a drawing depends on.

    Parameters
    ----------
    kind : str
        Key of `benchmill.registry.figures.KINDS`.
    settings : mapping
        As for `draw`; the order of its keys counts.
    code : str
        Digest of the code that draws.
    looks : mapping of str to int
        The record of looks of the study (`benchmill.text.appearance.places`).
    files : iterable of paths
        The inputs; their bytes count, and the order of the paths.

    Returns
    -------
    str
        SHA-256 in hexadecimal digits, other with another version of benchmill or matplotlib, and with other fonts.
    """
    stamps = [[font, os.stat(font).st_size, os.stat(font).st_mtime_ns] for font in font_files(settings)]
    contents = [[str(path), _digest(Path(path).read_bytes())] for path in files]
    versions = [benchmill.__version__, matplotlib.__version__]
    return _digest(json.dumps([versions, kind, settings, code, looks, contents, stamps]).encode())


def font_files(settings: Mapping[str, Any]) -> list[str]:
    """Files of the fonts that a drawing takes its characters from; `settings` as for `draw`."""
    return [findfont(name) for name in style.fonts(settings)]


def put_back(folder: Path, digest: str, outputs: Iterable[str | Path]) -> bool:
    """Write the files of a drawing as they were kept.

    Parameters
    ----------
    folder : pathlib.Path
        Where the drawing was kept, if it was.
    digest : str
        What it has to be drawn from.
    outputs : iterable of paths
        The files, known by their names.

    Returns
    -------
    bool
        False, with nothing written, where another drawing, none, or a damaged one was kept.
    """
    contents = {}
    try:
        note = json.loads((folder / _NOTE).read_bytes())
        for path in map(Path, outputs):
            contents[path] = (folder / path.name).read_bytes()
            if note["drawn_from"] != digest or note["files"].get(path.name) != _digest(contents[path]):
                return False
    except (OSError, ValueError):
        return False
    for path, content in contents.items():
        _write(path, content)
    return True


def keep(folder: Path, digest: str, outputs: Iterable[str | Path]) -> None:
    """Keep a drawing in place of the one before; it counts when its last file is written."""
    (folder / _NOTE).unlink(missing_ok=True)
    files = {}
    for path in map(Path, outputs):
        content = path.read_bytes()
        _write(folder / path.name, content)
        files[path.name] = _digest(content)
    write_text(folder / _NOTE, json.dumps({"drawn_from": digest, "files": files}))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    with whole_file(path) as part:
        part.write_bytes(content)
