"""The summary of solver runs, by hand, by a plain computation on published results, and by what must hold."""

import gzip
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmill import readers
from benchmill.core import claims, schema, storage
from benchmill.core.errors import UserError
from benchmill.costs import costs, given
from benchmill.indicators.summary import Options, shifted_geometric_mean, summary
from tests.costs.making import solver_runs

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
real = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")
USUAL = Options()


def rows(times, subset="all", unsolved="limit", options=USUAL, **settings):
    own = {name: settings.pop(name) for name in ("limit", "nodes", "iterations") if name in settings}
    table, trials = solver_runs(times, **own)
    found = summary([table], [trials], options, **{"shift": 10.0, **settings})["summary"]
    return {r["algorithm"]: r for r in found.to_pylist() if (r["subset"], r["unsolved"]) == (subset, unsolved)}


#: Three instances: both solve the first, A alone the second, nobody the third.
TWO = {"A": [10.0, 90.0, None], "B": [30.0, None, "memory_limit"]}


def test_two_solvers_by_hand():
    found = rows(TWO)
    assert list(found) == ["A", "B", "virtual best"]
    a, b, best = found.values()
    assert [a["solved"], a["timeout"], a["memory"]] == [2, 1, 0]
    assert [b["solved"], b["timeout"], b["memory"]] == [1, 1, 1]
    # 20 * 100 * 110 = 220000 and 40 * 110 * 110 = 484000 under the cube root
    assert a["sgm"] == pytest.approx(220000 ** (1 / 3) - 10)
    assert b["sgm"] == pytest.approx(484000 ** (1 / 3) - 10)
    assert b["sgm_ratio"] == pytest.approx(b["sgm"] / a["sgm"])
    assert [a["rank"], b["rank"], best["rank"]] == [1, 2, None]
    assert [a["role"], b["role"], best["role"]] == ["single_best", "solver", "virtual_best"]
    assert (a["mean"], a["par1"], a["par2"], a["par10"]) == pytest.approx((200 / 3, 200 / 3, 100, 1100 / 3))
    assert (a["median"], b["median"]) == (90, 100)
    # A is best everywhere, so that the virtual best is A and loses without it the second instance
    assert best["sgm"] == a["sgm"]
    assert (best["solved"], best["timeout"]) == (2, None)
    assert (a["unique"], a["adds_solved"], a["adds_mean"]) == pytest.approx((1, 1, 30 / 3))
    assert a["adds_sgm"] == pytest.approx(b["sgm"] / a["sgm"])
    assert (a["lead"], a["lead_problem"]) == (pytest.approx(2.0), "problem p1")
    assert (b["unique"], b["adds_solved"], b["adds_mean"], b["adds_sgm"], b["lead"]) == (0, 0, 0, 1, None)


def test_what_failures_count():
    for unsolved, factor in (("x2", 2), ("x10", 10)):
        found = rows(TWO, unsolved=unsolved)
        assert found["A"]["mean"] == pytest.approx((100 + factor * 100) / 3)
        assert found["A"]["par2"] == pytest.approx(100)
        assert found["B"]["sgm"] == pytest.approx((40 * (factor * 100 + 10) ** 2) ** (1 / 3) - 10)
    solved = rows(TWO, unsolved="all_solved")
    assert {name: (row["instances"], row["mean"]) for name, row in solved.items()} == {
        "A": (1, 10), "B": (1, 30), "virtual best": (1, 10)
    }  # fmt: skip


def test_brackets_need_a_solver_that_solves_and_a_slow_one():
    times = {"A": [0.5, 3.0, 20.0, None], "B": [0.2, 0.5, 15.0, None]}
    names = {name: rows(times, name) for name in ("all", "[0, limit]", "[1, limit]", "[10, limit]", "[100, limit]")}
    assert {name: found["A"]["instances"] for name, found in names.items() if found} == {
        "all": 4, "[0, limit]": 3, "[1, limit]": 2, "[10, limit]": 1
    }  # fmt: skip
    # one that B does not solve takes it the limit
    assert rows({"A": [5.0], "B": [None]}, "[100, limit]")["A"]["instances"] == 1


