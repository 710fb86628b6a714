"""The common part of all commands: how one is declared, exit codes, and how far a read has come."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from benchmill.core import beside, shown

CLEAN, REPAIRED, REFUSED, INTERRUPTED = 0, 1, 2, 130
#: Types of values as the TOML files name them.
_TYPES = {"int": int, "float": float}


Run = Callable[[argparse.Namespace], int]


@dataclass(frozen=True)
class Command:
    """A command, with its arguments and the texts of its help."""

    name: str
    arguments: tuple[Any, ...]
    texts: dict[str, Any]
    run: Run


def declared(module: str, name: str, **words: str) -> Callable[[Run], Command]:
    """Declare a command, which the TOML file beside a module tells, at the function that runs it; `words` fill its gaps."""
    told = beside.toml(module)
    texts, shared = told[name], {**beside.toml(__file__), **told.get("shared", {})}
    arguments = tuple(_argument(names, own or shared[names]) for names, own in texts.pop("arguments").items())
    return lambda run: Command(name, arguments, {**texts, "description": texts["description"].format(**words)}, run)


def _argument(names: str, told: Any) -> tuple[list[str], dict[str, Any]]:
    """Return an argument as argparse takes it, from its names with the word for its value; an option without one is a switch."""
    words, settings = names.split(), {"help": told} if isinstance(told, str) else told
    options = [word for word in words if word.startswith("-")]
    value = {"action": "store_true"} if words == options else {"metavar": words[-1]}
    kind = {"type": _TYPES[settings["type"]]} if "type" in settings else {}
    return options or words[:1], {**value, **settings, **kind}


def size_of(count: int) -> str:
    """Return a number of bytes in words."""
    power = min((len(str(count)) - 1) // 3, 3)
    return f"{count / 1000**power:.1f} {('kB', 'MB', 'GB')[power - 1]}" if power else f"{count} bytes"


class Progress(AbstractContextManager["Progress"]):
    """How far something has come, shown on a terminal once it takes more than two seconds; counts in these words, or bytes."""

    def __init__(self, path: str, words: Callable[[int], str] = size_of) -> None:
        self._path, self._words = os.path.basename(os.path.normpath(path)), words
        self._next = time.monotonic() + 2
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show it."""
        if not self._terminal or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.5
        self._shown = True
        print(f"\r{shown(self._path)}: {self._words(done)} of {self._words(total)}\033[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def __exit__(self, *_: object) -> None:
        self.clear()
