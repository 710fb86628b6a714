"""Run the notebooks of docs/notebooks and store what their cells show.

No kernel is needed: the cells of a notebook run one after the other in one namespace, in its folder. A cell shows what it
prints, its figures, and the value of its last line, as a notebook would show it.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import os
from pathlib import Path
from typing import Any

import matplotlib
import nbformat
from matplotlib import pyplot
from matplotlib.figure import Figure

HERE = Path(__file__).parents[1]
NOTEBOOKS = sorted((HERE / "docs/notebooks").glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of its cells made anew."""
    notebook = nbformat.read(path, as_version=4)
    names: dict[str, Any] = {"__name__": "__main__"}
    matplotlib.use("agg")
    pyplot.close("all")
    with contextlib.chdir(path.parent), matplotlib.rc_context():
        for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
            cell.execution_count = number
            cell.outputs = _outputs(cell.source, f"{path.name}[{number}]", names)
    return notebook


def _outputs(source: str, where: str, names: dict[str, Any]) -> list[nbformat.NotebookNode]:
    body = ast.parse(source, where).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), where, "exec"), names)
        value = None if last is None else eval(compile(last, where, "eval"), names)
    found = [nbformat.v4.new_output("stream", name="stdout", text=printed.getvalue())] if printed.getvalue() else []
    drawn = [_image(pyplot.figure(number)) for number in pyplot.get_fignums()]
    drawn += [_image(value)] if isinstance(value, Figure) else []
    pyplot.close("all")
    if value is not None and not drawn:
        html = value._repr_html_() if hasattr(value, "_repr_html_") else None
        data = {"text/plain": repr(value), **({"text/html": html} if html else {})}
        found.append(nbformat.v4.new_output("display_data", data))
    return [*found, *drawn]


def _image(figure: Any) -> nbformat.NotebookNode:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=100, metadata={"Software": None})
    return nbformat.v4.new_output("display_data", {"image/png": base64.b64encode(data.getvalue()).decode()})


def main() -> None:
    """Write all notebooks."""
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)
        print(os.path.relpath(path))


if __name__ == "__main__":
    main()
