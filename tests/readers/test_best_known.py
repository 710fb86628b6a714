"""Registers of best-known values: what they say, and what runs say against them."""

import math
import os
import re
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmill import readers
from benchmill.core import UserError, schema
from benchmill.readers import best_known
from benchmill.readers.interface import Report
from benchmill.readers.selection import OF_STUDY
from benchmill.readers.text import CUT_LINE

REAL = os.environ.get("BENCHMILL_REAL_DATA", "")

REGISTER = """problem,value,bound,sense,holder,date,evidence
p1,10,10,min,Ada,2025-01-31,proof
p2,20,,min,Ada,,solution of Bob
p3,infeasible,,min,,,
p4,30,40,max,,,
p5,,5,min,,,
"""
#: Solver, problem, seconds, status, value, bound.
RUNS = """solver,model,seconds,status,obj,lower
A,p1,1,optimal,10.0001,
A,p2,2,optimal,19,
A,p3,3,optimal,7,
A,p4,4,optimal,35,
A,p5,5,optimal,4,
B,p1,1,optimal,9,
B,p2,2,optimal,20,20
B,p3,3,infeasible,,
B,p4,4,optimal,50,
B,p5,9,timeout,6,7
"""
ENTRY = {
    "columns": {
        "algorithm": "solver", "problem": "model", "cost": "seconds",
        "outcome": "status", "best_value": "obj", "dual_bound": "lower",
    },
    "outcomes": {"optimal": "solved", "timeout": "time_limit"},
    "time_limit": 9,
}  # fmt: skip


@pytest.fixture
def files(tmp_path):
    (tmp_path / "runs.csv").write_text(RUNS, "utf-8")
    (tmp_path / "known.csv").write_text(REGISTER, "utf-8")
    return tmp_path


def load(files, register="known.csv", **entry):
    options = {**ENTRY, **entry, OF_STUDY: {"best_known": str(files / register)}}
    return readers.load(files / "runs.csv", format="table", options=options)


def test_a_register_says_what_is_proven():
    found = best_known.read_register(REGISTER, "known.csv")
    assert {problem: one.kind for (_, problem), one in found.items()} == {
        "p1": "opt", "p2": "best", "p3": "inf", "p4": "best", "p5": "unkn",
    }  # fmt: skip
    one = found[None, "p1"]
    assert (one.value, one.bound, one.maximise, one.holder, one.date, one.evidence) == (
        10,
        10,
        False,
        "Ada",
        "2025-01-31",
        "proof",
    )
    assert math.isnan(found[None, "p2"].bound)
    assert found[None, "p2"].date is None
    assert found[None, "p4"].maximise


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("problem,value\np1,1\np1,2\n", "k.csv:3: a second row for 'p1'"),
        ("problem,value\np1,one\n", "k.csv:2: value is 'one', expected a finite number"),
        ("problem,value,sense\np1,1,up\n", "k.csv:2: sense is 'up', expected min, max"),
        ("problem,value,bound,sense\np1,10,9,min\np2,10,12,min\n", "k.csv:3: value 10 and bound 12 cannot both be true"),
        ("problem,value,bound,sense\np1,10,9,max\n", "k.csv:2: value 10 and bound 9 cannot both be true"),
        ("problem,value\np1\n", "k.csv:2: found 1 cells, expected 2"),
        ("problem,best\np1,1\n", "found problem, best"),
        ("=opt= p1 3\n", "needs the suffix .solu"),
        ("", "has the columns problem, value or bound"),
    ],
)
def test_what_is_wrong_with_a_register_is_told(text, told):
    with pytest.raises(UserError, match=told):
        best_known.read_register(text, "k.csv")


def test_nothing_is_solved_that_the_register_proves_wrong(files):
    trials, _, report = load(files)
    ended = {(row["algorithm"], row["problem"]): (row["outcome"], row["status"], row["cost"]) for row in trials.to_pylist()}
    assert {key for key, (outcome, _, _) in ended.items() if outcome == "wrong"} == {
        ("A", "p3"),  # a solution of what has none
        ("A", "p5"),  # below the bound
        ("B", "p1"),  # below the optimum
        ("B", "p4"),  # of a maximisation, above the bound
    }
    assert all((status, cost) == ("failed", math.inf) for outcome, status, cost in ended.values() if outcome == "wrong")
    # within the tolerance, an improvement, and a true claim stay as they are
    assert ended["A", "p1"] == ("solved", "solved", 1)
    assert ended["A", "p2"] == ("solved", "solved", 2)
    assert ended["B", "p3"][0] == "infeasible"
    told = {i["rule"]: [(e["file"], e["line"]) for e in i["examples"]] for i in report["irregularities"]}
    assert sorted(told["contradicts_best_known"]) == [("runs.csv", line) for line in (4, 6, 7, 10)]
    assert sorted(told["better_than_best_known"]) == [("runs.csv", 3), ("runs.csv", 5)]
    optima = {row["problem"]: row["optimum"] for row in trials.to_pylist()}
    assert optima == {"p1": 10, "p2": 20, "p3": None, "p4": 30, "p5": None}


