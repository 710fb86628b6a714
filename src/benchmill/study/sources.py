"""The sources of a study: what their paths, patterns and sheets name, from a look at the files."""

import contextlib
import glob
import itertools
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmill.archives.listings import is_name
from benchmill.core import Given, Names, UserError, Written, frozen, natural_key
from benchmill.readers.selection import OfStudy
from benchmill.registry.bibliography import REFERENCES
from benchmill.study import algorithms, elsewhere, yaml_text
from benchmill.study.validation import At, filled, kind_of, mistakes_of
from benchmill.text import bibliography, labels

#: Options of a source that are the path of another file.
FILES_BESIDE = ("best_known", "lookup", "reference_set")

#: Keys of a source that are no options of its reader.
_OF_ALL_FORMATS = ("path", "parts", "name", "format", "sha256", "size_mb", "most_mb", "citation")


#: A source that an entry names: its paths, an entry of its own, the address that it is fetched from, and why it cannot be read.
Found = tuple[tuple[Path, ...], Written, str | None, str | None]
#: From a path and a format to what a first look tells.
Look = Callable[[Path, str | None], Any]


@frozen
class Source:
    """One log folder, archive or table of a study.

    Attributes
    ----------
    paths : tuple of pathlib.Path
        As they can be opened from the working directory: one, or those of its parts.
    entry : dict
        As `sources:` says it, or would say it of one that a pattern names.
    algorithms : tuple of str
        Those that a first look shows; not necessarily all.
    options : dict
        What is passed to the reader.
    url : str or None
        Where it is fetched from; its path is then where the download is kept.
    broken : str or None
        Why it cannot be read, as far as a first look tells; its job fails with that.
    """

    name: str
    paths: tuple[Path, ...]
    entry: Written
    format: str
    options: Written
    algorithms: Names = ()
    url: str | None = None
    sha256: str | None = None
    size_mb: float | None = None
    citation: str | None = None
    broken: str | None = None

    @property
    def says(self) -> set[str]:
        """Return the options that its entry has, and the columns that it names."""
        return {*self.options, *self.options.get("columns", ())}

    @property
    def shown(self) -> str:
        """Its path or the paths of its parts as the configuration gives them."""
        return ", ".join(self.entry.get("parts") or [self.entry["path"]])

    @property
    def is_folder(self) -> bool:
        """True if it is a folder, or has a part that is one."""
        return any(path.is_dir() for path in self.paths)


def is_sheet(path: str) -> bool:
    """Return True if the path of an entry is that of a sheet of sources."""
    return path.lower().endswith((".yaml", ".yml")) and not elsewhere.is_far(path)


def sheet(entry: Any, at: At) -> list[Any]:
    """Return the entries of a sources sheet, or the entry itself if it is not a readable sheet."""
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or not is_sheet(path):
        return [entry]
    try:
        file, entries = _in_sheet(path, at.folders)
    except UserError:
        return [entry]
    folder = Path(path).parent
    # the working directory, the last place where paths are looked up, is none of the study's
    own = [os.path.realpath(place) for place in (file.parent, *(at.folders[:-1] or at.folders))]
    result = []
    for number, item in enumerate(entries, 1):
        item = {"path": item} if isinstance(item, str) else item
        own_entry = item if isinstance(item, dict) else {}
        # what stands in a sheet is seen from the sheet
        beside: Written = {
            name: str(folder / own_entry[name])
            for name in ("path", *FILES_BESIDE)
            if isinstance(own_entry.get(name), str) and not elsewhere.is_far(own_entry[name])
        }
        if isinstance(own_entry.get("parts"), list):
            beside["parts"] = [str(folder / part) if isinstance(part, str) else part for part in own_entry["parts"]]
        named = {name: [path] if isinstance(path, str) else path for name, path in beside.items()}
        outside = [
            name
            for name, paths in named.items()
            if not all(_inside(existing(path, at.folders), own) for path in paths if isinstance(path, str))
        ]
        at.add(
            f": entry {number} of the sources sheet {path!r}: {name} {own_entry[name]!r} is outside of the folders of the sheet "
            "and of the configuration; move it there, or list the source in the configuration itself."
            for name in outside
        )
        result += [] if outside else [{**own_entry, **beside} if isinstance(item, dict) else item]
    return result


def _in_sheet(path: str, folders: Sequence[Path]) -> tuple[Path, list[Any]]:
    files = existing(path, folders)
    if not files:
        raise UserError(f"there is no sources sheet {path!r}; give the path of a YAML file that lists sources.")
    try:
        content = yaml_text.read(files[0].read_text(encoding="utf-8"), f"the sources sheet {path!r}")
    except (UnicodeDecodeError, OSError) as error:
        raise UserError(f"the sources sheet {path!r} cannot be read as text ({' '.join(str(error).split())}).") from None
    entries = content.get("sources") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        raise UserError(f"the sources sheet {path!r} holds {kind_of(content)}, expected a list of sources.")
    return files[0], entries


