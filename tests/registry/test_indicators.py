"""The sections of `indicators` and the sets of targets: a new one is a class of options and one line."""

from dataclasses import dataclass

import numpy as np
import pytest

from benchmill.core import options
from benchmill.core.errors import UserError
from benchmill.core.options import option
from benchmill.indicators import ecdf
from benchmill.indicators.targets import candidates, chosen, counted
from benchmill.registry.indicators import INDICATORS, TARGET_SETS, Indicator, OptionSet
from benchmill.workflow.configuration import schema
from tests.costs.making import cost_rows


def sections():
    study = schema()["properties"]["studies"]["additionalProperties"]["properties"]
    return study["indicators"]["properties"]


@pytest.mark.parametrize("name", [name for name, entry in INDICATORS.items() if entry.options])
def test_every_option_of_a_section_has_a_default(name):
    assert INDICATORS[name].name == name
    assert not options.required(INDICATORS[name].options)
    assert sections()[name]["default"] == {}


def test_settings_become_objects_of_options_also_inside():
    found = options.made(ecdf.Options, {"bands": {"level": 0.5}, "area": {"from": 2}}, "ecdf")
    assert found.bands == ecdf.Bands(level=0.5)
    assert found.area == {"from": 2}
    with pytest.raises(UserError, match="ecdf has no setting 'levels'; did you mean 'level'"):
        options.made(ecdf.Options, {"bands": {"levels": 0.5}}, "ecdf")


def test_a_set_needs_its_options():
    of = candidates([counted(cost_rows([{"algorithm": "A", "cost": 1, "target": 1.0, "budget": 1}]))])
    with pytest.raises(UserError, match="target_sets: the kind 'fixed' needs the setting 'targets'"):
        chosen(of, {"kind": "fixed"})


@dataclass(frozen=True, kw_only=True)
class Hardest:
    number: int = option("How many.", 1, minimum=1)

    def chosen(self, of):
        return of.present & (np.arange(of.targets.size) >= of.targets.size - self.number)


def test_a_new_section_and_a_new_set_of_targets_arrive_in_the_schema(monkeypatch):
    monkeypatch.setitem(TARGET_SETS.entries, "hardest", OptionSet("hardest", "the hardest targets", options=Hardest))
    monkeypatch.setitem(INDICATORS.entries, "hardest", Indicator("hardest", "the hardest targets", options=Hardest))
    said = {"number": {"description": "How many.", "type": "integer", "minimum": 1, "default": 1}}
    assert sections()["hardest"]["properties"] == said
    kinds = sections()["target_sets"]["additionalProperties"]["oneOf"]
    assert kinds[-1]["properties"] == {"kind": {"description": "the hardest targets", "const": "hardest"}, **said}
    rows = [{"algorithm": "A", "cost": 1, "target": t, "budget": 9} for t in (10.0, 1.0, 0.1)]
    np.testing.assert_array_equal(
        chosen(candidates([counted(cost_rows(rows))]), {"kind": "hardest", "number": 2}), [[False, True, True]]
    )
