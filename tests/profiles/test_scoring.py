"""Scores of competitions: what the competitions published of real results, and small cases by hand."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from benchmill.core import UserError
from benchmill.profiles.scoring import Runs, ranked, runs_of
from benchmill.profiles.standings import leaders
from tests.profiles.test_leaders import COSTS, of, table

NAN, INF = np.nan, np.inf
TABLES = Path(__file__).parents[2] / "data/paper-tables"
ROOT = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(ROOT is None, reason="BENCHMILL_REAL_DATA names no folder")


def runs(cost, spent=None, dimension=None, **more):
    cost = np.array(cost, float)
    spent = np.full(cost.shape, NAN) if spent is None else np.array(spent, float)
    return Runs(cost, spent, np.full(cost.shape[1], NAN) if dimension is None else np.array(dimension, float), **more)


def wide(path, index, limit):
    """A table with a column an algorithm, as names and runs."""
    frame = pd.read_csv(Path(ROOT) / path).set_index(index)
    frame = frame.replace("[a-z]+$", "", regex=True).astype(float)
    return list(frame), runs(np.where(frame >= limit, INF, frame).T, limit=limit)


def order(name, given, names):
    values, places = ranked(name, given)
    return [(names[i], round(float(values[i]), 2)) for i in np.argsort(places, kind="stable")]


#: Score by PAR-2 and instances solved, the main track of the SAT Competition 2024: results.html of satcompetition/2024.
SAT_2024 = {
    "kissat-sc2024": (2788.13, 306),
    "Kissat_MAB-DC": (3435.23, 290),
    "hKis-bva": (3461.15, 285),
    "BreakID-Kissat": (3461.77, 284),
    "Kissat_MAB_ESA": (3490.98, 287),
    "CaDiCaL": (3494.11, 284),
    "Kissat_MAB_Binary": (3516.04, 285),
    "Cadical_ESA": (3560.32, 281),
    "AMSAT_RGC": (3631.69, 279),
    "AMSAT": (3641.2, 278),
    "hCaD-bva": (3728.66, 271),
    "hCaD-pbva": (4056.35, 261),
    "hKis-pbva": (5170.5, 217),
    "IsaSAT": (6325.79, 165),
}
#: Scaled shifted geometric means of the LPopt benchmark of 29 April 2026, as mattmilten/mittelmann-plots recomputes them.
LPOPT = {"COPT 8.0.0": 1.0, "MOSEK 11.1.11": 6.24, "XOPT 0.0.8": 6.63, "HiGHS 1.14.0": 13.07, "CLP 1.17.7": 27.38,
         "Google-GLOP": 59.71, "SOPLEX 8.0.0": 103.92}  # fmt: skip


@real
def test_the_main_track_of_the_sat_competition_2024():
    path = Path(ROOT) / "sat-competition/sat2024-detailed_main.csv"
    frame = pd.read_csv(path).drop(columns=["hash", "vresult"])
    given = runs(np.where(frame >= 5000, INF, frame).T, limit=5000)
    assert order("par2", given, list(frame)) == [(name, score) for name, (score, _) in SAT_2024.items()]
    solved, places = ranked("solved_then_time", given)
    assert dict(zip(frame, solved, strict=True)) == {name: n for name, (_, n) in SAT_2024.items()}
    # two pairs solve as many, and their times part them
    assert len(set(places)) == 14


@real
def test_the_shifted_geometric_means_of_the_lpopt_benchmark():
    names, given = wide("mittelmann-extract/lpopt-29-Apr-2026.csv", "problem", 15000)
    values, places = ranked("shifted_geometric_mean", given)
    assert {names[i]: round(values[i] / values.min(), 2) for i in np.argsort(places)} == LPOPT


#: Points of iZplus against others on an instance, as ndangtt/portfolio-based-analysis computes them: results/borda-2016-free.csv.
PAIRS = [
    ("25_04", "HaifaCSP-free", 0.8890932499540188),
    ("31_02", "HaifaCSP-free", 0.9795315882700256),
    ("25_04", "OR-Tools-free", 0.9986367459147593),
    ("31_02", "OR-Tools-free", 0.9995530615818826),
]


@real
def test_medals_of_the_minizinc_challenge_2016():
    """By what was proven alone, the medals of the free search come out; values of searches that were cut are not there."""
    text = (Path(ROOT) / "aslib/CSP-Minizinc-Time-2016/algorithm_runs.arff").read_text()
    rows = pd.DataFrame(
        [line.split(",") for line in text.split("@DATA")[1].split()], columns=["i", "r", "name", "time", "status"]
    )
    cost = rows["time"].astype(float).where(rows["status"] == "ok", INF)
    every = rows.assign(cost=cost).pivot(index="name", columns="i", values="cost")
    for instance, other, points in PAIRS:
        two = every.loc[["iZplus-free", other], [instance]]
        assert ranked("borda", runs(two, limit=1200))[0] == pytest.approx([points, 1 - points])
    places = [name.removesuffix("-free") for name, _ in order("borda", runs(every, limit=1200), list(every.index))]
    # medals: minizinc.org/challenge2016/results2016.html; entries of the organisers take part and win none
    ours = ("LCG-Glucose", "LCG-Glucose-UC", "Chuffed", "G12FD", "Gecode")
    eligible = [name for name in places if name not in ours and not name.startswith("MZN/")]
    assert eligible[:3] == ["HaifaCSP", "Picat-SAT", "iZplus"]


def test_ranks_of_cec_2006_by_success_performance():
    """The organisers' slides: Rank(f) = Rank(sum of Rank(f_i)), of all but g20."""
    frame = pd.read_csv(TABLES / "barbosa2010_source_cec2006_measures.csv").query("problem != 'g20'")
    cost = frame.pivot(index="algorithm", columns="problem", values="success_performance").fillna(INF)
    published = pd.read_csv(TABLES / "barbosa2010_table4_cec_ranks.csv").set_index("algorithm")["rank_success_performance"]
    assert dict(zip(cost.index, ranked("cec_ranks", runs(cost))[1], strict=True)) == published.to_dict()


