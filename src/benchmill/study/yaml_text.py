"""Reads YAML as people write it, or refuses it in one sentence, whatever it holds."""

import contextlib
import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml

from benchmill.core import AnyPath, Given, UserError, Written
from benchmill.core.names import normal

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
    """Plain values only, names that are text, and no more keys merged into one mapping (`<<`) than there may be values."""

    yaml_implicit_resolvers: ClassVar[Written] = {}  # type: ignore[misc]

    def whole_number(self, node: yaml.ScalarNode) -> int | _LongNumber:
        """Return a whole number, where it is not too long for Python."""
        return _LongNumber(node.value) if len(node.value) > MOST_DIGITS else self.construct_yaml_int(node)

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        """Return a mapping whose names are text, each of them there once."""
        node = super().compose_mapping_node(anchor)
        lines: dict[str, int] = {}
        for number, (name, value) in enumerate(node.value):
            if not isinstance(name, yaml.ScalarNode) or name.tag == _MERGE:
                continue
            line = name.start_mark.line + 1
            if name.value in lines:
                twice, first = name.value[:_LONGEST_KEY], lines[name.value]
                raise UserError(f"line {line} has the name {twice!r}, which line {first} has already; keep one.")
            lines[name.value] = line
            node.value[number] = yaml.ScalarNode(_TEXT, name.value, name.start_mark, name.end_mark, name.style), value
        return node

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MOST_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "too many keys are merged", node.start_mark)


class _TextLoader(_Loader):
    """Every value that is not empty is text."""

    yaml_implicit_resolvers: ClassVar[Written] = {}  # type: ignore[misc]


_TEXT, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
for _kind, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "-+0123456789."),
    ("merge", r"<<", "<"),
):
    for _reader in (_Loader, _TextLoader)[: 2 if _kind in ("null", "merge") else 1]:
        _reader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", re.compile(f"^(?:{_pattern})$"), list(_first))
_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.whole_number)


def text_of(file: Path) -> str:
    """Return the text of a configuration.

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


def read(text: str, where: str, texts: bool = False) -> Any:
    """Return the content of one YAML document, made of plain values.

    Raises
    ------
    UserError
        It is no YAML, has a name twice in one mapping, names a type of its own, or is too large or too deep (see `checked`).
    """
    try:
        content = yaml.load(text, _TextLoader if texts else _Loader)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    # an integer of Python has limits
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise UserError(f"{where}: it is not YAML ({reason}); correct it first.") from None
    return checked(content, where)


def as_written(config: Given, files: Iterable[AnyPath]) -> Given:
    """Return a configuration that Snakemake has read as YAML 1.1 with its names and values as written in its files.

    Raises
    ------
    UserError
        A file cannot be read (see `read`).
    """
    from snakemake.common.configfile import load_configfile
    from snakemake.utils import update_config

    theirs: Written = {}
    ours: Written = {}
    for file in map(Path, files):
        text = text_of(file)
        with contextlib.suppress(ValueError):
            json.loads(text)
            return config
        written = read(text, file.name)
        if "__use_yte__" in written:
            return config
        update_config(theirs, load_configfile(file))
        update_config(ours, written)
    # a workflow that has this one as a module gives it a part of its own configuration
    part = next((written for read_as, written in _mappings(theirs, ours) if read_as == config), None)
    restored: Given = _restored(config, theirs, ours) if part is None else part
    return restored


def _mappings(theirs: Any, ours: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(theirs, Mapping) and len(theirs) == len(ours):
        yield theirs, ours
        for one, other in zip(theirs.values(), ours.values(), strict=True):
            yield from _mappings(one, other)


def _restored(loaded: Any, theirs: Any, ours: Any) -> Any:
    if loaded == theirs:
        return ours
    if not all(isinstance(one, Mapping) for one in (loaded, theirs, ours)) or len(theirs) != len(ours):
        return loaded
    names = dict(zip(theirs, ours, strict=True))
    return {
        names.get(name, name): _restored(value, theirs[name], ours[names[name]]) if name in names else value
        for name, value in loaded.items()
    }


def checked(content: Any, where: str) -> Any:
    """Return a copy with aliases written out, all names text, and all text composed (`core.names`).

    Raises
    ------
    UserError
        It is larger than `MOST_VALUES`, deeper than `DEEPEST` or inside itself, or has a number of more than `MOST_DIGITS` digits
        or a truth value for a name.
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
        if isinstance(value, datetime.date):
            return value.isoformat()  # Snakemake reads a day as a day
        if isinstance(value, list | tuple | set):
            return [copied(item, f"{key}[{number}]", (*above, id(value))) for number, item in enumerate(value, 1)]
        if not isinstance(value, dict):
            return normal(value) if isinstance(value, str) else value
        if (odd := next((name for name in value if isinstance(name, bool)), None)) is not None:
            raise UserError(f"{where}: {key[:_LONGEST_KEY] or 'it'} has the name {odd}, expected text; write it in quotes.")
        named = {normal(str(name)): item for name, item in value.items()}
        return {name: copied(item, f"{key}.{name}" if key else name, (*above, id(value))) for name, item in named.items()}

    return copied(content, "", ())
