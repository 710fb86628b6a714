"""Tables and traces that others published, from the entry that `benchmill inspect` prints to the summary, against plain pandas.

The expectation is computed from the raw file in the test itself, by no function of benchmill; what is printed in papers and on
pages of the makers stands beside it.
"""

import contextlib
import io
import os
import re
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import benchmill as bm
from benchmill import cli, readers
from benchmill.readers.selection import OF_STUDY
from benchmill.study.study import read_studies

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")

FACTORS = {"limit": 1, "x2": 2, "x10": 10, "all_solved": 1}
COUNTED = {"time_limit": "timeout", "memory_limit": "memory", "error": "error", "wrong": "wrong"}


# ---- benchmill ------------------------------------------------------------------------------------------------------


def printed(path, *options):
    """Entry of the source and settings of the measure `time`, as the last study has them that `benchmill inspect` prints.

    Where it asks whether a source has to be read otherwise, that is the study for a yes.
    """
    with contextlib.redirect_stdout(io.StringIO()) as out:
        cli.main(["inspect", str(path), *options])
    text = re.findall(r"^studies:\n(?: .*\n)+", out.getvalue() + "\n", re.MULTILINE)[-1]
    (study,) = yaml.safe_load(text)["studies"].values()
    (entry,) = study["sources"]
    return entry, study["measures"]["time"]


def costed(path, *options, **more):
    """The costs of the runs; `more` answers what `inspect` asks."""
    entry, measure = printed(path, *options)
    runs = bm.read(path, **{key: value for key, value in entry.items() if key not in ("path", "name")} | more)
    return bm.costs(runs, **measure)


def tabled(path, **entry):
    """The costs of the runs of a table whose columns say too little by themselves."""
    return bm.costs(bm.read(path, format="table", **entry), kind="given")


def summarised(costs, not_competing=()):
    """The summary of all instances, by what a failure counts and by solver."""
    found = bm.summary(costs, brackets=[], not_competing=not_competing).frame
    return found[found["subset"] == "all"].set_index(["unsolved", "algorithm"])


# ---- plain pandas ---------------------------------------------------------------------------------------------------


def melted(path, instance, leave_out=()):
    """The cells of a table with a column for each solver."""
    table = pd.read_csv(path, index_col=instance).drop(columns=list(leave_out))
    long = table.rename_axis(index="instance").reset_index().melt("instance", var_name="algorithm", value_name="cell")
    return long.assign(seconds=pd.to_numeric(long["cell"], errors="coerce"))


def common(runs):
    """The runs on the instances that each solver has runs on."""
    solvers = runs.groupby("instance")["algorithm"].transform("nunique")
    return runs[solvers == runs["algorithm"].nunique()]


def plain(runs, unsolved, shift=10.0):
    """Counts and means by solver, from a row for each run: `algorithm`, `instance`, `outcome`, `seconds`, `limit`."""
    runs = runs.assign(solved=runs["outcome"] == "solved")
    if unsolved == "all_solved":
        runs = runs[runs.groupby("instance")["solved"].transform("all")]
    for k in (1, 2, 10):
        runs[f"par{k}"] = runs["seconds"].where(runs["solved"], k * runs["limit"])
    runs["mean"] = runs["seconds"].where(runs["solved"], FACTORS[unsolved] * runs["limit"])
    runs["log"] = np.log(runs["mean"] + shift)

    cells = runs.groupby(["instance", "algorithm"])[["par1", "par2", "par10", "mean", "log", "solved"]].mean()
    tens = cells["par10"].unstack()
    best = pd.MultiIndex.from_frame(tens.idxmin(axis=1).rename("algorithm").reset_index())
    found = cells.groupby("algorithm").mean()
    found.loc["virtual best"] = cells.loc[best].mean()
    found["sgm"] = np.exp(found.pop("log")) - shift
    found["sgm_ratio"] = found["sgm"] / found["sgm"].drop("virtual best").min()
    found["rank"] = found["sgm"].drop("virtual best").rank()

    taken = runs.set_index(["instance", "algorithm"]).loc[best].assign(algorithm="virtual best")
    every = pd.concat([runs, taken])
    found["n"] = every.groupby("algorithm").size()
    found["solved"] = every.groupby("algorithm")["solved"].sum()
    found["median"] = every.groupby("algorithm")["mean"].median()
    found["instances"] = len(tens)
    for column in (*COUNTED.values(), "other"):
        words = runs["outcome"].map(COUNTED).fillna("other")
        found[column] = ((words == column) & ~runs["solved"]).groupby(runs["algorithm"]).sum()

    solves = cells["solved"].unstack() > 0
    for name in tens:
        second = pd.MultiIndex.from_frame(tens.drop(columns=name).idxmin(axis=1).rename("algorithm").reset_index())
        lost = cells.loc[second].to_numpy() - cells.loc[best].to_numpy()
        found.loc[name, ["adds_mean", "adds_solved"]] = lost[:, 3].mean(), -lost[:, 5].sum()
        found.loc[name, "unique"] = (solves[name] & (solves.sum(axis=1) == 1)).sum()
    return found


