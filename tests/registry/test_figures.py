"""The kinds of figure agree with the tables and the modules that draw."""

import pytest

from benchmill.core import schema
from benchmill.exhibits.figures import options
from benchmill.registry.figures import KINDS


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_drawn_from_tables_that_there_are(name):
    kind = KINDS[name]
    assert kind.words
    assert kind.tables
    assert {table.split("/")[0] for table in kind.tables} <= set(schema.TABLES)
    assert kind.shows in ("profiles", "costs", "tests", "indicators", "runs", "curves", "claims")
    assert kind.each in ("", "profile", "aggregation", "measure", "summary", "values")
    assert kind.asked or kind.each
    module = kind.load()
    assert module.__doc__
    assert callable(module.select)
    assert hasattr(module, "draw") or hasattr(module, "GRID")
    assert callable(module.caption)
    assert not kind.asked or issubclass(module.Options, options.Asked)
