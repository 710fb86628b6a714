"""The manifest of a deposit: `ro-crate-metadata.json`, as RO-Crate 1.2 wants it."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from benchmill.archives.listings import digest, safe_path, size
from benchmill.core import Given, UserError, Written, beside
from benchmill.text import prose

NAME = "ro-crate-metadata.json"

_LARGEST = 2**26

#: Kinds of file: what the study is made of, and what is made of it.
MADE_OF, RESULT = "object", "result"

_MEDIA_TYPES: dict[str, str] = beside.toml(__file__)["media_types"]


#: Versions of programs and libraries by name.
Versions = Mapping[str, str]


@dataclass(frozen=True)
class Piece:
    """A file of a deposit.

    Attributes
    ----------
    role : str or None
        `MADE_OF`, `RESULT`, or None for what only explains the others.
    here : bool
        Whether the folder has it; else it is fetched from `url`.
    """

    path: str
    sha256: str
    bytes: int
    role: str | None = None
    meaning: str | None = None
    here: bool = True
    url: str | None = None
    licence: str | None = None
    citation: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Manifest:
    """Pieces, and the versions of the programs and libraries that made the results."""

    pieces: tuple[Piece, ...]
    versions: dict[str, str]


def written(words: Given, pieces: Iterable[Piece], versions: Versions) -> str:
    """Return the manifest as JSON."""
    people: dict[str, Written] = {}
    authors = []
    for author in words["authors"]:
        at = f"https://orcid.org/{author['orcid']}" if author.get("orcid") else f"#{quote(author['name'], safe='')}"
        people[at] = {"@id": at, "@type": "Person", "name": author["name"]}
        if place := author.get("affiliation"):
            where = {"@id": f"#at-{quote(place, safe='')}"}
            people[where["@id"]] = {**where, "@type": "Organization", "name": place}
            people[at]["affiliation"] = where
        authors.append({"@id": at})
    licence = str(words["licence"])
    text = prose.whole(
        __file__,
        manifest=NAME,
        words=words,
        people=[json.dumps(one) for one in people.values()],
        authors=authors,
        licence_at=licence if "://" in licence else f"https://spdx.org/licenses/{licence}",
        files=[(piece.role, {"@id": _id(piece)}, json.dumps(_file(piece))) for piece in pieces],
        programs=[({"@id": f"#{quote(name, safe='')}"}, name, version) for name, version in versions.items()],
    )
    return json.dumps(json.loads(text), indent=1) + "\n"


def _id(piece: Piece) -> str:
    return piece.url or ("" if piece.here else "#") + quote(os.fsencode(piece.path), safe="/")


def _file(piece: Piece) -> Written:
    entity = {
        "@id": _id(piece),
        "@type": "File",
        "name": piece.name or Path(os.fsencode(piece.path).decode("utf-8", "replace")).name,
        "description": piece.meaning,
        "encodingFormat": _MEDIA_TYPES.get(Path(piece.path).suffix),
        "contentSize": str(piece.bytes),
        "sha256": piece.sha256,
        "localPath": None if piece.here else quote(os.fsencode(piece.path), safe="/"),
        "license": piece.licence,
        "creditText": piece.citation,
    }
    return {key: value for key, value in entity.items() if value is not None}


def read(folder: Path) -> Manifest:
    """Return the manifest of a deposit, which may come from anyone.

    Raises
    ------
    UserError
        The folder has none, it is none, or it names a file outside of the folder.
    """
    path = folder / NAME
    if folder.is_file():
        raise UserError(f"{folder}: found a file, expected the folder of a deposit; unpack it, and give the folder.")
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError("it is too large")
        graph = json.loads(path.read_text("utf-8"))["@graph"]
        by_id = {one["@id"]: one for one in graph}
        roles = {one["@id"]: role for role in (MADE_OF, RESULT) for one in by_id["#run"][role]}
        pieces = tuple(_piece(one, roles.get(one["@id"])) for one in graph if one["@type"] == "File")
        listed = [*roles, *(one["@id"] for one in by_id.get("./", {}).get("hasPart", ()))]
        if unknown := [one for one in listed if by_id.get(one, {}).get("@type") != "File"]:
            raise ValueError(f"it lists {unknown[0]!r} and says nothing of it")
        versions = {str(one["name"]): str(one["version"]) for one in graph if one["@type"] == "SoftwareApplication"}
    except FileNotFoundError:
        raise UserError(f"{folder}: found no {NAME}, expected a folder that `benchmill pack --archive` has written.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        what = " ".join(f"{error}".split())[:200]
        raise UserError(f"{path}: it is not the manifest of a deposit of benchmill ({what}); get the deposit again.") from None
    (place, times), *_ = [*Counter(piece.path for piece in pieces).most_common(1), ("", 0)]
    if times > 1:
        raise UserError(f"{path}: it names {place} twice; get the deposit again.")
    return Manifest(pieces, versions)


def _piece(entity: Given, role: str | None) -> Piece:
    """Return a File of a manifest.

    Raises
    ------
    ValueError
        Its path leads elsewhere, or its digest or size is none.
    """
    here = "localPath" not in entity
    where = entity["@id"] if here else entity["localPath"]
    place = safe_path(os.fsdecode(unquote_to_bytes(where)))
    if place.split("/")[0] == ".snakemake":
        raise ValueError(f"{place!r} is Snakemake's own")
    url = None if here or entity["@id"].startswith("#") else str(entity["@id"])
    return Piece(
        place,
        digest("sha256", entity["sha256"], 64).value,
        size(int(entity["contentSize"])),
        role,
        here=here,
        url=url,
        name=str(entity["name"]) if "name" in entity else None,
    )
