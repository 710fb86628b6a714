"""The entries of a competition: folders with a sheet, written by strangers."""

import json
import os
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar
from urllib.parse import urlsplit

from benchmill.archives.listings import is_name, parsed
from benchmill.archives.transfer import is_outside
from benchmill.competition.options import Options, Sheet, end_of
from benchmill.core import UserError, Written, natural_key, shown
from benchmill.core.names import skeleton
from benchmill.core.options import made, schema_of
from benchmill.core.storage import digest
from benchmill.registry.measures import RUNNING_TIMES
from benchmill.study import elsewhere, yaml_text
from benchmill.study.sources import existing
from benchmill.study.validation import filled, mistakes_of, wrong
from benchmill.text import claims
from benchmill.text.display import listed as listed_words

T = TypeVar("T")

SHEET = "entry.yaml"
#: The variable with the entries that are left aside, by study and folder, in JSON: planning does not see them.
SET_ASIDE = "BENCHMILL_SET_ASIDE"

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_LARGEST_SHEET = 100_000
#: Digits and letters that look like others, once case does not count.
_DIGITS = str.maketrans("01i|", "olll")


@dataclass(frozen=True)
class Entry:
    """An entry; `key` is the name of its folder."""

    key: str
    folder: Path
    sheet: Sheet

    @property
    def away(self) -> bool:
        """Return True if its logs are not read: it was taken back, or they are sealed and have not come."""
        return self.sheet.withdrawn or (self.sheet.sealed is not None and not os.path.exists(self.folder / self.sheet.logs))

    @property
    def said(self) -> Written:
        """Return the text of its sheet for the site."""
        words = {name: getattr(self.sheet, name) for name in ("name", "version", "not_competing", "newcomer", "withdrawn")}
        return {**words, "authors": list(self.sheet.authors)}

    def takes_part(self, study: str) -> bool:
        """Return True if it is in this competition, of those that have its folder."""
        return not self.sheet.tracks or study in self.sheet.tracks

    def source(self, rules: Options) -> Written:
        """Return its entry of `sources`."""
        entry = {**rules.source, "name": self.key, "algorithm": self.sheet.name}
        if not elsewhere.is_far(self.sheet.logs):
            return {**entry, "path": (PurePosixPath(rules.entries) / self.key / self.sheet.logs).as_posix()}
        bounds = {} if rules.inside else {"most_mb": rules.most_mb}
        return {**entry, "path": self.sheet.logs, "sha256": self.sheet.sha256, **bounds}


def folder_of(entries: str, folders: Sequence[Path]) -> Path | None:
    """Return the folder of the entries, where there is one."""
    return next((path for path in existing(entries, folders)[:1] if path.is_dir()), None)


def read(folder: Path, key: str, inside: bool = False) -> Entry:
    """Read the sheet of an entry; `inside` allows logs at addresses inside.

    Raises
    ------
    UserError
        Its folder cannot be one, there is no sheet, the sheet says what it may not, or it names something outside of its folder.
    """
    where, place = f"{shown(folder.name)}/{shown(key)}", folder / key
    if not _KEY.fullmatch(key) or key != shown(key):
        raise UserError(
            f"{where}: the name of an entry's folder has at most 64 characters, letters, digits and `._+-`; rename it."
        )
    if place.is_symlink() or not place.is_dir():
        raise UserError(f"{where}: found no folder, expected that of an entry with {SHEET}.")
    file, at = place / SHEET, f"{where}/{SHEET}"
    # which some disks take for one
    if spelt := [name for name in os.listdir(place) if name != SHEET and name.casefold() == SHEET]:
        raise UserError(f"{where}: found {shown(min(spelt))}, expected one sheet, {SHEET}; rename it.")
    if file.is_symlink() or not file.is_file():
        raise UserError(f"{where}: there is no file {SHEET}; write one (docs/organising.md has an example).")
    if file.stat().st_size > _LARGEST_SHEET:
        raise UserError(f"{at}: it is larger than {_LARGEST_SHEET} bytes; a sheet is a few lines.")
    try:
        content = yaml_text.read(file.read_text("utf-8"), at, texts=True)
    except UnicodeDecodeError:
        raise UserError(f"{at}: it cannot be read as text in UTF-8; save it as UTF-8.") from None
    sheet = _made(Sheet, content, at)
    sheet = replace(sheet, name=unicodedata.normalize("NFC", sheet.name))
    for option, texts in (("name", [sheet.name]), ("version", [sheet.version]), ("authors", sheet.authors)):
        if any(text != shown(text) for text in texts):
            raise UserError(f"{at}: {option}: found characters that cannot be seen, or odd blanks; leave them out.")
    if not sheet.withdrawn:
        mistake = _mistake_far(sheet, inside) if elsewhere.is_far(sheet.logs) else _mistake_beside(place, sheet)
        if mistake:
            raise UserError(f"{at}: {mistake}")
    return Entry(key, place, sheet)


