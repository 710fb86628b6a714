"""The sections of `indicators`: entries, options and configuration agree."""

from pathlib import Path

import pytest
import yaml

from benchmill.core import options
from benchmill.core.errors import UserError
from benchmill.indicators import ecdf, ert
from benchmill.indicators.targets import candidates, chosen
from benchmill.registry.indicators import INDICATORS, TARGET_SETS
from tests.costs.making import cost_rows

SCHEMA = yaml.safe_load((Path(__file__).parents[2] / "workflow/schemas/config.schema.yaml").read_text("utf-8"))["$defs"]
WRITTEN = SCHEMA["indicators"]["properties"]


def resolved(node):
    while "$ref" in node:
        node = {**SCHEMA[node["$ref"].split("/")[-1]], **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def without_words(node):
    if not isinstance(node, dict):
        return node
    return {name: without_words(resolved(item) if isinstance(item, dict) else item) for name, item in node.items()
            if name != "format" and not (name == "description" and isinstance(item, str))}  # fmt: skip


@pytest.mark.parametrize("name", INDICATORS)
def test_the_configuration_offers_the_options_of_a_section(name):
    assert without_words(WRITTEN[name]["properties"]) == without_words(options.properties(INDICATORS[name].option_class))
    assert not options.required(INDICATORS[name].option_class)


def test_the_configuration_offers_what_is_of_all_indicators():
    flat = {name: node for name, node in WRITTEN.items() if name not in {*INDICATORS, "quantiles", "target_sets", "intervals"}}
    made = options.properties(ert.Options)
    assert without_words(WRITTEN["intervals"]["properties"]) == without_words(options.properties(ert.Intervals))
    assert without_words(flat) == without_words({name: node for name, node in made.items() if name != "intervals"})


@pytest.mark.parametrize("branch", SCHEMA["target_set"]["oneOf"], ids=lambda branch: branch["properties"]["kind"]["const"])
def test_the_configuration_offers_the_options_of_a_set_of_targets(branch):
    written = dict(branch["properties"])
    made = TARGET_SETS[written.pop("kind")["const"]].option_class
    assert without_words(written) == without_words(options.properties(made))
    assert branch["required"][1:] == options.required(made)


def test_settings_become_objects_of_options_also_inside():
    found = options.made(ecdf.Options, {"bands": {"level": 0.5}, "area": {"from": 2}}, "ecdf")
    assert found.bands == ecdf.Bands(level=0.5)
    assert found.area == {"from": 2}
    assert options.made(ert.Options, {"intervals": {"resamples": 7}}, "indicators").intervals == ert.Intervals(resamples=7)
    with pytest.raises(UserError, match="ecdf has no setting 'levels'; it has level, resamples"):
        options.made(ecdf.Options, {"bands": {"levels": 0.5}}, "ecdf")


def test_a_set_needs_its_options():
    of = candidates(cost_rows([{"algorithm": "A", "cost": 1, "target": 1.0, "budget": 1}]))
    with pytest.raises(UserError, match="target_sets: the kind 'fixed' needs the setting 'targets'"):
        chosen(of, {"kind": "fixed"})
