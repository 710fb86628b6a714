"""No name of an entry stands outside its module and the entries of others: what has to be known of it, the entry says."""

import ast
from functools import cache
from pathlib import Path

import pytest

from benchmill.core import schema
from benchmill.registry import criteria, figures, formats, inference, measures, tables, variants

ROOT = Path(__file__).parents[2]
REGISTRIES = {
    "comparisons": inference.COMPARISONS,
    "corrections": inference.CORRECTIONS,
    "criteria": criteria.CRITERIA,
    "figures": figures.KINDS,
    "formats": formats.FORMATS,
    "measures": measures.MEASURES,
    "posteriors": inference.POSTERIORS,
    "tables": tables.KINDS,
    "tests": inference.TESTS,
    "variants": variants.VARIANTS,
}

#: Results and their columns: who reads a file has to name it, and some figures and tables are named as what they show.
STORED = {*schema.TABLES, *(column for table in schema.TABLES.values() for column in table.names)}

#: Names that are words of other things too.
WORDS = {
    "background": "a command, the study that it makes of paths, and what lies behind a figure",
    "data": "a table that a function is given",
    "given": "what the page is given as it stands in the files",
    "irregularities": "a part of an ingest report",
    "none": "no normalisation, no line, no marker",
    "outcomes": "an option of tables of solver runs",
    "origins": "what the page is told of versions",
    "profile": "what a figure shows, among the settings of the figure",
    "published": "an option of measures",
    "quantiles": "a key of the indicators",
    "table": "an Arrow table",
}

#: Modules that are about certain names.
ABOUT = {
    "src/benchmill/notebook": "the front door, which asks for certain figures and tables",
    "src/benchmill/versions": "two versions of a solver, a front door of its own",
    "src/benchmill/reproduction/published.py": "compares with published tables, whose columns these measures are",
}


@cache
def texts():
    """Every text of the code outside registries and entries: its module, where it stands, and itself."""
    found = []
    for path in sorted([*(ROOT / "src/benchmill").rglob("*.py"), *(ROOT / "scripts").glob("*.py")]):
        place = path.relative_to(ROOT)
        if path.parent.name == "registry" or any(place.is_relative_to(about) for about in ABOUT):
            continue
        module = ".".join(place.with_suffix("").parts[1:])
        body = ast.parse(path.read_text("utf-8")).body
        statements = [s for s in body if not (isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "ENTRIES")]
        nodes = [node for s in statements for node in ast.walk(s) if isinstance(node, ast.Constant)]
        found += [(module, f"{place}:{node.lineno}", node.value) for node in nodes if isinstance(node.value, str)]
    return found


@pytest.mark.parametrize("registry", REGISTRIES)
def test_no_name_stands_outside_its_module_and_its_registry(registry):
    own = {
        name: {entries[name].module for entries in REGISTRIES.values() if name in entries}
        for name in REGISTRIES[registry].keys() - STORED - WORDS.keys()
    }
    assert [f"{place} {text}" for module, place, text in texts() if text in own and module not in own[text]] == []


def test_what_is_excepted_is_needed():
    names = {name for entries in REGISTRIES.values() for name in entries}
    assert set(WORDS) <= names - STORED
    assert all((ROOT / path).exists() for path in ABOUT)
