"""The kinds of figure agree with the configuration, the tables and the modules that draw."""

import importlib
from pathlib import Path

import pytest
import yaml

from benchmill.core import schema
from benchmill.registry.figures import KINDS

SCHEMA = Path(__file__).parents[2] / "workflow/schemas/config.schema.yaml"


def _enums(node):
    if isinstance(node, dict):
        if "enum" in node:
            yield node["enum"]
        for below in node.values():
            yield from _enums(below)
    elif isinstance(node, list):
        for below in node:
            yield from _enums(below)


def test_studies_can_ask_for_every_kind():
    listed = [enum for enum in _enums(yaml.safe_load(SCHEMA.read_text("utf-8"))) if "pareto_fronts" in enum]
    assert [sorted(enum) for enum in listed] == [sorted(name for name, kind in KINDS.items() if kind.asked)]


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_drawn_from_tables_that_there_are(name):
    kind = KINDS[name]
    assert kind.tables
    assert {table.split("/")[0] for table in kind.tables} <= set(schema.TABLES)
    assert kind.shows in ("profiles", "measures", "indicators", "curves")
    module = importlib.import_module(f"benchmill.figures.{name}")
    assert callable(module.draw)
    assert callable(module.caption)
