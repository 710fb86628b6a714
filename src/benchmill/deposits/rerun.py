"""A deposit made again: its files checked, the workflow run in a fresh folder, every result compared byte by byte."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmill import archives
from benchmill.archives.listings import is_name
from benchmill.core.errors import UserError
from benchmill.deposits import deposit, ro_crate
from benchmill.deposits.ro_crate import MADE_OF, RESULT, Manifest
from benchmill.text.display import listed
from benchmill.text.labels import shown
from benchmill.workflow import catalogue, make, remote
from benchmill.workflow.study import Study

#: So many files are named in a message, and lines are said of results that differ.
_NAMED = 5
#: What another version of a library may change; of one that is not here, all numbers.
_MAY_CHANGE = {
    **dict.fromkeys(("matplotlib", "seaborn", "fonttools", "kiwisolver", "contourpy", "pillow", "cycler"), "figures"),
    **dict.fromkeys(("jinja2", "markupsafe"), "the page"),
    "tex": "the paper",
}
#: Results that say something, by how their path ends.
_SAYING = ("/section.tex", "/section.md", "/texts.tex", "/numbers.tex", "/claims.parquet", "/verdicts.parquet")


@dataclass(frozen=True)
class Compared:
    """Outcome of making a deposit again.

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

    Raises
    ------
    UserError
        The deposit is not what its manifest says, lacks something, names something outside of itself, or cannot be made.
    """
    manifest = ro_crate.read(folder)
    told(f"checking {len(manifest.pieces)} files")
    _taken(folder, work, manifest, data)
    for name in {piece.name for piece in manifest.pieces if piece.url and piece.name and is_name(piece.name)}:
        # planning asks no server for its list
        archives.find(name, archives.store())
    studies = deposit.check_within(deposit.content_of(work / deposit.CONFIGURATION), work)
    _none_made_yet(studies, manifest)
    _fetch(studies, work, manifest)
    other = _other_versions(manifest.versions, deposit.versions_here())
    for line in other:
        told(f"another version: {line}; {_MAY_CHANGE.get(line.partition(' ')[0].lower(), 'all numbers')} may differ")
    told("making the results")
    make(work / deposit.CONFIGURATION, work, cores, of_strangers=True)
    found = _compared(folder, work, manifest, studies)
    differing = {path: how for path, how in found.items() if how}
    return Compared(len(found) - len(differing), differing, other)


def _taken(folder: Path, work: Path, manifest: Manifest, data: Path | None) -> None:
    """Check every file of a deposit, and copy what the study is made of.

    Raises
    ------
    UserError
        Files are missing, are others, are links, or are not in the manifest.
    """
    whole = folder.resolve()
    named = {piece.path for piece in manifest.pieces if piece.here}
    wrong = [f"{path} is not in the manifest" for path in _standing(whole) if path not in {*named, ro_crate.NAME}]
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


def _standing(folder: Path) -> list[str]:
    """Return all that stands below a folder and is no folder itself, links to folders too."""
    every = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in every)


def _none_made_yet(studies: Mapping[str, Study], manifest: Manifest) -> None:
    """Refuse a manifest by which results were there before anything was made: a run would leave them as they are.

    Raises
    ------
    UserError
        It names one as what the study is made of.
    """
    made_by = catalogue.makers(studies)
    made = {*made_by, *deposit.notes_of(studies, made_by)}
    if there := sorted(piece.path for piece in manifest.pieces if piece.role == MADE_OF and piece.path in made):
        raise UserError(
            f"{ro_crate.NAME}: it says that the study is made of {listed(there, limit=_NAMED)}, and that is a result; get the "
            "deposit anew."
        )


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
    return [
        f"{shown(name)} {shown(then.get(name, 'none'))}, here {now.get(name, 'none')}"
        for name in sorted({*then, *now}, key=str.lower)
        if then.get(name) != now.get(name)
    ]


def _compared(folder: Path, work: Path, manifest: Manifest, studies: Mapping[str, Study]) -> dict[str, str | None]:
    """Return by result of the manifest, or of a run of its configuration, what differs in it, or None."""
    pieces = {piece.path: piece for piece in manifest.pieces}
    expected = deposit.results_of(studies, "TeX" in manifest.versions)

    def differs(path: str) -> str | None:
        if path not in pieces:
            return "it is made of this study, and the manifest does not list it"
        if not (work / path).is_file():
            return "it was not made here"
        same = deposit.copied(work / path, None) == (pieces[path].sha256, pieces[path].bytes)
        return None if same else difference(folder / path, work / path)

    results = {piece.path for piece in manifest.pieces if piece.role == RESULT}
    return {path: differs(path) for path in sorted({*expected, *results})}


def said(found: Compared) -> Iterator[str]:
    """Return the outcome, line by line."""
    yield f"{found.same} of {found.same + len(found.differing)} results are the same, byte for byte."
    if not found.differing:
        return
    for path, how in found.differing.items():
        yield f"{shown(path)} differs: {how}"
    changed = [path for path in found.differing if path.endswith(_SAYING)]
    yield (
        f"What is said differs: {listed([shown(path) for path in changed], limit=_NAMED)}."
        if changed
        else "No verdict, claim, sentence or number for the text differs."
    )
    if found.other_versions:
        yield "It may differ because other versions made it:"
        yield from (f"  {line}" for line in found.other_versions)
    else:
        yield "All versions are those that made it. The results were changed afterwards, or another processor made them."


# --- by how much two files differ ------------------------------------------------------------------

#: Of a file that is longer than the other by more than that (bytes), no more is read: it may come from anybody.
_LONGER = 2**20


def difference(then: Path, now: Path) -> str:
    """Say by how much a file differs from what it was."""
    if not then.is_file():
        return "only its digest is known, which is another"
    sizes = then.stat().st_size, now.stat().st_size
    if then.suffix == ".parquet":
        return _tables(then, now)
    if sizes[0] > 2 * sizes[1] + _LONGER:
        return f"{sizes[0]} bytes, here {sizes[1]}"
    try:
        if then.suffix in _COLUMNS:
            return _columns(*(_COLUMNS[then.suffix](path) for path in (then, now)))
    except (ValueError, RecursionError):
        # as text, then
        pass
    try:
        texts = then.read_text("utf-8").splitlines(), now.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return f"{sizes[0]} bytes, here {sizes[1]}"
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
    found = [(name, *_differing(old[name], new[name])) for name in old.column_names if not old[name].equals(new[name])]
    of_rows = [(name, count, size) for name, count, size in found if count]
    if not of_rows:
        return "the same numbers; what the file notes of its origin differs, or how it is stored"
    return _told([(name, f"{count} of {old.num_rows} rows", size) for name, count, size in of_rows])


def _differing(a: pa.ChunkedArray, b: pa.ChunkedArray) -> tuple[int, str]:
    """Count the rows in which two columns of one type differ, and say by how much at the most."""
    if not (pa.types.is_integer(a.type) or pa.types.is_floating(a.type)):
        return sum(x != y for x, y in zip(a.to_pylist(), b.to_pylist(), strict=True)), ""
    # large integers are told apart that are one number as floats
    other = pc.fill_null(pc.not_equal(a, b), True).to_numpy() & ~(a.is_null().to_numpy() & b.is_null().to_numpy())
    x, y = (column.cast(pa.float64(), safe=False).to_numpy() for column in (a, b))
    if pa.types.is_floating(a.type):
        other &= ~(np.isnan(x) & np.isnan(y) & a.is_valid().to_numpy() & b.is_valid().to_numpy())
    return int(other.sum()), _size(x[other], y[other])


def _size(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> str:
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        by = np.abs(a - b)
        relative = by / np.maximum(np.abs(a), np.abs(b))
    known = by[~np.isnan(by)]
    if not known.size:
        return ""
    share = relative[np.isfinite(relative)].max(initial=0.0) if np.isfinite(known).all() else np.inf
    return f"by up to {known.max():.3g}" + (f", {100 * share:.3g} %" if np.isfinite(share) else "")


def _told(found: Sequence[tuple[str, str, str]]) -> str:
    told = [f"{shown(name)} ({count}, {size})" if size else f"{shown(name)} ({count})" for name, count, size in found]
    return f"in {listed(told, limit=_NAMED)}"


# --- tables as text, and JSON ------------------------------------------------------------------------


def _columns(then: Mapping[str, Sequence[Any]], now: Mapping[str, Sequence[Any]]) -> str:
    if then.keys() != now.keys() or any(len(then[name]) != len(now[name]) for name in now):
        lengths = [max(map(len, one.values()), default=0) for one in (then, now)]
        if lengths[0] != lengths[1]:
            return f"{lengths[0]} rows, here {lengths[1]}"
        return f"other columns: {listed(sorted(map(shown, set(then) ^ set(now))) or ['of other lengths'], limit=_NAMED)}"
    found = []
    for name in now:
        pairs = [(a, b) for a, b in zip(then[name], now[name], strict=True) if a != b]
        if pairs:
            numbers = [(x, y) for x, y in ((_number(a), _number(b)) for a, b in pairs) if x is not None and y is not None]
            found.append((name, f"{len(pairs)} of {len(now[name])} values", _size(*np.array(numbers).T) if numbers else ""))
    return _told(found) if found else "the same values, written in another way"


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _of_csv(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    if any(len(row) != len(header) for row in rows):
        raise ValueError("rows are of different lengths")
    return {
        f"{name}" if header.count(name) == 1 else f"{name} ({at})": [row[at] for row in rows] for at, name in enumerate(header)
    }


def _of_json(path: Path) -> dict[str, list[Any]]:
    """Return the values of a JSON document by where they stand, entries of a list together."""
    found: dict[str, list[Any]] = {}
    for name, value in _leaves(json.loads(path.read_bytes()), ""):
        found.setdefault(name, []).append(value)
    return found


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, name)
    else:
        yield name or "value", value


_COLUMNS: dict[str, Callable[[Path], dict[str, list[Any]]]] = {".csv": _of_csv, ".json": _of_json}