def compare(found, runs):
    """Check all that `plain` has, to 1e-12 of it; means far below the shift, and their ratios, have lost a digit."""
    for what in FACTORS:
        if what == "all_solved" and not (runs["outcome"] == "solved").groupby(runs["instance"]).all().any():
            assert what not in found.index
            continue
        expected, part = plain(runs, what), found.loc[what]
        assert set(part.index) == set(expected.index)
        part = part.loc[expected.index]
        for column in expected:
            actual, wanted = (frame[column].astype(float) for frame in (part, expected))
            rtol, atol = (1e-11 if column == "sgm_ratio" else 1e-12), {"sgm": 1e-13, "adds_mean": 1e-9}.get(column, 0)
            np.testing.assert_allclose(actual, wanted, rtol=rtol, atol=atol, err_msg=f"{what}, {column}")
        assert not part["limit_unknown"].any()


# ---- tables of times ------------------------------------------------------------------------------------------------


def test_mittelmann():
    """COPT is the fastest of the LP solvers of 29 April 2026; MOSEK takes 6.24 times as long, as the page of the plots says."""
    path = REAL / "mittelmann-extract/lpopt-29-Apr-2026.csv"
    found = summarised(tabled(path, wide="algorithm", time_limit=15000))
    runs = melted(path, 0)
    runs["seconds"] = runs["cell"].str.rstrip("s").astype(float)
    runs["outcome"] = np.where(runs["seconds"] < 15000, "solved", "time_limit")
    compare(found, runs.assign(limit=15000))
    assert found.loc[("limit", "COPT 8.0.0"), ["solved", "rank"]].tolist() == [65, 1]
    assert found.loc[("limit", "MOSEK 11.1.11"), "sgm_ratio"] == pytest.approx(6.24, abs=0.005)


#: PAR-2 and number of solved instances of the Parallel track: Froleyks, Heule, Iser, Järvisalo and Suda, *SAT Competition 2020*,
#: Artificial Intelligence 301 (2021), "Top 10 Solvers in Main, Planning, Parallel and Cloud Tracks".
SAT_2020 = {
    "pmcompspsthirty": (3316.6, 283), "pmcompspsixty": (3714.7, 271), "plingeling": (3743.4, 269),
    "manyglucosethirty": (3985.3, 260), "painlessmaplevone": (4022.7, 262), "manyglucosesixty": (4036.3, 258),
    "painlessmaplevtwo": (4103.3, 260), "syrupscavel": (4433.3, 243), "treengeling": (4903.4, 225),
    "abcdsatptwenty": (5240.1, 213),
}  # fmt: skip


def test_sat_2020_parallel():
    path = REAL / "sat-competition/sat2020-parallel.csv"
    outcomes = {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}
    entry = {"columns": {"problem": "cnf"}, "wide": {"key": "algorithm", "except": ["solution"]}, "outcomes": outcomes}
    found = summarised(tabled(path, **entry, time_limit=5000))
    runs = melted(path, "cnf", ["solution"])
    words = {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}
    compare(found, runs.assign(outcome=runs["cell"].map(words).fillna("solved"), limit=5000))
    printed = found.loc["limit"].loc[list(SAT_2020), ["par2", "solved"]]
    assert [(round(par2, 1), solved) for par2, solved in printed.itertuples(index=False)] == list(SAT_2020.values())


