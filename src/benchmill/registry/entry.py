"""Entries are in the modules that they describe; a registry lists these modules, and imports them on request."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from benchmill.core import Names as Names
from benchmill.core import UserError, beside, frozen
from benchmill.core import record as record


@frozen
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
    references: Names = ()
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
        """Return what texts cite after its words."""
        return "".join(f" [{key}]" for key in self.references)

    def load(self) -> ModuleType:
        """Import the module that does the work."""
        return importlib.import_module(self.module)


#: A function that an entry names, whatever it takes.
Function = Callable[..., Any]
EntryT = TypeVar("EntryT", bound=Entry)


class Registry(Mapping[str, EntryT]):
    """The entries of one kind, by name: those of its modules, then those of the packages of others.

    Attributes
    ----------
    modules : tuple of str
        Each has a tuple `ENTRIES`, of which the registry takes what is of its kind.
    group : str
        The group of entry points by which an installed package names such modules of its own.
    """

    def __init__(self, kind: type[EntryT], group: str, *modules: str) -> None:
        self._kind, self.group, self.modules = kind, group, modules

    @cached_property
    def entries(self) -> dict[str, EntryT]:
        """Return all entries; this imports their modules.

        Raises
        ------
        UserError
            Two have one name.
        """
        entries: dict[str, EntryT] = {}
        for module in (*self.modules, *installed(self.group)):
            for entry in self._of(module):
                if entry.name in entries:
                    raise UserError(
                        f"{module}: its entry {entry.name!r} is called as that of {entries[entry.name].module}; rename it, or "
                        "uninstall the package that brings it."
                    )
                entries[entry.name] = entry
        return entries

    def _of(self, module: str) -> list[EntryT]:
        return [
            replace(entry, module=entry.module or module)
            for entry in importlib.import_module(module).ENTRIES
            if type(entry) is self._kind
        ]

    def __getitem__(self, name: str) -> EntryT:
        return self.entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def installed(group: str) -> Names:
    """Return the modules that installed packages name in a group of entry points, by the names that they give them."""
    return tuple(point.value for point in sorted(points().select(group=group), key=lambda point: point.name))


#: Every look reads the names of all packages that are installed.
points = cache(entry_points)


def described(module: str, kind: Callable[..., EntryT], **functions: Any) -> list[EntryT]:
    """Return the entries of a module with these functions, by name, and what the TOML file beside it says of each."""
    return [
        kind(name=name, function=functions[name], **beside.fixed(facts))
        for name, facts in beside.toml(module).items()
        if name in functions
    ]


def asked(registry: Mapping[str, EntryT]) -> dict[str, EntryT]:
    """Return the entries of a registry that studies ask for by name."""
    return {name: entry for name, entry in registry.items() if entry.asked}
