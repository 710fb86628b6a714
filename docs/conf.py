"""The documentation as a site: `make docs` (Sphinx with Napoleon for docstrings, MyST for Markdown, furo).

Nothing in it comes from a network.

The pages are those of this folder. They can be read in a repository browser too, so their links are those of the repository; here
they become links of the site. A page that is nothing but a link to a Markdown file elsewhere in the repository shows that file.
"""

from __future__ import annotations

import json
import os
import re
import types
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

from myst_parser.parsers.sphinx_ import MystParser

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
REPOSITORY = DOCS.parent

project = "benchmill"
version = release = version_of("benchmill")

extensions = ["myst_parser", "sphinx.ext.apidoc", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["images/**"]

html_theme = "furo"
html_title = f"benchmill {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False

myst_heading_anchors = 4

# a page for each package, from the docstrings of its modules
apidoc_modules = [
    {
        "path": "../src/benchmill",
        "destination": "api",
        "separate_modules": False,
        "module_first": True,
        "exclude_patterns": ["**/__main__.py"],
        "automodule_options": {"members"},
    }
]
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the sections of a docstring say them
default_role = "literal"
napoleon_google_docstring = False
napoleon_use_ivar = True
toc_object_entries = False  # each page holds the contents of all; functions in them take most of the build
# attributes of several classes have one name (`data`, `settings`); each is described with its class
suppress_warnings = ["ref.python"]

_ALONE = re.compile(r"\[[^\]]*\]\((\.\./[^)]*\.md)\)\s*")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>(?![a-z]+:|#)[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def _shown_elsewhere() -> dict[Path, Path]:
    """Files of the repository that a page of the site shows, and that page."""
    found = {page: _ALONE.fullmatch(page.read_text("utf-8")) for page in DOCS.glob("**/*.md")}
    return {(page.parent / match[1]).resolve(): page for page, match in found.items() if match}


def _page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn the links of a page into links of the site; what the site does not show is named as a path of the repository."""
    page = Path(app.env.doc2path(docname))
    if page.suffix != ".md":
        return
    shown = _shown_elsewhere()
    original = {there: file for file, there in shown.items()}.get(page, page)

    def link(match: re.Match[str]) -> str:
        target = (original.parent / match["target"]).resolve()
        if not target.exists():
            raise FileNotFoundError(f"{original}: the link to {match['target']} leads nowhere.")
        there = shown.get(target) or shown.get(target / "README.md") or target
        if there.is_relative_to(DOCS) and there.is_file():
            return f"[{match['text']}]({os.path.relpath(there, page.parent)}{match['anchor'] or ''})"
        named = f"`{target.relative_to(REPOSITORY)}`"
        return named if match["text"].strip("`") in (match["target"], named.strip("`")) else f"{match['text']} ({named})"

    # links in code blocks are text
    parts = re.split(r"(^```.*?^```)", original.read_text("utf-8"), flags=re.M | re.S)
    source[0] = "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


class Notebook(MystParser):
    """A notebook as the page of Markdown that it is, with what its cells show (`.ci/notebooks.py`)."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Parse the cells one after the other."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(text for cell in cells for text in _cell(cell)), document)


def _cell(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    shown = [f"```python\n{source}\n```"]
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/png" in data:
            image = "".join(data["image/png"]).replace("\n", "")
            shown.append(f'<div class="shown"><img alt="What the cell shows" src="data:image/png;base64,{image}"></div>')
        elif "text/html" in data:
            # a blank line would end the block
            lines = [line for line in "".join(data["text/html"]).splitlines() if line.strip()]
            shown.append("\n".join(['<div class="shown">', *lines, "</div>"]))
        else:
            text = "".join(output.get("text") or data["text/plain"])
            shown.append(f"````text\n{text}\n````")
    return shown


def _skip(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Leave out names for types, for which autodoc has no signature, and what a notebook calls: that is on the page `api`."""
    named = isinstance(member, types.GenericAlias) or (isinstance(member, type) and not member.__module__.startswith("benchmill"))
    return True if app.env.docname == "api/benchmill" or named else None


def setup(app: Sphinx) -> None:
    """Connect the above."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(Notebook)
    app.connect("source-read", _page)
    app.connect("autodoc-skip-member", _skip)
