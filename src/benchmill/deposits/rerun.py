"""A deposit remade: its files checked, the workflow run in a fresh folder, everything it makes compared byte by byte."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from benchmill import archives
from benchmill.archives.listings import is_name
from benchmill.core import Array, Given, UserError, shown
from benchmill.deposits import deposit, ro_crate
from benchmill.deposits.ro_crate import MADE_OF, Manifest
from benchmill.study import catalogue
from benchmill.text import prose
from benchmill.text.display import listed
from benchmill.workflow import jobs, make, remote

#: So many files are named in a message.
_NAMED = 5
#: What another version of a library may change; of one that is not here, all numbers.
_MAY_CHANGE = {
    **dict.fromkeys(("matplotlib", "seaborn", "fonttools", "kiwisolver", "contourpy", "pillow", "cycler"), "figures"),
    **dict.fromkeys(("jinja2", "markupsafe"), "the page"),
    "tex": "the paper",
}
_NUMBERS = "all numbers"
#: How it is told that tables differ in nothing but numbers with a fraction, or not even in these.
_NO_WORD, _SAME = ", which changes no word", "the same numbers"
#: Results that say something, by how their path ends.
_SAYING = ("/section.tex", "/section.md", "/texts.tex", "/numbers.tex", "/claims.parquet", "/verdicts.parquet")


@dataclass(frozen=True)
class Compared:
    """Outcome of making a deposit again.

    Attributes
    ----------
    same : int
        Files that are the same, byte for byte.
    differing : dict of str to str
        What differs in the others, by path.
    other_versions : list of str
        What was another version when the deposit was made.
    """

    same: int
    differing: dict[str, str]
    other_versions: list[str]


def rerun(folder: Path, work: Path, cores: str, *, data: Path | None = None, progress: Callable[[str], None] = print) -> Compared:
    """Remake everything that a deposit holds besides its study's inputs, and compare it.

    Raises
    ------
    UserError
        The deposit is not what its manifest says, lacks something, names something outside of itself, or cannot be made.
    """
    manifest = ro_crate.read(folder)
    progress(f"checking {len(manifest.pieces)} files")
    _taken(folder, work, manifest, data)
    for name in {piece.name for piece in manifest.pieces if piece.url and piece.name and is_name(piece.name)}:
        # planning asks no server for its list
        archives.find(name, archives.store())
    config = work / deposit.CONFIGURATION
    content = deposit.content_of(config)
    studies = deposit.check_within(content, work)
    _check_roles(studies, content, work, manifest)
    named = {piece.path: piece for piece in manifest.pieces if piece.url}
    wanted = {source.paths[0].as_posix(): source for study in studies.values() for source in study.sources if source.url}
    if beyond := sorted(set(wanted) ^ set(named)):
        raise UserError(
            f"{deposit.CONFIGURATION}: the archives list other files by now than when the deposit was made "
            f"({listed(beyond, limit=_NAMED)}); name the sources one by one, as the manifest does."
        )
    for path, source in wanted.items():
        remote.fetch(source.entry["path"], work / path, named[path].sha256, source.name)
    then, now = manifest.versions, deposit.versions_here()
    other = [
        f"{shown(name)} {shown(then.get(name, 'none'))}, here {now.get(name, 'none')}"
        for name in sorted({*then, *now}, key=str.lower)
        if then.get(name) != now.get(name)
    ]
    for line in other:
        progress(f"another version: {line}; {_may_change(line)} may differ")
    progress("making the results")
    make(config, work, cores, of_strangers=True)
    deposit.explain(work, deposit.words_of(content, config, manifest.versions), manifest.versions)
    differences = _compared(folder, work, manifest, studies)
    differing = {path: how for path, how in differences.items() if how}
    return Compared(len(differences) - len(differing), differing, other)


def _taken(folder: Path, work: Path, manifest: Manifest, data: Path | None) -> None:
    """Check every file of a deposit, and copy what the study is made of.

    Raises
    ------
    UserError
        Files are missing, are others, are links, or are not in the manifest.
    """
    whole = folder.resolve()
    named = {ro_crate.NAME, *(piece.path for piece in manifest.pieces if piece.here)}
    below = sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_symlink() or not path.is_dir())
    wrong = [f"{path} is not in the manifest" for path in below if path not in named]
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
        elif (copy := deposit.copied(path, work / piece.path if piece.role == MADE_OF else None)) != (piece.sha256, piece.bytes):
            wrong.append(f"{piece.path} has sha256 {copy[0]}, expected {piece.sha256}")
    if wrong:
        raise UserError(f"{folder}: it is not what its manifest says: {listed(wrong, limit=_NAMED)}; get the deposit again.")
    if not (work / deposit.CONFIGURATION).is_file():
        raise UserError(f"{folder}: its manifest names no {deposit.CONFIGURATION}; get the deposit again.")


def _check_roles(studies: deposit.Studies, content: Given, work: Path, manifest: Manifest) -> None:
    """Refuse a file that nothing accounts for: the study does not read it, and remaking the study does not make it.

    Raises
    ------
    UserError
        The manifest says that the study is made of a result, or of a file that it does not read, or lists another one.
    """
    made_by = catalogue.makers(studies)
    made = {*made_by, *deposit.notes_of(studies, made_by), deposit.LIBRARIES, deposit.EXPLANATION}
    records = {path.as_posix() for path in deposit.records_of(studies)}
    read = {
        *(path.resolve().relative_to(work.resolve()).as_posix() for path in deposit.files_read(studies, content, [work])),
        *(deposit.CONFIGURATION, *records, *(piece.path for piece in manifest.pieces if piece.url)),
    }
    for piece in manifest.pieces:
        if piece.role == MADE_OF and piece.path in made:
            what = "says that the study is made of it, and it is a result"
        elif piece.path not in (read if piece.role == MADE_OF else made):
            what = "lists it, and the study neither reads nor makes it"
        else:
            continue
        raise UserError(f"{ro_crate.NAME}: {shown(piece.path)}: the manifest {what}; get the deposit again.")


def _may_change(version: str) -> str:
    return _MAY_CHANGE.get(version.partition(" ")[0].lower(), _NUMBERS)


def _compared(folder: Path, work: Path, manifest: Manifest, studies: deposit.Studies) -> dict[str, str | None]:
    """Return by path what differs in a file that was made again, or None.

    These are all that the deposit has beside what the study is made of, all results that a run gives here, and the records that
    a run adds to.
    """
    pieces = {piece.path: piece for piece in manifest.pieces}
    results = deposit.results_of(studies)
    expected = {*results, *deposit.notes_of(studies, results), *(path.as_posix() for path in deposit.records_of(studies, work))}

    def differs(path: str) -> str | None:
        if path not in pieces:
            return "it is made of this study, and the manifest does not list it"
        if not (work / path).is_file():
            return "it was not made here"
        same = deposit.copied(work / path, None) == (pieces[path].sha256, pieces[path].bytes)
        return None if same else difference(folder / path, work / path)

    made = {piece.path for piece in manifest.pieces if piece.role != MADE_OF}
    differences = {path: differs(path) for path in sorted({*expected, *made})}
    drawn = {path: at for path, (_, at) in catalogue.makers(studies).items() if "figure" in at and differences.get(path)}
    return differences | {
        path: f"{differences[path]}; {_shown_by(jobs.drawn(jobs.Job(studies, work, at)), differences)}"
        for path, at in drawn.items()
    }


def _shown_by(tables: Sequence[str], differences: Mapping[str, str | None]) -> str:
    """Say whether the tables that a figure shows differ."""
    other = [path for path in tables if not (differences.get(path) or _SAME).startswith(_SAME)]
    return f"it shows {listed(other, limit=_NAMED)}, which differs too" if other else "the data that it shows are the same"


def said(compared: Compared) -> list[str]:
    """Return the outcome, line by line."""
    differing = compared.differing.items()
    explained = _NUMBERS in map(_may_change, compared.other_versions)
    text = prose.whole(
        __file__,
        compared=compared,
        named=_NAMED,
        changed=[path for path, how in differing if path.endswith(_SAYING) and not how.endswith(_NO_WORD)],
        tables=[path for path, how in differing if path.endswith(".parquet") and not (explained or how.startswith(_SAME))],
    )
    return text.splitlines()


# --- by how much two files differ ------------------------------------------------------------------

#: Of a file that is longer than the other by more than that (bytes), no more is read: it may come from anybody.
_LONGER = 2**20

#: A file as columns.
Columns = Mapping[str, Sequence[Any]]


def difference(then: Path, now: Path) -> str:
    """Say by how much a file differs from what it was."""
    if not then.is_file():
        return "only its digest is known, which is another"
    try:
        if then.suffix == ".parquet":
            return _of_tables(then, now)
        sizes = then.stat().st_size, now.stat().st_size
        if sizes[0] > 2 * sizes[1] + _LONGER:
            return f"{sizes[0]} bytes, here {sizes[1]}"
        if then.suffix in _COLUMNS:
            read = _COLUMNS[then.suffix]
            return _of_columns(read(then), read(now), "values") or "the same values, written in another way"
    except (OSError, pa.ArrowException):
        return "it cannot be read as a table"
    except (ValueError, RecursionError):
        # as text, then
        pass
    try:
        texts = then.read_text("utf-8").splitlines(), now.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return f"{sizes[0]} bytes, here {sizes[1]}"
    line = next((number for number, (a, b) in enumerate(zip(*texts, strict=False), 1) if a != b), min(map(len, texts)) + 1)
    return f"from line {line} on"


def _of_tables(then: Path, now: Path) -> str:
    # of a few bytes that stand for any number of rows, no more is read than was made here
    held, made = (pq.read_metadata(path) for path in (then, now))
    if pq.read_schema(then) != pq.read_schema(now) or held.num_rows != made.num_rows:
        return f"{held.num_rows} rows and {held.num_columns} columns, here {made.num_rows} and {made.num_columns}"
    old, new = pq.read_table(then), pq.read_table(now)
    differing = [name for name in old.column_names if not old[name].equals(new[name])]
    a, b = ({name: table[name].to_pylist() for name in differing} for table in (old, new))
    words = _of_columns(a, b, "rows") or f"{_SAME}; what the file notes of its origin differs, or how it is stored"
    # a number that is there or not, or an outcome, is told in words
    numbers = all(pa.types.is_floating(old[name].type) and old[name].null_count == new[name].null_count for name in differing)
    return words + _NO_WORD * (numbers and then.as_posix().endswith(_SAYING))


def _of_columns(then: Columns, now: Columns, unit: str) -> str:
    """Say in which columns values differ, in how many, and by how much at the most; empty where none does."""
    if then.keys() != now.keys() or any(len(then[name]) != len(now[name]) for name in now):
        lengths = [max(map(len, one.values()), default=0) for one in (then, now)]
        if lengths[0] != lengths[1]:
            return f"{lengths[0]} rows, here {lengths[1]}"
        return f"other columns: {listed(sorted(map(shown, set(then) ^ set(now))) or ['of other lengths'], limit=_NAMED)}"
    differences = []
    for name in now:
        a, b = (pd.Series(list(one[name]), dtype=object) for one in (then, now))
        other = a.ne(b) & ~(a.isna() & b.isna())
        if count := int(other.sum()):
            size = _size(*(one[other].map(_number).to_numpy(float) for one in (a, b)))
            differences.append(f"{shown(name)} ({count} of {len(a)} {unit}{size})")
    return f"in {listed(differences, limit=len(differences))}" if differences else ""


def _number(value: Any) -> float:
    try:
        return np.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


@np.errstate(invalid="ignore", over="ignore", divide="ignore")
def _size(a: Array, b: Array) -> str:
    by = np.abs(a - b)
    relative = by / np.maximum(np.abs(a), np.abs(b))
    known = by[~np.isnan(by)]
    if not known.size:
        return ""
    share = relative[np.isfinite(relative)].max(initial=0.0) if np.isfinite(known).all() else np.inf
    return f", by up to {known.max():.3g}" + (f", {100 * share:.3g} %" if np.isfinite(share) else "")


def _of_csv(path: Path) -> Columns:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    if any(len(row) != len(header) for row in rows):
        raise ValueError("rows are of different lengths")
    return {name if header.count(name) == 1 else f"{name} ({at})": [row[at] for row in rows] for at, name in enumerate(header)}


def _of_json(path: Path) -> Columns:
    """Return the values of a JSON document by their place, entries of a list together."""
    values: dict[str, list[Any]] = {}

    def walk(value: Any, name: str) -> None:
        pairs = value.items() if isinstance(value, dict) else [("", one) for one in value] if isinstance(value, list) else ()
        for key, one in pairs:
            walk(one, ".".join(filter(None, (name, str(key)))))
        if not isinstance(value, dict | list):
            values.setdefault(name or "value", []).append(value)

    walk(json.loads(path.read_bytes()), "")
    return values


_COLUMNS: dict[str, Callable[[Path], Columns]] = {".csv": _of_csv, ".json": _of_json}