@pytest.mark.filterwarnings("ignore:sat2024. the column 'result' looks like `outcome`:UserWarning")
@pytest.mark.parametrize(("track", "result"), [("main", "vresult"), ("parallel", "result")])
def test_sat_2024(tmp_path, track, result):
    """A failure at 5000 s stands as 10000, so that the mean of a column as it stands is PAR2; a quarter of the instances."""
    path = tmp_path / "sat2024.csv"
    header, *lines = (REAL / f"sat-competition/sat2024-detailed_{track}.csv").read_text().splitlines(keepends=True)
    path.write_text(header + "".join(lines[::4]))
    entry = {"columns": {"problem": "hash"}, "wide": {"key": "algorithm", "except": [result]}, "time_limit": 5000, "penalty": 2}
    found = summarised(tabled(path, **entry))
    runs = melted(path, "hash", [result])
    compare(found, runs.assign(outcome=np.where(runs["seconds"] == 10000, "time_limit", "solved"), limit=5000))
    scores = pd.read_csv(path, index_col="hash").drop(columns=result).mean()
    np.testing.assert_allclose(found.loc["limit", "par2"][scores.index], scores, rtol=1e-12)


def test_energy_models():
    """Statuses, two time limits, and solvers that were not run on all: compared are the models that all were run on."""
    path = REAL / "energy-lp-milp/benchmark_results.csv.gz"
    columns = {"cost": "Runtime (s)", "problem": ["Benchmark", "Size"], "algorithm": ["Solver", "Solver Version"]}
    outcomes = {"ER": "error", "OOM": "memory_limit", "TO": "time_limit", "ok": "solved", "warning": "unknown"}
    found = summarised(tabled(path, columns={**columns, "outcome": "Status", "time_limit": "Timeout"}, outcomes=outcomes))
    raw = pd.read_csv(path)
    words = {"ok": "solved", "TO": "time_limit", "OOM": "memory_limit", "ER": "error", "error": "error", "warning": "unknown"}
    runs = pd.DataFrame(
        {
            "algorithm": raw["Solver"] + " " + raw["Solver Version"],
            "instance": raw["Benchmark"] + " " + raw["Size"],
            "outcome": raw["Status"].map(words),
            "seconds": raw["Runtime (s)"],
            "limit": raw["Timeout"],
        }
    )
    compare(found, common(runs))
    # the benchmark's page counts these as solved: by their status `ok` alone
    doubtful = (raw["Status"] == "ok") & (raw["Termination Condition"].str.lower() != "optimal")
    assert doubtful.sum() == 15
    assert (runs["outcome"] == "solved").sum() == 1744
    assert set(found["left_out"]) == {runs["instance"].nunique() - common(runs)["instance"].nunique()}
    lacks = runs["instance"].nunique() - runs.groupby("algorithm")["instance"].nunique()
    assert found.loc["limit", "missing"][lacks.index].tolist() == lacks.tolist()


#: Runtime (shm) of `results/maros_meszaros.md` in qpsolvers/maros_meszaros_qpbenchmark: shift 10 s, failures count 1000 s.
QP = {
    "default": {
        "clarabel": 163.8, "cvxopt": 94.1, "gurobi": 395.5, "highs": 30.7, "osqp": 12.7, "piqp": 1.0, "proxqp": 53.3,
        "qpalm": 3.6, "scs": 15.1,
    },
    "high_accuracy": {
        "clarabel": 12.5, "cvxopt": 7.8, "gurobi": 26.9, "highs": 2.5, "osqp": 16.1, "piqp": 1.0, "proxqp": 5.9, "qpalm": 4.8,
        "scs": 10.7,
    },
}  # fmt: skip


def qp_runs():
    raw = pd.read_csv(REAL / "qpbenchmark/qpbenchmark_results.csv.gz")
    return pd.DataFrame(
        {
            "algorithm": raw["solver"] + " " + raw["settings"],
            "instance": raw["problem"],
            "outcome": np.where(raw["found"], "solved", "unknown"),
            "seconds": raw["runtime"],
            "limit": 1000,
        }
    )


@pytest.fixture(scope="module")
def qp_costs():
    columns = {"cost": "runtime", "algorithm": ["solver", "settings"], "outcome": "found"}
    outcomes = {"False": "unknown", "True": "solved"}
    return tabled(REAL / "qpbenchmark/qpbenchmark_results.csv.gz", columns=columns, outcomes=outcomes, time_limit=1000)