def test_affected_instances_have_different_paths():
    nodes = {("A", 1): 5, ("B", 1): 5, ("A", 2): 7, ("B", 2): 8, ("A", 3): 1}
    found = rows({"A": [1.0, 1.0, 1.0], "B": [1.0, 1.0, 1.0]}, "affected", nodes=nodes)
    assert found["A"]["instances"] == 2
    assert rows(TWO, "affected") == {}


def test_seeds_of_an_instance_weigh_as_much_as_one_run():
    found = rows({"A": [[10.0, 30.0], 40.0], "B": [[20.0, None], 50.0]})
    assert found["A"]["sgm"] == pytest.approx(np.exp((np.log(20) / 2 + np.log(40) / 2 + np.log(50)) / 2) - 10)
    assert found["A"]["mean"] == pytest.approx((20 + 40) / 2)
    assert (found["A"]["n"], found["A"]["instances"], found["B"]["solved"]) == (3, 2, 2)
    # the virtual best takes a solver for an instance, not a seed
    assert found["virtual best"]["mean"] == pytest.approx(30)
    assert found["A"]["adds_solved"] == 0.5


def test_instances_that_a_solver_lacks():
    times = {"A": [10.0, 20.0], "B": [30.0, "absent"]}
    common = rows(times)
    assert [(common[a]["instances"], common[a]["missing"], common[a]["left_out"]) for a in "AB"] == [(1, 0, 1), (1, 1, 1)]
    failed = rows(times, missing="failure")
    assert (failed["B"]["mean"], failed["B"]["median"], failed["B"]["n"]) == (65, 65, 1)
    assert failed["B"]["sgm"] == pytest.approx((40 * 110) ** 0.5 - 10)
    assert failed["A"]["unique"] == 1


def test_a_limit_that_is_not_known():
    found = rows(TWO, limit=None)
    assert (found["A"]["sgm"], found["A"]["mean"], found["A"]["median"], found["A"]["rank"]) == (None, None, None, None)
    assert (found["A"]["limit_unknown"], found["B"]["limit_unknown"], found["A"]["unique"]) == (1, 2, 1)
    # B is solved everywhere, and still nobody knows who is first
    half = rows({"A": [1.0, None], "B": [50.0, 50.0]}, limit=None)
    assert (half["B"]["sgm"], half["B"]["rank"], half["B"]["sgm_ratio"], half["B"]["role"]) == (
        pytest.approx(50),
        None,
        None,
        "solver",
    )
    assert rows(TWO, unsolved="all_solved", limit=None)["A"]["sgm"] == pytest.approx(10)


def test_who_does_not_compete_changes_nothing_of_others():
    three = {**TWO, "C": [1.0, 1.0, "absent"]}
    found = rows(three, not_competing=("C",))
    assert (found["C"]["rank"], found["C"]["role"], found["C"]["sgm"], found["C"]["missing"]) == (None, "not_competing", None, 1)
    assert {name: row for name, row in found.items() if name != "C"} == rows(TWO)
    for wrong, message in ((("D",), "'D' is no algorithm of the study"), (("A", "B"), "no algorithm is left to rank")):
        with pytest.raises(UserError, match=message):
            rows(TWO, not_competing=wrong)


def test_intervals_are_of_whole_instances():
    rng = np.random.default_rng(5)
    times = np.exp(rng.normal(3, 1, 40))
    found = rows({"A": times.tolist(), "B": (2 * times).tolist()}, shift=0.0, limit=1e9)
    a, b = found["A"], found["B"]
    # B takes twice as long everywhere, so that its ratio is certain whatever is drawn
    assert (b["sgm_ratio_low"], b["sgm_ratio_high"]) == pytest.approx((2, 2))
    assert (a["sgm_ratio_low"], a["sgm_ratio_high"]) == (1, 1)
    half = stats.t.ppf(0.975, 39) * np.log(times).std(ddof=1) / 40**0.5
    assert np.log(a["sgm_high"] / a["sgm_low"]) == pytest.approx(2 * half)
    assert rows({"A": [1.0], "B": [2.0]})["A"]["sgm_low"] is None