#: QF_Strings, single query, of SMT-COMP 2022: errors, correct answers, CPU time, wall time (sequential), and of the parallel one.
SMT_2022 = {
    "cvc5": ((0, 15394, 553312.043, 555916.207), (0, 15394, 554381.213, 555897.867)),
    "2020-CVC4": ((0, 15345, 543081.023, 563470.172), (0, 15345, 557578.083, 563446.212)),
    "z3-4.8.17": ((0, 14855, 1250806.284, 1250448.355), (0, 14855, 1250991.914, 1250406.185)),
    "Z3str4": ((0, 14762, 976628.118, 976486.921), (0, 14762, 976748.268, 976451.911)),
    "OSTRICH": ((0, 9054, 8210412.544, 8107150.502), (0, 9057, 8210515.955, 8106925.352)),
}


def of_totals(rows, *, main, errors=None):
    """Runs that add up to stated totals: correct answers on the first instances, the rest of the time on the last one."""
    n = max(row[1] for row in rows) + 1
    cost = np.array([[1.0] * row[1] + [INF] * (n - row[1]) for row in rows])
    totals = {name: np.array([row[at] for row in rows]) for name, at in (("cpu", 2), ("wall", 3))}
    spent = {name: np.zeros(cost.shape) for name in totals}
    for name, total in totals.items():
        spent[name][:, -1] = total - [row[1] for row in rows]
    wrong = np.zeros(cost.shape)
    for row, count in zip(wrong, errors or [0] * len(rows), strict=True):
        row[n - 1 - count : n - 1] = count > 0
    beside = {"errors": runs(wrong), "cpu": runs(cost, spent["cpu"])}
    return runs(cost, spent[main], beside=beside)


@pytest.mark.parametrize(("name", "main", "which"), [("smt_sequential", "cpu", 0), ("smt_parallel", "wall", 1)])
def test_a_division_of_smt_comp_2022(name, main, which):
    rows = [both[which] for both in SMT_2022.values()]
    # the published order, also if they are handed over the other way round
    assert ranked(name, of_totals(rows, main=main))[1].tolist() == [1, 2, 3, 4, 5]
    assert ranked(name, of_totals(rows[::-1], main=main))[1].tolist() == [5, 4, 3, 2, 1]
    # one error, and all correct answers are worth less
    assert ranked(name, of_totals(rows, main=main, errors=[1, 0, 0, 0, 0]))[1].tolist() == [5, 1, 2, 3, 4]


def test_smt_comp_counts_in_its_order():
    two = [(0, 3, 10.0, 7.0), (0, 3, 9.0, 8.0)]
    assert ranked("smt_parallel", of_totals(two, main="wall"))[1].tolist() == [1, 2]
    assert ranked("smt_sequential", of_totals(two, main="cpu"))[1].tolist() == [2, 1]
    assert ranked("smt_parallel", of_totals([two[0], two[0]], main="wall"))[1].tolist() == [1, 1]
    # an error after the limit of CPU time, or an answer, is none
    late = runs([[9.0, 1.0], [INF, 1.0]], [[NAN, NAN], [9.0, NAN]], limit=5, beside={"errors": runs([[0, 0], [1.0, 0]])})
    assert ranked("smt_sequential", late)[0].tolist() == [0, 0]


