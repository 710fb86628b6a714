"""Records of Zenodo, as its REST API gives them: `files` with name, size and MD5, `metadata` with licence and authors."""

import json
from urllib.parse import quote

from benchmill.archives.listings import Address, Entries, Entry, File, Name, digest, plain, safe_path, size
from benchmill.registry.archives import Archive

ENTRIES = (
    Archive(
        "zenodo",
        "a record of Zenodo",
        form="zenodo:RECORD/FILE",
        patterns=(r"(?P<archive>[0-9]+)(?:/(?P<wanted>(?s:.*)))?",),
    ),
)
_HOST = "zenodo.org"


def address(name: Name) -> Address:
    """Return where a record is."""
    return Address(f"https://{_HOST}/api/records/{name.archive}", frozenset([_HOST]))


def entries(name: Name, text: str) -> Entries:
    """Return the files of a record."""
    record = json.loads(text)
    metadata = record["metadata"]
    licence = metadata.get("license")
    licence = plain(licence.get("id") if isinstance(licence, dict) else licence) or None
    date, title = plain(metadata.get("publication_date")), plain(metadata.get("title"))
    doi = plain(metadata.get("doi") or record.get("doi"))
    parts = [
        "; ".join(filter(None, (plain(one.get("name")) for one in metadata.get("creators", [])))),
        f"({date[:4]})" if date else "",
        f"{title}." if title else "",
        "Zenodo.",
        f"https://doi.org/{doi}" if doi else "",
    ]
    citation = " ".join(part for part in parts if part)
    listed = []
    for item in record["files"]:
        path = safe_path(item["key"])
        kind, _, value = item["checksum"].rpartition(":")
        if kind not in ("md5", ""):
            raise ValueError(f"{path!r} has a checksum of the kind {kind!r}")
        url = f"https://{_HOST}/records/{name.archive}/files/{quote(path)}?download=1"
        file = File(path, url, digest("md5", value, 32), size(item["size"]), size(item["size"]))
        listed.append(Entry(name.of(path), path, (file,), licence=licence, citation=citation))
    return tuple(listed)