def test_qp_solvers(qp_costs):
    compare(summarised(qp_costs), common(qp_runs()))


@pytest.mark.parametrize("setting", QP)
def test_the_published_means_of_qp_solvers(qp_costs, setting):
    """Solvers for dense problems have fewer runs and are not ranked, as on the page that lists the others."""
    ranked = [f"{solver} {setting}" for solver in QP[setting]]
    others = sorted(set(qp_runs()["algorithm"]) - set(ranked))
    part = summarised(qp_costs, others).loc["limit"].loc[ranked]
    assert [f"{ratio:.1f}" for ratio in part["sgm_ratio"]] == [f"{ratio:.1f}" for ratio in QP[setting].values()]
    assert set(part["n"]) == {138}


# ---- ASlib ----------------------------------------------------------------------------------------------------------


def arff(path):
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] not in "@%"]
    columns = ["instance", "run", "algorithm", "seconds", "outcome"]
    runs = pd.DataFrame([[cell.strip() for cell in line.split(",")][:5] for line in lines], columns=columns)
    words = {"ok": "solved", "timeout": "time_limit", "memout": "memory_limit", "crash": "error"}
    return runs.assign(seconds=runs["seconds"].astype(float), outcome=runs["outcome"].map(words).fillna("unknown"))


@pytest.mark.parametrize(("scenario", "limit"), [("MIP-2016", 7200), ("CSP-Minizinc-Time-2016", 1200)])
def test_aslib(scenario, limit):
    """The files state PAR10 in place of times, so that the mean of a solver's column as it stands is PAR10."""
    path = REAL / "aslib" / scenario
    found, runs = summarised(costed(path)), arff(path / "algorithm_runs.arff")
    compare(found, runs.assign(limit=limit))
    scores = runs.groupby("algorithm")["seconds"].mean()
    np.testing.assert_allclose(found.loc["limit", "par10"][scores.index], scores, rtol=1e-12)


def test_ten_repetitions_of_each_instance(tmp_path):
    """TSP-LION2015, every 25th of its instances."""
    path = REAL / "aslib/TSP-LION2015"
    whole = pd.read_csv(path / "algorithm_runs.arff.gz", sep="\0", header=None).iloc[:, 0]
    head = whole.str.startswith(("@", "%"))
    names = whole[~head].str.partition(",")[0]
    kept = names.isin(names.unique()[::25])
    (tmp_path / "algorithm_runs.arff").write_text("\n".join([*whole[head], *whole[~head][kept]]) + "\n")
    (tmp_path / "description.txt").write_bytes((path / "description.txt").read_bytes())
    runs = arff(tmp_path / "algorithm_runs.arff")
    assert len(runs) == 10 * 4 * runs["instance"].nunique() > 4000
    compare(summarised(costed(tmp_path)), runs.assign(limit=3600))


# ---- traces of PAVER ------------------------------------------------------------------------------------------------

PAVER = REAL / "gams-trace/paver-globallib-linlib-miplib2010.tgz"
#: Where the fields stand: model, solver, model status, solver status, value, time.
FIELDS = {
    "miplib2010": (0, 2, 10, 11, 12, 14),
    "linlib": (0, 2, 13, 14, 15, 17),
    "generated": (0, 2, 4, 5, 6, 7),
    "globallib": (0, 2, 13, 14, 15, 17),
}