def test_what_is_switched_off_is_told_and_stays(files):
    trials, _, report = load(files, switch_off=["contradicts_best_known"])
    assert "wrong" not in trials["outcome"].to_pylist()
    assert {i["rule"]: i["count"] for i in report["irregularities"]}["contradiction"] == 4


def test_the_table_of_a_study_lists_the_same(files):
    trials, _, _ = load(files)
    register = best_known.read(str(files / "known.csv"))
    rows = best_known.of_sources({"mine": trials}, register).to_pylist()
    assert {(row["algorithm"], row["problem"], row["kind"], row["counts_as"], row["place"]) for row in rows} == {
        ("B", "p1", "contradiction", "wrong", "runs.csv:7"),
        ("A", "p2", "improvement", "solved", "runs.csv:3"),
        ("A", "p3", "contradiction", "wrong", "runs.csv:4"),
        ("A", "p4", "improvement", "solved", "runs.csv:5"),
        ("B", "p4", "contradiction", "wrong", "runs.csv:10"),
        ("A", "p5", "contradiction", "wrong", "runs.csv:6"),
    }
    (first,) = [row for row in rows if row["problem"] == "p1"]
    assert first["claim"] == "a value better than the proven optimum: 9, the optimum is 10"
    assert (first["best_value"], first["known_value"], first["known_bound"], first["holder"]) == (9, 10, 10, "Ada")
    assert [row["in_source"] for row in rows] == ["mine"] * 6


def test_without_a_sense_the_runs_of_a_table_are_not_compared(files):
    (files / "known.csv").write_text("problem,value\np1,10\np2,1\n", "utf-8")
    trials, _, report = load(files)
    assert "wrong" not in trials["outcome"].to_pylist()
    assert {i["rule"]: i["count"] for i in report["irregularities"]} == {"sense_not_stated": 4, "solvers_disagree": 4}
    assert best_known.of_sources({"mine": trials}, best_known.read(str(files / "known.csv"))).num_rows == 0


def test_without_a_sense_a_claim_of_another_optimum_than_the_proven_one_is_wrong(files):
    """A list of solvers says no sense, and two optima differ in any."""
    (files / "known.solu").write_text("=opt= p1 10\n=opt= p4 35\n=best= p2 1\n=inf= p3\n", "utf-8")
    trials, _, report = load(files, "known.solu")
    wrong = {(row["algorithm"], row["problem"]) for row in trials.to_pylist() if row["outcome"] == "wrong"}
    assert wrong == {("B", "p1"), ("B", "p4"), ("A", "p3")}
    told = {i["rule"]: i["examples"][0]["detail"] for i in report["irregularities"]}
    assert (
        told["contradicts_best_known"].endswith("states an optimum other than the proven one: 9, the optimum is 10")
        or "p3" in (told["contradicts_best_known"])
    )
    assert told["sense_not_stated"] == "A on p2"
    rows = best_known.of_sources({"mine": trials}, best_known.read(str(files / "known.solu"))).to_pylist()
    assert {(row["algorithm"], row["problem"]) for row in rows} == wrong


