"""The kinds of measure: entries, options, configuration and texts agree, and a new one is one module and one line."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

from benchmill.core import options
from benchmill.core.options import option
from benchmill.costs import costs
from benchmill.costs import options as costs_options
from benchmill.costs.rows import cost_table
from benchmill.exhibits.sentences.methods import methods
from benchmill.registry.bibliography import cited
from benchmill.registry.measures import MEASURES, RUNNING_TIMES, VALUES
from benchmill.registry.measures import Measure as Kind
from benchmill.registry.variants import VARIANTS
from benchmill.text.measures import Measure
from tests.costs.making import INF, source


def test_other_registries_know_the_kinds():
    assert {kind for variant in VARIANTS.values() for kind in variant.kinds} <= set(MEASURES)
    assert MEASURES[RUNNING_TIMES].levels == "targets"
    assert MEASURES[VALUES].levels == "budgets"


@pytest.mark.parametrize("name", MEASURES)
def test_an_entry_says_what_texts_and_plan_need(name):
    entry = MEASURES[name]
    assert entry.name == name
    known = options.properties(entry.options)
    assert not entry.levels or entry.levels in known
    # where the definition does not say how trials become one cost, a measure does
    assert bool(entry.aggregate) == ("aggregate" not in known)
    given = {"targets": [0.5], "budgets": [3], "aggregate": "mean"}
    settings = {name: {"kind": name, **{key: given[key] for key in given if key in known}}}
    text = dict(methods({"measures": settings}))["Measures"]
    assert "{" not in text
    assert set(entry.references) == set(cited([text]))
    measure = Measure.parsed({"name": name, **settings[name]})
    few = measure.caption.replace("cost as the source states it", "as stated")
    assert measure.told.endswith(f"({few})")


def test_what_is_counted_in_a_solver_run_is_said():
    def said(**settings):
        measure = {"kind": "given", "aggregate": "single", **settings}
        return Measure.parsed(measure).caption, dict(methods({"measures": {"m": measure}}))["Measures"].split(" A problem")[0]

    assert said() == ("cost as the source states it", "M: the cost as the source states it.")
    assert said(quantity="nodes")[1] == (
        "M: the nodes of a solved run, infinite for another one, whose limit is where it was stopped."
    )
    assert said(quantity="rate")[1] == "M: the reciprocal of the number that the source states, infinite for 0."


@dataclass(frozen=True, kw_only=True)
class Power(costs_options.Options):
    watts: float = option("Power of the machine.", 100.0, exclusiveMinimum=0)
    aggregate: Literal["mean"] = option("How trials become one cost.", "mean")


def energies(trials, traces, measure, options):
    seconds = trials.column("cost").to_numpy(zero_copy_only=False)
    return cost_table(trials, options.watts * seconds[:, None], measure)


def test_a_new_kind_is_computed_and_described(monkeypatch):
    words = {"phrase": "the energy that a run takes", "caption": "energy of a run"}
    monkeypatch.setitem(MEASURES.entries, "energy", Kind("energy", "energy", function=energies, options=Power, **words))
    trials, _ = source([{"cost": 2.0}, {"cost": INF}, {"problem": "f2", "cost": 3.0}])
    table = costs("energy", trials, None, "joules", {"watts": 50.0, "exclude": ["f2"]})
    np.testing.assert_array_equal(table["cost"].to_numpy(), [100, INF])
    said = dict(methods({"measures": {"joules": {"kind": "energy", "aggregate": "mean"}}}))["Measures"]
    assert said.startswith("Joules: the energy that a run takes. The trials of a problem become one cost by their mean")
    assert Measure.parsed({"name": "j", "kind": "energy"}).told == "j (energy of a run)"