def trace_runs(suite):
    """A row for each model and solver, with the best value and optimum of the suite's `.solu` list, NaN where not known."""
    rows, known = [], {}
    with tarfile.open(PAVER) as tar:
        for member in tar:
            if f"/{suite}/" in member.name and member.isfile():
                at = FIELDS["generated" if "gen.trc" in member.name else suite]
                lines = tar.extractfile(member).read().decode().splitlines()
                rows += [[line.split(",")[i] for i in at] for line in lines if not line.startswith("*")]
            elif member.name == f"solu/{suite}.solu":
                lines = tar.extractfile(member).read().decode().splitlines()
                known = {kind: {} for kind in ("=opt=", "=best=", "=inf=", "=unkn=")}
                for kind, model, *value in map(str.split, lines):
                    known[kind][model] = float(value[0]) if value else np.nan
    runs = pd.DataFrame(rows, columns=["instance", "algorithm", "model", "solver", "value", "seconds"])
    # of globallib there is a line for each of four points
    runs = runs.drop_duplicates(["instance", "algorithm"]).astype({"model": int, "solver": int})
    runs[["value", "seconds"]] = runs[["value", "seconds"]].apply(pd.to_numeric, errors="coerce")
    by_solver = {1: "unknown", 2: "limit", 3: "time_limit", 4: "limit", 8: "stopped"}
    runs["outcome"] = runs["solver"].map(by_solver).fillna("error")
    runs.loc[(runs["solver"] == 1) & runs["model"].isin([11, 12, 13]), "outcome"] = "error"
    done = (runs["solver"] == 1) & runs["model"].isin([2, 3, 4, 8, 10, 18, 19])
    runs.loc[done | (runs["model"] == 1), "outcome"] = "solved"
    optimum = runs["instance"].map(known["=opt="])
    return runs.assign(optimum=optimum, best=optimum.fillna(runs["instance"].map(known["=best="])))


#: Runs of miplib2010 that ended at a limit before 3600 s, by solver.
EARLY = {"Balin": 2, "Bifur": 0, "Bombur": 18, "Gimli": 0, "Thorin": 0}


def wrong_by_list(runs):
    """The claims that contradict the suite's list of best values; all of these models are minimised."""
    size = runs[["value", "best"]].abs().max(axis=1).clip(lower=1)
    worse, better = runs["value"] - runs["best"] > 1e-4 * size, runs["optimum"] - runs["value"] > 1e-4 * size
    wrong = (runs["outcome"] == "solved") & (better | (worse & (runs["model"] == 1)))
    return wrong | (runs["model"].isin([4, 10, 19]) & (runs["solver"] == 1) & runs["best"].notna())


def test_means_as_paver_defines_them():
    """PAVER ships no output with its examples; its definitions are read here from `solvestat.py` and `setupdefault.py`.

    With `--failtime 3600` and the usual `--mintime 1` a failed run counts 3600, a run at a limit the time that its trace states,
    and times are cut to [1, 3600]. Only runs that ended at a limit before 3600 s are failures here and none there.
    """
    costs = costed(PAVER, "-o", "files=miplib2010/*").frame
    cut = pd.DataFrame({**costs[["algorithm", "problem"]], "cost": costs["cost"].astype(float).clip(lower=1)})
    found = summarised(bm.costs(cut, limit=3600)).loc["limit"]
    runs = trace_runs("miplib2010")
    failed = wrong_by_list(runs) | (runs["outcome"] == "error") | runs["seconds"].isna()
    seconds = runs["seconds"].where(~failed, 3600).clip(1, 3600)
    early = ~failed & (runs["outcome"] != "solved") & (seconds < 3600)
    assert early.groupby(runs["algorithm"]).sum().to_dict() == EARLY

    def means(times):
        table = times.groupby([runs["instance"], runs["algorithm"]]).first().unstack()
        table["virtual best"] = table.min(axis=1)
        return pd.DataFrame({"sgm": np.exp(np.log(table + 10).mean()) - 10, "mean": table.mean()})

    alike = [name for name, n in EARLY.items() if not n]
    for names, expected in ((alike, means(seconds)), (list(found.index), means(seconds.where(~early, 3600)))):
        for column in ("sgm", "mean"):
            np.testing.assert_allclose(found.loc[names, column].astype(float), expected.loc[names, column], rtol=1e-12)


@pytest.mark.parametrize(("suite", "limits", "number"), [("miplib2010", {}, 13), ("linlib", {"time_limit": 10000}, 2)])
def test_paver(suite, limits, number):
    """The traces of linlib state no limit; a claim that contradicts the suite's list of best values is wrong."""
    found = summarised(costed(PAVER, "-o", f"files={suite}/*", **limits))
    runs = trace_runs(suite).assign(limit=limits.get("time_limit", 3600))
    wrong = wrong_by_list(runs)
    assert wrong.sum() == number
    compare(found, runs.assign(outcome=runs["outcome"].where(~wrong, "wrong")))


def test_paver_as_the_traces_have_it():
    """All local solvers of globallib, without a list of optima; Prancer lacks one model, which is left out for all."""
    found = summarised(costed(PAVER, "-o", "files=globallib/*", time_limit=10000, switch_off=["contradicts_best_known"]))
    runs = trace_runs("globallib").assign(limit=10000)
    compare(found, common(runs))
    assert set(found["left_out"]) == {1}


