"""Checks a configuration against its schema: fills in defaults and names mistakes by their keys."""

from __future__ import annotations

import copy
import difflib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmill.core import Given, UserError, Words, Written, beside, frozen
from benchmill.core.options import BOUNDS, listed_targets

#: A JSON schema, or a part of one.
Node = Given

#: Characters of a text that a message repeats.
_LONGEST_TEXT = 200


@cache
def schema() -> Written:
    """Return the JSON schema of a configuration, as `benchmill.study.configuration` has made it."""
    parsed: Written = json.loads((beside.ROOT / "workflow/schemas/config.schema.json").read_text("utf-8"))
    return parsed


def filled(value: Any, node: Node) -> Any:
    """Return `value` with defaults filled in, numbers and truth values read, and targets listed."""
    if node.get("format") == "targets":
        value = listed_targets(value)
    if "oneOf" in node:
        branch = _branch(value, node)
        return value if branch is None else filled(value, branch)
    kinds = _kinds(node)
    if isinstance(value, str) and {"number", "integer"} & set(kinds) and "string" not in kinds:
        value = _number(value)  # 1e-3, without a point, is text for YAML 1.1
    if isinstance(value, float) and value.is_integer() and "integer" in kinds:
        return int(value)  # JSON Schema takes 1.0 for a whole number
    if isinstance(value, float) and not math.isfinite(value):
        return re.sub("(?=inf|nan)", ".", str(value))  # no setting is infinite: as text it is refused
    if isinstance(value, str) and "boolean" in kinds and "string" not in kinds:
        return _SAID["truths"].get(value.lower(), value)
    if isinstance(value, dict) and "object" in kinds:
        whole = dict(value)
        for name, child in node.get("properties", {}).items():
            if whole.get(name) is None and "default" in child:
                whole[name] = copy.deepcopy(child["default"])
            if name in whole:
                whole[name] = filled(whole[name], child)
        extra = node.get("additionalProperties")
        if isinstance(extra, dict):
            whole = {name: item if name in node.get("properties", {}) else filled(item, extra) for name, item in whole.items()}
        return whole
    return [filled(item, node["items"]) for item in value] if isinstance(value, list) and "items" in node else value


def _branch(value: Any, node: Node) -> Node | None:
    """Return the alternative of a `oneOf` that the value means: by its constants (`kind`, `variant`), else by its type."""
    # a tenth of a second for those alone who have a configuration
    from jsonschema import Draft202012Validator

    is_of = Draft202012Validator.TYPE_CHECKER.is_type
    branch: Node
    for branch in node["oneOf"]:
        constants = {name: child["const"] for name, child in branch.get("properties", {}).items() if "const" in child}
        fits = isinstance(value, dict) and all(value.get(name) == constant for name, constant in constants.items())
        if fits if constants else any(is_of(value, kind) for kind in _kinds(branch, "string")):
            return branch
    return None


