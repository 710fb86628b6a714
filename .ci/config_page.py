"""Write the schema of a configuration, config/README.md with every key of it, and docs/rules.md with what sources can say.

All of it comes from the options of what a study can name.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmill import readers
from benchmill.core.options import properties
from benchmill.readers import archive, cec, interface, selection, solver_runs, table, text
from benchmill.readers.table_options import PRESETS
from benchmill.registry.formats import FORMATS
from benchmill.study.configuration import schema

HERE = Path(__file__).parents[1]

HEAD = """\
# Configuration

Made by `.ci/config_page.py`, with `workflow/schemas/config.schema.json`, which editors can complete keys by; a test compares.

A configuration is a YAML file with `studies:`. Give yours with `--configfile`; without it, `config.yaml` beside the
Snakefile is taken (`benchmill init` makes a folder with both). Paths are looked up from the folder of the configuration, then
from the working directory. A study needs
`sources`; everything else has a default, and
`results/<study>/config.yaml` holds the study with all of them filled in. Every mistake is told, with its
key, before the first job starts. `benchmill add` and `benchmill remove` change `sources` for you. The keys that a source may have
for its format are in [docs/rules.md](../docs/rules.md).

As a module of your own workflow, where the package must be importable ([more](../docs/scaling.md#as-a-module)):

    from benchmill.workflow import SNAKEFILE

    module benchmill:
        snakefile: SNAKEFILE
        config: config["comparison"]        # a mapping with `studies:`

    use rule * from benchmill as benchmill_*

A rule runs again when its settings, its inputs or the code behind it change; Snakemake's own reason `code` adds a later date of
its script. Without it: `rerun-triggers: [input, mtime, params, software-env]` in a profile.

Each key of a study that has keys of its own has a section:
"""

COLUMNS = "| key | what it may be | default | meaning |\n| --- | --- | --- | --- |\n"

RULES = """\
# Options, rules and conventions

Made by `.ci/config_page.py` from the code; a test compares. [Formats](formats.md) explains what a format makes of a log.
This page lists, for each, the options that an entry of `sources` may have, and the rules by which a report names what was found:
*noted* changes nothing, *repaired* changes or decides something, *refused* leaves a part out. The end has the
[conventions of claims](#conventions-of-claims).
"""


def page(schema: dict[str, Any]) -> str:
    """The text of config/README.md."""
    studies, beside = schema["properties"]["studies"]["additionalProperties"], dict(schema["properties"])
    del beside["studies"]
    found = [("A study", "What a study is, below `studies:` by its name.", list(_rows(studies, "", _top=True)))]
    found += _sections(studies)
    found += [(title, f"Beside `studies:`. {said}", rows) for title, said, rows in _sections({"properties": beside})]
    listed = ", ".join(f"[{title}](#{re.sub('[^a-z_-]', '', title.lower().replace(' ', '-'))})" for title, _, _ in found)
    return f"{HEAD}{listed}.\n" + "".join(f"\n## {title}\n\n{said}\n\n{COLUMNS}{_table(rows)}" for title, said, rows in found)


def rules() -> str:
    """Return the text of docs/rules.md."""
    general = {**interface.RULES, **archive.RULES, **readers.RULES, **selection.RULES, **archive.SAME_CONTENT}
    general["cut_line"] = text.CUT_LINE
    parts = [RULES, _of_format("Every format", "", {}, properties(interface.Options), general)]
    runs, options = solver_runs.RULES, properties(solver_runs.Options)
    parts.append(_of_format("Runs of solvers", "", {**general, **properties(interface.Options)}, options, runs))
    for name, format in FORMATS.items():
        module = format.load()
        solver = issubclass(module.Options, solver_runs.Options)
        known = {**general, **runs, **properties(solver_runs.Options if solver else interface.Options)}
        also = "Beside those of [runs of solvers](#runs-of-solvers).\n\n" if solver else ""
        parts.append(_of_format(f"`{name}`", also, known, properties(module.Options), module.RULES))
        if module is cec:
            parts.append(
                "Presets; checkpoints are shares of the budget, budgets are evaluations, by dimension if that matters.\n"
            )
            parts.append("| preset | runs | checkpoints | budget | values |\n| --- | --- | --- | --- | --- |")
            parts[-1] += "".join(f"\n| {' | '.join(_preset(name, layout))} |" for name, layout in cec.PRESETS.items()) + "\n"
        if name == "mip_log":
            parts.append(runpy.run_path(str(HERE / ".ci/solvers_page.py"))["section"]())
        if module is table:
            parts.append(OF_PRESETS)
            parts[-1] += "".join(f"| {' | '.join(map(_cell, _of_program(*item)))} |\n" for item in PRESETS.items())
    return "\n".join([*parts, runpy.run_path(str(HERE / ".ci/claims_page.py"))["section"]()])


def _preset(name: str, layout: dict[str, Any]) -> list[str]:
    """Return a row of the table of CEC's layouts."""
    points, budget = layout["fractions"], layout.get("budget", f"{layout.get('budget_per_dimension')} D")
    shown = (
        points if isinstance(points, str) else ", ".join(f"{x:.3g}" for x in points) if len(points) <= 20 else str(len(points))
    )
    budget = ", ".join(f"{n}: {b}" for n, b in budget.items()) if isinstance(budget, dict) else str(budget)
    return [f"`{name}`", str(layout["runs"]), shown, budget, layout.get("values", "difference")]


OF_PRESETS = """Presets of programs. Columns are those of the program's files; several are joined with a blank.
If no column names the algorithm, it is the file.

| preset | results of | problem | algorithm | compared | only rows with | outcomes |
| --- | --- | --- | --- | --- | --- | --- |
"""


def _of_program(name: str, said: dict[str, Any]) -> list[str]:
    """Return a row of the table of presets."""
    columns = {role: " ".join(f"`{n}`" for n in ([c] if isinstance(c, str) else c)) for role, c in said["columns"].items()}
    role = next(role for role in ("cost", "mean", "value") if role in columns)
    compared = f"{columns.get('evaluations', '')} {role} {columns[role]}".strip().replace("` value", "`, value")
    compared += f" ({said['unit']})" if "unit" in said else ""
    compared += ", larger is better" if said.get("direction") == "max" else ""
    rows = "; ".join(f"`{c}`: {' or '.join(cell or 'nothing' for cell in cells)}" for c, cells in said.get("only", {}).items())
    outcomes = ", ".join(
        f"{'any other' if word == '*' else f'`{word}`'}: {one}" for word, one in said.get("outcomes", {}).items()
    )
    algorithm = columns.get("algorithm", "the file" if said.get("versions") else "say it (`algorithm`)")
    return [f"`{name}`", said["title"], columns.get("problem", "say it (`constants`)"), algorithm, compared, rows, outcomes]


def _of_format(title: str, also: str, known: dict[str, Any], options: dict[str, Any], rules: dict[str, interface.Rule]) -> str:
    """Return a section with the options and the rules that are not known from a section before."""
    own = {key: child for key, child in options.items() if child != known.get(key)}
    lines = [f"| `{key}` | {_default(child)} | {_cell(child.get('description', ''))} |" for key, child in own.items()]
    shown = ["| option | default | meaning |", "| --- | --- | --- |", *lines, ""] if lines else []
    lines = [f"| `{key}` | {rule.outcome} | {_cell(rule.meaning)} |" for key, rule in rules.items() if rule != known.get(key)]
    shown += ["| rule | outcome | what it is |", "| --- | --- | --- |", *lines, ""] if lines else []
    return f"## {title}\n\n{also}" + "\n".join(shown)


def _default(child: dict[str, Any]) -> str:
    return f"`{json.dumps(child['default'])}`" if child.get("default") else ""


#: A row of a table of keys.
Row = tuple[str, str, str, str]


def _table(rows: Iterable[Row]) -> str:
    return "".join(f"| {' | '.join(_cell(text) for text in row)} |\n" for row in rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sections(node: dict[str, Any], above: str = "") -> Iterator[tuple[str, str, list[Row]]]:
    """Yield title, meaning and rows of a section for each key that has keys of its own, and for each mapping in it."""
    for name, child in node["properties"].items():
        if _has_section(child, not above):
            inner = next((child[key] for key in ("items", "additionalProperties") if isinstance(child.get(key), dict)), child)
            default = f" By default {_default_in_row(child)}." if child.get("default") and "items" not in child else ""
            yield above + name, child["description"] + default, list(_rows(inner, ""))
            yield from _sections(child, f"{name}: ") if "properties" in child else ()


def _has_section(child: dict[str, Any], top: bool) -> bool:
    """Whether a key has a section, at the top of a study or in a section of it."""
    return (top or child.get("type") == "object") and any(_rows(child, ""))


def _rows(node: dict[str, Any], key: str, _top: bool = False) -> Iterator[Row]:
    """Rows for everything below a node that has no section: its properties, alternatives and items."""
    yield from _alternatives([branch for branch in node.get("oneOf", ()) if _chooses(branch)], key)
    for name, child in node.get("properties", {}).items():
        yield from _property(name, child, key, name in node.get("required", ()), top=_top)
    if isinstance(node.get("items"), dict):
        yield from _rows(node["items"], f"{key}[]")
    if isinstance(node.get("additionalProperties"), dict):
        yield from _rows(node["additionalProperties"], f"{key}.<name>")


def _property(name: str, child: dict[str, Any], key: str, needed: bool, only: str = "", top: bool = False) -> Iterator[Row]:
    path = f"{key}.{name}" if key else name
    apart = _has_section(child, top)
    # what is no more than its keys is its section, and what says nothing of itself is told where it belongs
    if "description" in child and not (apart and "items" not in child):
        yield f"`{path}`{only}", _kind(child), _default_in_row({**child, "needed": needed}), child["description"]
    # of what a single figure may have of its appearance the section `appearance` tells
    if not apart and path != "appearance":
        yield from _rows(child, path)


def _default_in_row(child: dict[str, Any]) -> str:
    shown = f"`{json.dumps(child['default'], ensure_ascii=False)}`" if "default" in child else ""
    return shown or ("needed" if child.get("needed") else "")


def _chooses(branch: dict[str, Any]) -> bool:
    """Whether a key of the branch says which of the alternatives it is."""
    return any("const" in child for child in branch.get("properties", {}).values())


def _alternatives(branches: list[dict[str, Any]], key: str) -> Iterator[Row]:
    """Rows for what a mapping may be: the key that chooses, and the others, each once with the alternatives that have it."""
    if not branches:
        return
    chooser = next(name for name, child in branches[0]["properties"].items() if "const" in child)
    chosen = [branch["properties"][chooser] for branch in branches]
    words = (f"`{child['const']}`" + (f": {child['description']}" if "description" in child else "") for child in chosen)
    yield f"`{key}{chooser}`", "text", "needed", f"{'; '.join(words)}."
    having: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for branch, child in zip(branches, chosen, strict=True):
        for name, item in branch["properties"].items():
            if name != chooser:
                needed = {"needed": True} if name in branch["required"] else {}
                having.setdefault((name, item["description"]), {})[child["const"]] = {**item, **needed}
    for (name, _), items in having.items():
        without = [child["const"] for child in chosen if child["const"] not in items]
        only = f" ({_those(items, without)})" if without else ""
        first, *more = _property(name, _joined(list(items.values())), key, False, only)
        defaults: dict[str, list[str]] = {}
        for which, item in items.items():
            defaults.setdefault(_default_in_row(item), []).append(which)
        several = (f"{default} ({', '.join(which)})" for default, which in defaults.items())
        yield first[0], first[1], "; ".join(several) if len(defaults) > 1 else next(iter(defaults)), first[3]
        yield from more


def _those(items: Iterable[str], without: Sequence[str]) -> str:
    """Name alternatives, by the shorter list."""
    which = list(items)
    return ", ".join(which) if len(which) <= len(without) + 1 else f"all but {', '.join(without)}"


def _joined(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what options of one name and meaning may be, whichever alternative has them."""
    words = [word for item in items for word in item.get("enum", ())]
    return {**items[0], "enum": list(dict.fromkeys(words))} if words else items[0]


def _kind(node: dict[str, Any]) -> str:
    if "oneOf" in node and not any(_chooses(branch) for branch in node["oneOf"]):
        return " or ".join(map(_kind, node["oneOf"]))
    if "enum" in node:
        return ", ".join(f"`{word}`" for word in node["enum"])
    kinds = node.get("type", "mapping" if "properties" in node else "")
    words = {"object": "mapping", "array": "list", "string": "text", "null": "nothing", "boolean": "true or false"}
    text = " or ".join(words.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))
    items = node.get("items")
    if isinstance(items, dict) and "enum" in items:
        text += f" of {_kind(items)}"
    return text


def main() -> None:
    """Write the three files."""
    made = schema()
    (HERE / "workflow/schemas/config.schema.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (HERE / "config/README.md").write_text(page(made), "utf-8")
    (HERE / "docs/rules.md").write_text(rules(), "utf-8")


if __name__ == "__main__":
    main()