# ---- gaps and integrals -------------------------------------------------------------------------------------------------


def compare_gaps(costs, runs, shift):
    """The summary against pandas, from a row for each run: `algorithm`, `instance`, `cost`, `solved`, `outcome`."""
    found = bm.summary(costs).frame.set_index(["unsolved", "algorithm"])
    assert set(found["subset"]) == {"all"}
    assert found[["par1", "par2", "par10"]].isna().all(axis=None)
    table = runs.pivot(index="instance", columns="algorithm", values="cost")
    for unsolved, part in (("as_is", table), ("all_measured", table[np.isfinite(table).all(axis=1)])):
        own, names = found.loc[unsolved], list(table)
        inside = runs[runs["instance"].isin(part.index)]
        with_best = part.assign(**{"virtual best": part.min(axis=1)}).replace(np.inf, np.nan)
        means = np.exp(np.log(with_best + shift).mean(skipna=False)) - shift
        for column, expected in (("sgm", means), ("mean", with_best.mean(skipna=False))):
            np.testing.assert_allclose(own[column].astype(float), expected[own.index], rtol=1e-9)
        np.testing.assert_allclose(
            own.loc[names, "rank"].astype(float), means[names].rank() if means[names].notna().all() else np.nan
        )
        with np.errstate(invalid="ignore"):
            medians = part.median().replace(np.inf, np.nan)
        np.testing.assert_allclose(own.loc[names, "median"].astype(float), medians[names], rtol=1e-9)
        solved = inside[inside["solved"]].groupby("algorithm").size().reindex(names, fill_value=0)
        assert own.loc[names, "solved"].to_dict() == solved.to_dict()
        for word, column in COUNTED.items():
            n = inside[inside["outcome"] == word].groupby("algorithm").size().reindex(names, fill_value=0)
            assert own.loc[names, column].to_dict() == n.to_dict(), column
        assert set(own["instances"]) == {len(part)}


def test_gaps_of_pavers_traces():
    """Both definitions, by the fields of the traces."""
    runs, bounds = trace_runs("miplib2010").reset_index(drop=True), {}
    with tarfile.open(PAVER) as tar:
        for member in tar:
            if "/miplib2010/" in member.name and member.isfile():
                for line in tar.extractfile(member).read().decode().splitlines():
                    if not line.startswith("*"):
                        cells = line.split(",")
                        bounds[cells[0], cells[2]] = pd.to_numeric(cells[13], errors="coerce")  # one is `acr?`
    wrong = wrong_by_list(runs)
    value, bound = runs["value"], pd.Series([bounds[key] for key in zip(runs["instance"], runs["algorithm"], strict=True)])
    runs["outcome"] = runs["outcome"].where(~wrong, "wrong")
    runs["solved"] = runs["outcome"] == "solved"
    # a value is none where the model status says so: no solution, or infeasible
    value = value.where(~runs["model"].isin([4, 6, 10, 13, 14, 19]))
    read = bm.read(PAVER, files="miplib2010/*")
    for relative_to, size in (("value", value.abs()), ("larger", np.maximum(value.abs(), bound.abs()))):
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = (value - bound).abs() / size
        gap = gap.clip(upper=1) if relative_to == "larger" else gap
        gap = gap.where(value != bound, 0.0).where(~wrong & value.notna() & bound.notna(), np.inf)
        gap = gap.where(~runs["solved"] | (value.notna() & bound.notna()), 0.0).clip(lower=1e-4)
        compare_gaps(bm.costs(read, kind="gap", relative_to=relative_to), runs.assign(cost=gap), 0.01)


