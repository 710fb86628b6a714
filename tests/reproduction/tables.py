"""The tables of the source papers as they ship in data/paper-tables."""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "paper-tables"


def paper_table(name: str) -> list[dict[str, str]]:
    """Rows of one file, as printed."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
