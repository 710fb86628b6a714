"""YAML as people write it: read, or refused in one sentence, whatever it holds.

A few lines of YAML with aliases can stand for more values than memory has, or for a value inside itself. Nothing that follows
need be ready for that: such text ends here.
"""

from __future__ import annotations

from typing import Any

import yaml

from benchmill.core.errors import UserError

#: More values than this, aliases written out, are refused.
MOST_VALUES = 200_000
#: Values deeper than this are refused.
DEEPEST = 60


class _Loader(yaml.SafeLoader):
    """Plain values only, and no more keys merged into one mapping (`<<`) than there may be values."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MOST_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "too many keys are merged", node.start_mark)


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
    # a number of thousands of digits and a thirteenth month are a ValueError
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
        Aliases make more than `MOST_VALUES` values of it, or values deeper than `DEEPEST`, as a value inside itself is; or two
        names of a mapping differ in their quotes alone.
    """
    count = 0

    def copied(value: Any, depth: int) -> Any:
        nonlocal count
        count += 1
        if count > MOST_VALUES:
            raise UserError(
                f"{where}: it stands for more than {MOST_VALUES} values once its aliases (`*...`) are written out; write fewer."
            )
        if depth > DEEPEST:
            raise UserError(f"{where}: its values are nested deeper than {DEEPEST}; take out the alias (`*...`) that does so.")
        if isinstance(value, list | tuple | set):
            return [copied(item, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        named = {str(name): item for name, item in value.items()}
        if len(named) < len(value):
            twice = next(name for name in named if sum(str(other) == name for other in value) > 1)
            raise UserError(f"{where}: {twice!r} is a name twice in one mapping, with quotes and without; keep one.")
        return {name: copied(item, depth + 1) for name, item in named.items()}

    return copied(content, 0)
