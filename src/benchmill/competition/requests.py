"""The changes that a request to a competition makes, compared with what its sender may change."""

import os
import posixpath
import subprocess
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmill.competition import entries
from benchmill.core import UserError, shown
from benchmill.study import yaml_text
from benchmill.text import prose

#: Where what would be merged is laid out, from the folder of the configuration; what the check makes of it stays there.
LAID_OUT = Path(".snakemake", "request")

_ADDED, _DELETED = "A", "D"
#: Modes of git of plain files, and of none.
_PLAIN = ("100644", "100755", "000000")


@dataclass(frozen=True)
class Change:
    """A path that merging would change, and the folder of the entry that it is in, if any.

    `status` is git's letter (`A` added, `D` deleted), `mode` its kind of file.
    """

    path: str
    status: str
    mode: str
    entry: str | None

    @property
    def plain(self) -> bool:
        """Return True if there is a file then, or nothing: no link, and no other repository."""
        return self.mode in _PLAIN

    @property
    def told(self) -> str:
        """Say what happens to the path."""
        return prose.said(__file__, "Change", change=self)


@dataclass(frozen=True)
class Request:
    """Outcome of a request.

    Attributes
    ----------
    studies : tuple of str
        The competitions that have its folder.
    entry : str or None
        The key of the entry that is to be checked.
    allowed : tuple of str
        What it changes beside adding an entry, and may.
    tree : str
        What merging it would make, as git names it.
    """

    studies: tuple[str, ...]
    entry: str | None
    allowed: tuple[str, ...]
    tree: str