def existing(path: str, folders: Sequence[Path]) -> list[Path]:
    """Return what a path or glob names, from the first folder in which it names any, however accents are composed."""
    forms = [path] if path.isascii() else [path, unicodedata.normalize("NFD", path)]
    for folder, path in itertools.product(folders, forms):
        full = os.path.join(folder, os.path.expanduser(path))
        matches = [full] if os.path.exists(full) else sorted(glob.glob(full, recursive=True), key=natural_key)
        if seen := [match for match in matches if match == full or not os.path.basename(match.rstrip("/")).startswith(".")]:
            return [Path(match if os.path.isabs(path) else os.path.relpath(match)) for match in seen]
    return []


def _inside(paths: Iterable[Path], folders: Sequence[str]) -> bool:
    return all(any(os.path.commonpath([path, folder]) == folder for folder in folders) for path in map(os.path.realpath, paths))


def sources_of(
    entries: Sequence[Given], at: At, look: Look, options_of: Callable[[str], Given], taken: OfStudy
) -> tuple[Source, ...]:
    """Return the sources that entries name, each looked at, with the algorithms that the study takes by its names.

    A source that cannot be read is `broken`.
    """
    sources: list[Source] = []
    # what an entry names by itself is not taken a second time where a pattern names it too
    by_itself = {
        path.resolve()
        for entry in entries
        for named in entry.get("parts") or [entry.get("path")]
        if named and ("parts" in entry or not (glob.has_magic(named) or elsewhere.is_far(named)))
        for path in existing(named, at.folders)
    }
    names = {name for entry in entries for name in _single(entry.get("path") or "")}
    for number, entry in enumerate(entries, 1):
        own = at[number]
        if ("path" in entry) == ("parts" in entry):
            what = "found both `path` and `parts`" if "path" in entry else "is missing"
            own.add([f".path: {what}; {own.key} needs `path`, or `parts` for several that are one source."])
            continue
        groups = (
            _parts(entry, own)
            if "parts" in entry
            else _named(entry, own, names)
            if is_name(entry["path"])
            else _paths(entry, own, by_itself)
        )
        if "name" in entry and len(groups) > 1:
            own.add([f".name: {entry['name']!r} would name {len(groups)} sources; name each in an entry of its own."])
            continue
        for one in groups:
            source = _source(one, own, look, options_of)
            if other := next((s for s in sources if s.name.lower() == source.name.lower()), None):
                both = f"{source.shown!r} and {other.shown!r}"
                own.add([f": {both} both have the source name {source.name!r}; give one of them another `name:`."])
                continue
            sources.append(replace(source, algorithms=tuple(map(taken.called, filter(taken.takes, source.algorithms)))))
    at.add(
        f": {message}"
        for message in algorithms.clashes([algorithms.Holding(s.name, s.entry, s.format, s.algorithms) for s in sources])
    )
    return tuple(sources)


def _paths(entry: Given, at: At, by_itself: set[Path]) -> list[Found]:
    named, advice = entry["path"], "give a path relative to the configuration or absolute."
    if elsewhere.is_far(named):
        return _download(entry, named, at)
    if is_sheet(named):
        try:
            _in_sheet(named, at.folders)
        except UserError as error:
            return [_broken(entry, at, error)]
    paths = existing(named, at.folders)
    if not glob.has_magic(named):
        absent = f"there is no file or folder {named!r}; {advice}"
        return [((path,), dict(entry), None, None) for path in paths] or [_broken(entry, at, absent)]
    # a pattern without a match names no source
    at.tell((not paths, f".path: no file or folder matches {named!r}; {advice}"))
    return [
        ((path,), {**entry, "path": str(Path(named).parent / path.name)}, None, None)
        for path in paths
        if path.resolve() not in by_itself
    ]


def _broken(entry: Given, at: At, why: object) -> Found:
    return (Path(entry["path"]),), dict(entry), None, f"{at.key}.path: {why}"


def _single(name: str) -> list[str]:
    if is_name(name) and not glob.has_magic(name):
        with contextlib.suppress(UserError):
            return [entry["path"] for entry, _ in elsewhere.entries(name)]
    return []


def _named(entry: Given, at: At, by_itself: set[str]) -> list[Found]:
    try:
        listed = elsewhere.entries(entry["path"])
    except UserError as error:
        return [_broken(entry, at, error)]
    alone = by_itself if glob.has_magic(entry["path"]) else set()
    chosen = [
        ({**listed_entry, **entry, "path": listed_entry["path"]}, url)
        for listed_entry, url in listed
        if listed_entry["path"] not in alone
    ]
    return [one for own, url in chosen for one in _download(own, url, at)]