def test_gaps_of_logs():
    """CBC and Gurobi on five models: how the last lines of each log say that it ended, at which value and bound."""
    logs = REAL / "mip-logs/mip-logs.tgz"
    rows = []
    with tarfile.open(logs) as tar:
        for member in tar:
            solver, _, instance = Path(member.name).stem.partition("-")
            if solver not in ("cbc298", "gurobi700") or instance == "ash608gpia-3col":
                continue
            text = tar.extractfile(member).read().decode()
            if solver == "cbc298":
                last = text[text.index("Result - ") :]
                numbers = [re.search(rf"^{word}: +(\S+)", last, re.MULTILINE) for word in ("Objective value", "Lower bound")]
                solved = "Optimal solution found" in last
            else:
                numbers = [None, None]
                solved = "Optimal solution found" in text or "Model is infeasible" in text
            value, bound = (float(found[1]) if found else np.nan for found in numbers)
            gap = abs(value - bound) / abs(value)
            cost = 1e-4 if solved else gap if np.isfinite(gap) else np.inf
            rows.append((solver, instance, cost, solved, "solved" if solved else "time_limit"))
    runs = pd.DataFrame(rows, columns=["algorithm", "instance", "cost", "solved", "outcome"])
    assert (len(runs), np.isinf(runs["cost"]).sum()) == (10, 2)
    read = bm.read(logs, files=[f"*{name}*" for name in ("cbc298-[!a]", "cbc298-app", "gurobi700")])
    costs = bm.costs(read, kind="gap")
    names = {name: "cbc298" if "cbc" in name.lower() else "gurobi700" for name in costs.frame["algorithm"].unique()}
    compare_gaps(costs, runs.assign(algorithm=runs["algorithm"].map({ours: name for name, ours in names.items()})), 0.01)


# ---- attributes of problems -----------------------------------------------------------------------------------------


def test_families_of_sat_2024_are_profiles_strata_and_a_filter(tmp_path):
    """The table of families that the competition published, as `attributes` of a study; every number by plain pandas."""
    path = REAL / "sat-competition/sat2024-detailed_main.csv"
    family = pd.read_csv(REAL / "sat-competition/sat2024-meta.csv", sep=" ").set_index("hash")["family"]
    raw = pd.read_csv(path, index_col="hash").drop(columns="vresult")
    # one of those with more than a few instances, and two for a filter
    chosen = [name for name, n in family[raw.index].value_counts().items() if n >= 10][:2]
    family[raw.index].rename("family").rename_axis("problem").to_csv(tmp_path / "families.csv")
    entry = {"path": str(path), "columns": {"problem": "hash"}, "wide": {"key": "algorithm", "except": ["vresult"]}}
    entry |= {"format": "table", "time_limit": 5000, "penalty": 2}
    measure = {"kind": "given"}
    study = {
        "sources": [entry],
        "attributes": {"problems": str(tmp_path / "families.csv")},
        "where": {"family": chosen},
        "measures": {"time": measure},
        "profiles": [{"variant": "dolan_more", "groups": "family"}],
        "inference": {"stratify": ["family"]},
    }
    study = read_studies(
        {"studies": {"sat": study}},
        [tmp_path],
        look=readers.sniff,
        options_of=lambda format: readers.options_schema(format)["properties"],
        figures_of=lambda found: found.settings["figures"],
    )["sat"]
    kept = {name: set(family[raw.index].index[family[raw.index] == name]) for name in chosen}
    assert {name: set(problems) for name, problems in study.problem_groups["family"].items() if name in kept} == kept
    (stratum,) = study.inference["stratify"]
    assert {problem: value for problem, value in stratum["family"].items() if value in kept} == {
        problem: name for name, problems in kept.items() for problem in problems
    }

    (source,) = study.sources
    trials, _, report = readers.load(path, format="table", options={**source.options, OF_STUDY: study.taken})
    assert set(trials["problem"].to_pylist()) == set.union(*kept.values())
    assert report["trials"]["missing"] == 0

    costs = bm.costs(raw.loc[sorted(set.union(*kept.values()))].reset_index(), wide=list(raw), problem="hash", limit=5000)
    for name, problems in kept.items():
        (variant,) = [one for one in study.variants.values() if list(one["groups"] or ()) == [f"family {name}"]]
        found = bm.profile(costs, groups=variant["groups"]).measures.set_index("algorithm")
        times = raw.loc[sorted(problems)].where(lambda table: table < 5000, np.inf)
        ratios = times.div(times.min(axis=1), axis=0).where(np.isfinite(times), np.inf)
        assert set(found["n_problems"]) == {len(problems)}
        np.testing.assert_allclose(found["rho_1"], (ratios == 1).mean()[found.index])
        np.testing.assert_allclose(found["rho_tau_max"], np.isfinite(ratios).mean()[found.index])
