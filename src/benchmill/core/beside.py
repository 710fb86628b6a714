"""Read the data that a module keeps in a file of its own name beside it."""

import tomllib
from pathlib import Path
from typing import Any


def toml(module: str) -> dict[str, Any]:
    """Return what the TOML file beside a module says."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
