"""The irregularities that a report on a source can name: by module in a file beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class Rule:
    """A named irregularity: what becomes of it, and in one sentence what it is and what is done.

    It is doubtful where only the owner of the data can know how they are to be read, and has not said so.
    """

    outcome: Literal["repaired", "noted", "refused"]
    meaning: str
    doubtful: bool = False


@cache
def _all() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def rules(module: str) -> dict[str, Rule]:
    """Return the rules of a module of readers, by name."""
    return {name: Rule(**said) for name, said in _all()[module].items()}
