"""Write config/README.md: every key of a configuration, from its schema, so that page and checks agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parents[1]

HEAD = """\
# Configuration

Made by `make lock` from `workflow/schemas/config.schema.yaml`; a test compares the two.

A configuration is a YAML file with `studies:`. Give yours with `--configfile`; without it, `config.yaml` beside the
Snakefile is taken (`benchmill init` makes a folder with both). Paths are looked up from the folder of the configuration, then
from the working directory. A study needs
`sources`; everything else has a default, and
`results/<study>/config.yaml` holds the study with all of them filled in. Every mistake is told, with its
key, before the first job starts. `benchmill add` and `benchmill remove` change `sources` for you. The keys that a source may have
for its format are in [docs/formats.md](../docs/formats.md).

As a module of your own workflow (the package must be importable there, and rules run again for the right reasons only with the
`rerun-triggers` of `profiles/default/config.yaml`):

    from benchmill.workflow import SNAKEFILE, begin

    module benchmill:
        snakefile: SNAKEFILE
        config: config["comparison"]        # a mapping with `studies:`

    use rule * from benchmill as benchmill_*

    onstart:
        begin(workflow)                     # without it a study of hundreds of jobs takes longer to schedule

Snakemake runs `onstart` of the main Snakefile alone, so that yours has to call it.

| key | what it may be | default | meaning |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The text of config/README.md."""
    schema = yaml.safe_load((HERE / "workflow/schemas/config.schema.yaml").read_text("utf-8"))
    study = schema["properties"]["studies"]["additionalProperties"]
    rows = "".join(f"| {' | '.join(_cell(text) for text in row)} |\n" for row in _rows(study, "", schema))
    return HEAD + rows


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _resolved(node: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        target: Any = root
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def _rows(node: dict[str, Any], key: str, root: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Rows for everything below a node: its properties, alternatives and items."""
    node = _resolved(node, root)
    for branch in node.get("oneOf", ()):
        branch = _resolved(branch, root)
        chosen = [f"{name}: {child['const']}" for name, child in branch.get("properties", {}).items() if "const" in child]
        yield from _rows(branch, f"{key} ({', '.join(chosen)})" if chosen else key, root)
    for name, raw in node.get("properties", {}).items():
        child = _resolved(raw, root)
        if "const" in child:
            continue
        path = f"{key}.{name}" if key else name
        needed = "needed" if name in node.get("required", ()) else ""
        default = f"`{json.dumps(child['default'], ensure_ascii=False)}`" if "default" in child else needed
        yield f"`{path}`", _kind(child, root), default, child.get("description", "")
        yield from _rows(child, path, root)
    if isinstance(node.get("items"), dict):
        yield from _rows(node["items"], f"{key}[]", root)
    if isinstance(node.get("additionalProperties"), dict):
        yield from _rows(node["additionalProperties"], f"{key}.<name>", root)


def _kind(node: dict[str, Any], root: dict[str, Any]) -> str:
    if "enum" in node:
        return ", ".join(f"`{word}`" for word in node["enum"])
    kinds = node.get("type", "mapping" if "properties" in node else "")
    words = {"object": "mapping", "array": "list", "string": "text", "null": "nothing", "boolean": "true or false"}
    text = " or ".join(words.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))
    items = _resolved(node["items"], root) if isinstance(node.get("items"), dict) else {}
    if "enum" in items:
        text += f" of {_kind(items, root)}"
    return text


if __name__ == "__main__":
    (HERE / "config/README.md").write_text(page(), "utf-8")