def test_claims_that_cannot_both_be_true_are_counted():
    table, trials = solver_runs({"A": [1.0, 1.0], "B": [1.0, 1.0], "C": [1.0, 1.0]})
    rows_ = trials.to_pylist()
    for row in rows_:
        row |= {"best_value": 7.0 if (row["algorithm"], row["problem"]) == ("B", "p2") else 1.0, "proven": True}
    trials = schema.table("trials", {name: [row[name] for row in rows_] for name in trials.column_names})
    found = summary([table], [trials], USUAL, shift=1.0, contradictions=claims.of_sources({"x": trials}))["summary"]
    assert {r["algorithm"]: r["contradicted"] for r in found.to_pylist()} == {"A": 1, "B": 1, "C": 0, "virtual best": 0}


def test_no_costs():
    table, trials = solver_runs({})
    assert summary([table], [trials], shift=10.0)["summary"].num_rows == 0


def test_values_that_have_no_shifted_logarithm():
    assert np.isnan(shifted_geometric_mean([1.0, -10.0], 10))
    assert shifted_geometric_mean([0.0, 30.0], 10) == pytest.approx(10)
    assert rows({"A": [-20.0, 5.0], "B": [1.0, 1.0]})["A"]["sgm"] is None


def test_the_shift_is_ten_for_times_and_one_for_counts():
    assert given.Options().geometric_shift == 10
    assert given.Options(quantity="nodes").geometric_shift == 1
    assert given.Options(mean_shift=0.0).geometric_shift == 0


# --- published results, and a plain computation on them ------------------------------------------


def read(tmp_path, path, options, settings=None, **more):
    files = [tmp_path / name for name in ("trials.parquet", "traces.parquet", "report.json")]
    readers.ingest(path, files, name="x", options=options, **more)
    trials = storage.read(files[0], "trials")
    return costs("given", trials, None, "time", settings or {}), trials


def compared(found, times, limit, shift=10.0):
    """Check the summary against times (instances by algorithms) with NaN for a failure."""
    for unsolved, factor in (("limit", 1), ("x2", 2), ("x10", 10), ("all_solved", 1)):
        own = times.dropna() if unsolved == "all_solved" else times
        filled = own.fillna(factor * limit)
        part = found[(found.subset == "all") & (found.unsolved == unsolved)].set_index("algorithm")
        best = times.fillna(10 * limit).loc[own.index].min(axis=1)
        best = best.where(best <= limit, factor * limit)
        everyone = filled.assign(**{"virtual best": best})
        sgm = np.exp(np.log(everyone + shift).mean()) - shift
        assert list(part.index) == list(everyone.columns)
        np.testing.assert_allclose(part["sgm"], sgm, rtol=1e-12)
        np.testing.assert_allclose(part["mean"], everyone.mean(), rtol=1e-12)
        np.testing.assert_allclose(part["median"], everyone.median(), rtol=1e-12)
        np.testing.assert_allclose(part["sgm_ratio"], sgm / sgm[:-1].min(), rtol=1e-12)
        assert part["rank"].tolist()[:-1] == sgm[:-1].rank().tolist()
        for k in (1, 2, 10):
            np.testing.assert_allclose(part[f"par{k}"][:-1], own.fillna(k * limit).mean(), rtol=1e-12)
        assert part["solved"].tolist()[:-1] == own.notna().sum().tolist()
        assert part["solved"].iloc[-1] == own.notna().any(axis=1).sum()
        alone = own.notna() & (own.notna().sum(axis=1) == 1).to_numpy()[:, None]
        assert part["unique"].tolist()[:-1] == alone.sum().tolist()
        # of single runs the virtual best loses what nobody else solves
        assert part["adds_solved"].tolist()[:-1] == alone.sum().tolist()
        for name in times:
            others = times.loc[own.index].drop(columns=name).fillna(10 * limit).min(axis=1)
            without = others.where(others <= limit, factor * limit)
            assert part.loc[name, "adds_mean"] == pytest.approx((without - everyone["virtual best"]).mean(), abs=1e-9)


