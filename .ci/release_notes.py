"""Print the newest version's part of CHANGELOG.md: the text of its release."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parents[1]


def notes() -> str:
    """What stands below the heading of the newest version, up to the next one."""
    parts = re.split(r"^## \[(.*?)\].*\n", (HERE / "CHANGELOG.md").read_text("utf-8"), flags=re.M)
    return next(text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name != "Unreleased").strip()


if __name__ == "__main__":
    print(notes())
