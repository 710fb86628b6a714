"""Reads YAML as people write it, or refuses it in one sentence, whatever it holds.

A few lines of YAML with aliases can stand for more values than memory has, or for a value inside itself. Nothing that follows
need be ready for that: such text ends here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from benchmill.core.errors import UserError

#: More values than this, aliases written out, are refused.
MOST_VALUES = 200_000
#: Values deeper than this are refused.
DEEPEST = 60
#: Digits of a whole number; Python reads no more than a few thousand.
MOST_DIGITS = 400
#: Characters of a key that a message has.
_LONGEST_KEY = 100


class _LongNumber(str):
    """A whole number of too many digits, as it is written."""

    __slots__ = ()


class _Loader(yaml.SafeLoader):
    """Plain values only, and no more keys merged into one mapping (`<<`) than there may be values."""

    def whole_number(self, node: yaml.ScalarNode) -> int | _LongNumber:
        """A whole number, where it is not too long for Python."""
        return _LongNumber(node.value) if len(node.value) > MOST_DIGITS else self.construct_yaml_int(node)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MOST_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "too many keys are merged", node.start_mark)


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.whole_number)


def text_of(file: Path) -> str:
    """The text of a configuration.

    Raises
    ------
    UserError
        There is no such file, or it cannot be read.
    """
    try:
        # newline="": line ends stay as they are
        with file.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; name the configuration with --config.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: it cannot be read as text ({error}).") from None


def read(text: str, where: str) -> Any:
    """The content of one YAML document, made of plain values.

    Parameters
    ----------
    text : str
    where : str
        Where the text comes from, for messages.

    Raises
    ------
    UserError
        It is no YAML, names a type of its own, or is too large or too deep (see `checked`).
    """
    try:
        content = yaml.load(text, _Loader)
    # a thirteenth month is a ValueError
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise UserError(f"{where}: it is not YAML ({reason}); correct it first.") from None
    return checked(content, where)


def checked(content: Any, where: str) -> Any:
    """A copy of what YAML was read into, aliases written out and all names text.

    YAML reads the name in `{5: 50000}` as a number and the one in `{no: 1}` as false; both become text.

    Raises
    ------
    UserError
        Aliases make more than `MOST_VALUES` values of it, a value is inside itself or deeper than `DEEPEST`, a number has more
        digits than `MOST_DIGITS`, or two names of a mapping differ in their quotes alone.
    """
    count = 0

    def copied(value: Any, key: str, above: tuple[int, ...]) -> Any:
        nonlocal count
        count += 1
        if count > MOST_VALUES:
            raise UserError(
                f"{where}: it stands for more than {MOST_VALUES} values once its aliases (`*...`) are written out; write fewer."
            )
        if id(value) in above:
            raise UserError(f"{where}: {key[:_LONGEST_KEY]} is an alias (`*...`) of what it is in; write out what is meant.")
        if len(above) > DEEPEST:
            raise UserError(
                f"{where}: the values of {key[:_LONGEST_KEY]} are nested deeper than {DEEPEST}; write them in fewer levels."
            )
        if isinstance(value, _LongNumber):
            raise UserError(
                f"{where}: {key[:_LONGEST_KEY]} is a number of {len(value)} digits, expected {MOST_DIGITS} at most; correct it."
            )
        if isinstance(value, list | tuple | set):
            return [copied(item, f"{key}[{number}]", (*above, id(value))) for number, item in enumerate(value, 1)]
        if not isinstance(value, dict):
            return value
        named = {str(name): item for name, item in value.items()}
        if len(named) < len(value):
            twice = next(name for name in named if sum(str(other) == name for other in value) > 1)
            raise UserError(f"{where}: {twice!r} is a name twice in one mapping, with quotes and without; keep one.")
        return {name: copied(item, f"{key}.{name}" if key else name, (*above, id(value))) for name, item in named.items()}

    return copied(content, "", ())