def request(base: str, config: Path, by: str | None = None, study: str | None = None, head: str = "HEAD") -> Request:
    """Hold what has been committed against the base that it is to be merged into.

    Raises
    ------
    UserError
        Git does not know the base, merging is in conflict, or something is changed that its sender may not change.
    """
    folder = config.parent
    for option, revision in (("since", base), ("request", head)):
        if revision.startswith("-"):
            raise UserError(f"--{option}: found {revision!r}, expected a revision such as origin/main.")
    known = f"--since: git does not know what changed since {base!r}"
    at = _git(folder, known, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").strip()
    conflict = f"{known}, or both changed the same; bring the branch up to date (git merge {base})"
    tree = _git(folder, conflict, "merge-tree", "--write-tree", at, f"{head}^{{commit}}").split("\n", 1)[0]
    how = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    parts = _git(folder, known, "diff-tree", *how, at, tree).split("\0")[:-1]
    prefix = _git(folder, known, "rev-parse", "--show-prefix").removesuffix("\n")
    where = f"{config} of {base}"
    config_text = _git(folder, f"--since: {base} has no {config}", "show", f"{at}:{prefix}{config.name}")
    competitions = entries.competitions(yaml_text.read(config_text, where), where)
    if study not in (None, *competitions) or not competitions:
        named = f"no competition {study!r}; it has" if study else "no study with the key `competition`; expected one, found"
        raise UserError(f"{where}: there is {named} {', '.join(competitions) or 'none'}.")
    homes = {
        name: posixpath.normpath(posixpath.join(prefix, rules.entries))
        for name, rules in competitions.items()
        if study in (None, name)
    }
    before, after = (
        _git(folder, known, "ls-tree", "-r", "-z", "--full-tree", "--name-only", one).split("\0")[:-1] for one in (at, tree)
    )
    changes = []
    for about, path in zip(parts[::2], parts[1::2], strict=True):
        _, mode, _, _, status = about.split()
        changes.append(Change(path, status, mode, _entry_of(path, homes.values())))
    entered = sorted({change.entry for change in changes if change.entry})
    owned = {entry: _owners(folder, at, entry) for entry in entered}
    may = [*(rules.may_change for rules in competitions.values()), owned]
    allowed = {change for change in changes if any(_allows(rules, change.path, by) for rules in may)}
    there = {_entry_of(path, homes.values()) for path in before}
    others = [one for one in changes if one.entry in {None, *there} or one.status != _ADDED or not one.plain]
    _check_allowed(changes, entered, others, allowed, by)
    _check_spelling(changes, after)
    descriptions = tuple(change.told for change in others)
    if not entered:
        return Request((), None, descriptions, tree)
    (entry,) = entered
    owners = () if entry in there else _owners(folder, tree, entry)
    if owners and by not in owners and not allowed.issuperset(changes):
        raise UserError(prose.said(__file__, "Owners", entry=entry, owners=owners, by=by))
    home, _, key = entry.rpartition("/")
    gone = all(change.status == _DELETED for change in changes)
    return Request(tuple(name for name, one in homes.items() if one == home), None if gone else key, descriptions, tree)


def _check_allowed(
    changes: Sequence[Change],
    entered: Sequence[str],
    others: Sequence[Change],
    allowed: set[Change],
    by: str | None,
) -> None:
    """Refuse all but plain files of one new entry, and what is allowed."""
    for change in sorted(others, key=lambda one: one.entry is not None):
        if not change.plain or change not in allowed:
            raise UserError(prose.said(__file__, "Beyond", change=change, entered=entered, by=by))
    if len(entered) > 1:
        raise UserError(prose.said(__file__, "Several", keys=[shown(place.rpartition("/")[2]) for place in entered]))
    if entered and (outside := next((change for change in changes if change.entry is None), None)):
        raise UserError(prose.said(__file__, "Outside", change=outside, entered=entered))


def _check_spelling(changes: Sequence[Change], after: Sequence[str]) -> None:
    """Refuse names of files and folders that some disks treat as one, if a change adds one of them."""
    spelt: dict[str, set[str]] = {}
    for path in after:
        for part in (path, *map(str, PurePosixPath(path).parents)):
            spelt.setdefault(_folded(part), set()).add(part)
    for part in (part for one in changes for part in (one.path, *map(str, PurePosixPath(one.path).parents))):
        if len(alike := spelt.get(_folded(part), ())) > 1:
            raise UserError(prose.said(__file__, "Spelling", alike=sorted(map(shown, alike))))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", path).casefold()


def _owners(folder: Path, tree: str, entry: str) -> list[str]:
    """Return who may change an entry by its sheet in a tree; nobody if there is no sheet that says so."""
    try:
        sheet = yaml_text.read(_git(folder, "", "show", f"{tree}:{entry}/{entries.SHEET}"), entry, texts=True)
    except UserError:
        return []
    owners = sheet.get("owners") if isinstance(sheet, Mapping) else None
    return [one for one in owners if isinstance(one, str)] if isinstance(owners, list) else []


def _entry_of(path: str, homes: Iterable[str]) -> str | None:
    """Return the folder of the entry that a path is below, if any."""
    home = max((home for home in homes if path.startswith(f"{home}/")), key=len, default="")
    key, below, _ = path.removeprefix(f"{home}/").partition("/")
    return f"{home}/{key}" if home and below else None


def _allows(rules: Mapping[str, Sequence[str]], path: str, by: str | None) -> bool:
    """Return True if the rules let an account change a path: by its name, by that of a folder it is in, or everything by `.`."""
    return bool(by) and any(
        by in accounts and (place == "." or path == place or path.startswith(f"{place.rstrip('/')}/"))
        for place, accounts in rules.items()
    )


def lay_out(tree: str, config: Path) -> Path:
    """Lay out what merging would make, and return its folder of the configuration; files that are so already stay untouched."""
    folder = config.parent
    why = "--since: what would be merged cannot be laid out"
    top = (folder / LAID_OUT).absolute()
    (top / "tree").mkdir(parents=True, exist_ok=True)
    directory = _git(folder, why, "rev-parse", "--absolute-git-dir").removesuffix("\n")
    prefix = _git(folder, why, "rev-parse", "--show-prefix").removesuffix("\n")
    for command in (("read-tree", "--reset", "-u", tree), ("checkout-index", "--all", "--force", "--quiet")):
        _git(top / "tree", why, "--git-dir", directory, "--work-tree", ".", *command, GIT_INDEX_FILE=str(top / "index"))
    return top / "tree" / prefix


def only_appended(site: Path, files: Sequence[str]) -> bool:
    """Refuse files of a site from which a line was taken since git has them, in any commit or now; return False if git has none.

    Raises
    ------
    UserError
        A commit, or what is there now, lacks a line that was there before, or older commits are not here.
    """
    try:
        commits = _git(site, "", "rev-list", "HEAD")
    except UserError:
        return False  # nothing was committed here, or nothing is here
    cut = site / _git(site, "", "rev-parse", "--git-path", "shallow").removesuffix("\n")
    if cut.is_file() and not set(commits.split()).isdisjoint(cut.read_text("ascii").split()):
        raise UserError(
            f"{site}: git has only its last commits here, so earlier ones cannot be checked; get all (git fetch --unshallow)."
        )
    shape = ("--numstat", "--text", "--no-renames", "--no-textconv", "--no-ext-diff")
    why = f"{site}: git does not say what was published"
    commands = ("log", "--format=", "--full-history", "-m", *shape), ("diff", *shape, "HEAD")
    for line in filter(None, "".join(_git(site, why, *command, "--", *files) for command in commands).splitlines()):
        _, taken, name = line.split("\t")
        if taken != "0":
            raise UserError(
                f"{site / Path(name).name}: git has lines of it that are now missing or changed; restore the folder from an "
                "older commit."
            )
    return bool(_git(site, why, "ls-files", "--", *files))


def _git(folder: Path, otherwise: str, *arguments: str, **variables: str) -> str:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        done = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, capture_output=True, check=False)
    except OSError:
        raise UserError(f"{otherwise} (there is no git here)") from None
    if done.returncode:
        raise UserError(f"{otherwise} ({shown(done.stderr.decode(errors='replace')) or 'a conflict'})")
    return done.stdout.decode("utf-8", "surrogateescape")
