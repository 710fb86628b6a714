"""The sections of `indicators`: a new one is a class of options and one line."""

from dataclasses import dataclass

import pytest

from benchmill.core import UserError, options
from benchmill.core.options import option
from benchmill.indicators import ecdf
from benchmill.registry.indicators import INDICATORS, Indicator
from benchmill.study.configuration import schema


def sections():
    study = schema()["properties"]["studies"]["additionalProperties"]["properties"]
    return study["indicators"]["properties"]


@pytest.mark.parametrize("name", [name for name, entry in INDICATORS.items() if entry.options])
def test_every_option_of_a_section_has_a_default(name):
    assert INDICATORS[name].name == name
    assert not options.required(INDICATORS[name].options)
    assert sections()[name]["default"] == {}


def test_settings_become_objects_of_options_also_inside():
    found = options.made(ecdf.Options, {"bands": True, "level": 0.5, "area_to": 2}, "ecdf")
    assert found.level == 0.5
    assert found.area_to == 2
    with pytest.raises(UserError, match="ecdf has no setting 'levels'; did you mean 'level'"):
        options.made(ecdf.Options, {"levels": 0.5}, "ecdf")


@dataclass(frozen=True, kw_only=True)
class Hardest:
    number: int = option("How many.", 1, minimum=1)


def test_a_new_section_arrives_in_the_schema(monkeypatch):
    monkeypatch.setitem(INDICATORS.entries, "hardest", Indicator("hardest", "the hardest targets", options=Hardest))
    said = {"number": {"description": "How many.", "type": "integer", "minimum": 1, "default": 1}}
    assert sections()["hardest"]["properties"] == said
