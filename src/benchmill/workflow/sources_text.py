"""Changes the sources of a study in the text of a configuration, and leaves everything else as its author wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from benchmill.core.errors import UserError
from benchmill.workflow import yaml_text

_WIDE = 1_000_000


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return a source as one line of YAML: the path alone where there is nothing else to say."""
    value = entry["path"] if set(entry) == {"path"} else dict(entry)
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=_WIDE, default_flow_style=True)
    return text.removesuffix("...\n").strip()


def with_sources(text: str, study: str, entries: Sequence[Mapping[str, Any]], where: str) -> str:
    """Return the configuration with entries added at the end of the `sources` of a study.

    Raises
    ------
    UserError
        There is no such study, or the text is written in a way (anchors, several documents) that cannot be changed safely.
    """
    node = _sources_node(text, study, where)
    lines = [entry_text(entry) for entry in entries]
    newline = "\r\n" if "\r\n" in text else "\n"
    if isinstance(node, yaml.SequenceNode) and node.flow_style:
        last = _end(node.value[-1]) if node.value else node.start_mark.index + 1
        changed = text[:last] + ", " * bool(node.value) + ", ".join(_in_flow(line) for line in lines) + text[last:]
    elif isinstance(node, yaml.SequenceNode):
        first = node.value[0].start_mark
        dash = text.rindex("-", 0, first.index)
        indent = dash - _line_start(text, dash)
        at = _line_end(text, _end(node.value[-1]))
        changed = _insert(text, at, [f"{' ' * indent}- {line}" for line in lines], newline)
    else:
        indent = _sources_indent(text, study, where) + 2
        start, end = node.start_mark.index, _end(node)
        own = text[start:end]
        if isinstance(node, yaml.MappingNode) and not node.flow_style:
            begin = _line_start(text, start)
            block = text[begin:end].splitlines()
            gap = start - begin
            rest = [f"{' ' * (indent + 2)}{line[gap:]}" if line.strip() else line for line in block[1:]]
            body = newline.join([f"{' ' * indent}- {block[0][gap:]}", *rest])
            changed = text[:begin] + body + text[end:]
            at = _line_end(changed, begin + len(body))
        else:
            before = text[:start].rstrip(" ")
            body = f"{newline}{' ' * indent}- {own}"
            changed = before + body + text[end:]
            at = _line_end(changed, len(before) + len(body))
        changed = _insert(changed, at, [f"{' ' * indent}- {line}" for line in lines], newline)
    listed = _listed(_studies(text, where)[study]["sources"])
    written = [entry["path"] if set(entry) == {"path"} else dict(entry) for entry in entries]
    _check(text, changed, study, [*listed, *written], where)
    return changed


def without_source(text: str, study: str, number: int, where: str) -> str:
    """Return the configuration without one entry of the `sources` of a study.

    Raises
    ------
    UserError
        There is no such study, it is the only entry, or the text cannot be changed safely.
    """
    node = _sources_node(text, study, where)
    listed = _listed(_studies(text, where)[study]["sources"])
    if len(listed) == 1 or not isinstance(node, yaml.SequenceNode):
        raise UserError(f"{where}: it is the only source of studies.{study}, which needs one; remove the study instead.")
    item = node.value[number]
    if node.flow_style:
        start, end = item.start_mark.index, _end(item)
        if number + 1 < len(node.value):
            end = node.value[number + 1].start_mark.index
        else:
            start = _end(node.value[number - 1])
    else:
        start = _line_start(text, text.rindex("-", 0, item.start_mark.index))
        end = _line_end(text, _end(item))
    changed = text[:start] + text[end:]
    _check(text, changed, study, listed[:number] + listed[number + 1 :], where)
    return changed


def _studies(text: str, where: str) -> dict[str, Any]:
    content = yaml_text.read(text, where)
    studies = content.get("studies") if isinstance(content, dict) else None
    if not isinstance(studies, dict):
        raise UserError(f"{where}: it has no `studies:`; give a configuration that has, with --config.")
    return studies


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for name, value in pairs if name.value == key), None)


def _study_node(text: str, study: str, where: str) -> yaml.Node:
    studies = _studies(text, where)
    if study not in studies:
        raise UserError(f"{where}: there is no study {study!r}; it has {', '.join(map(repr, studies))}.")
    found = _value(_value(yaml.compose(text, yaml.SafeLoader), "studies"), study)
    if found is None:
        raise _refusal(where, study)
    return found


def _sources_node(text: str, study: str, where: str) -> yaml.Node:
    found = _value(_study_node(text, study, where), "sources")
    if found is None or _studies(text, where)[study].get("sources") in (None, [], ""):
        raise UserError(f"{where}: studies.{study}.sources is missing or empty; write its first source yourself.")
    return found


def _sources_indent(text: str, study: str, where: str) -> int:
    node = _study_node(text, study, where)
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        raise _refusal(where, study)
    key = next(name for name, _ in node.value if name.value == "sources")
    return int(key.start_mark.column)


def _end(node: yaml.Node) -> int:
    """Return where the last character of a node stands, plus one; marks lie after comments that follow."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _insert(text: str, at: int, lines: Sequence[str], newline: str) -> str:
    before = text[:at] if not at or text[at - 1] == "\n" else text[:at] + newline
    return before + "".join(line + newline for line in lines) + text[at:]


def _in_flow(line: str) -> str:
    """Return a line of YAML that also holds inside a flow list, where commas and brackets end a plain text."""
    if line.startswith("{"):
        return line
    value = yaml.safe_load(line)
    return yaml.safe_dump([value], allow_unicode=True, width=_WIDE, default_flow_style=True).strip()[1:-1]


def _listed(sources: Any) -> list[Any]:
    return list(sources) if isinstance(sources, list) else [sources]


def _check(text: str, changed: str, study: str, sources: list[Any], where: str) -> None:
    expected = yaml_text.read(text, where)
    expected["studies"][study]["sources"] = sources
    try:
        found = yaml_text.read(changed, where)
    except UserError:
        found = None
    if found != expected:
        raise _refusal(where, study)


def _refusal(where: str, study: str) -> UserError:
    return UserError(
        f"{where}: studies.{study} is written in a way that cannot be changed without harm; change its `sources:` yourself, "
        "with the entry that `benchmill inspect` prints."
    )
