"""Put the page's script together from its modules: one scope, in which a module comes after all that it imports from."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

_FOLDER = Path(__file__).parent / "templates" / "script"
_IMPORT = re.compile(r'^import (?:\{ [^}]* \} from )?"\./([a-z]+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?=const |let |function |async function )", re.M)


def script() -> str:
    """Return the script of the page; raise graphlib.CycleError if modules import each other in a circle."""
    texts: dict[str, str] = {}
    graph: dict[str, list[str]] = {}
    waiting = ["main"]
    while waiting:
        name = waiting.pop()
        texts[name] = (_FOLDER / f"{name}.js").read_text(encoding="utf-8")
        graph[name] = sorted(_IMPORT.findall(texts[name]))
        waiting += [other for other in graph[name] if other not in texts]
    ordered = TopologicalSorter({name: graph[name] for name in sorted(graph)}).static_order()
    return '"use strict";\n' + "".join(_EXPORT.sub("", _IMPORT.sub("", texts[name])) for name in ordered)
