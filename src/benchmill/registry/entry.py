"""Declarations that every entry of a registry has."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar, TypeVar


@dataclass(frozen=True)
class Entry:
    """One thing of a registry.

    Attributes
    ----------
    module : str
        Dotted path of the module that does the work; by default that of its name in the room of the registry.
    references : tuple of str
        Where it was published: keys of `benchmill.registry.bibliography.REFERENCES`.
    note : str
        What to know before choosing it, as the end of a sentence.
    asked : bool
        Whether studies ask for it by its name.
    """

    #: The package of the modules that are called as their entries are.
    room: ClassVar[str] = ""

    name: str
    words: str
    module: str = ""
    references: tuple[str, ...] = ()
    note: str = ""
    asked: bool = True

    def __post_init__(self) -> None:
        if self.room and not self.module:
            object.__setattr__(self, "module", f"{self.room}.{self.name}")

    @property
    def said(self) -> str:
        """Return its words with its note: what a page says of it."""
        return ", ".join(part for part in (self.words, self.note) if part)

    @property
    def citation(self) -> str:
        """Return what texts cite behind its words."""
        return "".join(f" [{key}]" for key in self.references)

    def load(self) -> ModuleType:
        """Import the module that does the work."""
        return importlib.import_module(self.module)


EntryT = TypeVar("EntryT", bound=Entry)


def asked(registry: Mapping[str, EntryT]) -> dict[str, EntryT]:
    """Return the entries of a registry that studies ask for by name."""
    return {name: entry for name, entry in registry.items() if entry.asked}
