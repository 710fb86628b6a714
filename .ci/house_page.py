"""Draw the house in docs/architecture.md from its imports: which room imports which, and how often."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

HERE = Path(__file__).parents[1]
PAGE = HERE / "docs/architecture.md"
BEGIN, END = "<!-- the house, drawn by .ci/house_page.py -->\n", "<!-- end of the house -->\n"
PACKAGE = "benchmill"


def floors() -> list[list[str]]:
    """The rooms from the top to the ground, as the contract of the imports has them; on a floor none knows another."""
    contracts = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip().removeprefix(f"{PACKAGE}.") for room in layer.split("|")] for layer in layers]


def drawn() -> str:
    """The house as text.

    Raises
    ------
    SystemExit
        Modules import each other in a circle, or a room imports from above or from beside.
    """
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True)
    # the package itself is the front door
    modules = sorted(graph.modules - {PACKAGE})
    imports = {module: sorted(graph.find_modules_directly_imported_by(module) - {PACKAGE}) for module in modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        raise SystemExit(f"a circle of imports: {' -> '.join(error.args[1])}") from None
    rooms = floors()
    level = {room: number for number, floor in enumerate(rooms) for room in floor}
    of = {module: module.split(".")[1] for module in modules}
    arrows = Counter((of[a], of[b]) for a, found in imports.items() for b in found if of[a] in level and of[b] in level)
    wrong = [f"{a} -> {b}" for a, b in arrows if a != b and level[a] >= level[b]]
    if wrong:
        raise SystemExit(f"imports from above or from beside: {', '.join(sorted(wrong))}")
    names = [room for floor in rooms for room in floor]
    inside = Counter(of.values())
    imported = [room for room in names if any(b == room and a != room for a, b in arrows)]
    width = max(map(len, names))
    lines = [" " * width + "  modules  within" + "".join(f"  {room}" for room in imported)]
    for floor in rooms:
        for room in floor:
            counts = [f"{arrows[room, other] or '·' if other != room else '':>{len(other) + 2}}" for other in imported]
            lines.append(f"{room:<{width}}{inside[room]:>9}{arrows[room, room] or '·':>8}" + "".join(counts))
    n = sum(map(len, imports.values()))
    head = f"{len(modules)} modules with {n} imports of each other, no circle, and none from above or from beside:\n\n"
    return head + "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```\n"


def page(text: str) -> str:
    """The text of docs/architecture.md with the house as it is."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{drawn()}\n{END}{after}"


def main() -> None:
    """Write the page; with `--check` say whether other rooms import each other than it shows, however often."""
    written = PAGE.read_text("utf-8")
    made = page(written)
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(made, "utf-8")
    elif re.sub(r"[0-9]+", "n", written).split() != re.sub(r"[0-9]+", "n", made).split():
        raise SystemExit(f"{PAGE.relative_to(HERE)} draws the house as it was; run `python .ci/house_page.py`")


if __name__ == "__main__":
    main()
