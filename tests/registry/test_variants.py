"""The variants agree with the configuration, the tables, and what their modules can do."""

from dataclasses import dataclass

import pytest

from benchmill.core import UserError, schema
from benchmill.profiles import fit, options, variant
from benchmill.profiles.ratios import ratios
from benchmill.registry.measures import MEASURES
from benchmill.registry.variants import TABLES, VARIANTS, extra_tables
from benchmill.study.study import Study
from tests.costs.making import cost_rows


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_what_its_entry_says(name):
    entry = VARIANTS[name]
    assert entry.profile.variant == name
    assert issubclass(entry.profile, variant.Profile)
    assert issubclass(entry.options, options.Options)
    assert {*TABLES, *entry.tables} <= set(schema.TABLES)
    assert set(entry.kinds) <= set(MEASURES)
    assert entry.words
    assert entry.references
    assert entry.load().__doc__


def test_the_variants_that_make_the_same_tables_are_made_by_one_rule():
    found = extra_tables()
    assert sorted(name for names in found.values() for name in names) == sorted(VARIANTS)
    assert all(VARIANTS[name].tables == tables for tables, names in found.items() for name in names)


@pytest.mark.parametrize("kind", MEASURES)
def test_studies_make_the_variants_that_are_defined_for_a_measure(kind):
    profiles = [{"name": name, "variant": name, "measures": None} for name in VARIANTS]
    study = Study("s", "", {"profiles": profiles}, (), {"m": {"kind": kind}})
    assert list(study.variants_for("m")) == [name for name, entry in VARIANTS.items() if entry.defined_for(kind)]


def costs_of():
    rows = [
        {"algorithm": a, "problem": p, "run": r, "cost": float(1 + i + j + r), "budget": 99}
        for i, a in enumerate("AB")
        for j, p in enumerate("pq")
        for r in (1, 2)
    ]
    return cost_rows(rows)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_makes_the_tables_of_its_entry_and_reads_costs_if_it_says_so(name):
    entry = VARIANTS[name]
    costs = costs_of()
    rated = ratios(costs, measure="m", aggregate="mean")
    given = costs if entry.reads_costs(banded=False) else None
    tables = fit(rated, given, measure="m", variant=name).tables()
    assert list(tables) == [*TABLES, *entry.tables]
    for table, made in tables.items():
        assert made.schema.equals(schema.TABLES[table]), table
    assert entry.reads_costs(banded=True)
    banded = fit(rated, costs, measure="m", variant=name, aggregate="mean", bands="both").tables()
    assert banded["profile_intervals"].num_rows
    assert {"low", "high"} < set(banded["profile_intervals"].column_names)


@dataclass(frozen=True, kw_only=True)
class Nothing(options.Options):
    pass


class Bare(variant.Profile[Nothing]):
    variant = "bare"

    def curves_of(self, number):
        return [([1.0], [1.0])]

    def measures_of(self, number):
        return {}


def test_a_variant_without_resampling_says_that_it_has_no_bands():
    costs = costs_of()
    fitted = Bare(ratios(costs, measure="m", aggregate="mean"), measure="m", options=Nothing.of({"bands": "both"}, "bare"))
    assert fitted.profile_warnings.num_rows == 0
    with pytest.raises(UserError, match="no bands for the variant 'bare'"):
        fitted.resampling(0, 1.0, None)
    with pytest.raises(UserError, match="need the costs of the trials"):
        _ = fitted.cells