@real
def test_mittelmann(tmp_path):
    """COPT is the fastest of the LP solvers of 29 April 2026; MOSEK takes 6.24 times as long by shifted geometric means."""
    path = REAL / "mittelmann-extract/lpopt-29-Apr-2026.csv"
    found = summary(*([one] for one in read(tmp_path, path, {"wide": "algorithm", "time_limit": 15000}, format="table")), USUAL,
                    shift=10.0)["summary"].to_pandas()  # fmt: skip
    times = pd.read_csv(path, index_col=0).map(lambda cell: float(cell.rstrip("s")))
    compared(found, times.where(times < 15000), 15000)
    part = found[(found.subset == "all") & (found.unsolved == "limit")].set_index("algorithm")
    assert part["solved"].to_dict()["COPT 8.0.0"] == 65
    assert part["timeout"].dropna().tolist() == (times >= 15000).sum().tolist()
    assert part.loc["MOSEK 11.1.11", "sgm_ratio"] == pytest.approx(6.24, abs=0.005)


@real
def test_sat_2020(tmp_path):
    path = REAL / "sat-competition/sat2020-parallel.csv"
    words = {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}
    options = {"columns": {"problem": "cnf"}, "wide": {"key": "algorithm", "except": ["solution"]}, "outcomes": words}
    table, trials = read(tmp_path, path, {**options, "time_limit": 5000}, format="table")
    found = summary([table], [trials], USUAL, shift=10.0)["summary"].to_pandas()
    raw = pd.read_csv(path, index_col=0).drop(columns="solution")
    raw = raw[sorted(raw)].rename(columns=str)
    part = found[(found.subset == "all") & (found.unsolved == "limit")].set_index("algorithm")
    raw = raw[[name for name in part.index if name != "virtual best"]]
    for word, column in (("FAILED", "error"), ("INCORRECT", "wrong")):
        assert part[column].dropna().tolist() == (raw == word).sum().tolist()
    times = raw.apply(pd.to_numeric, errors="coerce")
    compared(found, times.where(times < 5000), 5000)


@real
def test_ten_repetitions_of_each_instance(tmp_path):
    table, trials = read(tmp_path, REAL / "aslib/TSP-LION2015", {})
    found = summary([table], [trials], USUAL, shift=10.0)["summary"].to_pandas()
    with gzip.open(REAL / "aslib/TSP-LION2015/algorithm_runs.arff.gz", "rt") as file:
        cells = [line.split(",") for line in file if line.strip() and line[0] not in "@%"]
    raw = pd.DataFrame(cells).iloc[:, :5].set_axis(["instance", "run", "algorithm", "time", "status"], axis=1)
    failed = raw["status"].str.strip() != "ok"
    raw["log"] = np.log(raw["time"].astype(float).where(~failed, 3600) + 10)
    sgm = np.exp(raw.groupby(["algorithm", "instance"])["log"].mean().groupby("algorithm").mean()) - 10
    part = found[(found.subset == "all") & (found.unsolved == "limit")].set_index("algorithm")
    np.testing.assert_allclose(part["sgm"].iloc[:-1], sgm[part.index[:-1]], rtol=1e-12)
    assert part["solved"].iloc[:-1].tolist() == (~failed).groupby(raw["algorithm"]).sum()[part.index[:-1]].tolist()


