"""A deposit made again: its files checked, the workflow run in a fresh folder, every result compared byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmill import archives
from benchmill.archives.names import is_name
from benchmill.core.errors import UserError
from benchmill.text.display import listed
from benchmill.text.labels import shown
from benchmill.workflow import deposit, remote, ro_crate, run
from benchmill.workflow.ro_crate import MADE_OF, RESULT, Manifest, Piece
from benchmill.workflow.study import Study

#: So many files are named in a message, and lines are said of results that differ.
_NAMED = 5


@dataclass(frozen=True)
class Compared:
    """What came of it.

    Attributes
    ----------
    same : int
        Results that are the same, byte for byte.
    differing : dict of str to str
        What differs in the others, by path.
    other_versions : list of str
        What was another version when the deposit was made.
    """

    same: int
    differing: dict[str, str]
    other_versions: list[str]


def rerun(folder: Path, work: Path, cores: str, *, data: Path | None = None, told: Callable[[str], None] = print) -> Compared:
    """Make the results of a deposit again.

    Parameters
    ----------
    folder : Path
        The deposit. Nothing in it is changed, and of what it holds that alone is used which its manifest names.
    work : Path
        An empty folder to do it in.
    cores : str
        For Snakemake.
    data : Path, optional
        Where the logs are that the deposit names and does not hold, by the same paths.
    told : callable
        Is told what is done.

    Raises
    ------
    UserError
        The deposit is not what its manifest says, lacks something, names something outside of itself, or cannot be made.
    """
    manifest = ro_crate.read(folder)
    told(f"checking {len(manifest.pieces)} files")
    _taken(folder, work, manifest, data)
    # where its author kept what comes by name says nothing here
    content = {**deposit.content_of(work / deposit.CONFIGURATION), "archives": {}}
    for name in {piece.name for piece in manifest.pieces if piece.url and piece.name and is_name(piece.name)}:
        # planning asks no server for its list
        archives.find(name, archives.store())
    studies = deposit.check_within(content, work)
    _fetch(studies, work, manifest)
    other = _other_versions(manifest.versions, deposit.versions_here())
    told("making the results")
    run.make(work / deposit.CONFIGURATION, work, cores, of_strangers=True)
    results = [piece for piece in manifest.pieces if piece.role == RESULT]
    differing = {piece.path: how for piece in results if (how := _differs(folder / piece.path, work / piece.path, piece))}
    return Compared(len(results) - len(differing), differing, other)


def _taken(folder: Path, work: Path, manifest: Manifest, data: Path | None) -> None:
    """Check every file of a deposit, and copy what the study is made of.

    Raises
    ------
    UserError
        Files are missing, are others, or are links.
    """
    wrong = []
    whole = folder.resolve()
    for piece in manifest.pieces:
        if piece.url:
            continue
        root = whole if piece.here else data
        if root is None:
            raise UserError(
                f"{folder}: it names {piece.path} and does not hold it; give the folder in which it stands by this path with "
                "--data."
            )
        path = root / piece.path
        if not path.is_file():
            wrong.append(f"{piece.path} is missing")
        elif piece.here and path.resolve() != path:
            wrong.append(f"{piece.path} is a link, or stands behind one")
        elif (found := deposit.copied(path, work / piece.path if piece.role == MADE_OF else None)) != (piece.sha256, piece.bytes):
            wrong.append(f"{piece.path} has sha256 {found[0]}, expected {piece.sha256}")
    if wrong:
        raise UserError(f"{folder}: it is not what its manifest says: {listed(wrong, limit=_NAMED)}; get the deposit anew.")
    if not (work / deposit.CONFIGURATION).is_file():
        raise UserError(f"{folder}: its manifest names no {deposit.CONFIGURATION}; get the deposit anew.")


def _fetch(studies: Mapping[str, Study], work: Path, manifest: Manifest) -> None:
    """Fetch what comes from elsewhere, and check that it is what the results were made of.

    Raises
    ------
    UserError
        An archive has other files by now, or a file is another one.
    """
    named = {piece.path: piece for piece in manifest.pieces if piece.url}
    wanted = {source.paths[0].as_posix(): source for study in studies.values() for source in study.sources if source.url}
    if beyond := sorted(set(wanted) ^ set(named)):
        raise UserError(
            f"{deposit.CONFIGURATION}: the archives list other files by now than when the deposit was made "
            f"({listed(beyond, limit=_NAMED)}); name the sources one by one, as the manifest does."
        )
    for path, source in wanted.items():
        remote.fetch(source.entry["path"], work / path, named[path].sha256, source.name)


def _other_versions(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    names = sorted({*then, *now}, key=str.lower)
    return [
        f"{shown(name)} {shown(then.get(name, 'none'))}, here {now.get(name, 'none')}"
        for name in names
        if then.get(name) != now.get(name)
    ]


def _differs(then: Path, now: Path, piece: Piece) -> str | None:
    """What differs in a result; None where nothing does."""
    if not now.is_file():
        return "it was not made here"
    if deposit.copied(now, None) == (piece.sha256, piece.bytes):
        return None
    if then.suffix == ".parquet":
        return _tables(then, now)
    try:
        texts = then.read_text("utf-8").splitlines(), now.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return f"{then.stat().st_size} bytes, here {now.stat().st_size}"
    line = next((number for number, (a, b) in enumerate(zip(*texts, strict=False), 1) if a != b), min(map(len, texts)) + 1)
    return f"from line {line} on"


def _tables(then: Path, now: Path) -> str:
    try:
        # of a few bytes that stand for any number of rows, no more is read than was made here
        a, b = (pq.read_metadata(path) for path in (then, now))
        if pq.read_schema(then) != pq.read_schema(now) or a.num_rows != b.num_rows:
            return f"{a.num_rows} rows and {a.num_columns} columns, here {b.num_rows} and {b.num_columns}"
        old, new = pq.read_table(then), pq.read_table(now)
    except (OSError, pa.ArrowException):
        return "it cannot be read as a table"
    columns = [name for name in old.column_names if not old[name].equals(new[name])]
    if not columns:
        return "the same numbers; what the file notes of its origin differs, or how it is stored"
    return f"in {listed(columns, limit=_NAMED)}"


def said(found: Compared, every: bool = False) -> Iterator[str]:
    """What came of it, line by line."""
    yield f"{found.same} of {found.same + len(found.differing)} results are the same, byte for byte."
    if not found.differing:
        return
    differing = list(found.differing.items())
    for path, how in differing if every else differing[: 4 * _NAMED]:
        yield f"{shown(path)} differs: {how}"
    if not every and len(differing) > 4 * _NAMED:
        yield f"... and {len(differing) - 4 * _NAMED} more (--all shows them)"
    if found.other_versions:
        yield "It may differ because other versions made it:"
        yield from (f"  {line}" for line in found.other_versions)
    else:
        yield "All versions are those that made it. The results were changed afterwards, or another processor made them."