@pytest.mark.parametrize(
    ("word", "claims"),
    [
        *(
            (word, True)
            for word in ("optimal", "OPTIMAL", "opt", "Optimal solution found", "integer optimal, tolerance", "Optimum")
        ),
        *((word, True) for word in ("globally_optimal", "proven optimal", "optimality")),
        *(
            (word, False)
            for word in ("ok", "solved", "locally optimal", "LOCALLY_OPTIMAL", "suboptimal", "near-optimal", "option")
        ),
        *((word, False) for word in ("not optimal", "non_optimal", "optimal_inaccurate", "almost optimal", "feasible")),
    ],
)
def test_optimal_beside_a_value_claims_the_optimum(tmp_path, word, claims):
    """Two such claims contradict each other within a source; what claims no optimum contradicts none, and is asked about."""
    (tmp_path / "runs.csv").write_text(
        f"solver,model,seconds,status,obj\nA,p,1,'{word}',117\nB,p,1,'{word}',90\n".replace("'", '"')
    )
    entry = {**ENTRY, "columns": {**ENTRY["columns"]}, "outcomes": {word: "solved"}}
    del entry["columns"]["dual_bound"]
    trials, _, report = readers.load(tmp_path / "runs.csv", format="table", options=entry)
    assert trials["proven"].to_pylist() == [claims] * 2
    found = [(i["rule"], i["examples"][0]["detail"]) for i in report["irregularities"] if i["rule"] != "column_not_used"]
    asked = [("optima_in_doubt", "solved runs differ in their objective values on 1 problem, such as p: 90 by B, 117 by A")]
    open_ = asked if word in ("ok", "solved") else []
    assert found == ([("solvers_disagree", "p: the optimum 90 by B, the optimum 117 by A")] if claims else open_)
    (proposal,) = readers.examine(tmp_path / "runs.csv", format="table", options=entry)["proposals"] if open_ else [None]
    assert proposal is None or proposal["options"]["outcomes"] == {word: "optimal"}
    # the entry can say that a word claims it
    told = readers.load(tmp_path / "runs.csv", format="table", options={**entry, "outcomes": {word: "optimal"}})[2]
    assert [i["rule"] for i in told["irregularities"]] == ["solvers_disagree"]


def test_a_list_of_solvers_holds_for_a_study_too(files):
    (files / "known.solu").write_text("=opt= p1 10\n=inf= p3\n", "utf-8")
    register = best_known.read(str(files / "known.solu"))
    assert {key: one.kind for key, one in register.items()} == {(None, "p1"): "opt", (None, "p3"): "inf"}


def test_a_list_that_is_cut_or_states_no_number():
    report = Report({**best_known.RULES, "cut_line": CUT_LINE})
    lines = ["=opt= p1 10\n", "=opt= p2 ten\n", "=best= p3 nan\n", "=opt= p4\n", "=opt= p5 3"]
    assert [(name, one.value) for name, one, _ in best_known.read_solu(lines, "a.solu", report)] == [("p1", 10)]
    assert {rule: count for rule, count in report.counts.items() if count} == {"best_known_unreadable": 3, "cut_line": 1}
    # a number that ends as all others do is whole
    whole = [f"=opt= p{i} {number}" for i, number in enumerate(("1.5e+01\n", "2.5e+00\n", "3.5e+01\n", "4.5e+01"))]
    assert len(list(best_known.read_solu(whole, "a.solu", report))) == 4


def test_a_source_of_which_nothing_is_known_is_compared_with_nothing(files):
    trials, _, _ = load(files)
    (files / "other.csv").write_text("problem,value,sense\nq,1,min\n", "utf-8")
    register = best_known.read(str(files / "other.csv"))
    assert not {"wrong", "sense_not_stated"} & {one["rule"] for one in load(files, "other.csv")[2]["irregularities"]}
    other = schema.replaced(trials, problem=["q"] * trials.num_rows)
    rows = best_known.of_sources({"mine": trials, "other": other}, register).to_pylist()
    assert {row["in_source"] for row in rows} == {"other"}


