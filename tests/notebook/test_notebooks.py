"""The notebooks of the documentation run, and show what they have stored."""

import re
import runpy
from pathlib import Path

import nbformat
import pytest

HERE = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.name for path in (HERE / "docs/notebooks").glob("*.ipynb"))


def shown(notebook):
    """What the cells show; of images only that there is one, since their bytes are those of a version of Matplotlib."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = dict(output.get("data") or {"text": output.get("text")})
            yield {kind: "" if kind == "image/png" else re.sub("base64,[^\"']+", "", text) for kind, text in data.items()}


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_what_it_has_stored(name):
    path = HERE / "docs/notebooks" / name
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    made = runpy.run_path(str(HERE / ".ci/notebooks.py"))["executed"](path)
    found = list(shown(made))
    assert found == list(shown(stored)), "run `python .ci/notebooks.py`"
    assert any("image/png" in output for output in found)


def test_the_notebooks_of_two_working_days_run_as_written_and_agree_with_plain_pandas():
    tries = runpy.run_path(str(HERE / "benchmarks/frontdoor/tries.py"))
    for name, smaller in (("developer.ipynb", {"MEMBERS": 2, "LIMIT": 60.0}), ("dataframes.ipynb", {"PROBLEMS": 12})):
        stored = nbformat.read(HERE / "benchmarks/frontdoor" / name, as_version=4)
        nbformat.validate(stored)
        assert not any(cell.get("outputs") for cell in stored.cells)
        found = tries["executed"](name, **smaller)
        assert found.items() >= smaller.items()
        assert {what: off for what, off in found["differences"].items() if off > tries["OF_TABLES"].get(what, 1e-9)} == {}
