r"""The files that your own LaTeX source reads: sections, classes, bibliographies, pictures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmill.core.errors import UserError

#: Files that may name others.
_SOURCES = (".tex", ".ltx", ".cls", ".sty", ".clo", ".cfg", ".def", ".bbx", ".cbx", ".pgf", ".tikz")
_KINDS = (*_SOURCES, ".bib", ".bst", ".ist", ".pdf", ".png", ".jpg", ".jpeg", ".csv", ".dat", ".txt")

_BETWEEN_BRACES = re.compile(r"\{([^{}\n]{1,300})\}")
_WITHOUT_BRACES = re.compile(r"\\(?:@@?)?input\s+([^\s{}\\%]{1,300})")
#: Where a name begins to be the work of a macro.
_MADE = re.compile(r"[\\#]")

_MOST_FILES = 5_000
_LARGEST_SOURCE = 20_000_000


@cache
def paper_files(paper: Path, results: str = "results") -> tuple[Path, ...]:
    r"""Files that a paper may read, beside itself and the results.

    These are the LaTeX and BibTeX files and pictures in its folder, and whatever its source, or a source found like this, names
    between braces or after `\input`, with or without its suffix. Names are relative to the folder of the paper, to that of the
    source, or to a folder that the sources name (`\graphicspath`, `\import`). Where a macro makes the end of a name, all
    files of the folder count that its beginning names.

    Raises
    ------
    UserError
        There are more than 5 000 files, or a source has more than 20 MB: such a paper cannot be watched.
    """
    made = Path(results).resolve()
    beside = paper.parent
    found: dict[Path, Path] = {}
    folders = [beside]
    texts: dict[Path, tuple[Path, set[str]]] = {}
    open_ends = [paper, *_in_folder(beside)]
    seen = (-1, -1)
    while open_ends or seen != (len(found), len(folders)):
        seen = (len(found), len(folders))
        for path in open_ends:
            whole = path.resolve()
            # what the author has compiled by hand is no source
            if whole in found or whole.is_relative_to(made) or path == paper.with_suffix(".pdf"):
                continue
            found[whole] = path
            if len(found) > _MOST_FILES:
                raise UserError(f"{paper}: names more than {_MOST_FILES} files; give the paper a folder of its own.")
            if path.suffix.lower() in _SOURCES or path == paper:
                texts[whole] = (path.parent, _names(path))
        # a folder that one source names may hold what another one asks for
        named = {name for _, names in texts.values() for name in names}
        folders += [folder for folder in _folders(beside, named) if folder not in folders]
        open_ends = [
            path
            for own, names in texts.values()
            for name in names
            for path in _files(name, dict.fromkeys([*folders, own]))
            if path.resolve() not in found and not path.resolve().is_relative_to(made) and path != paper.with_suffix(".pdf")
        ]
    return tuple(sorted(path for whole, path in found.items() if whole != paper.resolve()))


def _names(source: Path) -> set[str]:
    if source.stat().st_size > _LARGEST_SOURCE:
        raise UserError(f"{source}: has more than {_LARGEST_SOURCE // 10**6} MB; expected a source of LaTeX, give a smaller one.")
    text = source.read_text(encoding="utf-8", errors="replace")
    groups = [*_BETWEEN_BRACES.findall(text), *_WITHOUT_BRACES.findall(text)]
    names = {name.strip().strip('"') for group in groups for name in (group, *group.split(","))}
    return {name for name in names if name and "\0" not in name}


def _folders(beside: Path, names: set[str]) -> Iterator[Path]:
    for name in sorted(names):
        if name.endswith("/") and not _MADE.search(name) and os.path.isdir(beside / name):
            yield _plain(beside / name)


def _files(name: str, folders: dict[Path, None]) -> Iterator[Path]:
    if made := _MADE.search(name):
        start, slash, _ = name[: made.start()].rpartition("/")
        for folder in folders if slash else ():
            yield from _in_folder(_plain(folder / start))
        return
    for folder in folders:
        for suffix in ("", *_KINDS):
            if os.path.isfile(path := folder / f"{name}{suffix}"):
                yield _plain(path)


def _in_folder(folder: Path) -> Iterator[Path]:
    if os.path.isdir(folder):
        yield from sorted(path for path in folder.iterdir() if path.suffix.lower() in _KINDS and path.is_file())


def _plain(path: Path) -> Path:
    return Path(os.path.normpath(path))