#: Runtime (shm) of `results/maros_meszaros.md` in qpsolvers/maros_meszaros_qpbenchmark: shift 10 s, failures count 1000 s.
PUBLISHED = {
    "default": {
        "clarabel": 163.8, "cvxopt": 94.1, "gurobi": 395.5, "highs": 30.7, "osqp": 12.7, "piqp": 1.0, "proxqp": 53.3,
        "qpalm": 3.6, "scs": 15.1,
    },
    "high_accuracy": {
        "clarabel": 12.5, "cvxopt": 7.8, "gurobi": 26.9, "highs": 2.5, "osqp": 16.1, "piqp": 1.0, "proxqp": 5.9, "qpalm": 4.8,
        "scs": 10.7,
    },
}  # fmt: skip


@real
@pytest.mark.parametrize("setting", PUBLISHED)
def test_the_published_means_of_qp_solvers(tmp_path, setting):
    """Solvers for dense problems have fewer runs and are not ranked, as on the page that lists the others."""
    columns = {"algorithm": ["solver", "settings"], "problem": "problem", "cost": "runtime", "outcome": "found"}
    options = {"columns": columns, "outcomes": {"True": "solved", "False": "unknown"}, "time_limit": 1000}
    table, trials = read(tmp_path, REAL / "qpbenchmark/qpbenchmark_results.csv.gz", options, format="table")
    ranked = [f"{solver} {setting}" for solver in PUBLISHED[setting]]
    others = tuple(name for name in table.column("algorithm").unique().to_pylist() if name not in ranked)
    found = summary([table], [trials], USUAL, shift=10.0, not_competing=others)["summary"].to_pandas()
    part = found[(found.subset == "all") & (found.unsolved == "limit")].set_index("algorithm").loc[ranked]
    assert [f"{ratio:.1f}" for ratio in part["sgm_ratio"]] == [f"{ratio:.1f}" for ratio in PUBLISHED[setting].values()]
    assert set(part["n"]) == {138}


@real
def test_limits_differ_from_run_to_run(tmp_path):
    """LP and MIP models of energy systems: one hour, or a day for large ones."""
    path = REAL / "energy-lp-milp/benchmark_results.csv.gz"
    columns = {"algorithm": ["Solver", "Solver Version"], "problem": ["Benchmark", "Size"], "cost": "Runtime (s)"}
    columns |= {"outcome": "Status", "time_limit": "Timeout"}
    words = {"ok": "solved", "TO": "time_limit", "ER": "error", "error": "error", "OOM": "memory_limit", "warning": "unknown"}
    options = {"columns": columns, "outcomes": words, "empty": "failure"}
    table, trials = read(tmp_path, path, options, format="table")
    found = summary([table], [trials], Options(), shift=10.0)["summary"].to_pandas()
    part = found[(found.subset == "all") & (found.unsolved == "x10")].set_index("algorithm")
    raw = pd.read_csv(path)
    raw["algorithm"] = raw["Solver"] + " " + raw["Solver Version"].astype(str)
    raw["model"] = raw["Benchmark"] + " " + raw["Size"]
    everywhere = raw.groupby("model")["algorithm"].nunique()
    raw = raw[raw["model"].isin(everywhere[everywhere == raw["algorithm"].nunique()].index)]
    solved = raw["Status"] == "ok"
    raw["seconds"] = raw["Runtime (s)"].where(solved, 10 * raw["Timeout"])
    of = raw.groupby("algorithm")
    np.testing.assert_allclose(
        part["sgm"][:-1], (np.exp(of["seconds"].apply(lambda t: np.log(t + 10).mean())) - 10)[part.index[:-1]]
    )
    for status, column in (("TO", "timeout"), ("OOM", "memory"), ("warning", "other")):
        counts = (raw["Status"] == status).groupby(raw["algorithm"]).sum()
        assert part[column][:-1].tolist() == counts[part.index[:-1]].tolist()
    assert set(part["left_out"]) == {len(everywhere) - raw["model"].nunique()}
