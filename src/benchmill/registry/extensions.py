"""Additions to a study by a removable room: a key of its own, and what this key lets into the study."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from benchmill.core import Written
from benchmill.core.options import properties

#: By the key of a study, the room that brings it; its module `entries` has `Options` and `enter`.
_ROOMS = {"competition": "benchmill.competition"}


def properties_of(key: str) -> Written:
    """Return the JSON schema of what the key may say; nothing where its room is not there."""
    return properties(import_module(f"{_ROOMS[key]}.entries").Options) if find_spec(_ROOMS[key]) else {}


def enter(studies: Written, folders: Sequence[Path], mistakes: list[str]) -> None:
    """Let every room take into studies, as they are written, what its key says; it may leave some of these out."""
    for name, room in _ROOMS.items():
        having = {key: one for key, one in studies.items() if isinstance(one, dict) and one.get(name) is not None}
        if find_spec(room):
            import_module(f"{room}.entries").enter(studies, having, folders, mistakes)
        else:
            mistakes += [
                f"studies.{key}.{name}: {room}, which reads it, is not installed; install it, or leave the key out."
                for key in having
            ]
