"""The page's script: its modules put together into one, so that the page stays one file whose policy names one digest.

Modules are written as browsers know them, with `import` and `export`, so that each says what it needs and what it gives.
Here they become one scope: a module comes after all that it imports from, and both words go.
"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

_FOLDER = Path(__file__).parent / "templates" / "script"
_IMPORT = re.compile(r'^import (?:\{ [^}]* \} from )?"\./([a-z]+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?=const |let |function |async function )", re.M)


def script() -> str:
    """The script of the page: the same text on every machine.

    Raises
    ------
    graphlib.CycleError
        Modules import each other in a circle.
    """
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