def _made(kind: type[T], settings: Any, where: str) -> T:
    """Return what a mapping says as an object with all its defaults."""
    schema = schema_of(kind)
    content = filled(settings, schema)
    if mistakes := mistakes_of(content, schema):
        raise UserError(f"{where}: {' '.join(map(shown, mistakes))}")
    return made(kind, content, where)


def _mistake_far(sheet: Sheet, inside: bool) -> str | None:
    """Return what is wrong with logs that stand elsewhere, if anything."""
    logs, by_name = sheet.logs, is_name(sheet.logs)
    try:
        parsed(logs) if by_name else elsewhere.place(logs)
        address = urlsplit(logs.partition(":")[2] if by_name else logs)
        sound = logs == shown(logs) and "@" not in address.netloc and address.port != 0 and (by_name or address.scheme == "https")
    # it has brackets or a port that are none
    except (UserError, ValueError):
        sound = False
    if not sound:
        return f"logs: found {shown(logs)!r}, expected a name in a public archive or an address with https."
    if not (inside or (by_name and not address.netloc) or is_outside(address.hostname or "")):
        return f"logs: {shown(logs)!r} is an internal address; give one that is publicly reachable."
    if any(c in logs for c in "*?["):
        return f"logs: found the pattern {shown(logs)!r}, expected the name or address of one file."
    if sheet.sha256 is None:
        return "sha256: is missing; logs that stand elsewhere need the SHA-256 of their file."
    if sheet.sealed is not None:
        return "sealed: it is for a file beside the sheet, which comes later; leave it out."
    return None


def _mistake_beside(place: Path, sheet: Sheet) -> str | None:
    """Return what is wrong with logs beside the sheet, if anything."""
    logs = sheet.logs
    parts = PurePosixPath(logs).parts
    plain = logs == shown(logs) and not any(c in logs for c in "\\*?[]{}~:")
    if not plain or PurePosixPath(logs).is_absolute() or ".." in parts or not parts or parts[0] == ".":
        return f"logs: found {shown(logs)!r}, expected a file or folder beside the sheet, such as logs.tgz."
    if sheet.sha256 is not None:
        return "sha256: it is for logs that stand elsewhere; leave it out."
    for path in (place / PurePosixPath(*parts[: n + 1]) for n in range(len(parts))):
        if os.path.islink(path):
            return f"logs: {shown(path.name)!r} is a link; put the logs there."
    # of a name that is too long, unlike Path.exists
    there = os.path.exists(place / logs)
    if sheet.sealed is not None and there:
        state = f"its SHA-256 is {digest(place / logs)}" if os.path.isfile(place / logs) else "it is a folder"
        if not state.endswith(sheet.sealed.lower()):
            return f"sealed: {shown(logs)} is not the file that was sealed; {state}."
    elif sheet.sealed is None and not there:
        return f"logs: there is no file or folder {shown(logs)!r} beside the sheet; add it, or correct the name."
    return None


