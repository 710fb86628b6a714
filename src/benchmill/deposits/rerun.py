"""A deposit made again: its files checked, the workflow run in a fresh folder, every result compared byte by byte."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmill import archives
from benchmill.archives.names import is_name
from benchmill.core.errors import UserError
from benchmill.deposits import deposit, ro_crate
from benchmill.deposits.differences import difference
from benchmill.deposits.ro_crate import MADE_OF, RESULT, Manifest, Piece
from benchmill.text.display import listed
from benchmill.text.labels import shown
from benchmill.workflow import catalogue, remote, run
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
_SAYING = ("/section.tex", "/section.md", "/claims.parquet", "/verdicts.parquet")


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
    # where its author kept what comes by name says nothing here
    content = {**deposit.content_of(work / deposit.CONFIGURATION), "archives": {}}
    for name in {piece.name for piece in manifest.pieces if piece.url and piece.name and is_name(piece.name)}:
        # planning asks no server for its list
        archives.find(name, archives.store())
    studies = deposit.check_within(content, work)
    _none_made_yet(studies, manifest)
    _fetch(studies, work, manifest)
    other = _other_versions(manifest.versions, deposit.versions_here())
    for line in other:
        told(f"another version: {line}; {_MAY_CHANGE.get(line.partition(' ')[0].lower(), 'all numbers')} may differ")
    told("making the results")
    run.make(work / deposit.CONFIGURATION, work, cores, of_strangers=True)
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
    found = []
    for at, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(at, name))]
        found += [Path(at, name).relative_to(folder).as_posix() for name in (*files, *links)]
    return sorted(found)


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
    names = sorted({*then, *now}, key=str.lower)
    return [
        f"{shown(name)} {shown(then.get(name, 'none'))}, here {now.get(name, 'none')}"
        for name in names
        if then.get(name) != now.get(name)
    ]


def _compared(folder: Path, work: Path, manifest: Manifest, studies: Mapping[str, Study]) -> dict[str, str | None]:
    """Return by result of the manifest, or of a run of its configuration, what differs in it, or None."""
    pieces = {piece.path: piece for piece in manifest.pieces}
    expected = deposit.results_of(studies, "TeX" in manifest.versions)
    found: dict[str, str | None] = {}
    for path in sorted({*expected, *(piece.path for piece in manifest.pieces if piece.role == RESULT)}):
        unknown = "it is made of this study, and the manifest does not list it"
        found[path] = _differs(folder / path, work / path, pieces[path]) if path in pieces else unknown
    return found


def _differs(then: Path, now: Path, piece: Piece) -> str | None:
    if not now.is_file():
        return "it was not made here"
    return None if deposit.copied(now, None) == (piece.sha256, piece.bytes) else difference(then, now)


def said(found: Compared, every: bool = False) -> Iterator[str]:
    """Return the outcome, line by line."""
    yield f"{found.same} of {found.same + len(found.differing)} results are the same, byte for byte."
    if not found.differing:
        return
    differing = list(found.differing.items())
    for path, how in differing if every else differing[: 4 * _NAMED]:
        yield f"{shown(path)} differs: {how}"
    if not every and len(differing) > 4 * _NAMED:
        yield f"... and {len(differing) - 4 * _NAMED} more (--all shows them)"
    changed = [path for path in found.differing if path.endswith(_SAYING)]
    yield (
        f"What is said differs: {listed([shown(path) for path in changed], limit=_NAMED)}."
        if changed
        else "Nothing that is said differs."
    )
    if found.other_versions:
        yield "It may differ because other versions made it:"
        yield from (f"  {line}" for line in found.other_versions)
    else:
        yield "All versions are those that made it. The results were changed afterwards, or another processor made them."
