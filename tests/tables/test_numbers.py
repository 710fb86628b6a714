"""Numbers under names, for the text of a paper."""

import re

import pytest

from benchmill.tables import numbers
from tests.report import synthetic


@pytest.fixture(scope="module")
def found():
    return numbers.build("my-study", synthetic.tables(n_problems=4), synthetic.reports())


def test_headline_numbers(found):
    by_key = {n.key: n for n in found}
    assert by_key["my-study/trials/found"].text == "3\u202f837"
    assert by_key["my-study/trials/missing"].value == 3
    assert by_key["my-study/algorithms"].value == 8
    assert by_key["my-study/trials/DE/found"].value == 477
    assert by_key["my-study/irregularities/repaired"].value == 2
    measures = synthetic.tables(n_problems=4)["profile_measures"].to_pylist()
    for row in measures:
        if row["algorithm"] == "CMA-ES" and row["variant"] == "dolan_more":
            assert by_key["my-study/profile/ert/dolan_more/all/CMA-ES/auc"].value == row["auc"]
    assert "my-study/profile/ert/dolan_more_by_dimension/dimension-10/CMA-ES/rho_1" in by_key
    assert "my-study/tests/ert/target-1e-07/friedman/p" in by_key


def test_names_are_unique_listed_and_safe(found):
    keys = [n.key for n in found]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z0-9._+/-]+", key) for key in keys)
    source = numbers.render(found)
    for item in found:
        assert source.count(f"%   {item.key}  --  ") == 1
        assert source.count(f"benchmill@{item.key}\\endcsname{{") == 1


def test_hostile_names_stay_apart_and_tame():
    tables = synthetic.tables(synthetic.HOSTILE, n_problems=2, measure="ert")
    found = numbers.build("s", tables, synthetic.reports(synthetic.HOSTILE))
    aucs = [n for n in found if n.key.startswith("s/profile/ert/dolan_more/all/") and n.key.endswith("/auc")]
    assert len(aucs) == len(synthetic.HOSTILE)
    source = numbers.render(found)
    assert r"\input" not in source.replace(r"\input of this file", "")


def test_targets_that_differ_late_keep_different_names():
    a, b = 63.09573444801933, 63.0957
    assert numbers._short(a) != numbers._short(b)
    assert numbers._short(1e-8) == "1e-08"


def test_what_a_source_does_not_say_is_unknown_not_zero():
    reports = synthetic.reports()
    reports[0]["trials"]["expected"] = None
    reports[0]["trials"]["missing"] = None
    by_key = {n.key: n.text for n in numbers.build("s", {}, reports)}
    assert by_key["s/trials/expected"] == by_key["s/trials/missing"] == "unknown"
    assert by_key["s/trials/found"] == "3\u202f837"