def _parts(entry: Given, at: At) -> list[Found]:
    paths: dict[Path, Path] = {}
    missing = None
    for number, part in enumerate(entry["parts"], 1):
        own, far = at["parts"][number], elsewhere.is_far(part)
        what = "name" if is_name(part) else "URL"
        own.tell((far, f": found the {what} {part!r}, expected a path; fetch it and give the file's path."))
        more = [] if far else existing(part, at.folders)
        if not more and not far:
            why = f"{own.key}: no file or folder matches {part!r}; give paths relative to the configuration or absolute."
            missing, more = missing or why, [Path(part)]
        twice = [path for path in more if path.resolve() in paths]
        own.add(f": {str(path)!r} is among the parts already; list each part once." for path in twice)
        paths |= {path.resolve(): path for path in more if path not in twice}
    at.tell(("sha256" in entry, ".sha256: a source of parts has none; leave it out."))
    return [(tuple(paths.values()), dict(entry), None, missing)] if paths else []


def _download(entry: Given, url: str, at: At) -> list[Found]:
    if "format" not in entry:
        at.add([".format: is missing; a source is planned before it is fetched, so name its format (such as coco)."])
        return []
    fetched: list[Found] = []
    with at["path"].told():
        fetched.append(((elsewhere.place(url, entry.get("sha256")),), dict(entry), url, None))
    return fetched


def _source(named: Found, at: At, look: Look, options_of: Callable[[str], Given]) -> Source:
    paths, entry, url, broken = named
    name = labels.file_name(entry.get("name") or labels.stem(paths[0].name))
    try:
        # what is not here yet is taken at its entry's word
        looks = [look(path, entry.get("format")) for path in paths if not broken and (url is None or path.exists())]
        format = looks[0].format if looks else str(entry.get("format", ""))
        allowed = options_of(format) if not broken else {}
    except UserError as error:
        broken = f"{at.key}: {error}"
    except OSError as error:
        file = error.filename or paths[0]
        broken = f"{at.key}: {file} cannot be read ({error.strerror}); look at it, or leave the source out."
    if broken:
        return Source(name, paths, entry, "", {}, broken=broken)
    at.add(
        f".parts: the format of {path.name!r} is {other.format!r}, that of {paths[0].name!r} {format!r}, and all parts of a "
        "source have one; give them as sources of their own."
        for path, other in zip(paths, looks, strict=False)
        if other.format != format
    )
    options = {key: filled(value, allowed.get(key, {})) for key, value in entry.items() if key not in _OF_ALL_FORMATS}
    schema = {"type": "object", "additionalProperties": False, "properties": dict(allowed)}
    # what a row may state
    of_rows = allowed.get("constants", {}).get("propertyNames", {}).get("enum", [])
    for message in mistakes_of(options, schema):
        key, _, unknown = message.partition(": unknown key")
        words = f"{key}: unknown key of the format {format!r}{unknown}" if unknown else message
        if unknown and key in of_rows:
            words = (
                f"{key}: no key of the format {format!r}, but a column; name it in `columns` ({{{key}: ...}}), or, where it is "
                f"the same in all rows, write `constants: {{{key}: {options[key]}}}`."
            )
        at.add([f".{words.removeprefix(f'{at.key}.')}"])
    at.tell(
        (
            entry.get("sha256") and paths[0].is_dir(),
            f".sha256: {entry.get('path')!r} is a folder, and only a file has a sha256; leave it out.",
        )
    )
    for option, beside in [(name, options[name]) for name in FILES_BESIDE if isinstance(options.get(name), str)]:
        files = existing(beside, at.folders)
        if len(files) == 1 and files[0].is_file():
            options[option] = str(files[0])
        elif broken is None:
            broken = f"{at.key}.{option}: there is no file {beside!r}; give a path relative to the configuration or absolute."
    in_logs = dict.fromkeys(name for look_at in looks for name in look_at.algorithms)
    called = options.get("algorithm")
    new = {old: name for old, name in called.items() if isinstance(name, str)} if isinstance(called, Mapping) else {}
    if citation := entry.get("citation"):
        with at["citation"].told():
            own = [key for key in bibliography.given(citation, "") if key == "benchmill" or key in REFERENCES]
            at.add(f".citation: the key {key!r} is that of an entry that benchmill writes; choose another key." for key in own)
    return Source(
        name,
        paths,
        # how data are cited does not change what is read
        {key: value for key, value in entry.items() if key != "citation"},
        format,
        options,
        tuple(dict.fromkeys([called] if isinstance(called, str) else [new.get(name, name) for name in in_logs])),
        url,
        entry.get("sha256"),
        entry.get("size_mb"),
        citation,
        broken,
    )