def _kinds(node: Node, usual: str | None = None) -> list[str]:
    """Return the types that a node admits."""
    kinds = node.get("type", usual or [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _number(text: str) -> Any:
    with suppress(ValueError):
        if math.isfinite(number := float(text)):
            return int(number) if re.fullmatch(r"[+-]?[0-9]+", text) else number
    return text


@frozen
class At:
    """A key of a configuration, where its paths are looked up, and the mistakes of the whole configuration."""

    key: str
    folders: Sequence[Path]
    mistakes: list[str]

    def __getitem__(self, below: str | int) -> At:
        """Return a key below it, or an item by its number."""
        return replace(self, key=f"{self.key}[{below}]" if isinstance(below, int) else f"{self.key}.{below}")

    def add(self, messages: Iterable[str]) -> None:
        """Add mistakes at the key; a message goes on where the key ends."""
        self.mistakes.extend(f"{self.key}{message}" for message in messages)

    def tell(self, *checks: tuple[Any, str]) -> None:
        """Add the messages of the checks that have found something."""
        self.add(wrong(*checks))

    def unknown(self, below: str, what: str, names: Iterable[str], known: Sequence[str]) -> list[tuple[bool, str]]:
        """Return a failed check of each name that is not known; `below` is the rest of its key."""
        return [
            (
                True,
                f"{below}: "
                + (
                    _removed(f"{self.key}{below}: {name}", f"{name!r} is no value")
                    or f"there is no {what} {name!r}{did_you_mean(name, known)}"
                ),
            )
            for name in names
            if name not in known
        ]

    @contextmanager
    def told(self) -> Iterator[None]:
        """Go on after a user's mistake, which is added to others; it may name the key itself."""
        try:
            yield
        except UserError as error:
            self.mistakes.append(str(error) if str(error).startswith(self.key) else f"{self.key}: {error}")


def mistakes_of(config: Any, schema: Node) -> list[str]:
    """Return a sentence for each mistake that a schema finds: its key, what was found and what is allowed."""
    import jsonschema

    errors = sorted(
        jsonschema.Draft202012Validator(dict(schema)).iter_errors(config),
        key=lambda error: [str(part) for part in error.absolute_path],
    )
    homes = list(dict.fromkeys(_places(schema)))
    often = Counter(name for name, _ in homes)
    places = {name: under for name, under in homes if often[name] == 1}
    return [message for error in errors for message in _messages(error, places, schema)]


def _places(node: Any, at: str = "") -> Iterator[tuple[str, str]]:
    for branch in node.get("oneOf", []):
        yield from _places(branch, at)
    # the names in a mapping are nobody's keys
    for part, under in ((node.get("items"), at), (node.get("additionalProperties"), f"{at}.")):
        if isinstance(part, Mapping):
            yield from _places(part, under)
    for name, child in node.get("properties", {}).items():
        yield from _places(child, name)
    yield from ((name, at) for name in node.get("properties", {}))


def _messages(error: Any, places: Words, schema: Node) -> list[str]:
    parts = error.absolute_path
    key = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")
    value, rule, wanted = error.instance, error.validator, error.validator_value
    named = "propertyNames" in error.schema_path or "name" in [*parts][-1:]
    match rule:
        case "oneOf":
            branch = _branch(value, error.schema)
            if branch is None:
                return [_no_branch(key, value, error.schema)]
            index = error.schema["oneOf"].index(branch)
            return [m for e in error.context if e.schema_path[0] == index for m in _messages(e, places, schema)]
        case "additionalProperties":
            allowed = sorted(error.schema.get("properties", {}))
            extra = {_join(key, name): name for name in value if name not in allowed}
            return [f"{at}: {_removed(at) or 'unknown key' + _meant(name, allowed, places, key)}" for at, name in extra.items()]
        case "required":
            missing = [name for name in wanted if name not in value]
            return [f"{_join(key, name)}: is missing; {key or 'the configuration'} needs it." for name in missing]
        case "propertyNames" | "pattern" if rule == "propertyNames" or named:
            what = f"{value!r} cannot be a name; use letters, digits and underscores, beginning with a letter."
        case "enum":
            what = _removed(f"{key}: {value}", f"{value!r} is no value") or (
                f"found {value!r}{did_you_mean(str(value), [str(word) for word in wanted if word is not None])}"
            )
        case "type":
            key = key or "the configuration"
            what = _removed(f"{key}: {value}", f"{value!r} is no value") or (
                f"found {kind_of(value)}, expected {_expected(error.schema)}{_in_seconds(value)}."
            )
        case "exclusiveMinimum" | "minimum" | "exclusiveMaximum" | "maximum":
            what = f"found {value}, expected a number {BOUNDS[rule][1]} {wanted}."
        case "minItems" | "maxItems" | "maxProperties" if wanted > 1 or rule == "maxProperties":
            what = f"lists {len(value)}, expected {wanted} of them."
        case "minItems" | "minProperties" | "minLength":
            what = "is empty, expected at least one entry."
        case "uniqueItems":
            twice = sorted({str(item) for item in value if value.count(item) > 1})
            what = f"lists {', '.join(twice)} more than once; list each once."
        case "pattern":
            # of the value, or of what it is in
            steps = accumulate(error.absolute_schema_path, lambda node, part: node[part], initial=schema)
            expected = [node["description"] for node in steps if isinstance(node, Mapping) and "description" in node][-1]
            what = f"found {value!r}, expected {expected[0].lower()}{expected[1:]}"
        case _:
            what = f"{error.message}."
    return [f"{key}: {what}"]


_SAID = beside.toml(__file__)
#: Keys that earlier versions had, and values behind their keys, as patterns, and what to write instead.
_REMOVED = _SAID["removed"] | {
    rf".*\.figures(\[\d+\]\.kind: {kind}|: {kind}_.*)": advice for kind, advice in _SAID["figures"].items()
}


def _removed(at: str, what: str = "is no key") -> str:
    return next((f"{what} of this version; {advice}." for gone, advice in _REMOVED.items() if re.fullmatch(gone, at)), "")


def _in_seconds(value: Any) -> str:
    """End a message about a time such as 1:30, which is 90 for some readers of YAML."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,4}(?::[0-5]?[0-9]){1,2}", value):
        return ""
    total = sum(int(part) * 60**power for power, part in enumerate(reversed(value.split(":"))))
    if value.count(":") == 2:
        return f"; {value} is {total} seconds: write that number"
    return f"; write {total} if {value} is minutes and seconds, {total * 60} if it is hours and minutes"


def _meant(name: Any, allowed: Sequence[str], places: Words, key: str) -> str:
    """End a message about an unknown key with one like it, or with where it belongs."""
    advice = did_you_mean(str(name), allowed)
    under = places.get(name)
    *above, last = re.sub(r"\[\d+\]$", "", key).split(".")
    # another kind of what stands here may have the key
    if advice.startswith(";") or not under or under in (last, f"{''.join(above[-1:])}."):
        return advice
    return f"; {name!r} is a key of {'the study' if under == 'studies.' else repr(under.removesuffix('.'))}, set it there."


def _no_branch(key: str, value: Any, node: Node) -> str:
    branches = [branch.get("properties", {}) for branch in node["oneOf"]]
    name = next((name for properties in branches for name, child in properties.items() if "const" in child), None)
    allowed = [properties[name]["const"] for properties in branches if name in properties]
    if name is None:
        expected = " or ".join(_expected({"type": "string", **branch}) for branch in node["oneOf"])
        return f"{key}: found {kind_of(value)}, expected {expected}."
    if not isinstance(value, dict):
        others = [_expected(branch) + " or " for branch in node["oneOf"] if "properties" not in branch]
        return f"{key}: found {kind_of(value)}, expected {''.join(others)}a mapping with {name!r} ({', '.join(allowed)})."
    if name not in value:
        return (
            f"{_join(key, near[0])}: unknown key; did you mean {name!r}? Its values are {', '.join(allowed)}."
            if (near := difflib.get_close_matches(name, [one for one in value if isinstance(one, str)], 1))
            else f"{_join(key, name)}: is missing; allowed are {', '.join(allowed)}."
        )
    at, word = _join(key, name), value[name]
    return f"{at}: {_removed(f'{at}: {word}', f'{word!r} is no value') or f'found {word!r}{did_you_mean(str(word), allowed)}'}"


def did_you_mean(word: str, allowed: Sequence[str]) -> str:
    """End a message about an unknown word with the nearest allowed one, and all of them."""
    near = difflib.get_close_matches(word.lower(), [a.lower() for a in allowed], n=1, cutoff=0.5)
    original = next((a for a in allowed if near and a.lower() == near[0]), "")
    hint = f"; did you mean {original!r}?" if original else "."
    return f"{hint} Allowed: {', '.join(allowed)}." if allowed else hint


def wrong(*checks: tuple[Any, str]) -> list[str]:
    """Return the messages of the checks that have found something."""
    return [message for is_wrong, message in checks if is_wrong]


def _join(key: str, part: Any) -> str:
    return f"{key}.{part}" if key else str(part)


def kind_of(value: Any) -> str:
    """Name a value that is not what was expected."""
    if isinstance(value, str):
        return f"the text {value[:_LONGEST_TEXT]!r}{' ...' if len(value) > _LONGEST_TEXT else ''}"
    known = {type(None): "nothing", bool: "yes/no (true or false)", list: "a list", dict: "a mapping"}
    other = f"the number {value}" if isinstance(value, int | float) else f"a {type(value).__name__}"
    return next((words for kind, words in known.items() if isinstance(value, kind)), other)


def _expected(node: Node) -> str:
    words = _SAID["types"]
    kinds, item = _kinds(node), node.get("items", {}).get("type")
    text = " or ".join(words[kind] for kind in kinds)
    if kinds != ["array"] or not isinstance(item, str):
        return text
    return f"{text} of {'texts' if item == 'string' else words[item].split(' ', 1)[-1] + 's'}"