def size_and_links(entry: Entry) -> tuple[int, list[str]]:
    """Return the bytes of the folder of an entry, and the links and special files in it, by their paths in it."""
    every = [path for path in entry.folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    plain = {path for path in every if path.is_file() and not path.is_symlink()}
    odd = [path.relative_to(entry.folder).as_posix() for path in every if path not in plain]
    return sum(path.stat().st_size for path in plain), sorted(odd, key=natural_key)


def all_of(
    folder: Path, first: Collection[str] = (), inside: bool = False, out: Collection[str] = (), last: str | None = None
) -> tuple[list[Entry], dict[str, str]]:
    """Return every entry, and by folder what is wrong with others: a sheet that cannot be taken, a name that is taken.

    Who is among the `first` keeps the name, and who is `last`, being asked about, takes nobody's; who is among `out` is not
    looked at.
    """
    entries: list[Entry] = []
    mistakes = {}
    keys = {one.name for one in folder.iterdir() if not one.name.startswith(".") and (one.is_symlink() or one.is_dir())}
    for key in sorted(keys - set(out), key=lambda key: (key == last, key not in first, natural_key(key))):
        try:
            entry = read(folder, key, inside)
        except UserError as error:
            mistakes[key] = str(error)
            continue
        # by either they could be taken for each other
        alike = (one for one in entries if one.key.lower() == key.lower() or folded(one.sheet.name) == folded(entry.sheet.name))
        if other := next(alike, None):
            one, two = entry.sheet.name, other.sheet.name
            unlike = sorted({c for c in one + two if not c.isascii()})
            letters = listed_words([f"{c} is {unicodedata.name(c, hex(ord(c)))}" for c in unlike], limit=4)
            mistakes[key] = (
                f"{shown(entry.key)} and {shown(other.key)}: the entries are called {shown(one)!r} and {shown(two)!r}, which are "
                f"the same or nearly so{f' ({letters})' if unlike else ''}; give one of them another name."
            )
        else:
            entries.append(entry)
    return sorted(entries, key=lambda entry: natural_key(entry.key)), mistakes


def left_aside() -> dict[str, dict[str, str]]:
    """Return why entries are left aside, by study and folder, as the environment says."""
    return dict(json.loads(os.environ.get(SET_ASIDE, "{}")))


def leave_aside(study: str, why: Mapping[str, str]) -> None:
    """Leave entries of a study aside, and all other competitions, here and in all that is started from here."""
    os.environ[SET_ASIDE] = json.dumps({study: dict(why)})


def folded(name: str) -> str:
    """Return a name without what does not tell names apart: lookalikes, case, blanks, dashes."""
    return re.sub(r"[\s_-]+", "", skeleton(unicodedata.normalize("NFKC", skeleton(name)).casefold())).translate(_DIGITS)


def competitions(content: Any, where: str) -> dict[str, Options]:
    """Return the rules of every competition of a configuration, by study.

    Raises
    ------
    UserError
        The rules of one are none.
    """
    studies = content.get("studies") if isinstance(content, Mapping) else None
    return {
        str(name): _made(Options, study["competition"], f"{where}: studies.{name}.competition")
        for name, study in (studies.items() if isinstance(studies, Mapping) else ())
        if isinstance(study, Mapping) and study.get("competition") is not None
    }


def with_shown(rules: Options, folders: Sequence[Path]) -> Options:
    """Return the rules with the hidden problems among the others, once their list is there.

    Raises
    ------
    UserError
        It is another list than the rules have the digest of, they name no problem, or it is shown only after the deadline.
    """
    if rules.hidden is None:
        return rules
    if rules.problems is None:
        raise UserError("competition.hidden: it adds problems to `problems`; give these too.")
    if rules.deadline is not None and end_of(rules.deadline) <= end_of(rules.hidden["until"]):
        raise UserError(
            f"competition.hidden.until: {rules.hidden['until']} is not before the deadline {rules.deadline}, after which no "
            "entry can have runs on them; write an earlier day."
        )
    for file in existing(rules.hidden["file"], folders)[:1]:
        if (sha256 := digest(file)) != rules.hidden["sha256"].lower():
            raise UserError(f"{file}: it is not the list of hidden problems that was announced; its SHA-256 is {sha256}.")
        return replace(
            rules,
            hidden=None,
            problems=tuple(
                dict.fromkeys(
                    [*rules.problems, *(line.split()[-1] for line in yaml_text.text_of(file).splitlines() if line.strip())]
                )
            ),
        )
    return rules


def enter(studies: Written, own: Mapping[str, Written], folders: Sequence[Path], mistakes: list[str]) -> None:
    """Take the entries of competitions into their studies; where entries of some are left aside, no others are planned."""
    planned = left_aside()
    for name, study in own.items():
        if planned and name not in planned:
            del studies[name]
        else:
            _enter(study, f"studies.{name}", folders, mistakes)


def _enter(study: Written, key: str, folders: Sequence[Path], mistakes: list[str]) -> None:
    """Take entries into a study as it is written, in place: as sources, and as those that do not compete."""
    try:
        rules = _made(Options, study["competition"], key)
    except UserError:
        return  # the schema says what is wrong with them
    rules = with_shown(rules, folders)
    _count_what_is_missing(study, rules, key, mistakes)
    if rules.time_limit and isinstance(study.setdefault("primary", {}), dict):
        study["primary"] = {**study["primary"], "limit": study["primary"].get("limit") or rules.time_limit}
    folder = folder_of(rules.entries, folders)
    if folder is None:
        mistakes.append(f"{key}.competition.entries: there is no folder {rules.entries!r}; give the path of a folder of entries.")
        return
    name = key.removeprefix("studies.")
    out = left_aside().get(name, {})
    every, unfit = all_of(folder, inside=rules.inside, out=out)
    entered = [entry for entry in every if entry.takes_part(name)]
    taken = [entry for entry in entered if not entry.away]
    given = study.get("sources") or []
    none_yet = f"there is no entry in {rules.entries!r} yet; the first one begins the competition."
    told_of = [*unfit.values(), *wrong((not taken and not given, none_yet))]
    mistakes += [f"{key}.competition.entries: {mistake}" for mistake in told_of]
    study["sources"] = [*(given if isinstance(given, list) else [given]), *(entry.source(rules) for entry in taken)]
    aside = [entry.sheet.name for entry in taken if entry.sheet.not_competing or entry.key in rules.disqualified]
    others = study.get("not_competing") or []
    if aside and isinstance(others, list):
        study["not_competing"] = list(dict.fromkeys([*others, *aside]))
    if isinstance(study.get("claims"), list):
        gone = {entry.sheet.name for entry in entered if entry.away} | set(aside)
        gone |= {entry.sheet.name for entry in all_of(folder, inside=True)[0] if entry.key in out}
        study["claims"] = [text for text in study["claims"] if not _is_about(text, gone)]


def _count_what_is_missing(study: Written, rules: Options, key: str, mistakes: list[str]) -> None:
    """Let missing runs count against an entry, unless the rules name the problems."""
    measures = study.get("measures")
    measures = measures if isinstance(measures, Mapping) else {"ert": {"kind": RUNNING_TIMES}}
    study["measures"] = {
        name: {**own, "missing": own.get("missing") or "failure"} if isinstance(own, Mapping) else own
        for name, own in measures.items()
    }
    mistakes += [
        f"{key}.measures.{name}.missing: found common, by which an entry takes from all what it has no runs on; leave it "
        f"out (that is a failure of its own), or say in {key}.competition.problems what every entry must have."
        for name, own in study["measures"].items()
        if isinstance(own, Mapping) and own["missing"] == "common" and not rules.problems
    ]


def _is_about(claim: Any, names: Collection[str]) -> bool:
    try:
        parsed = claims.parsed(claim, "") if isinstance(claim, str) else None
    except UserError:
        return False
    return parsed is not None and bool({parsed.algorithm, parsed.other} & set(names))
