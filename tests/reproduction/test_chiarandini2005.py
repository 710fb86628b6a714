"""Chiarandini, Basso, Stützle 2005, Table 1: Friedman on the medians, values recomputed with R and SciPy."""

import math

import pytest

from benchmill.core import replicates
from benchmill.inference.comparisons import conover, nemenyi
from benchmill.inference.design import from_ratios
from benchmill.profiles.ratios import ratios
from tests.costs.making import cost_rows
from tests.inference.making import analyse
from tests.reproduction.tables import paper_table


@pytest.fixture(scope="module")
def medians():
    rows = [
        {"algorithm": r["algorithm"], "problem": r["instance"], "cost": float(r["median"]), "measure": "colours"}
        for r in paper_table("chiarandini2005_table1_coloring")
    ]
    table = ratios(cost_rows(rows), measure="colours", problem_keys=["problem"], aggregate="single")
    return from_ratios(table, measure="colours")


def test_omnibus(medians):
    found = analyse(medians, measure="colours", methods=["friedman"])
    tests, ranks = found["tests"], found["ranks"]
    chi2, f = tests.to_pylist()
    assert chi2["statistic"] == pytest.approx(21.270440, abs=5e-7)
    assert chi2["p"] == pytest.approx(0.0064627, abs=5e-8)
    assert f["statistic"] == pytest.approx(3.978824, abs=5e-7)
    assert f["p"] == pytest.approx(0.0015221, abs=5e-8)
    assert (f["df1"], f["df2"], f["n_blocks"], f["n_treatments"]) == (8, 40, 6, 9)
    assert {r["algorithm"]: round(r["average_rank"], 3) for r in ranks.to_pylist()} == {
        "HEA": 2.667,
        "TS_N1": 3.5,
        "XRLF": 4.417,
        "ILS": 4.667,
        "MinConf": 4.667,
        "GLS": 5.333,
        "SA_N2": 5.417,
        "Novelty": 5.5,
        "TS_N3": 8.833,
    }


def test_minimum_significant_differences(medians):
    table = analyse(medians, measure="colours", comparisons=["conover", "nemenyi"])["comparisons"]
    msd = dict(zip(table.column("method").to_pylist(), table.column("msd").to_pylist(), strict=True))
    assert msd["conover"] == pytest.approx(4.174, abs=5e-4)
    assert msd["nemenyi"] == pytest.approx(4.904, abs=5e-4)
    # without correction for the 36 pairs
    costs = medians[0].values
    assert conover(costs, 0.05 * 36).common_msd == pytest.approx(2.455, abs=5e-4)
    assert conover(costs, 0.05, "none").common_msd == pytest.approx(2.455, abs=5e-4)
    assert nemenyi(costs, 0.05).common_msd == msd["nemenyi"]


def test_who_differs(medians):
    rows = {
        (r["method"], r["algorithm_a"], r["algorithm_b"]): r
        for r in analyse(medians, measure="colours", comparisons=["conover", "nemenyi"])["comparisons"].to_pylist()
    }
    worst = rows["conover", "HEA", "TS_N3"]
    assert worst["difference"] == pytest.approx(2 + 2 / 3 - (8 + 5 / 6))
    assert worst["significant"]
    assert worst["p_adjusted"] == pytest.approx(36 * worst["p"])
    assert rows["nemenyi", "HEA", "TS_N3"]["significant"]
    assert not rows["nemenyi", "HEA", "TS_N1"]["significant"]
    assert math.isinf(rows["nemenyi", "HEA", "TS_N1"]["df"])


def test_the_order_statistics_are_the_printed_ones():
    found = {}
    for r in paper_table("chiarandini2005_table1_order_statistics"):
        found.setdefault((r["problem"], r["algorithm"]), []).append(float(r["cost"]))
    for r in paper_table("chiarandini2005_table1_coloring"):
        printed = [float(r[name]) for name in ("best", "q1", "median", "q3", "worst")]
        assert found.pop((r["instance"], r["algorithm"])) == printed
        # five order statistics are their own quartiles, so that the quantile table prints them again
        assert replicates.quantiles(printed, [0, 0.25, 0.5, 0.75, 1])[:, 0].tolist() == printed
    assert not found


def test_six_instances_are_too_few_for_wilcoxon_and_permutation_gives_its_p(medians):
    found = analyse(medians, measure="colours", methods=["permutation", "anova"], comparisons=["wilcoxon"], normalise="none")
    p = {r["method"]: r["p"] for r in found["tests"].to_pylist()}
    # analysis of variance 0.115, within-block permutation 0.0827 by other implementations
    assert p["anova"] == pytest.approx(0.115, abs=5e-4)
    assert p["permutation"] == pytest.approx(0.0827, abs=0.012)
    pairs = found["comparisons"].to_pylist()
    assert {r["p_adjusted_min"] for r in pairs} == {1.0}
    assert not any(r["significant"] for r in pairs)
