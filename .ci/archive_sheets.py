"""Write the lists of archives that the package carries from the archives' own: `python .ci/archive_sheets.py bbob=FILE …`.

FILE is the `coco_archive_definition.txt` of the suite, as its archive gives it; without one (`bbob`) it is asked for there.
Nothing in a list is typed by hand: `tests/archives/test_sheets.py` compares digests with archives that are here.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmill.archives import listings, transfer
from benchmill.archives.listings import parsed
from benchmill.core.whole_file import write_text

FOLDER = Path(__file__).parents[1] / "src/benchmill/archives/sheets/coco"


def written(listed: tuple[listings.Entry, ...]) -> str:
    """Return a list in the same notation, one file a line in the order of their paths, as the package carries it."""
    lines = []
    for file in sorted((entry.files[0] for entry in listed), key=lambda file: file.path):
        stated = None if file.digest is None else file.digest.value
        thousands = None if file.smallest is None else file.smallest // 1000
        lines.append(f"{(file.path, stated, thousands)!r},\n")
    return f"[\n{''.join(lines)}]\n"


def sheet(suite: str, text: str) -> str:
    """The list of a suite as the package carries it."""
    return written(listings.entries(parsed(f"coco:{suite}"), text))


def main(arguments: list[str]) -> None:
    """Write the lists that are named."""
    for argument in arguments:
        suite, _, path = argument.partition("=")
        where = listings.address(parsed(f"coco:{suite}"))
        text = Path(path).read_text("utf-8") if path else transfer.text(where.url, transfer.Route(where.hosts), 50_000_000)
        write_text(FOLDER / f"{suite}.txt", sheet(suite, text))


if __name__ == "__main__":
    main(sys.argv[1:])
