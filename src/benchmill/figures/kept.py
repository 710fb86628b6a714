"""Drawings that are put back instead of made again: the record of looks is an input of every figure and changes few of them.

Each drawing is kept with a digest of all that it was drawn from. What is kept can be deleted at any time.
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
    """Return the digest of everything that a drawing depends on, versions and fonts too.

    Parameters
    ----------
    code : str
        Digest of the code that draws.
    looks : mapping of str to int
        The record of looks of the study.
    """
    stamps = [[font, os.stat(font).st_size, os.stat(font).st_mtime_ns] for font in font_files(settings)]
    contents = [[str(path), _digest(Path(path).read_bytes())] for path in files]
    versions = [benchmill.__version__, matplotlib.__version__]
    return _digest(json.dumps([versions, kind, settings, code, looks, contents, stamps]).encode())


def font_files(settings: Mapping[str, Any]) -> list[str]:
    """Return the files of the fonts of a drawing."""
    return [findfont(name) for name in style.fonts(settings)]


def put_back(folder: Path, digest: str, outputs: Iterable[str | Path]) -> bool:
    """Write the files of a drawing as they were kept; return False if it is another one or damaged."""
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
    """Keep a drawing; it counts when its last file is written."""
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
