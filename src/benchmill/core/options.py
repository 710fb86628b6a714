"""Options that you can set: frozen dataclasses that state type, default and meaning, and the JSON schema made from them."""

import difflib
import math
import operator
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, field, fields, is_dataclass
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from benchmill.core import OptionsT, UserError

#: What is known of a field.
_SCHEMA, _MEANING, _NAMED = "schema", "description", "names_of"

#: A JSON schema, or a part of one.
_Schema = dict[str, Any]

#: A list of targets, or `{from, to, number}`, which the format tells.
TARGETS: _Schema = {
    "type": "array",
    "format": "targets",
    "minItems": 1,
    "uniqueItems": True,
    "items": {"type": "number", "exclusiveMinimum": 0},
}
#: The probability that intervals or bands cover, of a section: a study says it `once`, as `indicators.level`, for all of them.
LEVEL: _Schema = {"format": "once", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
#: Groups of problems: by name their problems; a name under which they are known; by attribute the groups of its values.
GROUPS: _Schema = {
    "type": ["object", "string", "null"],
    "additionalProperties": {
        "oneOf": [
            {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
            {"type": "object", "additionalProperties": {"type": "array", "minItems": 1, "items": {"type": "string"}}},
        ]
    },
}
#: The same in words.
TARGETS_MEANING = "Values to reach, as a list or as `{from, to, number}` with logarithmic spacing."

_TYPES = {int: "integer", float: "number", bool: "boolean", str: "string"}


def option(meaning: str, default: Any = MISSING, *, names_of: Any = None, **schema: Any) -> Any:
    """Declare a field of a class of options.

    Parameters
    ----------
    meaning : str
        What the option does, in a sentence or two.
    default : object
        Without one the option must be given. None where the schema does not admit it: the option may be left out and is worked
        out.
    names_of : mapping, optional
        A registry, or a function that gives one: the option, or each item of it, names one of its entries, if it may be `asked`;
        what is `said` of them joins the meaning.
    **schema
        JSON Schema beside the type, or in its place. A function is called when the schema is made.
    """
    metadata = {_MEANING: " ".join(meaning.split()), _SCHEMA: schema, _NAMED: names_of}
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def some(meaning: str, default: Any = None, **schema: Any) -> Any:
    """Declare a field for a list of at least one, none twice; by default it may be left out."""
    return option(meaning, default, **schema, minItems=1, uniqueItems=True)


class Checked:
    """Options that check themselves: words that an annotation does not allow, and numbers beyond the bounds of their schema."""

    #: What messages begin with.
    section: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, schema in properties(type(self)).items():
            value, allowed = getattr(self, name), schema.get("enum")
            if allowed and value not in allowed:
                raise UserError(
                    f"{self.section}{name} is {value!r}, expected one of {', '.join(map(str, filter(None, allowed)))}."
                )
            if type(value) not in (int, float):
                continue
            for bound, (holds, words) in BOUNDS.items():
                if bound in schema and not holds(value, schema[bound]):
                    raise UserError(f"{self.section}{name} is {value}, expected a number {words} {schema[bound]}.")


#: By the name of a bound, what holds of a number within it, and how messages name it.
BOUNDS: dict[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (operator.ge, "of at least"),
    "exclusiveMinimum": (operator.gt, "above"),
    "maximum": (operator.le, "of at most"),
    "exclusiveMaximum": (operator.lt, "below"),
}


def properties(options: type) -> dict[str, _Schema]:
    """Return the JSON schema of every option of a class, by name.

    Raise TypeError for an annotation without a counterpart in JSON.
    """
    hints = get_type_hints(options)
    return {f.name: _property(f, hints[f.name]) for f in fields(options) if _SCHEMA in f.metadata}


def schema_of(options: type) -> _Schema:
    """Return the JSON schema of a mapping with the options of a class."""
    return mapping(required(options), properties(options))


def mapping(needed: list[str], properties: _Schema) -> _Schema:
    """Return the JSON schema of a mapping with these keys and nothing else, but for what a study says `once`."""
    return {
        "type": "object",
        "additionalProperties": False,
        **({"required": needed} if needed else {}),
        "properties": {name: of for name, of in properties.items() if of.get("format") != "once"},
    }


def alternatives(key: str, entries: Iterable[tuple[Any, type]]) -> _Schema:
    """Return the JSON schema of a mapping whose `key` names an entry, with the options of this entry."""
    return {
        "oneOf": [
            mapping([key, *required(options)], {key: {_MEANING: entry.said, "const": entry.name}, **properties(options)})
            for entry, options in entries
        ]
    }


def required(options: type) -> list[str]:
    """Name the options of a class that have no default."""
    return [f.name for f in fields(options) if _SCHEMA in f.metadata and f.default is MISSING and f.default_factory is MISSING]


def made(options: type[OptionsT], settings: Mapping[str, Any], owner: str) -> OptionsT:
    """Make options from settings by name; `owner` is what has them, as a message begins: `the kind 'given'`.

    Raises
    ------
    UserError
        There is no such option, one without a default is missing, or one is not what its description allows.
    """
    known = [f.name for f in fields(options)]  # type: ignore[arg-type]
    if unknown := [name for name in settings if name not in known]:
        near = difflib.get_close_matches(unknown[0], known, 1)
        hint = f"did you mean {near[0]!r}? It has" if near else "it has"
        raise UserError(f"{owner} has no setting {unknown[0]!r}; {hint} {', '.join(known)}.")
    if absent := [name for name in required(options) if name not in settings]:
        raise UserError(f"{owner} needs the setting {absent[0]!r}; add it to the study.")
    hints = get_type_hints(options)
    targets = {f.name for f in fields(options) if f.metadata.get(_SCHEMA, {}).get("format") == "targets"}  # type: ignore[arg-type]
    return options(**{name: _made(hints[name], value, owner, name in targets) for name, value in settings.items()})


def known(options: type[OptionsT], settings: Mapping[str, Any]) -> OptionsT:
    """Make an object of a class from the settings that it knows; others, and those without a value, are ignored."""
    names = {one.name for one in fields(options)}  # type: ignore[arg-type]
    return made(
        options, {name: value for name, value in settings.items() if name in names and value is not None}, options.__name__
    )


def _made(hint: Any, value: Any, owner: str, targets: bool) -> Any:
    """Return the value of an option: targets, or options where the annotation names their class, in place of a mapping."""
    if targets:
        value = listed_targets(value)
        if isinstance(value, Mapping):
            raise UserError(
                f"{owner}: targets are {dict(value)}, expected a list, or `from` and `to` above 0 and a whole `number` from 2."
            )
    classes = [one for one in (hint, *get_args(hint)) if is_dataclass(one)]
    if not classes:
        return value
    if get_origin(hint) is Mapping:
        return {name: _one(classes[0], item, owner) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_one(classes[0], item, owner) for item in value)
    return _one(classes[0], value, owner)


def _one(options: Any, value: Any, owner: str) -> Any:
    """Return an object of a class in place of a mapping; a class that is `parsed` knows how."""
    if not isinstance(value, Mapping):
        return value
    return options.parsed(value) if hasattr(options, "parsed") else made(options, value, owner)


def listed_targets(value: Any) -> Any:
    """Expand `{from, to, number}` into targets with logarithmic spacing, largest first; leave other values alone."""
    if not isinstance(value, Mapping) or set(value) != {"from", "to", "number"}:
        return value
    try:
        first, last, number = (float(value[key]) for key in ("from", "to", "number"))
    except (TypeError, ValueError):
        return value
    if (
        any(isinstance(value[key], bool) for key in value)
        or min(first, last) <= 0
        or number < 2
        or not number.is_integer()
        or not math.isfinite(first * last)
    ):
        return value
    # decimal exponents, rounded, so that a grid meets the powers of ten exactly
    low, high = sorted((math.log10(first), math.log10(last)))
    steps = int(number) - 1
    exponents = [round(high + (low - high) * i / steps, 12) for i in range(steps + 1)]
    return [float(f"{10.0**e:.15g}") for e in exponents]


def held(options: Any) -> dict[str, Any]:
    """Return the options that one can set, by name, as a configuration has them."""
    values = asdict(options)
    return {f.name: _plain(values[f.name]) for f in fields(options) if _SCHEMA in f.metadata}


def _property(one: Field[Any], hint: Any) -> _Schema:
    own_schema = {key: value() if callable(value) else value for key, value in one.metadata[_SCHEMA].items()}
    result = {
        _MEANING: one.metadata[_MEANING],
        **({} if {"type", "enum", "oneOf"} & set(own_schema) else _implied(one.name, hint)),
        **own_schema,
    }
    if one.metadata[_NAMED] is not None:
        named = one.metadata[_NAMED]
        named = [entry for entry in (named() if callable(named) else named).values() if entry.asked]
        names = {"enum": [entry.name for entry in named]}
        result |= {"items": names} if "array" in result["type"] else names
        words = (f"`{entry.name}`" + (f": {entry.said}" if entry.said.lower() != entry.name else "") for entry in named)
        result[_MEANING] += f" {'; '.join(words)}."
    admits_null = "null" in result["type"] if "type" in result else None in result.get("enum", [None])
    if one.default is None and not admits_null:
        return result
    if one.default is not MISSING:
        result["default"] = _plain(one.default)
    elif one.default_factory is not MISSING:
        result["default"] = _plain(one.default_factory())
    return result


def _plain(value: Any) -> Any:
    """Return a default as JSON has it; of an object of options only what differs from its own defaults."""
    if is_dataclass(value) and not isinstance(value, type):
        usual = asdict(type(value)())
        return {name: _plain(item) for name, item in asdict(value).items() if item != usual[name]}
    return list(value) if isinstance(value, tuple) else value


def _implied(name: str, hint: Any) -> _Schema:
    """Return what an annotation says in JSON Schema."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        parts = [part for part in inner if part is not type(None)]
        if len(parts) == len(inner) or len(parts) != 1:
            names: list[str] = []
            for part in inner:
                kind = "null" if part is type(None) else _implied(name, part)["type"]
                names += [kind] if isinstance(kind, str) else kind
            return {"type": names}
        alone = _implied(name, parts[0])
        return {"enum": [*alone["enum"], None]} if "enum" in alone else {**alone, "type": [alone["type"], "null"]}
    if origin is Literal:
        return {"enum": list(inner)}
    if is_dataclass(hint):
        return schema_of(hint)  # type: ignore[arg-type]
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _implied(name, inner[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _implied(name, inner[1])}
    if hint in _TYPES:
        return {"type": _TYPES[hint]}
    raise TypeError(f"the option {name!r} is annotated {hint!r}, which JSON Schema has no word for; give its `type`")
