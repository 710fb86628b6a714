"""Data that stand beside the module that they are of, in a file of its name."""

import tomllib
from pathlib import Path
from typing import Any


def toml(module: str) -> dict[str, Any]:
    """Return what the TOML file beside a module says."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