def test_a_list_of_none_of_the_problems_of_a_study_is_refused(files):
    trials, _, _ = load(files)
    register = {("elsewhere", problem): one for (_, problem), one in best_known.read(str(files / "known.csv")).items()}
    with pytest.raises(UserError, match="best_known: none of the 5 problems that are listed is one of the study's"):
        best_known.of_sources({"mine": trials, "more": trials}, register)
    assert best_known.of_sources({"none": trials.slice(0, 0)}, register).num_rows == 0


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_the_energy_benchmark_against_a_register_of_medians(tmp_path):
    path = Path(REAL) / "energy-lp-milp/benchmark_results.csv.gz"
    table = pd.read_csv(path)
    medians = table.groupby("bench-size")["Objective Value"].median().dropna()
    # every other median counts as proven
    proven = medians.iloc[::2]
    register = pd.DataFrame({"problem": medians.index, "value": medians.to_numpy(), "sense": "min"})
    register["bound"] = proven.reindex(medians.index).to_numpy()
    register.to_csv(tmp_path / "known.csv", index=False)
    columns = {"problem": "bench-size", "algorithm": ["Solver", "Solver Version"], "outcome": "Status", "cost": "Runtime (s)"}
    options = {
        "columns": columns | {"time_limit": "Timeout", "best_value": "Objective Value"},
        "outcomes": {"ER": "error", "ok": "solved", "TO": "time_limit", "OOM": "memory_limit", "warning": "unknown"},
        OF_STUDY: {"best_known": str(tmp_path / "known.csv")},
    }
    trials, _, report = readers.load(path, format="table", options=options)
    known = table["bench-size"].map(medians)
    better = table["Objective Value"] < known - 1e-4 * np.maximum(1, known.abs())
    wrong = better & table["bench-size"].isin(proven.index)
    counts = {i["rule"]: i["count"] for i in report["irregularities"]}
    assert counts["better_than_best_known"] == (better & ~wrong).sum() > 0
    assert counts["contradicts_best_known"] == (wrong & (table["Status"] == "ok")).sum() > 0
    assert counts["contradiction"] == (wrong & (table["Status"] != "ok")).sum()
    outcomes = trials["outcome"].to_pylist()
    assert outcomes.count("solved") == ((table["Status"] == "ok") & ~wrong).sum()
    listed = best_known.of_sources({"energy": trials}, best_known.read(str(tmp_path / "known.csv"))).to_pandas()
    assert listed["kind"].value_counts().to_dict() == {"contradiction": wrong.sum(), "improvement": (better & ~wrong).sum()}


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")
def test_pavers_runs_on_miplib_against_miplibs_list(tmp_path):
    """Every contradiction and improvement by file and line, against the trace files read line by line here.

    As the list states them, and with every third optimum as the best known value and somewhat worse, so that runs improve on it.
    """
    with tarfile.open(Path(REAL) / "gams-trace/paver-globallib-linlib-miplib2010.tgz") as tar:
        files = {m.name.rpartition("/")[2]: tar.extractfile(m).read() for m in tar if "/miplib2010/" in m.name and m.isfile()}
    for name, data in files.items():
        (tmp_path / "runs").mkdir(exist_ok=True)
        (tmp_path / "runs" / name).write_bytes(data)
    lines = [line.split() for line in (Path(REAL) / "mip-logs/miplib2010.solu").read_text("utf-8").splitlines()]
    known = {name: (kind, float(value[0]) if value else math.nan) for kind, name, *value in lines}
    raised = {
        name: ("=best=", value + 0.01 * max(1, abs(value))) if i % 3 == 0 and kind == "=opt=" else (kind, value)
        for i, (name, (kind, value)) in enumerate(known.items())
    }
    trials, _, _ = readers.load(tmp_path / "runs", format="gams_trace")
    for which, fewest in ((known, {"contradiction": 10}), (raised, {"contradiction": 5, "improvement": 50})):
        expected = set()
        for file, data in files.items():
            for number, line in enumerate(data.decode().splitlines(), 1):
                cells = line.split(",")
                if line.startswith("*") or not file.endswith(".trc") or cells[0] not in which:
                    continue
                kind, best = which[cells[0]]
                value, bound = (float(cell) if re.match("[-+]?[.0-9]", cell) else math.nan for cell in cells[12:14])
                if cells[10] not in ("1", "2", "7", "8", "15", "16", "17"):
                    value = math.nan  # by GAMS's model status there is no solution; some write 0 all the same
                claims, nothing = cells[10] in ("1", "15"), cells[10] in ("4", "10", "19")
                slack = 1e-4 * max(1, abs(best))
                below, above = value < best - slack, value > best + slack
                if kind == "=inf=":
                    wrong = math.isfinite(value) and not nothing
                else:
                    wrong = (
                        nothing
                        or (below and kind == "=opt=")
                        or (claims and above)
                        or (abs(bound) < 1e20 and bound > best + slack)
                    )
                if wrong or (below and kind == "=best="):
                    expected.add(("contradiction" if wrong else "improvement", f"{file}:{number}"))
        (tmp_path / "known.solu").write_text(
            "".join(f"{kind} {name} {value}\n" for name, (kind, value) in which.items()), "utf-8"
        )
        listed = best_known.of_sources({"miplib": trials}, best_known.read(str(tmp_path / "known.solu"))).to_pylist()
        assert {(row["kind"], row["place"]) for row in listed} == expected
        assert all(sum(kind == one for one, _ in expected) >= least for kind, least in fewest.items())