def test_failures_count_by_the_limit_and_ties_are_shared():
    given = runs([[1.0, INF], [INF, 1.0], [2.0, 30.0]], limit=10)
    for name, expected in {"par2": [10.5, 10.5, 11], "par10": [50.5, 50.5, 51], "solved_then_time": [1, 1, 1]}.items():
        values, places = ranked(name, given)
        assert values.tolist() == expected, name
        assert places.tolist() == [1, 1, 3], name
    # what took longer than the limit has failed
    assert given.failed.tolist() == [[False, True], [True, False], [False, True]]
    sgm = ranked("shifted_geometric_mean", runs([[0.0, INF]], limit=10))[0]
    assert sgm == pytest.approx(np.sqrt(10 * 20) - 10)
    with pytest.raises(UserError, match=r"primary\.limit: is missing, and runs have failed"):
        ranked("par2", runs([[1.0, INF]]))
    assert ranked("par2", runs([[1.0, 2.0]]))[0].tolist() == [1.5]
    with pytest.raises(UserError, match="mean_shift"):
        ranked("shifted_geometric_mean", runs([[-20.0, 1.0]]))


def test_the_borda_count_of_answers_that_are_no_proofs():
    quality = runs([[5.0, 3.0, INF], [5.0, 4.0, INF], [5.0, 3.0, INF]])
    given = runs([[1.0, INF, INF], [INF, INF, INF], [3.0, INF, INF]], [[NAN, 10, 10]] * 3, limit=10, beside={"quality": quality})
    values, places = ranked("borda", given)
    # a proof before the same value without one; of two answers the better; halves of as good ones in as long; nothing for none
    assert values.tolist() == [(1 + 0.75) + (1 + 0.5), 0, (1 + 0.25) + (1 + 0.5)]
    assert places.tolist() == [1, 3, 2]
    assert ranked("borda", runs([[0.0], [0.0]]))[0].tolist() == [0.5, 0.5]


def test_the_score_of_cec_weighs_dimensions():
    given = runs([[1.0, 4.0], [2.0, 1.0]], dimension=[10, 30])
    # errors: 1/3 + 8/3 = 3 and 2/3 + 2/3 = 4/3; ranks: 1/3 + 4/3 = 5/3 and 2/3 + 2/3 = 4/3
    assert ranked("cec", given)[0] == pytest.approx([50 * 4 / 9 + 50 * 4 / 5, 100])
    assert ranked("cec", runs([[0.0], [0.0], [1.0], [INF]]))[0] == pytest.approx([100, 100, 50 * 1.5 / 3, 50 * 1.5 / 4])
    with pytest.raises(UserError, match="cec needs errors"):
        ranked("cec", runs([[-1.0]]))


def test_leaders_have_a_score_only_where_it_is_named():
    given = {"m": table(COSTS), "other": table(COSTS)}
    assert "par2" not in set(leaders(given).column("criterion").to_pylist())
    found = leaders(given, criterion="par2", also=["solved_then_time", "auc"], scale={"limit": 50})
    par2 = of(found, "par2")
    assert {name: row["value"] for name, row in par2.items()} == {"a": (3 + 100) / 4, "b": 7 / 4, "c": (4 + 4 + 100 + 2) / 4}
    assert [par2[name]["rank"] for name in "abc"] == [2, 1, 3]
    assert all(row["headline"] for row in par2.values())
    rows = found.to_pylist()
    assert {row["criterion"] for row in rows if row["measure"] == "other" and row["headline"]} == {"auc_log"}
    assert [row["value"] for row in rows if row["criterion"] == "solved_then_time"] == [3, 4, 3]


def test_what_was_added_for_the_ratios_counts_in_no_score():
    costs = {"A": [1.0, 38.0], "B": [30.0, INF]}
    found = [
        of(leaders({"m": table(given)}, criterion="par2", scale={"limit": 40, "added": added}), "par2")
        for given, added in ((costs, 0.0), ({name: np.add(own, 5.0) for name, own in costs.items()}, 5.0))
    ]
    assert [[row[name]["value"] for name in "AB"] for row in found] == [[19.5, 55], [19.5, 55]]


def test_measures_beside_have_one_cost_for_each_run():
    one, two = table(COSTS), table({name: costs[:3] for name, costs in COSTS.items()})
    # in whatever order its rows are
    shuffled = one.take(pa.array(np.random.default_rng(1).permutation(one.num_rows)))
    for other in (one, shuffled):
        found = runs_of(one, {"e": other}, {"beside": {"errors": "e"}})
        assert found.beside["errors"].cost.tolist() == found.cost.tolist()
    with pytest.raises(UserError, match=r"primary\.beside\.errors: its measure does not have one cost"):
        runs_of(one, {"e": two}, {"beside": {"errors": "e"}})
